//! A count of leaf nodes with its time.

use std::time::{Duration, Instant};

use tabiya::Position;
use tabiya_perft::{Engine, PerftTotal};

use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;

/// A count and its time.
pub(super) struct Count {
    pub(super) depth: u32,
    pub(super) total: PerftTotal,
    pub(super) time: Duration,
}

impl Count {
    /// Counts. A number of more than 128 bits is an error.
    pub(super) fn of(
        position: &Position,
        depth: u32,
        engine: &Engine,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let watch = ProgressLine::new(interrupt, depth);
        let begin = Instant::now();
        let total = engine.perft(position, depth, &watch);
        if total.overflow {
            return Err(too_large(depth).into());
        }
        Ok(Self { depth, total, time: begin.elapsed() })
    }
}

/// The error for a number of leaf nodes that has more than 128 bits.
pub(super) fn too_large(depth: u32) -> Diagnostic {
    let what = format_args!("perft to depth {depth} of this position is 2^128 or more");
    Diagnostic::new(format_args!("{what}: counts have at most 128 bits"))
        .hint("give a smaller depth")
}
