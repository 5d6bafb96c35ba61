//! The command. See `--help`.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use clap::Parser;
use clap::builder::PossibleValue;
use tabiya::Setup;
use tabiya_differential::answers::Tabiya;
use tabiya_differential::compare::Comparer;
use tabiya_differential::record::Difference;
use tabiya_differential::report::{grouped, status, tables};
use tabiya_differential::run::{Plan, Results, Watched, run};
use tabiya_differential::sources::Source;

/// Compares tabiya with shakmaty and cozy-chess on many positions.
///
/// What is compared does not depend on the number of threads. The exit status is 0 if there is no
/// difference, 1 if there is one, 2 if the call is mistaken, and 130 after Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tabiya-differential", version, max_term_width = 100)]
struct Args {
    /// The number of positions, of all sources together
    #[arg(long, value_name = "N", default_value_t = 1_000_000, conflicts_with = "seconds")]
    positions: u64,

    /// Compare for about this long, not a number of positions
    #[arg(long, value_name = "S")]
    seconds: Option<u32>,

    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// The seed of the random positions
    #[arg(long, value_name = "X", default_value_t = 1)]
    seed: u64,

    /// Where positions come from; all in turn if none is named
    #[arg(long = "source", value_name = "NAME", num_args = 1.., value_parser = source_values())]
    sources: Vec<String>,

    /// Compare every kind at every position, which takes about forty times as long
    #[arg(long)]
    all: bool,

    /// Only this batch of each source, as a difference names it
    #[arg(long, value_name = "B", conflicts_with_all = ["positions", "seconds"])]
    batch: Option<u64>,

    /// Compare everything at these positions, and at no others
    #[arg(long = "fen", value_name = "FEN", conflicts_with_all = ["positions", "seconds", "sources", "batch"])]
    fens: Vec<String>,
}

fn source_values() -> Vec<PossibleValue> {
    let value = |source: Source| PossibleValue::new(source.name()).help(source.about());
    Source::ALL.into_iter().map(value).collect()
}

fn main() -> ExitCode {
    let args = Args::parse();
    let watched = Arc::new(Watched::default());
    let handler = Arc::clone(&watched);
    // A second Ctrl-C ends the program at once.
    let listening = ctrlc::set_handler(move || {
        if handler.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Err(error) = listening {
        eprintln!("error: cannot listen for Ctrl-C: {error}");
        return ExitCode::from(2);
    }
    if !args.fens.is_empty() {
        return match compare_fens(&args.fens) {
            Ok(differences) => finish(&differences, differences.len() as u64, false),
            Err(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
        };
    }
    let plan = plan(&args);
    let results = run_with_progress(&plan, &watched);
    say(&tables(&results));
    let sum = results.sum();
    let was_stopped = watched.stop.load(Ordering::Relaxed);
    if was_stopped {
        say("stopped by Ctrl-C; this is what was compared so far");
    }
    finish(&sum.differences, sum.all_differences(), was_stopped)
}

/// Prints the differences. Returns the exit status.
fn finish(differences: &[Difference], count: u64, was_stopped: bool) -> ExitCode {
    for difference in differences {
        say(&format!("{difference}\n"));
    }
    say(&match count {
        0 => "no difference".to_owned(),
        1 => "1 difference".to_owned(),
        count => format!("{} differences, of which the first are shown", grouped(count)),
    });
    ExitCode::from(status(count, was_stopped))
}

/// Prints a line. If it cannot be printed, the program ends with status 1.
fn say(line: &str) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}") {
        eprintln!("error: cannot write the results: {error}");
        std::process::exit(1);
    }
}

fn plan(args: &Args) -> Plan {
    let is_wanted = |source: &Source| {
        args.sources.is_empty() || args.sources.iter().any(|it| it == source.name())
    };
    let is_limited = args.seconds.is_none() && args.batch.is_none();
    Plan {
        sources: Source::ALL.into_iter().filter(is_wanted).collect(),
        seed: args.seed,
        positions: is_limited.then_some(args.positions),
        time: args.seconds.map(|seconds| Duration::from_secs(seconds.into())),
        batch: args.batch,
        threads: args.threads.into(),
        all: args.all,
    }
}

/// Runs the plan. On a terminal, a line shows the progress.
fn run_with_progress(plan: &Plan, watched: &Watched) -> Results {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        if std::io::stderr().is_terminal() {
            scope.spawn(move || {
                let begin = std::time::Instant::now();
                while let Err(mpsc::RecvTimeoutError::Timeout) =
                    is_done.recv_timeout(Duration::from_millis(500))
                {
                    let positions = watched.positions.load(Ordering::Relaxed);
                    let differences = watched.differences.load(Ordering::Relaxed);
                    let rate = positions as f64 / begin.elapsed().as_secs_f64();
                    let of =
                        plan.positions.map_or(String::new(), |all| format!(" of {}", grouped(all)));
                    eprint!(
                        "\r\x1b[K{}{of} positions, {} a second, {} differences",
                        grouped(positions),
                        grouped(rate as u64),
                        grouped(differences)
                    );
                }
                eprint!("\r\x1b[K");
            });
        }
        let results = run(plan, &Tabiya, watched);
        drop(done);
        results
    })
}

/// Compares everything at some positions.
fn compare_fens(fens: &[String]) -> Result<Vec<Difference>, String> {
    let mut comparer = Comparer::new(&Tabiya, true);
    for fen in fens {
        let setup = Setup::from_fen(fen).map_err(|error| format!("{fen:?}: {error}"))?;
        if let Some(position) = comparer.setup(&setup) {
            comparer.compare(&position, 0);
        }
    }
    say(&format!("{} comparisons", grouped(comparer.record.all_comparisons())));
    Ok(comparer.record.differences)
}
