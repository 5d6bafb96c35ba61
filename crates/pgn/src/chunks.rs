//! Cutting a stream into parts of whole games.

use std::io::{self, Read};

use crate::lexer::{Block, Lexer, Native, RawToken, Step, goes_on};
use crate::place::{Lines, Place};

/// A part of a file that ends at the border of a game.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Its start in the file.
    pub start: Place,
    /// The number of games before it in the file.
    pub games_before: u64,
}

/// Cuts a stream into parts of whole games, so that several threads can read them.
///
/// The borders are those that a [`Reader`](crate::Reader) finds: all parts together yield the same
/// games and errors as the stream. Memory is bounded: a part ends at the first border of a game
/// after [`Chunks::MAX_BYTES`] at the latest, and a game that is longer than
/// [`MAX_GAME`](crate::MAX_GAME) is broken. The rest of a broken game, which has no tokens, and
/// white space between games are left out if they are longer than [`Chunks::MAX_REST`].
///
/// After an error of the kind [`WouldBlock`](io::ErrorKind::WouldBlock) or
/// [`TimedOut`](io::ErrorKind::TimedOut), reading can go on. As comments may still follow the result of
/// the last game, that game is returned only when its end is certain.
///
/// ```
/// use tabiya_pgn::{Chunks, Reader, Token};
///
/// let text = "1. e4 *\n\n1. d4 {1. c4 *} *\n\n1. Nf3 *\n";
/// let mut chunks = Chunks::new(text.as_bytes(), 1);
/// let mut games = Vec::new();
/// while let Some(chunk) = chunks.next_chunk()? {
///     let reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
///     games.push(reader.filter(|token| matches!(token, Ok(Token::GameEnd))).count());
/// }
/// assert_eq!(games.iter().sum::<usize>(), 3);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Chunks<R> {
    stream: R,
    /// The least number of bytes in a part.
    wanted: usize,
    /// From `from` on, the bytes that were read and not yet returned. All other offsets count from
    /// there.
    buffer: Vec<u8>,
    from: usize,
    at: usize,
    is_end: bool,
    lexer: Lexer,
    lines: Lines,
    start: Place,
    games: u64,
    /// The buffer begins in a broken game, whose error is in an earlier part.
    is_rest: bool,
    /// An error that is reported after the games before it.
    failure: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    /// A part that is longer ends after its last whole game.
    pub const MAX_BYTES: usize = 1 << 26;
    /// The rest of a broken game, or white space, is left out if it is longer than this.
    pub const MAX_REST: usize = 1 << 20;

    /// Cuts a stream into parts of about this number of bytes.
    pub const fn new(stream: R, bytes: usize) -> Self {
        Self {
            stream,
            wanted: bytes,
            buffer: Vec::new(),
            from: 0,
            at: 0,
            is_end: false,
            lexer: Lexer::new(0, true),
            lines: Lines::new(Place::START),
            start: Place::START,
            games: 0,
            is_rest: false,
            failure: None,
        }
    }

    /// The next part, or `None` at the end.
    ///
    /// # Errors
    /// The stream cannot be read, or there is no memory. The games before the error have been returned.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        self.cut::<Native>(self.wanted, 0)
    }

    /// The next part, with this number of games, including broken ones; `None` at the end. The last
    /// part has fewer, and so has one that would be longer than [`Chunks::MAX_BYTES`], or that ends
    /// with a broken game whose rest is left out.
    ///
    /// # Errors
    /// The stream cannot be read, or there is no memory. The games before the error have been returned.
    ///
    /// ```
    /// use tabiya_pgn::Chunks;
    ///
    /// let mut chunks = Chunks::new("1. e4 * 1. d4 * 1. c4 *".as_bytes(), 1 << 16);
    /// assert_eq!(chunks.next_games(2)?.unwrap().bytes, b"1. e4 * 1. d4 * ");
    /// assert_eq!(chunks.games(), 2);
    /// assert_eq!(chunks.next_games(2)?.unwrap().bytes, b"1. c4 *");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn next_games(&mut self, games: u64) -> io::Result<Option<Chunk>> {
        self.cut::<Native>(1, games.max(1))
    }

    /// The next part with at least this number of bytes and of games.
    pub(crate) fn cut<B: Block>(
        &mut self,
        wanted: usize,
        wanted_games: u64,
    ) -> io::Result<Option<Chunk>> {
        // The end of the last whole game, and the number of games that begin before it: where a part may
        // end, and where it must if the stream fails.
        let (mut border, mut last) = (None, None);
        loop {
            if let Some((_, games)) = border
                && self.at >= wanted
                && games - self.games >= wanted_games
            {
                break;
            }
            let buffer = &self.buffer[self.from..];
            match self.lexer.step::<B, true>(buffer, &mut self.at, self.is_end) {
                // After an error, a game extends to the start of the next one.
                Step::Token(RawToken::GameEnd) if !self.lexer.is_passing() => {
                    last = Some((self.at, self.lexer.games));
                    border = last.filter(|&(end, _)| self.ends_word(end)).or(border);
                }
                Step::Token(RawToken::GameStart) => {
                    let begin = self.lexer.token_at;
                    if std::mem::take(&mut self.is_rest) {
                        self.skip(begin);
                    } else if begin > 0 {
                        last = Some((begin, self.lexer.games - 1));
                        border = last.filter(|&(end, _)| self.ends_word(end)).or(border);
                    }
                }
                Step::Token(_) | Step::Error(..) => {}
                Step::End => {
                    if self.is_rest {
                        self.skip(self.rest().len());
                    }
                    border = Some((self.rest().len(), self.lexer.games));
                    break;
                }
                Step::More if self.is_rest && self.at > 0 => self.skip(self.at),
                Step::More
                    if self.lexer.is_passing()
                        && self.at - border.map_or(0, |(end, _)| end) >= Self::MAX_REST =>
                {
                    self.is_rest = true;
                    border = Some((self.at, self.lexer.games));
                    break;
                }
                // There always is a border, because a game without an end is broken long before.
                Step::More if self.at >= Self::MAX_BYTES && border.is_some() => break,
                Step::More
                    if border.is_none() && self.lexer.is_between() && self.at >= Self::MAX_REST =>
                {
                    self.skip(self.at);
                }
                Step::More => match self.read() {
                    Ok(()) => {}
                    Err(failure) if !may_pass(&failure) && self.lexer.end_whole_game(self.at) => {
                        border = Some((self.at, self.lexer.games));
                        self.failure = Some(failure);
                        break;
                    }
                    Err(failure) if !may_pass(&failure) && last.is_some() => {
                        border = last;
                        self.failure = Some(failure);
                        break;
                    }
                    Err(failure) if border.is_some() => {
                        self.failure = Some(failure);
                        break;
                    }
                    Err(failure) => return Err(failure),
                },
            }
        }
        let Some((end, games)) = border.filter(|&(end, _)| end > 0) else { return Ok(None) };
        let (start, games_before) = (self.start, self.games);
        // A copy, so that a part takes no more memory than its bytes.
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(end).map_err(|_| io::ErrorKind::OutOfMemory)?;
        bytes.extend_from_slice(&self.rest()[..end]);
        self.skip(end);
        self.games = games;
        Ok(Some(Chunk { bytes, start, games_before }))
    }

    /// Does no word reach this offset? A part that ended within one would have another word there.
    fn ends_word(&self, at: usize) -> bool {
        let is_word = |&byte: &u8| goes_on(byte) || matches!(byte, b'.' | b'"');
        let begins_other = |&byte: &u8| matches!(byte, b'[' | b'{');
        !self.rest()[..at].last().is_some_and(is_word)
            || self.rest().get(at).is_some_and(begins_other)
    }

    /// The bytes that were read and not yet returned.
    fn rest(&self) -> &[u8] {
        &self.buffer[self.from..]
    }

    /// Drops the start of the rest.
    fn skip(&mut self, len: usize) {
        self.start = self.lines.place(&self.buffer[self.from..], len);
        self.lines = Lines::new(self.start);
        self.lexer.drop(len);
        self.at = self.at.saturating_sub(len);
        self.from += len;
    }

    /// The number of games in the parts so far, including broken ones.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of bytes read from the stream.
    pub fn bytes_read(&self) -> u64 {
        self.start.byte + self.rest().len() as u64
    }

    fn read(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.buffer.drain(..self.from);
        self.from = 0;
        let before = self.buffer.len();
        let missing = self.wanted.saturating_sub(before).max(before).clamp(1 << 16, 1 << 22);
        // With room left at the end: into a full vector, the standard library reads a few bytes first, and
        // aborts if there is no memory for them.
        self.buffer.try_reserve_exact(missing + 64).map_err(|_| io::ErrorKind::OutOfMemory)?;
        match (&mut self.stream).take(missing as u64).read_to_end(&mut self.buffer) {
            Ok(len) => self.is_end = len == 0,
            // There may be games in the bytes before the error.
            Err(failure) if self.buffer.len() > before => self.failure = Some(failure),
            Err(failure) => return Err(failure),
        }
        Ok(())
    }
}

/// May the stream have more after this error?
fn may_pass(failure: &io::Error) -> bool {
    matches!(failure.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
