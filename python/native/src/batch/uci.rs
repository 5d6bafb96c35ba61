//! The legal moves of positions as bits: a bit for each of the 1968 moves of UCI.
//!
//! The moves from a square are numbered by their targets in ascending order, so one operation finds
//! the numbers of all moves of a piece: it gathers the targets from the squares that the piece
//! reaches on an empty board.

use tabiya::movegen::{Legal, PawnMoves, Sink};
use tabiya::{Bitboard, Color, Move, MoveKind, Position, Role, Square, UciMove};

use super::cpu::Cpu;
use super::encoding::{Code, Orientation, Reach, Uci};

/// The number of words for the bits of all moves, with room for zero bits that are written beyond
/// them.
pub(super) const WORDS: usize = 32;

/// The bits of a position's legal moves.
#[inline(always)]
pub(super) fn legal_moves<C: Cpu>(
    position: &Position,
    orientation: Orientation,
    cpu: C,
    bits: &mut [u64; WORDS],
) {
    let flip = orientation.flip(position.turn());
    let mut sink = BitSink { position, cpu, flip, bits, pawns: Pawns::default() };
    position.generator().with_sliders(cpu.sliders()).generate::<Legal>(&mut sink);
    sink.add_pawns();
}

/// The targets of pawn moves other than promotions, as if they were White's.
#[derive(Default)]
struct Pawns {
    single: u64,
    double: u64,
    east: u64,
    west: u64,
}

struct BitSink<'a, C> {
    position: &'a Position,
    cpu: C,
    flip: u8,
    bits: &'a mut [u64; WORDS],
    pawns: Pawns,
}

impl<C: Cpu> BitSink<'_, C> {
    /// Adds the moves from a square to each of the targets.
    #[inline(always)]
    fn add_targets(&mut self, reach: &[Reach; 64], from: u8, targets: u64) {
        let Reach { squares, first } = reach[usize::from(from & 63)];
        let moves = self.cpu.gather(targets, squares);
        let (word, bit) = (usize::from(first / 64), first % 64);
        self.bits[word % WORDS] |= moves << bit;
        self.bits[(word + 1) % WORDS] |= moves >> 1 >> (63 - bit);
    }

    #[inline(always)]
    fn add_move(&mut self, from: u8, to: u8, promotion: Option<Role>) {
        if let Some(index) = Uci::index(from ^ self.flip, to ^ self.flip, promotion) {
            self.bits[usize::from(index / 64) % WORDS] |= 1 << (index % 64);
        }
    }

    /// Adds the moves of all pawns, pawn by pawn: a loop for each kind of move would have four ends
    /// for the CPU to mispredict.
    #[inline(always)]
    fn add_pawns(&mut self) {
        let Pawns { single, double, east, west } = self.pawns;
        let is_flipped = (self.position.turn() == Color::Black) == (self.flip == 0);
        let mut origins = single >> 8 | double >> 16 | east >> 9 | west >> 7;
        while origins != 0 {
            let from = origins.trailing_zeros() as u8;
            let pawn = origins & origins.wrapping_neg();
            let targets =
                single & pawn << 8 | double & pawn << 16 | east & pawn << 9 | west & pawn << 7;
            if is_flipped {
                self.add_targets(Uci::QUEEN, from ^ 56, targets.swap_bytes());
            } else {
                self.add_targets(Uci::QUEEN, from, targets);
            }
            origins ^= pawn;
        }
    }
}

impl<C: Cpu> Sink for BitSink<'_, C> {
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        let UciMove { from, to, promotion } = self.position.uci(mv);
        self.add_move(from as u8, to as u8, promotion);
    }

    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, _: Bitboard) {
        let reach = if role == Role::Knight { Uci::KNIGHT } else { Uci::QUEEN };
        let targets = if self.flip == 0 { targets.0 } else { targets.0.swap_bytes() };
        self.add_targets(reach, from as u8 ^ self.flip, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        if let Some(role) = kind.promoted() {
            for to in moves.targets {
                self.add_move(moves.origin(to) as u8, to as u8, Some(role));
            }
            return;
        }
        // The targets as if the pawns were White's.
        let targets = if moves.offset < 0 { moves.targets.0.swap_bytes() } else { moves.targets.0 };
        let place = match moves.offset {
            8 | -8 => &mut self.pawns.single,
            16 | -16 => &mut self.pawns.double,
            9 | -7 => &mut self.pawns.east,
            _ => &mut self.pawns.west,
        };
        *place |= targets;
    }
}
