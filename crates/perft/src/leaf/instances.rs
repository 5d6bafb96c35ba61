//! The kinds of CPU for which the counter is compiled.
//!
//! The CPU is tested once, at the root: a value of one of these types is the proof that it has the
//! features. From then on `enter` needs no test.

#[cfg(target_arch = "x86_64")]
use tabiya::attacks::Pext;
use tabiya::attacks::{DefaultSliders, Sliders};

use super::machine::Machine;
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::vector::Waiting;
#[cfg(target_arch = "x86_64")]
use crate::lanes::Zmm;

/// Every CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Machine for Portable {
    type Kernel = scalar::AtOnce;

    #[inline(never)]
    fn enter<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn sliders(self) -> impl Sliders {
        DefaultSliders::default()
    }
}

/// Declares a kind of x86 CPU with certain features.
#[cfg(target_arch = "x86_64")]
macro_rules! x86 {
    ($(#[$doc:meta])* $name:ident, $kernel:ty, [$($feature:tt),+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(Pext);

        impl $name {
            /// The proof, if this CPU has the features that `entered` enables. There is no other
            /// way to get one, because the field is private.
            pub(crate) fn detect() -> Option<Self> {
                let has_all = $(is_x86_feature_detected!($feature))&&+;
                if has_all { Pext::detect().map(Self) } else { None }
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn entered<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
        }

        impl Machine for $name {
            type Kernel = $kernel;

            #[inline(always)]
            fn enter<R>(self, work: impl FnOnce() -> R) -> R {
                // SAFETY: `self` comes from `detect`, which found every feature of `entered`.
                unsafe { Self::entered(work) }
            }

            #[inline(always)]
            fn sliders(self) -> impl Sliders {
                self.0
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86!(
    /// CPUs that count and pack bits with one instruction each. Their vectors of four bitboards
    /// count siblings by category, but gain nothing for nodes two plies above leaves.
    Bmi2, scalar::AtOnce,
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]
);

#[cfg(target_arch = "x86_64")]
x86!(
    /// CPUs with AVX-512.
    Avx512, Waiting<Zmm>,
    [
        "avx512f", "avx512cd", "avx512bw", "avx512vl", "avx512dq", "avx512vpopcntdq",
        "avx512vbmi", "avx512vbmi2", "bmi1", "bmi2", "lzcnt", "popcnt"
    ]
);
