//! Compares the perft speed of tabiya with that of other move generators.
//!
//! In each round every engine counts every position, in the order A B C, A B C, and so on. So a
//! machine that slows down for a while slows down all engines alike. The median of the rounds is
//! reported. If a count is wrong, the run prints all wrong counts at the end and exits with
//! status 1.

use std::process::ExitCode;

use clap::Parser;

use tabiya_peers::args::Args;
use tabiya_peers::clock::Clock;
use tabiya_peers::measure::Measurements;
use tabiya_peers::{engines, position, report};

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the measurements that the arguments select and prints the report.
fn run(args: &Args) -> Result<ExitCode, String> {
    let positions = position::select(&args.positions, -args.depth_minus)?;
    let clock = Clock::of(args.cpu_time)?;
    let engines = engines::select(args)?;
    let mut tasks =
        engines.into_iter().map(|engine| (engine, positions.clone())).collect::<Vec<_>>();
    let measurements = Measurements::take(&mut tasks, args.rounds, clock)?;

    if args.json {
        report::print_json(&measurements, clock);
    } else {
        report::print_table(&measurements, args.rounds, clock);
    }
    for mismatch in measurements.mismatches() {
        eprintln!("mismatch: {mismatch}");
    }
    Ok(match measurements.mismatches() {
        [] => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
