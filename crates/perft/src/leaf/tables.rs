//! The library's geometry as plain words, a row for each square.

use tabiya::{Color, Direction, Square, attacks};

/// The directions in the order of the fast counter's lanes: lane `i ^ 4` is opposite to lane `i`.
const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::NorthEast,
    Direction::NorthWest,
    Direction::South,
    Direction::West,
    Direction::SouthWest,
    Direction::SouthEast,
];

/// Makes a table of an expression for each square.
macro_rules! each_square {
    ($square:ident => $value:expr) => {{
        let mut table = [0; 64];
        let mut index = 0;
        while index < 64 {
            if let Some($square) = Square::from_index(index) {
                table[index as usize] = $value;
            }
            index += 1;
        }
        table
    }};
}

/// King steps.
pub(super) static KING: [u64; 64] = each_square!(square => attacks::king(square).0);
/// Knight steps.
pub(super) static KNIGHT: [u64; 64] = each_square!(square => attacks::knight(square).0);
/// What a pawn that goes up attacks.
pub(super) static PAWN_UP: [u64; 64] =
    each_square!(square => attacks::pawn(Color::White, square).0);
/// What a pawn that goes down attacks.
pub(super) static PAWN_DOWN: [u64; 64] =
    each_square!(square => attacks::pawn(Color::Black, square).0);

/// The eight rays from every square.
pub(super) static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut lane = 0;
    while lane < 8 {
        let of_lane: [u64; 64] = each_square!(square => attacks::ray(square, DIRECTIONS[lane]).0);
        let mut square = 0;
        while square < 64 {
            rays[square][lane] = of_lane[square];
            square += 1;
        }
        lane += 1;
    }
    rays
};

/// How many squares each of them has.
pub(super) static LENGTHS: [[u8; 8]; 64] = {
    let mut lengths = [[0; 8]; 64];
    let mut at = 0;
    while at < 64 * 8 {
        lengths[at / 8][at % 8] = RAYS[at / 8][at % 8].count_ones() as u8;
        at += 1;
    }
    lengths
};
