//! The parts of a file of games.

use std::borrow::Cow;
use std::fmt;

use crate::comment::Comment;
use crate::lexer::DASHES;
use crate::text::Text;
use crate::{Nag, Termination};

/// A part of a file. All text is borrowed from the input.
///
/// A game is [`GameStart`](Token::GameStart), its tags, the tokens of its moves, and
/// [`GameEnd`](Token::GameEnd). Between games there are only remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Token<'a> {
    /// A game begins.
    GameStart,
    /// A tag, such as `[White "Anand"]`.
    Tag(Tag<'a>),
    /// A move as it is written, without `!` and `?`, which follow as a [`Nag`].
    Move(MoveText<'a>),
    /// A comment.
    Comment(Comment<'a>),
    /// A glyph about the move before it.
    Nag(Nag),
    /// A variation begins: moves in place of the last move.
    VariationStart,
    /// A variation ends.
    VariationEnd,
    /// The result of the game. It may be missing. Comments, glyphs and remarks may follow it.
    Result(Termination),
    /// A word without a meaning.
    Remark(Remark<'a>),
    /// The game ends.
    GameEnd,
}

/// The text of a move, and the number before it.
///
/// ```
/// use tabiya_pgn::{Reader, Token};
///
/// let mut reader = Reader::from_bytes(b"12. Nf3 {text} d5");
/// assert_eq!(reader.next_token()?, Some(Token::GameStart));
/// let Some(Token::Move(mv)) = reader.next_token()? else { panic!() };
/// assert_eq!((mv.number(), mv.text()), (Some(12), "Nf3".into()));
/// # Ok::<(), tabiya_pgn::Error>(())
/// ```
// One slice, so a token with it fits into registers: the number is found when it is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveText<'a>(pub(crate) &'a [u8]);

impl<'a> MoveText<'a> {
    /// A move with the digits, dots and spaces before it.
    pub const fn new(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The move.
    pub fn text(self) -> Text<'a> {
        self.split().1
    }

    /// The number with a dot directly before it. [`Replay`](crate::Replay) compares it with the
    /// position.
    pub fn number(self) -> Option<u32> {
        self.split().0
    }

    /// Is it a number of Black's move, with dots as in `12... Nf6`? The length is that of the text.
    pub(crate) fn is_of_black(self, len: usize) -> bool {
        self.0[..self.0.len() - len].windows(3).any(|dots| dots == b"...")
    }

    /// Both.
    #[inline(always)]
    pub(crate) fn split(self) -> (Option<u32>, Text<'a>) {
        if self.0.first().is_some_and(|&byte| byte >= b'A') {
            return (None, Text(self.0));
        }
        let &[first, second, third, ..] = self.0 else { return self.split_slowly() };
        // `1. e4`, `12. Nf3`, `12... Nf6`.
        let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
        let (number, dot) = match second {
            b'.' => (digit(first), 1),
            _ if third == b'.' && digit(second) < 10 => (10 * digit(first) + digit(second), 2),
            _ => return self.split_slowly(),
        };
        let text = match &self.0[dot + 1..] {
            [b' ', text @ ..] | [b'.', b'.', b' ', text @ ..] => text,
            _ => return self.split_slowly(),
        };
        let is_plain = text.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_plain || number.wrapping_sub(1) > 98 {
            return self.split_slowly();
        }
        (Some(number), Text(text))
    }

    #[cold]
    fn split_slowly(self) -> (Option<u32>, Text<'a>) {
        let (mut number, mut digits, mut run) = (None, 0u32, None);
        for (at, &byte) in self.0.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    let begin = run.unwrap_or(at);
                    digits = if run.is_none() { 0 } else { digits.saturating_mul(10) };
                    digits = digits.saturating_add(u32::from(byte - b'0'));
                    run = Some(begin);
                }
                b'.' => {
                    number = if run.is_some() { Some(digits) } else { number };
                    run = None;
                }
                b' ' | b'\t'..=b'\r' | 0x1a => {
                    number = number.filter(|_| run.is_none());
                    run = None;
                }
                // Castling in zeros begins with a digit.
                _ => {
                    let is_dash = DASHES.iter().any(|it| self.0[at..].starts_with(it.as_bytes()));
                    let is_letter = byte.is_ascii_alphabetic() || (byte >= 0x80 && !is_dash);
                    let begin = if is_letter { at } else { run.unwrap_or(at) };
                    let number = number.filter(|&it| it > 0 && (!is_letter || run.is_none()));
                    return (number, Text(&self.0[begin..]));
                }
            }
        }
        (number.filter(|&it| it > 0), Text(&self.0[run.unwrap_or(0)..]))
    }
}

impl fmt::Debug for MoveText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text(self.0).fmt(f)
    }
}

impl fmt::Display for MoveText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// A word without a meaning: it costs no move, and what it may have meant is not read.
///
/// ```
/// use tabiya_pgn::{Reader, Remark, RemarkKind, Token};
///
/// let remark = Remark { kind: RemarkKind::Bracket, text: "[Diagram]".into() };
/// let mut reader = Reader::from_bytes(b"1. e4 [Diagram] e5 *");
/// assert!(reader.any(|token| token.unwrap() == Token::Remark(remark)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Remark<'a> {
    /// The kind.
    pub kind: RemarkKind,
    /// The word.
    pub text: Text<'a>,
}

/// The kind of a [`Remark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemarkKind {
    /// A word of any kind.
    Word,
    /// A bracket that is no tag, such as `[Diagram]`.
    Bracket,
    /// A closing brace outside of a comment.
    Brace,
    /// A closing parenthesis outside of a variation, or an opening one without a move before it.
    Parenthesis,
    /// A dollar sign without a number up to 255.
    Glyph,
    /// A malformed tag, up to the end of its line.
    Tag,
    /// A result in a variation, or after the first one.
    Result,
    /// A wrong number before a move. Only [`Replay`](crate::Replay) finds it.
    Number,
}

impl RemarkKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Word,
        Self::Bracket,
        Self::Brace,
        Self::Parenthesis,
        Self::Glyph,
        Self::Tag,
        Self::Result,
        Self::Number,
    ];

    /// The name in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Bracket => "bracket",
            Self::Brace => "closing brace",
            Self::Parenthesis => "parenthesis",
            Self::Glyph => "glyph",
            Self::Tag => "malformed tag",
            Self::Result => "second result",
            Self::Number => "move number",
        }
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A tag of a game: a name and a value.
///
/// ```
/// use tabiya_pgn::Tag;
///
/// let tag = Tag { name: b"Event".into(), value: br#"The \"Open\""#.into() };
/// assert_eq!(tag.name, "Event");
/// assert_eq!(tag.value(), "The \"Open\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag<'a> {
    /// The name: ASCII letters, digits and `_`, and other characters that occur in files:
    /// `+ # = : -`.
    pub name: Text<'a>,
    /// The value as it is written, with a backslash before each quotation mark and backslash.
    pub value: Text<'a>,
}

impl<'a> Tag<'a> {
    /// Can a tag have this name?
    pub(crate) fn is_name(name: &[u8]) -> bool {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
        !name.is_empty() && name.iter().all(is_letter)
    }

    /// The value as text, without the backslashes of its notation.
    pub fn value(&self) -> Cow<'a, str> {
        let text = self.value.decode();
        if !text.contains('\\') {
            return text;
        }
        let mut letters = text.chars().peekable();
        let mut plain = String::with_capacity(text.len());
        while let Some(letter) = letters.next() {
            let escaped = letters.next_if(|&next| letter == '\\' && matches!(next, '\\' | '"'));
            plain.push(escaped.unwrap_or(letter));
        }
        Cow::Owned(plain)
    }

    /// The value with a space for each control character. PGN forbids them, so a game that is
    /// written has none, and must mean the same before.
    ///
    /// ```
    /// use tabiya_pgn::Tag;
    ///
    /// let tag = Tag { name: b"Site".into(), value: b"Wijk\taan Zee".into() };
    /// assert_eq!(tag.printable_value(), "Wijk aan Zee");
    /// ```
    pub fn printable_value(&self) -> Cow<'a, str> {
        let value = self.value();
        if !value.bytes().any(|byte| byte.is_ascii_control()) {
            return value;
        }
        let space = |letter: char| if letter.is_ascii_control() { ' ' } else { letter };
        Cow::Owned(value.chars().map(space).collect())
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Text<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self(bytes)
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}
