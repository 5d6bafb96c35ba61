//! The rules that are too rare for lanes, a position at a time: en passant, castling, promotion.

use super::sets::{RANK_1, RANK_8, between};
use super::tables::{KING, KNIGHT, PAWN_DOWN, PAWN_UP, RAYS};
use super::{Node, Side};

/// Is `square` attacked by `side`? `from_where` holds the squares from which its pawns would.
fn attacked(square: u32, side: &Side, occupied: u64, from_where: u64) -> bool {
    let s = (square & 63) as usize;
    let leapers = KNIGHT[s] & side.knights | KING[s] & side.king | from_where & side.pawns;
    leapers != 0
        || (0..8).any(|lane| {
            let blockers = RAYS[s][lane] & occupied;
            let first = if lane < 4 {
                blockers & blockers.wrapping_neg()
            } else {
                (1 << 63) >> (blockers | 1).leading_zeros() & blockers
            };
            first & if lane & 2 == 0 { side.orthogonal } else { side.diagonal } != 0
        })
}

/// Could the replier take the mover's king?
pub(crate) fn mover_exposed(node: &Node) -> bool {
    let king = node.mover.king.trailing_zeros();
    let occupied = node.mover.all() | node.replier.all();
    attacked(king, &node.replier, occupied, PAWN_DOWN[(king & 63) as usize])
}

/// Forgets the en-passant square if no capture there is legal.
#[inline(always)]
pub(crate) fn forget_useless_en_passant(node: &mut Node) {
    if node.en_passant != 0 {
        let mut captures = 0;
        en_passants(node, |_| captures += 1);
        if captures == 0 {
            node.en_passant = 0;
        }
    }
}

/// The mover's en-passant captures.
#[inline(never)]
#[cold]
pub(crate) fn en_passants(node: &Node, mut found: impl FnMut(Node)) {
    let square = node.en_passant;
    let taken = square << 8;
    let mut takers = PAWN_UP[square.trailing_zeros() as usize & 63] & node.mover.pawns;
    while takers != 0 {
        let from = takers & takers.wrapping_neg();
        takers ^= from;
        let mut after = *node;
        after.mover.pawns ^= from | square;
        after.replier.pawns ^= taken;
        after.en_passant = 0;
        if !mover_exposed(&after) {
            found(after);
        }
    }
}

/// The mover's promotions: sets of squares on the last rank, each with how far back the pawns
/// began.
#[inline(never)]
pub(crate) fn promotions(node: &Node, sets: [(u32, u64); 3], mut found: impl FnMut(Node)) {
    for (back, targets) in sets {
        let mut rest = targets & RANK_1;
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            let mut child = *node;
            child.replier = child.replier.without(to);
            child.mover.pawns ^= to << back;
            child.castling &= !to;
            child.en_passant = 0;
            for (knight, diagonal, orthogonal) in [(to, 0, 0), (0, to, 0), (0, 0, to), (0, to, to)]
            {
                let mut child = child;
                child.mover.knights |= knight;
                child.mover.diagonal |= diagonal;
                child.mover.orthogonal |= orthogonal;
                found(child);
            }
        }
    }
}

/// Every square from `a` to `b` on one row, both with them.
#[inline(always)]
pub(crate) fn span(a: u64, b: u64) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    (high | (high - 1)) & !(low - 1)
}

/// The mover's castling moves; it is not in check.
#[inline(always)]
pub(crate) fn castlings(node: &Node, occupied: u64, danger: u64, mut found: impl FnMut(Node)) {
    let mut rooks = node.castling & RANK_8;
    while rooks != 0 {
        let rook = rooks & rooks.wrapping_neg();
        rooks ^= rook;
        // Mostly something stands between king and rook.
        if between(node.mover.king, rook) & occupied != 0 {
            continue;
        }
        if let Some(after) = castle(node, occupied, danger, rook) {
            found(after);
        }
    }
}

#[inline(never)]
fn castle(node: &Node, occupied: u64, danger: u64, rook: u64) -> Option<Node> {
    let king = node.mover.king;
    let (king_to, rook_to) = if rook > king { (1 << 62, 1 << 61) } else { (1 << 58, 1 << 59) };
    let occupied = occupied & !(king | rook);
    let path = span(king, king_to);
    if (path | span(rook, rook_to)) & occupied != 0 || path & danger != 0 {
        return None;
    }
    let mut after = *node;
    after.mover.king = king_to;
    after.mover.orthogonal = after.mover.orthogonal & !rook | rook_to;
    after.castling &= !RANK_8;
    after.en_passant = 0;
    // The rook may have been the king's shelter, unless it has left a corner.
    (rook & CORNERS != 0 || !mover_exposed(&after)).then_some(after)
}

const CORNERS: u64 = 0x81 << 56;

/// The replier's castlings with a king on e1 and rooks in the corners: the rook, the squares
/// between, the king's path.
pub(crate) const CASTLINGS: [[u64; 3]; 2] = [[0x80, 0x60, 0x70], [0x01, 0x0e, 0x1c]];

/// Are the squares between the replier's king and a rook empty with which it may castle? May say so
/// if they are not.
#[inline(always)]
pub(crate) fn may_castle(node: &Node, occupied: u64) -> bool {
    let open = |[rook, between, _]: [u64; 3]| node.castling & rook != 0 && between & occupied == 0;
    !orthodox(node) || CASTLINGS.into_iter().any(open)
}

/// The number of castling moves of the replier.
#[inline(never)]
#[cold]
pub(crate) fn castling_replies(child: &Node) -> u64 {
    let node = child.turned();
    if mover_exposed(&node) {
        return 0;
    }
    let occupied = (node.mover.all() | node.replier.all()) & !node.mover.king;
    let danger = (56..64)
        .filter(|&s| attacked(s, &node.replier, occupied, PAWN_DOWN[s as usize]))
        .fold(0, |set, s| set | 1u64 << s);
    let mut n = 0;
    castlings(&node, occupied, danger, |_| n += 1);
    n
}

/// Are the replier's castling rights those of the king on e1 and rooks in the corners?
#[inline(always)]
pub(crate) fn orthodox(node: &Node) -> bool {
    node.castling & RANK_1 & !0x81 == 0
        && (node.castling & RANK_1 == 0 || node.replier.king == 0x10)
}
