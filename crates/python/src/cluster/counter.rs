//! A worker's counter: threads, a seed, and a table that all threads share.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use tabiya::{PackedPosition, Position};
use tabiya_perft::checkpoint::{ReferenceCounter, UnitCounter};
use tabiya_perft::table::{HashSize, Table, TableError};
use tabiya_perft::{Engine, Isa, NoCount, Options, Seed, Watch};

/// How often the calling thread asks whether Ctrl-C was pressed.
const CHECK_EVERY: Duration = Duration::from_millis(40);

/// A counter of units for a worker. Its threads share one table, which it keeps from call to call.
///
/// >>> import tabiya
/// >>> from tabiya._tabiya import UnitCounter
/// >>> counter = UnitCounter(threads=2, hash_mib=16)
/// >>> [(count, micros)] = counter.count([(tabiya.Position().packed(), 5)])
/// >>> count
/// 4865609
/// >>> len(counter.seed)
/// 64
#[pyclass(name = "UnitCounter", module = "tabiya._tabiya", frozen)]
pub(crate) struct PyUnitCounter {
    counter: Box<dyn UnitCounter + Send + Sync>,
    threads: NonZeroUsize,
    /// Empty if it has no table.
    seed: String,
}

#[pymethods]
impl PyUnitCounter {
    /// A counter with a seed of its own. ``threads=None`` means all CPUs that the process may use. A
    /// ``portable`` counter uses code that was compiled for no particular CPU.
    ///
    /// Raises ``MemoryError`` if the table does not fit.
    #[new]
    #[pyo3(signature = (*, threads=None, hash_mib=0, by_category=false, portable=false))]
    fn new(
        py: Python<'_>,
        threads: Option<usize>,
        hash_mib: u64,
        by_category: bool,
        portable: bool,
    ) -> PyResult<Self> {
        let threads = number_of_threads(threads)?;
        let isa = if portable { Isa::Portable } else { Isa::best() };
        let options = Options { threads, isa };
        let seed = Seed::random().map_err(|error| PyOSError::new_err(error.to_string()))?;
        let _ = by_category;
        let engine = Engine::new(options);
        if hash_mib == 0 {
            return Ok(Self { counter: Box::new(engine), threads, seed: String::new() });
        }
        let table =
            py.detach(|| Table::new(HashSize::mebibytes(hash_mib), seed)).map_err(no_table)?;
        let counter = Box::new(engine.with_table(table));
        Ok(Self { counter, threads, seed: seed.to_string() })
    }

    /// A counter that makes every move but the last, without a table: slow, and by other code.
    #[staticmethod]
    #[pyo3(signature = (*, threads=None, by_category=false))]
    fn walk(threads: Option<usize>, by_category: bool) -> PyResult<Self> {
        let _ = by_category;
        let threads = number_of_threads(threads)?;
        Ok(Self { counter: Box::new(ReferenceCounter), threads, seed: String::new() })
    }

    /// The seed of the table as 64 hexadecimal digits; empty without a table.
    #[getter]
    fn seed(&self) -> &str {
        &self.seed
    }

    /// How it counts.
    #[getter]
    fn name(&self) -> String {
        self.counter.name()
    }

    /// Counts units, each a position in 32 bytes and a depth. Returns for each the leaf nodes and the
    /// elapsed time in microseconds. The interpreter is free meanwhile, and Ctrl-C is obeyed.
    ///
    /// Raises ``ValueError`` for bytes that are no position, ``OverflowError`` for a count of 2^64 or
    /// more.
    fn count(&self, py: Python<'_>, units: Vec<(Vec<u8>, u32)>) -> PyResult<Vec<(u64, u64)>> {
        let units = units.into_iter().map(unpack).collect::<PyResult<Vec<_>>>()?;
        let run = Run::new(units);
        let finished = py.detach(|| {
            thread::scope(|scope| {
                for _ in 0..self.threads.get().min(run.units.len()) {
                    scope.spawn(|| run.work(&*self.counter));
                }
                let waited = run.wait();
                if waited.is_err() {
                    run.cancelled.store(true, Ordering::Relaxed);
                }
                waited
            })
        });
        finished?;
        let results = run.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let numbered = results.counts.into_iter().zip(&run.units);
        numbered.map(|(count, (position, depth))| match count {
            Some((Ok(nodes), micros)) => Ok((nodes, micros)),
            _ => Err(PyOverflowError::new_err(format!(
                "{} to depth {depth} has 2^64 leaf nodes or more: begin a new file with a larger split",
                position.fen()
            ))),
        })
        .collect()
    }
}

/// All CPUs that the process may use, unless a number is given.
fn number_of_threads(threads: Option<usize>) -> PyResult<NonZeroUsize> {
    let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match threads.map(NonZeroUsize::new) {
        None => Ok(available()),
        Some(Some(threads)) => Ok(threads),
        Some(None) => Err(PyValueError::new_err("threads must be at least 1, or None")),
    }
}

fn no_table(error: TableError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

fn unpack((bytes, depth): (Vec<u8>, u32)) -> PyResult<(Position, u32)> {
    let bytes = bytes.try_into().map_err(|bytes: Vec<u8>| {
        PyValueError::new_err(format!("a packed position has 32 bytes, not {}", bytes.len()))
    })?;
    let position = PackedPosition::from_bytes(bytes).unpack();
    position.map(|it| (it, depth)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The units of a call, shared by its threads.
struct Run {
    units: Vec<(Position, u32)>,
    next: AtomicUsize,
    cancelled: AtomicBool,
    results: Mutex<Results>,
    changed: Condvar,
}

struct Results {
    /// The count and the microseconds of each unit.
    counts: Vec<Option<(Result<u64, ()>, u64)>>,
    left: usize,
}

impl Watch for Run {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Run {
    fn new(units: Vec<(Position, u32)>) -> Self {
        let results = Results { counts: vec![None; units.len()], left: units.len() };
        Self {
            units,
            next: AtomicUsize::new(0),
            cancelled: AtomicBool::new(false),
            results: Mutex::new(results),
            changed: Condvar::new(),
        }
    }

    /// A thread: counts one unit after the other.
    fn work(&self, counter: &(dyn UnitCounter + Send + Sync)) {
        let mut worker = counter.worker(self);
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((position, depth)) = self.units.get(index) else { return };
            let begin = Instant::now();
            let count = match worker.count(position, *depth) {
                Ok(nodes) => u64::try_from(nodes).map_err(|_| ()),
                Err(NoCount::Cancelled) => return,
                Err(NoCount::Overflow) => Err(()),
            };
            let micros = begin.elapsed().as_micros() as u64;
            let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            results.counts[index] = Some((count, micros));
            results.left -= 1;
            if results.left == 0 {
                self.changed.notify_all();
            }
        }
    }

    /// Waits for the results, or for Ctrl-C.
    fn wait(&self) -> PyResult<()> {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        while results.left > 0 {
            let waited = self.changed.wait_timeout(results, CHECK_EVERY);
            results = waited.unwrap_or_else(PoisonError::into_inner).0;
            drop(results);
            Python::attach(|py| py.check_signals())?;
            results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyUnitCounter>()
}
