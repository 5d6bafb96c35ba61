//! The errors for text in standard algebraic notation that means no legal move, or more than one.

use super::resolve::{origins, reach};
use super::{MissingPiece, San, SanAction, SanCandidate, SanCause, SanError, SanPiece};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::explain::{PlacedPiece, Reasons, Refusal};
use crate::movegen::Restriction;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
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
        // A piece that stands on the target is not meant, unless there is no other.
        let pieces = if pieces == to.bitboard() { pieces } else { pieces.without(to) };
        // Begin with those that could get there on an empty board.
        let near = match role {
            Role::Pawn => Bitboard::FULL,
            role => reach(role, to, Bitboard::EMPTY),
        };
        let squares = (pieces & near).iter().chain((pieces - near).iter());
        let candidates = squares.fold(None, |known, from| {
            Some(add(known, role, &self.refuse_step(UciMove { from, to, promotion })))
        });
        SanError::new(match candidates {
            Some(candidates) => SanCause::Illegal { san: *san, candidates },
            None => {
                let piece = MissingPiece { color: self.turn(), role, file, rank };
                SanCause::NoPiece { san: *san, piece }
            }
        })
    }

    fn refuse_castling(&self, san: &San, side: CastlingSide) -> SanError {
        let us = self.turn();
        let mv = Move::new(self.king(us), side.king_target(us), MoveKind::castle(side));
        let candidates = add(None, Role::King, &self.refuse_move(mv));
        SanError::new(SanCause::Illegal { san: *san, candidates })
    }
}

type Candidates = Reasons<SanCandidate, 8>;

/// Adds the reasons of a piece to those of others.
fn add(known: Option<Candidates>, role: Role, refusal: &Refusal) -> Candidates {
    let piece = PlacedPiece { role, square: refusal.text.from };
    let candidate = |reason| SanCandidate { piece, reason };
    let first = candidate(refusal.reasons.first());
    let mut candidates = known.unwrap_or(Reasons::new(first));
    refusal.reasons.as_slice().iter().for_each(|&reason| candidates.add(candidate(reason)));
    candidates
}
