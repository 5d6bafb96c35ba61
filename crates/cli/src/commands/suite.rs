//! `tabiya suite`: checks the counts of perft suites.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_perft::suite::{self, Case, CaseReport, CheckOptions, LineError, Mismatch, ReadOptions};

use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::input;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::divide::{self, Share, shares};
use crate::output::json;
use crate::output::number::{thousands, time};
use crate::output::table::{Column, Table};

const EXAMPLES: &str = "\
Formats, which one file may mix:
  FEN ;D1 20 ;D2 400        one position per line, with counts by depth
  FEN; D1 20; D2 400
  FEN D1 20; id \"start\";    EPD; operations that are not counts are skipped
  id start                  blocks
  epd FEN
  perft 1 20
Text after # or // is a comment. A position without counts is an error.

Exit codes:
  0    every count is right
  1    a count is wrong
  2    a line or a file cannot be read or has no counts; all others are still checked
  130  stopped with Ctrl-C

Examples:
  tabiya suite suite.epd
  tabiya suite suite.epd --max-nodes 1000000 --threads 2
  tabiya suite suite.epd --max-depth 3 --json";

/// Check the counts of perft suites
///
/// Prints a line for each file and each position with a wrong count. For the first wrong count, it
/// also prints the leaf nodes below each root move.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Suite files; "-" is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Use Chess960 castling notation for all positions, not only for those that need it
    #[arg(long)]
    chess960: bool,

    /// Skip counts of greater depths
    #[arg(long, value_name = "DEPTH", value_parser = crate::values::depth)]
    #[arg(allow_negative_numbers = true)]
    max_depth: Option<u32>,

    /// Skip larger counts
    #[arg(long, value_name = "NODES", value_parser = crate::values::count)]
    #[arg(allow_negative_numbers = true)]
    max_nodes: Option<u128>,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A file that was checked.
struct Checked {
    name: String,
    cases: Vec<Case>,
    reports: Vec<CaseReport>,
    errors: Vec<LineError>,
    /// Why nothing in it can be checked.
    failure: Option<String>,
    time: Duration,
}

/// Sums over the positions of a file, or of all files.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: usize,
    right: usize,
    wrong: usize,
    skipped: usize,
    unreadable: usize,
    nodes: u128,
    time: Duration,
}

impl Checked {
    fn sums(&self) -> Sums {
        let mut sums = Sums {
            positions: self.cases.len(),
            unreadable: self.errors.len() + usize::from(self.failure.is_some()),
            time: self.time,
            ..Sums::default()
        };
        for report in &self.reports {
            sums.right += report.right;
            sums.wrong += report.wrong;
            sums.skipped += report.skipped;
            sums.nodes += report.nodes;
        }
        sums
    }

    fn mismatches(&self) -> impl Iterator<Item = (&Case, &Mismatch)> {
        let both = self.cases.iter().zip(&self.reports);
        both.filter_map(|(case, report)| Some((case, report.mismatch.as_ref()?)))
    }
}

impl Sums {
    fn add(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
            skipped: self.skipped + other.skipped,
            unreadable: self.unreadable + other.unreadable,
            nodes: self.nodes + other.nodes,
            time: self.time + other.time,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let watch = Interrupt::listen()?;
    let options = CheckOptions {
        max_depth: args.max_depth,
        max_nodes: args.max_nodes,
        threads: args.threads.count(),
    };
    let mut files = Vec::new();
    for path in &args.files {
        let checked = check(path, args, &options, &watch);
        print_errors(&checked);
        files.push(checked);
    }
    let sums = files.iter().map(Checked::sums).fold(Sums::default(), Sums::add);
    let stopped = tabiya_perft::Watch::is_cancelled(&watch);
    if args.json {
        json::write(out, SCHEMA, &answer(&files, sums, options.threads, !stopped))?;
    } else {
        write_table(&files, sums, out)?;
        write_mismatches(&files, out)?;
    }
    Ok(match sums {
        _ if stopped => Outcome::Interrupted,
        Sums { unreadable: 1.., .. } => Outcome::Mistaken,
        Sums { wrong: 1.., .. } => Outcome::Failed,
        _ => Outcome::Fine,
    })
}

fn check(path: &Path, args: &Args, options: &CheckOptions, watch: &Interrupt) -> Checked {
    let begin = Instant::now();
    let (suite, failure) = match input::read(path) {
        Ok(bytes) => {
            let suite = suite::read(&bytes, &ReadOptions { chess960: args.chess960 });
            let is_empty = suite.cases.is_empty() && suite.errors.is_empty();
            (suite, is_empty.then(|| "it has no positions".to_owned()))
        }
        Err(error) => (suite::Suite::default(), Some(error.to_string())),
    };
    let reports = suite::check(&suite.cases, options, watch);
    let name = path.display().to_string();
    Checked {
        name,
        cases: suite.cases,
        reports,
        errors: suite.errors,
        failure,
        time: begin.elapsed(),
    }
}

/// At most this number of errors is printed for a file: it may not be a suite at all.
const MAX_ERRORS: usize = 20;

/// Prints on standard error what could not be read. If standard error is closed, the errors are
/// not wanted.
fn print_errors(checked: &Checked) {
    let mut err = anstream::stderr();
    let name = &checked.name;
    if let Some(failure) = &checked.failure {
        let _ = write!(err, "{}", Diagnostic::new(format_args!("{name}: {failure}")));
    }
    for error in checked.errors.iter().take(MAX_ERRORS) {
        let place = format!("{name}:{}:{}", error.line, error.column());
        let diagnostic = Diagnostic::new(format_args!("{place}: {}", error.cause));
        let _ = write!(err, "{}", diagnostic.at(&error.text, error.span.clone()));
    }
    if let more @ 1.. = checked.errors.len().saturating_sub(MAX_ERRORS) {
        let more = format_args!("{name}: {more} more lines cannot be read");
        let _ = write!(err, "{}", Diagnostic::new(more));
    }
}

fn write_table(files: &[Checked], sums: Sums, out: &mut dyn Write) -> Result<(), Failure> {
    let widest = files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0);
    let table = Table([
        Column::left("file", widest),
        Column::right("positions", 9),
        Column::right("right", 7),
        Column::right("wrong", 7),
        Column::right("skipped", 7),
        Column::right("unreadable", 10),
        Column::right("nodes", thousands(sums.nodes).len()),
        Column::right("time", 11),
    ]);
    let row = |name: &str, sums: Sums, out: &mut dyn Write| {
        let numbers = [sums.positions, sums.right, sums.wrong, sums.skipped, sums.unreadable];
        let [positions, right, wrong, skipped, unreadable] =
            numbers.map(|number| thousands(number as u128));
        let (nodes, elapsed) = (thousands(sums.nodes), time(sums.time));
        let cells = [&positions, &right, &wrong, &skipped, &unreadable, &nodes, &elapsed];
        let [a, b, c, d, e, f, g] = cells.map(String::as_str);
        table.row(out, [name, a, b, c, d, e, f, g])
    };
    table.head(out)?;
    for file in files {
        row(&file.name, file.sums(), out)?;
    }
    if files.len() > 1 {
        row("all", sums, out)?;
    }
    Ok(())
}

/// Writes every position with a wrong count, the first of them with its divide.
fn write_mismatches(files: &[Checked], out: &mut dyn Write) -> Result<(), Failure> {
    let mut first = true;
    for file in files {
        for (case, mismatch) in file.mismatches() {
            let Mismatch { depth, expected, found, divide: total } = mismatch;
            let name = case.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            writeln!(
                out,
                "\n{}:{}{name}: at depth {depth}, expected {} leaf nodes, found {}\n  {}",
                file.name,
                case.line,
                thousands(*expected),
                thousands(*found),
                case.position.fen(),
            )?;
            if std::mem::take(&mut first) {
                divide::write(&shares(&case.position, total), out)?;
            }
        }
    }
    Ok(())
}

const SCHEMA: &str = "tabiya-suite/1";

/// The result as JSON.
#[derive(Serialize)]
struct Answer {
    right: usize,
    wrong: usize,
    skipped: usize,
    unreadable: usize,
    #[serde(serialize_with = "json::digits")]
    nodes: u128,
    seconds: f64,
    threads: NonZeroUsize,
    /// False if the check was stopped.
    complete: bool,
    files: Vec<FileAnswer>,
}

#[derive(Serialize)]
struct FileAnswer {
    file: String,
    positions: usize,
    right: usize,
    wrong: usize,
    skipped: usize,
    #[serde(serialize_with = "json::digits")]
    nodes: u128,
    seconds: f64,
    mismatches: Vec<MismatchAnswer>,
    errors: Vec<ErrorAnswer>,
}

/// The smallest depth at which the count of a position is wrong.
#[derive(Serialize)]
struct MismatchAnswer {
    line: usize,
    name: Option<String>,
    fen: String,
    depth: u32,
    #[serde(serialize_with = "json::digits")]
    expected: u128,
    #[serde(serialize_with = "json::digits")]
    found: u128,
    divide: Vec<Share>,
}

#[derive(Serialize)]
struct ErrorAnswer {
    /// Null if the error is about the whole file.
    line: Option<usize>,
    column: Option<usize>,
    message: String,
}

fn answer(files: &[Checked], sums: Sums, threads: NonZeroUsize, complete: bool) -> Answer {
    let mismatch = |(case, mismatch): (&Case, &Mismatch)| MismatchAnswer {
        line: case.line,
        name: case.name.clone(),
        fen: case.position.fen().to_string(),
        depth: mismatch.depth,
        expected: mismatch.expected,
        found: mismatch.found,
        divide: shares(&case.position, &mismatch.divide),
    };
    let file = |file: &Checked| {
        let sums = file.sums();
        let whole = file.failure.iter().map(|failure| ErrorAnswer {
            line: None,
            column: None,
            message: failure.clone(),
        });
        let lines = file.errors.iter().map(|error| ErrorAnswer {
            line: Some(error.line),
            column: Some(error.column()),
            message: error.cause.to_string(),
        });
        FileAnswer {
            file: file.name.clone(),
            positions: sums.positions,
            right: sums.right,
            wrong: sums.wrong,
            skipped: sums.skipped,
            nodes: sums.nodes,
            seconds: sums.time.as_secs_f64(),
            mismatches: file.mismatches().map(mismatch).collect(),
            errors: whole.chain(lines).collect(),
        }
    };
    Answer {
        right: sums.right,
        wrong: sums.wrong,
        skipped: sums.skipped,
        unreadable: sums.unreadable,
        nodes: sums.nodes,
        seconds: sums.time.as_secs_f64(),
        threads,
        complete,
        files: files.iter().map(file).collect(),
    }
}
