//! The job of a cluster: a checkpoint file, the units that are left, and the results that come in.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::mem;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use tabiya::PackedPosition;
use tabiya_perft::{Category, Convention, MAX_DEPTH};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Job, Ledger, LedgerOptions, Status, StatusReport, Task,
    UnitCategories, UnitResult,
};

use crate::classes;
use crate::errors::raise;
use crate::position;
use crate::threads::Interrupt;

/// A unit to hand out: number, position in 32 bytes, depth, and for a verification the counter and
/// the leaf nodes of the first count.
type HandedOut<'py> = (u64, Bound<'py, PyBytes>, u32, Option<(String, u64)>);

/// A result that comes in: number, flag of a verification, counts, microseconds, counter.
type Incoming = (u64, bool, Counts, u64, String);

/// The counts of a unit.
#[derive(FromPyObject)]
enum Counts {
    Nodes(u64),
    /// The leaf nodes, and then those of each category.
    Categories(Vec<u64>),
}

impl Counts {
    /// The result of a unit; `None` if there are too many or too few numbers.
    fn result(self, micros: u64, counter: String) -> Option<UnitResult> {
        match self {
            Self::Nodes(nodes) => Some(UnitResult { nodes, micros, counter, categories: None }),
            Self::Categories(counts) => {
                let (&nodes, rest) = counts.split_first()?;
                let categories = Some(UnitCategories::new(rest.try_into().ok()?));
                Some(UnitResult { nodes, micros, counter, categories })
            }
        }
    }
}

/// A job in a file, open for the coordinator of a cluster. No other process can open it meanwhile;
/// ``tabiya status`` reads the status file that ``publish`` writes to the same folder.
///
/// The file is created if it does not exist. Splitting a deep job into units may take minutes;
/// Ctrl-C stops it and leaves no file.
///
/// The job belongs to the process that opened it. In a process that is forked from it, every use
/// raises ``RuntimeError``, and the file stays in use until both processes have ended.
///
/// Raises ``CheckpointError``, ``FenError`` if the text is not the FEN of a playable position, and
/// ``ValueError`` for a depth or a split of more than 255 plies.
///
/// >>> import tempfile
/// >>> from tabiya.cluster import Job
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     job = Job(f"{folder}/start-4.tabiya", 4, split=1)
/// ...     taken = job.take(30)
/// ...     job.close()
/// >>> len(taken), job.units
/// (20, 20)
#[pyclass(name = "Job", module = "tabiya._tabiya", frozen)]
pub(crate) struct PyJob {
    path: PathBuf,
    state: Arc<Mutex<State>>,
    /// The process that opened the file.
    process: u32,
}

enum State {
    Open(Box<Open>),
    /// The progress of the job when it was closed.
    Closed(Box<Status>),
}

/// The state of an open job.
struct Open {
    ledger: Ledger<Arc<Checkpoint>>,
    /// The tasks that were handed out, by unit and flag of a verification.
    taken: HashMap<(u64, bool), Task>,
}

#[pymethods]
impl PyJob {
    #[new]
    #[pyo3(signature = (
        path, depth, *, fen=None, chess960=false, by_category=false, split=None, verify_share=0.001,
    ))]
    #[allow(clippy::too_many_arguments, reason = "Python's keyword arguments")]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        depth: i64,
        fen: Option<&str>,
        chess960: bool,
        by_category: bool,
        split: Option<i64>,
        verify_share: f64,
    ) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&verify_share) {
            return Err(PyValueError::new_err("verify_share is from 0 to 1"));
        }
        for (name, plies) in [("depth", Some(depth)), ("split", split)] {
            if plies.is_some_and(|plies| !(1..=i64::from(MAX_DEPTH)).contains(&plies)) {
                let text = format!("{name}: expected 1 to {MAX_DEPTH} plies");
                return Err(PyValueError::new_err(text));
            }
        }
        let (depth, split) = (depth as u32, split.map(|split| split as u32));
        let root = match fen {
            Some(fen) => position::from_fen(py, fen, chess960)?,
            None => tabiya::Position::START,
        };
        let failed = |error: CheckpointError| failure(py, &path, &error);
        let process = process::id();
        let mut job = Job::new(root, depth).map_err(failed)?;
        if let Some(split) = split {
            job = job.with_split(split).map_err(failed)?;
        }
        if by_category {
            job = job.by_category().map_err(failed)?;
        }
        let interrupt = Interrupt::new();
        let checkpoint = py.detach(|| Checkpoint::open_or_create(&path, &job, &interrupt));
        interrupt.finish()?;
        let options = LedgerOptions { verify_share, workers: 0 };
        let ledger = checkpoint.and_then(|it| Ledger::new(Arc::new(it), &options));
        let ledger = ledger.map_err(|error| failure(py, &path, &error))?;
        let open = Box::new(Open { ledger, taken: HashMap::new() });
        Ok(Self { path, state: Arc::new(Mutex::new(State::Open(open))), process })
    }

    /// Hands out at most ``count`` units: verifications first, then units in the order of their
    /// numbers. Each is its number, its position in 32 bytes, its depth, and, for a second count,
    /// the first counter and its count.
    fn take<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<HandedOut<'py>>> {
        self.with(py, |open| {
            let mut handed_out = Vec::new();
            while handed_out.len() < count
                && let Some(task) = open.ledger.next_task()
            {
                let unit = open.ledger.checkpoint().unit(task.unit())?;
                let packed = PackedPosition::of(&unit.position).to_bytes();
                let first = match &task {
                    Task::Count { .. } => None,
                    Task::Verify { first, .. } => Some((first.counter.clone(), first.nodes)),
                };
                let number = task.unit();
                open.taken.insert((number, first.is_some()), task);
                handed_out.push((number, PyBytes::new(py, &packed), unit.depth, first));
            }
            Ok(handed_out)
        })
    }

    /// Reopens units that were handed out and have no result yet; without ``units``, all of them.
    /// Each is its number, and whether it was a verification.
    #[pyo3(signature = (units=None))]
    fn put_back(&self, py: Python<'_>, units: Option<Vec<(u64, bool)>>) -> PyResult<()> {
        self.with(py, |open| {
            let units = units.unwrap_or_else(|| {
                let mut all: Vec<_> = open.taken.keys().copied().collect();
                all.sort_unstable();
                // The last one is handed out first.
                all.reverse();
                all
            });
            for key in units {
                if let Some(task) = open.taken.remove(&key) {
                    open.ledger.put_back(task);
                }
            }
            Ok(())
        })
    }

    /// Records results. Each is its number, whether it is a verification, the leaf nodes (or a
    /// tuple of them and the numbers of all categories), the microseconds, and the counter. They
    /// are on the disk when this returns. A late or duplicate result is ignored.
    ///
    /// Raises ``CheckpointError`` if they cannot be written, if a unit was counted twice with
    /// different results, or if the file is no longer at its path and some unit is still to be
    /// counted, once or a second time.
    fn record(&self, py: Python<'_>, results: Vec<Incoming>) -> PyResult<()> {
        let read = |(number, is_verification, counts, micros, counter): Incoming| {
            let result = counts.result(micros, counter).ok_or_else(|| {
                PyValueError::new_err(format!("the result of unit {number} has a wrong length"))
            })?;
            Ok(((number, is_verification), result))
        };
        let results = results.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        self.with(py, |open| {
            let keys: Vec<_> = results.iter().map(|(key, _)| *key).collect();
            let known = |(key, result)| Some((open.taken.get(&key)?.clone(), result));
            let recorded = results.into_iter().filter_map(known).collect();
            // If this fails, the units can be put back.
            py.detach(|| open.ledger.record(recorded))?;
            for key in keys {
                open.taken.remove(&key);
            }
            Ok(())
        })
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> &OsStr {
        self.path.as_os_str()
    }

    /// Is the file still at its path, if it is open? It may have been moved, replaced or removed.
    #[getter]
    fn is_kept(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match &*self.lock(py)? {
            State::Open(open) => open.ledger.checkpoint().is_kept(),
            State::Closed(_) => true,
        })
    }

    /// Writes the progress of the job to a file in the same folder, for ``tabiya status``. Raises
    /// ``CheckpointError`` if its file is no longer at its path and some unit is still to be counted,
    /// once or a second time.
    fn publish(&self, py: Python<'_>, workers: usize) -> PyResult<()> {
        self.with(py, |open| {
            open.ledger.set_workers(workers);
            open.ledger.publish()
        })
    }

    /// Closes the file. The status of the job can still be read.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.lock(py)?;
        let closed = State::Closed(Box::new(state.status().clone()));
        if let State::Open(open) = mem::replace(&mut *state, closed) {
            *state = State::Closed(Box::new(open.ledger.finish()));
        }
        Ok(())
    }

    /// The number of units of the job.
    #[getter]
    fn units(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.status().units)
    }

    /// The number of units that have a result.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.status().done)
    }

    /// The number of units that were counted a second time.
    #[getter]
    fn verified(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.status().verified)
    }

    /// The leaf nodes found so far.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<u128> {
        Ok(self.lock(py)?.status().nodes)
    }

    /// The leaf nodes found so far in each category, in pairs with its name, or ``None``.
    #[getter]
    fn categories(&self, py: Python<'_>) -> PyResult<Option<Vec<(&'static str, u128)>>> {
        let found = self.lock(py)?.status().categories();
        Ok(found
            .map(|found| Category::ALL.map(|category| (category.key(), found[category])).to_vec()))
    }

    /// The progress of the job: the same object as ``tabiya status --json``.
    fn status_json(&self, py: Python<'_>) -> PyResult<String> {
        Ok(StatusReport::new(self.lock(py)?.status(), Convention::default()).to_json())
    }

    /// The units that were counted twice with different results, as text.
    #[getter]
    fn disputes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.lock(py)?.status().disputes.clone())
    }

    /// The position of a unit, as FEN.
    fn fen(&self, py: Python<'_>, unit: u64) -> PyResult<String> {
        self.with(py, |open| Ok(open.ledger.checkpoint().unit(unit)?.position.fen().to_string()))
    }
}

impl PyJob {
    /// The state. Other Python threads run while this one waits for the lock.
    ///
    /// # Errors
    /// `RuntimeError`: this process was forked from the one that opened the job.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        if self.process == process::id() {
            return Ok(self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner));
        }
        let text = "the process forked after the job was opened: only the process that opened it \
                    can use it";
        Err(PyRuntimeError::new_err(text))
    }

    /// Calls a function with the open job.
    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Open) -> Result<T, CheckpointError>,
    ) -> PyResult<T> {
        match &mut *self.lock(py)? {
            State::Open(open) => work(open).map_err(|error| failure(py, &self.path, &error)),
            State::Closed(_) => Err(PyValueError::new_err("the job is closed")),
        }
    }
}

impl Drop for PyJob {
    /// In a forked process, nothing is dropped: the database would write its stale state into the
    /// file of the other process and release its lock.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(Arc::clone(&self.state));
        }
    }
}

impl State {
    /// The progress of the job.
    fn status(&self) -> &Status {
        match self {
            Self::Open(open) => open.ledger.status(),
            Self::Closed(status) => status,
        }
    }
}

fn failure(py: Python<'_>, path: &Path, error: &CheckpointError) -> PyErr {
    let is_dispute = matches!(error, CheckpointError::Disputed { .. });
    let advice = match error {
        CheckpointError::Damaged(_) => {
            ". Nothing in it was used: put a copy of the file in its place, or begin a new one"
        }
        CheckpointError::Foreign => ": name another, or delete it to begin anew",
        _ => "",
    };
    raise!(py, CheckpointError, (format!("{error}{advice}"), path.to_string_lossy(), is_dispute))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyJob>(module)
}
