//! Counting moves by kind.

use crate::bitboard::Bitboard;
use crate::movegen::{PawnMoves, Sink};
use crate::moves::{Move, MoveKind};
use crate::role::Role;
use crate::square::Square;

/// Counts moves by kind, without listing them.
///
/// ```
/// use tabiya::{movegen::Legal, order::MoveKindCounts, Position};
/// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// let mut counts = MoveKindCounts::default();
/// Position::from_fen(fen).unwrap().generate::<Legal>(&mut counts);
/// assert_eq!((counts.total(), counts.captures(), counts.castles()), (48, 8, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveKindCounts {
    counts: [u64; 16],
}

impl MoveKindCounts {
    /// The number of moves of exactly this kind.
    pub const fn of(&self, kind: MoveKind) -> u64 {
        self.counts[kind as usize]
    }

    /// The number of moves.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of captures, including en passant and capturing promotions.
    pub fn captures(&self) -> u64 {
        self.sum(MoveKind::is_capture)
    }

    /// The number of en-passant captures.
    pub const fn en_passant(&self) -> u64 {
        self.of(MoveKind::EnPassant)
    }

    /// The number of castling moves.
    pub const fn castles(&self) -> u64 {
        self.of(MoveKind::CastleKing) + self.of(MoveKind::CastleQueen)
    }

    /// The number of promotions, capturing or not.
    pub fn promotions(&self) -> u64 {
        self.sum(MoveKind::is_promotion)
    }

    /// The number of promotions to one role, capturing or not; zero for a pawn or a king.
    pub fn promotions_to(&self, role: Role) -> u64 {
        [false, true]
            .into_iter()
            .filter_map(|captures| MoveKind::promotion(role, captures))
            .map(|kind| self.of(kind))
            .sum()
    }

    /// The number of double pushes.
    pub const fn double_pushes(&self) -> u64 {
        self.of(MoveKind::DoublePush)
    }

    fn sum(&self, belongs: impl Fn(MoveKind) -> bool) -> u64 {
        MoveKind::ALL.into_iter().filter(|&kind| belongs(kind)).map(|kind| self.of(kind)).sum()
    }

    #[inline(always)]
    fn count(&mut self, kind: MoveKind, squares: Bitboard) {
        self.counts[kind as usize] += u64::from(squares.len());
    }
}

impl Sink for MoveKindCounts {
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        self.counts[mv.kind() as usize] += 1;
    }

    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard, captures: Bitboard) {
        self.count(MoveKind::Quiet, targets - captures);
        self.count(MoveKind::Capture, targets & captures);
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        self.count(kind, moves.targets);
    }
}

impl core::ops::AddAssign for MoveKindCounts {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}
