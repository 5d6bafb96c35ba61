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
pub(crate) static KING: [u64; 64] = each_square!(square => attacks::king(square).0);
/// Knight steps.
pub(crate) static KNIGHT: [u64; 64] = each_square!(square => attacks::knight(square).0);
/// What a pawn that goes up attacks.
pub(crate) static PAWN_UP: [u64; 64] =
    each_square!(square => attacks::pawn(Color::White, square).0);
/// What a pawn that goes down attacks.
pub(crate) static PAWN_DOWN: [u64; 64] =
    each_square!(square => attacks::pawn(Color::Black, square).0);

/// The eight rays from every square.
pub(crate) static RAYS: [[u64; 8]; 64] = {
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

/// From where a rook, a bishop, a knight and a king attack squares next to a king.
pub(crate) static NEAR: [[u64; 4]; 64] = {
    let mut near = [[0; 4]; 64];
    let mut at = 0;
    while at < 64 * 64 {
        let (king, square) = (at / 64, at % 64);
        if KING[king] >> square & 1 != 0 {
            let rays = &RAYS[square];
            near[king][0] |= rays[0] | rays[1] | rays[4] | rays[5];
            near[king][1] |= rays[2] | rays[3] | rays[6] | rays[7];
            near[king][2] |= KNIGHT[square];
            near[king][3] |= KING[square];
        }
        at += 1;
    }
    near
};

/// How many squares a slider that goes to one at most has left to go before it, for each direction:
/// the squares with each binary digit of that number.
pub(crate) static BEFORE: [[[u64; 3]; 64]; 8] = {
    let mut before = [[[0; 3]; 64]; 8];
    let mut at = 0;
    while at < 8 * 64 {
        let (lane, end) = (at / 64, at % 64);
        let mut square = 0;
        while square < 64 {
            if RAYS[square][lane] >> end & 1 != 0 {
                // Less those beyond the end.
                let run = RAYS[square][lane].count_ones() - RAYS[end][lane].count_ones();
                let mut digit = 0;
                while digit < 3 {
                    before[lane][end][digit] |= (run as u64 >> digit & 1) << square;
                    digit += 1;
                }
            }
            square += 1;
        }
        at += 1;
    }
    before
};
