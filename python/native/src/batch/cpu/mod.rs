//! Operations that some CPUs have as single instructions: gathering the bits of a set, and
//! spreading a set over bytes.

#[cfg(target_arch = "x86_64")]
mod x86;

use tabiya::attacks::{DefaultSliders, Sliders};

/// A type of one byte, for which the bytes 0 and 1 are valid values.
///
/// # Safety
/// The type has one byte, and the bytes 0 and 1 are valid values of it.
pub(super) unsafe trait Flag: Copy {
    const NO: Self;
    const YES: Self;
}

// SAFETY: `false` is the byte 0, and `true` is 1.
unsafe impl Flag for bool {
    const NO: Self = false;
    const YES: Self = true;
}

// SAFETY: every byte is a valid value.
unsafe impl Flag for u8 {
    const NO: Self = 0;
    const YES: Self = 1;
}

/// A kind of CPU. Having a value proves that the CPU is of this kind.
pub(super) trait Cpu: Copy {
    /// The fastest slider method of the CPU.
    type Sliders: Sliders;

    fn sliders(self) -> Self::Sliders;

    /// The bits of a set under a mask, gathered into the low bits.
    fn gather(self, set: u64, mask: u64) -> u64;

    /// A flag for each bit, the lowest first.
    fn spread<T: Flag>(self, bits: u64, flags: &mut [T; 64]);

    /// A flag for each bit of several words. Bits beyond the last flag are ignored.
    #[inline(always)]
    fn spread_all<T: Flag>(self, bits: &[u64], flags: &mut [T]) {
        let (whole, rest) = flags.as_chunks_mut();
        for (flags, &bits) in whole.iter_mut().zip(bits) {
            self.spread(bits, flags);
        }
        if let Some(&bits) = bits.get(whole.len()) {
            let mut last = [T::NO; 64];
            self.spread(bits, &mut last);
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }
}

/// A computation for any CPU. `visit` should be `#[inline(always)]`: it is called from a function
/// that is compiled for the CPU.
pub(super) trait CpuVisitor {
    fn visit<C: Cpu>(&mut self, cpu: C);
}

/// Runs the computation in code that is compiled for this CPU.
#[inline(always)]
pub(super) fn enter(visitor: &mut impl CpuVisitor) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(cpu) = x86::Avx512::detect() {
            return cpu.enter(visitor);
        }
        if let Some(cpu) = x86::Avx2::detect() {
            return cpu.enter(visitor);
        }
    }
    visitor.visit(AnyCpu);
}

/// Runs the computation once for every kind of CPU to which this one belongs.
pub(super) fn enter_each(visitor: &mut impl CpuVisitor) {
    visitor.visit(AnyCpu);
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(cpu) = x86::Avx2::detect() {
            cpu.enter(visitor);
        }
        if let Some(cpu) = x86::Avx512::detect() {
            cpu.enter(visitor);
        }
    }
}

/// Any CPU.
#[derive(Clone, Copy)]
struct AnyCpu;

impl Cpu for AnyCpu {
    type Sliders = DefaultSliders;

    #[inline(always)]
    fn sliders(self) -> DefaultSliders {
        DefaultSliders::default()
    }

    #[inline(always)]
    fn gather(self, set: u64, mask: u64) -> u64 {
        let (mut left, mut gathered) = (set & mask, 0);
        while left != 0 {
            let below = (left & left.wrapping_neg()) - 1;
            gathered |= 1 << (mask & below).count_ones();
            left &= left - 1;
        }
        gathered
    }

    #[inline(always)]
    fn spread<T: Flag>(self, bits: u64, flags: &mut [T; 64]) {
        for (flags, byte) in flags.as_chunks_mut::<8>().0.iter_mut().zip(bits.to_le_bytes()) {
            for (bit, flag) in flags.iter_mut().enumerate() {
                *flag = if byte >> bit & 1 == 1 { T::YES } else { T::NO };
            }
        }
    }
}
