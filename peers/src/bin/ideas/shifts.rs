//! The fifth article's shifts, taken to their end: all pieces of a kind move at once, and no piece
//! is looked at alone.
//!
//! Sliders fill their lines by shifts ([`kogge_stone`]). Two sliders of one side never attack the
//! same square in the same direction, unless it's that of a piece of their own: the nearer one is in
//! the way. So the sizes of the sets, one for each direction, add up to the number of moves.

use tabiya::attacks::{self, kogge_stone};
use tabiya::movegen::Legality;
use tabiya::{
    Bitboard, Board, CastlingSide, Color, Direction, Move, MoveKind, Position, Rank, Role,
};

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

/// The number of legal moves.
pub(crate) fn replies(position: &Position) -> usize {
    let (board, us, facts) = (position.board(), position.turn(), position.legality());
    let king = facts.king.bitboard();
    let danger = attacked(board, !us, board.occupied() - king);
    let moves = (around(king) - board.color(us) - danger).len()
        + knights(board, us, &facts)
        + sliders(board, us, &facts)
        + pawns(position, us, &facts);
    moves as usize + castlings(position, us, &facts, danger)
}

/// The squares next to those of a set.
#[inline(always)]
fn around(set: Bitboard) -> Bitboard {
    let row = set | set.shift(East) | set.shift(West);
    (row | row.shift(North) | row.shift(South)) - set
}

/// The squares that a side attacks.
#[inline(always)]
fn attacked(board: &Board, them: Color, occupied: Bitboard) -> Bitboard {
    attacks::pawns(them, board.pieces(them, Role::Pawn))
        | attacks::knights(board.pieces(them, Role::Knight))
        | around(board.pieces(them, Role::King))
        | kogge_stone::rooks(board.orthogonal_sliders(them), occupied)
        | kogge_stone::bishops(board.diagonal_sliders(them), occupied)
}

/// A pinned knight never moves. Each of the eight jumps is three shifts.
#[inline(always)]
fn knights(board: &Board, us: Color, facts: &Legality) -> u32 {
    let knights = board.pieces(us, Role::Knight) - facts.pinned;
    let targets = facts.check_mask() - board.color(us);
    let jumps = |two: Direction, [one, other]: [Direction; 2]| {
        let far = knights.shift(two).shift(two);
        (far.shift(one) & targets).len() + (far.shift(other) & targets).len()
    };
    jumps(North, [East, West])
        + jumps(South, [East, West])
        + jumps(East, [North, South])
        + jumps(West, [North, South])
}

#[inline(always)]
fn sliders(board: &Board, us: Color, facts: &Legality) -> u32 {
    let (rooks, bishops) = (board.orthogonal_sliders(us), board.diagonal_sliders(us));
    along(North, rooks, board, us, facts)
        + along(East, rooks, board, us, facts)
        + along(South, rooks, board, us, facts)
        + along(West, rooks, board, us, facts)
        + along(NorthEast, bishops, board, us, facts)
        + along(SouthEast, bishops, board, us, facts)
        + along(SouthWest, bishops, board, us, facts)
        + along(NorthWest, bishops, board, us, facts)
}

#[inline(always)]
fn along(way: Direction, sliders: Bitboard, board: &Board, us: Color, facts: &Legality) -> u32 {
    let able = mobile(sliders, facts, attacks::through(facts.king, way));
    let targets = facts.check_mask() - board.color(us);
    (kogge_stone::attacks(able, board.occupied(), way) & targets).len()
}

/// The pieces of a set that may move along a line through the king, or parallel to it: a pinned one
/// must be on that line.
#[inline(always)]
fn mobile(pieces: Bitboard, facts: &Legality, line: Bitboard) -> Bitboard {
    pieces - (facts.pinned - line)
}

#[inline(always)]
fn pawns(position: &Position, us: Color, facts: &Legality) -> u32 {
    let (board, forward) = (position.board(), us.forward());
    let (pawns, empty) = (board.pieces(us, Role::Pawn), !board.occupied());
    let (third, last, diagonals) = match us {
        Color::White => (Rank::Third, Rank::Eighth, [NorthEast, NorthWest]),
        Color::Black => (Rank::Sixth, Rank::First, [SouthEast, SouthWest]),
    };
    // A pawn promotes to four roles.
    let moves = |targets: Bitboard| targets.len() + 3 * (targets & last.bitboard()).len();
    let on_file = mobile(pawns, facts, facts.king.file().bitboard());
    let single = on_file.shift(forward) & empty;
    let double = (single & third.bitboard()).shift(forward) & empty;
    let captures = |way: Direction, side: Direction| {
        let able = mobile(pawns, facts, attacks::through(facts.king, way));
        moves(able.shift(forward).shift(side) & board.color(!us) & facts.capture_mask)
    };
    moves(single & facts.push_mask)
        + (double & facts.push_mask).len()
        + captures(diagonals[0], East)
        + captures(diagonals[1], West)
        + en_passant(position, us, pawns)
}

/// It opens a line where two pawns were, so the library tries it out.
fn en_passant(position: &Position, us: Color, pawns: Bitboard) -> u32 {
    position.en_passant().map_or(0, |to| {
        let able = attacks::pawn(!us, to) & pawns;
        let is_legal = |&from: &_| position.is_legal(Move::new(from, to, MoveKind::EnPassant));
        able.iter().filter(is_legal).count() as u32
    })
}

fn castlings(position: &Position, us: Color, facts: &Legality, danger: Bitboard) -> usize {
    if facts.is_check() {
        return 0;
    }
    let occupied = position.board().occupied();
    let rooks = position.castling_rights().of(us);
    let may_castle = |&rook: &_| {
        let side = CastlingSide::of(facts.king, rook);
        let between = attacks::between(facts.king, rook);
        !(between | side.clear_squares(us, facts.king, rook)).meets(occupied)
            && !(side.king_path(us, facts.king) & danger).any()
            && !facts.pinned.has(rook)
    };
    rooks.iter().filter(may_castle).count()
}
