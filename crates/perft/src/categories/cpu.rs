//! Code for different CPUs.
//!
//! Counting by category consists mostly of sizes of sets and slider attacks. Newer CPUs have
//! instructions for both. [`run`] chooses the code once per subtree; from there on, types carry the
//! choice.

use tabiya::attacks::{DefaultSliders, Sliders};

/// A kind of CPU. A value is a proof that this CPU is of that kind.
pub(crate) trait Cpu: Copy {
    /// The method that finds slider attacks.
    fn sliders(self) -> impl Sliders;

    /// Runs work in a function that is compiled for this kind of CPU.
    fn enter<W: Work>(self, work: W) -> W::Output;
}

/// Work that can be compiled for any kind of CPU.
pub(crate) trait Work {
    /// The result.
    type Output;

    /// Does the work. This must be `#[inline(always)]`, so that it is compiled for the CPU features
    /// of the function that calls it: [`Cpu::enter`].
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Runs work on the best kind of CPU that this one is.
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = x86::Bmi2::detect() {
        return cpu.enter(work);
    }
    Baseline.enter(work)
}

/// Any CPU that the build runs on.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

impl Cpu for Baseline {
    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        DefaultSliders::default()
    }

    #[inline(never)]
    fn enter<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::{Cpu, Sliders, Work};
    use std::arch::is_x86_feature_detected as detected;
    use tabiya::attacks::Pext;

    /// A CPU with the bit instructions of x86-64-v3.
    #[derive(Clone, Copy)]
    pub(crate) struct Bmi2(Pext);

    impl Bmi2 {
        pub(crate) fn detect() -> Option<Self> {
            let others =
                detected!("avx2") && detected!("bmi1") && detected!("lzcnt") && detected!("popcnt");
            if others { Pext::detect().map(Self) } else { None }
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter_with_features<W: Work>(self, work: W) -> W::Output {
            work.run(self)
        }
    }

    impl Cpu for Bmi2 {
        #[inline(always)]
        fn sliders(self) -> impl Sliders {
            self.0
        }

        #[inline(always)]
        fn enter<W: Work>(self, work: W) -> W::Output {
            // SAFETY: `detect`, the only way to get a value, checks all these features.
            unsafe { self.enter_with_features(work) }
        }
    }
}
