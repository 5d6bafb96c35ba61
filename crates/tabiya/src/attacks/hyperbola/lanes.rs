//! What the vector forms share: every line of a square, plain and mirrored, in eight lanes.
//!
//! ```text
//!   lane       0      1      2        3          4          5        6           7
//!   line       file   rank   file     rank       diagonal   anti-    diagonal    anti-
//!                            mirrored mirrored              diagonal mirrored    diag. mirr.
//! ```
//!
//! One byte shuffle of the occupancy fills all lanes, one subtraction handles all eight directions,
//! one more shuffle mirrors the mirrored lanes back, and the two halves of each line are joined.
//! Lanes 0 to 3 are the rook's and 4 to 7 the bishop's.
//!
//! The byte shuffle mirrors files and diagonals, as in the plain form. For the rank it copies the
//! rank's byte to all eight bytes of its lane; there the mask keeps the a-file's bit of the first
//! byte, the b-file's bit of the second, and so on. That places the rank along the long diagonal,
//! where a byte swap mirrors it too. In the result no two of the eight bytes have a bit in common,
//! so their sum is the rank again.

use super::{LINES, RANK};
use crate::square::Square;

/// The operands of one square, in the order of the lanes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Operands {
    /// The source byte in the occupancy of each byte.
    pub(super) shuffle: [[u8; 8]; 8],
    /// The squares of each line without the slider's.
    pub(super) masks: [u64; 8],
    /// The slider.
    pub(super) sliders: [u64; 8],
}

/// The long diagonal a1-h8.
const LONG_DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// Reverses the bytes of a lane.
const MIRRORED: [u8; 8] = [7, 6, 5, 4, 3, 2, 1, 0];

const fn operands(square: Square) -> Operands {
    let index = square as usize;
    let mut all = Operands { shuffle: [[0; 8]; 8], masks: [0; 8], sliders: [0; 8] };
    let mut line = 0;
    while line < 4 {
        let (mut bytes, mut mask) = ([0, 1, 2, 3, 4, 5, 6, 7], LINES[index][line].0);
        let (mut mirrored, mut slider) = (MIRRORED, square.bitboard().0);
        if line == RANK {
            bytes = [index as u8 >> 3; 8];
            mirrored = bytes;
            // The file's byte and in it the file's bit.
            slider = 1 << (9 * (index & 7));
            mask = LONG_DIAGONAL & !slider;
        }
        let lane = line % 2 + 4 * (line / 2);
        all.shuffle[lane] = bytes;
        all.shuffle[lane + 2] = mirrored;
        all.masks[lane] = mask;
        all.masks[lane + 2] = mask.swap_bytes();
        all.sliders[lane] = slider;
        all.sliders[lane + 2] = slider.swap_bytes();
        line += 1;
    }
    all
}

/// By square.
pub(super) static OPERANDS: [Operands; 64] = {
    let mut table = [operands(Square::A1); 64];
    let mut index = 1;
    while index < 64 {
        table[index] = operands(Square::ALL[index]);
        index += 1;
    }
    table
};
