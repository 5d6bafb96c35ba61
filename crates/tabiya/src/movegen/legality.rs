//! The facts that decide which moves are legal: checkers, pins, check mask and king danger.

use super::safety::{danger, en_passant_is_legal, king_attackers};
use crate::attacks::{self, DefaultSliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Black, Color, Side, White};
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// The facts about the king of the side to move that decide which moves are legal.
///
/// A piece that is not pinned may move to any square that it reaches inside the check mask; a
/// pinned piece must also stay on its [pin line](Self::pin_line). The king may move to squares that
/// are not [attacked](Self::king_danger). En passant removes two pawns from their lines at once, so
/// it is tried out on the board instead.
///
/// ```
/// use tabiya::{Position, Square};
/// // A knight checks; the bishop is pinned by the rook.
/// let position = Position::from_fen("4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1").unwrap();
/// let facts = position.legality();
/// assert!(facts.checkers.iter().eq([Square::D3]));
/// assert!(facts.pinned.iter().eq([Square::E2]));
/// assert_eq!(facts.capture_mask, facts.checkers);
/// assert!(facts.push_mask.is_empty());
/// assert!(facts.pin_line(Square::E2).has(Square::E8));
/// assert!(facts.king_danger(&position).has(Square::F2));
/// ```
#[doc(alias("check mask", "pin mask", "king danger", "blockers"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legality {
    /// The king's square.
    pub king: Square,
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The pieces of the side to move that may not leave the line between their king and a pinner.
    pub pinned: Bitboard,
    /// The squares on which pieces other than the king may capture: all squares if there is no
    /// check, the checker's square if there is one checker, none in double check.
    pub capture_mask: Bitboard,
    /// The squares to which pieces other than the king may move without capturing: all squares if
    /// there is no check, those between king and checker if there is one checker, none in double
    /// check.
    pub push_mask: Bitboard,
}

impl Legality {
    /// The facts about the side to move.
    pub fn of(position: &Position) -> Self {
        Self::of_color(position.board(), position.turn())
    }

    fn of_color(board: &Board, color: Color) -> Self {
        match color {
            Color::White => Self::find::<White>(board),
            Color::Black => Self::find::<Black>(board),
        }
    }

    /// The facts about one side's king.
    // In WebAssembly, which has to be small, all generators share one copy of this function.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn find<S: Side>(board: &Board) -> Self {
        let them = S::Them::COLOR;
        let king = board.pieces(S::COLOR, Role::King).first_unchecked();
        let mut checkers = (attacks::knight(king) & board.pieces(them, Role::Knight))
            | (attacks::pawn(S::COLOR, king) & board.pieces(them, Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        for (sniper, blockers) in board.snipers(king, them) {
            if blockers.is_empty() {
                checkers |= sniper.bitboard();
            } else if !blockers.has_many() {
                pinned |= blockers & board.color(S::COLOR);
            }
        }
        let mut facts = Self { checkers, pinned, ..Self::unrestricted(king) };
        facts.set_check_masks();
        facts
    }

    /// The facts if there is neither a check nor a pin.
    #[inline(always)]
    pub(super) const fn unrestricted(king: Square) -> Self {
        Self {
            king,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            capture_mask: Bitboard::FULL,
            push_mask: Bitboard::FULL,
        }
    }

    /// Derives the two masks from the checkers.
    #[inline(always)]
    fn set_check_masks(&mut self) {
        if let Some(checker) = self.checkers.first() {
            (self.capture_mask, self.push_mask) = if self.checkers.has_many() {
                (Bitboard::EMPTY, Bitboard::EMPTY)
            } else {
                (self.checkers, attacks::between(self.king, checker))
            };
        }
    }

    /// The facts for pseudo-legal generation: no pins, and check masks only for evasions.
    #[inline(always)]
    pub(super) const fn pseudo_legal(self, evasions: bool) -> Self {
        let open = Self { pinned: Bitboard::EMPTY, ..self };
        if evasions {
            open
        } else {
            Self { capture_mask: Bitboard::FULL, push_mask: Bitboard::FULL, ..open }
        }
    }

    /// Is the king attacked?
    #[inline(always)]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// [`capture_mask`](Self::capture_mask) and [`push_mask`](Self::push_mask) together.
    #[inline(always)]
    pub const fn check_mask(&self) -> Bitboard {
        self.capture_mask.union(self.push_mask)
    }

    /// The squares to which a pin confines the piece on `square`: the whole board if it is not
    /// pinned, otherwise the line through the piece and the king, including the attacker.
    #[inline(always)]
    pub fn pin_line(&self, square: Square) -> Bitboard {
        if self.pinned.has(square) { attacks::line(self.king, square) } else { Bitboard::FULL }
    }

    /// The squares that the opponent attacks with the king removed. A slider attacks through the
    /// king (x-ray), so stepping straight back does not help. The opponent's defended pieces count
    /// as attacked.
    pub fn king_danger(&self, position: &Position) -> Bitboard {
        let board = position.board();
        let sliders = DefaultSliders::default();
        match position.turn() {
            Color::White => danger::<White, _>(board, sliders, self.king, Bitboard::FULL),
            Color::Black => danger::<Black, _>(board, sliders, self.king, Bitboard::FULL),
        }
    }

    /// The opponent's pieces that attack a square with the king removed, which puts the square into
    /// [`king_danger`](Self::king_danger).
    ///
    /// ```
    /// use tabiya::{Position, Square};
    /// // The rook attacks f1 through the king.
    /// let position = Position::from_fen("7k/8/8/8/8/8/8/r3K3 w - - 0 1").unwrap();
    /// let attackers = position.legality().king_attackers(&position, Square::F1);
    /// assert!(attackers.iter().eq([Square::A1]));
    /// ```
    pub fn king_attackers(&self, position: &Position, square: Square) -> Bitboard {
        king_attackers(position.board(), position.turn(), self.king, square)
    }

    /// Is a pseudo-legal move of this position legal?
    ///
    /// The move must come from a pseudo-legal generator (see
    /// [`PseudoLegal`](super::PseudoLegal)); for other moves use [`Position::is_legal`].
    ///
    /// ```
    /// use tabiya::movegen::{Legal, PseudoLegal};
    /// use tabiya::{MoveList, Position};
    /// // The knight is pinned.
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
    /// let facts = position.legality();
    /// let mut moves = MoveList::of::<PseudoLegal<Legal>>(&position);
    /// moves.retain(|mv| facts.allows(&position, mv));
    /// assert_eq!(moves.len(), position.count_legal());
    /// ```
    pub fn allows(&self, position: &Position, mv: Move) -> bool {
        let board = position.board();
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        if let Some(side) = mv.castling() {
            let rook = position.castling_rights().rook(us, side, self.king);
            return rook.is_some_and(|rook| !self.pinned.has(rook));
        }
        if from == self.king {
            return king_attackers(board, us, from, to).is_empty();
        }
        if mv.is_en_passant() {
            return en_passant_is_legal(board, us, from, to);
        }
        self.pin_line(from).has(to) && self.check_mask().has(to)
    }

    /// The pieces among those given that may go to a square: it must be in the check mask, and
    /// pinned pieces must stay on their pin lines.
    #[inline(always)]
    pub(crate) fn allowed(&self, pieces: Bitboard, to: Square) -> Bitboard {
        // A pinned piece stands on a line with its king. It may go to a square of the same line.
        if self.check_mask().has(to) {
            pieces - (self.pinned - attacks::line(self.king, to))
        } else {
            Bitboard::EMPTY
        }
    }
}
