//! The fingerprints of all positions after one more move, without making the moves.

use tabiya::movegen::{PawnMoves, Sink};
use tabiya::{Bitboard, CastlingSide, Color, Direction, Move, MoveKind, Position, Role, Square};

use super::fingerprint::{Fingerprint, FingerprintKeys};

/// A receiver of fingerprints.
pub(super) trait Output {
    /// Takes the fingerprint of the position after the next move.
    fn push(&mut self, fingerprint: Fingerprint);
}

/// Passes on the fingerprints of the positions after each move of one position.
///
/// The order is that of the moves in a [`MoveList`](tabiya::MoveList) of the same kind.
pub(super) struct Children<'a, O> {
    position: &'a Position,
    keys: &'a FingerprintKeys,
    /// The fingerprint of the position without the number of its en-passant square.
    base: Fingerprint,
    us: Color,
    /// The rooks that may castle.
    rooks: Bitboard,
    output: &'a mut O,
}

impl<'a, O: Output> Children<'a, O> {
    /// Takes the children of a position with this fingerprint.
    #[inline(always)]
    pub(super) fn new(
        position: &'a Position,
        fingerprint: Fingerprint,
        keys: &'a FingerprintKeys,
        output: &'a mut O,
    ) -> Self {
        Self {
            position,
            keys,
            base: fingerprint ^ keys.en_passant(position.en_passant()),
            us: position.turn(),
            rooks: position.castling_rights().rooks(),
            output,
        }
    }

    /// The change of the fingerprint if the enemy piece on a square is captured.
    #[inline(always)]
    fn captured(&self, square: Square) -> u128 {
        // There is always a piece. A missing piece would only make the fingerprint wrong.
        let role = self.position.board().role_on(square).unwrap_or(Role::Pawn);
        let right = if self.rooks.has(square) { square.bitboard() } else { Bitboard::EMPTY };
        self.keys.piece(!self.us, role, square) ^ self.keys.castling(right)
    }

    /// The number of the en-passant square after a double push, if an en-passant capture is legal.
    #[inline(always)]
    fn after_double_push(&self, mv: Move) -> u128 {
        let board = self.position.board();
        let beside = mv.to().bitboard();
        let beside = beside.shift(Direction::East) | beside.shift(Direction::West);
        if !beside.meets(board.pieces(!self.us, Role::Pawn)) {
            return 0;
        }
        self.keys.en_passant(self.position.play(mv).en_passant())
    }

    /// The fingerprint after castling or a capture en passant.
    #[inline(never)]
    fn after_special(&self, mv: Move) -> Fingerprint {
        let Self { keys, us, rooks, .. } = *self;
        let (from, to) = (mv.from(), mv.to());
        let moved = |role, from, to| keys.piece(us, role, from) ^ keys.piece(us, role, to);
        let Some(side) = mv.castling() else {
            // The captured pawn is on the file of the target and the rank of the origin.
            let victim = Square::new(to.file(), from.rank());
            let captured = keys.piece(!us, Role::Pawn, victim);
            return self.base ^ moved(Role::Pawn, from, to) ^ captured;
        };
        let own = rooks & us.back_rank().bitboard();
        let rook = own.iter().find(|&rook| CastlingSide::of(from, rook) == side);
        let rook = rook.map_or(0, |rook| moved(Role::Rook, rook, side.rook_target(us)));
        let king = moved(Role::King, from, side.king_target(us));
        self.base ^ king ^ rook ^ keys.castling(own)
    }
}

impl<O: Output> Sink for Children<'_, O> {
    /// Takes castling and captures en passant, which are rare.
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        let fingerprint = self.after_special(mv);
        self.output.push(fingerprint);
    }

    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        let squares = self.keys.squares(self.us, role);
        let mut lifted = self.base ^ squares[from as usize];
        if self.rooks.any() {
            let lost = match role {
                Role::King => self.rooks & self.us.back_rank().bitboard(),
                Role::Rook => self.rooks & from.bitboard(),
                _ => Bitboard::EMPTY,
            };
            lifted ^= self.keys.castling(lost);
        }
        for to in targets - captures {
            self.output.push(lifted ^ squares[to as usize]);
        }
        for to in targets & captures {
            self.output.push(lifted ^ squares[to as usize] ^ self.captured(to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        let pawns = self.keys.squares(self.us, Role::Pawn);
        let placed = self.keys.squares(self.us, kind.promoted().unwrap_or(Role::Pawn));
        for to in moves.targets {
            let from = moves.origin(to);
            let mut fingerprint = self.base ^ pawns[from as usize] ^ placed[to as usize];
            if kind.is_capture() {
                fingerprint ^= self.captured(to);
            }
            if kind == MoveKind::DoublePush {
                fingerprint ^= self.after_double_push(Move::new(from, to, kind));
            }
            self.output.push(fingerprint);
        }
    }
}
