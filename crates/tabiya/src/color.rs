//! White and Black, as a value ([`Color`]) and as a type ([`Side`]).

use core::fmt;
use core::ops::Not;

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Rank;

/// White or Black.
///
/// ```
/// use tabiya::Color;
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::from_fen('b'), Some(Color::Black));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The letter that FEN uses: `w` or `b`.
    pub const fn fen(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The colour of a FEN letter.
    pub const fn from_fen(letter: char) -> Option<Self> {
        match letter {
            'w' => Some(Self::White),
            'b' => Some(Self::Black),
            _ => None,
        }
    }

    /// The rank of this colour's king and rooks at the start.
    pub const fn back_rank(self) -> Rank {
        match self {
            Self::White => Rank::First,
            Self::Black => Rank::Eighth,
        }
    }

    /// The rank from which this colour's pawns may advance two squares.
    pub const fn pawn_rank(self) -> Rank {
        match self {
            Self::White => Rank::Second,
            Self::Black => Rank::Seventh,
        }
    }

    /// The English name in lower case.
    ///
    /// ```
    /// assert_eq!(tabiya::Color::White.name(), "white");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The rank that this colour's pawns cross with a double push: the rank of the en-passant
    /// squares on which the *opponent* captures.
    pub const fn double_push_rank(self) -> Rank {
        match self {
            Self::White => Rank::Third,
            Self::Black => Rank::Sixth,
        }
    }

    /// The direction in which this colour's pawns advance.
    pub const fn forward(self) -> Direction {
        match self {
            Self::White => Direction::North,
            Self::Black => Direction::South,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// White or Black as a type: the generator is compiled once for each, without branches on colour.
///
/// Every difference between the two sides is a constant of this trait.
pub(crate) trait Side: Copy + 'static {
    /// The opponent.
    type Them: Side<Them = Self>;
    /// The same side as a value.
    const COLOR: Color;
    /// The direction in which pawns advance.
    const FORWARD: Direction = Self::COLOR.forward();
    /// The direction of pawn captures towards the h-file.
    const FORWARD_EAST: Direction;
    /// The direction of pawn captures towards the a-file.
    const FORWARD_WEST: Direction;
    /// The rank that pawns cross with a double push.
    const THIRD_RANK: Rank = Self::COLOR.double_push_rank();
    /// The ranks that double pushes cross. Pawns on their own first rank, which only a setup has,
    /// may advance by two squares as well.
    const CROSSED_RANKS: Bitboard =
        Self::THIRD_RANK.bitboard().union(Self::COLOR.pawn_rank().bitboard());
    /// The rank on which pawns promote.
    const LAST_RANK: Rank = <Self::Them as Side>::COLOR.back_rank();
    /// The rank of the king and the castling rooks.
    const BACK_RANK: Rank = Self::COLOR.back_rank();
}

/// White as a type.
#[derive(Clone, Copy)]
pub(crate) struct White;

/// Black as a type.
#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
    const FORWARD_EAST: Direction = Direction::NorthEast;
    const FORWARD_WEST: Direction = Direction::NorthWest;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
    const FORWARD_EAST: Direction = Direction::SouthEast;
    const FORWARD_WEST: Direction = Direction::SouthWest;
}
