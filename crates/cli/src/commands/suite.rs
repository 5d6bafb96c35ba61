//! `tabiya suite`: checks the counts of perft suites.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_perft::suite::{self, Case, CheckOptions, LineError, Mismatch, ReadOptions};

use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::input::Lines;
use crate::interrupt::Interrupt;
use crate::outcome::{self, Outcome};
use crate::output::divide::{self, Share, shares};
use crate::output::number::{thousands, time};
use crate::output::table::{Column, Table};
use crate::output::{json, printable};

const EXAMPLES: &str = "\
Formats, which one file may mix:
  FEN ;D1 20 ;D2 400        one position per line, with counts by depth
  FEN; D1 20; D2 400
  FEN D1 20; id \"start\";    EPD; operations that are not counts are skipped
  FEN moves e2e4 ;D1 20     the counts are those after the moves
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

/// Check the counts of perft suites, for engine authors and CI
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
    sums: Sums,
    /// The first positions with a wrong count.
    mismatches: Vec<(Case, Mismatch)>,
    /// The number of further positions with a wrong count.
    more_mismatches: usize,
    /// The first errors: those about the whole file, which have no line, and then those about
    /// lines.
    errors: Vec<ErrorAnswer>,
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

impl Sums {
    fn add(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
            skipped: self.skipped + other.skipped,
            unreadable: self.unreadable + other.unreadable,
            nodes: self.nodes.saturating_add(other.nodes),
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
    let files: Vec<Checked> =
        args.files.iter().map(|path| check(path, args, &options, &watch)).collect();
    let sums = files.iter().map(|file| file.sums).fold(Sums::default(), Sums::add);
    let stopped = tabiya_perft::Watch::is_cancelled(&watch);
    if args.json {
        json::write(out, &answer(files, sums, options.threads, !stopped))?;
    } else {
        write_table(&files, sums, out)?;
        write_mismatches(&files, out)?;
    }
    Ok(match sums {
        _ if stopped => outcome::report_partial_input(),
        Sums { unreadable: 1.., .. } => Outcome::Mistaken,
        Sums { wrong: 1.., .. } => Outcome::Failed,
        _ => Outcome::Fine,
    })
}

/// A file is read and checked in parts, so that it need not fit into memory. A part ends after this
/// many lines, or after this many bytes.
const PART: (usize, usize) = (1 << 10, 1 << 22);

/// The most positions of a file, and the most errors, that are described one by one.
const MAX_DESCRIBED: usize = 1000;

fn check(path: &Path, args: &Args, options: &CheckOptions, watch: &Interrupt) -> Checked {
    let begin = Instant::now();
    let mut checked = Checked {
        name: path.display().to_string(),
        sums: Sums::default(),
        mismatches: Vec::new(),
        more_mismatches: 0,
        errors: Vec::new(),
    };
    if let Err(error) = checked.read(path, args, options, watch) {
        checked.fail(&error.to_string());
    } else if checked.sums.positions == 0
        && checked.sums.unreadable == 0
        && !tabiya_perft::Watch::is_cancelled(watch)
    {
        checked.fail("it has no positions");
    }
    if let more @ 1.. = checked.errors_of_lines().saturating_sub(MAX_ERRORS) {
        let lines = if more == 1 { "line" } else { "lines" };
        let more = format_args!("{}: {more} more {lines} cannot be read", checked.name);
        let _ = write!(anstream::stderr(), "{}", Diagnostic::new(more));
    }
    checked.sums.time = begin.elapsed();
    checked
}

/// The most errors of a file that are printed: the file may not be a suite at all.
const MAX_ERRORS: usize = 20;

impl Checked {
    fn read(
        &mut self,
        path: &Path,
        args: &Args,
        options: &CheckOptions,
        watch: &Interrupt,
    ) -> io::Result<()> {
        let mut lines = Lines::watched(path, watch)?;
        let mut reader = suite::Reader::new(ReadOptions { chess960: args.chess960 });
        let mut part = (0, 0);
        let end = loop {
            if tabiya_perft::Watch::is_cancelled(watch) {
                break Ok(());
            }
            match lines.next() {
                Ok(Some(line)) => {
                    reader.line(line);
                    part = (part.0 + 1, part.1 + line.len());
                }
                Ok(None) => break Ok(()),
                // Reading ends with an error when the user asks to stop.
                Err(_) if tabiya_perft::Watch::is_cancelled(watch) => break Ok(()),
                Err(error) => break Err(error),
            }
            if part.0 >= PART.0 || part.1 >= PART.1 {
                self.add(reader.take(), options, watch);
                part = (0, 0);
            }
        };
        self.add(reader.finish(), options, watch);
        end
    }

    /// Checks a part of the file.
    fn add(&mut self, part: suite::Suite, options: &CheckOptions, watch: &Interrupt) {
        for error in part.errors {
            self.add_error(&error);
        }
        let reports = suite::check(&part.cases, options, watch);
        self.sums.positions += part.cases.len();
        for (case, report) in part.cases.into_iter().zip(reports) {
            self.sums.right += report.right;
            self.sums.wrong += report.wrong;
            self.sums.skipped += report.skipped;
            self.sums.nodes = self.sums.nodes.saturating_add(report.nodes);
            match report.mismatch {
                Some(mismatch) if self.mismatches.len() < MAX_DESCRIBED => {
                    self.mismatches.push((case, mismatch));
                }
                Some(_) => self.more_mismatches += 1,
                None => {}
            }
        }
    }

    /// Prints the error in a line on standard error. If standard error is closed, the errors are
    /// not wanted.
    fn add_error(&mut self, error: &LineError) {
        if self.errors_of_lines() < MAX_ERRORS {
            let place = format!("{}:{}:{}", self.name, error.line, error.column());
            let diagnostic = Diagnostic::new(format_args!("{place}: {}", error.cause));
            let diagnostic = diagnostic.at(&error.text, error.span());
            let _ = write!(anstream::stderr(), "{diagnostic}");
        }
        self.sums.unreadable += 1;
        if self.errors.len() < MAX_DESCRIBED {
            self.errors.push(ErrorAnswer {
                line: Some(error.line),
                column: Some(error.column()),
                message: error.cause.to_string(),
            });
        }
    }

    /// Prints and keeps an error about the whole file.
    fn fail(&mut self, message: &str) {
        let diagnostic = Diagnostic::new(format_args!("{}: {message}", self.name));
        let _ = write!(anstream::stderr(), "{diagnostic}");
        self.sums.unreadable += 1;
        let (line, column, message) = (None, None, message.to_owned());
        self.errors.insert(0, ErrorAnswer { line, column, message });
    }

    fn errors_of_lines(&self) -> usize {
        let of_file = self.errors.first().is_some_and(|error| error.line.is_none());
        self.sums.unreadable - usize::from(of_file)
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
        let name = &printable(name);
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
        row(&file.name, file.sums, out)?;
    }
    if files.len() > 1 {
        row("all", sums, out)?;
    }
    Ok(())
}

/// Writes every position with a wrong count, and the divide of the first one.
fn write_mismatches(files: &[Checked], out: &mut dyn Write) -> Result<(), Failure> {
    let mut first = true;
    for file in files {
        let file_name = printable(&file.name);
        for (case, mismatch) in &file.mismatches {
            let Mismatch { depth, expected, found, divide: total } = mismatch;
            let name =
                case.name.as_ref().map_or(String::new(), |name| format!(" ({})", printable(name)));
            writeln!(
                out,
                "\n{}:{}{name}: at depth {depth}, expected {} leaf nodes, found {}\n  {}",
                file_name,
                case.line,
                thousands(*expected),
                thousands(*found),
                case.position.fen(),
            )?;
            if std::mem::take(&mut first) {
                divide::write(&shares(&case.position, total), out)?;
            }
        }
        if let more @ 1.. = file.more_mismatches {
            let have = if more == 1 { "position has" } else { "positions have" };
            writeln!(out, "\n{file_name}: {more} more {have} wrong counts")?;
        }
    }
    Ok(())
}

/// The output of `tabiya suite --json`: the results of perft suites.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// Counts that are right.
    right: usize,
    /// Counts that are wrong.
    wrong: usize,
    /// Counts that were skipped as too deep or too large, or because the check was stopped.
    skipped: usize,
    /// Lines, and whole files, that could not be read.
    unreadable: usize,
    /// Leaf nodes that were counted.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: u128,
    /// The time, in seconds.
    seconds: f64,
    /// The number of threads, each of which checks one position at a time.
    threads: NonZeroUsize,
    /// Was everything checked? If not, the check was stopped.
    complete: bool,
    /// Each file.
    files: Vec<FileAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-suite/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileAnswer {
    /// The name of the file.
    file: String,
    /// Positions in the file.
    positions: usize,
    /// Counts that are right.
    right: usize,
    /// Counts that are wrong.
    wrong: usize,
    /// Counts that were skipped as too deep or too large, or because the check was stopped.
    skipped: usize,
    /// Leaf nodes that were counted.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: u128,
    /// The time, in seconds.
    seconds: f64,
    /// Each position with a wrong count, up to 1000.
    mismatches: Vec<MismatchAnswer>,
    /// Errors of reading: the whole file first, then lines, up to 1000.
    errors: Vec<ErrorAnswer>,
}

/// The smallest depth at which the count of a position is wrong.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MismatchAnswer {
    /// The line of the position in the file, from 1.
    line: usize,
    /// The name of the position in the file. Null if it has none.
    name: Option<String>,
    /// The position, in FEN.
    fen: String,
    /// The smallest depth at which the count is wrong, in plies.
    depth: u32,
    /// Leaf nodes at this depth according to the file.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    expected: u128,
    /// Leaf nodes at this depth that were counted.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    found: u128,
    /// Each root move.
    divide: Vec<Share>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorAnswer {
    /// The line in the file, from 1. Null if the error is about the whole file.
    line: Option<usize>,
    /// The column in the line, in characters from 1. Null if the error is about the whole file.
    column: Option<usize>,
    /// The error.
    message: String,
}

fn answer(files: Vec<Checked>, sums: Sums, threads: NonZeroUsize, complete: bool) -> Answer {
    let mismatch = |(case, mismatch): (Case, Mismatch)| MismatchAnswer {
        line: case.line,
        fen: case.position.fen().to_string(),
        depth: mismatch.depth,
        expected: mismatch.expected,
        found: mismatch.found,
        divide: shares(&case.position, &mismatch.divide),
        name: case.name,
    };
    let file = |Checked { name, sums, mismatches, errors, .. }: Checked| FileAnswer {
        file: name,
        positions: sums.positions,
        right: sums.right,
        wrong: sums.wrong,
        skipped: sums.skipped,
        nodes: sums.nodes,
        seconds: sums.time.as_secs_f64(),
        mismatches: mismatches.into_iter().map(mismatch).collect(),
        errors,
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
        files: files.into_iter().map(file).collect(),
    }
}
