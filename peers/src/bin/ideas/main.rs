//! What each idea is worth: the six standard positions, counted in steps from the simplest counter
//! to the fastest. docs/ideas.md explains the steps.

mod articles;
mod shifts;
mod steps;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde_json::json;
use tabiya_peers::clock::Clock;
use tabiya_peers::measure::{Measurements, Task};
use tabiya_peers::position;

use crate::steps::Step;

/// Counts the six standard positions in steps, each with one idea more, and prints what it brings.
#[derive(Debug, Parser)]
struct Args {
    /// Number of times that each step counts each position; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Reduce all depths by this number of plies (the depth is at least 1).
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(0..))]
    depth_minus: i32,

    /// Measure the processor time of the counting thread instead of wall-clock time.
    #[arg(long)]
    cpu_time: bool,

    /// Also run an installed Stockfish, found at this path.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "stockfish")]
    stockfish: Option<PathBuf>,

    /// Also run H.G. Muller's qperft, found at this path. It measures its own processor time.
    #[arg(long, value_name = "PATH")]
    qperft: Option<PathBuf>,

    /// Print one JSON object per line instead of the table.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,

    /// Print the table as in docs/ideas.md.
    #[arg(long)]
    markdown: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match measure(&args) {
        Ok((steps, measurements)) => {
            print(&args, &steps, &measurements);
            for mismatch in measurements.mismatches() {
                eprintln!("mismatch: {mismatch}");
            }
            ExitCode::from(u8::from(!measurements.mismatches().is_empty()))
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn measure(args: &Args) -> Result<(Vec<Step>, Measurements), String> {
    let clock = Clock::of(args.cpu_time)?;
    let (steps, engines): (Vec<_>, Vec<_>) = steps::all(args)?.into_iter().unzip();
    let mut tasks = Vec::<Task>::new();
    for (step, engine) in steps.iter().zip(engines) {
        tasks.push((engine, position::select(&[], step.deeper - args.depth_minus)?));
    }
    Ok((steps, Measurements::take(&mut tasks, args.rounds, clock)?))
}

/// Prints a line for each step: its speed over all positions, the factor over the step that it
/// changes, and the factor over the first.
fn print(args: &Args, steps: &[Step], measurements: &Measurements) {
    let all = measurements.aggregates();
    // Threads and other processes have clocks of their own, which their names say.
    let clock = if args.cpu_time { Clock::Cpu } else { Clock::Wall }.name();
    let speeds: Vec<f64> = all.iter().map(|aggregate| aggregate.mnps()).collect();
    let is_plain = !args.json && !args.markdown;
    if is_plain {
        println!(
            "     article {:42} {:>8} {:>13} {:>10}",
            "step", "Mnps", "over step", "over the 1st"
        );
    }
    if args.markdown {
        println!(
            "| | article | step | Mnps | over step | over the first |\n|--:|---|---|--:|--:|--:|"
        );
    }
    for (at, (step, speed)) in steps.iter().zip(&speeds).enumerate() {
        let Step { part, name, before, deeper } = step;
        let over = |before: usize| speed / speeds[before];
        if args.json {
            let line = json!({
                "step": at + 1,
                "part": part,
                "name": name,
                "deeper": deeper,
                "nodes": all[at].nodes,
                "seconds": all[at].seconds,
                "clock": clock,
                "mnps": speed,
                "before": before.map(|before| before + 1),
                "factor": before.map(over),
                "over_first": over(0),
            });
            println!("{line}");
            continue;
        }
        let factor = before
            .map_or_else(String::new, |before| format!("{:.2} × ({})", over(before), before + 1));
        let (number, total) = (at + 1, over(0));
        if args.markdown {
            println!("| {number} | {part} | {name} | {speed:.0} | {factor} | {total:.1} × |");
        } else {
            println!("{number:3}  {part:7} {name:42} {speed:8.1} {factor:>13} {total:8.1} ×");
        }
    }
    if is_plain {
        println!("Medians of {} interleaved rounds, {clock} time.", args.rounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_there_and_counts_right() {
        let args = Args::parse_from(["ideas", "--depth-minus", "4", "--rounds", "1"]);
        let (steps, measurements) = measure(&args).unwrap();
        assert_eq!(measurements.mismatches(), [""; 0]);
        assert_eq!(measurements.aggregates().len(), steps.len());
        for part in ["1", "2", "3", "4", "5", "+", "others"] {
            assert!(steps.iter().any(|step| step.part == part), "{part}");
        }
        let names = || steps.iter().map(|step| step.name);
        for method in articles::methods() {
            assert!(method == "magic" || names().any(|name| name.contains(method)), "{method}");
        }
        for isa in tabiya_perft::Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            assert!(names().any(|name| name.ends_with(isa.name())), "{isa}");
        }
        for (at, step) in steps.iter().enumerate() {
            assert!(step.before.is_none_or(|before| before < at), "{}", step.name);
        }
    }
}
