//! The rules that all searches share, so that they build the same tree: the evaluation and the
//! order of moves.
//!
//! Squares are numbers from a1 = 0 to h8 = 63, roles from pawn = 0 to king = 5, colours 0 for White
//! and 1 for Black.

/// The score of a mate at the root, without its sign.
pub(crate) const MATE: i32 = 30_000;
/// A score that no line reaches.
pub(crate) const INFINITE: i32 = 32_000;
/// The largest length of a line.
pub(crate) const MAX_PLY: usize = 64;
/// The values of the moves in their order: captures and promotions to a queen (plus the value of
/// [`mvv_lva`]), killers, other moves (the change of the evaluation).
pub(crate) const TACTICAL: i32 = 8000;

/// The worth of a piece on a square, from White's side of the board.
static WORTH: [[i32; 64]; 6] = {
    const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
    let mut worth = [[0; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let centre_file = if file < 4 { file } else { 7 - file };
            let centre_rank = if rank < 4 { rank } else { 7 - rank };
            let bonus = match role {
                0 => rank * 4 + centre_file * rank,
                1 => (centre_file + centre_rank) * 8,
                2 => (centre_file + centre_rank) * 5,
                3 => centre_file * 2 + if rank == 6 { 15 } else { 0 },
                4 => centre_file + centre_rank,
                _ if rank == 0 => 12 - 6 * centre_file,
                _ => -10 * rank,
            };
            worth[role][square as usize] = VALUES[role] + bonus;
            square += 1;
        }
        role += 1;
    }
    worth
};

/// The worth of a piece on a square for its owner.
#[inline(always)]
pub(crate) fn worth(color: usize, role: usize, square: usize) -> i32 {
    WORTH[role][square ^ (56 * color)]
}

/// The order of captures and promotions to a queen: the most valuable victim first, then the least
/// valuable attacker.
#[inline(always)]
pub(crate) fn mvv_lva(victim: Option<usize>, attacker: usize, promotes: bool) -> i32 {
    let victim = victim.map_or(0, |role| role as i32 + 1);
    TACTICAL + victim * 8 - attacker as i32 + if promotes { 64 } else { 0 }
}

/// A number that orders moves by their value. No two moves of a position have the same number, so
/// the tree does not depend on the order of generation.
#[inline(always)]
pub(crate) fn order(value: i32, from: usize, to: usize, promotion: usize) -> i32 {
    value << 16 | (0x7fff - (promotion << 12 | from << 6 | to) as i32) & 0xffff
}
