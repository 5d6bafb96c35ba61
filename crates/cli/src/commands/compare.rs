//! `tabiya compare`: finds the bug in another program's move generator.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_compare::{
    Finding, Generator, Hunt, Log, Options, Program, Protocol, Report, Trouble, Verdict,
};
use tabiya_perft::Watch;
use tabiya_runs::OutputFile;

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::input::{self, Lines};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Examples:
  tabiya compare -- ~/my-engine
      Detect the protocol of the program, and hunt for bugs for a minute.
  tabiya compare --first --json -- ~/my-engine --uci
  tabiya compare --position kiwipete --depth 3 -- python3 ~/my_perft.py
      A script gets the depth, the FEN and the moves as its last arguments.
  tabiya compare --protocol total -- ~/my-perft --fen '{fen}' --depth '{depth}'
  tabiya compare --suite rules.epd --oracle stockfish --log dialogue.txt -- ~/my-engine

Exit codes:
  0    the program agrees with tabiya
  1    it differs
  2    it could not be tested, or an argument is wrong";

/// Find the bug in a move generator: compare its moves and counts with tabiya's
///
/// The questions follow a ladder: standard positions, positions that each test one rule, random
/// games and placements. The report on each bug has its class, the wrong moves, the reasons, the
/// smallest position that shows it, and a hint where to look. No reference engine is needed.
///
/// The program may speak UCI with a perft command (`go perft N`), or be a script that gets depth,
/// FEN and moves as arguments and prints a divide, a total or the legal moves.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The program and its arguments; {depth}, {fen} and {moves} are replaced
    #[arg(value_name = "CMD", required = true, last = true)]
    program: Vec<String>,

    #[command(flatten)]
    position: PositionArgs,

    /// Ask about the positions of this suite: lines that begin with a FEN
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "position"])]
    suite: Vec<PathBuf>,

    /// The greatest depth to ask for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: Option<u32>,

    /// The budget in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = crate::values::time)]
    time: Duration,

    /// The time limit for one answer, in seconds
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

    /// The seed of the random games and placements
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn protocol(text: &str) -> Result<Protocol, tabiya_compare::ProtocolNameError> {
    text.parse()
}

/// The output of `tabiya compare --json`: whether a program agrees, and every bug that was found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// `agrees`, `differs` or `untestable`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["agrees", "differs", "untestable"])))]
    verdict: &'static str,
    /// `uci`, `perftree`, `total` or `moves`. Empty if no protocol was understood.
    protocol: String,
    /// The number of questions.
    asked: u64,
    /// The time that it took.
    seconds: f64,
    /// The smallest example of each class of bugs, the simplest first.
    findings: Vec<FindingJson>,
    /// Why the program could not be tested. Null if it could.
    error: Option<String>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-compare/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FindingJson {
    /// The class of the bug. A name keeps its meaning; new ones may be added.
    class: &'static str,
    /// The position in which the moves begin, in FEN.
    start: String,
    /// The moves to the position that goes wrong, in UCI.
    moves: Vec<String>,
    /// The position in which the move list or the count is wrong, in FEN.
    fen: String,
    /// The depth of the question.
    depth: u32,
    /// The right number of leaf nodes.
    expected: u64,
    /// The number that the program gives. Null if it does not answer.
    got: Option<u64>,
    /// Illegal moves that it lists.
    extra: Vec<String>,
    /// Legal moves that it does not list.
    missing: Vec<String>,
    /// Moves that it lists more than once.
    duplicated: Vec<String>,
    /// Why a move is illegal, or what makes it legal, by move.
    reasons: std::collections::BTreeMap<String, String>,
    /// The smallest example of the same bug. Null if there is none.
    shrunk: Option<ShrunkJson>,
    /// A hint where to look in the code.
    hint: &'static str,
    /// A further fact. Null if there is none.
    note: Option<String>,
    /// A command that asks the question.
    command: String,
    /// The second opinion. Null if none was asked.
    oracle: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShrunkJson {
    /// The position, in FEN.
    fen: String,
    /// Moves to play from it, for bugs that show only after moves.
    moves: Vec<String>,
    /// The depth.
    depth: u32,
    /// A command that shows the bug.
    command: String,
    /// A line for a suite: the position with its right count.
    suite: String,
}

impl From<Finding> for FindingJson {
    fn from(finding: Finding) -> Self {
        Self {
            class: finding.class.name(),
            start: finding.start,
            moves: finding.moves,
            fen: finding.fen,
            depth: finding.depth,
            expected: finding.expected,
            got: finding.got,
            extra: finding.extra,
            missing: finding.missing,
            duplicated: finding.duplicated,
            reasons: finding.reasons,
            shrunk: finding.shrunk.map(|it| ShrunkJson {
                fen: it.fen,
                moves: it.moves,
                depth: it.depth,
                command: it.command,
                suite: it.suite,
            }),
            hint: finding.class.hint(),
            note: finding.note,
            command: finding.command,
            oracle: finding.oracle.map(|opinion| opinion.to_string()),
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let positions = positions(args)?;
    let log = match &args.log {
        Some(path) => {
            let file = OutputFile::at(path).and_then(OutputFile::open);
            Log::to(file.map_err(|error| Failure::File { path: path.clone(), error })?)
        }
        None => Log::default(),
    };
    let outcome = hunt(args, positions, &log, out);
    let Some(error) = log.failure() else { return outcome };
    // Only one failure can be returned, so print the other one.
    if let Err(failure) = outcome {
        let _ = write!(anstream::stderr(), "{failure}");
    }
    Err(Failure::File { path: args.log.clone().unwrap_or_default(), error })
}

/// Hunts, and prints the findings.
fn hunt(
    args: &Args,
    positions: Vec<Position>,
    log: &Log,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let oracle = args.oracle.as_deref().map(|command| oracle(command, args.limit)).transpose()?;
    let interrupt = Interrupt::listen_and(tabiya_compare::kill_all)?;
    let begin = Instant::now();
    let time = args.time;
    let asked_to_stop = interrupt.clone();
    let stop_waiting = move || asked_to_stop.is_cancelled() || begin.elapsed() > time;
    let connected =
        Program::connect_until(&args.program, args.protocol, args.limit, log.clone(), stop_waiting);
    let program = match connected {
        Ok(program) => program,
        Err(trouble) => return untestable(args, &trouble, begin, out),
    };
    let stop = || interrupt.is_cancelled() || begin.elapsed() > args.time;
    // Half of the remaining time is kept for narrowing down and shrinking a finding.
    let affords = |leaves| program.expected(leaves) < args.time.saturating_sub(begin.elapsed()) / 2;
    let shown = Cell::new(Instant::now());
    let is_shown = !args.json && std::io::stderr().is_terminal();
    let progress = |asked: u64, found: usize, phase: &str| {
        if is_shown && shown.get().elapsed() > Duration::from_millis(200) {
            shown.set(Instant::now());
            let seconds = begin.elapsed().as_secs();
            eprint!("\r\x1b[K{seconds} s  {asked} questions, {found} findings: {phase}");
        }
    };
    let options = Options {
        positions,
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
        eprint!("\r\x1b[K");
    }
    let outcome = match report.verdict {
        _ if interrupt.is_cancelled() => Outcome::Interrupted,
        Verdict::Agrees => Outcome::Fine,
        Verdict::Differs => Outcome::Failed,
        Verdict::Untestable => Outcome::Mistaken,
    };
    if args.json {
        json::write(out, &answer(report))?;
    } else {
        writeln!(out, "{report}")?;
    }
    Ok(outcome)
}

fn answer(report: Report) -> Answer {
    let is_tested = report.verdict != Verdict::Untestable;
    Answer {
        verdict: report.verdict.name(),
        protocol: report.protocol,
        asked: report.asked,
        seconds: report.seconds,
        findings: report.findings.into_iter().map(FindingJson::from).collect(),
        error: report.trouble.filter(|_| !is_tested),
    }
}

fn untestable(
    args: &Args,
    trouble: &Trouble,
    begin: Instant,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if args.json {
        let answer = Answer {
            verdict: Verdict::Untestable.name(),
            protocol: args.protocol.map_or("", Protocol::name).to_owned(),
            asked: 0,
            seconds: begin.elapsed().as_secs_f64(),
            findings: Vec::new(),
            error: Some(trouble.to_string()),
        };
        json::write(out, &answer)?;
        return Ok(Outcome::Mistaken);
    }
    Err(Diagnostic::new(format_args!("the program could not be tested: {trouble}"))
        .hint("--protocol names the protocol; --log FILE writes what was said")
        .into())
}

fn oracle(command: &str, limit: Duration) -> Result<Program, Diagnostic> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    Program::connect(&words, None, limit, Log::default())
        .map_err(|trouble| Diagnostic::new(format_args!("the second opinion: {trouble}")))
}

/// A larger suite would take too long.
const MAX_POSITIONS: usize = 1_000_000;

/// The positions that the arguments name; none for the ladder.
fn positions(args: &Args) -> Result<Vec<Position>, Failure> {
    if args.suite.is_empty() {
        return Ok(if args.position.is_given() {
            vec![args.position.position()?]
        } else {
            Vec::new()
        });
    }
    let mut positions = Vec::new();
    for path in &args.suite {
        let wrong = |error: &dyn std::fmt::Display| {
            Diagnostic::new(format_args!("{} cannot be read: {error}", path.display()))
        };
        let mut lines = Lines::new(input::open(path).map_err(|error| wrong(&error))?);
        let mut number = 0;
        while let Some(line) = lines.next().map_err(|error| wrong(&error))? {
            number += 1;
            let text = String::from_utf8_lossy(line);
            let fen = text.split(';').next().unwrap_or_default().trim();
            if fen.is_empty() || fen.starts_with('#') {
                continue;
            }
            let position = Position::from_fen(fen).map_err(|error| {
                let place = format!("{}:{number}", path.display());
                Diagnostic::new(format_args!("{place}: {error}")).at(fen, error.span())
            })?;
            if positions.len() == MAX_POSITIONS {
                let text = format_args!("there are more than {MAX_POSITIONS} positions");
                return Err(wrong(&text).into());
            }
            positions.push(position);
        }
    }
    if positions.is_empty() {
        return Err(Diagnostic::new("the suite has no positions").into());
    }
    Ok(positions)
}
