//! The facts that decide which moves are legal: checkers, pins, check mask and king danger.

use super::generator::Generator;
use super::safety::{danger, en_passant_is_legal, king_attackers_after};
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Black, Color, White};
use crate::moves::Move;
use crate::role::Role;
use crate::square::Square;

/// The facts about the king of the side to move that decide which moves are legal.
///
/// A piece that is not pinned may move to any square that it reaches inside the check mask; a
/// pinned piece must also stay on its [pin line](Self::pin_line). The king may move to squares that
/// are not [attacked](Generator::king_danger). En passant removes two pawns from their lines at once, so
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
/// assert!(position.generator().king_danger().has(Square::F2));
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
    /// The facts about one side's king.
    #[inline(always)]
    pub(crate) fn find(board: &Board, us: Color) -> Self {
        Self::of_king(board, us, board.pieces(us, Role::King).first_unchecked())
    }

    /// The facts about one of a side's kings: a setup can have several.
    // In WebAssembly, which has to be small, all generators share one copy of this function.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of_king(board: &Board, us: Color, king: Square) -> Self {
        let them = !us;
        let mut checkers = board.pawns_and_knights_to(them, king);
        let mut pinned = Bitboard::EMPTY;
        for (sniper, blockers) in board.snipers(king, them) {
            if blockers.is_empty() {
                checkers |= sniper.bitboard();
            } else if !blockers.has_many() {
                pinned |= blockers & board.color(us);
            }
        }
        let mut facts = Self { checkers, pinned, ..Self::unrestricted(king) };
        facts.set_check_masks();
        facts
    }

    /// The facts if there is neither a check nor a pin.
    #[inline(always)]
    pub(crate) const fn unrestricted(king: Square) -> Self {
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

/// What follows from the facts, whatever the restriction.
impl<L: Sliders> Generator<'_, L> {
    /// The squares that the opponent attacks with the king removed. A slider attacks through the
    /// king (x-ray), so stepping straight back does not help. The opponent's defended pieces count
    /// as attacked.
    pub fn king_danger(&self) -> Bitboard {
        let (board, king, everywhere) = (self.position.board(), self.facts.king, Bitboard::FULL);
        match self.position.turn() {
            Color::White => danger::<White, _>(board, self.sliders, king, everywhere),
            Color::Black => danger::<Black, _>(board, self.sliders, king, everywhere),
        }
    }

    /// The opponent's pieces that attack a square with the king removed, which puts the square into
    /// [`king_danger`](Self::king_danger).
    ///
    /// ```
    /// use tabiya::{Position, Square};
    /// // The rook attacks f1 through the king.
    /// let position = Position::from_fen("7k/8/8/8/8/8/8/r3K3 w - - 0 1").unwrap();
    /// let attackers = position.generator().king_attackers(Square::F1);
    /// assert!(attackers.iter().eq([Square::A1]));
    /// ```
    pub fn king_attackers(&self, square: Square) -> Bitboard {
        let (board, king) = (self.position.board(), (self.position.turn(), square));
        king_attackers_after(self.sliders, board, king, self.facts.king.bitboard(), square)
    }

    /// Is a pseudo-legal move of this position legal?
    ///
    /// The move must come from a pseudo-legal generator (see
    /// [`PseudoLegal`](super::PseudoLegal)); for other moves use [`contains`](Self::contains).
    ///
    /// ```
    /// use tabiya::movegen::{Legal, PseudoLegal};
    /// use tabiya::Position;
    /// // The knight is pinned.
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
    /// let generator = position.generator();
    /// let mut moves = generator.list::<PseudoLegal<Legal>>();
    /// moves.retain(|mv| generator.allows(mv));
    /// assert_eq!(moves.len(), position.count_legal());
    /// ```
    pub fn allows(&self, mv: Move) -> bool {
        let (position, facts) = (self.position, &self.facts);
        let (us, from, to) = (position.turn(), mv.from(), mv.to());
        if let Some(side) = mv.castling() {
            let rook = position.castling_rights().rook(us, side, facts.king);
            return rook.is_some_and(|rook| !facts.pinned.has(rook));
        }
        if from == facts.king {
            return self.king_attackers(to).is_empty();
        }
        if mv.is_en_passant() {
            return en_passant_is_legal(position.board(), us, from, to);
        }
        facts.pin_line(from).has(to) && facts.check_mask().has(to)
    }
}
