//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Compare the perft speed of tabiya with that of other move generators.
#[derive(Debug, Parser)]
#[command(name = "tabiya-peers")]
pub(crate) struct Args {
    /// Number of times that each engine counts each position.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,

    /// Positions to count, separated by commas [default: all six].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) positions: Vec<String>,

    /// Engines to run, separated by commas [default: all that this CPU can run].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) engines: Vec<String>,

    /// Reduce the standard depths by this number of plies (the depth is at least 1).
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    pub(crate) depth_minus: u32,

    /// Also run an installed Stockfish, found at this path.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "stockfish")]
    pub(crate) stockfish: Option<PathBuf>,

    /// Measure the processor time of the counting thread instead of wall-clock time. Use this on a
    /// busy machine.
    #[arg(long, conflicts_with = "stockfish")]
    pub(crate) cpu_time: bool,

    /// Print one JSON object per line instead of the table.
    #[arg(long)]
    pub(crate) json: bool,
}
