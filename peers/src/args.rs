//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Compare the perft speed of tabiya with that of other move generators.
#[derive(Debug, Parser)]
#[command(name = "tabiya-peers")]
pub struct Args {
    /// Number of times that each engine counts each position.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,

    /// Positions to count, separated by commas [default: all six].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub positions: Vec<String>,

    /// Engines to run, separated by commas [default: all that this CPU can run].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub engines: Vec<String>,

    /// Reduce the standard depths by this number of plies (the depth is at least 1).
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(0..))]
    pub depth_minus: i32,

    /// Also run an installed Stockfish, found at this path.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "stockfish")]
    pub stockfish: Option<PathBuf>,

    /// Measure the processor time of the counting thread instead of wall-clock time. Use this on a
    /// busy machine.
    #[arg(long, conflicts_with = "stockfish")]
    pub cpu_time: bool,

    /// Print one JSON object per line instead of the table.
    #[arg(long)]
    pub json: bool,
}
