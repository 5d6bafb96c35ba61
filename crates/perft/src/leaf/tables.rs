//! Leaper tables.

use super::star::{KNIGHT_LANDING, KNIGHT_STEP, LANDING, STEP};

const fn leaps(step: &[u64; 8], landing: &[u64; 8]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            table[square] |= (1u64 << square).rotate_left(step[lane] as u32) & landing[lane];
            lane += 1;
        }
        square += 1;
    }
    table
}

/// King steps.
pub(super) static KING: [u64; 64] = leaps(&STEP, &LANDING);
/// Knight steps.
pub(super) static KNIGHT: [u64; 64] = leaps(&KNIGHT_STEP, &KNIGHT_LANDING);
/// What a pawn that goes up attacks.
pub(super) static PAWN_UP: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let pawn = 1u64 << square;
        table[square] = (pawn << 7) & 0x7f7f_7f7f_7f7f_7f7f | (pawn << 9) & 0xfefe_fefe_fefe_fefe;
        square += 1;
    }
    table
};
/// What a pawn that goes down attacks.
pub(super) static PAWN_DOWN: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let pawn = 1u64 << square;
        table[square] = (pawn >> 9) & 0x7f7f_7f7f_7f7f_7f7f | (pawn >> 7) & 0xfefe_fefe_fefe_fefe;
        square += 1;
    }
    table
};
