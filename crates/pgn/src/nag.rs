//! Glyphs: judgements about moves and positions, as numbers and as signs.

use std::fmt;

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
    pub fn sign(self) -> Option<&'static str> {
        // Black's glyphs have the signs of White's.
        let number = match self.0 {
            1..=6 => return self.suffix(),
            23 | 33 | 37 | 41 | 45 | 133 | 139 => self.0 - 1,
            number => number,
        };
        SIGNS.iter().find(|(_, it)| *it == number).map(|(sign, _)| *sign)
    }

    /// The glyph at the start of a text, and the length of its sign. Signs of ASCII characters
    /// alone must be a whole word.
    pub(crate) fn at_start(
        text: &[u8],
        ends_word: impl Fn(usize) -> bool,
    ) -> Option<(Self, usize)> {
        let begins = |(sign, _): &&(&str, u8)| {
            text.starts_with(sign.as_bytes()) && (!sign.is_ascii() || ends_word(sign.len()))
        };
        SIGNS.iter().find(begins).map(|&(sign, number)| (Self(number), sign.len()))
    }

    /// The length of the sign at the end of a word that is a move and a sign, such as `e4+-`.
    pub(crate) fn sign_at_end(word: &[u8]) -> Option<usize> {
        if word.last().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let is_move = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#');
        let lens = (1..=3.min(word.len())).rev();
        lens.into_iter().find(|&len| {
            let (mv, sign) = word.split_at(word.len() - len);
            mv.last().is_some_and(is_move) && SIGNS.iter().any(|(it, _)| it.as_bytes() == sign)
        })
    }
}

/// The signs of glyphs. The first sign of a glyph is the one that [`Nag::sign`] gives; of two that
/// begin alike, the longer comes first.
const SIGNS: [(&str, u8); 42] = [
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("=∞", 44),
    ("=/+", 15),
    ("=+", 15),
    ("=", 10),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("+/=", 14),
    ("+=", 14),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+−", 18),
    ("+-", 18),
    ("−+", 19),
    ("-+", 19),
    ("⨀", 22),
    ("⊙", 22),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
    ("∆", 140),
    ("△", 140),
    ("Δ", 140),
    ("⌓", 142),
    ("RR", 145),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
];

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
