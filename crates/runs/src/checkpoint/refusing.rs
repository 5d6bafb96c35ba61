//! Storage that no longer accepts changes once somebody else has written to the file, and that
//! notices if somebody does so during a write.

use std::io;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use redb::{BackendError, StorageBackend};

/// Storage of a database that refuses all changes once its flag is set. The database can then be
/// closed, which unlocks the file, and the file stays as it is.
#[derive(Debug)]
pub(super) struct Refusing<B> {
    storage: B,
    refuses: Arc<AtomicBool>,
    /// The length that the database has given to the storage.
    len: AtomicU64,
}

impl<B: StorageBackend> Refusing<B> {
    pub(super) fn new(storage: B, refuses: Arc<AtomicBool>) -> io::Result<Self> {
        let len = AtomicU64::new(storage.len()?);
        Ok(Self { storage, refuses, len })
    }

    fn expect_accepting(&self) -> io::Result<()> {
        if self.refuses.load(Ordering::SeqCst) {
            return Err(io::Error::other("somebody else has written to the file"));
        }
        Ok(())
    }
}

impl<B: StorageBackend> StorageBackend for Refusing<B> {
    fn len(&self) -> io::Result<u64> {
        self.storage.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.storage.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.expect_accepting()?;
        self.storage.set_len(len)?;
        self.len.store(len, Ordering::SeqCst);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.expect_accepting()?;
        self.storage.sync_data()?;
        // This takes long on a busy disk. If somebody has overwritten the file meanwhile, what is in
        // it now must not be taken for the work of this process.
        if self.storage.len()? != self.len.load(Ordering::SeqCst) {
            self.refuses.store(true, Ordering::SeqCst);
        }
        self.expect_accepting()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.expect_accepting()?;
        self.storage.write(offset, data)?;
        self.len.fetch_max(offset + data.len() as u64, Ordering::SeqCst);
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.storage.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.storage.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.storage.try_lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.unlock_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.lock_shared_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.storage.query_lock_range(start, end)
    }
}
