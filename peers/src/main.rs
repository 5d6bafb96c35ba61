//! Runs the same perft on tabiya and on other move generators, side by side.
//!
//! Every engine counts every position once per round, and rounds follow one another
//! (A B C, A B C, ...), so that a machine that warms up or is disturbed disturbs all of them alike.
//! The median of the rounds is reported. A count that differs from the known one ends the run
//! with exit status 1, after all differences have been printed.

mod args;
mod clock;
mod engine;
mod engines;
mod measure;
mod position;
mod report;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::clock::Clock;
use crate::measure::Measurements;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Measures what the arguments ask for and prints the report.
fn run(args: &Args) -> Result<ExitCode, String> {
    let positions = position::select(&args.positions, args.depth_minus)?;
    let clock = Clock::of(args.cpu_time)?;
    let mut engines = engines::select(args)?;
    let measurements = Measurements::take(&mut engines, &positions, args.rounds, clock)?;

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
