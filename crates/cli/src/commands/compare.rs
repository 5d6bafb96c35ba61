//! `tabiya compare`: finds the bug in another program's move generator.

mod github;
mod report_json;
mod suite;

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tabiya_compare::{Generator, Hunt, Log, Options, Program, Protocol, Trouble, Verdict};
use tabiya_perft::Watch;
use tabiya_runs::OutputFile;

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::quantity;
use crate::position::PositionOptions;

use self::suite::Asked;

pub(super) use self::report_json::Answer;

const EXAMPLES: &str = "\
Examples:
  tabiya compare -- ~/my-engine
      Detect the protocol of the program, and hunt for bugs for a minute.
  tabiya compare --first --json -- ~/my-engine --uci
  tabiya compare --position kiwipete --depth 3 -- python3 ~/my_perft.py
      A script gets the depth, the FEN and the moves as its last arguments.
  tabiya compare --protocol total -- ~/my-perft --fen '{fen}' --depth '{depth}'
  tabiya compare --suite rules.epd --oracle stockfish --log dialogue.txt -- ~/my-engine
  tabiya compare --save fixed.epd -- ~/my-engine
      Keep what is found, and ask about nothing else later: --suite fixed.epd

A line of a suite is a FEN, or EPD with four fields. Counts and other operations are not read.
`FEN moves M1 M2` asks about the position after these moves, with the moves.

Exit codes:
  0    the program agrees with tabiya
  1    it differs
  2    it could not be tested, an argument is wrong, or a line of a suite cannot be read
  130  stopped with Ctrl-C or SIGTERM; what was found is printed";

/// Find the bug in a move generator, for engine authors
///
/// The moves and counts are compared with tabiya's. The questions follow a ladder: standard
/// positions, positions that each test one rule, random games and placements. The report on each
/// bug has its class, the wrong moves, the reasons, the smallest position that shows it, and a hint
/// where to look. No reference engine is needed.
///
/// The program may speak UCI with a perft command (`go perft N`), or be a script that gets depth,
/// FEN and moves as arguments and prints a divide, a total or the legal moves.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// The program and its arguments; {depth}, {fen} and {moves} are replaced
    #[arg(value_name = "CMD", required = true, last = true)]
    program: Vec<String>,

    /// Ask about the positions of this suite; "-" is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "position", "moves"])]
    suite: Vec<PathBuf>,

    /// The greatest depth to ask for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: Option<u32>,

    /// The budget in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = crate::values::time)]
    time: Duration,

    /// Ask all questions of the ladder, whatever time it takes
    #[arg(long, conflicts_with = "time")]
    complete: bool,

    /// The time limit for one answer and for the start of the program, in seconds. The start has 10
    /// seconds at least
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = crate::values::time)]
    limit: Duration,

    /// The protocol, if it should not be detected: uci, perftree, total or moves
    #[arg(long, value_name = "NAME", value_parser = protocol)]
    protocol: Option<Protocol>,

    /// End with the first finding
    #[arg(long)]
    first: bool,

    /// Also ask about positions that no game can reach
    #[arg(long)]
    impossible: bool,

    /// Another engine, asked by UCI about each finding
    #[arg(long, value_name = "CMD")]
    oracle: Option<String>,

    /// Write the whole dialogue to this file
    #[arg(long, value_name = "FILE", value_parser = crate::values::file_to_keep())]
    log: Option<PathBuf>,

    /// Append the smallest example of each finding to this suite, unless it is there already
    #[arg(long, value_name = "FILE", value_parser = crate::values::file_to_keep())]
    save: Option<PathBuf>,

    /// The seed of the random games and placements
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Print a JSON object: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// The form of the report: text, json, or github for text with annotations of GitHub Actions
    #[arg(long, value_name = "NAME", default_value = "text")]
    format: Format,

    #[command(flatten)]
    position: PositionOptions,
}

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// A JSON object.
    Json,
    /// Text, and an annotation for each finding.
    Github,
}

impl Args {
    /// The budget.
    fn time(&self) -> Duration {
        if self.complete { Duration::MAX } else { self.time }
    }

    fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
}

fn protocol(text: &str) -> Result<Protocol, tabiya_compare::ProtocolNameError> {
    text.parse()
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if let Some(log) = args.log.as_deref().filter(|log| is_no_log(log)) {
        let name = log.display();
        return Err(Diagnostic::new(format_args!(
            "--log would overwrite {name}, which isn't a log of tabiya"
        ))
        .into());
    }
    let in_log = |error| Failure::File { path: args.log.clone().unwrap_or_default(), error };
    // A pipe may wait for its reader forever, so signals must still end the program by themselves.
    let log = args.log.as_deref().map(OutputFile::at).transpose().map_err(in_log)?;
    let interrupt = Interrupt::listen_and(tabiya_compare::kill_all)?;
    let asked = suite::asked(&args.suite, &args.position, &interrupt);
    if interrupt.is_cancelled() {
        // The suite may not have been read to its end.
        return unless_stopped(
            &interrupt,
            untestable(args, &Trouble::Stopped, Instant::now(), out),
        );
    }
    let asked = asked?;
    let log = match log {
        Some(file) => Log::to(file.open().map_err(in_log)?),
        None => Log::default(),
    };
    if let Some(path) = &args.save {
        suite::check_that_it_can_grow(path)
            .map_err(|error| Failure::File { path: path.clone(), error })?;
    }
    let has_bad_lines = asked.has_bad_lines;
    let outcome = hunt(args, asked, &log, &interrupt, out).map(|outcome| match outcome {
        Outcome::Fine | Outcome::Failed if has_bad_lines => Outcome::Mistaken,
        outcome => outcome,
    });
    let Some(error) = log.failure() else { return outcome };
    // Only one failure can be returned, so print the other one.
    if let Err(failure) = outcome {
        let _ = write!(anstream::stderr(), "{failure}");
    }
    Err(in_log(error))
}

/// Would a log replace a file that is something else, such as the program under test?
fn is_no_log(file: &Path) -> bool {
    // Reading a pipe or a device might never end.
    if !fs::metadata(file).is_ok_and(|it| it.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let is_read = File::open(file).and_then(|file| file.take(2).read_to_end(&mut start));
    is_read.is_ok() && !b"$ ".starts_with(&start)
}

/// Hunts, and prints the findings.
fn hunt(
    args: &Args,
    asked: Asked,
    log: &Log,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let time = args.time();
    let oracle = match args.oracle.as_deref().map(|it| oracle(it, args, interrupt)).transpose() {
        Ok(oracle) => oracle,
        Err(_) if interrupt.is_cancelled() => {
            return unless_stopped(interrupt, untestable(args, &Trouble::Stopped, begin, out));
        }
        Err(trouble) => {
            let message = format_args!("the second opinion: {trouble}");
            return Err(Diagnostic::new(message).into());
        }
    };
    let asked_to_stop = interrupt.clone();
    let stop_waiting = move || asked_to_stop.is_cancelled() || begin.elapsed() > time;
    let connected =
        Program::connect_until(&args.program, args.protocol, args.limit, log.clone(), stop_waiting);
    let program = match connected {
        Ok(program) => program,
        Err(trouble) => {
            return unless_stopped(interrupt, untestable(args, &trouble, begin, out));
        }
    };
    let stop = || interrupt.is_cancelled() || begin.elapsed() > time;
    // Half of the remaining time is kept for narrowing down and shrinking a finding.
    let affords = |leaves| program.expected(leaves) < time.saturating_sub(begin.elapsed()) / 2;
    let shown = Cell::new(Instant::now());
    let is_shown = !args.is_json() && std::io::stderr().is_terminal();
    let progress = |asked: u64, found: usize, phase: &str| {
        if is_shown && shown.get().elapsed() > Duration::from_millis(200) {
            shown.set(Instant::now());
            let seconds = begin.elapsed().as_secs();
            // The terminal may be gone.
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[K{seconds} s  {asked} questions, {found} findings: {phase}"
            );
        }
    };
    let options = Options {
        positions: asked.positions,
        lines: asked.lines,
        depth: args.depth,
        first: args.first,
        chess960: args.position.is_chess960(),
        impossible: args.impossible,
        seed: args.seed,
        questions: None,
        stop: &stop,
        affords: &affords,
        progress: &progress,
        oracle: oracle.as_ref().map(|it| it as &dyn Generator),
    };
    let mut report = Hunt::new(&program, options).run(program.protocol().name());
    report.seconds = begin.elapsed().as_secs_f64();
    if is_shown {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let outcome = match report.verdict {
        _ if interrupt.is_cancelled() => Outcome::Interrupted,
        Verdict::Agrees => Outcome::Fine,
        Verdict::Differs => Outcome::Failed,
        Verdict::Untestable => Outcome::Mistaken,
    };
    // What was found is printed even if it cannot be saved.
    let saved = args.save.as_ref().map_or(Ok(()), |path| {
        suite::save(path, &report.findings)
            .map_err(|error| Failure::File { path: path.clone(), error })
    });
    if args.is_json() {
        json::write(out, &Answer::of(report, &program))?;
        out.flush()?;
        return saved.map(|()| outcome);
    }
    writeln!(out, "{report}")?;
    if let repeated @ 1.. = program.repeated() {
        // Otherwise, a program that hangs now and then would agree without a word.
        let answers = quantity(repeated.into(), "answer", "answers");
        let advice = "--limit gives the program more time";
        writeln!(out, "{answers} had to be asked again, in a new process: {advice}.")?;
    }
    let is_tested = report.verdict != Verdict::Untestable && report.lost.is_none();
    if is_tested && !report.ladder.complete && !args.first && !interrupt.is_cancelled() {
        advise_more_time(out, program.speed(), report.ladder.too_deep)?;
    }
    if args.format == Format::Github {
        github::annotate(out, &report)?;
    }
    out.flush()?;
    saved.map(|()| outcome)
}

/// Says that the program was too slow for questions, if it was.
fn advise_more_time(
    out: &mut dyn Write,
    speed: Option<f64>,
    too_deep: Option<u32>,
) -> Result<(), Failure> {
    if let Some(speed) = speed.filter(|speed| *speed < SLOW) {
        writeln!(
            out,
            "The program counts about {speed:.0} leaf nodes a second: --time gives it more time."
        )?;
    } else if let Some(depth) = too_deep {
        writeln!(
            out,
            "When the time ended, questions of depth {depth} or more were left: --time gives the \
             program more time."
        )?;
    }
    Ok(())
}

/// A program that counts fewer leaf nodes a second does not come to the end of the ladder in the
/// usual time.
const SLOW: f64 = 50_000.0;

fn untestable(
    args: &Args,
    trouble: &Trouble,
    begin: Instant,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if args.is_json() {
        let protocol = args.protocol.map_or("", Protocol::name);
        json::write(out, &Answer::untestable(protocol, begin.elapsed(), trouble))?;
        return Ok(Outcome::Mistaken);
    }
    if args.format == Format::Github {
        github::could_not_be_tested(out, trouble)?;
    }
    let diagnostic = Diagnostic::new(format_args!("the program could not be tested: {trouble}"));
    let Some(advice) = trouble.advice() else {
        let advice = "--protocol names the protocol; --log FILE writes what was said";
        return Err(diagnostic.hint(advice).into());
    };
    // The advice has lines to copy.
    let _ = writeln!(anstream::stderr(), "{diagnostic}{advice}");
    Ok(Outcome::Mistaken)
}

/// The result of a hunt that could not begin, which is none if the user has stopped it.
fn unless_stopped(
    interrupt: &Interrupt,
    result: Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    if !interrupt.is_cancelled() {
        return result;
    }
    if let Err(failure) = result {
        let _ = write!(anstream::stderr(), "{failure}");
    }
    Ok(Outcome::Interrupted)
}

/// The program for the second opinions, and its arguments.
fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

/// Starts the engine for the second opinions. The budget counts while it starts, but not later:
/// what is found at the end of the hunt still gets its opinion.
fn oracle(command: &str, args: &Args, interrupt: &Interrupt) -> Result<Program, Trouble> {
    let (begin, time) = (Instant::now(), args.time());
    let starts = Rc::new(Cell::new(true));
    let (is_late, asked_to_stop) = (starts.clone(), interrupt.clone());
    let stop = move || asked_to_stop.is_cancelled() || is_late.get() && begin.elapsed() > time;
    let oracle = Program::connect_until(&words(command), None, args.limit, Log::default(), stop)?;
    starts.set(false);
    Ok(oracle)
}
