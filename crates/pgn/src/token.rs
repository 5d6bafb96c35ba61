//! The parts of a file of games.

use std::borrow::Cow;
use std::fmt;

use crate::comment::Comment;
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
    Move(NumberedMove<'a>),
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
// The number is read when it is wanted. As a field it would make tokens too large for registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberedMove<'a> {
    /// The move with the digits, dots and spaces before it.
    pub(crate) whole: &'a [u8],
    /// The number of bytes before the move.
    pub(crate) at: u8,
}

impl<'a> NumberedMove<'a> {
    /// A move, perhaps with its number: `Nf3`, `12. Nf3`, `12... Nf6`.
    pub fn new(whole: &'a [u8]) -> Self {
        let is_number = |&byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b' ');
        let begin = whole.iter().take_while(|&byte| is_number(byte)).count();
        // Castling in zeros begins with a digit.
        let is_letter = whole.get(begin).is_some_and(u8::is_ascii_alphabetic);
        let digits = whole[..begin].iter().rev().take_while(|byte| byte.is_ascii_digit());
        let begin = if is_letter { begin } else { begin - digits.count() };
        Self { whole, at: u8::try_from(begin).unwrap_or(0) }
    }

    /// The move.
    #[inline(always)]
    pub fn text(self) -> Text<'a> {
        Text(&self.whole[usize::from(self.at)..])
    }

    /// The number with a dot directly before it. [`Replay`](crate::Replay) compares it with the
    /// position.
    #[inline(always)]
    pub fn number(self) -> Option<u32> {
        let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
        let number = match *self.before() {
            [] => return None,
            [ones, b'.', b' '] | [ones, b'.', b'.', b'.', b' '] => digit(ones),
            [tens, ones, b'.', b' '] | [tens, ones, b'.', b'.', b'.', b' ']
                if digit(ones) < 10 && tens != b'0' =>
            {
                10 * digit(tens) + digit(ones)
            }
            _ => return self.any_number(),
        };
        if number.wrapping_sub(1) < 99 { Some(number) } else { self.any_number() }
    }

    /// Is it a number of Black's move, with dots as in `12... Nf6`?
    #[inline(always)]
    pub(crate) fn is_of_black(self) -> bool {
        self.at > 4 && self.before().windows(3).any(|dots| dots == b"...")
    }

    #[inline(always)]
    fn before(&self) -> &'a [u8] {
        &self.whole[..usize::from(self.at)]
    }

    #[cold]
    fn any_number(self) -> Option<u32> {
        let (mut number, mut digits) = (None, None);
        for &byte in self.before() {
            match byte {
                b'0'..=b'9' => {
                    let before = digits.unwrap_or(0u32).saturating_mul(10);
                    digits = Some(before.saturating_add(u32::from(byte - b'0')));
                }
                b'.' => number = digits.take().or(number),
                _ => number = number.filter(|_| digits.take().is_none()),
            }
        }
        // Digits without a dot are no number.
        number.filter(|&number| number > 0 && digits.is_none())
    }
}

impl fmt::Debug for NumberedMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text(self.whole).fmt(f)
    }
}

impl fmt::Display for NumberedMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// A word that changes nothing: it means nothing, or its meaning isn't taken, as that of a second
/// result or of a wrong move number. It costs no move.
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
/// let tag = Tag { name: b"Event".into(), raw_value: br#"The \"Open\""#.into() };
/// assert_eq!(tag.name, "Event");
/// assert_eq!(tag.value(), "The \"Open\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag<'a> {
    /// The name: ASCII letters, digits and `_`, and other characters that occur in files:
    /// `+ # = : -`.
    pub name: Text<'a>,
    /// The value as it is written, with a backslash before each quotation mark and backslash.
    pub raw_value: Text<'a>,
}

impl<'a> Tag<'a> {
    /// Can a tag have this name?
    pub(crate) fn is_name(name: &[u8]) -> bool {
        !name.is_empty() && name.iter().all(|&byte| Self::is_in_name(byte))
    }

    /// Can the name of a tag have this byte?
    #[inline(always)]
    pub(crate) const fn is_in_name(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
    }

    /// The value as text, without the backslashes of its notation.
    pub fn value(&self) -> Cow<'a, str> {
        let text = self.raw_value.decode();
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
    /// let tag = Tag { name: b"Site".into(), raw_value: b"Wijk\taan Zee".into() };
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
