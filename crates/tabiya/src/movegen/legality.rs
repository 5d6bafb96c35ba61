//! What decides, once a node, which moves are legal: checkers, pins, king danger, check mask.

use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingSide;
use crate::color::{Color, Side};
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// The facts about the king of the side to move that decide which moves are legal.
///
/// A man that is not pinned may go wherever it reaches inside the check mask; a pinned one only
/// if it also stays on its [pin line](Self::pin_line). The king may go where nothing
/// [endangers](Self::king_danger) it. En passant removes two men from their lines at once and is
/// tried out on the board instead.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legality {
    /// The king's square.
    pub king: Square,
    /// The men that give check.
    pub checkers: Bitboard,
    /// Own men that may not leave the line between the king and an attacker.
    pub pinned: Bitboard,
    /// Where a capture by another man than the king may take place: anywhere without a check,
    /// the checker's square in a check, nowhere in a double check.
    pub capture_mask: Bitboard,
    /// Where a move to an empty square by another man than the king may end: anywhere without a
    /// check, between king and checker in a check, nowhere in a double check.
    pub push_mask: Bitboard,
}

impl Legality {
    /// The facts about the side to move.
    pub fn of(position: &Position) -> Self {
        Self::of_color(position.board(), position.turn())
    }

    fn of_color(board: &Board, color: Color) -> Self {
        match color {
            Color::White => Self::find::<crate::color::White, _>(board, DefaultSliders::default()),
            Color::Black => Self::find::<crate::color::Black, _>(board, DefaultSliders::default()),
        }
    }

    /// The facts about one side's king.
    #[inline(always)]
    pub(crate) fn find<S: Side, L: Sliders>(board: &Board, _sliders: L) -> Self {
        let them = S::Them::COLOR;
        let king = board.pieces(S::COLOR, Role::King).first_unchecked();
        let occupied = board.occupied();
        let mut checkers = (attacks::knight(king) & board.pieces(them, Role::Knight))
            | (attacks::pawn(S::COLOR, king) & board.pieces(them, Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would attack the king on an empty board: what stands between decides.
        let snipers = (attacks::rook_rays(king) & board.orthogonal_sliders(them))
            | (attacks::bishop_rays(king) & board.diagonal_sliders(them));
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= sniper.bitboard();
            } else if !blockers.has_many() {
                pinned |= blockers & board.color(S::COLOR);
            }
        }
        let mut facts = Self {
            king,
            checkers,
            pinned,
            capture_mask: Bitboard::FULL,
            push_mask: Bitboard::FULL,
        };
        facts.set_check_masks();
        facts
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

    /// The facts as pseudo-legal generation sees them: nobody is pinned, and only evasions look
    /// at the check.
    #[inline(always)]
    pub(crate) fn pseudo_legal<S: Side, L: Sliders>(
        board: &Board,
        sliders: L,
        evasions: bool,
    ) -> Self {
        let facts = Self::find::<S, L>(board, sliders);
        let open = Self { pinned: Bitboard::EMPTY, ..facts };
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

    /// The squares to which the pins leave a man on `square`: everywhere if it is not pinned,
    /// else the line through it and the king, with the attacker.
    #[inline(always)]
    pub fn pin_line(&self, square: Square) -> Bitboard {
        if self.pinned.has(square) { attacks::line(self.king, square) } else { Bitboard::FULL }
    }

    /// The squares that the opponent attacks once the king is lifted off the board. A slider
    /// attacks through the king, so stepping straight back from it does not help; men that
    /// protect each other count as attacked.
    pub fn king_danger(&self, position: &Position) -> Bitboard {
        let board = position.board();
        let sliders = DefaultSliders::default();
        match position.turn() {
            Color::White => {
                danger::<crate::color::White, _>(board, sliders, self.king, Bitboard::FULL)
            }
            Color::Black => {
                danger::<crate::color::Black, _>(board, sliders, self.king, Bitboard::FULL)
            }
        }
    }

    /// Is a pseudo-legal move of this position legal?
    ///
    /// The move must come from a pseudo-legal generator (see
    /// [`PseudoLegal`](super::PseudoLegal)); for moves from elsewhere there is
    /// [`Position::is_legal`].
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
}

/// The squares that the opponent of `S` attacks once the king is lifted off the board.
///
/// Attacks outside `region` may be left out; the squares next to the king are a common region,
/// and then only the sliders that can reach them need to be asked.
#[inline(always)]
pub(crate) fn danger<S: Side, L: Sliders>(
    board: &Board,
    sliders: L,
    king: Square,
    region: Bitboard,
) -> Bitboard {
    let them = S::Them::COLOR;
    let lifted = board.occupied().without(king);
    let mut attacked = attacks::pawns(them, board.pieces(them, Role::Pawn))
        | attacks::king(board.pieces(them, Role::King).first_unchecked());
    let near = region.is_subset(attacks::king(king));
    let reaching = |zone: &[Bitboard; 64]| if near { zone[king as usize] } else { Bitboard::FULL };
    for from in board.pieces(them, Role::Knight) & reaching(&attacks::KNIGHT_ZONES) {
        attacked |= attacks::knight(from);
    }
    for from in board.orthogonal_sliders(them) & reaching(&attacks::ROOK_ZONES) {
        attacked |= sliders.rook(from, lifted);
    }
    for from in board.diagonal_sliders(them) & reaching(&attacks::BISHOP_ZONES) {
        attacked |= sliders.bishop(from, lifted);
    }
    attacked
}

/// The men that would attack the king of `us` if he stepped from `king` to `to`; one that he
/// takes there is not among them.
#[inline]
pub(crate) fn king_attackers(board: &Board, us: Color, king: Square, to: Square) -> Bitboard {
    let lifted = board.occupied().without(king);
    board.attackers_with(DefaultSliders::default(), to, lifted) & board.color(!us)
}

/// Has `us` a legal capture en passant on the square?
pub(crate) fn can_capture_en_passant(board: &Board, us: Color, to: Square) -> bool {
    let able = attacks::pawn(!us, to) & board.pieces(us, Role::Pawn);
    able.iter().any(|from| en_passant_is_legal(board, us, from, to))
}

/// May the pawn of `us` on `from` capture en passant on `to`?
#[inline]
pub(crate) fn en_passant_is_legal(board: &Board, us: Color, from: Square, to: Square) -> bool {
    en_passant_attackers(board, us, from, to).is_empty()
}

/// The men that attack the king of `us` once its pawn on `from` has captured en passant on
/// `to`.
///
/// The only capture that takes two men off a line of the king at once. It is rare, so it is
/// tried out: pawn moved, victim gone, who attacks the king?
#[inline]
pub(crate) fn en_passant_attackers(board: &Board, us: Color, from: Square, to: Square) -> Bitboard {
    let king = board.pieces(us, Role::King).first_unchecked();
    let victim = en_passant_victim(to).bitboard();
    let occupied = (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
    let attackers = board.attackers_with(DefaultSliders::default(), king, occupied);
    attackers & (board.color(!us) - victim)
}

/// The square of the pawn that a capture en passant on `to` takes: on the same file, one rank
/// nearer the middle of the board.
#[inline(always)]
pub(crate) const fn en_passant_victim(to: Square) -> Square {
    Square::from_low_bits(to as u8 ^ 8)
}

/// Where the king may not be attacked when it castles: the squares it passes and its target.
#[inline(always)]
pub(crate) fn castling_path(color: Color, king: Square, side: CastlingSide) -> Bitboard {
    let target = side.king_target(color);
    attacks::between(king, target).with(target)
}

/// What must be empty for castling, king and rook apart.
#[inline(always)]
pub(crate) fn castling_room(
    color: Color,
    king: Square,
    rook: Square,
    side: CastlingSide,
) -> Bitboard {
    let rook_target = side.rook_target(color);
    let rook_path = attacks::between(rook, rook_target).with(rook_target);
    (castling_path(color, king, side) | rook_path).without(king).without(rook)
}
