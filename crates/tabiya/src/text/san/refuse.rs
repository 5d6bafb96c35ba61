//! The errors for text in standard algebraic notation that means no legal move, or more than one.

use super::resolve::{origins, reach};
use super::{MissingPiece, San, SanAction, SanCandidate, SanCause, SanError, SanPiece};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::explain::{Explanation, PlacedPiece};
use crate::movegen::Restriction;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;
use crate::text::uci::UciMove;

impl Position {
    /// The error for a text whose move [`find_san`](Self::find_san) has not found.
    #[cold]
    pub(super) fn refuse_san(&self, san: &San) -> SanError {
        match san.action {
            SanAction::Piece(piece) => self.refuse_piece(san, &piece),
            SanAction::Castle(side) => self.refuse_castling(san, side),
            SanAction::Null => SanError::new(SanCause::Null),
        }
    }

    fn refuse_piece(&self, san: &San, piece: &SanPiece) -> SanError {
        let SanPiece { role, to, .. } = *piece;
        let within = Restriction::UNRESTRICTED.roles(&[role]).to(to);
        let mut legal = self.legal_moves_within(within);
        legal.retain(|mv| mv.castling().is_none());
        let allowed = origins(piece);
        let meant = |mv: &&Move| allowed.has(mv.from()) && mv.promotion() == piece.promotion;

        let found = legal.iter().filter(meant).count().min(u8::MAX.into()) as u8;
        debug_assert_ne!(found, 1, "{san} is a legal move of {self:?}");
        if found > 0 {
            let mut error = SanError::new(SanCause::Ambiguous { san: *san, role, to, found });
            legal.iter().filter(meant).for_each(|&mv| self.add_choice(&mut error, mv));
            return error;
        }
        let mut error = self.refuse_all(san, piece);
        legal.iter().for_each(|&mv| self.add_choice(&mut error, mv));
        error
    }

    fn add_choice(&self, error: &mut SanError, mv: Move) {
        error.add_choice(San { action: self.san_action(mv), mark: None });
    }

    /// A pawn that does not capture stays on its file.
    fn full_origin(&self, piece: &SanPiece) -> SanPiece {
        let file = match piece.role {
            Role::Pawn => Some(piece.file.unwrap_or(piece.to.file())),
            _ => piece.file,
        };
        SanPiece { file, ..*piece }
    }

    /// The error with the reasons of every piece that could be meant.
    fn refuse_all(&self, san: &San, piece: &SanPiece) -> SanError {
        let SanPiece { role, to, file, rank, promotion, .. } = self.full_origin(piece);
        let pieces = self.board().pieces(self.turn(), role) & origins(piece);
        if pieces.is_empty() {
            let color = self.turn();
            let piece = MissingPiece { color, role, file, rank };
            return SanError::new(SanCause::NoPiece { san: *san, piece });
        }
        // A piece that stands on the target is not meant, unless there is no other.
        let pieces = if pieces == to.bitboard() { pieces } else { pieces.without(to) };
        let mut error = SanError::new(SanCause::Illegal { san: *san, found: 0 });
        // Begin with those that could get there on an empty board.
        let near = match role {
            Role::Pawn => Bitboard::FULL,
            role => reach(role, to, Bitboard::EMPTY),
        };
        for from in (pieces & near).iter().chain((pieces - near).iter()) {
            let explanation = self.explain(UciMove { from, to, promotion });
            add_reasons(&mut error, role, from, &explanation);
        }
        error
    }

    fn refuse_castling(&self, san: &San, side: CastlingSide) -> SanError {
        let us = self.turn();
        let king = self.king(us);
        let mv = Move::new(king, side.king_target(us), MoveKind::castle(side));
        let mut error = SanError::new(SanCause::Illegal { san: *san, found: 0 });
        add_reasons(&mut error, Role::King, king, &self.explain_move(mv));
        error
    }
}

fn add_reasons(error: &mut SanError, role: Role, square: Square, explanation: &Explanation) {
    let piece = PlacedPiece { role, square };
    for &reason in explanation.reasons() {
        error.add_candidate(SanCandidate { piece, reason });
    }
}
