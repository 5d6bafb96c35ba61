//! A single move from any source, without generating any.

use super::safety::king_attackers_after;
use crate::attacks::{self, DefaultSliders, Sliders};
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

impl Position {
    /// The pseudo-legal move between two squares, unless it is castling or en passant: these are
    /// rare and need more than the squares, so they are left to the generator.
    #[inline(always)]
    pub(crate) fn simple_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Move> {
        let (board, us) = (self.board(), self.turn());
        let (own, occupied) = (board.color(us), board.occupied());
        if !own.has(from) || own.has(to) {
            return None;
        }
        let is_capture = occupied.has(to);
        let usual = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
        let role = board.role_on_occupied(from);
        let kind = if role == Role::Pawn {
            let next = from.step(us.forward())?;
            let is_double = from.rank() == us.pawn_rank() && next.step(us.forward()) == Some(to);
            let is_reached = if is_capture {
                attacks::pawn(us, from).has(to)
            } else {
                to == next || is_double && !occupied.has(next)
            };
            match (promotion, to.rank() == (!us).back_rank()) {
                _ if !is_reached => None,
                (Some(role), true) => MoveKind::promotion(role, is_capture),
                (None, false) => Some(if is_double { MoveKind::DoublePush } else { usual }),
                _ => None,
            }
        } else {
            let reached = attacks::piece(DefaultSliders::default(), role.of(us), from, occupied);
            (promotion.is_none() && reached.has(to)).then_some(usual)
        };
        kind.map(|kind| Move::new(from, to, kind))
    }

    /// Is the king safe after such a move?
    #[inline(always)]
    pub(crate) fn allows_simple<L: Sliders>(&self, sliders: L, mv: Move) -> bool {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        let king = self.king(us);
        let king = if from == king { to } else { king };
        king_attackers_after(sliders, self.board(), (us, king), from.bitboard(), to).is_empty()
    }
}
