//! The eight compass directions of the board.

use core::ops::Neg;

/// A step to a neighbouring square, as seen from White's side of the board.
///
/// ```
/// use tabiya::{Direction, Square};
/// assert_eq!(Square::D4.step(Direction::NorthEast), Some(Square::E5));
/// assert_eq!(Square::H4.step(Direction::East), None);
/// assert_eq!(-Direction::NorthEast, Direction::SouthWest);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards the eighth rank.
    North,
    /// Towards h8.
    NorthEast,
    /// Towards the h-file.
    East,
    /// Towards h1.
    SouthEast,
    /// Towards the first rank.
    South,
    /// Towards a1.
    SouthWest,
    /// Towards the a-file.
    West,
    /// Towards a8.
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from [`Direction::North`].
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The directions of the rook.
    pub const ORTHOGONAL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The directions of the bishop.
    pub const DIAGONAL: [Self; 4] =
        [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    /// Files to the east (+1), none (0) or to the west (-1).
    pub const fn files(self) -> i8 {
        match self {
            Self::NorthEast | Self::East | Self::SouthEast => 1,
            Self::North | Self::South => 0,
            Self::NorthWest | Self::West | Self::SouthWest => -1,
        }
    }

    /// Ranks up (+1), none (0) or down (-1).
    pub const fn ranks(self) -> i8 {
        match self {
            Self::NorthWest | Self::North | Self::NorthEast => 1,
            Self::East | Self::West => 0,
            Self::SouthWest | Self::South | Self::SouthEast => -1,
        }
    }

    /// The difference of square numbers: +8 to the north, +1 to the east.
    ///
    /// ```
    /// use tabiya::Direction;
    /// assert_eq!(Direction::SouthWest.offset(), -9);
    /// ```
    pub const fn offset(self) -> i8 {
        8 * self.ranks() + self.files()
    }

    /// The difference of square numbers if a8 is 0, see
    /// [`Square::a8_index`](crate::Square::a8_index): -8 to the north, +1 to the east.
    ///
    /// ```
    /// use tabiya::Direction::{East, North, South, SouthEast, West};
    /// assert_eq!([North, East, South, West].map(|direction| direction.a8_offset()), [-8, 1, 8, -1]);
    /// assert_eq!(SouthEast.a8_offset(), South.a8_offset() + East.a8_offset());
    /// ```
    pub const fn a8_offset(self) -> i8 {
        self.files() - 8 * self.ranks()
    }

    /// Do square numbers rise in this direction?
    pub const fn is_rising(self) -> bool {
        self.offset() > 0
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }
}

impl Neg for Direction {
    type Output = Self;

    fn neg(self) -> Self {
        self.opposite()
    }
}
