//! The interface between the benchmark and the move generators.

use std::time::Duration;

use crate::clock::Clock;

/// A move generator that can count leaf nodes.
pub trait Engine {
    /// The short name for `--engines` and for the reports.
    fn name(&self) -> &'static str;

    /// Counts the leaf nodes at a depth with bulk counting, by the fastest way that the
    /// generator offers. A transposition table is not allowed unless the engine's name says so.
    ///
    /// The benchmark measures the whole call. It includes the parsing of the FEN, which takes
    /// microseconds, while the count takes hundreds of milliseconds.
    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String>;

    /// The time so far. A program that counts elsewhere than on the calling thread has a clock of
    /// its own.
    fn now(&self, clock: Clock) -> Duration {
        clock.now()
    }
}
