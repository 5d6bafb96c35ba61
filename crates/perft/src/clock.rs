//! Measuring time, if there is a clock.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// Is there a clock? There is none in a browser's WebAssembly.
pub(crate) const IS_AVAILABLE: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

/// A stopwatch. Without a clock, its time is always zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    start: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            start: Instant::now(),
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let elapsed = self.start.elapsed();
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        let elapsed = Duration::ZERO;
        elapsed
    }
}
