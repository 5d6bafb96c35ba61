//! A set of fingerprints that all threads share.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::DistinctError;
use super::fingerprint::Fingerprint;
use crate::table::{HashSize, Pages, Zeroed};

/// The fingerprints in a line.
const PLACES: usize = 5;
/// A line whose state has this bit is being written.
const WRITING: u32 = 1 << 31;

/// A cache line: up to five fingerprints of 96 bits.
///
/// Fingerprints are never removed, and are found without a lock. A thread that adds one sets a bit
/// of the state, writes, and then counts the new fingerprint in the state.
#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Line {
    low: [AtomicU64; PLACES],
    high: [AtomicU32; PLACES],
    /// How many places are filled, from the first on, and [`WRITING`].
    state: AtomicU32,
}

// SAFETY: a line consists of atomics, for which any bytes are valid, and has no drop glue.
unsafe impl Zeroed for Line {}

/// What became of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Present,
    Added,
    LineIsFull,
}

impl Line {
    /// Is this fingerprint in one of the first places?
    #[inline(always)]
    fn has(&self, low: u64, high: u32, filled: u32) -> bool {
        let mut same = 0;
        for place in 0..PLACES {
            same |= u32::from(self.low[place].load(Ordering::Relaxed) == low) << place;
        }
        same &= (1 << filled) - 1;
        while same != 0 {
            let place = same.trailing_zeros() as usize;
            if self.high[place].load(Ordering::Relaxed) == high {
                return true;
            }
            same &= same - 1;
        }
        false
    }

    #[inline(always)]
    fn insert(&self, low: u64, high: u32) -> Place {
        let mut state = self.state.load(Ordering::Acquire);
        loop {
            let filled = state & !WRITING;
            if self.has(low, high, filled) {
                return Place::Present;
            }
            if filled as usize == PLACES {
                return Place::LineIsFull;
            }
            if state != filled {
                // What is being written may be this fingerprint.
                std::hint::spin_loop();
                state = self.state.load(Ordering::Acquire);
                continue;
            }
            let writing = filled | WRITING;
            match self.state.compare_exchange(state, writing, Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => {
                    self.low[filled as usize].store(low, Ordering::Relaxed);
                    self.high[filled as usize].store(high, Ordering::Relaxed);
                    self.state.store(filled + 1, Ordering::Release);
                    return Place::Added;
                }
                Err(changed) => state = changed,
            }
        }
    }
}

/// A set of fingerprints. 96 of their bits are compared.
#[derive(Debug)]
pub(super) struct FingerprintSet {
    pages: Pages<Line>,
}

impl FingerprintSet {
    /// The bytes that a set needs for this number of fingerprints.
    pub(super) fn bytes_for(fingerprints: u64) -> u64 {
        let lines = (fingerprints as f64 / (PLACES as f64 * MAX_LOAD)).ceil() as u64 + 1;
        lines * size_of::<Line>() as u64
    }

    /// An empty set of this size.
    pub(super) fn new(bytes: u64) -> Result<Self, DistinctError> {
        let lines = (bytes / size_of::<Line>() as u64).max(1);
        let size = HashSize::Bytes(
            std::num::NonZeroU64::new(lines * size_of::<Line>() as u64)
                .ok_or(DistinctError::OutOfMemory)?,
        );
        Ok(Self { pages: Pages::new(size).map_err(|_| DistinctError::OutOfMemory)? })
    }

    /// How many fingerprints the set should hold at most.
    pub(super) fn capacity(&self) -> u64 {
        (self.pages.len() as f64 * PLACES as f64 * MAX_LOAD) as u64
    }

    /// Removes all fingerprints of one of `parts` parts.
    pub(super) fn clear(&self, part: usize, parts: usize) {
        let lines = self.pages.len();
        let range = lines * part / parts..lines * (part + 1) / parts;
        self.pages[range].iter().for_each(|line| line.state.store(0, Ordering::Relaxed));
    }

    #[inline(always)]
    fn home(&self, fingerprint: Fingerprint) -> usize {
        ((u128::from(fingerprint as u64) * self.pages.len() as u128) >> 64) as usize
    }

    /// Starts to fetch what [`insert`](Self::insert) will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, fingerprint: Fingerprint) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Line = &raw const self.pages[self.home(fingerprint)];
            // SAFETY: a prefetch reads nothing, and the pointer comes from a reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = fingerprint;
    }

    /// Adds a fingerprint. Was it new? Of all threads that add the same one, exactly one is told so.
    ///
    /// There must be room.
    #[inline(always)]
    pub(super) fn insert(&self, fingerprint: Fingerprint) -> bool {
        let (low, high) = (fingerprint as u64, (fingerprint >> 64) as u32);
        let lines = &*self.pages;
        let mut number = self.home(fingerprint);
        loop {
            match lines[number].insert(low, high) {
                Place::Present => return false,
                Place::Added => return true,
                Place::LineIsFull => {
                    number += 1;
                    if number == lines.len() {
                        number = 0;
                    }
                }
            }
        }
    }
}

/// The share of places that may be filled. Beyond it, a fingerprint is often in another line than
/// the first.
const MAX_LOAD: f64 = 0.85;
