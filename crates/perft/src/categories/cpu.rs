//! Code for different CPUs.
//!
//! Counting by category consists mostly of sizes of sets and slider attacks. Newer CPUs have
//! instructions for both, and vectors for several positions at once. [`run`] chooses the code once per
//! subtree; from there on, types carry the choice.

use tabiya::attacks::{DefaultSliders, Sliders};

use crate::isa::Isa;

/// A kind of CPU. A value is a proof that this CPU is of that kind.
pub(crate) trait Cpu: Copy {
    /// The method that finds slider attacks.
    fn sliders(self) -> impl Sliders;

    /// The vectors, if there are any.
    #[cfg(target_arch = "x86_64")]
    fn vectors(self) -> Option<x86::VectorCounter> {
        None
    }

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

/// Runs work with an instruction set, or without any if this CPU does not have it.
pub(crate) fn run<W: Work>(isa: Isa, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = x86::Bmi2::detect(isa) {
        return cpu.enter(work);
    }
    let _ = isa;
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
    use super::{Cpu, Isa, Sliders, Work};
    use crate::leaf::{Avx2, Avx512, Found, Siblings, Space};
    use std::arch::is_x86_feature_detected as detected;
    use tabiya::attacks::Pext;

    /// What counts with the vectors of a CPU.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum VectorCounter {
        Avx2(Avx2),
        Avx512(Avx512),
    }

    impl VectorCounter {
        fn detect(isa: Isa) -> Option<Self> {
            match isa {
                Isa::Portable => None,
                Isa::Avx2 => Avx2::detect().map(Self::Avx2),
                Isa::Avx512 => Avx512::detect().map(Self::Avx512),
            }
        }

        /// Counts the moves of siblings by category.
        #[inline(always)]
        pub(crate) fn count(self, siblings: &mut Siblings, space: &mut Space, found: &mut Found) {
            match self {
                Self::Avx2(avx2) => avx2.count_siblings(siblings, space, found),
                Self::Avx512(avx512) => avx512.count_siblings(siblings, space, found),
            }
        }
    }

    /// A CPU with the bit instructions of x86-64-v3, and vectors.
    #[derive(Clone, Copy)]
    pub(crate) struct Bmi2 {
        pext: Pext,
        vectors: VectorCounter,
    }

    impl Bmi2 {
        pub(crate) fn detect(isa: Isa) -> Option<Self> {
            let others =
                detected!("avx2") && detected!("bmi1") && detected!("lzcnt") && detected!("popcnt");
            if !others {
                return None;
            }
            Some(Self { pext: Pext::detect()?, vectors: VectorCounter::detect(isa)? })
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter_with_features<W: Work>(self, work: W) -> W::Output {
            work.run(self)
        }
    }

    impl Cpu for Bmi2 {
        #[inline(always)]
        fn sliders(self) -> impl Sliders {
            self.pext
        }

        #[inline(always)]
        fn vectors(self) -> Option<VectorCounter> {
            Some(self.vectors)
        }

        #[inline(always)]
        fn enter<W: Work>(self, work: W) -> W::Output {
            // SAFETY: the fields are private, and `detect` alone makes a value. It asks the CPU for
            // each of the features, BMI2 by `Pext::detect`.
            unsafe { self.enter_with_features(work) }
        }
    }
}
