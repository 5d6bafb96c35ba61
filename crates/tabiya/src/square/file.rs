//! Files, the columns of the board.

use core::fmt;

use crate::bitboard::Bitboard;

/// A file, one of the columns `a` to `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All eight files, from `a` to `h`.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// The letter `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter, in upper or lower case.
    ///
    /// ```
    /// assert_eq!(tabiya::File::from_letter('C'), Some(tabiya::File::C));
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_lowercase();
        if letter >= 'a' && letter <= 'h' {
            Some(Self::ALL[letter as usize - 'a' as usize])
        } else {
            None
        }
    }

    /// The squares of this file.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
