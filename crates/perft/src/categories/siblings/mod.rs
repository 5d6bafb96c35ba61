//! Counting two plies below a position: the moves of its children by category, eight children at a
//! time.
//!
//! - [`moves`]: the node and the moves to its children, which are made in the lanes;
//! - [`parent`]: the node in every lane;
//! - [`kernel`]: the children's moves, counted as sets;
//! - [`checks`]: the checks among them, and which of these are mates;
//! - [`found`]: the result.
//!
//! A child is only a move until the kernel makes it in a lane. Two kinds of children are made and
//! counted one by one: after a double push that may be answered en passant, and what the kernel
//! leaves out.

mod checks;
mod found;
mod kernel;
mod moves;
mod parent;

use tabiya::movegen::{Legal, PawnMoves, Sink};
use tabiya::{Bitboard, Move, MoveKind, Position, Role, Square};

use super::category::Category;
use super::counts::Counts;
use super::leaves;
use crate::lanes::{Lanes, Ymm, Zmm};
use crate::leaf::{Avx512, Bmi2, Machine};
use crate::machine::Isa;
use crate::machine::cpu::Cpu;
use found::{Check, Found};
use kernel::Space;
use moves::Siblings;

/// A counter with the vectors of this CPU.
#[derive(Clone, Copy, Debug)]
enum VectorCounter {
    Bmi2(Bmi2),
    Avx512(Avx512),
}

impl VectorCounter {
    fn detect(isa: Isa) -> Option<Self> {
        match isa {
            Isa::Bmi2 => Bmi2::detect().map(Self::Bmi2),
            Isa::Avx512 => Avx512::detect().map(Self::Avx512),
            _ => None,
        }
    }

    /// Counts the moves of siblings by category.
    #[inline(always)]
    fn count(self, siblings: &mut Siblings, space: &mut Space, found: &mut Found) {
        match self {
            Self::Bmi2(cpu) => siblings.count::<Ymm>(cpu, space, found),
            Self::Avx512(cpu) => siblings.count::<Zmm>(cpu, space, found),
        }
    }
}

impl Siblings {
    /// Counts the moves of all siblings by category, with the vectors of the CPU.
    #[inline(always)]
    fn count<L: Lanes>(&mut self, machine: impl Machine, space: &mut Space, found: &mut Found) {
        machine.enter(
            #[inline(always)]
            || kernel::count::<L>(self, space, found),
        );
    }
}

/// The memory of a thread while it counts.
#[derive(Debug)]
pub(super) struct Scratch {
    /// `None` without vectors.
    vectors: Option<VectorCounter>,
    siblings: Siblings,
    space: Space,
    found: Found,
}

impl Scratch {
    pub(super) fn new(isa: Isa) -> Self {
        Self {
            vectors: VectorCounter::detect(isa),
            siblings: Siblings::default(),
            space: Space::default(),
            found: Found::default(),
        }
    }
}

/// Counts the leaf nodes two plies below a position. Returns false if there are no vectors, or if
/// the kernel does not support the castling rights.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline(never))]
pub(super) fn count<C: Cpu>(
    cpu: C,
    position: &Position,
    scratch: &mut Scratch,
    counts: &mut Counts,
) -> bool {
    let Scratch { vectors: Some(vectors), siblings, space, found } = scratch else { return false };
    if !siblings.begin(position) {
        return false;
    }
    let mut children = Children { cpu, position, siblings, counts };
    position.generator().with_sliders(cpu.sliders()).generate::<Legal>(&mut children);
    vectors.count(siblings, space, found);
    for &number in found.left_out() {
        let child = position.play(siblings.move_to(position, number.into()));
        leaves::count(cpu, &child, counts);
    }
    for unsure in &found.unsure {
        if !siblings.play(position, unsure).has_legal_move() {
            found.mates[unsure.check as usize] += 1;
        }
    }
    add(counts, found);
    true
}

fn add(counts: &mut Counts, found: &Found) {
    counts.nodes += found.moves;
    for (category, leaves) in [
        (Category::Captures, found.captures),
        (Category::Castles, found.castlings),
        (Category::KnightPromotions, found.promotions),
        (Category::BishopPromotions, found.promotions),
        (Category::RookPromotions, found.promotions),
        (Category::QueenPromotions, found.promotions),
        (Category::Checks, found.checks.iter().sum()),
        (Category::Discovered, found.checks[Check::Discovered as usize]),
        (Category::DirectDiscovered, found.checks[Check::Both as usize]),
        (Category::Checkmates, found.mates.iter().sum()),
        (Category::DiscoveredMates, found.mates[Check::Discovered as usize]),
        (Category::DirectDiscoveredMates, found.mates[Check::Both as usize]),
    ] {
        counts.add(category, leaves);
    }
}

/// Takes the moves to the children.
struct Children<'a, C> {
    cpu: C,
    position: &'a Position,
    siblings: &'a mut Siblings,
    counts: &'a mut Counts,
}

impl<C: Cpu> Sink for Children<'_, C> {
    /// Takes castling or a capture en passant.
    fn add(&mut self, _: Role, mv: Move) {
        if let Some(side) = mv.castling() {
            let us = self.position.turn();
            let king = [mv.from(), mv.to()];
            let rook = self.position.castling_rights().rook(us, side, mv.from());
            if let Some(from) = rook
                && from != side.rook_target(us)
                && king[0] != king[1]
                && !self.siblings.is_full()
            {
                return self.siblings.push_castling(king, [from, side.rook_target(us)]);
            }
        }
        self.count_alone(mv);
    }

    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard, _: Bitboard) {
        for to in targets {
            if self.siblings.is_full() {
                let captures = self.position.board().occupied().has(to);
                let kind = if captures { MoveKind::Capture } else { MoveKind::Quiet };
                self.count_alone(Move::new(from, to, kind));
            } else {
                self.siblings.push(from, to);
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        for to in moves.targets {
            let from = moves.origin(to);
            let passes = kind == MoveKind::DoublePush && self.passes_a_pawn(to);
            if passes || self.siblings.is_full() {
                self.count_alone(Move::new(from, to, kind));
            } else if let Some(role) = kind.promoted() {
                self.siblings.push_promotion(from, to, role);
            } else {
                self.siblings.push(from, to);
            }
        }
    }
}

impl<C: Cpu> Children<'_, C> {
    /// Makes a child, and counts its moves.
    fn count_alone(&mut self, mv: Move) {
        leaves::count(self.cpu, &self.position.play(mv), self.counts);
    }

    /// Does an opponent's pawn stand next to this square, so that it might capture en passant?
    #[inline(always)]
    fn passes_a_pawn(&self, to: Square) -> bool {
        let beside = tabiya::attacks::king(to) & to.rank().bitboard();
        let them = !self.position.turn();
        self.position.board().pieces(them, Role::Pawn).meets(beside)
    }
}
