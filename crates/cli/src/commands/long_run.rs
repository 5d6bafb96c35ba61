//! `tabiya perft --checkpoint`: a count that is kept in a file.

use std::io::Write;
use std::path::PathBuf;

use tabiya::Position;
use tabiya_perft::checkpoint::{
    self, Checkpoint, CheckpointError, ReferenceCounter, RunOptions, Status, UnitCounter,
};
use tabiya_perft::table::HashSize;
use tabiya_perft::{Isa, Options};

use super::perft::Counted;
use super::status;
use crate::Outcome;
use crate::counting::engine;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::progress::Watcher;

/// How a count is kept in a file.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Long runs")]
pub(crate) struct LongRunArgs {
    /// Count DEPTH alone, keep what is found in FILE, and go on from it if it is there
    ///
    /// Whatever ends the program, at most the unit that each thread is at is lost. `tabiya status
    /// FILE` shows how far the count has come, also while it goes on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["categories", "distinct", "verify_seed"])]
    checkpoint: Option<PathBuf>,

    /// Cut the count into units after so many half-moves
    ///
    /// Unless given, units are about a second of work each, or larger where there would be more
    /// than a million of them.
    #[arg(long, value_name = "PLIES", requires = "checkpoint")]
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    split: Option<u32>,

    /// Count such a share of the units a second time, with other keys or another counter
    #[arg(long, value_name = "PERCENT", requires = "checkpoint", default_value = "0.1%")]
    #[arg(value_parser = crate::values::share, allow_negative_numbers = true)]
    verify_share: f64,
}

/// What is to be counted.
pub(crate) struct Job<'a> {
    pub(crate) position: &'a Position,
    pub(crate) depth: u32,
    pub(crate) options: Options,
    pub(crate) hash: Option<HashSize>,
}

/// The arguments, if a file was named.
pub(crate) struct Asked<'a> {
    path: &'a PathBuf,
    args: &'a LongRunArgs,
}

impl LongRunArgs {
    pub(crate) fn asked(&self) -> Option<Asked<'_>> {
        self.checkpoint.as_ref().map(|path| Asked { path, args: self })
    }
}

/// Counts, and tells how far the count came.
pub(crate) fn run(
    asked: &Asked<'_>,
    job: &Job<'_>,
    divide: bool,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Counted, Failure> {
    let Asked { path, args } = *asked;
    let failed = |error: CheckpointError| failure(&error, path);
    let mut unit_job = checkpoint::Job::new(job.position.clone(), job.depth).map_err(failed)?;
    if let Some(split) = args.split {
        unit_job = unit_job.with_split(split).map_err(failed)?;
    }
    let counter = engine(job.options.clone(), job.hash, 0)?;
    // Other keys if there are keys; and in any case code that was compiled another way.
    let small = HashSize::mebibytes(64);
    let portable = Options { isa: Isa::Portable, ..job.options.clone() };
    let with_other_keys = match job.hash {
        Some(_) if args.verify_share > 0.0 => Some(engine(portable, Some(small), 1)?),
        _ => None,
    };
    let verifier: &dyn UnitCounter = match &with_other_keys {
        Some(engine) => engine,
        None => &ReferenceCounter,
    };
    let interrupt = Interrupt::listen()?;
    let checkpoint = match Checkpoint::open_or_create(path, &unit_job, &interrupt) {
        Ok(checkpoint) => checkpoint,
        Err(error @ CheckpointError::Cancelled) => {
            let _ = write!(anstream::stderr(), "{}", failure(&error, path));
            return Ok(Err(Outcome::Interrupted));
        }
        Err(error) => return Err(failed(error)),
    };
    let watcher = Watcher::new(&interrupt, job.depth);
    let report = |status: &Status| watcher.long_run(status);
    let run = RunOptions {
        threads: job.options.threads,
        counter: &counter,
        verify_share: args.verify_share,
        verifier,
        report: Some(&report),
    };
    let outcome = checkpoint.run(&run, &interrupt);
    drop(watcher);
    let status = match outcome {
        Ok(status) => status,
        Err(error @ CheckpointError::Disputed { .. }) => {
            let _ = write!(anstream::stderr(), "{}", failure(&error, path));
            return Ok(Err(Outcome::Failed));
        }
        Err(error) => return Err(failed(error)),
    };
    if as_json {
        status::write_json(&status, out)?;
    } else {
        status::write(&status, divide || !status.is_complete(), out)?;
    }
    Ok(status.total().ok_or(Outcome::Interrupted))
}

/// The error with what to do about it.
pub(crate) fn failure(error: &CheckpointError, path: &std::path::Path) -> Failure {
    let name = path.display();
    let diagnostic = Diagnostic::new(format_args!("{name}: {error}"));
    match error {
        CheckpointError::OtherJob { .. } => {
            diagnostic.hint("name another file, or the job that this one belongs to")
        }
        CheckpointError::Foreign => {
            diagnostic.hint("such a file is made by `tabiya perft DEPTH --checkpoint FILE`")
        }
        CheckpointError::InUse => {
            diagnostic.hint(format_args!("`tabiya status {name}` shows how far it is"))
        }
        CheckpointError::Disputed { .. } => diagnostic
            .hint("the unit has been taken out again; the same command counts it anew and goes on"),
        CheckpointError::Damaged(_) => {
            diagnostic.hint("if that stays so, go back to a copy of the file, or begin a new one")
        }
        CheckpointError::Cancelled => diagnostic.hint("the same command begins again"),
        CheckpointError::Write { .. } => {
            diagnostic.hint("when there is room again, the same command continues the count")
        }
        _ => diagnostic,
    }
    .into()
}
