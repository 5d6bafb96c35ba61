//! CPUs with BMI2, and with AVX2 or AVX-512.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_set_epi64x, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm512_maskz_set1_epi8, _mm512_storeu_si512, _pext_u64,
};

use tabiya::attacks::Obstruction;

use super::{Cpu, CpuVisitor, Flag};

/// Defines a type whose values prove that the CPU has these features.
macro_rules! cpu {
    ($(#[$doc:meta])* $name:ident, $spread:ident, $($feature:tt)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(());

        impl $name {
            pub(super) fn detect() -> Option<Self> {
                let has_features = $(is_x86_feature_detected!($feature))&&+;
                has_features.then_some(Self(()))
            }

            /// Runs the computation in a function that is compiled for the CPU.
            #[inline]
            pub(super) fn enter(self, visitor: &mut impl CpuVisitor) {
                $(#[target_feature(enable = $feature)])+
                fn inside<C: Cpu>(cpu: C, visitor: &mut impl CpuVisitor) {
                    visitor.visit(cpu);
                }
                // SAFETY: `self` proves the features.
                unsafe { inside(self, visitor) };
            }
        }

        impl Cpu for $name {
            // The tables of this method are small. Writing the arrays evicts those of PEXT from the
            // cache.
            type Sliders = Obstruction;

            #[inline(always)]
            fn sliders(self) -> Obstruction {
                Obstruction
            }

            #[inline(always)]
            fn gather(self, set: u64, mask: u64) -> u64 {
                // SAFETY: `self` proves BMI2.
                unsafe { _pext_u64(set, mask) }
            }

            #[inline(always)]
            fn spread<T: Flag>(self, bits: u64, flags: &mut [T; 64]) {
                // SAFETY: `self` proves the features.
                unsafe { $spread(bits, flags) };
            }
        }
    };
}

cpu!(
    /// AVX2, as in most CPUs.
    Avx2, spread_by_avx2, "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
);
cpu!(
    /// AVX-512 with instructions for bytes.
    Avx512, spread_by_avx512, "avx512f" "avx512bw" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
);

#[target_feature(enable = "avx2")]
#[inline]
fn spread_by_avx2<T: Flag>(bits: u64, flags: &mut [T; 64]) {
    // Byte number i gets the byte that contains bit i, and keeps only that bit.
    let (one, two, three) = (0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bytes = _mm256_set_epi64x(three, two, one, 0);
    let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let halves = [bits as i32, (bits >> 32) as i32];
    for (flags, half) in flags.as_chunks_mut::<32>().0.iter_mut().zip(halves) {
        let kept = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(half), bytes), own);
        let ones = _mm256_and_si256(_mm256_cmpeq_epi8(kept, own), _mm256_set1_epi8(1));
        // SAFETY: 32 bytes are written, which is the size of the flags, and each is 0 or 1, which
        // are values of the type.
        unsafe { _mm256_storeu_si256(flags.as_mut_ptr().cast::<__m256i>(), ones) };
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn spread_by_avx512<T: Flag>(bits: u64, flags: &mut [T; 64]) {
    let ones = _mm512_maskz_set1_epi8(bits, 1);
    // SAFETY: 64 bytes are written, which is the size of the flags, and each is 0 or 1, which are
    // values of the type.
    unsafe { _mm512_storeu_si512(flags.as_mut_ptr().cast::<__m512i>(), ones) };
}
