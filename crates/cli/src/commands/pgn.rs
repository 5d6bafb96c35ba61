//! `tabiya pgn`: checks, counts, selects and converts games.

mod filter;
mod format;
mod game;
mod input;
mod merge;
mod outline;
mod progress;
mod statistics;
mod work;

#[cfg(all(test, feature = "schema"))]
pub(super) use format::Game;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_openings::Opening;
use tabiya_perft::Watch;
use tabiya_pgn::Termination;

use self::filter::FilterArgs;
use self::format::Format;
use self::game::Problem;
use self::input::Passed;
use self::merge::Merged;
use self::progress::ProgressLine;
use self::statistics::Statistics;
use self::work::{End, Part, Plan};
use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::input::expect_no_output;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::number::{measured_rate, percent, thousands, time};
use crate::output::table::{Column, Table};
use crate::output::{json, printable};

const EXAMPLES: &str = "\
Without --check, --to, --merge and --openings, it prints statistics: games, results, lengths, and
the most frequent openings (the first two moves of each side). Files may be compressed with gzip,
zstd or bzip2; this is detected from their contents. If the marker after the moves is *, the tag
Result gives the result.

A game that cannot be read or played is broken: the error is printed with its file, line, column,
game and ply, and the next game is read. A game without moves ends where an empty line and the tag
Event follow, or a tag that it has already, or two empty lines and any tag. --check also checks
variations, and whether the result agrees with the tag and with a last position that is checkmate or
stalemate.

Exit codes:
  0    success
  1    --check, --to or --merge found a broken game; all others are still read
  2    a file cannot be read completely; all others are still read
  130  stopped with Ctrl-C

Examples:
  tabiya pgn games.pgn
  tabiya pgn --check games.pgn
  tabiya pgn games.pgn --to fen --result 1-0
  tabiya pgn games.pgn --to san --tag White=Morphy --plies 20..60
  tabiya pgn games.pgn --openings --result 1-0
  tabiya pgn games.pgn --to pgn --opening 'sicilian defense: najdorf'
  tabiya pgn games.pgn --to tree
  tabiya pgn games.pgn --merge --to tree --tag White=Morphy
  zstdcat games.pgn.zst | tabiya pgn - --json";

/// Check, count, select and convert games in PGN
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of games; "-" is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Check every move and every result
    #[arg(long, conflicts_with = "to")]
    check: bool,

    /// Print the games in this format
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    to: Option<Format>,

    /// Merge the games into one tree, which is printed when all are read: one for each start
    /// position, with the names of the games where they end and without clocks. With --to lines,
    /// each line repeats the names of the games that end in it. Needs memory for the tree
    #[arg(long, conflicts_with_all = ["check", "json"])]
    merge: bool,

    /// Count games and results by opening: the last position of a game that has a name
    #[arg(long, conflicts_with_all = ["check", "to", "merge"])]
    openings: bool,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    filter: FilterArgs,
}

impl Args {
    /// Does the exit code tell whether the games are right?
    pub(super) const fn checks(&self) -> bool {
        self.check
    }

    /// Does it print games, in which the bytes of the files may be? If not, it prints text.
    pub(super) const fn prints_games(&self) -> bool {
        self.to.is_some() || self.merge
    }
}

/// A file that has been read.
struct Done {
    name: String,
    statistics: Statistics,
    problems: Vec<Problem>,
    /// Why the file could not be read, or not completely.
    failure: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    expect_no_output(&args.files)?;
    if args.merge && args.to.is_some_and(|format| !format.is_tree()) {
        return Err(
            Diagnostic::new("--merge gives a tree, so it needs --to pgn, tree or lines").into()
        );
    }
    let plan = Arc::new(Plan {
        filter: args.filter.filter()?,
        format: args.to.or(args.merge.then_some(Format::Pgn)),
        merge: args.merge,
        openings: args.openings,
        check: args.check,
        threads: args.threads.count(),
    });
    let watch = Interrupt::listen()?;
    let mut found = Found::default();
    match read_and_write(args, &plan, &watch, &mut found, out) {
        // The reader has read enough. Errors that have been printed are still errors.
        Err(failure) if failure.is_of_reader() => {}
        result => result?,
    }
    let Found { files, is_stopped, is_unwritten } = found;
    let is_broken = is_unwritten || files.iter().any(|file| file.statistics.broken > 0);
    Ok(match () {
        () if is_stopped => Outcome::Interrupted,
        () if files.iter().any(|file| file.failure.is_some()) => Outcome::Mistaken,
        () if is_broken && (args.check || plan.format.is_some()) => Outcome::Failed,
        () => Outcome::Fine,
    })
}

/// The results so far.
#[derive(Default)]
struct Found {
    files: Vec<Done>,
    is_stopped: bool,
    /// Is there a merged tree, or a line of one, that cannot be written?
    is_unwritten: bool,
}

/// Reads all files, and writes the games or the results.
fn read_and_write(
    args: &Args,
    plan: &Arc<Plan>,
    watch: &Interrupt,
    found: &mut Found,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let passed = Passed::default();
    let mut line = ProgressLine::new(&args.files, &passed, plan.format.is_some());
    let mut is_first = true;
    let mut merged = Merged::default();
    let mut failure = None;
    for path in &args.files {
        let before: u64 = found.files.iter().map(|file| file.statistics.games).sum();
        let mut file = Done {
            name: path.display().to_string(),
            statistics: Statistics::default(),
            problems: Vec::new(),
            failure: None,
        };
        let end = work::run(path, plan, &passed, watch, |part| {
            if let Some(mut part) = part {
                let more = std::mem::take(&mut part.merged);
                let merge = merged.merge(more);
                merge.map_err(|error| {
                    Diagnostic::new(format!("not all games are merged: {error}"))
                })?;
                take(part, &mut file, &mut line, &mut is_first, args, out)?;
            }
            line.draw(before + file.statistics.games);
            Ok::<(), Failure>(())
        });
        line.clear();
        if let Ok(End::Unreadable(error)) = &end {
            print(&format!("{}: {error}", file.name));
            file.failure = Some(error.to_string());
        }
        found.files.push(file);
        match end {
            Ok(End::Stopped) => {
                found.is_stopped = true;
                break;
            }
            Ok(_) => {}
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    drop(line);
    // What was merged before a failure, such as the end of the memory, is written.
    // The failure is reported even if the output cannot be written.
    let written = write_merged(merged, plan.format, watch, found, out);
    if let Some(failure) = failure {
        return Err(failure);
    }
    written?;
    let Found { files, is_stopped, .. } = found;
    let mut sums = Statistics::default();
    files.iter().for_each(|file| sums.merge(file.statistics.clone()));
    let elapsed = begin.elapsed();
    if args.json {
        json::write(out, &answer(files, &sums, elapsed, plan, !*is_stopped))?;
    } else if plan.format.is_none() {
        if args.openings {
            write_named_openings(&sums, out)?;
        } else if args.check {
            write_check(files, &sums, elapsed, out)?;
        } else {
            write_statistics(&sums, elapsed, out)?;
        }
    }
    Ok(())
}

/// Writes the merged trees. If one of them, or a line, cannot be written, the others are. All that was merged
/// before a signal is written, unless there is another one, which ends the program.
fn write_merged(
    merged: Merged,
    format: Option<Format>,
    watch: &Interrupt,
    found: &mut Found,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let was_stopped = watch.is_cancelled();
    let mut is_stopped = || {
        let is_stopped = !was_stopped && watch.is_cancelled();
        found.is_stopped |= is_stopped;
        is_stopped
    };
    for tree in merged.into_trees() {
        let mut text = Vec::new();
        let start = tree.start().fen();
        match format {
            // The text may be much longer than the tree.
            Some(Format::Lines) => {
                for (number, end) in tree.ends().enumerate() {
                    if is_stopped() {
                        return Ok(());
                    }
                    match format::write_line(&tree, end, &mut text) {
                        Ok(()) => out.write_all(&text)?,
                        Err(message) => {
                            print(&format!(
                                "line {} of the games that begin with {start} cannot be written: \
                                 {message}",
                                number + 1
                            ));
                            found.is_unwritten = true;
                        }
                    }
                    text.clear();
                }
            }
            Some(Format::Tree) => {
                let written = outline::write(&tree, &mut |line| match is_stopped() {
                    true => Err(None),
                    false => out.write_all(line.as_bytes()).map_err(Some),
                });
                match written {
                    Ok(()) => {}
                    Err(None) => return Ok(()),
                    Err(Some(error)) => return Err(error.into()),
                }
            }
            _ => match merge::write(&tree, &mut text) {
                Ok(()) => out.write_all(&text)?,
                Err(message) => {
                    print(&format!(
                        "the games that begin with {start} cannot be merged into one game: \
                         {message}; --to tree and --to lines print them"
                    ));
                    found.is_unwritten = true;
                }
            },
        }
    }
    Ok(())
}

/// The most errors of a file that are kept for JSON.
const MAX_PROBLEMS: usize = 1000;

/// Prints the results of a part of a file.
fn take(
    part: Part,
    file: &mut Done,
    line: &mut ProgressLine,
    is_first: &mut bool,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if !part.problems.is_empty() || part.failure.is_some() {
        line.clear();
    }
    if let Some(message) = part.failure {
        print(&format!("{}: {message}", file.name));
        file.failure = Some(message);
    }
    for problem in &part.problems {
        print(&problem_text(&file.name, problem));
    }
    let separator = args.to.map_or("", Format::separator).as_bytes();
    let mut output = &part.output[..];
    if !output.is_empty() && std::mem::take(is_first) {
        // There is no separator before the first game.
        output = output.strip_prefix(separator).unwrap_or(output);
    }
    file.statistics.merge(part.statistics);
    let free = MAX_PROBLEMS - file.problems.len();
    file.problems.extend(part.problems.into_iter().take(free));
    Ok(out.write_all(output)?)
}

/// Prints an error. If standard error is closed, errors are not wanted.
fn print(message: &str) {
    let _ = write!(anstream::stderr(), "{}", Diagnostic::new(message));
}

fn problem_text(name: &str, problem: &Problem) -> String {
    let Problem { place, game, message, .. } = problem;
    format!("{name}:{place}: game {game}: {message}")
}

fn write_check(
    files: &[Done],
    sums: &Statistics,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let widest = files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0);
    let table = Table([
        Column::left("file", widest),
        Column::right("games", thousands(sums.games.into()).len()),
        Column::right("broken", thousands(sums.broken.into()).len()),
    ]);
    let row = |name: &str, statistics: &Statistics, out: &mut dyn Write| {
        let [games, broken] =
            [statistics.games, statistics.broken].map(|number| thousands(number.into()));
        table.row(out, [&printable(name), &games, &broken])
    };
    table.head(out)?;
    for file in files {
        row(&file.name, &file.statistics, out)?;
    }
    if files.len() > 1 {
        row("all", sums, out)?;
    }
    writeln!(out, "\n{}", time_and_rate(sums.games, elapsed, "games per second"))?;
    Ok(())
}

/// The time, and also the games per second unless the time is too short to measure.
fn time_and_rate(games: u64, elapsed: Duration, unit: &str) -> String {
    let rate = measured_rate(games.into(), elapsed);
    let rate = rate.map_or_else(String::new, |rate| format!(", {rate} {unit}"));
    format!("{}{rate}", time(elapsed))
}

/// The number of openings that are shown.
const OPENINGS: usize = 10;

fn write_statistics(
    sums: &Statistics,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let number = |number: u64| thousands(number.into());
    let pace = time_and_rate(sums.games, elapsed, "per second");
    writeln!(out, "games       {} in {pace}", number(sums.games))?;
    if sums.broken > 0 {
        writeln!(out, "broken      {}", number(sums.broken))?;
    }
    writeln!(out, "selected    {}", number(sums.selected))?;
    let all = sums.selected as f64;
    for (result, count) in sums.results() {
        let share = percent(count as f64, all);
        writeln!(out, "{:10}  {}, {share}", result.as_str(), number(count))?;
    }
    if let (Some(shortest), Some(longest)) = (sums.shortest, sums.longest) {
        let mean = sums.plies as f64 / all;
        writeln!(
            out,
            "plies       {} in total, {mean:.1} per game, from {shortest} to {longest}",
            number(sums.plies)
        )?;
    }
    let openings = sums.openings(OPENINGS);
    if openings.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = openings.iter().map(|(moves, _)| moves.join(" ")).collect();
    let widest = names.iter().map(String::len).max().unwrap_or(0);
    let table = Table([
        Column::left("opening", widest),
        Column::right("games", number(sums.selected).len()),
        Column::right("1-0", 7),
        Column::right("0-1", 7),
        Column::right("1/2-1/2", 7),
    ]);
    writeln!(out)?;
    table.head(out)?;
    for (name, (_, results)) in names.iter().zip(&openings) {
        let games: u64 = results.iter().sum();
        let share = |result: Termination| percent(results[result as usize] as f64, games as f64);
        let [white, black, draw] =
            [Termination::WhiteWins, Termination::BlackWins, Termination::Draw].map(share);
        table.row(out, [name, &number(games), &white, &black, &draw])?;
    }
    Ok(())
}

/// A table of the named openings.
fn write_named_openings(sums: &Statistics, out: &mut dyn Write) -> Result<(), Failure> {
    let openings = sums.named_openings();
    let name = |opening: &Option<Opening>| opening.map_or("(no named position)", Opening::name);
    let widest = openings.iter().map(|it| name(&it.0).chars().count()).max().unwrap_or(0);
    let number = |number: u64| thousands(number.into());
    let table = Table([
        Column::left("eco", 3),
        Column::left("opening", widest),
        Column::right("games", number(sums.selected).len()),
        Column::right("1-0", 7),
        Column::right("0-1", 7),
        Column::right("1/2-1/2", 7),
    ]);
    table.head(out)?;
    for (opening, results) in &openings {
        let games: u64 = results.iter().sum();
        let share = |result: Termination| percent(results[result as usize] as f64, games as f64);
        let [white, black, draw] =
            [Termination::WhiteWins, Termination::BlackWins, Termination::Draw].map(share);
        let eco = opening.map_or("", Opening::eco);
        table.row(out, [eco, name(opening), &number(games), &white, &black, &draw])?;
    }
    Ok(())
}

/// The output of `tabiya pgn --json`: statistics, and the errors of games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// All games that were read, including broken ones.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    games: u128,
    /// Games that cannot be read or played. With `--check`, this includes games whose result is
    /// wrong.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    broken: u128,
    /// Games that passed the filters. The fields below are about these.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    selected: u128,
    /// The results.
    results: ResultsAnswer,
    /// The plies of all main lines.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    plies: u128,
    /// The plies of the shortest game. Null if there is no game.
    shortest: Option<u64>,
    /// The plies of the longest game. Null if there is no game.
    longest: Option<u64>,
    /// The most frequent openings, at most 10.
    openings: Vec<OpeningAnswer>,
    /// All named openings, the most frequent first, with `--openings`. Otherwise null.
    named_openings: Option<Vec<NamedOpeningAnswer>>,
    /// The time, in seconds.
    seconds: f64,
    /// The number of threads.
    threads: NonZeroUsize,
    /// Was everything read? If not, the work was stopped.
    complete: bool,
    /// Each file.
    files: Vec<FileAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-pgn/1";
}

/// Games by their result.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ResultsAnswer {
    /// Games that White won.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    white_wins: u128,
    /// Games that Black won.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    black_wins: u128,
    /// Drawn games.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    draws: u128,
    /// Games whose result is not known.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    unknown: u128,
}

impl From<[u64; 4]> for ResultsAnswer {
    fn from(results: [u64; 4]) -> Self {
        let [white_wins, black_wins, draws, unknown] = results.map(u128::from);
        Self { white_wins, black_wins, draws, unknown }
    }
}

/// Games that begin with the same moves.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OpeningAnswer {
    /// The first four plies, in standard algebraic notation.
    moves: Vec<String>,
    /// The results.
    results: ResultsAnswer,
}

/// Games whose last position with a name has this one.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NamedOpeningAnswer {
    /// The code in the Encyclopaedia of Chess Openings. Null for games without a named position.
    eco: Option<&'static str>,
    /// The name. Null for games without a named position.
    name: Option<&'static str>,
    /// The results.
    results: ResultsAnswer,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileAnswer {
    /// The name of the file.
    file: String,
    /// Games in the file, including broken ones.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    games: u128,
    /// Broken games.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    broken: u128,
    /// Why the file could not be read, or not to its end. Null if it was read.
    error: Option<String>,
    /// The errors of games, at most 1000.
    errors: Vec<ErrorAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorAnswer {
    /// The line in the file, from 1.
    line: u64,
    /// The column in the line, in bytes from 1.
    column: u64,
    /// The byte in the file, from 0.
    byte: u64,
    /// The game in the file, from 1.
    game: u64,
    /// The ply in the main line or variation, from 1. Null if the error is not about a move.
    ply: Option<u32>,
    /// The error.
    message: String,
}

fn answer(
    files: &[Done],
    sums: &Statistics,
    elapsed: Duration,
    plan: &Plan,
    complete: bool,
) -> Answer {
    let error = |problem: &Problem| ErrorAnswer {
        line: problem.place.line,
        column: problem.place.column,
        byte: problem.place.byte,
        game: problem.game,
        ply: problem.ply,
        message: problem.message.clone(),
    };
    let file = |file: &Done| FileAnswer {
        file: file.name.clone(),
        games: file.statistics.games.into(),
        broken: file.statistics.broken.into(),
        error: file.failure.clone(),
        errors: file.problems.iter().map(error).collect(),
    };
    let opening = |(moves, results): (Vec<String>, [u64; 4])| OpeningAnswer {
        moves,
        results: results.into(),
    };
    let named = |(opening, results): (Option<Opening>, [u64; 4])| NamedOpeningAnswer {
        eco: opening.map(Opening::eco),
        name: opening.map(Opening::name),
        results: results.into(),
    };
    let named_openings =
        plan.openings.then(|| sums.named_openings().into_iter().map(named).collect());
    Answer {
        games: sums.games.into(),
        broken: sums.broken.into(),
        selected: sums.selected.into(),
        results: sums.results.into(),
        plies: sums.plies.into(),
        shortest: sums.shortest,
        longest: sums.longest,
        openings: sums.openings(OPENINGS).into_iter().map(opening).collect(),
        named_openings,
        seconds: elapsed.as_secs_f64(),
        threads: plan.threads,
        complete,
        files: files.iter().map(file).collect(),
    }
}
