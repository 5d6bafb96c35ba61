//! `tabiya pgn`: checks, counts, selects and converts games.
//!
//! Modules use only modules to their right:
//!
//! ```text
//! pgn ─▶ work ─▶ part ─▶ filter, statistics, merge, game_formats ─▶ game_json, game_text ─▶ game
//!  │ ──▶ results_text, results_json ─▶ statistics, game_json ─▶ game
//! ```
//!
//! This file has the arguments, and reads one file after another. `work` gives the parts of a file to
//! threads and returns their results in order, and `part` works on the games of one part: it plays each of
//! them (`game`), selects it, and counts, merges or writes it. At the end, the sums are written as text
//! (`results_text`) or as JSON (`results_json`).

mod filter;
mod game;
mod game_formats;
mod game_json;
mod game_text;
mod merge;
mod part;
mod results_json;
mod results_text;
mod statistics;
mod work;

#[cfg(all(test, feature = "schema"))]
pub(super) use self::game_json::Game;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tabiya::san::PieceLetters;
use tabiya_perft::Watch;

use self::filter::FilterArgs;
use self::game::{Keys, Kind, Problem};
use self::game_formats::{Format, Strip, Style, Unwritten};
use self::merge::Merged;
use self::part::{Counts, OnError, Part, Plan};
pub(super) use self::results_json::Answer;
use self::statistics::{File, Statistics};
use self::work::Work;
use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::file_progress::ProgressLine;
use crate::interrupt::Interrupt;
use crate::outcome::{self, Outcome};
use crate::output::number::quantity;
use crate::output::{json, printable};
use crate::unpacked;

const EXAMPLES: &str = "\
Without --check, --to, --merge and --openings, it prints statistics: games, results, lengths, and
the most frequent openings (the first two moves of each side). Files may be compressed with gzip,
zstd or bzip2; this is detected from their contents. If the marker after the moves is *, the tag
Result gives the result.

A word that isn't a move costs nothing: it's a remark, and --check counts it. A move that can't be
played is an error: it ends its line, the main line or a variation. What came before is kept, and in
--to pgn, tree, lines and json, the rest of the line is a comment. Each error is printed with its
file, line, column, game and ply. Variations are read by --check, --merge and the formats that have
them. --check also compares the result with the tag, and with a last position that is checkmate or
stalemate; results that disagree are remarks.

Exit codes:
  0    success
  1    there are errors, or remarks with --strict
  2    a file cannot be read, or not completely; all others are still read
  130  stopped with Ctrl-C; games that were read by then are still counted or printed

Examples:
  tabiya pgn games.pgn
  tabiya pgn --check games.pgn
  tabiya pgn games.pgn --to pgn --errors skip --unique --strip comments,variations
  tabiya pgn games.pgn --to fen --result 1-0
  tabiya pgn games.pgn --to san --tag White=Morphy --plies 20..60
  tabiya pgn games.pgn --openings --tag 'WhiteElo>=2500' --tag 'Date>=2020'
  tabiya pgn games.pgn --to pgn --opening 'sicilian defense: najdorf'
  tabiya pgn games.pgn --to tree
  tabiya pgn games.pgn --merge --to tree --tag White=Morphy
  zstdcat games.pgn.zst | tabiya pgn - --json";

/// Check, count, select and convert games in PGN, for players and collectors
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Files of games; "-" is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Check every move and every result, and count errors and remarks by kind
    #[arg(long, conflicts_with = "to")]
    check: bool,

    /// Remarks count as errors do: the exit code is 1
    #[arg(long)]
    strict: bool,

    /// What becomes of games with errors
    #[arg(long, value_enum, value_name = "HOW", default_value = "keep")]
    errors: OnError,

    /// Read moves with the letters of another language, in the order of king, queen, rook, bishop,
    /// knight and perhaps pawn: KDTLS is German. They're written in English
    #[arg(long, value_name = "LETTERS")]
    letters: Option<PieceLetters>,

    /// Print the games in this format
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    to: Option<Format>,

    /// Leave these parts out of the games, separated by commas, with --to pgn, tree, lines or json
    /// and --merge. PGN is then UTF-8, whatever the file is
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    strip: Vec<Strip>,

    /// Write the opening of each game to its tags ECO and Opening, with --to pgn
    #[arg(long)]
    add_opening: bool,

    /// Merge the games into one tree, which is printed when all are read: one for each start
    /// position, with the names of the games where they end and without clocks. With --to lines,
    /// each line repeats the names of the games that end in it. Needs memory for the tree
    #[arg(long, conflicts_with_all = ["check", "json"])]
    merge: bool,

    /// Count games and results by opening: the last position of a game that has a name
    #[arg(long, conflicts_with_all = ["check", "to", "merge"])]
    openings: bool,

    /// Leave out games that have the start and the moves of one before, in any of the files, however
    /// they're written. Only main lines without errors are compared. Needs 40 bytes for each game
    #[arg(long)]
    unique: bool,

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

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if args.merge && args.to.is_some_and(|format| !format.is_tree()) {
        return Err(
            Diagnostic::new("--merge gives a tree, so it needs --to pgn, tree or lines").into()
        );
    }
    if args.strict && !args.check {
        return Err(Diagnostic::new("--strict makes remarks count, so it needs --check").into());
    }
    let format = args.to.or(args.merge.then_some(Format::Pgn));
    if !args.strip.is_empty() && !format.is_some_and(Format::has_variations) {
        return Err(
            Diagnostic::new("--strip needs --to pgn, tree, lines or json, or --merge").into()
        );
    }
    if args.add_opening && (args.merge || format != Some(Format::Pgn)) {
        return Err(Diagnostic::new("--add-opening needs --to pgn, and no --merge").into());
    }
    let (strip, adds_opening) = (args.strip.clone(), args.add_opening);
    let plan = Plan {
        filter: args.filter.filter()?,
        style: format.map(|format| Style { format, strip, adds_opening, letters: args.letters }),
        merge: args.merge,
        openings: args.openings,
        letters: args.letters,
        check: args.check,
        errors: args.errors,
        unique: args.unique.then(Keys::default),
    };
    let mut run = Run {
        args,
        plan: Arc::new(plan),
        watch: Interrupt::listen()?,
        files: Vec::new(),
        merged: Merged::default(),
        seen: HashSet::new(),
        counts: true,
        end: End::OfFiles,
        has_output: false,
        is_unwritten: false,
    };
    match run.read_and_write(out) {
        // The reader has read enough. Errors that have been printed are still errors.
        Err(failure) if failure.is_of_reader() => {}
        result => result?,
    }
    Ok(run.outcome())
}

/// Where the work ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// After the last file.
    OfFiles,
    /// At the first error, as the user has asked.
    FirstError,
    /// At Ctrl-C.
    Interrupt,
}

/// The work on all files, and the results so far.
struct Run<'a> {
    args: &'a Args,
    plan: Arc<Plan>,
    watch: Interrupt,
    files: Vec<File>,
    /// The games of all files, if they are merged.
    merged: Merged,
    /// The keys of the games so far, if only the first of equal ones counts.
    seen: HashSet<u128>,
    /// Did the last part count?
    counts: bool,
    end: End,
    /// Has a game been written?
    has_output: bool,
    /// Is there a merged tree, or a line of one, that cannot be written?
    is_unwritten: bool,
}

impl Run<'_> {
    /// Reads all files, and writes the games or the results.
    fn read_and_write(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let begin = Instant::now();
        let mut line = ProgressLine::new("games", &self.args.files, self.plan.style.is_some());
        for path in &self.args.files {
            self.files.push(File { name: path.display().to_string(), ..File::default() });
            let read = self.read(path, &mut line, out)?;
            line.clear();
            match read {
                // A stopped program does not read on, which looks like an error of the file.
                Err(_) if self.watch.is_cancelled() => {
                    self.end = End::Interrupt;
                    break;
                }
                Err(error) => self.fail(error.to_string()),
                Ok(()) if self.end == End::FirstError => break,
                Ok(()) => {}
            }
        }
        drop(line);
        self.summarize();
        match &self.plan.style {
            Some(style) => self.write_merged(style.format, out),
            None => self.report(begin, out),
        }
    }

    /// Prints the numbers of games that aren't written as they are.
    fn summarize(&self) {
        let sum = |of: fn(&Statistics) -> u64| -> u64 {
            self.files.iter().map(|file| of(&file.statistics)).sum()
        };
        let becomes = match self.args.errors {
            OnError::Keep => "kept as far as they're right",
            OnError::Skip | OnError::Stop => "left out",
        };
        for (count, one, several, becomes) in [
            (sum(|it| it.broken), "game with errors", "games with errors", becomes),
            (sum(|it| it.duplicates), "duplicate", "duplicates", "left out"),
        ] {
            if count > 0 && self.plan.style.is_some() {
                note(&format!("{}, {becomes}", quantity(count.into(), one, several)));
            }
        }
        if self.end == End::FirstError {
            note("stopped at the first error");
        }
    }

    /// Reads a file. The inner error is about this file, and others may follow.
    fn read(
        &mut self,
        path: &Path,
        line: &mut ProgressLine,
        out: &mut dyn Write,
    ) -> Result<std::io::Result<()>, Failure> {
        let input = match unpacked::open(path, &line.passed, &self.watch) {
            Ok(input) => input,
            Err(error) => return Ok(Err(error)),
        };
        let mut work = Work::start(input, &self.plan, self.args.threads.count(), &self.watch)
            .map_err(|error| Diagnostic::new(format!("cannot start the threads: {error}")))?;
        let mut games = self.games();
        while let Some(parts) = work.next(|| line.draw(games)) {
            for part in parts {
                if !part.problems.is_empty() || part.failure.is_some() {
                    line.clear();
                }
                let is_last = part.is_last;
                self.take(part, out)?;
                if is_last {
                    self.end = End::FirstError;
                    return Ok(Ok(()));
                }
            }
            games = self.games();
            line.draw(games);
        }
        Ok(work.end())
    }

    fn games(&self) -> u64 {
        self.files.iter().map(|file| file.statistics.games).sum()
    }

    /// Takes the results of a part of the current file.
    fn take(&mut self, part: Part, out: &mut dyn Write) -> Result<(), Failure> {
        self.counts = match part.counts {
            Counts::Always => true,
            Counts::Once(key) => self.seen.insert(key),
            Counts::AsBefore => self.counts,
        };
        let part = if self.counts { part } else { part.of_duplicate() };
        let Part { statistics, output, merged, problems, failure, .. } = part;
        let current = self.files.last_mut().expect("a file is being read");
        for Problem { kind, place, game, message, .. } in &problems {
            let game = game.map_or_else(String::new, |game| format!("game {game}: "));
            let text = format!("{}:{place}: {game}{message}", current.name);
            match kind {
                Kind::Error(_) => print(&text),
                Kind::Remark(_) => note(&format!("remark: {}", printable(&text))),
            }
        }
        current.add(statistics, problems);
        if let Some(message) = failure {
            self.fail(message);
        }
        self.merged
            .merge(merged)
            .map_err(|error| Diagnostic::new(format!("the games cannot all be merged: {error}")))?;
        let mut output = &output[..];
        if !output.is_empty() && !self.has_output {
            // There is no separator before the first game.
            let separator = self.args.to.map_or("", Format::separator).as_bytes();
            output = output.strip_prefix(separator).unwrap_or(output);
            self.has_output = true;
        }
        Ok(out.write_all(output)?)
    }

    /// Prints and keeps the error of the current file.
    fn fail(&mut self, message: String) {
        let current = self.files.last_mut().expect("a file is being read");
        print(&format!("{}: {message}", current.name));
        current.failure = Some(message);
    }

    /// Writes the merged trees. If one of them, or a line, cannot be written, the others are.
    fn write_merged(&mut self, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
        for tree in std::mem::take(&mut self.merged).into_trees() {
            match game_formats::write_tree(format, &tree, out) {
                Ok(()) => {}
                Err(Unwritten::Output(error)) => return Err(error.into()),
                Err(Unwritten::Game(message)) => {
                    self.is_unwritten = true;
                    let start = tree.start().fen();
                    let cure = match format {
                        Format::Pgn => "; --to tree and --to lines print them",
                        _ => "",
                    };
                    print(&format!(
                        "the games that begin with {start} cannot all be written: {message}{cure}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Writes the results of the files that were read, if there are any.
    fn report(&self, begin: Instant, out: &mut dyn Write) -> Result<(), Failure> {
        let elapsed = begin.elapsed();
        let Self { args, files, .. } = self;
        let mut sums = Statistics::default();
        files.iter().for_each(|file| sums.merge(file.statistics.clone()));
        if args.json {
            let complete = self.end == End::OfFiles;
            let threads = args.threads.count();
            let answer = Answer::new(files, &sums, args.openings, elapsed, threads, complete);
            return Ok(json::write(out, &answer)?);
        }
        // The errors of files say it all if none of them was read.
        if files.iter().any(File::was_read) {
            if args.openings {
                results_text::write_named_openings(&sums, out)?;
            } else if args.check {
                results_text::write_check(files, &sums, elapsed, out)?;
            } else {
                results_text::write_statistics(&sums, elapsed, out)?;
            }
        }
        Ok(())
    }

    fn outcome(&self) -> Outcome {
        let has = |errors| self.files.iter().any(|file| file.statistics.problems(errors) > 0);
        let is_failed = self.is_unwritten || has(true) || (self.args.strict && has(false));
        if self.end == End::Interrupt {
            outcome::report_partial_input()
        } else if self.files.iter().any(|file| file.failure.is_some()) {
            Outcome::Mistaken
        } else if is_failed {
            Outcome::Failed
        } else {
            Outcome::Fine
        }
    }
}

/// Prints what isn't an error.
fn note(message: &str) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Prints an error. If standard error is closed, errors are not wanted.
fn print(message: &str) {
    let _ = write!(anstream::stderr(), "{}", Diagnostic::new(message));
}
