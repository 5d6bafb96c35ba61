//! Squares and their coordinates: [`Square`], [`File`] and [`Rank`].

mod file;
mod rank;

pub use file::File;
pub use rank::Rank;

use core::fmt;
use core::str::FromStr;

use crate::bitboard::Bitboard;
use crate::direction::Direction;

/// A square of the board; a1 is 0, b1 is 1, h8 is 63.
///
/// ```
/// use tabiya::{File, Rank, Square};
/// assert_eq!(Square::E4 as u8, 28);
/// assert_eq!(Square::new(File::E, Rank::Fourth), Square::E4);
/// assert_eq!("e4".parse(), Ok(Square::E4));
/// assert_eq!(Square::E4.to_string(), "e4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All 64 squares, from a1 to h8.
    pub const ALL: [Self; 64] = {
        let mut all = [Self::A1; 64];
        let mut index = 0;
        while index < 64 {
            all[index] = Self::from_low_bits(index as u8);
            index += 1;
        }
        all
    };

    /// The square on a file and a rank.
    #[doc(alias("from_coords", "make_square"))]
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::ALL[8 * rank as usize + file as usize]
    }

    /// The square with a number from 0 (a1) to 63 (h8).
    ///
    /// ```
    /// use tabiya::Square;
    /// assert_eq!(Square::from_index(28), Some(Square::E4));
    /// assert_eq!(Square::from_index(64), None);
    /// ```
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 {
            // A table of all squares would be a load on the way to every attack that is looked up.
            // SAFETY: the squares are the numbers below 64, in one byte.
            Some(unsafe { core::mem::transmute::<u8, Self>(index) })
        } else {
            None
        }
    }

    /// The number of the square if a8 is 0, h8 is 7, a7 is 8 and h1 is 63: the order in which a
    /// diagram is read and FEN writes the board.
    ///
    /// Many programs and articles number the squares like this. The files have the same order in
    /// both numberings and the ranks are reversed: `a8_index() == index ^ 56`.
    /// [`Direction::a8_offset`] belongs to this numbering, and [`Bitboard::flip_ranks`] converts a
    /// set from one numbering to the other.
    ///
    /// ```
    /// use tabiya::{Direction, Square};
    /// assert_eq!((Square::A8.a8_index(), Square::D5.a8_index(), Square::H1.a8_index()), (0, 27, 63));
    /// // A knight's jump: one rank up and two files to the right.
    /// let jump = Direction::North.a8_offset() + 2 * Direction::East.a8_offset();
    /// let target = Square::from_a8_index(Square::D5.a8_index().wrapping_add_signed(jump));
    /// assert_eq!(target, Some(Square::F6));
    /// ```
    #[inline]
    pub const fn a8_index(self) -> u8 {
        self as u8 ^ 56
    }

    /// The square with a number from 0 (a8) to 63 (h1), see [`a8_index`](Self::a8_index).
    ///
    /// ```
    /// use tabiya::Square;
    /// assert_eq!(Square::from_a8_index(57), Some(Square::B1));
    /// assert_eq!(Square::from_a8_index(64), None);
    /// ```
    #[inline]
    pub const fn from_a8_index(index: u8) -> Option<Self> {
        if index < 64 { Some(Self::ALL[index as usize ^ 56]) } else { None }
    }

    /// The square with the number in the low six bits of `bits`.
    #[inline(always)]
    pub(crate) const fn from_low_bits(bits: u8) -> Self {
        // The discriminants count up from 0.
        const { assert!(Self::A1 as u8 == 0 && Self::H8 as u8 == 63) };
        // SAFETY: six bits are less than 64, and the enum has every discriminant from 0 to 63.
        unsafe { core::mem::transmute::<u8, Self>(bits & 63) }
    }

    /// The file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// The rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// The set that contains only this square.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The neighbour in a direction, unless it is off the board.
    pub const fn step(self, direction: Direction) -> Option<Self> {
        self.offset(direction.files(), direction.ranks())
    }

    /// The square the given number of files to the east and ranks to the north, unless it is off
    /// the board.
    ///
    /// ```
    /// use tabiya::Square;
    /// assert_eq!(Square::G1.offset(-1, 2), Some(Square::F3));
    /// assert_eq!(Square::G1.offset(2, 1), None);
    /// assert_eq!(Square::H8.offset(127, -128), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as i16 & 7) + files as i16;
        let rank = (self as i16 >> 3) + ranks as i16;
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Self::ALL[(8 * rank + file) as usize])
        } else {
            None
        }
    }

    /// The square with the ranks mirrored: e2 for e7.
    #[doc(alias("flip_vertical", "flip_rank"))]
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self::from_low_bits(self as u8 ^ 56)
    }

    /// The square with the files mirrored: d1 for e1.
    #[doc(alias = "flip_horizontal")]
    #[inline]
    pub const fn flip_files(self) -> Self {
        Self::from_low_bits(self as u8 ^ 7)
    }

    /// Is the square light, as h1 is?
    pub const fn is_light(self) -> bool {
        (self as u8 ^ (self as u8 >> 3)) & 1 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// The error for a string that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareError;

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter a to h and a digit 1 to 8")
    }
}

impl core::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut letters = text.chars();
        let square = (|| {
            // FEN and UCI write files in lower case.
            let file =
                letters.next().filter(char::is_ascii_lowercase).and_then(File::from_letter)?;
            Some(Self::new(file, Rank::from_digit(letters.next()?)?))
        })();
        match (square, letters.next()) {
            (Some(square), None) => Ok(square),
            _ => Err(SquareError),
        }
    }
}
