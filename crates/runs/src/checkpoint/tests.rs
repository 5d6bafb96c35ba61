//! Tests of the store on a disk that loses power or is full.

use std::fs::{self, File};
use std::io;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};
use tabiya::Position;

use super::place::Place;
use super::store::Store;
use super::{Checkpoint, CheckpointError, Job, Ledger, LedgerOptions, RunOptions, UnitResult};
use tabiya_perft::CountLeaves;
use tabiya_perft::Watch;

/// A disk: the contents that are safe, and the writes since the last sync.
#[derive(Debug, Default)]
struct Disk {
    safe: Vec<u8>,
    now: Vec<u8>,
    /// Writes since the last sync: offset and bytes. `None` stands for a change of length.
    unsafe_writes: Vec<(u64, Option<Vec<u8>>)>,
    /// The number of writes that work before the power fails.
    writes_left: Option<u64>,
    /// The number of bytes that the disk has.
    room: Option<u64>,
    syncs: u64,
}

#[derive(Clone, Debug, Default)]
struct Handle(Arc<Mutex<Disk>>);

impl Disk {
    fn spend(&mut self) -> io::Result<()> {
        match &mut self.writes_left {
            Some(0) => Err(io::Error::other("the power has failed")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn apply(bytes: &mut Vec<u8>, offset: u64, data: Option<&[u8]>) {
        let offset = offset as usize;
        match data {
            None => bytes.resize(offset, 0),
            Some(data) => {
                let end = offset + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[offset..end].copy_from_slice(data);
            }
        }
    }

    /// The contents of the disk after a power failure: any of the writes since the last sync, some
    /// of them in part.
    fn after_power_failure(&self, rng: &mut ChaCha8Rng) -> Vec<u8> {
        let mut bytes = self.safe.clone();
        for (offset, data) in &self.unsafe_writes {
            let chance = rng.next_u32() % 3;
            let data = data.as_deref();
            match (chance, data) {
                (0, _) => {}
                (1, Some(data)) => {
                    let part = rng.next_u32() as usize % (data.len() + 1);
                    Self::apply(&mut bytes, *offset, Some(&data[..part]));
                }
                _ => Self::apply(&mut bytes, *offset, data),
            }
        }
        bytes
    }
}

impl StorageBackend for Handle {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let disk = self.0.lock().unwrap();
        let offset = offset as usize;
        let part = disk.now.get(offset..offset + out.len());
        out.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        disk.spend()?;
        if disk.room.is_some_and(|room| len > room) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Disk::apply(&mut disk.now, len, None);
        disk.unsafe_writes.push((len, None));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        disk.spend()?;
        disk.syncs += 1;
        disk.safe = disk.now.clone();
        disk.unsafe_writes.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        disk.spend()?;
        Disk::apply(&mut disk.now, offset, Some(data));
        disk.unsafe_writes.push((offset, Some(data.to_vec())));
        Ok(())
    }
}

impl Handle {
    fn with(bytes: Vec<u8>) -> Self {
        let disk = Disk { safe: bytes.clone(), now: bytes, ..Disk::default() };
        Self(Arc::new(Mutex::new(disk)))
    }
}

fn checkpoint(store: Store, folder: &tempfile::TempDir) -> Checkpoint {
    let path = folder.path().join("run");
    let file = File::create(&path).expect("the folder can be written to");
    Checkpoint { store, place: Place::of(&path, &file).expect("the file can be read") }
}

fn job() -> Job {
    Job::new(Position::START, 4).unwrap().with_split(2).unwrap()
}

/// Each result is written by itself, as results of large units are.
fn at_once() -> RunOptions<'static> {
    RunOptions { write_every: Duration::ZERO, ..RunOptions::default() }
}

/// A disk needs milliseconds for a sync, but counting a tiny unit takes less.
#[test]
fn results_of_tiny_units_are_written_together() {
    let folder = tempfile::tempdir().unwrap();
    let syncs = |write_every| {
        let disk = Handle::default();
        let run = checkpoint(Store::on(disk.clone(), Some(&job())).unwrap(), &folder);
        let before = disk.0.lock().unwrap().syncs;
        let options = RunOptions { write_every, verify_share: 0.5, ..RunOptions::default() };
        let status = run.run(&options, &()).unwrap();
        assert_eq!((status.total(), status.done), (Some(197_281), 400));
        assert!(status.verified > 150, "{}", status.verified);
        let syncs = disk.0.lock().unwrap().syncs;
        syncs - before
    };
    // With an hour between writes there are three: the first result, the other first results, and
    // the verifications.
    let (few, many) = (syncs(Duration::from_secs(3600)), syncs(Duration::ZERO));
    assert!(few < 20 && many > 550, "{few}, {many}");
}

/// Results that wait for the next write are lost, and their units are counted again.
#[test]
fn a_power_failure_with_results_that_wait_leaves_the_right_total() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let first = Handle::default();
    drop(Store::on(first.clone(), Some(&job())).unwrap());
    for writes in 0..60 {
        let mut bytes = first.0.lock().unwrap().now.clone();
        for writes in [Some(writes), None] {
            let disk = Handle::with(bytes);
            let store = Store::on(disk.clone(), None).expect("a power failure damages nothing");
            let run = checkpoint(store, &folder);
            disk.0.lock().unwrap().writes_left = writes;
            let write_every = Duration::from_secs(3600);
            let outcome = run.run(&RunOptions { write_every, ..RunOptions::default() }, &());
            if writes.is_none() {
                assert_eq!(outcome.unwrap().total(), Some(197_281));
            }
            bytes = disk.0.lock().unwrap().after_power_failure(&mut rng);
        }
    }
}

/// The power fails at any moment, with any part of the last writes on the disk.
#[test]
fn a_power_failure_loses_no_written_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let first = Handle::default();
    drop(Store::on(first.clone(), Some(&job())).unwrap());
    let mut failures = 0;
    for _ in 0..6 {
        let mut bytes = first.0.lock().unwrap().now.clone();
        let mut known = 0;
        loop {
            let disk = Handle::with(bytes);
            let store = Store::on(disk.clone(), None).expect("a power failure damages nothing");
            let run = checkpoint(store, &folder);
            let done = run.status().unwrap().done;
            assert!(done >= known, "{done} results are left of {known}");
            disk.0.lock().unwrap().writes_left = Some(u64::from(rng.next_u32() % 600));
            let outcome = run.run(&at_once(), &());
            if let Ok(status) = outcome {
                assert_eq!(status.total(), Some(197_281));
                break;
            }
            // Only results on the disk can be read.
            known = run.status().map_or(known, |status| status.done);
            bytes = disk.0.lock().unwrap().after_power_failure(&mut rng);
            failures += 1;
        }
    }
    assert!(failures > 12, "only {failures} power failures");
}

#[test]
fn a_full_disk_stops_the_run_and_loses_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Handle::default();
    drop(Store::on(disk.clone(), Some(&job())).unwrap());
    let run = checkpoint(Store::on(disk.clone(), None).unwrap(), &folder);
    {
        let mut disk = disk.0.lock().unwrap();
        disk.room = Some(disk.now.len() as u64);
    }
    let name = "a counter with a name so long that the results soon fill the disk ".repeat(400);
    struct LongName(String);
    impl super::UnitCounter for LongName {
        fn name(&self) -> String {
            self.0.clone()
        }
        fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
            super::ReferenceCounter.worker(watch)
        }
    }
    let long_name = RunOptions { counter: &LongName(name), ..at_once() };
    let error = run.run(&long_name, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Write { done: 1.., .. }), "{error:?}");
    let CheckpointError::Write { done: safe, .. } = error else { panic!("{error:?}") };
    assert!(error.to_string().contains("no room left"), "{error}");
    drop(run);
    disk.0.lock().unwrap().room = None;
    let run = checkpoint(Store::on(disk, None).unwrap(), &folder);
    let done = run.status().unwrap().done;
    assert!(0 < done && done < 400, "{done}");
    assert_eq!(done, safe, "the message was true");
    assert_eq!(run.run(&RunOptions::default(), &()).unwrap().total(), Some(197_281));
}

/// A file on a disk that is full: data can be written, but not the sync.
#[derive(Debug)]
struct Full {
    file: FileBackend,
    is_full: Arc<AtomicBool>,
}

impl StorageBackend for Full {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.is_full.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }
}

/// A write that fails has changed the file all the same.
#[test]
fn a_file_on_a_full_disk_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &job(), &()).unwrap());
    let file = File::options().read(true).write(true).open(&path).unwrap();
    let is_full = Arc::new(AtomicBool::new(false));
    let place = Place::of(&path, &file).unwrap();
    let file = FileBackend::new(file).unwrap();
    let store = Store::on(Full { file, is_full: Arc::clone(&is_full) }, None).unwrap();
    let run = Checkpoint { store, place };
    let before = fs::read(&path).unwrap();
    is_full.store(true, Ordering::Relaxed);
    let unit = run.unit(0).unwrap();
    let nodes = tabiya_perft::reference_perft(&unit.position, unit.depth);
    let result = UnitResult { nodes, micros: 1, counter: "a".to_owned(), categories: None };
    assert!(matches!(run.record_results(&[(0, result)]), Err(CheckpointError::Io(_))));
    assert!(fs::read(&path).unwrap() != before, "the write has changed the file");
    drop(run);
    let run = Checkpoint::open(&path).unwrap();
    assert_eq!(run.run(&RunOptions::default(), &()).unwrap().total(), Some(197_281));
}

/// First counts and verifications of one call are written together or not at all.
#[test]
fn a_record_that_fails_records_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Handle::default();
    drop(Store::on(disk.clone(), Some(&job())).unwrap());
    let intact = disk.0.lock().unwrap().now.clone();
    let mut failures = 0;
    for writes in 0.. {
        let disk = Handle::with(intact.clone());
        let run = checkpoint(Store::on(disk.clone(), None).unwrap(), &folder);
        let options = LedgerOptions { verify_share: 1.0, workers: 1 };
        let mut ledger = Ledger::new(&run, &options).unwrap();
        let count = |ledger: &mut Ledger<_>| {
            let task = ledger.next_task().unwrap();
            let unit = run.unit(task.unit()).unwrap();
            let nodes = tabiya_perft::reference_perft(&unit.position, unit.depth);
            (
                task,
                UnitResult { nodes, micros: 1, counter: "reference".to_owned(), categories: None },
            )
        };
        let first = count(&mut ledger);
        ledger.record(vec![first]).unwrap();
        let batch = vec![count(&mut ledger), count(&mut ledger)];
        assert_eq!([batch[0].0.unit(), batch[1].0.unit()], [0, 1]);
        disk.0.lock().unwrap().writes_left = Some(writes);
        let outcome = ledger.record(batch);
        let (done, verified) = (ledger.status().done, ledger.status().verified);
        let left = disk.0.lock().unwrap().safe.clone();
        let again = checkpoint(Store::on(Handle::with(left), None).unwrap(), &folder);
        let found = again.status().unwrap();
        match outcome {
            Ok(()) => {
                assert_eq!((done, verified), (2, 1));
                assert_eq!((found.done, found.verified), (2, 1));
                break;
            }
            Err(CheckpointError::Write { done: 1, .. }) => {
                failures += 1;
                assert_eq!((done, verified), (1, 0));
                let both = (found.done, found.verified);
                // The last write before the failure may have been the one that commits the results.
                assert!(both == (1, 0) || both == (2, 1), "{both:?} after {writes} writes");
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(failures > 3, "{failures}");
}
