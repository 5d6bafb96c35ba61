//! Why a long run cannot begin or go on.

use std::fmt;
use std::io;

/// Why a long run cannot begin or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A count of depth 0 has no units.
    Depth,
    /// The job cannot be cut after so many half-moves.
    Split {
        /// After how many it should be cut.
        split: u32,
        /// How many there are.
        depth: u32,
    },
    /// Some position can be reached in more than 2^64 ways.
    Multiplicity,
    /// Another process is at work on the file.
    InUse,
    /// The file exists, but is not a checkpoint.
    Foreign,
    /// The file has been made by another version of the program, with another format.
    Format {
        /// The format of the file.
        found: String,
    },
    /// The file belongs to another job.
    OtherJob {
        /// What is different.
        what: &'static str,
        /// What the file has.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// The file is damaged.
    Damaged(String),
    /// A unit that the job does not have.
    NoUnit(u64),
    /// A unit has been counted twice with different results. The first result has been taken
    /// out of the checkpoint and both are kept as evidence; going on counts the unit again.
    Disputed {
        /// The number of the unit.
        unit: u64,
        /// Its position.
        fen: String,
        /// Its depth.
        depth: u32,
        /// The first result.
        first: u64,
        /// The second result.
        second: u64,
    },
    /// The file cannot be read or written. What had been written down before is safe.
    Io(io::Error),
    /// The store cannot go on for another reason.
    Store(String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth => f.write_str("a count of depth 0 has no units to write down"),
            Self::Split { split, depth } => {
                write!(f, "a count of depth {depth} cannot be cut after {split} half-moves")
            }
            Self::Multiplicity => f.write_str(
                "a position can be reached in more than 2^64 ways: cut after fewer half-moves",
            ),
            Self::InUse => f.write_str("another process is at work on the checkpoint"),
            Self::Foreign => f.write_str("the file is not a checkpoint"),
            Self::Format { found } => write!(
                f,
                "the checkpoint has format {found}, this version reads format {}",
                super::FORMAT
            ),
            Self::OtherJob { what, found, wanted } => write!(
                f,
                "the checkpoint belongs to another job: its {what} is {found}, not {wanted}"
            ),
            Self::Damaged(how) => write!(f, "the checkpoint is damaged: {how}"),
            Self::NoUnit(unit) => write!(f, "the job has no unit {unit}"),
            Self::Disputed { unit, fen, depth, first, second } => write!(
                f,
                "unit {unit} ({fen}, depth {depth}) was counted twice, with {first} and {second} \
                 leaves: the hardware or a counter is at fault"
            ),
            Self::Io(error) if is_full(error) => write!(
                f,
                "there is no room left for the checkpoint ({error}); every unit written down \
                 before is safe: make room and go on"
            ),
            Self::Io(error) => write!(f, "the checkpoint cannot be read or written: {error}"),
            Self::Store(error) => write!(f, "the checkpoint's store failed: {error}"),
        }
    }
}

/// Is the disk, a quota or a limit to the size of files used up?
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

impl std::error::Error for CheckpointError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// All errors of the store come as one of these.
impl From<redb::Error> for CheckpointError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Io(error) => Self::Io(error),
            redb::Error::DatabaseAlreadyOpen => Self::InUse,
            redb::Error::Corrupted(how) => Self::Damaged(how),
            redb::Error::UpgradeRequired(version) => {
                Self::Format { found: format!("of the store's version {version}") }
            }
            redb::Error::TableDoesNotExist(name) => {
                Self::Damaged(format!("it has no table {name:?}"))
            }
            redb::Error::TableTypeMismatch { table, .. } => {
                Self::Damaged(format!("its table {table:?} holds something else"))
            }
            other => Self::Store(other.to_string()),
        }
    }
}

macro_rules! from_store {
    ($($error:ident),+) => {$(
        impl From<redb::$error> for CheckpointError {
            fn from(error: redb::$error) -> Self {
                redb::Error::from(error).into()
            }
        }
    )+};
}
from_store!(
    DatabaseError,
    StorageError,
    TableError,
    TransactionError,
    CommitError,
    SetDurabilityError
);
