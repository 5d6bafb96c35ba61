//! Finds every reason why a move is not legal.
//!
//! The move itself is examined first: is there a piece, can it move like this, is anything in its
//! way? If it can move like this on some board, the safety of the king is examined: pins, checks,
//! attacked squares. Castling and en passant have rules of their own.

use super::explanation::{Explanation, Refusal};
use super::reason::Reason;
use super::reasons::Reasons;
use super::words::PlacedPiece;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
use crate::movegen::Legality;
use crate::movegen::safety::{en_passant_attackers, en_passant_victim};
use crate::position::Position;
use crate::role::Role;
use crate::square::{File, Square};
use crate::text::fen::EnPassantMode;
use crate::text::uci::UciMove;

/// One move under examination.
pub(super) struct Diagnosis<'a> {
    position: &'a Position,
    board: &'a Board,
    us: Color,
    enemies: Bitboard,
    facts: Legality,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    /// Is the move written in algebraic notation, in which a king's step is never castling?
    is_san: bool,
    found: Option<Found>,
}

type Found = Reasons<Reason, { Explanation::CAPACITY }>;

impl<'a> Diagnosis<'a> {
    pub(super) fn new(position: &'a Position, text: UciMove) -> Self {
        let UciMove { from, to, promotion } = text;
        let (board, us) = (position.board(), position.turn());
        let (enemies, facts) = (board.color(!us), position.legality());
        let (is_san, found) = (false, None);
        Self { position, board, us, enemies, facts, from, to, promotion, is_san, found }
    }

    /// All reasons why the move of the text is not legal; `None` if it is.
    pub(super) fn reasons(mut self) -> Option<Found> {
        self.examine();
        self.found
    }

    /// The refusal of the move of the text, which must not be legal.
    pub(super) fn refuse(mut self) -> Refusal {
        self.examine();
        self.refusal()
    }

    /// The refusal of the same move in algebraic notation, where it is not castling.
    pub(super) fn refuse_san(self) -> Refusal {
        Self { is_san: true, ..self }.refuse()
    }

    /// The refusal of castling, which must not be legal.
    pub(super) fn refuse_castling(mut self, side: CastlingSide) -> Refusal {
        self.castling(side, self.castling_rook(side));
        self.refusal()
    }

    fn refusal(&self) -> Refusal {
        let text = UciMove { from: self.from, to: self.to, promotion: self.promotion };
        match self.found {
            Some(reasons) => Refusal { text, reasons },
            None => panic!("{text} must be legal or have a reason in {:?}", self.position),
        }
    }

    fn add_reason(&mut self, reason: Reason) {
        match &mut self.found {
            Some(found) => found.push(reason),
            None => self.found = Some(Reasons::new(reason)),
        }
    }

    /// The piece on a square that is not empty.
    fn piece_at(&self, square: Square) -> PlacedPiece {
        PlacedPiece { role: self.board.role_on_occupied(square), square }
    }

    fn examine(&mut self) {
        let Some(piece) = self.board.piece_on(self.from) else {
            return self.add_reason(Reason::EmptySquare { from: self.from });
        };
        if piece.color != self.us {
            return self.add_reason(Reason::OpponentsPiece {
                piece: self.piece_at(self.from),
                color: piece.color,
            });
        }
        if self.from == self.to {
            return self.add_reason(Reason::SameSquare);
        }
        if piece.role == Role::King && self.castles() {
            return self.no_promotion(Role::King);
        }
        if self.board.color(self.us).has(self.to) {
            self.add_reason(Reason::OwnPiece { piece: self.piece_at(self.to) });
        }
        match piece.role {
            Role::Pawn => self.pawn(),
            Role::King => self.king(),
            role => self.piece(role),
        }
        if piece.role != Role::Pawn {
            self.no_promotion(piece.role);
        }
    }

    /// Knights, bishops, rooks and queens.
    fn piece(&mut self, role: Role) {
        let (from, to) = (self.from, self.to);
        let reach = match role {
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop_rays(from),
            Role::Rook => attacks::rook_rays(from),
            _ => attacks::bishop_rays(from) | attacks::rook_rays(from),
        };
        if !reach.has(to) {
            return self.cannot_reach();
        }
        self.blocked(attacks::between(from, to));
        self.king_stays_safe();
    }

    fn cannot_reach(&mut self) {
        self.add_reason(Reason::CannotReach { piece: self.piece_at(self.from), to: self.to });
    }

    /// Reports the first piece on a path that leads away from the moving piece.
    fn blocked(&mut self, path: Bitboard) {
        let blockers = path & self.board.occupied();
        let first = if self.to > self.from { blockers.first() } else { blockers.last() };
        if let Some(first) = first {
            self.add_reason(Reason::Blocked { by: self.piece_at(first) });
        }
    }

    /// Pins and checks, for pieces other than the king.
    fn king_stays_safe(&mut self) {
        if !self.facts.pin_line(self.from).has(self.to) {
            self.pinned();
        }
        if !self.facts.check_mask().has(self.to) {
            self.check_remains();
        }
    }

    fn pinned(&mut self) {
        if let Some(by) = self.pinner(self.from) {
            let piece = self.piece_at(self.from);
            self.add_reason(Reason::Pinned { piece, king: self.facts.king, by });
        }
    }

    /// The piece that attacks the king with a pinned piece removed.
    fn pinner(&self, pinned: Square) -> Option<PlacedPiece> {
        let pinner = self.board.slider_behind(self.facts.king, pinned);
        pinner.filter(|&square| self.enemies.has(square)).map(|square| self.piece_at(square))
    }

    fn check_remains(&mut self) {
        let mut checkers = self.facts.checkers.iter().map(|square| self.piece_at(square));
        match (checkers.next(), checkers.next()) {
            (Some(first), Some(second)) => self.add_reason(Reason::DoubleCheck { first, second }),
            (Some(checker), None) => self.add_reason(Reason::CheckRemains { checker }),
            (None, _) => {}
        }
    }

    /// Steps of the king.
    fn king(&mut self) {
        let (from, to) = (self.from, self.to);
        if !attacks::king(from).has(to) {
            return self.cannot_reach();
        }
        for attacker in self.position.generator().king_attackers(to) {
            let by = self.piece_at(attacker);
            self.add_reason(match by.role {
                Role::King => Reason::KingsAdjacent { to, king: attacker },
                _ => Reason::KingAttacked { to, by },
            });
        }
    }
}

/// Pawns.
impl Diagnosis<'_> {
    fn pawn(&mut self) {
        let (from, to) = (self.from, self.to);
        let forward = self.us.forward();
        let last_rank = (!self.us).back_rank();
        let ahead = from.step(forward);
        let two_ahead = ahead.and_then(|square| square.step(forward));
        if attacks::pawn(self.us, from).has(to) {
            if !self.board.occupied().has(to) {
                self.capture_on_empty_square();
            } else {
                self.king_stays_safe();
            }
        } else if ahead == Some(to) || two_ahead == Some(to) {
            if ahead != Some(to) && from.rank() != self.us.pawn_rank() {
                self.add_reason(Reason::DoublePush { rank: self.us.pawn_rank() });
            }
            // A pawn cannot capture straight ahead. A piece of its own side on the target has been
            // reported already.
            let path = attacks::between(from, to) | (to.bitboard() & self.enemies);
            self.blocked(path);
            self.king_stays_safe();
        } else {
            self.cannot_reach();
            return self.no_promotion(Role::Pawn);
        }
        match self.promotion {
            None if to.rank() == last_rank => self.add_reason(Reason::PromotionMissing { to }),
            _ => self.no_promotion(Role::Pawn),
        }
    }

    /// The pawn moves diagonally to an empty square, so the move can only be en passant.
    fn capture_on_empty_square(&mut self) {
        let (from, to) = (self.from, self.to);
        let double_push_square = self.position.to_setup_with(EnPassantMode::Always).en_passant;
        if double_push_square != Some(to) {
            let pawn = en_passant_victim(to);
            let beside = to.rank() == (!self.us).double_push_rank()
                && self.board.pieces(!self.us, Role::Pawn).has(pawn);
            self.add_reason(if beside {
                Reason::NotEnPassant { to, pawn }
            } else {
                Reason::NothingToCapture { to }
            });
            return self.king_stays_safe();
        }
        let attackers = en_passant_attackers(self.board, self.us, from, to);
        let remaining_checkers = attackers & self.facts.checkers;
        if remaining_checkers.any() {
            self.check_remains();
        }
        let king = self.facts.king;
        let pin_line = self.facts.pin_line(from);
        for attacker in attackers - remaining_checkers {
            if !pin_line.has(to) && pin_line.has(attacker) {
                self.pinned();
            } else {
                self.add_reason(Reason::EnPassantUncovers { king, by: self.piece_at(attacker) });
            }
        }
    }

    /// The move names a promotion that is not possible.
    fn no_promotion(&mut self, role: Role) {
        let Some(becomes) = self.promotion else { return };
        let rank = (!self.us).back_rank();
        if role != Role::Pawn || self.to.rank() != rank {
            self.add_reason(Reason::NoPromotion { role, rank });
        } else if !Role::PROMOTIONS.contains(&becomes) {
            self.add_reason(Reason::PromotionRole { role: becomes });
        }
    }
}

/// Castling.
impl Diagnosis<'_> {
    /// Does the king move as if to castle? If so, adds the reasons why it may not castle.
    fn castles(&mut self) -> bool {
        let (from, to) = (self.from, self.to);
        let back_rank = self.us.back_rank();
        if from.rank() != to.rank() {
            return false;
        }
        let side = CastlingSide::of(from, to);
        let target = side.king_target(self.us);
        let castling_rook = self.castling_rook(side);
        // In algebraic notation, another rook is a piece in the king's way.
        let takes_rook = match self.is_san {
            true => castling_rook == Some(to),
            false => self.board.pieces(self.us, Role::Rook).has(to),
        };
        let (castles, written, rook) = match self.position.castling_mode() {
            CastlingMode::Standard => {
                let home = Square::new(File::E, back_rank);
                let two_files = (from as u8).abs_diff(to as u8) == 2;
                if two_files && from != home {
                    self.add_reason(Reason::CastlingPlace { home });
                    return true;
                }
                let corner = Square::new(side.standard_rook_file(), back_rank);
                let castles = two_files || castling_rook == Some(to);
                (castles, target, castling_rook.unwrap_or(corner))
            }
            CastlingMode::Chess960 => {
                let to_target = to == target && !attacks::king(from).has(to);
                let castles = from.rank() == back_rank && (takes_rook || to_target);
                let rook = if takes_rook { to } else { castling_rook.unwrap_or(to) };
                (castles, rook, rook)
            }
        };
        if castles {
            if self.is_san {
                self.add_reason(Reason::CastlingLetters { side });
            } else if written != to {
                let instead = UciMove { from, to: written, promotion: None };
                self.add_reason(Reason::CastlingNotation { instead });
            }
            self.castling(side, Some(rook));
        }
        castles
    }

    /// The rook that has the right to castle on this side.
    fn castling_rook(&self, side: CastlingSide) -> Option<Square> {
        self.position.castling_rights().rook(self.us, side, self.facts.king)
    }

    /// Adds the reasons why castling on this side with the wanted rook is not legal.
    fn castling(&mut self, side: CastlingSide, wanted: Option<Square>) {
        let (us, king) = (self.us, self.facts.king);
        match (wanted, self.castling_rook(side)) {
            (Some(rook), Some(castles)) if rook != castles => {
                return self.add_reason(Reason::CastlingRook { rook, castles });
            }
            (_, Some(_)) => {}
            (_, None) => self.add_reason(Reason::CastlingRight { color: us, side }),
        }
        let rook = wanted.filter(|&rook| self.board.pieces(us, Role::Rook).has(rook));
        let Some(rook) = rook.filter(|_| king.rank() == us.back_rank()) else { return };
        for square in side.clear_squares(us, king, rook) & self.board.occupied() {
            self.add_reason(Reason::CastlingBlocked { by: self.piece_at(square) });
        }
        for checker in self.facts.checkers {
            self.add_reason(Reason::CastlingInCheck { checker: self.piece_at(checker) });
        }
        let target = side.king_target(us);
        for square in side.king_path(us, king).without(king) {
            for attacker in self.board.attackers_of(!self.us, square) {
                let by = self.piece_at(attacker);
                self.add_reason(if square == target {
                    Reason::CastlingInto { to: square, by }
                } else {
                    Reason::CastlingThrough { through: square, by }
                });
            }
        }
        if let Some(by) = self.pinner(rook).filter(|_| self.facts.pinned.has(rook)) {
            self.add_reason(Reason::CastlingRookPinned { rook, by });
        }
    }
}
