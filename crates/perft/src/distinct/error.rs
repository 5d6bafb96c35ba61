//! Why distinct positions cannot be counted or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabiya::packed::UnpackError;

use super::MIN_MEMORY;
use crate::disk::is_full;

/// Why distinct positions cannot be counted or written.
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
