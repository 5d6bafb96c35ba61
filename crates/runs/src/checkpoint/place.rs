//! The place of an open checkpoint: is the file at its path still the one that is open?
//!
//! A file can be moved, replaced or removed while it is open. Without this check, a run could write
//! results for days to a file that the next run does not find.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The path of a file, and which file was there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    path: PathBuf,
    identity: Option<Identity>,
}

impl Place {
    /// The place of the file that is at this path now. It stays the same if the program changes its
    /// working directory.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let path = std::path::absolute(path)?;
        let identity = look(&path)?;
        Ok(Self { path, identity })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Is the file still there? If that cannot be found out, the answer is yes: it may only be out
    /// of reach for a moment, such as on a network.
    pub(crate) fn is_kept(&self) -> bool {
        look(&self.path).map_or(true, |identity| identity == self.identity)
    }
}

/// The file at a path, if there is one.
fn look(path: &Path) -> io::Result<Option<Identity>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(Identity::of(&metadata))),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
            _ => Err(error),
        },
    }
}

/// What tells a file from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    device_and_number: (u64, u64),
}

impl Identity {
    #[cfg(unix)]
    fn of(metadata: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;

        Self { device_and_number: (metadata.dev(), metadata.ino()) }
    }

    /// Other systems do not let an open file be replaced.
    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Self {
        Self {}
    }
}
