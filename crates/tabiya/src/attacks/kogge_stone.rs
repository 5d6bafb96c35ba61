//! Kogge-Stone fills: a whole set of sliders at once, in three doublings for each direction.
//!
//! A slider moves one step if the next square is empty. Seven single steps would fill its path;
//! doubling does it in three rounds. After the first round the fill is two squares long, and
//! `empty` is reduced to the squares whose predecessor is empty too, so that the second round
//! can jump by two, and the third by four:
//!
//! ```text
//!   round   jump   length of the fill   a square in `empty` stands for
//!     1       1            2                  1 square
//!     2       2            4                  2 squares
//!     3       4            8                  4 squares
//! ```
//!
//! It is the carry chain of a Kogge-Stone adder: a slider generates a carry, and an empty square
//! propagates one. The fill contains the sliders and the empty squares that they reach; the attacks
//! are the fill moved one more step, which includes the blockers. There is no table and no loop
//! over pieces: the cost is the same for one rook and for ten.
//!
//! Source: Steffan Westcott, "Kogge-Stone Algorithm", Chess Programming Wiki; Peter M. Kogge and
//! Harold S. Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of
//! Recurrence Equations" (1973).

use super::Sliders;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::{File, Rank, Square};

/// The squares on which a step in this direction can end. The others could only be reached by
/// wrapping around the edge.
///
/// ```
/// use tabiya::attacks::kogge_stone::landing;
/// use tabiya::{Direction, File};
/// assert_eq!(landing(Direction::East), !File::A.bitboard());
/// ```
pub const fn landing(direction: Direction) -> Bitboard {
    let first = match direction.ranks() {
        1 => Rank::First.bitboard().0,
        -1 => Rank::Eighth.bitboard().0,
        _ => 0,
    };
    let second = match direction.files() {
        1 => File::A.bitboard().0,
        -1 => File::H.bitboard().0,
        _ => 0,
    };
    Bitboard(!(first | second))
}

/// The bits moved by the given number of steps, towards either end of the word.
#[inline(always)]
const fn moved(bits: u64, steps: u32, direction: Direction) -> u64 {
    let places = steps * direction.offset().unsigned_abs() as u32;
    if direction.is_rising() { bits << places } else { bits >> places }
}

/// One round of a fill: `[filled, free]` after a jump by the given number of steps, which the round
/// before has prepared.
///
/// ```
/// use tabiya::attacks::kogge_stone::{landing, round};
/// use tabiya::{Direction, Square};
/// // A rook on c1, and another piece on f1.
/// let free = !Square::F1.bitboard() & landing(Direction::East);
/// let [filled, free] = round(Square::C1.bitboard(), free, 1, Direction::East);
/// assert!(filled.iter().eq([Square::C1, Square::D1]));
/// let [filled, _] = round(filled, free, 2, Direction::East);
/// assert!(filled.iter().eq([Square::C1, Square::D1, Square::E1]));
/// ```
#[inline(always)]
pub const fn round(
    filled: Bitboard,
    free: Bitboard,
    steps: u32,
    direction: Direction,
) -> [Bitboard; 2] {
    let reached = free.0 & moved(filled.0, steps, direction);
    let free = free.0 & moved(free.0, steps, direction);
    [Bitboard(filled.0 | reached), Bitboard(free)]
}

/// The sliders and the squares of `empty` that they reach in one direction.
#[inline(always)]
const fn occluded_fill(sliders: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let free = Bitboard(empty.0 & landing(direction).0);
    let [filled, free] = round(sliders, free, 1, direction);
    let [filled, free] = round(filled, free, 2, direction);
    let [filled, _] = round(filled, free, 4, direction);
    filled
}

/// The squares that the sliders attack in one direction.
///
/// ```
/// use tabiya::attacks::kogge_stone::attacks;
/// use tabiya::{Bitboard, Direction, Square};
/// let rooks = Square::A1.bitboard() | Square::D1.bitboard();
/// let east = attacks(rooks, rooks, Direction::East);
/// // The rook on a1 stops at d1; the rook on d1 reaches the edge.
/// assert_eq!(east.len(), 7);
/// ```
#[inline(always)]
pub const fn attacks(sliders: Bitboard, occupied: Bitboard, direction: Direction) -> Bitboard {
    occluded_fill(sliders, Bitboard(!occupied.0), direction).shift(direction)
}

/// The squares that the rooks of a set attack. The rooks block each other if `occupied` contains
/// them.
///
/// ```
/// use tabiya::attacks::kogge_stone::rooks;
/// use tabiya::{Rank, Square};
/// let attacked = rooks(Rank::First.bitboard(), Rank::First.bitboard());
/// assert_eq!(attacked.len(), 64);
/// ```
#[inline(always)]
pub const fn rooks(rooks: Bitboard, occupied: Bitboard) -> Bitboard {
    let north = attacks(rooks, occupied, Direction::North);
    let east = attacks(rooks, occupied, Direction::East);
    let south = attacks(rooks, occupied, Direction::South);
    let west = attacks(rooks, occupied, Direction::West);
    north.union(east).union(south).union(west)
}

/// The squares that the bishops of a set attack.
#[inline(always)]
pub const fn bishops(bishops: Bitboard, occupied: Bitboard) -> Bitboard {
    let north_east = attacks(bishops, occupied, Direction::NorthEast);
    let south_east = attacks(bishops, occupied, Direction::SouthEast);
    let south_west = attacks(bishops, occupied, Direction::SouthWest);
    let north_west = attacks(bishops, occupied, Direction::NorthWest);
    north_east.union(south_east).union(south_west).union(north_west)
}

/// Sliders by fills, one at a time. For sets of sliders see [`rooks`] and [`bishops`].
#[derive(Clone, Copy, Debug, Default)]
pub struct KoggeStone;

impl Sliders for KoggeStone {
    const NAME: &'static str = "kogge-stone";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        rooks(square.bitboard(), occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        bishops(square.bitboard(), occupied)
    }
}
