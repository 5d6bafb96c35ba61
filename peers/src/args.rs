//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// The same perft on tabiya and on other move generators, side by side.
#[derive(Debug, Parser)]
#[command(name = "tabiya-peers")]
pub(crate) struct Args {
    /// How often each engine counts each position.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,

    /// Names of the positions to count, separated by commas [default: all six].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) positions: Vec<String>,

    /// Names of the engines to run, separated by commas [default: all that are built in].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) engines: Vec<String>,

    /// Count this many plies less than the standard depths (never less than one ply).
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    pub(crate) depth_minus: u32,

    /// Also run an installed Stockfish as a process, found at this path.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "stockfish")]
    pub(crate) stockfish: Option<PathBuf>,

    /// Measure the time that the processor spent on the counting thread, instead of the time that
    /// passed: for machines that are busy with other things.
    #[arg(long, conflicts_with = "stockfish")]
    pub(crate) cpu_time: bool,

    /// Print one JSON object a line instead of the table.
    #[arg(long)]
    pub(crate) json: bool,
}
