//! Reading PGN with tabiya-pgn and with pgn-reader, and reading and writing single moves and
//! positions with tabiya, shakmaty and cozy-chess. One thread, interleaved rounds, medians.
//!
//! The games are generated from a seed. They have tags, a clock after each move and, in every
//! fourth game, an evaluation, as the files of a large server have; some have variations and
//! glyphs. With `--studies`, they have nested variations and comments, as annotated games have.

mod generate;
mod positions;
mod readers;
mod studies;
mod trees;

use std::path::PathBuf;

use clap::Parser;
use tabiya_peers::clock::Clock;

/// Compares reading games, moves and positions.
#[derive(Debug, Parser)]
struct Args {
    /// Number of games to generate.
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Generate games with nested variations, comments, glyphs and arrows.
    #[arg(long, conflicts_with = "file")]
    studies: bool,
    /// Read this file instead of generated games.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write the games into this file, too.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Number of times that everything is measured; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure only groups whose title contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Measure processor time of the thread instead of wall-clock time.
    #[arg(long)]
    cpu_time: bool,
}

fn main() {
    let args = Args::parse();
    if let Err(error) = compare(&args) {
        eprintln!("error: {error}");
        std::process::exit(2);
    }
}

fn compare(args: &Args) -> Result<(), String> {
    let clock = Clock::of(args.cpu_time)?;
    let pgn = match &args.file {
        Some(path) => {
            std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None if args.studies => studies::games(args.games, args.seed),
        None => generate::games(args.games, args.seed),
    };
    if let Some(path) = &args.save {
        std::fs::write(path, &pgn).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("{:.1} MB, {} time", pgn.len() as f64 / 1e6, clock.name());
    let samples = positions::Samples::of(&pgn);
    let groups = readers::groups(&pgn).into_iter().chain(positions::groups(&samples));
    let groups = groups.chain(trees::groups(&pgn));
    for mut group in groups.filter(|group| group.title.contains(&args.only)) {
        group.measure(args.rounds, clock)?;
    }
    Ok(())
}
