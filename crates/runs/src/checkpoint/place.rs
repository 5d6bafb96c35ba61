//! The place of an open checkpoint: is the file at its path still the one that is open?
//!
//! A file can be moved, replaced or removed while it is open, or overwritten, as by `cp`. Without
//! these checks, a run could write results for days to a file that the next run cannot use.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The path of an open file, which file it is, and how this process has left it.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    identity: Identity,
    /// `None` if that is not known.
    written: Mutex<Option<Beginning>>,
}

impl Place {
    /// The place of an open file, which was found at this path. It stays the same if the program
    /// changes its working directory.
    ///
    /// The identity is that of the open file, because the path may have another file by now.
    pub(crate) fn of(path: &Path, file: &File) -> io::Result<Self> {
        let path = std::path::absolute(path)?;
        let identity = Identity::of(&file.metadata()?);
        Ok(Self { path, identity, written: Mutex::new(None) })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Is the file still there? If that cannot be found out, the answer is yes: it may only be out
    /// of reach for a moment, such as on a network.
    pub(crate) fn is_kept(&self) -> bool {
        look(&self.path).map_or(true, |found| found == Some(self.identity))
    }

    /// Notes how the file begins now that this process has written to it.
    pub(crate) fn note_write(&self) {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = self.beginning();
    }

    /// Notes that this process has appended to the file, which should have this length now. How it
    /// begins is not noted again: that is as before, unless somebody else has written to it.
    pub(crate) fn note_append(&self, len: u64) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(written) = &mut *written {
            written.len = len;
        }
    }

    /// Has anybody else written to the file since the last note? Then it is damaged, or another
    /// checkpoint.
    pub(crate) fn is_overwritten(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*written, self.beginning()) {
            (Some(written), Some(found)) => {
                !found.bytes.starts_with(&written.bytes) || found.len != written.len
            }
            _ => false,
        }
    }

    /// The beginning of the file, if it is still there and can be read.
    fn beginning(&self) -> Option<Beginning> {
        // If there is a pipe now, opening it would wait for a writer.
        if look(&self.path).ok()? != Some(self.identity) {
            return None;
        }
        let file = File::open(&self.path).ok()?;
        let metadata = file.metadata().ok()?;
        if self.identity != Identity::of(&metadata) {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(Beginning::BYTES).read_to_end(&mut bytes).ok()?;
        Some(Beginning { bytes, len: metadata.len() })
    }
}

/// The beginning of a file and its length. The database changes its first page in each transaction.
#[derive(Debug)]
struct Beginning {
    bytes: Vec<u8>,
    len: u64,
}

impl Beginning {
    const BYTES: u64 = 512;
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

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;

    use super::*;

    /// Whatever others do while this process appends to the file is not its own work.
    #[test]
    fn a_file_that_is_overwritten_during_an_append_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let others: [fn(&mut File); 3] = [
            |_| (),
            |file| file.set_len(0).unwrap(),
            |file| {
                file.set_len(0).unwrap();
                file.set_len(8).unwrap();
            },
        ];
        for (number, others) in others.into_iter().enumerate() {
            let mut file = File::create(&path).unwrap();
            let place = Place::of(&path, &file).unwrap();
            file.write_all(b"head").unwrap();
            place.note_write();
            file.write_all(b"tail").unwrap();
            assert!(place.is_overwritten(), "the append has not been noted");
            others(&mut file);
            place.note_append(8);
            assert_eq!(place.is_overwritten(), number > 0);
        }
    }
}
