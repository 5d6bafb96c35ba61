//! Errors of counting or writing distinct positions.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabiya::packed::UnpackError;

use super::{DistinctTotal, MIN_MEMORY};
use crate::output_file::is_full;

/// An error of counting or writing distinct positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DistinctError {
    /// The memory limit is less than [`MIN_MEMORY`].
    #[error(
        "a memory limit of {} KiB is too small: at least {} MiB are needed",
        granted >> 10,
        MIN_MEMORY >> 20
    )]
    TooLittleMemory {
        /// The limit, in bytes.
        granted: u64,
    },
    /// The system has less memory than the limit allows.
    #[error("the system has less memory than the limit allows")]
    OutOfMemory,
    /// No temporary file can be created.
    #[error("temporary files cannot be created in {}: {source}", dir.display())]
    TemporaryDirectory {
        /// The directory.
        dir: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A temporary file cannot be written or read back.
    #[error(fmt = fmt_temporary)]
    Temporary {
        /// The directory.
        dir: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The result cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(#[source] io::Error),
    /// Some position can be reached in 2^64 ways or more.
    #[error("a position can be reached in 2^64 ways or more")]
    Multiplicity,
    /// A stored record is not a position.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The system gives no random seed.
    #[error("cannot get a random seed: {0}")]
    Seed(#[source] io::Error),
    /// The positions of a ply were visited again, and they are not the ones that were counted. The
    /// memory or a file is damaged, or another version, which orders moves differently, wrote the
    /// checkpoint.
    #[error("the positions after {ply} plies differ from the first count")]
    Corrupt {
        /// The ply.
        ply: u32,
    },
    /// The checkpoint cannot be read or written.
    #[error(fmt = fmt_checkpoint)]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process uses the checkpoint.
    #[error("{}: another process is working on the checkpoint", path.display())]
    CheckpointInUse {
        /// The file.
        path: PathBuf,
    },
    /// The file exists, but is not a checkpoint of a count of distinct positions.
    #[error("{}: the file is not a checkpoint of distinct positions", path.display())]
    ForeignCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint belongs to another count.
    #[error(
        "{}: the checkpoint belongs to another count: its {what} is {found}, not {wanted}",
        path.display()
    )]
    OtherCheckpoint {
        /// The file.
        path: PathBuf,
        /// The part that differs.
        what: &'static str,
        /// The value in the file.
        found: String,
        /// The requested value.
        wanted: String,
    },
    /// The checkpoint is no longer at its path, where the next run would look for it.
    #[error("{}: the checkpoint was moved, replaced or removed while it was open", path.display())]
    MovedCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is damaged.
    #[error("{}: the checkpoint is damaged", path.display())]
    DamagedCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The count cannot go on. What it has found is known.
    #[error("{error}")]
    Stopped {
        /// The reason: [`OutOfMemory`](Self::OutOfMemory), [`Temporary`](Self::Temporary),
        /// [`TemporaryDirectory`](Self::TemporaryDirectory), [`Checkpoint`](Self::Checkpoint) or
        /// [`MovedCheckpoint`](Self::MovedCheckpoint).
        error: Box<Self>,
        /// What was counted so far.
        known: Box<DistinctTotal>,
    },
    /// The watch cancelled the work.
    #[error("cancelled")]
    Cancelled,
}

fn fmt_temporary(dir: &Path, error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let dir = dir.display();
    if is_full(error) {
        return write!(f, "there is no room left for the temporary files in {dir} ({error})");
    }
    write!(f, "the temporary files in {dir} cannot be written or read: {error}")
}

fn fmt_checkpoint(path: &Path, error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let path = path.display();
    if is_full(error) {
        return write!(f, "{path}: there is no room left for the checkpoint ({error})");
    }
    write!(f, "{path}: the checkpoint cannot be read or written: {error}")
}
