//! What the comparisons share: engines that count, the positions, clocks and interleaved runs.

pub mod args;
pub mod clock;
pub mod engine;
pub mod engines;
pub mod group;
pub mod measure;
pub mod position;
pub mod report;
