//! `tabiya perft --checkpoint`: a count that is kept in a file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tabiya::Position;
use tabiya_perft::CategoryCounter;
use tabiya_perft::table::HashSize;
use tabiya_perft::{CategoryTable, Convention, Isa, Options};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Job, ReferenceCounter, RunOptions, Status, UnitCounter, status_of,
};

use super::expectation::Expectation;
use crate::call::Call;
use crate::checkpoint_report::{self, failure};
use crate::counting::{TableChoice, engine, random_seed};
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::progress::ProgressLine;

/// A count that is kept in a file.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Long runs")]
pub(crate) struct CheckpointArgs {
    /// Count DEPTH alone and keep the results in FILE; continue from FILE if it exists
    ///
    /// If the program is killed or the power fails, each thread loses the unit that it is counting,
    /// and the results of the last fifth of a second are lost. `tabiya status FILE` shows the
    /// progress of the count, even while it is running: until it ends, FILE.status has it, and
    /// belongs to the run.
    #[arg(long, value_name = "FILE", conflicts_with = "verify_seed")]
    #[arg(value_parser = crate::values::file_to_keep())]
    checkpoint: Option<PathBuf>,

    /// Divide the count into units after this number of plies
    ///
    /// By default, a unit is about one second of work. Units are larger if there would be more
    /// than a million of them.
    #[arg(long, value_name = "PLIES", requires = "checkpoint")]
    #[arg(conflicts_with_all = ["distinct", "plain", "verify_seed"])]
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    split: Option<u32>,

    /// Share of the units to count a second time, with other keys or another counter
    #[arg(long, value_name = "PERCENT", requires = "checkpoint", default_value = "0.1%")]
    #[arg(conflicts_with_all = ["distinct", "plain", "verify_seed"])]
    #[arg(value_parser = crate::values::share, allow_negative_numbers = true)]
    verify_share: f64,
}

/// The file, and how the count is divided and verified.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckpointFile<'a> {
    path: &'a Path,
    split: Option<u32>,
    verify_share: f64,
}

impl CheckpointArgs {
    /// Is a file named?
    pub(super) const fn is_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The name of the file, if one is given.
    pub(super) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// The arguments, if a file is named.
    pub(super) fn file(&self) -> Option<CheckpointFile<'_>> {
        let Self { split, verify_share, .. } = *self;
        self.checkpoint.as_deref().map(|path| CheckpointFile { path, split, verify_share })
    }
}

/// A count and the form of its report.
pub(super) struct Request<'a> {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: Options,
    pub(super) table: Option<TableChoice>,
    pub(super) file: CheckpointFile<'a>,
    /// Which checks count, if leaf nodes are counted by category.
    pub(super) categories: Option<Convention>,
    /// Are the root moves printed?
    pub(super) with_moves: bool,
    pub(super) json: bool,
    /// The call that continues a stopped run.
    pub(super) call: Call,
}

/// Counts, and prints the progress.
pub(super) fn run(
    request: &Request<'_>,
    expectation: &Expectation,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let path = request.file.path;
    let job = job(request).map_err(|error| failure(&error, path))?;
    let mut is_opened = true;
    let status = match count(request, &job, interrupt) {
        Ok(status) => status,
        Err(Stop::Moved(error, status)) => {
            write_report(request, &status, out)?;
            return Err(failure(&error, path));
        }
        Err(Stop::Failure(failure)) => return Err(failure),
        Err(Stop::Checkpoint(error @ CheckpointError::Disputed { .. })) => {
            let _ = write!(anstream::stderr(), "{}", failure(&error, path));
            return Ok(Outcome::Failed);
        }
        // This call has counted nothing, but an earlier one may have.
        Err(Stop::Checkpoint(CheckpointError::Cancelled)) => {
            is_opened = false;
            status_of(path).unwrap_or_else(|_| Status::before_split(&job))
        }
        Err(Stop::Checkpoint(error)) => return Err(failure(&error, path)),
    };
    write_report(request, &status, out)?;
    match status.total() {
        Some(nodes) if is_opened && status.unverified == 0 => {
            expectation.outcome(nodes, "leaf nodes", out)
        }
        // Something is left to count, once or a second time.
        _ => {
            write_how_to_continue(path, &request.call, request.json, out)?;
            Ok(Outcome::Interrupted)
        }
    }
}

fn write_report(
    request: &Request<'_>,
    status: &Status,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let convention = request.categories.unwrap_or_default();
    if request.json {
        return checkpoint_report::write_json(status, convention, out);
    }
    let with_moves = request.with_moves || !status.is_complete();
    checkpoint_report::write(status, with_moves, convention, out)
}

/// Why a count ended.
enum Stop {
    Failure(Failure),
    Checkpoint(CheckpointError),
    /// The file is no longer at its path and may be lost, so the status is printed.
    Moved(CheckpointError, Box<Status>),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<CheckpointError> for Stop {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(error)
    }
}

/// The requested job.
fn job(request: &Request<'_>) -> Result<Job, CheckpointError> {
    let mut job = Job::new(request.position.clone(), request.depth)?;
    if request.categories.is_some() {
        job = job.by_category()?;
    }
    match request.file.split {
        Some(split) => job.with_split(split),
        None => Ok(job),
    }
}

fn count(request: &Request<'_>, job: &Job, interrupt: &Interrupt) -> Result<Status, Stop> {
    if request.categories.is_some() {
        let counter = category_counter(request)?;
        return count_with(request, job, &counter, &ReferenceCounter, interrupt);
    }
    let Request { options, table, file, .. } = request;
    let counter = engine(options.clone(), *table)?;
    // With a table, the second count has other keys, and uses the portable code.
    let small = HashSize::mebibytes(64);
    let portable = Options { isa: Isa::Portable, ..options.clone() };
    let with_other_keys = match table {
        Some(_) if file.verify_share > 0.0 => {
            let table = TableChoice { size: small, seed: random_seed()? };
            Some(engine(portable, Some(table))?)
        }
        _ => None,
    };
    let verifier: &dyn UnitCounter = match &with_other_keys {
        Some(engine) => engine,
        None => &ReferenceCounter,
    };
    count_with(request, job, &counter, verifier, interrupt)
}

/// A counter by category, with a table if one is requested. The second count makes every move.
fn category_counter(request: &Request<'_>) -> Result<CategoryCounter, Failure> {
    let counter = CategoryCounter::default().with_isa(request.options.isa);
    Ok(match request.table {
        Some(TableChoice { size, seed }) => {
            counter.with_table(CategoryTable::new(size, seed).map_err(Diagnostic::new)?)
        }
        None => counter,
    })
}

fn count_with(
    request: &Request<'_>,
    job: &Job,
    counter: &dyn UnitCounter,
    verifier: &dyn UnitCounter,
    interrupt: &Interrupt,
) -> Result<Status, Stop> {
    let file = request.file;
    let checkpoint = Checkpoint::open_or_create(file.path, job, interrupt)?;
    let line = ProgressLine::new(interrupt, request.depth);
    let last = Mutex::new(None);
    let report = |status: &Status| {
        line.show_status(status);
        *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(status.clone()));
    };
    let run = RunOptions {
        threads: request.options.threads,
        counter,
        verify_share: file.verify_share,
        verifier,
        report: Some(&report),
        ..RunOptions::default()
    };
    checkpoint.run(&run, interrupt).map_err(|error| {
        let last = last.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (&error, last) {
            (CheckpointError::Moved { .. }, Some(status)) => Stop::Moved(error, status),
            _ => Stop::Checkpoint(error),
        }
    })
}

/// Prints how to continue a stopped run, if its file exists. With JSON, the text goes to standard
/// error.
pub(super) fn write_how_to_continue(
    path: &Path,
    call: &Call,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let text = if path.exists() {
        format!("stopped; to continue, run: {call}")
    } else {
        format!("stopped before there was anything to keep in {}", path.display())
    };
    if json {
        // If standard error is closed, the text is not wanted.
        let _ = writeln!(anstream::stderr(), "{text}");
        return Ok(());
    }
    Ok(writeln!(out, "\n{text}")?)
}
