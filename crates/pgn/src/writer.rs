//! Writing games in the export format of the PGN standard.

use std::error;
use std::fmt;
use std::io::{self, Write};

use tabiya::{Color, Position};

use crate::comment::Comment;
use crate::reader::Reader;
use crate::text::Text;
use crate::token::{Tag, Token};
use crate::{MAX_DEPTH, MAX_GAME, MAX_TAGS, MAX_TOKEN};
use crate::{Nag, Termination};

/// The tags that every game has in the export format, in this order, each with the value that means
/// unknown.
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes games: the seven tags of the roster first and the others sorted by name, then the moves
/// with their numbers, in lines of less than 80 characters. A [`Layout`] changes that.
///
/// The output is read back as the same tokens, with two differences: missing tags of the roster and
/// a missing result are added, and a line break in a comment becomes a space, see
/// [`Comment::unwrapped`]. A tag that is given twice is written twice. The writer refuses
/// everything that the reader refuses, such as tokens above [`MAX_TOKEN`] bytes.
///
/// ```
/// use tabiya_pgn::{Nag, Termination, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// writer.begin_game();
/// writer.tag("White", "Anderssen")?;
/// writer.tag("Annotator", "me")?;
/// for text in ["e4", "e5", "f4"] {
///     writer.mv(text)?;
/// }
/// writer.nag(Nag::SPECULATIVE)?;
/// writer.begin_variation()?;
/// writer.mv("Nf3")?;
/// writer.end_variation()?;
/// writer.mv("exf4")?;
/// writer.comment("accepted")?;
/// writer.end_game(Termination::WhiteWins)?;
/// let text = String::from_utf8(writer.finish()?).unwrap();
/// assert!(text.ends_with(
///     "[Result \"1-0\"]\n[Annotator \"me\"]\n\n1. e4 e5 2. f4 $5 (2. Nf3) 2... exf4 {accepted} 1-0\n\n",
/// ));
/// # Ok::<(), tabiya_pgn::WriteError>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    layout: Layout,
    /// The tags of the current game, until its first move.
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The moves of the current game. They are kept because the result, which comes last, is
    /// written in the tags before them.
    moves: Lines,
    result: Option<Termination>,
    is_in_game: bool,
    number: Number,
    /// For each line around the current variation, the numbers of its next move and of its last
    /// one.
    outer: Vec<(Number, Number)>,
    /// The number of the last move.
    before: Number,
    /// Does a move of Black need its number?
    needs_number: bool,
}

/// How games are laid out in a file.
///
/// ```
/// use tabiya_pgn::{Layout, Termination, Writer};
///
/// let layout = Layout { width: 12, sort_tags: false };
/// let mut writer = Writer::with_layout(Vec::new(), layout);
/// writer.begin_game();
/// writer.tag("White", "Zukertort")?;
/// writer.tag("Annotator", "me")?;
/// for text in ["e4", "e5", "f4"] {
///     writer.mv(text)?;
/// }
/// writer.end_game(Termination::Unknown)?;
/// let text = String::from_utf8(writer.finish()?).unwrap();
/// assert_eq!(text, "[White \"Zukertort\"]\n[Annotator \"me\"]\n\n1. e4 e5 2.\nf4 *\n\n");
/// # Ok::<(), tabiya_pgn::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The largest number of bytes in a line. Words that are longer stay whole.
    pub width: usize,
    /// The seven tags of the [`ROSTER`] come first, with unknown values if they are missing, and
    /// the others are sorted by name. Otherwise the tags are written as they are given.
    pub sort_tags: bool,
}

/// The export format of the standard.
impl Default for Layout {
    fn default() -> Self {
        Self { width: WIDTH, sort_tags: true }
    }
}

/// The number of a move.
#[derive(Clone, Copy, Debug)]
struct Number {
    fullmove: u32,
    turn: Color,
}

impl Number {
    const START: Self = Self { fullmove: 1, turn: Color::White };

    fn next(self) -> Self {
        match self.turn {
            Color::White => Self { turn: Color::Black, ..self },
            Color::Black => Self { turn: Color::White, fullmove: self.fullmove.saturating_add(1) },
        }
    }
}

/// Text in lines.
#[derive(Debug)]
struct Lines {
    text: Vec<u8>,
    /// The largest number of bytes in a line.
    width: usize,
    /// The start of the last line.
    line: usize,
    /// Opening parentheses directly before the next word.
    opening: Vec<u8>,
}

/// A line has at most this number of bytes: fewer than 80.
const WIDTH: usize = 79;

impl Lines {
    /// A word, after a space or on a new line.
    fn word(&mut self, word: &[u8]) {
        if self.text.len() > self.line {
            let length = self.text.len() - self.line + 1 + self.opening.len() + word.len();
            if length > self.width {
                self.break_line();
            } else {
                self.text.push(b' ');
            }
        }
        self.text.append(&mut self.opening);
        self.text.extend_from_slice(word);
    }

    /// A closing parenthesis directly after the last word, if it fits into the line.
    fn close(&mut self) {
        let length = self.text.len() - self.line;
        if self.opening.is_empty() && (1..self.width).contains(&length) {
            self.text.push(b')');
        } else {
            self.word(b")");
        }
    }

    fn break_line(&mut self) {
        self.text.push(b'\n');
        self.line = self.text.len();
    }

    /// A comment in braces. Its lines are broken at single spaces.
    fn comment(&mut self, text: &[u8]) {
        let mut begin = 0;
        let mut is_first = true;
        loop {
            let end = break_after(text, begin);
            let mut word = Vec::with_capacity(end - begin + 2);
            if is_first {
                word.push(b'{');
            }
            word.extend_from_slice(&text[begin..end]);
            if end == text.len() {
                word.push(b'}');
            }
            self.word(&word);
            is_first = false;
            if end == text.len() {
                return;
            }
            // The space is that between words.
            begin = end + 1;
        }
    }
}

/// The offset of the next space at which the line of a comment may be broken, or the end.
///
/// It is a single space, so that no other is lost, and the text after it does not look like a tag
/// or an escaped line at the start of a line.
fn break_after(text: &[u8], from: usize) -> usize {
    let may_break = |at: usize| {
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
        text[at] == b' '
            && at > from
            && is_word(text.get(at - 1))
            && is_word(text.get(at + 1))
            && !matches!(text.get(at + 1), Some(b'[' | b'%'))
    };
    (from..text.len()).find(|&at| may_break(at)).unwrap_or(text.len())
}

impl<W: Write> Writer<W> {
    /// Writes to this, in the export format.
    pub const fn new(out: W) -> Self {
        Self::with_layout(out, Layout { width: WIDTH, sort_tags: true })
    }

    /// Writes to this, laid out as told.
    pub const fn with_layout(out: W, layout: Layout) -> Self {
        let width = layout.width;
        Self {
            out,
            layout,
            tags: Vec::new(),
            moves: Lines { text: Vec::new(), width, line: 0, opening: Vec::new() },
            result: None,
            is_in_game: false,
            number: Number::START,
            outer: Vec::new(),
            before: Number::START,
            needs_number: true,
        }
    }

    /// Begins a game. One that has begun and not ended is dropped.
    pub fn begin_game(&mut self) {
        self.tags.clear();
        self.moves.text.clear();
        self.moves.opening.clear();
        self.moves.line = 0;
        self.result = None;
        self.is_in_game = true;
        (self.number, self.before) = (Number::START, Number::START);
        self.outer.clear();
        self.needs_number = true;
    }

    /// Drops the game that has begun, if there is one.
    ///
    /// ```
    /// use tabiya_pgn::{Reader, Writer};
    ///
    /// // The last game is broken, and the games before it are written.
    /// let mut writer = Writer::new(Vec::new());
    /// let mut reader = Reader::from_bytes(b"1. e4 *\n\n1. d4 (1. c4");
    /// loop {
    ///     match reader.next_token() {
    ///         Ok(Some(token)) => writer.token(&token)?,
    ///         Ok(None) => break,
    ///         Err(_) => {
    ///             writer.drop_game();
    ///             reader.skip_game()?;
    ///         }
    ///     }
    /// }
    /// let text = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(text.ends_with("\n1. e4 *\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn drop_game(&mut self) {
        self.is_in_game = false;
    }

    /// A tag. `FEN` sets the number of the first move; give it before the moves.
    ///
    /// # Errors
    /// The name is not valid, the value contains a control character, the tag is too long, or no
    /// game has begun.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<(), WriteError> {
        let mut escaped = Vec::with_capacity(value.len());
        for byte in value.bytes() {
            if matches!(byte, b'"' | b'\\') {
                escaped.push(b'\\');
            }
            escaped.push(byte);
        }
        self.raw_tag(&Tag { name: name.into(), raw_value: Text(&escaped) })
    }

    /// A tag as it was read: its value still contains the backslashes.
    fn raw_tag(&mut self, tag: &Tag<'_>) -> Result<(), WriteError> {
        self.in_game()?;
        if !Tag::is_name(tag.name.0) {
            return Err(WriteError::TagName);
        }
        if tag.raw_value.0.iter().any(u8::is_ascii_control) {
            return Err(WriteError::TagValue);
        }
        // The reader takes a last backslash for a letter where the line ends. Others do not.
        let backslashes = tag.raw_value.0.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            let escaped = [tag.raw_value.0, b"\\"].concat();
            return self.raw_tag(&Tag { name: tag.name, raw_value: Text(&escaped) });
        }
        let mut text = Vec::with_capacity(tag.name.0.len() + tag.raw_value.0.len() + 6);
        write_tag(&mut text, tag.name.0, tag.raw_value.0)?;
        // The tag ends with its bracket, and the reader examines one byte more than a token may
        // have.
        if text.len() - 1 > MAX_TOKEN + 1 {
            return Err(WriteError::TooLong);
        }
        // A raw value may contain a quotation mark and a bracket, which end a tag.
        let mut reader = Reader::from_bytes(&text);
        let is_start = matches!(reader.next_token(), Ok(Some(Token::GameStart)));
        if !is_start || !matches!(reader.next_token(), Ok(Some(Token::Tag(it))) if it == *tag) {
            return Err(WriteError::TagValue);
        }
        let is_first = || self.tags.iter().all(|(name, _)| name != b"FEN");
        if tag.name == "FEN"
            && is_first()
            && let Ok(position) = Position::from_fen(&tag.value())
        {
            self.number_from(&position);
        }
        self.tags.push((tag.name.0.to_vec(), tag.raw_value.0.to_vec()));
        Ok(())
    }

    /// The first move is one of this position.
    pub(crate) fn number_from(&mut self, position: &Position) {
        let fullmove = u32::from(position.fullmove_number());
        self.number = Number { fullmove, turn: position.turn() };
        self.before = self.number;
    }

    /// A move.
    ///
    /// # Errors
    /// The text is not one word, or would not be read as a move, or no game has begun.
    pub fn mv(&mut self, text: &str) -> Result<(), WriteError> {
        self.move_bytes(text.as_bytes())
    }

    fn move_bytes(&mut self, text: &[u8]) -> Result<(), WriteError> {
        self.in_game()?;
        if text.len() > MAX_TOKEN {
            return Err(WriteError::TooLong);
        }
        let is_move = |text: &[u8], before, mv: &[u8]| {
            let found = Reader::from_bytes(text).nth(before);
            matches!(found, Some(Ok(Token::Move(it))) if it.whole == mv)
        };
        // Digits are a move only within a game, such as after a tag.
        let is_valid = match text {
            [b'0'..=b'9', ..] => is_move(&[b"[A \"\"]\n", text].concat(), 2, text),
            _ => is_move(text, 1, text),
        };
        if !is_valid {
            return Err(WriteError::Move);
        }
        self.valid_move(text)
    }

    /// A move whose text is one that the reader takes for a move.
    pub(crate) fn valid_move(&mut self, text: &[u8]) -> Result<(), WriteError> {
        self.in_game()?;
        let Number { fullmove, turn } = self.number;
        let number = match turn {
            Color::White => format!("{fullmove}."),
            Color::Black if self.needs_number => format!("{fullmove}..."),
            Color::Black => String::new(),
        };
        if !number.is_empty() {
            self.moves.word(number.as_bytes());
        }
        self.moves.word(text);
        self.needs_number = false;
        self.before = self.number;
        self.number = self.number.next();
        Ok(())
    }

    /// A glyph about the last move.
    ///
    /// # Errors
    /// No game has begun.
    pub fn nag(&mut self, nag: Nag) -> Result<(), WriteError> {
        self.in_game()?;
        self.moves.word(nag.to_string().as_bytes());
        Ok(())
    }

    /// A comment. Line breaks in it become spaces.
    ///
    /// # Errors
    /// It contains both a closing brace and a line break: PGN has no notation for such a comment.
    /// Or it is too long, or no game has begun.
    pub fn comment(&mut self, text: &str) -> Result<(), WriteError> {
        self.comment_bytes(text.as_bytes())
    }

    fn comment_bytes(&mut self, text: &[u8]) -> Result<(), WriteError> {
        self.in_game()?;
        let unwrapped = Comment::new(text).unwrapped();
        if text.contains(&b'}') {
            if memchr::memchr2(b'\n', b'\r', text).is_some() {
                return Err(WriteError::Comment);
            }
            let mut word = vec![b';'];
            word.extend_from_slice(text);
            // The semicolon counts, and braces do not.
            if word.len() > MAX_TOKEN {
                return Err(WriteError::TooLong);
            }
            self.moves.word(&word);
            self.moves.break_line();
        } else if unwrapped.len() > MAX_TOKEN {
            return Err(WriteError::TooLong);
        } else {
            self.moves.comment(&unwrapped);
        }
        self.needs_number = true;
        Ok(())
    }

    /// Begins a variation: moves in place of the last move.
    ///
    /// # Errors
    /// Variations are nested too deep to be read, or no game has begun.
    pub fn begin_variation(&mut self) -> Result<(), WriteError> {
        self.in_game()?;
        if self.outer.len() >= MAX_DEPTH as usize {
            return Err(WriteError::TooDeep);
        }
        self.moves.opening.push(b'(');
        self.outer.push((self.number, self.before));
        self.number = self.before;
        self.needs_number = true;
        Ok(())
    }

    /// Ends a variation.
    ///
    /// # Errors
    /// No variation is open.
    pub fn end_variation(&mut self) -> Result<(), WriteError> {
        let Some((number, before)) = self.outer.pop() else { return Err(WriteError::NotOpened) };
        (self.number, self.before) = (number, before);
        self.moves.close();
        self.needs_number = true;
        Ok(())
    }

    fn in_game(&self) -> Result<(), WriteError> {
        if self.is_in_game { Ok(()) } else { Err(WriteError::NotBegun) }
    }

    /// Ends the game, and writes it.
    ///
    /// # Errors
    /// A variation is still open, the game is larger than the reader allows, no game has begun, or the
    /// output cannot be written to. Only in the last case has a part of it been written.
    pub fn end_game(&mut self, result: Termination) -> Result<(), WriteError> {
        self.in_game()?;
        if !self.outer.is_empty() {
            return Err(WriteError::NotClosed);
        }
        self.is_in_game = false;
        if self.layout.sort_tags {
            self.sort_tags(result);
        }
        // Without the tag, `0-0` would be castling.
        let is_castling = result == Termination::BothLose && self.tag_result() != Some(result);
        let marker = if is_castling { "0:0" } else { result.as_str() };
        self.moves.word(marker.as_bytes());
        if self.tags.len() > MAX_TAGS as usize {
            return Err(WriteError::TooManyTags);
        }
        let mut text = Vec::new();
        for (name, value) in &self.tags {
            write_tag(&mut text, name, value)?;
        }
        text.push(b'\n');
        // The game ends with two line feeds.
        if text.len() + self.moves.text.len() + 2 > MAX_GAME {
            return Err(WriteError::GameTooLong);
        }
        self.out.write_all(&text)?;
        self.out.write_all(&self.moves.text)?;
        self.out.write_all(b"\n\n")?;
        Ok(())
    }

    /// The result in the tags.
    fn tag_result(&self) -> Option<Termination> {
        let tag = self.tags.iter().find(|(name, _)| name == b"Result");
        tag.and_then(|(_, value)| Termination::from_bytes(value))
    }

    /// Adds the tags of the roster that are missing, and puts them in front of the others.
    fn sort_tags(&mut self, result: Termination) {
        for (name, unknown) in ROSTER {
            if self.tags.iter().all(|(given, _)| given != name.as_bytes()) {
                let value = if name == "Result" { result.as_str() } else { unknown };
                self.tags.push((name.into(), value.into()));
            }
        }
        let place = |name: &[u8]| ROSTER.iter().position(|it| it.0.as_bytes() == name);
        let key = |name: &[u8]| place(name).unwrap_or(ROSTER.len());
        self.tags.sort_by(|(a, _), (b, _)| key(a).cmp(&key(b)).then_with(|| a.cmp(b)));
    }

    /// Writes a token as it was read. A remark has no place in a written game, so it is left out.
    ///
    /// # Errors
    /// As the other methods. A game with an error is dropped at the next [`Token::GameStart`], or by
    /// [`Writer::drop_game`].
    ///
    /// ```
    /// use tabiya_pgn::{Reader, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// for token in Reader::from_bytes(b"1.e4 e5 2.Nf3!? {a knight} (2.Bc4) 1/2") {
    ///     writer.token(&token?)?;
    /// }
    /// let text = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(text.starts_with("[Event \"?\"]\n"));
    /// assert!(text.ends_with("\n1. e4 e5 2. Nf3 $5 {a knight} (2. Bc4) 1/2-1/2\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn token(&mut self, token: &Token<'_>) -> Result<(), WriteError> {
        match token {
            Token::GameStart => {
                self.begin_game();
                Ok(())
            }
            Token::Tag(tag) => self.raw_tag(tag),
            Token::Move(mv) => self.move_bytes(mv.text().0),
            Token::Comment(comment) => self.comment_bytes(comment.text.0),
            Token::Nag(nag) => self.nag(*nag),
            Token::VariationStart => self.begin_variation(),
            Token::VariationEnd => self.end_variation(),
            Token::Remark(_) => Ok(()),
            Token::Result(result) => {
                self.in_game()?;
                self.result = Some(*result);
                Ok(())
            }
            Token::GameEnd => {
                let result = self.result.or_else(|| self.tag_result());
                self.end_game(result.unwrap_or(Termination::Unknown))
            }
        }
    }

    /// The output.
    ///
    /// # Errors
    /// A game has not ended, see [`Writer::drop_game`], or the output cannot be flushed.
    pub fn finish(mut self) -> Result<W, WriteError> {
        if self.is_in_game {
            return Err(WriteError::NotEnded);
        }
        self.out.flush()?;
        Ok(self.out)
    }

    /// The output, for use between games.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }
}

fn write_tag(out: &mut impl Write, name: &[u8], value: &[u8]) -> io::Result<()> {
    out.write_all(b"[")?;
    out.write_all(name)?;
    out.write_all(b" \"")?;
    out.write_all(value)?;
    out.write_all(b"\"]\n")
}

/// The reason why a game cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The name of a tag contains characters other than ASCII letters, digits and `_ + # = : -`.
    TagName,
    /// The value of a tag contains a control character, such as a line break, or a token's raw
    /// value would not be read back.
    TagValue,
    /// The text of a move would not be read as one move.
    Move,
    /// A comment contains both a closing brace and a line break.
    Comment,
    /// Variations are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A token is longer than [`MAX_TOKEN`].
    TooLong,
    /// The game has more than [`MAX_TAGS`] tags, with those of the roster.
    TooManyTags,
    /// The game is longer than [`MAX_GAME`].
    GameTooLong,
    /// Something is written before a game has begun, or after it has ended.
    NotBegun,
    /// A variation is to be ended, but none is open.
    NotOpened,
    /// The game is to be ended, but a variation is open.
    NotClosed,
    /// The writer is to be finished, but a game has not ended.
    NotEnded,
    /// The output cannot be written to.
    Output(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TagName => {
                "the name of a tag may only contain ASCII letters, digits and _ + # = : -"
            }
            Self::TagValue => {
                "the value of a tag contains a control character, or a quotation mark that ends it"
            }
            Self::Move => "the text is not a single move",
            Self::Comment => "the comment contains both a closing brace and a line break",
            Self::TooDeep => {
                return write!(f, "variations are nested deeper than {MAX_DEPTH}");
            }
            Self::TooLong => return write!(f, "a token is longer than {MAX_TOKEN} bytes"),
            Self::TooManyTags => return write!(f, "the game has more than {MAX_TAGS} tags"),
            Self::GameTooLong => return write!(f, "the game is longer than {MAX_GAME} bytes"),
            Self::NotBegun => "no game has begun",
            Self::NotOpened => "no variation is open",
            Self::NotClosed => "a variation is still open",
            Self::NotEnded => "the last game has not ended",
            Self::Output(error) => return write!(f, "the output cannot be written: {error}"),
        })
    }
}

impl error::Error for WriteError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Output(error) => Some(error),
            _ => None,
        }
    }
}
