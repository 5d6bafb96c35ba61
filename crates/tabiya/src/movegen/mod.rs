//! The generator. It is written once for both sides, every kind of moves, every slider method and
//! every sink.
//!
//! ```text
//! Position ─▶ Legality ─▶ king · pawns · pieces ─▶ MoveFilter ─▶ Sink
//! ```
//!
//! The facts of [`Legality`] are found once. Then the king, the pawns and the other pieces pass
//! their sets of targets to the [`Sink`], restricted to the kind of moves and by filters.

mod checks;
mod filter;
mod kinds;
mod king;
pub(crate) mod legality;
mod pawns;
mod pieces;
mod sink;

pub use checks::CheckFacts;
pub use filter::Restriction;
pub(crate) use filter::{MoveFilter, NoFilter};
pub use kinds::{Captures, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets};
pub use legality::Legality;
pub use sink::{Any, Count, PawnMoves, Sink};
pub(crate) use sink::{ListSink, Visitor};

use checks::Checking;

use crate::attacks::Sliders;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Black, Color, Side, White};
use crate::position::Position;
use crate::square::Square;

/// The data of a position that the parts of the generator share.
struct Node<'a, L, F> {
    position: &'a Position,
    board: &'a Board,
    own: Bitboard,
    enemies: Bitboard,
    occupied: Bitboard,
    en_passant: Option<Square>,
    facts: Legality,
    sliders: L,
    filter: F,
}

impl<L, F> Node<'_, L, F> {
    /// Does an en-passant capture on `to` capture the checker or block the check?
    fn en_passant_stops_check(&self, to: Square) -> bool {
        let victim = legality::en_passant_victim(to);
        self.facts.capture_mask.has(victim) || self.facts.push_mask.has(to)
    }
}

/// Generates the moves of a kind for the side to move.
#[inline(always)]
pub(crate) fn generate<K: Kind, L: Sliders, F: MoveFilter, T: Sink>(
    position: &Position,
    sliders: L,
    filter: F,
    sink: &mut T,
) {
    match position.turn() {
        Color::White => generate_for::<White, K, _, _, _>(position, sliders, filter, sink),
        Color::Black => generate_for::<Black, K, _, _, _>(position, sliders, filter, sink),
    }
}

/// Generates the moves of a kind for the side to move from its facts.
#[inline(always)]
pub(crate) fn generate_from<K: Kind, L: Sliders, N: MoveFilter, T: Sink>(
    position: &Position,
    facts: &Legality,
    sliders: L,
    filter: N,
    sink: &mut T,
) {
    match position.turn() {
        Color::White => {
            generate_for_from::<White, K, _, _, _>(position, facts, sliders, filter, sink);
        }
        Color::Black => {
            generate_for_from::<Black, K, _, _, _>(position, facts, sliders, filter, sink);
        }
    }
}

/// The number of legal moves of the side to move.
#[inline(always)]
pub(crate) fn count_legal<L: Sliders>(position: &Position, sliders: L) -> u32 {
    match position.turn() {
        Color::White => count_legal_for::<White, _>(position, sliders),
        Color::Black => count_legal_for::<Black, _>(position, sliders),
    }
}

/// The number of legal moves of `S`, which must be the side to move.
///
/// The generator is compiled twice: in most positions there is neither a check nor a pin, and then
/// all masks are constants.
#[inline(always)]
fn count_legal_for<S: Side, L: Sliders>(position: &Position, sliders: L) -> u32 {
    let mut count = Count::default();
    let facts = &Legality::find::<S>(position.board());
    if facts.checkers.is_empty() && facts.pinned.is_empty() {
        let facts = &Legality::unrestricted(facts.king);
        generate_for_from::<S, Legal, _, _, _>(position, facts, sliders, NoFilter, &mut count);
    } else {
        generate_for_from::<S, Legal, _, _, _>(position, facts, sliders, NoFilter, &mut count);
    }
    count.0
}

/// Generates the moves of a kind for `S`, which must be the side to move.
#[inline(always)]
pub(crate) fn generate_for<S: Side, K: Kind, L: Sliders, F: MoveFilter, T: Sink>(
    position: &Position,
    sliders: L,
    filter: F,
    sink: &mut T,
) {
    let facts = Legality::find::<S>(position.board());
    generate_for_from::<S, K, _, _, _>(position, &facts, sliders, filter, sink);
}

/// Generates the moves of a kind for `S`, which must be the side to move, from its facts.
#[inline(always)]
fn generate_for_from<S: Side, K: Kind, L: Sliders, N: MoveFilter, T: Sink>(
    position: &Position,
    facts: &Legality,
    sliders: L,
    filter: N,
    sink: &mut T,
) {
    if K::CHECKS {
        let checking = Checking::new(position, sliders);
        generate_filtered::<S, K, _, _, _>(position, facts, sliders, (checking, filter), sink);
    } else {
        generate_filtered::<S, K, _, _, _>(position, facts, sliders, filter, sink);
    }
}

#[inline(always)]
fn generate_filtered<S: Side, K: Kind, L: Sliders, F: MoveFilter, T: Sink>(
    position: &Position,
    facts: &Legality,
    sliders: L,
    filter: F,
    sink: &mut T,
) {
    let board = position.board();
    let facts = if K::LEGAL { *facts } else { facts.pseudo_legal(K::EVASIONS) };
    if K::EVASIONS && !facts.is_check() {
        return;
    }
    let own = board.color(S::COLOR);
    let enemies = board.color(S::Them::COLOR);
    let occupied = own | enemies;
    // A pseudo-legal en-passant capture may expose its own king.
    let en_passant = if K::LEGAL { position.en_passant() } else { position.double_push_square() };
    let node = Node { position, board, own, enemies, occupied, en_passant, facts, sliders, filter };

    // The targets of this kind: captures, moves to empty squares, or both.
    let targets = match (K::CAPTURES, K::QUIETS) {
        (true, true) => !own,
        (true, false) => enemies,
        (false, _) => !occupied,
    };
    let safety = king::steps::<S, K, _, _, _>(&node, targets, sink);
    let in_double_check = facts.checkers.has_many() && facts.check_mask().is_empty();
    if in_double_check || sink.is_done() {
        return;
    }
    pawns::generate::<S, K, _, _, _>(&node, sink);
    if sink.is_done() {
        return;
    }
    pieces::generate(&node, targets & facts.check_mask(), sink);
    if K::QUIETS && facts.checkers.is_empty() && !sink.is_done() {
        king::castling::<S, _, _, _>(&node, safety, sink);
    }
}
