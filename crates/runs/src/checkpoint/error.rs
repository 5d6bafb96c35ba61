//! Errors that prevent a long run from starting or continuing.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::output_file::is_full;
use tabiya_perft::Category;

/// An error that prevents a long run from starting or continuing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A count to depth 0 has no units.
    #[error("a count to depth 0 cannot be split into units")]
    Depth,
    /// The job cannot be split after this ply.
    #[error("a count to depth {depth} cannot be split after {split} plies, only after 1 to {last}")]
    Split {
        /// The number of plies after which it should be split.
        split: u32,
        /// The depth of the count.
        depth: u32,
        /// The last ply after which it can be split.
        last: u32,
    },
    /// There are too many positions after this ply: units are kept in memory.
    #[error("after {plies} plies there are more than {most} positions, too many for units")]
    TooManyUnits {
        /// The number of plies, which may be less than the split.
        plies: u32,
        /// The largest number of units.
        most: usize,
    },
    /// A count by category to depth 1 has no units: categories depend on the last move, which must
    /// be in a unit.
    #[error("a count by category to depth 1 cannot be split into units")]
    CategoryDepth,
    /// Some position can be reached in 2^64 ways or more.
    #[error("a position can be reached in 2^64 ways or more: split after fewer plies")]
    Multiplicity,
    /// The watch cancelled the work before counting began.
    #[error("cancelled before counting began")]
    Cancelled,
    /// Another process uses the file.
    #[error("another process is working on the checkpoint")]
    InUse,
    /// The file exists, but is not a checkpoint.
    #[error("the file is not a checkpoint")]
    Foreign,
    /// The file was made by another version of the program, and has another format.
    #[error(
        "the checkpoint has format {found}, but this version reads formats {} and {}",
        super::header::FORMAT,
        super::header::CATEGORY_FORMAT
    )]
    Format {
        /// The format of the file.
        found: String,
    },
    /// The file belongs to another job.
    #[error("the checkpoint belongs to another job: its {what} is {found}, not {wanted}")]
    OtherJob {
        /// The part that differs.
        what: &'static str,
        /// The value in the file.
        found: String,
        /// The requested value.
        wanted: String,
    },
    /// The file is damaged.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(String),
    /// The job has no unit with this number.
    #[error("the job has no unit {0}")]
    NoUnit(u64),
    /// A unit was counted twice with different results. The first result has been removed from the
    /// checkpoint, and both results are kept as evidence. The next run counts the unit again.
    #[error(fmt = fmt_disputed)]
    Disputed {
        /// The number of the unit.
        unit: u64,
        /// The position of the unit.
        fen: String,
        /// The depth of the unit.
        depth: u32,
        /// The first category in which the results differ; `None` if the total numbers of leaf
        /// nodes differ.
        category: Option<Category>,
        /// The number in the first result.
        first: u64,
        /// The number in the second result.
        second: u64,
    },
    /// A result lacks categories in a job by category, or has them in another job.
    #[error(
        "the result of unit {unit} {}",
        if *by_category { "has no categories" } else { "has categories, but the job has none" }
    )]
    OtherKind {
        /// The number of the unit.
        unit: u64,
        /// Is the job by category?
        by_category: bool,
    },
    /// The job is by category, but the counter only counts leaf nodes.
    #[error("the counter {counter:?} does not count by category")]
    NoCategories {
        /// The name of the counter.
        counter: String,
    },
    /// The system does not start as many threads as the run wants.
    #[error("the system does not start so many threads ({0}): use fewer")]
    Threads(#[source] io::Error),
    /// A unit has too many leaf nodes for its result, which has 64 bits.
    #[error(
        "unit {unit} ({fen}, depth {depth}) has 2^64 leaf nodes or more: split after more plies"
    )]
    UnitTooLarge {
        /// The number of the unit.
        unit: u64,
        /// The position of the unit.
        fen: String,
        /// The depth of the unit.
        depth: u32,
    },
    /// The job has too many leaf nodes for the total, which has 128 bits.
    #[error("the total is 2^128 leaf nodes or more, but counts have at most 128 bits")]
    TotalTooLarge,
    /// The file of a new job cannot be written. It has been removed.
    #[error(fmt = fmt_create)]
    Create(#[source] io::Error),
    /// A result cannot be written during a run. The results written before are safe.
    #[error(fmt = fmt_write)]
    Write {
        /// The number of units that have a result in the file.
        done: u64,
        /// The error of the system.
        source: io::Error,
    },
    /// The [status](super::Checkpoint::status_path) cannot be written during a run, for example
    /// because the folder is read-only. The results written before are safe.
    #[error(fmt = fmt_status)]
    Status {
        /// The file of the status.
        path: PathBuf,
        /// The number of units that have a result in the checkpoint.
        done: u64,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process uses the file, and the [status](super::Checkpoint::status_path) that it should
    /// have published cannot be read.
    #[error(
        "another process is working on the checkpoint, and its status cannot be read from {}: \
         {source}",
        path.display()
    )]
    UnreadableStatus {
        /// The file of the status.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is no longer at its path, where the next run would look for it.
    #[error(
        "the checkpoint was moved, replaced or removed while it was open; what was counted ({done} \
         of {units} units) is in that file, if it still exists"
    )]
    Moved {
        /// The number of units that have a result in the file.
        done: u64,
        /// The number of units.
        units: u64,
    },
    /// The file cannot be read or written. Its contents are safe.
    #[error(fmt = fmt_io)]
    Io(#[from] io::Error),
    /// The store failed for another reason.
    #[error("the checkpoint's store failed: {0}")]
    Store(String),
}

fn fmt_disputed(
    unit: &u64,
    fen: &str,
    depth: &u32,
    category: &Option<Category>,
    first: &u64,
    second: &u64,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "unit {unit} ({fen}, depth {depth}) was counted twice and has {first} or {second} ")?;
    f.write_str("leaf nodes")?;
    if let Some(category) = category {
        write!(f, " in {}", category.key())?;
    }
    f.write_str(": the hardware or a counter is at fault")
}

fn fmt_create(error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_full(error) {
        return write!(f, "there is no room for a new checkpoint ({error}); nothing was written");
    }
    write!(f, "the checkpoint cannot be created: {error}")
}

fn fmt_write(done: &u64, error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_full(error) {
        write!(f, "there is no room left for the checkpoint ({error}); ")?;
    } else {
        write!(f, "the checkpoint cannot be written: {error}; ")?;
    }
    match done {
        0 => f.write_str("it contains no result yet"),
        1 => f.write_str("the result of 1 unit is safe in it"),
        _ => write!(f, "the results of {done} units are safe in it"),
    }
}

fn fmt_status(
    path: &Path,
    done: &u64,
    error: &io::Error,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let path = path.display();
    write!(
        f,
        "the checkpoint's status cannot be written to {path}: {error}; the checkpoint is safe"
    )?;
    match done {
        0 => f.write_str(" and contains no result yet"),
        1 => f.write_str(" with the result of 1 unit"),
        _ => write!(f, " with the results of {done} units"),
    }
}

fn fmt_io(error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_full(error) {
        return write!(f, "there is no room left for the checkpoint ({error})");
    }
    write!(f, "the checkpoint cannot be read or written: {error}")
}

impl CheckpointError {
    /// Converts the error to one that occurred while creating a new file.
    pub(super) fn in_creation(self) -> Self {
        match self {
            Self::Io(error) => Self::Create(error),
            other => other,
        }
    }

    /// Converts the error to one that occurred while writing a result, when the file has `done`
    /// results.
    pub(super) fn in_a_run(self, done: u64) -> Self {
        match self {
            Self::Io(source) => Self::Write { done, source },
            other => other,
        }
    }
}

/// All error kinds of the store convert to `redb::Error`.
impl From<redb::Error> for CheckpointError {
    fn from(error: redb::Error) -> Self {
        match error {
            // The store reads beyond the end of a file, or of a copy in memory.
            redb::Error::Io(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput
                ) =>
            {
                Self::Damaged("it is truncated".to_owned())
            }
            redb::Error::Io(error) => Self::Io(error),
            redb::Error::DatabaseAlreadyOpen => Self::InUse,
            redb::Error::Corrupted(how) => {
                Self::Damaged(format!("it is not what was written (its store says: {how})"))
            }
            redb::Error::UpgradeRequired(version) => {
                Self::Format { found: format!("of the store's version {version}") }
            }
            redb::Error::TableDoesNotExist(name) => {
                Self::Damaged(format!("it has no table {name:?}"))
            }
            redb::Error::TableTypeMismatch { table, .. } => {
                Self::Damaged(format!("its table {table:?} has the wrong columns"))
            }
            other => Self::Store(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported_with_what_is_safe() {
        let full = || CheckpointError::Io(io::ErrorKind::StorageFull.into());
        let text = full().in_creation().to_string();
        assert!(text.contains("no room for a new checkpoint"), "{text}");
        assert!(text.ends_with("; nothing was written"), "{text}");
        let text = full().in_a_run(0).to_string();
        assert!(text.contains("no room left"), "{text}");
        assert!(text.ends_with("; it contains no result yet"), "{text}");
        let text = full().in_a_run(1).to_string();
        assert!(text.ends_with("; the result of 1 unit is safe in it"), "{text}");
        let text = full().in_a_run(312).to_string();
        assert!(text.ends_with("; the results of 312 units are safe in it"), "{text}");
    }

    #[test]
    fn every_failed_write_is_reported_with_what_is_safe() {
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::FileTooLarge] {
            let text = CheckpointError::Io(kind.into()).in_a_run(7).to_string();
            assert!(text.ends_with("; the results of 7 units are safe in it"), "{text}");
        }
    }
}
