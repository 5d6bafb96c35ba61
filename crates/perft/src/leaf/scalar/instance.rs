//! The instances of the counter that use this kernel.
//!
//! The bodies of the kernel are `#[inline(always)]`. Each instance has its own functions into which they are compiled.

#[cfg(target_arch = "x86_64")]
use tabiya::attacks::Pext;
use tabiya::attacks::{DefaultSliders, Sliders};

use super::words::Words;
use super::{Scalar, replies};
use crate::leaf::counter::Counter;
use crate::leaf::machine::Machine;
use crate::leaf::node::Node;
use crate::leaf::sets::square;
use crate::leaf::sums::Sums;
use crate::leaf::walk;

/// What the kernel is compiled for.
pub(super) trait Cpu: Copy {
    /// How attacks of sliders are looked up.
    fn method(self) -> impl Sliders;

    /// Does work in a function of its own that is compiled for the same CPU. The work must be `#[inline(always)]`.
    fn apart<R>(self, work: impl FnOnce() -> R) -> R;

    /// The replies in a child, captures en passant excepted.
    #[inline(always)]
    fn replies(self, child: &Node) -> u64 {
        self.apart(
            #[inline(always)]
            move || replies::replies(self, child),
        )
    }

    /// The replies to a move of one piece, likewise.
    #[inline(always)]
    fn replies_to(self, node: &Node, from: u64, to: u64) -> u64 {
        self.apart(
            #[inline(always)]
            move || replies::replies(self, &node.after(from, to)),
        )
    }

    /// What a rook attacks.
    #[inline(always)]
    fn rook(self, from: u64, occupied: u64) -> u64 {
        self.method().rook(square(from), tabiya::Bitboard(occupied)).0
    }

    /// What a bishop attacks.
    #[inline(always)]
    fn bishop(self, from: u64, occupied: u64) -> u64 {
        self.method().bishop(square(from), tabiya::Bitboard(occupied)).0
    }
}

/// The instance for every machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Portable {
    #[inline(never)]
    fn leaves(self, node: &Node) -> u64 {
        Scalar::of(self, node).leaves()
    }
}

impl Cpu for Portable {
    #[inline(always)]
    fn method(self) -> impl Sliders {
        DefaultSliders::default()
    }

    #[inline(never)]
    fn apart<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

impl Machine for Portable {
    type Star = Words;
    /// No node waits.
    type Waiting = ();

    fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
        walk::walk(counter, node, depth);
    }

    fn take(self, (): &mut (), sums: &mut Sums, node: &Node, slot: usize) {
        sums.add(slot, self.leaves(node));
    }

    fn count_waiting(self, (): &mut (), _: &mut Sums) {}
}

/// The instance for CPUs that count and pack bits with one instruction each.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bmi2(Pext);

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use super::*;

    impl Bmi2 {
        /// The instance, if this CPU has what it needs: the same features as each function below enables. There is
        /// no other way to get one, because the field is private.
        pub(crate) fn detect() -> Option<Self> {
            let others = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if others { Pext::detect().map(Self) } else { None }
        }

        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn walk_driver(counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
            walk::walk(counter, node, depth);
        }

        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn leaves_driver(self, node: &Node) -> u64 {
            Scalar::of(self, node).leaves()
        }

        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn apart_driver<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
    }

    impl Cpu for Bmi2 {
        #[inline(always)]
        fn method(self) -> impl Sliders {
            self.0
        }

        #[inline(always)]
        fn apart<R>(self, work: impl FnOnce() -> R) -> R {
            // SAFETY: `self` comes from `detect`, which found every feature of the function.
            unsafe { Self::apart_driver(work) }
        }
    }

    impl Machine for Bmi2 {
        type Star = Words;
        type Waiting = ();

        #[inline(always)]
        fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
            // SAFETY: `self` comes from `detect`, which found every feature of the function.
            unsafe { Self::walk_driver(counter, node, depth) }
        }

        #[inline(always)]
        fn take(self, (): &mut (), sums: &mut Sums, node: &Node, slot: usize) {
            // SAFETY: `self` comes from `detect`, which found every feature of the function.
            sums.add(slot, unsafe { self.leaves_driver(node) });
        }

        #[inline(always)]
        fn count_waiting(self, (): &mut (), _: &mut Sums) {}
    }
}
