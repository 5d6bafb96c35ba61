//! The threads that share the work of a count.
//!
//! This is the only module that starts threads for counts. The calling thread is one of them. It does
//! all the work if the feature `threads` is off, if one thread is wanted, or if the system gives no
//! more. If memory is short, there are fewer threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The bytes that a thread needs for its stack and for its start.
#[cfg(feature = "threads")]
const THREAD: usize = 3 << 20;

/// Short calls differ in length, so each thread gets many runs of them.
const RUNS_PER_THREAD: usize = 16;

/// Fewer items are sorted by one thread.
#[cfg(feature = "threads")]
const FEW: usize = 1 << 12;

/// A number of threads. Those that share a piece of work with the calling thread start and end with
/// it.
#[derive(Debug)]
pub struct Pool {
    threads: NonZeroUsize,
}

/// The number of threads, at most `threads`, for which there is memory. A thread that starts with
/// too little memory ends the process.
#[cfg(feature = "threads")]
fn affordable(threads: usize) -> usize {
    let has_memory = |threads: usize| {
        let mut memory = Vec::<u8>::new();
        let is_there = memory.try_reserve_exact(threads.saturating_mul(THREAD)).is_ok();
        // The compiler would remove an allocation that is not used.
        std::hint::black_box(&memory);
        is_there
    };
    let mut number = threads;
    while number > 1 && !has_memory(number) {
        number /= 2;
    }
    number
}

/// Runs a function on this many threads at the same time, or on fewer. A panic of any of them
/// continues in the calling thread.
///
/// This is not generic, so it is compiled once.
#[cfg(feature = "threads")]
fn run_on(threads: usize, work: &(dyn Fn() + Sync)) {
    let others = affordable(threads).saturating_sub(1);
    std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (0..others).map_while(start).collect();
        work();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(not(feature = "threads"))]
fn run_on(_: usize, work: &(dyn Fn() + Sync)) {
    work();
}

/// The numbers of the tasks that no thread has taken yet.
struct Tasks {
    next: AtomicUsize,
    count: usize,
}

/// The tasks that one thread takes.
struct Taken<'a>(&'a Tasks);

impl Iterator for Taken<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        (number < self.0.count).then_some(number)
    }
}

impl Drop for Taken<'_> {
    /// After a panic, no thread begins another task.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.next.store(self.0.count, Ordering::Relaxed);
        }
    }
}

impl Pool {
    /// A pool of this many threads.
    pub const fn new(threads: NonZeroUsize) -> Self {
        Self { threads }
    }

    /// The values of a function for 0, 1, 2 … `count - 1`, in this order.
    ///
    /// Every call is a separate task. This is for calls that take long and differ in length.
    pub fn map<R: Send>(&self, count: usize, each: impl Fn(usize) -> R + Send + Sync) -> Vec<R> {
        let tasks = Tasks { next: AtomicUsize::new(0), count };
        let mut values = Vec::new();
        values.resize_with(count, || None);
        let values = Mutex::new(values);
        run_on(self.threads.get().min(count), &|| {
            for number in Taken(&tasks) {
                let value = each(number);
                values.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(value);
            }
        });
        let values = values.into_inner().unwrap_or_else(PoisonError::into_inner);
        values.into_iter().flatten().collect()
    }

    /// The values of a function for 0, 1, 2 … `count - 1`, in this order; `None` if one of them is
    /// `None`.
    ///
    /// The calls are distributed in runs of consecutive numbers. This is for many short calls. Each
    /// run gets its own state.
    pub fn try_map<S, R: Send>(
        &self,
        count: usize,
        state: impl Fn() -> S + Send + Sync,
        each: impl Fn(&mut S, usize) -> Option<R> + Send + Sync,
    ) -> Option<Vec<R>> {
        let runs = match self.threads.get() {
            1 => 1,
            threads => threads.saturating_mul(RUNS_PER_THREAD),
        };
        let length = count.div_ceil(runs).max(1);
        let has_ended = AtomicBool::new(false);
        let runs = self.map(count.div_ceil(length), |run| {
            if has_ended.load(Ordering::Relaxed) {
                return None;
            }
            let mut state = state();
            let numbers = run * length..count.min((run + 1) * length);
            let values: Option<Vec<R>> = numbers.map(|number| each(&mut state, number)).collect();
            if values.is_none() {
                has_ended.store(true, Ordering::Relaxed);
            }
            values
        });
        let mut values = Vec::with_capacity(count);
        for run in runs {
            values.extend(run?);
        }
        Some(values)
    }

    /// Runs a function on every thread at the same time.
    pub fn broadcast(&self, work: impl Fn() + Send + Sync) {
        run_on(self.threads.get(), &work);
    }

    /// Sorts the items. Equal items may change places.
    pub fn sort_unstable<T: Ord + Copy + Send>(&self, items: &mut [T]) {
        #[cfg(feature = "threads")]
        sort_on(affordable(self.threads.get()), items);
        #[cfg(not(feature = "threads"))]
        items.sort_unstable();
    }
}

/// Sorts the items on this many threads: each half of the threads sorts the items on one side of a
/// pivot.
#[cfg(feature = "threads")]
fn sort_on<T: Ord + Copy + Send>(threads: usize, items: &mut [T]) {
    if threads < 2 || items.len() < FEW {
        items.sort_unstable();
        return;
    }
    let low_threads = threads / 2;
    let pivot = pivot(items, low_threads, threads);
    let below = move_below_to_front(items, &pivot);
    let (low, high) = items.split_at_mut(below);
    let is_sorted = std::thread::scope(|scope| {
        let start = std::thread::Builder::new().spawn_scoped(scope, || sort_on(low_threads, low));
        sort_on(threads - low_threads, high);
        start.map(|low| low.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).is_ok()
    });
    if !is_sorted {
        // There was no thread for them.
        items[..below].sort_unstable();
    }
}

/// An item with about `part` of `whole` of the items below it, judged by a sample.
#[cfg(feature = "threads")]
fn pivot<T: Ord + Copy>(items: &[T], part: usize, whole: usize) -> T {
    let mut sample: Vec<T> = items.iter().step_by(items.len() / (FEW / 4)).copied().collect();
    let place = sample.len() * part / whole;
    *sample.select_nth_unstable(place).1
}

/// Moves the items below the pivot to the front, and returns how many they are. No branch depends
/// on an item, since it could not be predicted.
#[cfg(feature = "threads")]
fn move_below_to_front<T: Ord + Copy>(items: &mut [T], pivot: &T) -> usize {
    let mut below = 0;
    for number in 0..items.len() {
        let is_below = items[number] < *pivot;
        items.swap(below, number);
        below += usize::from(is_below);
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pools() -> [Pool; 2] {
        [1, 3].map(|threads| Pool::new(NonZeroUsize::new(threads).unwrap()))
    }

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for pool in pools() {
            let squares: Vec<usize> = (0..1000).map(|n| n * n).collect();
            assert_eq!(pool.map(1000, |n| n * n), squares);
            assert_eq!(pool.try_map(1000, || (), |(), n| Some(n * n)), Some(squares));
        }
    }

    #[cfg(feature = "threads")]
    #[test]
    fn threads_for_which_there_is_no_memory_are_not_started() {
        assert_eq!([1, 2, 3].map(affordable), [1, 2, 3]);
        // No machine has this much memory.
        let most = usize::MAX / THREAD;
        assert!(affordable(most) < most);
        assert!(affordable(usize::MAX) < most);
    }

    #[test]
    fn one_call_without_a_value_leaves_no_values() {
        for pool in pools() {
            assert_eq!(pool.try_map(1000, || (), |(), n| (n != 500).then_some(n)), None);
        }
    }

    #[test]
    fn items_are_sorted_on_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let pool = Pool::new(NonZeroUsize::new(threads).unwrap());
            for distinct in [1, 2, 1000, u64::MAX] {
                for count in [0, 1, 4095, 4096, 50_000] {
                    let spread = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % distinct;
                    let mut items: Vec<u64> = (0..count).map(spread).collect();
                    let mut sorted = items.clone();
                    sorted.sort_unstable();
                    pool.sort_unstable(&mut items);
                    assert!(items == sorted, "{threads} threads, {distinct} values, {count} items");
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_ends_the_work() {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        for pool in pools() {
            let calls = AtomicUsize::new(0);
            let each = |number| {
                calls.fetch_add(1, Ordering::Relaxed);
                assert!(number != 3, "the fourth task");
                std::thread::sleep(std::time::Duration::from_millis(1));
            };
            let panic = catch_unwind(AssertUnwindSafe(|| pool.map(10_000, each))).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"the fourth task"));
            assert!(calls.into_inner() < 10_000);
        }
    }

    #[test]
    fn a_broadcast_runs_at_least_once() {
        for pool in pools() {
            let calls = AtomicUsize::new(0);
            pool.broadcast(|| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
            assert!(calls.into_inner() >= 1);
        }
    }
}
