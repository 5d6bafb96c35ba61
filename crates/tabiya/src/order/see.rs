//! Static exchange evaluation: what a move wins or loses once everybody has captured back on
//! its target square.
//!
//! The exchange is a small game. Both sides in turn may capture on the target or stop; what is
//! won counts. Its value is found by alpha-beta search over the captures on this one square, so
//! it is exact: also where the least valuable man should *not* take first, because he would open
//! a line to a man of the other side behind him.
//!
//! Almost always there is nothing to search. Let each man that can capture be of one of three
//! classes: behind him on his line stands another man of his side that joins the exchange, or
//! nobody who does, or a man of the other side. A man `a` is at least as good a choice as a man
//! `b` that is worth no less if
//!
//! * `a` uncovers nobody of the other side, and `b` nobody of his own side,
//!
//! since any plan that begins with `b` can be carried out with `a` and `b` exchanged: until `a`'s
//! turn comes in that plan, the own side has lost no more, has at least the same men to capture
//! with, and the other side at most the same; after it, everything is equal. So one such `a`
//! settles all such `b`s, and without men behind each other one capture a side and turn remains.
//! The value left is never below zero (stop) nor above what stands on the target (the other side
//! stops), which cuts off most of the rest.
//!
//! When pins are respected, only legal captures count: a man may become pinned or be freed, and
//! a line to a king be opened, as the others leave. Then all captures are tried; but only if
//! some line to a king leads through the men that take part.
//!
//! The search is small wherever chess is played: it takes some tens of nanoseconds. On boards
//! made for the purpose, with nearly all men of both sides behind each other on the lines of one
//! square, it can take a millisecond.
//!
//! What belongs to the exchange:
//!
//! * A king captures last, and only where nobody can capture back.
//! * A pawn that captures on the last rank becomes a queen, or what else is worth most. (With a
//!   piece worth more it wins as much more at once as it may lose afterwards.)
//! * A move to an empty square risks the man that moves; en passant takes a pawn from beside the
//!   target; both go on as captures do. A capture en passant *in answer* is not on the target.
//! * Castling has the value 0: neither does it take, nor can a king be taken.

use super::values::PieceValues;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::movegen::legality::en_passant_victim;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::{Rank, Square};

/// What a legal move wins (or loses, below zero) in the exchange on its target square, in
/// hundredths of a pawn, pins left aside: [`See::value`] of [`See::DEFAULT`].
///
/// ```
/// use tabiya::{order::see, Position};
/// // The pawn on e5 is defended by a knight: rook for pawn and nothing more.
/// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// assert_eq!(see(&position, position.parse_uci("e1e5").unwrap()), 100 - 500);
/// ```
pub fn see(position: &Position, mv: Move) -> i32 {
    See::DEFAULT.value(position, mv)
}

/// Does a legal move win at least `threshold`? Finding that out takes less than the exact
/// value: [`See::is_at_least`] of [`See::DEFAULT`].
///
/// ```
/// use tabiya::{order::see_ge, Position};
/// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// let takes = position.parse_uci("e1e5").unwrap();
/// assert!(see_ge(&position, takes, -400));
/// assert!(!see_ge(&position, takes, -399));
/// ```
pub fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
    See::DEFAULT.is_at_least(position, mv, threshold)
}

/// Static exchange evaluation with values and rules of the caller's choice. The algorithm is
/// told at the top of `order/see.rs`.
///
/// ```
/// use tabiya::{order::{PieceValues, See}, Position};
/// // The knight that defends e5 is pinned by the bishop.
/// let position = Position::from_fen("4k3/8/2n5/1B2p3/8/8/8/4RK2 w - - 0 1").unwrap();
/// let takes = position.parse_uci("e1e5").unwrap();
/// let see = See::with_values(PieceValues::new([1, 3, 3, 5, 9]));
/// assert_eq!(see.value(&position, takes), 1 - 5);
/// assert_eq!(see.respecting_pins().value(&position, takes), 1);
/// ```
///
/// It is exact where capturing with the cheapest man is not best. Here White must take back with
/// the rook, since the bishop would let Black's bishop in:
///
/// ```
/// use tabiya::{order::see, Position};
/// let position = Position::from_fen("2K5/5p2/2R3R1/6k1/4B3/8/2b5/8 b - - 0 1").unwrap();
/// assert_eq!(see(&position, position.parse_uci("f7g6").unwrap()), 500 - 100);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct See {
    values: PieceValues,
    pins: bool,
}

impl See {
    /// With [`PieceValues::DEFAULT`]; pins are left aside.
    pub const DEFAULT: Self = Self::with_values(PieceValues::DEFAULT);

    /// With these values; pins are left aside.
    pub const fn with_values(values: PieceValues) -> Self {
        Self { values, pins: false }
    }

    /// Only legal captures count from now on: a pinned man stays on the line of its pin, and
    /// when a line to a king has been opened, only captures that close it are possible.
    #[must_use]
    pub const fn respecting_pins(self) -> Self {
        Self { pins: true, ..self }
    }

    /// What the men are worth to it.
    pub const fn values(&self) -> PieceValues {
        self.values
    }

    /// What a legal move wins or loses in the exchange on its target square.
    pub fn value(&self, position: &Position, mv: Move) -> i32 {
        let (gain, stake) = self.first(position, mv);
        Exchange::after(self, position, mv, stake)
            .map_or(gain, |(exchange, state)| gain - exchange.rest(state, 0, exchange.most(&state)))
    }

    /// Does a legal move win at least `threshold`?
    pub fn is_at_least(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        let (gain, stake) = self.first(position, mv);
        let spare = gain.saturating_sub(threshold);
        // The opponent may stop, and wins at most the man on the target and a promotion.
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

    /// What the move gains at once, and the value of the man that stands on the target then.
    #[inline(always)]
    fn first(&self, position: &Position, mv: Move) -> (i32, i32) {
        if mv.castling().is_some() {
            return (0, 0);
        }
        let board = position.board();
        let values = &self.values;
        let taken = if mv.is_en_passant() {
            values.of(Role::Pawn)
        } else if mv.is_capture() {
            values.of(board.role_on_occupied(mv.to()))
        } else {
            0
        };
        let left = values.of(board.role_on_occupied(mv.from()));
        let stake = mv.promotion().map_or(left, |role| values.of(role));
        (taken + stake - left, stake)
    }
}

/// May pawns promote by a capture here?
#[inline(always)]
const fn is_last_rank(target: Square) -> bool {
    matches!(target.rank(), Rank::First | Rank::Eighth)
}

/// What does not change during an exchange.
struct Exchange<'a> {
    board: &'a Board,
    values: PieceValues,
    target: Square,
    /// Bishops and queens on a diagonal with the target, and rooks and queens on its rank and
    /// file, at the beginning.
    diagonal: Bitboard,
    orthogonal: Bitboard,
    /// What a pawn gains by the promotion; nothing if the target is not on a last rank.
    promotion: Option<i32>,
    /// Must each capture be looked at, whether it leaves the own king in check?
    pins_matter: bool,
}

/// What does.
#[derive(Clone, Copy)]
struct State {
    turn: Color,
    occupied: Bitboard,
    /// The men of both sides that see the target.
    attackers: Bitboard,
    /// The value of the man on the target.
    stake: i32,
}

impl<'a> Exchange<'a> {
    /// The exchange that follows the first move, if anybody can capture.
    #[inline]
    fn after(see: &See, position: &'a Position, mv: Move, stake: i32) -> Option<(Self, State)> {
        let board = position.board();
        let values = see.values;
        let turn = !position.turn();
        let target = mv.to();
        if mv.castling().is_some() || position.king(position.turn()) == mv.from() {
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
        let mut attackers = Self::leapers(board, target) & occupied;
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
            // Could a line to a king ever open, if all who may take part left?
            let men = attackers | diagonal | orthogonal;
            exchange.pins_matter = Color::ALL
                .into_iter()
                .any(|color| exchange.is_exposed(color, occupied - men, occupied));
        }
        Some((exchange, State { turn, occupied, attackers, stake }))
    }

    /// Pawns, knights and kings that attack a square.
    #[inline(always)]
    fn leapers(board: &Board, target: Square) -> Bitboard {
        (attacks::knight(target) & board.role(Role::Knight))
            | (attacks::king(target) & board.role(Role::King))
            | (attacks::pawn(Color::White, target) & board.pieces(Color::Black, Role::Pawn))
            | (attacks::pawn(Color::Black, target) & board.pieces(Color::White, Role::Pawn))
    }

    /// The most that the side to move can win from here: it captures, perhaps promoting, and the
    /// other side stops.
    #[inline(always)]
    fn most(&self, state: &State) -> i32 {
        (state.stake + self.promotion.unwrap_or(0)).max(0)
    }

    /// What the side to move wins from here on: exact between `alpha` and `beta`, otherwise a
    /// bound beyond the one or the other.
    fn rest(&self, state: State, alpha: i32, beta: i32) -> i32 {
        let State { turn, occupied, attackers, stake } = state;
        // To stop costs nothing.
        let mut won = 0;
        let own = attackers & self.board.color(turn);
        if own.is_empty() || beta <= 0 {
            return won;
        }
        let most = self.most(&state);
        if most <= alpha {
            return most;
        }
        // Has a man been tried that uncovers nobody of the other side?
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
        if (own & self.board.role(Role::King)).any() && stake > won && self.king_may_capture(state)
        {
            won = stake;
        }
        won
    }

    /// Men that see the target now that one of a role has left, and did not before.
    #[inline(always)]
    fn uncovered(&self, role: Role, occupied: Bitboard, attackers: Bitboard) -> Bitboard {
        let mut uncovered = Bitboard::EMPTY;
        let hidden = |sliders: Bitboard| sliders & (occupied - attackers);
        // A pawn captures along a diagonal, and nobody stands behind a knight.
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

    /// A king may capture where nobody captures back, through the square that he leaves neither.
    fn king_may_capture(&self, state: State) -> bool {
        let king = self.board.pieces(state.turn, Role::King).first_unchecked();
        let left = state.occupied.without(king);
        let others = self.board.color(!state.turn) & left;
        let sliders = (attacks::bishop(self.target, left) & self.diagonal)
            | (attacks::rook(self.target, left) & self.orthogonal);
        ((state.attackers | sliders) & others).is_empty()
    }

    /// Does one of these men, if it is a slider of the other side, see the king of `color` over a
    /// board occupied like this? The man on the target does not count: he is `color`'s own, or
    /// about to be taken.
    fn is_exposed(&self, color: Color, occupied: Bitboard, men: Bitboard) -> bool {
        let king = self.board.pieces(color, Role::King).first_unchecked();
        let others = self.board.color(!color) & men.without(self.target);
        let orthogonal = others & (self.board.role(Role::Rook) | self.board.role(Role::Queen));
        let diagonal = others & (self.board.role(Role::Bishop) | self.board.role(Role::Queen));
        (attacks::rook_rays(king).meets(orthogonal)
            && attacks::rook(king, occupied).meets(orthogonal))
            || (attacks::bishop_rays(king).meets(diagonal)
                && attacks::bishop(king, occupied).meets(diagonal))
    }
}
