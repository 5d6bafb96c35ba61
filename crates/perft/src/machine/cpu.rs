//! Code that is compiled for the CPU that runs it.
//!
//! Newer CPUs have single instructions for the size of a set and for slider attacks. [`run`]
//! chooses the code once for a large piece of work. The choice is then part of the types.
//!
//! ```
//! use tabiya::movegen::Legal;
//! use tabiya::{MoveList, Position};
//! use tabiya_perft::Isa;
//! use tabiya_perft::internal::cpu::{self, Cpu, Work};
//!
//! struct ListMoves(Position);
//!
//! impl Work for ListMoves {
//!     type Output = MoveList;
//!
//!     #[inline(always)]
//!     fn run<C: Cpu>(self, cpu: C) -> MoveList {
//!         self.0.generator().with_sliders(cpu.sliders()).list::<Legal>()
//!     }
//! }
//!
//! assert_eq!(cpu::run(Isa::best(), ListMoves(Position::START)).len(), 20);
//! ```

use tabiya::attacks::{DefaultSliders, Sliders};

use super::isa::Isa;

/// A kind of CPU. A value is a proof that this CPU is of that kind.
pub trait Cpu: Copy {
    /// The method that finds slider attacks.
    fn sliders(self) -> impl Sliders;

    /// Runs work in a function that is compiled for this kind of CPU.
    fn enter<W: Work>(self, work: W) -> W::Output;
}

/// Work that can be compiled for any kind of CPU.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work. This must be `#[inline(always)]`, so that it is compiled for the CPU features
    /// of the function that calls it: [`Cpu::enter`].
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Runs work with an instruction set, or with portable code if this CPU does not have the
/// instruction set.
pub fn run<W: Work>(isa: Isa, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = x86::X86V3::detect(isa) {
        return cpu.enter(work);
    }
    let _ = isa;
    Baseline.enter(work)
}

/// Any CPU that the build runs on.
#[derive(Clone, Copy)]
struct Baseline;

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
mod x86 {
    use super::{Cpu, Isa, Sliders, Work};
    use tabiya::attacks::Pext;

    /// A CPU with the bit instructions of x86-64-v3, and vectors.
    #[derive(Clone, Copy)]
    pub(crate) struct X86V3(Pext);

    impl X86V3 {
        pub(crate) fn detect(isa: Isa) -> Option<Self> {
            let is_wanted = isa != Isa::Portable && isa.is_available();
            if is_wanted && Isa::Bmi2.is_available() { Pext::detect().map(Self) } else { None }
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter_with_features<W: Work>(self, work: W) -> W::Output {
            work.run(self)
        }
    }

    impl Cpu for X86V3 {
        #[inline(always)]
        fn sliders(self) -> impl Sliders {
            self.0
        }

        #[inline(always)]
        fn enter<W: Work>(self, work: W) -> W::Output {
            // SAFETY: the field is private, and `detect` alone makes a value. It asks for
            // `Isa::Bmi2`, which is available if the CPU has each of the features.
            unsafe { self.enter_with_features(work) }
        }
    }
}
