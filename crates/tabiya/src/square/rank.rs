//! Ranks, the rows of the board.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;

/// A rank, one of the rows from the first (White's side) to the eighth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All eight ranks, from the first to the eighth.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// The digit `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit.
    ///
    /// ```
    /// assert_eq!(tabiya::Rank::from_digit('8'), Some(tabiya::Rank::Eighth));
    /// ```
    pub const fn from_digit(digit: char) -> Option<Self> {
        if digit >= '1' && digit <= '8' {
            Some(Self::ALL[digit as usize - '1' as usize])
        } else {
            None
        }
    }

    /// The squares of this rank.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u8))
    }

    /// The rank counted from the given colour's side: White's fourth is Black's fifth.
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}
