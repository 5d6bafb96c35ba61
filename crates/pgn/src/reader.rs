//! Reading tokens from bytes or from a stream.

use std::fmt;
use std::io::{self, Read};

use tabiya::san::PieceLetters;

use crate::MAX_TOKEN;
use crate::comment::Comment;
use crate::error::{Error, ErrorKind};
use crate::lexer::{Lexer, Native, Plain, RawToken, Span, Step};
use crate::place::{Lines, Place};
use crate::text::Text;
use crate::token::{NumberedMove, Remark, Tag, Token};

/// The input of a [`Reader`]: [`Bytes`] or a [`Stream`].
pub trait Input: sealed::Sealed {}

impl Input for Bytes<'_> {}
impl<R: Read> Input for Stream<R> {}

pub(crate) mod sealed {
    use std::io;

    use crate::lexer::Block;

    /// A part of the input in memory.
    pub trait Sealed {
        /// The block of bytes that are examined together.
        type Block: Block;

        fn buffer(&self) -> &[u8];

        /// Is the end of the buffer the end of the input?
        fn is_end(&self) -> bool;

        /// Drops everything before the offset, and reads more.
        fn refill(&mut self, from: usize) -> io::Result<()>;

        /// The next attempt to read more fails with this error.
        fn put_back(&mut self, failure: io::Error);
    }
}

/// An input that is completely in memory, read or mapped.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(&'a [u8]);

impl sealed::Sealed for Bytes<'_> {
    type Block = Native;

    #[inline(always)]
    fn buffer(&self) -> &[u8] {
        self.0
    }

    #[inline(always)]
    fn is_end(&self) -> bool {
        true
    }

    fn refill(&mut self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn put_back(&mut self, _: io::Error) {}
}

/// An input that is read piece by piece into a buffer of constant size.
pub struct Stream<R> {
    inner: R,
    buffer: Box<[u8]>,
    /// The end of the bytes that were read.
    len: usize,
    is_end: bool,
    /// An error that comes after the tokens before it.
    failure: Option<io::Error>,
    /// The number of bytes that may still be examined again.
    credit: usize,
}

/// It has room for several of the largest tokens, so the unfinished token at its end is rarely
/// moved.
const BUFFER: usize = 8 * MAX_TOKEN;

/// An unfinished token is tried again after each read, so that a live stream does not wait, as long
/// as the bytes that are examined again are at most this multiple of the bytes read: so time is
/// linear even if a long token comes in small pieces.
pub(crate) const CREDIT: usize = 16;

impl<R> Stream<R> {
    fn new(inner: R) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { inner, buffer, len: 0, is_end: false, failure: None, credit: 0 }
    }
}

impl<R> fmt::Debug for Stream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("len", &self.len).field("is_end", &self.is_end).finish()
    }
}

impl<R: Read> sealed::Sealed for Stream<R> {
    type Block = Native;

    #[inline(always)]
    fn buffer(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    #[inline(always)]
    fn is_end(&self) -> bool {
        self.is_end
    }

    fn refill(&mut self, from: usize) -> io::Result<()> {
        self.buffer.copy_within(from..self.len, 0);
        self.len -= from;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let before = self.len;
        while self.len < self.buffer.len() && !self.is_end {
            match self.inner.read(&mut self.buffer[self.len..]) {
                Ok(0) => self.is_end = true,
                Ok(len) => {
                    self.len += len;
                    self.credit = self.credit.saturating_add(CREDIT * len);
                    if self.credit >= self.len {
                        self.credit -= self.len;
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // There may be tokens in the bytes before the error.
                Err(error) if self.len > before => {
                    self.failure = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn put_back(&mut self, failure: io::Error) {
        self.failure = Some(failure);
    }
}

/// Reads a file of games as [`Token`]s.
///
/// ```
/// use tabiya_pgn::{Reader, Token};
///
/// let mut reader = Reader::new(std::io::Cursor::new("1. e4 e5 1/2-1/2 1. d4 *"));
/// let mut games = 0;
/// loop {
///     match reader.next_token() {
///         Ok(Some(Token::GameEnd)) => games += 1,
///         Ok(Some(_)) => {}
///         Ok(None) => break,
///         Err(error) => eprintln!("games.pgn:{error}"),
///     }
/// }
/// assert_eq!(games, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Reader<I> {
    input: I,
    /// The offset in the buffer.
    at: usize,
    lexer: Lexer,
    lines: Lines,
    /// The input has failed.
    is_over: bool,
    letters: Option<PieceLetters>,
}

impl<'a> Reader<Bytes<'a>> {
    /// Reads bytes in memory. The tokens live as long as the bytes.
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self::with_input(Bytes(bytes), Place::START, 0)
    }

    /// Reads a part of a file. `start` is the start of the part in the file, and `games_before` the
    /// number of games before it; places and the numbers of games count from there.
    ///
    /// ```
    /// use tabiya_pgn::{Place, Reader};
    ///
    /// let start = Place { byte: 700, line: 20, column: 1 };
    /// let mut reader = Reader::part(b"1. e4 {", start, 3);
    /// let error = reader.find_map(Result::err).unwrap();
    /// assert_eq!((error.place().line, error.place().byte, error.game()), (20, 706, 4));
    /// ```
    pub const fn part(bytes: &'a [u8], start: Place, games_before: u64) -> Self {
        Self::with_input(Bytes(bytes), start, games_before)
    }
}

impl<R: Read> Reader<Stream<R>> {
    /// Reads a stream. It needs no [`BufReader`](std::io::BufReader).
    ///
    /// A game ends, with [`Token::GameEnd`], when more than white space follows its result, as that
    /// may be a comment of the game, or when the stream ends. Its moves and its result come at once;
    /// after a long comment in small pieces, they may wait until a sixteenth more has come.
    pub fn new(stream: R) -> Self {
        Self::with_input(Stream::new(stream), Place::START, 0)
    }
}

impl<I> Reader<I> {
    /// The same reader with its input in another type.
    pub(crate) fn map_input<J>(self, map: impl FnOnce(I) -> J) -> Reader<J> {
        let Self { input, at, lexer, lines, is_over, letters } = self;
        Reader { input: map(input), at, lexer, lines, is_over, letters }
    }

    const fn with_input(input: I, start: Place, games: u64) -> Self {
        let lexer = Lexer::new(games, start.byte == 0);
        Self { input, at: 0, lexer, lines: Lines::new(start), is_over: false, letters: None }
    }

    /// Reads trees with the letters that another language has for the pieces. Tokens are as they are
    /// written; [`Replay::with_letters`](crate::Replay::with_letters) plays them.
    ///
    /// ```
    /// use tabiya::san::PieceLetters;
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let pgn = b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *";
    /// let mut reader = Reader::from_bytes(pgn).with_letters("KDTLS".parse::<PieceLetters>()?);
    /// assert_eq!(GameTree::read(&mut reader)?.unwrap().len(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_letters(self, letters: impl Into<Option<PieceLetters>>) -> Self {
        Self { letters: letters.into(), ..self }
    }

    pub(crate) const fn letters(&self) -> Option<PieceLetters> {
        self.letters
    }

    /// The number of the current game in the file, from 1.
    pub const fn game(&self) -> u64 {
        self.lexer.games
    }

    /// The number of variations around the last token. It is 0 in the main line.
    pub const fn depth(&self) -> u32 {
        self.lexer.depth()
    }
}

impl<I: Input> Reader<I> {
    /// The next token, or `None` at the end of the input.
    ///
    /// # Errors
    /// The game is broken, or the input cannot be read. Reading can continue after an error: the rest
    /// of the game follows, at least its end, unless the error [is final](Error::is_final).
    // Without inlining, the token would be written to memory in parts and read back as a whole,
    // which CPUs do slowly.
    #[inline(always)]
    pub fn next_token(&mut self) -> Result<Option<Token<'_>>, Error> {
        if let Some(token) = self.lexer.plain_token::<I::Block>(self.input.buffer(), &mut self.at) {
            return Ok(Some(plain(self.input.buffer(), token)));
        }
        Ok(self.any_token()?.map(|token| resolve(self.input.buffer(), token)))
    }

    #[inline(never)]
    fn any_token(&mut self) -> Result<Option<RawToken>, Error> {
        self.step::<false>()
    }

    /// Skips the rest of the current game, including its last token. The next token begins the next
    /// game. Between games it does nothing.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token): the first error in the rest of the game. The rest is
    /// skipped all the same.
    ///
    /// ```
    /// use tabiya_pgn::{NumberedMove, Reader, Token};
    ///
    /// let mut reader = Reader::from_bytes(b"1. e4 {1-0} * 1. d4 *");
    /// assert_eq!(reader.next_token()?, Some(Token::GameStart));
    /// reader.skip_game()?;
    /// assert_eq!(reader.next_token()?, Some(Token::GameStart));
    /// assert_eq!(reader.next_token()?, Some(Token::Move(NumberedMove::new(b"1. d4"))));
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn skip_game(&mut self) -> Result<(), Error> {
        self.skip_while(Lexer::is_in_game, Self::step::<true>)
    }

    /// Skips the rest of the variation around the current token, including its end. In the main
    /// line it does nothing.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token): the first error in the rest of the variation. The rest is
    /// skipped all the same.
    pub fn skip_variation(&mut self) -> Result<(), Error> {
        let depth = self.lexer.depth();
        let is_inside = |lexer: &Lexer| depth > 0 && lexer.depth() >= depth;
        self.skip_while(is_inside, |reader| {
            let buffer = reader.input.buffer();
            while reader.lexer.plain_token::<I::Block>(buffer, &mut reader.at).is_some() {}
            reader.step::<false>()
        })
    }

    fn skip_while(
        &mut self,
        goes_on: impl Fn(&Lexer) -> bool,
        mut step: impl FnMut(&mut Self) -> Result<Option<RawToken>, Error>,
    ) -> Result<(), Error> {
        let mut first = Ok(());
        while goes_on(&self.lexer) {
            match step(self) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) if error.is_final() => return Err(error),
                Err(error) => first = first.and(Err(error)),
            }
        }
        first
    }

    /// The start of the last token.
    ///
    /// Lines are counted when this is called, and no byte is counted twice if it is called for the
    /// tokens in order.
    pub fn place(&mut self) -> Place {
        self.lines.place(self.input.buffer(), self.lexer.token_at)
    }

    /// The start of the last comment or remark. A stream may have dropped it; then this is the first
    /// place that is still known.
    pub fn note_place(&mut self) -> Place {
        self.lines.place(self.input.buffer(), self.lexer.note_at)
    }

    /// The place up to which the input has been read.
    pub fn end(&mut self) -> Place {
        self.lines.place(self.input.buffer(), self.at)
    }

    /// A token of any kind.
    #[inline]
    fn step<const QUIET: bool>(&mut self) -> Result<Option<RawToken>, Error> {
        if self.is_over {
            return Ok(None);
        }
        loop {
            let buffer = self.input.buffer();
            match self.lexer.step::<I::Block, QUIET>(buffer, &mut self.at, self.input.is_end()) {
                Step::Token(token) => return Ok(Some(token)),
                Step::Error(kind, at) => return Err(self.error(kind, at)),
                Step::End => return Ok(None),
                Step::More => {
                    if let Some(end) = self.refill()? {
                        return Ok(Some(end));
                    }
                }
            }
        }
    }

    /// Reads more. If that fails after the result of a game, the game ends before the error.
    #[cold]
    fn refill(&mut self) -> Result<Option<RawToken>, Error> {
        self.lines.drop(self.input.buffer(), self.at);
        self.lexer.drop(self.at);
        let filled = self.input.refill(self.at);
        self.at = 0;
        match filled {
            Ok(()) => Ok(None),
            Err(error) if self.lexer.end_whole_game(self.at) => {
                self.input.put_back(error);
                Ok(Some(RawToken::GameEnd))
            }
            Err(error) => {
                self.is_over = true;
                let place = self.lines.place(self.input.buffer(), 0);
                Err(Error::input(error, place, self.lexer.games))
            }
        }
    }

    fn error(&mut self, kind: ErrorKind, at: usize) -> Error {
        let place = self.lines.place(self.input.buffer(), at);
        Error::new(kind, place, self.lexer.games)
    }
}

/// The tokens of bytes in memory.
impl<'a> Iterator for Reader<Bytes<'a>> {
    type Item = Result<Token<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(token) = self.lexer.plain_token::<Native>(self.input.0, &mut self.at) {
            return Some(Ok(plain(self.input.0, token)));
        }
        match self.step::<false>() {
            Ok(Some(token)) => Some(Ok(resolve(self.input.0, token))),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

#[inline(always)]
fn plain(buffer: &[u8], token: Plain) -> Token<'_> {
    match token {
        Plain::Move { whole: (begin, end), at } => {
            Token::Move(NumberedMove { whole: &buffer[begin..end], at })
        }
        Plain::Comment((begin, end)) => Token::Comment(Comment::new(&buffer[begin..end])),
    }
}

/// The token with its text.
#[inline(always)]
fn resolve(buffer: &[u8], token: RawToken) -> Token<'_> {
    let text = |(begin, end): Span| Text(&buffer[begin..end]);
    match token {
        RawToken::GameStart => Token::GameStart,
        RawToken::Tag { name, value } => {
            Token::Tag(Tag { name: text(name), raw_value: text(value) })
        }
        RawToken::Move { whole: (begin, end), at } => {
            Token::Move(NumberedMove { whole: &buffer[begin..end], at })
        }
        RawToken::Comment { text: span, is_line } => {
            Token::Comment(Comment { text: text(span), is_line })
        }
        RawToken::Nag(nag) => Token::Nag(nag),
        RawToken::VariationStart => Token::VariationStart,
        RawToken::VariationEnd => Token::VariationEnd,
        RawToken::Result(result) => Token::Result(result),
        RawToken::Remark(kind, span) => Token::Remark(Remark { kind, text: text(span) }),
        RawToken::GameEnd => Token::GameEnd,
    }
}
