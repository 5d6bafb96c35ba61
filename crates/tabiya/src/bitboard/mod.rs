//! A set of squares in 64 bits.

mod diagram;
mod iter;

pub use diagram::DiagramError;
pub use iter::{Squares, Subsets};

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::direction::Direction;
use crate::square::{File, Rank, Square};

/// A set of squares: bit 0 is a1, bit 63 is h8.
///
/// Sets have the usual operators (`&`, `|`, `^`, `!`, `-` for difference). They shift by a
/// [`Direction`] without wrapping around an edge, and iterate from a1 to h8.
///
/// ```
/// use tabiya::{bitboard, Direction, Square};
/// let knights = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . X . . . . X .
/// };
/// assert!(knights.has(Square::B1));
/// assert_eq!(knights.len(), 2);
/// assert!(knights.iter().eq([Square::B1, Square::G1]));
/// assert_eq!(knights.shift(Direction::South), tabiya::Bitboard::EMPTY);
/// ```
#[doc(alias("BitBoard", "set of squares", "SquareSet"))]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The light squares, such as h1.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The dark squares, such as a1.
    pub const DARK: Self = Self(!Self::LIGHT.0);

    /// Is the set empty?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is the set not empty?
    #[doc(alias = "is_not_empty")]
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares in the set.
    #[doc(alias("popcount", "popcnt", "count", "count_ones"))]
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Does the set have at least two squares?
    #[doc(alias = "more_than_one")]
    #[inline(always)]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Is `square` in the set?
    #[doc(alias("contains", "get", "test"))]
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Do the sets have a square in common?
    #[doc(alias("intersects", "overlaps", "is_disjoint"))]
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Is every square of this set in `other`?
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with one more square.
    #[doc(alias("insert", "set", "add"))]
    #[inline(always)]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set without one square.
    #[doc(alias("remove", "clear", "discard"))]
    #[inline(always)]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// The union, for constants; elsewhere write `a | b`.
    #[inline(always)]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The square with the smallest number.
    #[doc(alias("lsb", "bsf", "trailing_zeros", "next_square", "to_square"))]
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.first_unchecked()) }
    }

    /// The square with the largest number.
    #[doc(alias("msb", "bsr", "leading_zeros"))]
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros() as u8))
        }
    }

    /// The square with the smallest number; a1 for the empty set.
    #[inline(always)]
    pub(crate) const fn first_unchecked(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros() as u8)
    }

    /// Removes and returns the square with the smallest number.
    #[doc(alias("pop_lsb", "pop"))]
    #[inline(always)]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    /// All squares moved one step. Squares that would leave the board are dropped.
    ///
    /// ```
    /// use tabiya::{Direction, File, Rank};
    /// assert_eq!(
    ///     Rank::Second.bitboard().shift(Direction::North),
    ///     Rank::Third.bitboard(),
    /// );
    /// assert!(File::H.bitboard().shift(Direction::NorthEast).is_empty());
    /// ```
    #[inline(always)]
    pub const fn shift(self, direction: Direction) -> Self {
        let kept = self.0
            & match direction.files() {
                1 => !File::H.bitboard().0,
                -1 => !File::A.bitboard().0,
                _ => !0,
            };
        let offset = direction.offset();
        Self(if offset > 0 { kept << offset } else { kept >> -offset })
    }

    /// The set with the ranks mirrored: ranks 1 and 8 are exchanged, and so on.
    #[doc(alias = "flip_vertical")]
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// The set with the files mirrored: files a and h are exchanged, and so on.
    #[doc(alias = "flip_horizontal")]
    #[inline]
    pub const fn flip_files(self) -> Self {
        Self(self.0.swap_bytes().reverse_bits())
    }

    /// The bits of this set under a mask, gathered into the low bits. BMI2's `pext` does the same;
    /// this works on every machine and in constants.
    ///
    /// ```
    /// use tabiya::{Bitboard, Square};
    /// let mask = Square::A1.bitboard() | Square::C3.bitboard() | Square::H8.bitboard();
    /// let set = Square::A1.bitboard() | Square::B2.bitboard() | Square::H8.bitboard();
    /// assert_eq!(set.gather(mask), 0b101);
    /// assert_eq!(Bitboard::scatter(0b101, mask), set & mask);
    /// ```
    #[doc(alias("pext", "compress"))]
    pub const fn gather(self, mask: Self) -> u64 {
        let (mut rest, mut place, mut bits) = (mask.0, 0, 0);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            if self.0 & lowest != 0 {
                bits |= 1 << place;
            }
            place += 1;
            rest ^= lowest;
        }
        bits
    }

    /// The low bits, spread over the squares of a mask, as BMI2's `pdep` does: the inverse of
    /// [`gather`](Self::gather).
    #[doc(alias("pdep", "expand"))]
    pub const fn scatter(bits: u64, mask: Self) -> Self {
        let (mut rest, mut place, mut set) = (mask.0, 0, 0);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            if bits >> place & 1 != 0 {
                set |= lowest;
            }
            place += 1;
            rest ^= lowest;
        }
        Self(set)
    }

    /// The squares from a1 to h8; the iterator also runs backwards.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }

    /// All subsets of this set, from the empty set to the whole set.
    ///
    /// They come in ascending order of their bits, which is also the order of their PEXT indices.
    ///
    /// ```
    /// use tabiya::{Bitboard, Square};
    /// let set = Square::A1.bitboard() | Square::C1.bitboard();
    /// let subsets: Vec<u64> = set.subsets().map(|subset| subset.0).collect();
    /// assert_eq!(subsets, [0, 1, 4, 5]);
    /// ```
    #[doc(alias("carry rippler", "iter_subsets"))]
    pub const fn subsets(self) -> Subsets {
        Subsets { set: self, next: Some(Self::EMPTY) }
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x}) ", self.0)?;
        f.debug_set().entries(self.iter().map(Name)).finish()
    }
}

/// A square whose `Debug` output is its name.
struct Name(Square);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        file.bitboard()
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        rank.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= Self::from_iter(squares);
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

macro_rules! set_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $meaning:expr;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let meaning: fn(u64, u64) -> u64 = $meaning;
                Self(meaning(self.0, other.0))
            }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
