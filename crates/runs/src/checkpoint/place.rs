//! The place of an open checkpoint: does its path still lead to the file that is open?
//!
//! A file can be moved, replaced or removed while it is open. Without this check, a run could write
//! results for days to a file that the next run cannot find.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// The path of an open file, and which file it is.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    identity: Identity,
}

/// The device and the number of a file. Systems other than Unix don't let an open file be replaced.
type Identity = Option<(u64, u64)>;

impl Place {
    /// The place of an open file, which was opened at this path.
    pub(crate) fn of(path: &Path, file: &File) -> io::Result<Self> {
        // The working directory may change.
        Ok(Self { path: std::path::absolute(path)?, identity: identity(&file.metadata()?) })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Is the file still there? Only an answer of the system counts as a no: a network may be out of
    /// reach for a moment.
    pub(crate) fn is_kept(&self) -> bool {
        match fs::metadata(&self.path) {
            Ok(found) => identity(&found) == self.identity,
            Err(error) => {
                !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
            }
        }
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;

    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {
    None
}
