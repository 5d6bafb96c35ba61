//! A count of leaf nodes with its time.

use std::time::{Duration, Instant};

use tabiya::Position;
use tabiya_perft::{Engine, PerftTotal};

use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;

/// A count and how long it took.
pub(super) struct Count {
    pub(super) depth: u32,
    pub(super) total: PerftTotal,
    pub(super) time: Duration,
}

impl Count {
    pub(super) fn of(
        position: &Position,
        depth: u32,
        engine: &Engine,
        interrupt: &Interrupt,
    ) -> Self {
        let watch = ProgressLine::new(interrupt, depth);
        let begin = Instant::now();
        let total = engine.perft(position, depth, &watch);
        Self { depth, total, time: begin.elapsed() }
    }
}
