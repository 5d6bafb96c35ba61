//! What the CPU can do: the leaves are counted by code compiled for it.
//!
//! The count is mostly sizes of sets and slider attacks, for both of which newer CPUs have an
//! instruction. Which code runs is decided once a subtree, and then by types.

use tabiya::Position;
use tabiya::attacks::{DefaultSliders, Sliders};

use super::leaves::Counts;
use super::walk::{self, Means};

/// A kind of CPU. Holding a value proves that this is one.
pub(super) trait Cpu: Copy {
    /// How it finds slider attacks.
    fn sliders(self) -> impl Sliders;

    /// Counts the leaves `depth` half-moves, at least one, below a position.
    fn walk(self, means: Means<'_>, position: &Position, depth: u32, counts: &mut Counts);

    /// Is there a legal move?
    fn has_legal_move(self, position: &Position) -> bool;
}

/// Counts the leaves `depth` half-moves, at least one, below a position.
pub(super) fn walk(means: Means<'_>, position: &Position, depth: u32, counts: &mut Counts) {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = x86::Bmi2::detect() {
        return cpu.walk(means, position, depth, counts);
    }
    Baseline.walk(means, position, depth, counts);
}

/// Any CPU on which the build runs at all.
#[derive(Clone, Copy)]
struct Baseline;

impl Cpu for Baseline {
    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        DefaultSliders::default()
    }

    fn walk(self, means: Means<'_>, position: &Position, depth: u32, counts: &mut Counts) {
        walk::walk(self, means, position, depth, counts);
    }

    fn has_legal_move(self, position: &Position) -> bool {
        position.has_legal_move()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Counts, Cpu, Means, Position, Sliders, walk};
    use std::arch::is_x86_feature_detected as detected;
    use tabiya::attacks::Pext;
    use tabiya::movegen::{Any, Legal};

    /// A CPU with the bit instructions of x86-64-v3.
    #[derive(Clone, Copy)]
    pub(super) struct Bmi2(Pext);

    impl Bmi2 {
        pub(super) fn detect() -> Option<Self> {
            let others =
                detected!("avx2") && detected!("bmi1") && detected!("lzcnt") && detected!("popcnt");
            if others { Pext::detect().map(Self) } else { None }
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn walk_here(self, means: Means<'_>, position: &Position, depth: u32, counts: &mut Counts) {
            walk::walk(self, means, position, depth, counts);
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn has_legal_move_here(self, position: &Position) -> bool {
            let mut any = Any::default();
            position.generate_with::<Legal, _, _>(self.0, &mut any);
            any.0
        }
    }

    impl Cpu for Bmi2 {
        #[inline(always)]
        fn sliders(self) -> impl Sliders {
            self.0
        }

        #[inline(always)]
        fn walk(self, means: Means<'_>, position: &Position, depth: u32, counts: &mut Counts) {
            // SAFETY: `detect`, the only way to a value, asked for all these features.
            unsafe { self.walk_here(means, position, depth, counts) }
        }

        #[inline(always)]
        fn has_legal_move(self, position: &Position) -> bool {
            // SAFETY: `detect`, the only way to a value, asked for all these features.
            unsafe { self.has_legal_move_here(position) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Category;
    use super::*;

    #[test]
    fn every_cpu_counts_the_same() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for fen in [fen, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            let means = Means { table: None, watch: &() };
            let (mut baseline, mut detected) = (Counts::default(), Counts::default());
            Baseline.walk(means, &position, 3, &mut baseline);
            walk(means, &position, 3, &mut detected);
            assert!(baseline.nodes > 2000);
            assert_eq!(baseline.nodes, detected.nodes);
            for category in Category::ALL {
                assert_eq!(baseline[category], detected[category]);
            }
        }
    }
}
