//! A worker's counter: threads, a seed, and a table that all threads share.

use std::num::NonZeroUsize;
use std::time::Instant;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya::{PackedPosition, Position};
use tabiya_perft::CategoryCounter;
use tabiya_perft::table::{HashSize, Table, TableError};
use tabiya_perft::{CategoryTable, CountLeaves, Engine, Isa, MAX_DEPTH, Options, Seed, Watch};
use tabiya_runs::checkpoint::{CountCategories, ReferenceCounter, UnitCategories, UnitCounter};

use crate::classes;
use crate::threads::{self, Interrupt, ThreadsArg, Work};

/// The same limit as that of the command.
const MOST_THREADS: usize = 1024;

type Counter = Box<dyn UnitCounter + Send + Sync>;

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
    counter: Counter,
    threads: NonZeroUsize,
    /// Empty without a table.
    seed: String,
    by_category: bool,
}

#[pymethods]
impl PyUnitCounter {
    /// A counter with a seed of its own. ``threads=None`` means all CPUs that the process may use.
    /// A ``portable`` counter uses code that was compiled for no particular CPU.
    ///
    /// Raises ``MemoryError`` if the table does not fit.
    #[new]
    #[pyo3(signature = (*, threads=None, hash_mib=0, by_category=false, portable=false))]
    fn new(
        py: Python<'_>,
        threads: ThreadsArg,
        hash_mib: u64,
        by_category: bool,
        portable: bool,
    ) -> PyResult<Self> {
        let threads = number_of_threads(threads)?;
        let isa = if portable { Isa::Portable } else { Isa::best() };
        let options = Options { threads, isa };
        let seed = Seed::random().map_err(|error| PyOSError::new_err(error.to_string()))?;
        let size = HashSize::mebibytes(hash_mib);
        let counter = py.detach(|| -> Result<Counter, TableError> {
            Ok(match (by_category, hash_mib) {
                (false, 0) => Box::new(Engine::new(options)),
                (false, _) => Box::new(Engine::new(options).with_table(Table::new(size, seed)?)),
                (true, 0) => Box::new(CategoryCounter::default()),
                (true, _) => {
                    let table = CategoryTable::new(size, seed)?;
                    Box::new(CategoryCounter::default().with_table(table))
                }
            })
        });
        let counter = counter.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let seed = if hash_mib == 0 { String::new() } else { seed.to_string() };
        Ok(Self { counter, threads, seed, by_category })
    }

    /// A counter that plays every move but the last, without a table: slow, with code of its own.
    #[staticmethod]
    #[pyo3(signature = (*, threads=None, by_category=false))]
    fn walk(threads: ThreadsArg, by_category: bool) -> PyResult<Self> {
        let threads = number_of_threads(threads)?;
        let counter = Box::new(ReferenceCounter);
        Ok(Self { counter, threads, seed: String::new(), by_category })
    }

    /// The seed of the table as 64 hexadecimal digits; empty without a table.
    #[getter]
    fn seed(&self) -> &str {
        &self.seed
    }

    /// The number of units that it counts at a time.
    #[getter]
    fn threads(&self) -> usize {
        self.threads.get()
    }

    /// The method by which it counts.
    #[getter]
    fn name(&self) -> String {
        self.counter.name()
    }

    /// Counts units, each a position in 32 bytes and a depth. Returns for each the leaf nodes (by
    /// category, a tuple of them and of the numbers of all categories) and the elapsed time in
    /// microseconds. Other Python threads can run meanwhile, and Ctrl-C interrupts.
    ///
    /// Raises ``ValueError`` for bytes that are not a position, ``OverflowError`` for a count of
    /// 2^64 or more.
    fn count<'py>(
        &self,
        py: Python<'py>,
        units: Vec<(Vec<u8>, u32)>,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, u64)>> {
        let units = units.into_iter().map(unpack).collect::<PyResult<Vec<_>>>()?;
        let mut results = vec![None; units.len()];
        let interrupt = Interrupt::new();
        Work::on_long(units.len(), Some(self.threads.get() as i64))?.run_with(
            py,
            units.iter().zip(&mut results),
            &interrupt,
            || self.worker(&interrupt),
            |worker, ((position, depth), result)| {
                let begin = Instant::now();
                let count = worker.count(position, *depth);
                *result = Some((count, begin.elapsed().as_micros() as u64));
            },
        )?;
        let numbered = results.into_iter().zip(&units);
        numbered
            .map(|(result, (position, depth))| match result {
                Some((Some(Count::Nodes(nodes)), micros)) => {
                    Ok((nodes.into_pyobject(py)?.into_any(), micros))
                }
                Some((Some(Count::Categories(counts)), micros)) => {
                    Ok((PyTuple::new(py, counts)?.into_any(), micros))
                }
                _ => Err(PyOverflowError::new_err(format!(
                    "{} to depth {depth} has 2^64 leaf nodes or more: begin a new file with a \
                     larger split",
                    position.fen()
                ))),
            })
            .collect()
    }
}

impl PyUnitCounter {
    /// A counter for one thread.
    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Worker<'a> {
        match self.counter.category_worker(watch).filter(|_| self.by_category) {
            Some(worker) => Worker::Categories(worker),
            None => Worker::Nodes(self.counter.worker(watch)),
        }
    }
}

/// A counter for one thread.
enum Worker<'a> {
    Nodes(Box<dyn CountLeaves + 'a>),
    Categories(Box<dyn CountCategories + 'a>),
}

/// The counts of a unit.
#[derive(Clone)]
enum Count {
    Nodes(u64),
    /// The leaf nodes, and then those of each category.
    Categories(Vec<u64>),
}

impl Worker<'_> {
    /// `None` if a number has more than 64 bits, or if the count was cancelled.
    fn count(&mut self, position: &Position, depth: u32) -> Option<Count> {
        match self {
            Self::Nodes(worker) => {
                worker.count(position, depth).ok()?.try_into().ok().map(Count::Nodes)
            }
            Self::Categories(worker) => {
                let found = worker.count(position, depth).ok()?;
                let mut counts = vec![found.nodes.try_into().ok()?];
                counts.extend(UnitCategories::of(&found)?.counts());
                Some(Count::Categories(counts))
            }
        }
    }
}

/// All CPUs that the process may use, unless a number is given.
fn number_of_threads(threads: ThreadsArg) -> PyResult<NonZeroUsize> {
    let threads = threads::wanted(threads)?;
    NonZeroUsize::new(threads).filter(|threads| threads.get() <= MOST_THREADS).ok_or_else(|| {
        PyValueError::new_err(format!("threads: expected 1 to {MOST_THREADS}, not {threads}"))
    })
}

fn unpack((bytes, depth): (Vec<u8>, u32)) -> PyResult<(Position, u32)> {
    if depth > MAX_DEPTH {
        let text = format!("expected a depth from 0 to {MAX_DEPTH}, not {depth}");
        return Err(PyValueError::new_err(text));
    }
    let bytes = bytes.try_into().map_err(|bytes: Vec<u8>| {
        PyValueError::new_err(format!("a packed position has 32 bytes, not {}", bytes.len()))
    })?;
    let position = PackedPosition::from_bytes(bytes).unpack();
    position.map(|it| (it, depth)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The available memory of this machine in bytes; ``None`` if it is not known.
#[pyfunction]
fn available_memory() -> Option<u64> {
    tabiya_perft::internal::available_memory()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(available_memory, module)?)?;
    classes::add::<PyUnitCounter>(module)
}
