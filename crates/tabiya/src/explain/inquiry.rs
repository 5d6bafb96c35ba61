//! Looking for everything that speaks against a move.
//!
//! First the move itself: is there a man, does it go like this, is anything in its way? Then, if
//! the man can go like this at all, the king: pins, checks, attacked squares. Castling and en
//! passant have rules of their own.

use super::{Explanation, Man, Reason};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, Wing};
use crate::color::Color;
use crate::movegen::Legality;
use crate::movegen::legality::{
    castling_path, castling_room, en_passant_attackers, en_passant_victim, king_attackers,
};
use crate::position::Position;
use crate::role::Role;
use crate::square::{File, Square};
use crate::text::fen::EnPassantMode;
use crate::text::uci::UciMove;

/// One move under examination.
pub(super) struct Inquiry<'a> {
    position: &'a Position,
    board: &'a Board,
    us: Color,
    enemies: Bitboard,
    facts: Legality,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    explanation: Explanation,
}

impl<'a> Inquiry<'a> {
    pub(super) fn new(position: &'a Position, explanation: Explanation) -> Self {
        let UciMove { from, to, promotion } = explanation.text();
        let (board, us) = (position.board(), position.turn());
        let (enemies, facts) = (board.color(!us), position.legality());
        Self { position, board, us, enemies, facts, from, to, promotion, explanation }
    }

    /// Everything that speaks against the move of the text.
    pub(super) fn into_text(mut self) -> Explanation {
        self.examine();
        self.explanation
    }

    /// Everything that speaks against castling.
    pub(super) fn into_castling(mut self, wing: Wing) -> Explanation {
        self.castling(wing, self.entitled_rook(wing));
        self.explanation
    }

    fn blame(&mut self, reason: Reason) {
        self.explanation.push(reason);
    }

    /// The man on a square that is not empty.
    fn man(&self, square: Square) -> Man {
        Man { role: self.board.role_on_occupied(square), square }
    }

    fn examine(&mut self) {
        let Some(piece) = self.board.piece_on(self.from) else {
            return self.blame(Reason::Nobody { from: self.from });
        };
        if piece.color != self.us {
            return self.blame(Reason::NotYours { man: self.man(self.from), color: piece.color });
        }
        if self.from == self.to {
            return self.blame(Reason::SameSquare);
        }
        if piece.role == Role::King && self.castles() {
            return self.no_promotion(Role::King);
        }
        if self.board.color(self.us).has(self.to) {
            self.blame(Reason::OwnMan { man: self.man(self.to) });
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
            return self.geometry();
        }
        self.blocked(attacks::between(from, to));
        self.king_stays_safe();
    }

    fn geometry(&mut self) {
        self.blame(Reason::Geometry { man: self.man(self.from), to: self.to });
    }

    /// Blames the first man on a way that leads away from the moving one.
    fn blocked(&mut self, way: Bitboard) {
        let men = way & self.board.occupied();
        let first = if self.to > self.from { men.first() } else { men.last() };
        if let Some(first) = first {
            self.blame(Reason::Blocked { by: self.man(first) });
        }
    }

    /// Pins and checks, for a man that is not the king.
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
            let man = self.man(self.from);
            self.blame(Reason::Pinned { man, king: self.facts.king, by });
        }
    }

    /// Who attacks the king as soon as a pinned man is gone.
    fn pinner(&self, pinned: Square) -> Option<Man> {
        let uncovering = self.board.occupied().without(pinned);
        let sliders = attacks::DefaultSliders::default();
        let attackers = self.board.attackers_with(sliders, self.facts.king, uncovering);
        let behind = |&man: &Square| attacks::between(self.facts.king, man).has(pinned);
        (attackers & self.enemies).iter().find(behind).map(|square| self.man(square))
    }

    fn check_remains(&mut self) {
        let mut checkers = self.facts.checkers.iter().map(|square| self.man(square));
        match (checkers.next(), checkers.next()) {
            (Some(first), Some(second)) => self.blame(Reason::DoubleCheck { first, second }),
            (Some(checker), None) => self.blame(Reason::CheckRemains { checker }),
            (None, _) => {}
        }
    }

    /// Steps of the king.
    fn king(&mut self) {
        let (from, to) = (self.from, self.to);
        if !attacks::king(from).has(to) {
            return self.geometry();
        }
        for attacker in king_attackers(self.board, self.us, from, to) {
            let by = self.man(attacker);
            self.blame(match by.role {
                Role::King => Reason::KingsAdjacent { to, king: attacker },
                _ => Reason::KingAttacked { to, by },
            });
        }
    }
}

/// Pawns.
impl Inquiry<'_> {
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
                self.blame(Reason::DoublePush { rank: self.us.pawn_rank() });
            }
            // A pawn does not take what stands straight ahead; an own man there is blamed already.
            let way = attacks::between(from, to) | (to.bitboard() & self.enemies);
            self.blocked(way);
            self.king_stays_safe();
        } else {
            self.geometry();
            return self.no_promotion(Role::Pawn);
        }
        match self.promotion {
            None if to.rank() == last_rank => self.blame(Reason::PromotionMissing { to }),
            _ => self.no_promotion(Role::Pawn),
        }
    }

    /// The pawn goes aside to an empty square: en passant, or nothing.
    fn capture_on_empty_square(&mut self) {
        let (from, to) = (self.from, self.to);
        let passed = self.position.to_setup_with(EnPassantMode::Always).en_passant;
        if passed != Some(to) {
            let pawn = en_passant_victim(to);
            let beside = to.rank() == (!self.us).double_push_rank()
                && self.board.pieces(!self.us, Role::Pawn).has(pawn);
            self.blame(if beside {
                Reason::NotEnPassant { to, pawn }
            } else {
                Reason::NothingToCapture { to }
            });
            return self.king_stays_safe();
        }
        let attackers = en_passant_attackers(self.board, self.us, from, to);
        let old = attackers & self.facts.checkers;
        if old.any() {
            self.check_remains();
        }
        let king = self.facts.king;
        let pin_line = self.facts.pin_line(from);
        for attacker in attackers - old {
            if !pin_line.has(to) && pin_line.has(attacker) {
                self.pinned();
            } else {
                self.blame(Reason::EnPassantUncovers { king, by: self.man(attacker) });
            }
        }
    }

    /// The move asks for a promotion that cannot be.
    fn no_promotion(&mut self, role: Role) {
        let Some(becomes) = self.promotion else { return };
        let rank = (!self.us).back_rank();
        if role != Role::Pawn || self.to.rank() != rank {
            self.blame(Reason::NoPromotion { role, rank });
        } else if !Role::PROMOTIONS.contains(&becomes) {
            self.blame(Reason::PromotionRole { role: becomes });
        }
    }
}

/// Castling.
impl Inquiry<'_> {
    /// Does the king move as if to castle? If so, says what speaks against it.
    fn castles(&mut self) -> bool {
        let (from, to) = (self.from, self.to);
        let back_rank = self.us.back_rank();
        if from.rank() != to.rank() {
            return false;
        }
        let wing = Wing::of(from, to);
        let target = wing.king_target(self.us);
        let entitled = self.entitled_rook(wing);
        let takes_rook = self.board.pieces(self.us, Role::Rook).has(to);
        let (castles, written, rook) = match self.position.mode() {
            CastlingMode::Standard => {
                let home = Square::new(File::E, back_rank);
                let two_aside = (from as u8).abs_diff(to as u8) == 2;
                if two_aside && from != home {
                    self.blame(Reason::CastlingPlace { home });
                    return true;
                }
                let corner = Square::new(wing.standard_rook_file(), back_rank);
                let castles = two_aside || entitled == Some(to);
                (castles, target, entitled.unwrap_or(corner))
            }
            CastlingMode::Chess960 => {
                let to_target = to == target && !attacks::king(from).has(to);
                let castles = from.rank() == back_rank && (takes_rook || to_target);
                let rook = if takes_rook { to } else { entitled.unwrap_or(to) };
                (castles, rook, rook)
            }
        };
        if castles {
            if written != to {
                let instead = UciMove { from, to: written, promotion: None };
                self.blame(Reason::CastlingNotation { instead });
            }
            self.castling(wing, Some(rook));
        }
        castles
    }

    /// The rook with which the side to move may castle on a wing.
    fn entitled_rook(&self, wing: Wing) -> Option<Square> {
        self.position.castling_rights().rook(self.us, wing, self.facts.king)
    }

    /// What speaks against castling on a wing with the rook that is meant.
    fn castling(&mut self, wing: Wing, meant: Option<Square>) {
        let (us, king) = (self.us, self.facts.king);
        if meant.is_none() || meant != self.entitled_rook(wing) {
            self.blame(Reason::CastlingRight { color: us, wing });
        }
        let rook = meant.filter(|&rook| self.board.pieces(us, Role::Rook).has(rook));
        let Some(rook) = rook.filter(|_| king.rank() == us.back_rank()) else { return };
        for square in castling_room(us, king, rook, wing) & self.board.occupied() {
            self.blame(Reason::CastlingBlocked { by: self.man(square) });
        }
        for checker in self.facts.checkers {
            self.blame(Reason::CastlingInCheck { checker: self.man(checker) });
        }
        let target = wing.king_target(us);
        for square in castling_path(us, king, wing).without(king) {
            for attacker in self.board.attackers_to(square) & self.enemies {
                let by = self.man(attacker);
                self.blame(if square == target {
                    Reason::CastlingInto { to: square, by }
                } else {
                    Reason::CastlingThrough { through: square, by }
                });
            }
        }
        if let Some(by) = self.pinner(rook).filter(|_| self.facts.pinned.has(rook)) {
            self.blame(Reason::CastlingRookPinned { rook, by });
        }
    }
}
