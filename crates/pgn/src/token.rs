//! The parts of a file of games.

use std::borrow::Cow;
use std::fmt;

use tabiya::GameResult;

use crate::comment::Comment;
use crate::text::Text;

/// A part of a file. All text is borrowed from the input.
///
/// A game is [`GameStart`](Token::GameStart), its tags, the tokens of its moves, and
/// [`GameEnd`](Token::GameEnd). A broken game ends with an error instead. Move numbers are not
/// tokens: they add nothing to the moves, and in many files they are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Token<'a> {
    /// A game begins.
    GameStart,
    /// A tag, such as `[White "Anand"]`.
    Tag(Tag<'a>),
    /// A move as it is written, without `!` and `?`, which follow as a [`Nag`].
    Move(Text<'a>),
    /// A comment.
    Comment(Comment<'a>),
    /// A glyph about the move before it.
    Nag(Nag),
    /// A variation begins: moves in place of the last move.
    VariationStart,
    /// A variation ends.
    VariationEnd,
    /// The result of the game. It may be missing. Comments and glyphs may follow it, and behind an
    /// asterisk the result itself.
    Result(Termination),
    /// The game ends.
    GameEnd,
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

/// A numeric annotation glyph: a judgement about a move or a position, as a number.
///
/// ```
/// use tabiya_pgn::Nag;
///
/// assert_eq!(Nag::BLUNDER.to_string(), "$4");
/// assert_eq!(Nag::BLUNDER.suffix(), Some("??"));
/// assert_eq!(Nag(18).suffix(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const SPECULATIVE: Self = Self(5);
    /// `?!`
    pub const DUBIOUS: Self = Self(6);

    /// The sign that stands for it after a move, such as `??`.
    pub const fn suffix(self) -> Option<&'static str> {
        Some(match self {
            Self::GOOD => "!",
            Self::MISTAKE => "?",
            Self::BRILLIANT => "!!",
            Self::BLUNDER => "??",
            Self::SPECULATIVE => "!?",
            Self::DUBIOUS => "?!",
            _ => return None,
        })
    }

    /// The sign that books print for it: a suffix such as `??`, or a sign such as `±`.
    ///
    /// ```
    /// use tabiya_pgn::Nag;
    ///
    /// assert_eq!((Nag(4).sign(), Nag(16).sign(), Nag(146).sign()), (Some("??"), Some("±"), Some("N")));
    /// assert_eq!(Nag(200).sign(), None);
    /// ```
    pub const fn sign(self) -> Option<&'static str> {
        Some(match self.0 {
            1..=6 => return self.suffix(),
            7 => "□",
            10 => "=",
            13 => "∞",
            14 => "⩲",
            15 => "⩱",
            16 => "±",
            17 => "∓",
            18 => "+−",
            19 => "−+",
            22 | 23 => "⨀",
            32 | 33 => "⟳",
            36 | 37 => "↑",
            40 | 41 => "→",
            44 | 45 => "=∞",
            132 | 133 => "⇆",
            138 | 139 => "⊕",
            140 => "∆",
            142 => "⌓",
            146 => "N",
            _ => return None,
        })
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// The end of a game according to the file: a result, or `*`.
///
/// ```
/// use tabiya_pgn::Termination;
///
/// assert_eq!(Termination::from_bytes(b"1/2-1/2"), Some(Termination::Draw));
/// assert_eq!(Termination::BlackWins.to_string(), "0-1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Termination {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, or the result is not known.
    Unknown,
}

impl Termination {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The notation in PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result. `None` for `*`.
    pub const fn result(self) -> Option<GameResult> {
        match self {
            Self::WhiteWins => Some(GameResult::WhiteWins),
            Self::BlackWins => Some(GameResult::BlackWins),
            Self::Draw => Some(GameResult::Draw),
            Self::Unknown => None,
        }
    }

    /// The result of a game with this marker after the moves and this tag `Result`.
    ///
    /// The marker counts. The tag counts only if the marker is missing or `*`.
    ///
    /// ```
    /// use tabiya_pgn::Termination::{self, Draw, Unknown, WhiteWins};
    ///
    /// assert_eq!(Termination::of_game(Some(Draw), Some(WhiteWins)), Draw);
    /// assert_eq!(Termination::of_game(Some(Unknown), Some(WhiteWins)), WhiteWins);
    /// assert_eq!(Termination::of_game(None, None), Unknown);
    /// ```
    pub fn of_game(marker: Option<Self>, tag: Option<Self>) -> Self {
        marker.filter(|&it| it != Self::Unknown).or(tag).unwrap_or(Self::Unknown)
    }

    /// Reads a result. A draw may be `1/2-1/2`, `1/2` or `½-½`.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"1-0" => Self::WhiteWins,
            b"0-1" => Self::BlackWins,
            b"1/2-1/2" | b"1/2" | b"\xc2\xbd-\xc2\xbd" | b"\xbd-\xbd" => Self::Draw,
            b"*" => Self::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
