//! Finds the moves that give check without playing them.

use super::safety::en_passant_victim;
use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::direction::Direction;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// The squares on which pieces of the side to move give check, found once for each position.
///
/// ```
/// use tabiya::{movegen::CheckFacts, Position, Role, Square};
/// // The knight stands between the rook and the king.
/// let position = Position::from_fen("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1").unwrap();
/// let facts = CheckFacts::of(&position);
/// assert!(facts.discoverers.iter().eq([Square::E4]));
/// assert!(facts.squares(Role::Knight).has(Square::F6));
/// assert!(position.parse_uci("e4c3").is_ok_and(|m| facts.gives_check(&position, m)));
/// ```
#[doc(alias("check squares", "discovered check"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckFacts {
    /// The square of the opponent's king.
    pub king: Square,
    /// Pieces of the side to move that discover a check when they leave their line to the king.
    pub discoverers: Bitboard,
    squares: [Bitboard; 6],
}

impl CheckFacts {
    /// The facts for the side to move.
    pub fn of(position: &Position) -> Self {
        Self::of_with(position, DefaultSliders::default())
    }

    /// The facts for the side to move, found with the given slider method.
    #[inline(always)]
    pub fn of_with<L: Sliders>(position: &Position, sliders: L) -> Self {
        Self::find(position.board(), position.turn(), sliders)
    }

    #[inline]
    pub(crate) fn find<L: Sliders>(board: &Board, us: Color, sliders: L) -> Self {
        let king = board.pieces(!us, Role::King).first_unchecked();
        let occupied = board.occupied();
        let bishop = sliders.bishop(king, occupied);
        let rook = sliders.rook(king, occupied);
        let mut discoverers = Bitboard::EMPTY;
        for (_, blockers) in board.snipers(king, us) {
            if !blockers.has_many() {
                discoverers |= blockers & board.color(us);
            }
        }
        let squares = [
            attacks::pawn(!us, king),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ];
        Self { king, discoverers, squares }
    }

    /// The squares on which a piece of the role gives check; none for a king.
    #[inline(always)]
    pub const fn squares(&self, role: Role) -> Bitboard {
        self.squares[role as usize]
    }

    /// Does a pseudo-legal move give check?
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let board = position.board();
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        // The moving piece leaves its line to the king.
        let discovers = || self.discoverers.has(from) && !attacks::line(self.king, from).has(to);
        match mv.kind() {
            MoveKind::CastleKing | MoveKind::CastleQueen => self.castling_checks(position, mv),
            MoveKind::EnPassant => {
                // Two pawns leave their squares and one arrives, so any line may open: examine the
                // new board.
                let victim = en_passant_victim(to).bitboard();
                let occupied = (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
                let sliders = DefaultSliders::default();
                self.squares(Role::Pawn).has(to)
                    || board.attackers_with(sliders, us, self.king, occupied).any()
            }
            _ => match mv.promotion() {
                Some(role) => self.promotion_checks(from, to, role) || discovers(),
                None => self.squares(board.role_on_occupied(from)).has(to) || discovers(),
            },
        }
    }

    /// Does the piece to which a pawn promotes give check itself?
    ///
    /// It does on the squares from which its role gives check. A slider also does if the pawn was
    /// the first piece on its line to the king, because the pawn has left that square.
    #[inline]
    pub fn promotion_checks(&self, from: Square, to: Square, role: Role) -> bool {
        let checking = self.squares(role);
        checking.has(to)
            || role != Role::Knight && checking.has(from) && attacks::line(self.king, from).has(to)
    }

    /// King and rook both move along the back rank, so castling opens no other line than that rank.
    /// A check can come along the rank, or along the file on which the rook lands.
    fn castling_checks(&self, position: &Position, mv: Move) -> bool {
        let board = position.board();
        let us = position.turn();
        let Some(side) = mv.castling() else { return false };
        let rook_target = side.rook_target(us);
        if !(rook_target.file().bitboard() | rook_target.rank().bitboard()).has(self.king) {
            return false;
        }
        let Some(rook) = position.castling_rights().rook(us, side, mv.from()) else {
            return false;
        };
        let rook_target = rook_target.bitboard();
        let origins = mv.from().bitboard() | rook.bitboard();
        // The castled rook need not be added: if a line reaches its square, it gives check.
        let occupied = (board.occupied() - origins) | mv.to().bitboard();
        let rooks = (board.orthogonal_sliders(us) - rook.bitboard()) | rook_target;
        attacks::rook(self.king, occupied).meets(rooks)
    }
}

/// The parts of sets of moves that give check.
impl CheckFacts {
    /// The targets from which a piece other than a pawn gives check, directly or discovered.
    #[inline(always)]
    pub(super) fn checking(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let leaving = if self.discoverers.has(from) {
            !attacks::line(self.king, from)
        } else {
            Bitboard::EMPTY
        };
        targets & (self.squares(role) | leaving)
    }

    /// The targets of checks by pawns that advance `steps` squares in a direction without
    /// promoting.
    #[inline(always)]
    pub(super) fn checking_pawns(
        &self,
        targets: Bitboard,
        direction: Direction,
        steps: u8,
    ) -> Bitboard {
        // A pawn that advances leaves every line to the king except the file.
        let discoverers = self.discoverers - self.king.file().bitboard();
        let after = discoverers.shift(direction);
        let after = if steps == 2 { after.shift(direction) } else { after };
        targets & (self.squares(Role::Pawn) | after)
    }
}
