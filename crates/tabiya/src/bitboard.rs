//! A set of squares in 64 bits.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};
use core::str::FromStr;

use crate::direction::Direction;
use crate::square::{File, Rank, Square};

/// A set of squares: bit 0 is a1, bit 63 is h8.
///
/// Sets have the usual algebra (`&`, `|`, `^`, `!`, `-` for difference), shift by a
/// [`Direction`] without wrapping around the edge, and iterate from a1 to h8.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The squares on the rim of the board.
    pub const EDGES: Self = Self(0xff81_8181_8181_81ff);
    /// The light squares, h1 among them.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The dark squares, a1 among them.
    pub const DARK: Self = Self(!Self::LIGHT.0);

    /// Reads a drawing of 64 marks, a8 first and h1 last: `.` for a square that is not in the
    /// set and `X` for one that is. White space does not count.
    ///
    /// The macro [`bitboard!`](crate::bitboard!) does the same at compile time.
    ///
    /// # Errors
    /// [`DiagramError`] if another mark stands there or there are not exactly 64.
    pub const fn from_diagram(text: &str) -> Result<Self, DiagramError> {
        let bytes = text.as_bytes();
        let (mut bits, mut squares, mut at) = (0u64, 0usize, 0);
        while at < bytes.len() {
            let mark = bytes[at];
            if mark == b'.' || mark == b'X' {
                if squares < 64 && mark == b'X' {
                    bits |= 1 << (squares ^ 56);
                }
                squares += 1;
            } else if !mark.is_ascii_whitespace() {
                return Err(DiagramError::Mark { offset: at });
            }
            at += 1;
        }
        if squares == 64 { Ok(Self(bits)) } else { Err(DiagramError::Squares { found: squares }) }
    }

    /// Is no square in the set?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is any square in the set?
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Are there two squares or more?
    #[inline(always)]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Is `square` in the set?
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Do the sets have a square in common?
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Is every square of this set in `other`?
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set and one more square.
    #[inline(always)]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set less one square.
    #[inline(always)]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// Union, for constants; elsewhere write `a | b`.
    #[inline(always)]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The square with the smallest number.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.first_unchecked()) }
    }

    /// The square with the largest number.
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
    #[inline(always)]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    /// Every square moved one step; squares that would leave the board are dropped.
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

    /// The set seen from the other side of the board: ranks 1 and 8 change places.
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// The set in a mirror: files a and h change places.
    #[inline]
    pub const fn flip_files(self) -> Self {
        Self(self.0.swap_bytes().reverse_bits())
    }

    /// The squares from a1 to h8; the iterator also runs backwards.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }

    /// Every subset of this set, the empty one first and the whole one last.
    ///
    /// The subsets come in the order of their numbers, which is also the order in which PEXT
    /// numbers them.
    ///
    /// ```
    /// use tabiya::{Bitboard, Square};
    /// let set = Square::A1.bitboard() | Square::C1.bitboard();
    /// let subsets: Vec<u64> = set.subsets().map(|subset| subset.0).collect();
    /// assert_eq!(subsets, [0, 1, 4, 5]);
    /// ```
    pub const fn subsets(self) -> Subsets {
        Subsets { set: self, next: Some(Self::EMPTY) }
    }
}

/// A drawing of a set at compile time: 64 marks, a8 first, `.` for no and `X` for yes.
///
/// ```
/// use tabiya::{bitboard, Rank};
/// assert_eq!(Rank::Seventh.bitboard(), bitboard! {
///     . . . . . . . .
///     X X X X X X X X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($mark:tt)*) => {
        const {
            match $crate::Bitboard::from_diagram(stringify!($($mark)*)) {
                Ok(set) => set,
                Err(_) => panic!("a diagram has 64 marks, each `.` or `X`"),
            }
        }
    };
}

/// A text does not draw a set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// The text has something else than `.`, `X` and white space.
    Mark {
        /// Where, in bytes.
        offset: usize,
    },
    /// The drawing does not have 64 squares.
    Squares {
        /// How many it has.
        found: usize,
    },
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark { offset } => write!(f, "byte {offset} is neither `.` nor `X`"),
            Self::Squares { found } => write!(f, "the drawing has {found} squares, not 64"),
        }
    }
}

impl core::error::Error for DiagramError {}

impl FromStr for Bitboard {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Self, DiagramError> {
        Self::from_diagram(text)
    }
}

/// Draws the set as [`Bitboard::from_diagram`] reads it.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.has(Square::new(file, rank)) { 'X' } else { '.' };
                write!(f, "{mark}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x}) ", self.0)?;
        f.debug_set().entries(self.iter().map(Name)).finish()
    }
}

/// A square that debugs as its name.
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

/// The squares of a set, see [`Bitboard::iter`].
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = self.0.last()?;
        self.0 = self.0.without(square);
        Some(square)
    }
}

impl ExactSizeIterator for Squares {}
impl core::iter::FusedIterator for Squares {}

/// The subsets of a set, see [`Bitboard::subsets`].
#[derive(Clone, Debug)]
pub struct Subsets {
    set: Bitboard,
    next: Option<Bitboard>,
}

impl Iterator for Subsets {
    type Item = Bitboard;

    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        // Subtracting the set adds one to the number that the subset's bits spell
        // (the "carry rippler").
        let after = subset.0.wrapping_sub(self.set.0) & self.set.0;
        self.next = (after != 0).then_some(Bitboard(after));
        Some(subset)
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
