//! The threads that share the work of a count.
//!
//! This is the only module that knows of a thread pool. The calling thread does all the work if the
//! feature `threads` is off, if one thread is wanted, or if the system refuses to start them.

use std::num::NonZeroUsize;

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// A number of threads, or the calling thread alone.
#[derive(Debug)]
pub struct Pool {
    /// `None` if the calling thread works alone.
    #[cfg(feature = "threads")]
    threads: Option<rayon::ThreadPool>,
}

impl Pool {
    /// A pool of this many threads.
    #[cfg_attr(not(feature = "threads"), expect(unused_variables))]
    pub fn new(threads: NonZeroUsize) -> Self {
        Self {
            #[cfg(feature = "threads")]
            threads: match threads.get() {
                1 => None,
                number => rayon::ThreadPoolBuilder::new().num_threads(number).build().ok(),
            },
        }
    }

    /// The values of a function for 0, 1, 2 … `count - 1`, in this order.
    ///
    /// Every call is a separate task. This is for calls that take long and differ in length.
    pub fn map<R: Send>(&self, count: usize, each: impl Fn(usize) -> R + Send + Sync) -> Vec<R> {
        #[cfg(feature = "threads")]
        if let Some(threads) = &self.threads {
            let tasks = (0..count).into_par_iter().with_max_len(1);
            return threads.install(|| tasks.map(each).collect());
        }
        (0..count).map(each).collect()
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
        #[cfg(feature = "threads")]
        if let Some(threads) = &self.threads {
            let tasks = (0..count).into_par_iter();
            return threads.install(|| tasks.map_init(state, each).collect());
        }
        let mut state = state();
        (0..count).map(|number| each(&mut state, number)).collect()
    }

    /// Runs a function on every thread at the same time.
    pub fn broadcast(&self, work: impl Fn() + Send + Sync) {
        #[cfg(feature = "threads")]
        if let Some(threads) = &self.threads {
            threads.broadcast(|_| work());
            return;
        }
        work();
    }

    /// Sorts the items. Equal items may change places.
    pub fn sort_unstable<T: Ord + Send>(&self, items: &mut [T]) {
        #[cfg(feature = "threads")]
        if let Some(threads) = &self.threads {
            threads.install(|| items.par_sort_unstable());
            return;
        }
        items.sort_unstable();
    }
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

    #[test]
    fn one_call_without_a_value_leaves_no_values() {
        for pool in pools() {
            assert_eq!(pool.try_map(1000, || (), |(), n| (n != 500).then_some(n)), None);
        }
    }

    #[test]
    fn a_broadcast_runs_at_least_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        for pool in pools() {
            let calls = AtomicUsize::new(0);
            pool.broadcast(|| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
            assert!(calls.into_inner() >= 1);
        }
    }
}
