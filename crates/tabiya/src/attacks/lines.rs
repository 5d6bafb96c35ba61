//! Rays, and lines through two squares: the squares between them, and the whole line.

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// The rays from every square, as `[direction][square]`, without the square itself.
pub(super) static RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            let step = Direction::ALL[direction];
            let mut at = Square::ALL[square];
            while let Some(next) = at.step(step) {
                rays[direction][square] = rays[direction][square].with(next);
                at = next;
            }
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// By `[from][to]`: the squares strictly between, and the whole line through both.
struct Lines {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

/// The directions of the four lines through a square: file, rank, diagonal and anti-diagonal. The
/// opposite direction completes each line.
pub(super) const LINE_DIRECTIONS: [Direction; 4] =
    [Direction::North, Direction::East, Direction::NorthEast, Direction::NorthWest];

static LINES: Lines = {
    let mut lines =
        Lines { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let step = Direction::ALL[direction];
            let ahead = RAYS[direction][from];
            let behind = RAYS[(direction + 4) % 8][from];
            let whole = ahead.union(behind).with(Square::ALL[from]);
            let mut between = Bitboard::EMPTY;
            let mut at = Square::ALL[from];
            while let Some(to) = at.step(step) {
                lines.between[from][to as usize] = between;
                lines.line[from][to as usize] = whole;
                between = between.with(to);
                at = to;
            }
            direction += 1;
        }
        from += 1;
    }
    lines
};

/// Are lines found by their direction? In WebAssembly they are, since a page would load the large
/// tables with its module.
const BY_DIRECTION: bool = cfg!(target_arch = "wasm32");

/// By `[from][to]`: the place of the line through both among [`LINE_DIRECTIONS`]; 4 if there is none.
static PLACES: [[u8; 64]; 64] = {
    let mut places = [[4; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 4 {
            let mut others = WHOLE[direction][from].without(Square::ALL[from]);
            while let Some(to) = others.pop_first() {
                places[from][to as usize] = direction as u8;
            }
            direction += 1;
        }
        from += 1;
    }
    places
};

/// The lines through a square, with it, in the order of [`LINE_DIRECTIONS`], followed by none.
static WHOLE: [[Bitboard; 64]; 5] = {
    let mut whole = [[Bitboard::EMPTY; 64]; 5];
    let mut direction = 0;
    while direction < 4 {
        let mut square = 0;
        while square < 64 {
            let at = Square::ALL[square];
            whole[direction][square] = through(at, LINE_DIRECTIONS[direction]).with(at);
            square += 1;
        }
        direction += 1;
    }
    whole
};

#[inline(always)]
const fn line_by_direction(a: Square, b: Square) -> Bitboard {
    WHOLE[PLACES[a as usize][b as usize] as usize][a as usize]
}

#[inline(always)]
const fn between_by_direction(a: Square, b: Square) -> Bitboard {
    // The squares from the lower one on, and below the higher one.
    let from_lower = (u64::MAX << a as u32) ^ (u64::MAX << b as u32);
    let segment = line_by_direction(a, b).0 & from_lower;
    Bitboard(segment & segment.wrapping_sub(1))
}

/// The squares from `square` to the edge of the board, without `square`.
///
/// ```
/// use tabiya::{attacks, Direction, Square};
/// assert!(attacks::ray(Square::F6, Direction::NorthEast).iter().eq([Square::G7, Square::H8]));
/// ```
#[inline(always)]
pub const fn ray(square: Square, direction: Direction) -> Bitboard {
    RAYS[direction as usize][square as usize]
}

/// The squares strictly between two squares of one rank, file or diagonal; none otherwise.
///
/// ```
/// use tabiya::{attacks, Square};
/// assert!(attacks::between(Square::A1, Square::D4).iter().eq([Square::B2, Square::C3]));
/// assert!(attacks::between(Square::A1, Square::D5).is_empty());
/// ```
#[doc(alias = "get_between_rays")]
#[inline(always)]
pub const fn between(a: Square, b: Square) -> Bitboard {
    if BY_DIRECTION {
        return between_by_direction(a, b);
    }
    LINES.between[a as usize][b as usize]
}

/// The whole rank, file or diagonal through two squares, including both; empty if they share no
/// line or are the same square.
///
/// ```
/// use tabiya::{attacks, Square};
/// assert_eq!(attacks::line(Square::B2, Square::D4).len(), 8);
/// ```
#[doc(alias("get_line_rays", "aligned", "ray"))]
#[inline(always)]
pub const fn line(a: Square, b: Square) -> Bitboard {
    if BY_DIRECTION {
        return line_by_direction(a, b);
    }
    LINES.line[a as usize][b as usize]
}

/// The rank, file or diagonal through `square` in `direction`, without the square itself.
#[inline(always)]
pub const fn through(square: Square, direction: Direction) -> Bitboard {
    ray(square, direction).union(ray(square, direction.opposite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WebAssembly finds them by direction.
    #[test]
    fn lines_by_direction_are_those_of_the_tables() {
        for (a, b) in Square::ALL.iter().flat_map(|&a| Square::ALL.map(|b| (a, b))) {
            assert_eq!(line_by_direction(a, b), line(a, b), "{a} {b}");
            assert_eq!(between_by_direction(a, b), between(a, b), "{a} {b}");
        }
    }
}
