//! Hyperbola quintessence: a slider's attacks on a line by subtraction, o^(o-2r).
//!
//! Take the occupied squares `o` of one line, including the slider `r`. Subtracting `r` removes it.
//! Subtracting it again borrows from the first blocker above and sets every bit between. So
//! `o ^ (o - 2r)` has every square up to and including that blocker:
//!
//! ```text
//!   o           0 1 0 0 0 1 0 1     the slider with one blocker above and one below
//!   r           0 0 0 0 0 1 0 0
//!   o - 2r      0 0 1 1 1 1 0 1     removed, then borrowed from the blocker above
//!   o^(o-2r)    0 1 1 1 1 0 0 0     attacked upwards
//! ```
//!
//! The same works downwards on the mirrored line. Files and diagonals have one square on each rank,
//! so a byte swap, which exchanges the ranks, mirrors them. A rank lies within one byte, which a
//! byte swap does not change: its attacks are looked up in a table of 512 bytes, by the slider's
//! file and the six inner squares.
//!
//! Source: Gerd Isenberg and Aleks Peshkov, "Hyperbola Quintessence", and "First Rank Attacks",
//! Chess Programming Wiki.

use super::Sliders;
use super::lines::{LINE_DIRECTIONS, RAYS};
use crate::bitboard::Bitboard;
use crate::square::{File, Square};

/// `[square][line]` for file, rank, diagonal and anti-diagonal, without the square itself.
pub(super) static LINES_THROUGH: [[Bitboard; 4]; 64] = {
    let mut lines = [[Bitboard::EMPTY; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let ahead = RAYS[LINE_DIRECTIONS[line] as usize][square];
            let behind = RAYS[LINE_DIRECTIONS[line].opposite() as usize][square];
            lines[square][line] = ahead.union(behind);
            line += 1;
        }
        square += 1;
    }
    lines
};

const FILE: usize = 0;
const RANK: usize = 1;
const DIAGONAL: usize = 2;
const ANTI_DIAGONAL: usize = 3;

/// The attacks along any line, for making tables at compile time. Here all 64 bits are mirrored,
/// which works for ranks too but takes more than one instruction.
pub(super) const fn along(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let line = LINES_THROUGH[square as usize][line].0;
    let slider = square.bitboard().0;
    // The line does not contain the slider, so the first of the two subtractions is already done.
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider);
    let mirrored = blockers.reverse_bits().wrapping_sub(slider.reverse_bits());
    Bitboard((up ^ mirrored.reverse_bits()) & line)
}

/// The attacks on the first rank, `[inner squares][file]`.
static FIRST_RANK: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let mut file = 0;
        while file < 8 {
            let occupied = Bitboard((inner as u64) << 1);
            table[inner][file] = along(RANK, Square::ALL[file], occupied).0 as u8;
            file += 1;
        }
        inner += 1;
    }
    table
};

/// The attacks of a slider on the first rank by the six inner squares of that rank, b1 in the
/// lowest bit. A rank lies in one byte, so they are looked up, and shifted to the slider's rank.
///
/// ```
/// use tabiya::{File, attacks};
/// // A rook on c1, and another piece on f1: it attacks a1, b1, d1, e1 and f1.
/// assert_eq!(attacks::first_rank(0b01_0000, File::C), 0b0011_1011);
/// ```
#[inline(always)]
pub const fn first_rank(inner: u8, file: File) -> u8 {
    FIRST_RANK[inner as usize & 63][file as usize]
}

/// The attacks along a file or a diagonal.
#[inline(always)]
fn across(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let line = LINES_THROUGH[square as usize][line].0;
    let slider = square.bitboard().0;
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    Bitboard((up ^ down) & line)
}

/// The attacks along a rank.
#[inline(always)]
fn rank(square: Square, occupied: Bitboard) -> Bitboard {
    let first = square as u32 & 56;
    let inner = occupied.0 >> (first + 1) & 63;
    Bitboard(u64::from(first_rank(inner as u8, square.file())) << first)
}

/// Sliders by subtraction: small tables, four lines for each square and one rank. On x86-64,
/// `Pshufb` computes two lines at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hyperbola;

impl Sliders for Hyperbola {
    const NAME: &'static str = "hyperbola";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        across(FILE, square, occupied) | rank(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        across(DIAGONAL, square, occupied) | across(ANTI_DIAGONAL, square, occupied)
    }
}
