//! Static exchange evaluation: the material that a move wins or loses after all recaptures on its
//! target square.
//!
//! The exchange is a small game. The sides take turns; each may capture on the target or stop. The
//! value of the game is found by an alpha-beta search over the captures on this one square. So it
//! is exact even if the least valuable piece should *not* capture first, because it would open a
//! line for an enemy piece behind it.
//!
//! The search is almost always tiny. When a piece captures, it may uncover a piece behind it that
//! joins the exchange: one of its own side, one of the other side, or none. Let `a` and `b` be two
//! pieces that can capture, and let `b` be worth at least as much as `a`. Then capturing with `a`
//! is at least as good as capturing with `b` if
//!
//! * `a` does not uncover a piece of the other side, and `b` does not uncover one of its own side.
//!
//! The reason: take any plan that begins with `b`, and exchange the roles of `a` and `b` in it.
//! Until `a`'s turn comes in that plan, the side has lost no more than before, it has at least the
//! same pieces to capture with, and the other side has at most the same. Afterwards everything is
//! equal. So one such `a` makes all such `b` unnecessary. If no piece stands behind another, only
//! one capture remains to be tried on each turn. The remaining value is never below zero (stop) and
//! never above the value of the piece on the target (the other side stops). These bounds cut off
//! most of the rest.
//!
//! If pins are respected, only legal captures count. As pieces leave their squares, others may
//! become pinned or free, and lines to a king may open. Then all captures are tried, but only if a
//! line to a king leads through the pieces that take part.
//!
//! In positions from games the search is small: it takes tens of nanoseconds. On constructed boards
//! where nearly all pieces stand behind each other on the lines of one square, it can take a
//! millisecond.
//!
//! The rules of the exchange:
//!
//! * A king captures last, and only if the other side cannot recapture.
//! * A pawn that captures on the last rank promotes to the most valuable role. (A more valuable
//!   piece gains at once as much more as it can lose later.)
//! * A move to an empty square risks the moving piece. En passant captures a pawn next to the
//!   target square. Both continue like captures. An en-passant capture *in reply* is not on the
//!   target.
//! * Castling has the value 0: it captures nothing, and a king cannot be captured.

use super::values::PieceValues;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::movegen::safety::en_passant_victim;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::{Rank, Square};

/// The material that a legal move wins in the exchange on its target square, in centipawns;
/// negative if the move loses material. Pins are ignored. Same as [`See::value`] of
/// [`See::DEFAULT`].
///
/// ```
/// use tabiya::{order::see, Position};
/// // A knight defends the pawn on e5: White loses a rook for a pawn.
/// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// assert_eq!(see(&position, position.parse_uci("e1e5").unwrap()), 100 - 500);
/// ```
#[doc(alias("static exchange evaluation", "swap"))]
pub fn see(position: &Position, mv: Move) -> i32 {
    See::DEFAULT.value(position, mv)
}

/// Does a legal move win at least `threshold`? This is faster than the exact value. Same as
/// [`See::is_at_least`] of [`See::DEFAULT`].
///
/// ```
/// use tabiya::{order::see_ge, Position};
/// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// let capture = position.parse_uci("e1e5").unwrap();
/// assert!(see_ge(&position, capture, -400));
/// assert!(!see_ge(&position, capture, -399));
/// ```
#[doc(alias = "static exchange evaluation")]
pub fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
    See::DEFAULT.is_at_least(position, mv, threshold)
}

/// Static exchange evaluation with the caller's piece values, with or without pins.
///
/// ```
/// use tabiya::{order::{PieceValues, See}, Position};
/// // The knight that defends e5 is pinned by the bishop.
/// let position = Position::from_fen("4k3/8/2n5/1B2p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// let capture = position.parse_uci("e1e5").unwrap();
/// let see = See::with_values(PieceValues::new([1, 3, 3, 5, 9]));
/// assert_eq!(see.value(&position, capture), 1 - 5);
/// assert_eq!(see.respecting_pins().value(&position, capture), 1);
/// ```
///
/// It is exact even if capturing with the least valuable piece is not best. Here White must
/// recapture with the rook, because the bishop would open the line for Black's bishop:
///
/// ```
/// use tabiya::{order::see, Position};
/// let position = Position::from_fen("2K5/5p2/2R3R1/6k1/4B3/8/2b5/8 b - - 0 1").unwrap();
/// assert_eq!(see(&position, position.parse_uci("f7g6").unwrap()), 500 - 100);
/// ```
#[doc(alias("static exchange evaluation", "see", "swap"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct See {
    values: PieceValues,
    pins: bool,
}

impl See {
    /// With [`PieceValues::DEFAULT`], ignoring pins.
    pub const DEFAULT: Self = Self::with_values(PieceValues::DEFAULT);

    /// With these values, ignoring pins.
    pub const fn with_values(values: PieceValues) -> Self {
        Self { values, pins: false }
    }

    /// Counts only legal captures: a pinned piece stays on its pin line, and when a line to a king
    /// has been opened, only captures that close it are possible.
    #[must_use]
    pub const fn respecting_pins(self) -> Self {
        Self { pins: true, ..self }
    }

    /// The piece values.
    pub const fn values(&self) -> PieceValues {
        self.values
    }

    /// The material that a legal move wins in the exchange on its target square; negative if the
    /// move loses material.
    pub fn value(&self, position: &Position, mv: Move) -> i32 {
        let (gain, stake) = self.first(position, mv);
        Exchange::after(self, position, mv, stake)
            .map_or(gain, |(exchange, state)| gain - exchange.rest(state, 0, exchange.most(&state)))
    }

    /// Does a legal move win at least `threshold`?
    pub fn is_at_least(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        let (gain, stake) = self.first(position, mv);
        let spare = gain.saturating_sub(threshold);
        // The opponent may stop, and wins at most the piece on the target and a promotion.
        if spare < 0 {
            return false;
        }
        if spare >= stake && !is_last_rank(mv.to()) {
            return true;
        }
        Exchange::after(self, position, mv, stake).is_none_or(|(exchange, state)| {
            spare >= exchange.most(&state) || exchange.rest(state, spare, spare + 1) <= spare
        })
    }

    /// The material that the move gains at once, and the value of the piece then on the target.
    #[inline(always)]
    fn first(&self, position: &Position, mv: Move) -> (i32, i32) {
        if mv.castling().is_some() {
            return (0, 0);
        }
        let board = position.board();
        let values = &self.values;
        let captured = if mv.is_en_passant() {
            values.of(Role::Pawn)
        } else if mv.is_capture() {
            values.of(board.role_on_occupied(mv.to()))
        } else {
            0
        };
        let moved = values.of(board.role_on_occupied(mv.from()));
        let stake = mv.promotion().map_or(moved, |role| values.of(role));
        (captured + stake - moved, stake)
    }
}

/// Do pawns promote when they capture here?
#[inline(always)]
const fn is_last_rank(target: Square) -> bool {
    matches!(target.rank(), Rank::First | Rank::Eighth)
}

/// The data that does not change during an exchange.
struct Exchange<'a> {
    board: &'a Board,
    values: PieceValues,
    target: Square,
    /// Bishops and queens on a diagonal with the target, and rooks and queens on its rank or file,
    /// at the start of the exchange.
    diagonal: Bitboard,
    orthogonal: Bitboard,
    /// The value that a pawn gains by promotion; `None` if the target is not on a last rank.
    promotion: Option<i32>,
    /// Must each capture be tested for leaving its own king in check?
    pins_matter: bool,
}

/// The data that changes during an exchange.
#[derive(Clone, Copy)]
struct State {
    turn: Color,
    occupied: Bitboard,
    /// The pieces of both sides that attack the target.
    attackers: Bitboard,
    /// The value of the piece on the target.
    stake: i32,
}

impl<'a> Exchange<'a> {
    /// The exchange that follows the first move, if any piece can recapture.
    #[inline]
    fn after(see: &See, position: &'a Position, mv: Move, stake: i32) -> Option<(Self, State)> {
        let board = position.board();
        let values = see.values;
        let turn = !position.turn();
        let target = mv.to();
        if position.king(position.turn()) == mv.from() {
            return None;
        }
        let mut occupied = board.occupied().without(mv.from()).with(target);
        if mv.is_en_passant() {
            occupied = occupied.without(en_passant_victim(target));
        }

        let diagonals = board.role(Role::Bishop) | board.role(Role::Queen);
        let orthogonals = board.role(Role::Rook) | board.role(Role::Queen);
        let diagonal = diagonals & attacks::bishop_rays(target) & occupied;
        let orthogonal = orthogonals & attacks::rook_rays(target) & occupied;
        let near = |color| board.pawns_and_knights_to(color, target);
        let kings = attacks::king(target) & board.role(Role::King);
        let mut attackers = (near(Color::White) | near(Color::Black) | kings) & occupied;
        if diagonal.any() {
            attackers |= attacks::bishop(target, occupied) & diagonal;
        }
        if orthogonal.any() {
            attackers |= attacks::rook(target, occupied) & orthogonal;
        }
        if !attackers.meets(board.color(turn)) {
            return None;
        }

        let best = values.of(values.best_promotion());
        let promotion = (is_last_rank(target) && attackers.meets(board.role(Role::Pawn)))
            .then(|| best - values.of(Role::Pawn));
        let mut exchange =
            Self { board, values, target, diagonal, orthogonal, promotion, pins_matter: false };
        if see.pins {
            // Could a line to a king open if all pieces that may take part left?
            let participants = attackers | diagonal | orthogonal;
            exchange.pins_matter = Color::ALL
                .into_iter()
                .any(|color| exchange.is_exposed(color, occupied - participants, occupied));
        }
        Some((exchange, State { turn, occupied, attackers, stake }))
    }

    /// The most that the side to move can win from here: it captures, perhaps promoting, and the
    /// other side stops.
    #[inline(always)]
    fn most(&self, state: &State) -> i32 {
        // Other pieces capture as well, so a promotion that loses value does not lower the bound.
        (state.stake + self.promotion.unwrap_or(0).max(0)).max(0)
    }

    /// The material that the side to move wins from here on: exact if between `alpha` and `beta`,
    /// otherwise a bound outside them.
    fn rest(&self, state: State, alpha: i32, beta: i32) -> i32 {
        let State { turn, occupied, attackers, stake } = state;
        // Stopping costs nothing.
        let mut won = 0;
        let own = attackers & self.board.color(turn);
        if own.is_empty() || beta <= 0 {
            return won;
        }
        let most = self.most(&state);
        if most <= alpha {
            return most;
        }
        // Has a piece been tried that does not uncover a piece of the other side?
        let mut settled = false;
        for role in self.values.ascending() {
            for from in own & self.board.role(role) {
                let left = occupied.without(from);
                let uncovered = self.uncovered(role, left, attackers);
                let promotes = role == Role::Pawn && self.promotion.is_some();
                if self.pins_matter {
                    if self.is_exposed(turn, left, left) {
                        continue;
                    }
                } else if !promotes {
                    let for_us = uncovered.meets(self.board.color(turn));
                    if settled && !for_us {
                        continue;
                    }
                    settled |= for_us || uncovered.is_empty();
                }
                let bonus = if promotes { self.promotion.unwrap_or(0) } else { 0 };
                let gain = stake + bonus;
                let after = State {
                    turn: !turn,
                    occupied: left,
                    attackers: attackers.without(from) | uncovered,
                    stake: self.values.of(role) + bonus,
                };
                let floor = alpha.max(won);
                won = won.max(gain - self.rest(after, gain - beta, gain - floor));
                if won >= beta {
                    return won;
                }
            }
        }
        // A king captures only if the other side cannot recapture. No piece of the other side attacks
        // through the square that the king leaves: it would attack the king as well.
        let kings = own & self.board.role(Role::King);
        if kings.any() && stake > won && !attackers.meets(self.board.color(!turn)) {
            won = stake;
        }
        won
    }

    /// The pieces that attack the target after a piece of the role has left, but did not before.
    #[inline(always)]
    fn uncovered(&self, role: Role, occupied: Bitboard, attackers: Bitboard) -> Bitboard {
        let mut uncovered = Bitboard::EMPTY;
        let hidden = |sliders: Bitboard| sliders & (occupied - attackers);
        // A pawn captures along a diagonal, and a knight uncovers no piece.
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            let diagonal = hidden(self.diagonal);
            if diagonal.any() {
                uncovered |= attacks::bishop(self.target, occupied) & diagonal;
            }
        }
        if matches!(role, Role::Rook | Role::Queen) {
            let orthogonal = hidden(self.orthogonal);
            if orthogonal.any() {
                uncovered |= attacks::rook(self.target, occupied) & orthogonal;
            }
        }
        uncovered
    }

    /// Does a slider of the other side among `pieces` attack the king of `color` if exactly these
    /// squares are occupied? The piece on the target does not count: it is `color`'s own, or about
    /// to be captured.
    fn is_exposed(&self, color: Color, occupied: Bitboard, pieces: Bitboard) -> bool {
        let king = self.board.pieces(color, Role::King).first_unchecked();
        let others = self.board.color(!color) & pieces.without(self.target);
        let orthogonal = others & (self.board.role(Role::Rook) | self.board.role(Role::Queen));
        let diagonal = others & (self.board.role(Role::Bishop) | self.board.role(Role::Queen));
        (attacks::rook_rays(king).meets(orthogonal)
            && attacks::rook(king, occupied).meets(orthogonal))
            || (attacks::bishop_rays(king).meets(diagonal)
                && attacks::bishop(king, occupied).meets(diagonal))
    }
}
