//! A set of fingerprints that all threads share.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::DistinctError;
use super::fingerprint::Fingerprint;
use tabiya_perft::Watch;
use tabiya_perft::internal::{Pages, Pool, Zeroed};
use tabiya_perft::table::HashSize;

/// The fingerprints in a line.
const PLACES: usize = 5;
/// A line whose state has this bit is being written.
const WRITING: u32 = 1 << 31;

/// A cache line: up to five fingerprints of 96 bits.
///
/// Fingerprints are never removed, and reading them needs no lock. A thread that adds one sets a
/// bit of the state, writes the fingerprint, and then counts it in the state.
#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Line {
    low: [AtomicU64; PLACES],
    high: [AtomicU32; PLACES],
    /// The number of filled places, which are the first ones, and [`WRITING`].
    state: AtomicU32,
}

// SAFETY: a line consists of atomics, for which any bytes are valid, and has no drop glue.
unsafe impl Zeroed for Line {}

/// The result of adding a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Present,
    Added,
    LineIsFull,
}

impl Line {
    /// Is this fingerprint in one of the first `filled` places?
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
                // Another thread may be writing this fingerprint.
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

/// The share of places that may be filled. In a fuller set, many fingerprints would not be in their
/// first line.
const MAX_LOAD: f64 = 0.85;
/// The number of lines of the smallest set.
const MIN_LINES: u64 = 1 << 10;

/// A set of fingerprints. It compares 96 of their bits.
#[derive(Debug)]
pub(super) struct FingerprintSet {
    pages: Pages<Line>,
    capacity: u64,
}

impl FingerprintSet {
    /// The bytes that a set needs for this number of fingerprints.
    pub(super) fn bytes_for(fingerprints: f64) -> u64 {
        let lines = (fingerprints / (PLACES as f64 * MAX_LOAD)).ceil() as u64;
        lines.saturating_add(1).saturating_mul(size_of::<Line>() as u64)
    }

    /// An empty set of about this size.
    pub(super) fn new(bytes: u64) -> Result<Self, DistinctError> {
        let lines = (bytes / size_of::<Line>() as u64).max(MIN_LINES);
        let size = NonZeroU64::new(lines * size_of::<Line>() as u64).map(HashSize::Bytes);
        let size = size.ok_or(DistinctError::OutOfMemory)?;
        let pages = Pages::new(size).map_err(|_| DistinctError::OutOfMemory)?;
        Ok(Self { pages, capacity: (lines as f64 * PLACES as f64 * MAX_LOAD) as u64 })
    }

    /// The number of fingerprints that may be added. The set has room for a few more.
    pub(super) const fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Removes all fingerprints.
    ///
    /// # Errors
    /// [`DistinctError::Cancelled`] if the watch cancels the work. Some are then left.
    pub(super) fn clear(&self, pool: &Pool, watch: &dyn Watch) -> Result<(), DistinctError> {
        const LINES: usize = 1 << 14;
        let parts = self.pages.len().div_ceil(LINES);
        let clear = |(): &mut (), part: usize| {
            let end = self.pages.len().min((part + 1) * LINES);
            let lines = &self.pages[part * LINES..end];
            lines.iter().for_each(|line| line.state.store(0, Ordering::Relaxed));
            (!watch.is_cancelled()).then_some(())
        };
        pool.try_map(parts, || (), clear).map(drop).ok_or(DistinctError::Cancelled)
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

    /// Adds a fingerprint. Returns whether it is new. If several threads add the same one, exactly
    /// one of them gets `true`.
    ///
    /// There must be room: the caller counts the fingerprints.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::num::NonZeroUsize;
    use std::sync::atomic::AtomicU64;
    use tabiya::SplitMix64;

    fn fingerprints(count: usize) -> Vec<Fingerprint> {
        let mut random = SplitMix64::new(11);
        let mut next = || u128::from(random.number()) << 64 | u128::from(random.number());
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn a_full_set_tells_new_fingerprints_from_old_ones() {
        let set = FingerprintSet::new(0).unwrap();
        let all = fingerprints(set.capacity() as usize);
        for round in 0..2 {
            for &fingerprint in &all {
                assert_eq!(set.insert(fingerprint), round == 0);
            }
        }
        set.clear(&Pool::new(NonZeroUsize::MIN), &()).unwrap();
        assert!(all.iter().all(|&fingerprint| set.insert(fingerprint)));
    }

    /// Fingerprints that share a line and differ in only a few bits.
    #[test]
    fn ninety_six_bits_are_compared() {
        let set = FingerprintSet::new(0).unwrap();
        assert!(set.insert(0));
        for bit in 0..128 {
            assert_eq!(set.insert(1 << bit), bit < 96, "bit {bit}");
        }
        for bit in 0..96 {
            assert!(!set.insert(1 << bit), "bit {bit}");
        }
    }

    #[test]
    fn of_several_threads_one_adds_a_fingerprint() {
        let set = FingerprintSet::new(0).unwrap();
        // Every fingerprint occurs twice, and all are in a few lines.
        let all: Vec<u128> = fingerprints(2000)
            .iter()
            .map(|&number| number & !(u128::from(u64::MAX) << 8))
            .collect();
        let distinct = all.iter().collect::<HashSet<_>>().len() as u64;
        for _ in 0..20 {
            let added = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (set, all, added) = (&set, &all, &added);
                    scope.spawn(move || {
                        let (first, second) = all.split_at(thread * 100);
                        let new = second.iter().chain(first).filter(|&&number| set.insert(number));
                        added.fetch_add(new.count() as u64, Ordering::Relaxed);
                    });
                }
            });
            assert_eq!(added.into_inner(), distinct);
            set.clear(&Pool::new(NonZeroUsize::MIN), &()).unwrap();
        }
    }
}
