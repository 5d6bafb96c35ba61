//! A file that the store of a checkpoint reads, but does not change.
//!
//! The store writes even when it only reads data: it marks the file as open, and if the previous
//! process was killed, it counts the free pages again. The few pages that it writes are kept in
//! memory here, in front of the file.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

/// The size of the pieces that are kept in memory.
const PIECE: usize = 4096;

#[derive(Debug)]
pub(super) struct ReadOnly {
    file: FileBackend,
    changes: Mutex<ChangesInMemory>,
}

#[derive(Debug)]
struct ChangesInMemory {
    /// The length of the part of the file that is still valid.
    of_file: u64,
    len: u64,
    /// The pieces that were written, by number.
    pieces: HashMap<u64, Box<[u8; PIECE]>>,
}

impl ReadOnly {
    /// Wraps a file that is open for reading.
    pub(super) fn new(file: File) -> Result<Self, redb::Error> {
        let file = FileBackend::new(file)?;
        let len = file.len()?;
        let changes = ChangesInMemory { of_file: len, len, pieces: HashMap::new() };
        Ok(Self { file, changes: Mutex::new(changes) })
    }

    fn changes(&self) -> MutexGuard<'_, ChangesInMemory> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a part of a piece of the file. Bytes past the end of the file are zero.
    fn read_file(&self, changes: &ChangesInMemory, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let left = changes.of_file.saturating_sub(offset);
        let len = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let (inside, outside) = out.split_at_mut(len);
        outside.fill(0);
        if inside.is_empty() { Ok(()) } else { self.file.read(offset, inside) }
    }
}

/// Splits a range of bytes at the boundaries of pieces. Yields the number of each piece, the place
/// in it where the part begins, and the part of the range that it has.
fn parts(offset: u64, len: usize) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = offset + done as u64;
        let begin = (at % PIECE as u64) as usize;
        let part = done..(done + PIECE - begin).min(len);
        done = part.end;
        (!part.is_empty()).then_some((at / PIECE as u64, begin, part))
    })
}

impl StorageBackend for ReadOnly {
    fn len(&self) -> io::Result<u64> {
        Ok(self.changes().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let changes = self.changes();
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > changes.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (number, begin, part) in parts(offset, out.len()) {
            let at = offset + part.start as u64;
            let out = &mut out[part];
            match changes.pieces.get(&number) {
                Some(piece) => out.copy_from_slice(&piece[begin..begin + out.len()]),
                None => self.read_file(&changes, at, out)?,
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut changes = self.changes();
        if len < changes.len {
            changes.of_file = changes.of_file.min(len);
            changes.pieces.retain(|number, _| number * (PIECE as u64) < len);
            if let Some(piece) = changes.pieces.get_mut(&(len / PIECE as u64)) {
                piece[(len % PIECE as u64) as usize..].fill(0);
            }
        }
        changes.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut changes = self.changes();
        changes.len = changes.len.max(offset + data.len() as u64);
        for (number, begin, part) in parts(offset, data.len()) {
            if !changes.pieces.contains_key(&number) {
                let mut piece = Box::new([0; PIECE]);
                self.read_file(&changes, number * PIECE as u64, &mut *piece)?;
                changes.pieces.insert(number, piece);
            }
            if let Some(piece) = changes.pieces.get_mut(&number) {
                piece[begin..begin + part.len()].copy_from_slice(&data[part]);
            }
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    // The store asks for exclusive locks. Others may read the file at the same time, so this takes
    // the locks of readers, which need only the permission to read.

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random changes, compared with a plain vector.
    #[test]
    fn changes_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let original: Vec<u8> = (0..20_000u32).map(|byte| (byte % 251) as u8).collect();
        std::fs::write(&path, &original).unwrap();
        let backend = ReadOnly::new(File::open(&path).unwrap()).unwrap();
        let mut expected = original.clone();
        let mut random = tabiya::SplitMix64::new(1);
        for step in 0..2000u32 {
            let offset = random.below(expected.len());
            match step % 16 {
                0 => {
                    let len = 1 + random.below(40_000);
                    backend.set_len(len as u64).unwrap();
                    expected.resize(len, 0);
                }
                1..8 => {
                    let data = vec![step as u8; random.below(9000)];
                    backend.write(offset as u64, &data).unwrap();
                    expected.resize(expected.len().max(offset + data.len()), 0);
                    expected[offset..offset + data.len()].copy_from_slice(&data);
                }
                _ => {
                    let mut found = vec![0; random.below(expected.len() - offset + 1)];
                    backend.read(offset as u64, &mut found).unwrap();
                    assert_eq!(found, expected[offset..offset + found.len()], "step {step}");
                }
            }
            assert_eq!(backend.len().unwrap(), expected.len() as u64);
        }
        assert!(backend.read(expected.len() as u64, &mut [0]).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), original);
    }
}
