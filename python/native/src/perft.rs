//! Perft: leaf nodes of the game tree, in all, below each root move, and by category.

use std::num::NonZeroUsize;
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tabiya::Position;
use tabiya_perft::table::{HashSize, Table, TableError};
use tabiya_perft::{
    Categories, Category, CategoryTable, CategoryTotal, Convention, Engine, MAX_DEPTH, Options,
    PerftTotal, Progress, Seed, Watch, categories, categories_with_table,
};

use crate::counting::{self, Display, Ended, Stopped};
use crate::data::make;
use crate::errors;
use crate::moves::PyMove;
use crate::position_arg::{PositionArg, position_of};
use crate::threads::{self, ThreadsArg};

/// The calling thread counts alone if there are certainly fewer leaf nodes than this.
const FEW: f64 = 1e6;
/// A count of fewer leaf nodes ends before its progress would be displayed.
const LONG: f64 = 1e8;

/// More threads than any machine has CPUs would only cost memory.
const MAX_THREADS: usize = 1024;

/// A count and its options.
struct Request<'py> {
    position: Position,
    depth: u32,
    options: Options,
    hash: Option<HashSize>,
    progress: Option<Bound<'py, PyAny>>,
}

/// The size of the table: a number of MiB, or "auto".
struct HashArg(Option<HashSize>);

impl<'py> FromPyObject<'_, 'py> for HashArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return match text.to_str()? {
                "auto" => Ok(Self(Some(HashSize::Auto))),
                other => Err(expected_size(&format!("{other:?}"))),
            };
        }
        match object.extract::<u64>() {
            Ok(0) => Ok(Self(None)),
            Ok(count) => Ok(Self(Some(HashSize::mebibytes(count)))),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Err(expected_size(&object.to_string()))
            }
            Err(error) => Err(error),
        }
    }
}

fn expected_size(given: &str) -> PyErr {
    let expected = "expected a size of the table in MiB from 0, or \"auto\"";
    PyValueError::new_err(format!("{expected}, not {given}"))
}

impl<'py> Request<'py> {
    fn new(
        py: Python<'py>,
        depth: &Bound<'py, PyAny>,
        fen: Option<&PositionArg<'py>>,
        arguments: Arguments<'py>,
        min_depth: u32,
    ) -> PyResult<Self> {
        let threads = threads::wanted(arguments.threads)?.min(MAX_THREADS);
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let options = Options { threads, ..Options::default() };
        Ok(Self {
            position: position_of(py, fen, arguments.chess960)?,
            depth: depth_of(depth, min_depth)?,
            options,
            hash: arguments.hash_mib.0,
            progress: arguments.progress,
        })
    }

    /// A rough estimate of the number of leaf nodes, as if every position had as many moves as this
    /// one, and at least `least`.
    fn estimate(&self, least: f64) -> f64 {
        let moves = self.position.count_legal() as f64;
        moves.max(least).powi(self.depth.min(99) as i32)
    }

    /// Is it certain that the calling thread can count alone in a moment?
    fn is_small(&self) -> bool {
        // The number of moves may grow, but not by much within three plies.
        self.hash.is_none()
            && self.progress.is_none()
            && self.depth <= 4
            && self.estimate(8.0) < FEW
    }

    /// May it take so long that its progress is worth displaying?
    fn is_long(&self) -> bool {
        // A side in check has few moves, but not for long.
        self.estimate(30.0) >= LONG
    }

    fn display(&self, py: Python<'py>) -> PyResult<Display> {
        let what = format!("perft {}", self.depth);
        Display::new(py, self.progress.as_ref(), &what, self.is_long())
    }

    fn overflow(&self) -> PyErr {
        PyOverflowError::new_err(format!(
            "perft to depth {} of this position is 2**128 or more: counts have at most 128 bits; \
             give a smaller depth",
            self.depth
        ))
    }
}

/// The arguments that all functions take.
struct Arguments<'py> {
    threads: ThreadsArg,
    hash_mib: HashArg,
    chess960: bool,
    progress: Option<Bound<'py, PyAny>>,
}

fn depth_of(argument: &Bound<'_, PyAny>, min: u32) -> PyResult<u32> {
    let wrong = || {
        let expected = format!("expected a depth from {min} to {MAX_DEPTH} plies");
        PyValueError::new_err(format!("{expected}, not {argument}"))
    };
    match argument.extract::<i64>() {
        Ok(depth) => {
            let depth = u32::try_from(depth).ok();
            depth.filter(|depth| (min..=MAX_DEPTH).contains(depth)).ok_or_else(wrong)
        }
        Err(error) if error.is_instance_of::<PyOverflowError>(argument.py()) => Err(wrong()),
        Err(error) => Err(errors::of_argument(argument.py(), error, || {
            let kind = argument.get_type();
            PyTypeError::new_err(format!("expected a depth as an int, not {kind}"))
        })),
    }
}

/// The reason why there is no table.
enum NoTable {
    Seed(std::io::Error),
    Memory(TableError),
}

impl From<NoTable> for PyErr {
    fn from(error: NoTable) -> Self {
        match error {
            NoTable::Seed(error) => {
                PyOSError::new_err(format!("no random seed for the table: {error}"))
            }
            NoTable::Memory(error) => PyMemoryError::new_err(error.to_string()),
        }
    }
}

fn seed() -> Result<Seed, NoTable> {
    Seed::random().map_err(NoTable::Seed)
}

/// Counts the leaf nodes below each root move.
fn count(py: Python<'_>, request: &Request<'_>) -> PyResult<PerftTotal> {
    let (position, depth) = (request.position.clone(), request.depth);
    let engine = Engine::new(request.options.clone());
    if request.is_small() {
        let engine = Engine::new(Options::default());
        return Ok(py.detach(|| engine.perft(&position, depth, &())));
    }
    let display = request.display(py)?;
    let engine = match request.hash {
        Some(size) => {
            let table = py.detach(|| Table::new(size, seed()?).map_err(NoTable::Memory))?;
            engine.with_table(table)
        }
        None => engine,
    };
    match counting::run(py, &display, request.is_long(), move |watch| {
        let total = engine.perft(&position, depth, watch);
        report_end(watch, total.nodes);
        total
    })? {
        Ended::Finished(total) if total.overflow => Err(request.overflow()),
        Ended::Finished(total) => Ok(total),
        Ended::Stopped(stopped) => {
            let nodes = stopped.known.as_ref().map(|total| total.nodes);
            let moves = PyDict::new(py);
            for root in stopped.known.iter().flat_map(|total| &total.moves) {
                if root.complete {
                    moves.set_item(PyMove::of(py, &request.position, root.mv)?, root.nodes)?;
                }
            }
            Err(interrupted(py, request, stopped, nodes, &moves, None))
        }
    }
}

/// Reports the total of a count. Counts of a ply or less have not reported anything.
fn report_end(watch: &dyn Watch, nodes: u128) {
    if watch.wants_progress() && !watch.is_cancelled() {
        watch.progress(Progress { nodes, share: 1.0 });
    }
}

/// Counts the leaf nodes by category.
fn count_categories(py: Python<'_>, request: &Request<'_>) -> PyResult<CategoryTotal> {
    let (position, depth) = (request.position.clone(), request.depth);
    let options = request.options.clone();
    if request.is_small() {
        return Ok(py.detach(|| categories(&position, depth, &Options::default(), &())));
    }
    let display = request.display(py)?;
    let table = match request.hash {
        Some(size) => {
            Some(py.detach(|| CategoryTable::new(size, seed()?).map_err(NoTable::Memory))?)
        }
        None => None,
    };
    let ended = counting::run(py, &display, request.is_long(), move |watch| {
        let total = match &table {
            Some(table) => categories_with_table(&position, depth, &options, table, watch),
            None => categories(&position, depth, &options, watch),
        };
        report_end(watch, total.categories.nodes);
        total
    })?;
    match ended {
        Ended::Finished(total) if total.categories.nodes == u128::MAX => Err(request.overflow()),
        Ended::Finished(total) => Ok(total),
        Ended::Stopped(stopped) => {
            let nodes = stopped.known.as_ref().map(|total| total.categories.nodes);
            let found = stopped.known.as_ref().map(|total| &total.categories);
            let found = found
                .map(|found| categories_dict(py, found, Convention::MatesIncluded))
                .transpose()?;
            Err(interrupted(py, request, stopped, nodes, &PyDict::new(py), found))
        }
    }
}

/// The exception that stopped a count, with the partial result.
fn interrupted<'py, T>(
    py: Python<'py>,
    request: &Request<'py>,
    stopped: Stopped<T>,
    nodes: Option<u128>,
    moves: &Bound<'py, PyDict>,
    categories: Option<Bound<'py, PyDict>>,
) -> PyErr {
    let Stopped { error, progress, elapsed, .. } = stopped;
    let nodes = nodes.unwrap_or(progress.nodes);
    let root_moves = request.position.count_legal();
    let seconds = Duration::as_secs_f64(&elapsed);
    let arguments = (request.depth, nodes, seconds, moves, root_moves, categories);
    let attach = || {
        let partial = make!(py, "tabiya.counting", "PartialCount", arguments)?;
        let value = error.value(py);
        value.call_method1("add_note", (partial.str()?,))?;
        value.setattr("partial", partial)
    };
    // The exception is raised in any case, even if nothing can be attached to it.
    let _ = attach();
    error
}

fn categories_dict<'py>(
    py: Python<'py>,
    found: &Categories,
    convention: Convention,
) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("nodes", found.nodes)?;
    for category in Category::ALL {
        counts.set_item(category.key(), found.count(category, convention))?;
    }
    Ok(counts)
}

/// The number of leaf nodes ``depth`` plies below a position: of sequences of that many legal
/// moves.
///
/// ``fen`` is a FEN or a ``Position``. ``threads`` count; ``None`` means all CPUs that the process
/// may use. ``hash_mib`` is the size of a table of subtrees in MiB, ``0`` for none, or ``"auto"``
/// for half of the available memory. A table makes deep counts much faster; the chance that it
/// makes one wrong is at most 2**-62 for each look-up.
///
/// If the count takes longer than a second, its progress is shown in a notebook or a terminal.
/// ``progress`` may be ``True`` or ``False``, or a callable: it is called about ten times a second
/// with the leaf nodes counted so far and the estimated share of the work, from 0 to 1. If it
/// raises an exception, the count stops.
///
/// Ctrl-C stops the count within half a second. The ``KeyboardInterrupt`` has a note about
/// the progress of the count, and the attribute ``partial``, a ``PartialCount``.
///
/// Returns an ``int`` of up to 128 bits. Raises ``FenError``; ``ValueError`` if the depth is not
/// from 0 to 255; ``OverflowError`` if there are 2**128 leaf nodes or more; ``MemoryError`` if
/// there is no memory for the table.
///
/// >>> import tabiya
/// >>> tabiya.perft(5)
/// 4865609
/// >>> tabiya.perft(3, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", threads=1)
/// 2812
#[pyfunction]
#[pyo3(
    signature = (
        depth, fen=None, *, threads=None, hash_mib=HashArg(None), chess960=false,
        progress=None
    ),
    text_signature = "(depth, fen=None, *, threads=None, hash_mib=0, chess960=False, progress=None)"
)]
fn perft<'py>(
    py: Python<'py>,
    depth: &Bound<'py, PyAny>,
    fen: Option<PositionArg<'py>>,
    threads: ThreadsArg,
    hash_mib: HashArg,
    chess960: bool,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<u128> {
    let arguments = Arguments { threads, hash_mib, chess960, progress };
    let request = Request::new(py, depth, fen.as_ref(), arguments, 0)?;
    Ok(count(py, &request)?.nodes)
}

/// The number of leaf nodes below each legal move, ``depth`` plies below the position itself.
///
/// The arguments are those of ``perft``; ``depth`` is from 1 to 255. Returns a ``dict`` of ``Move``
/// and ``int``, in the order of ``Position.legal_moves``.
///
/// Raises what ``perft`` raises.
///
/// >>> import tabiya
/// >>> counts = tabiya.divide(4)
/// >>> counts[tabiya.Move.from_uci("e2e4")], sum(counts.values())
/// (13160, 197281)
/// >>> [f"{move} {count}" for move, count in counts.items()][:2]
/// ['a2a4 9329', 'b2b4 9332']
#[pyfunction]
#[pyo3(
    signature = (
        depth, fen=None, *, threads=None, hash_mib=HashArg(None), chess960=false,
        progress=None
    ),
    text_signature = "(depth, fen=None, *, threads=None, hash_mib=0, chess960=False, progress=None)"
)]
fn divide<'py>(
    py: Python<'py>,
    depth: &Bound<'py, PyAny>,
    fen: Option<PositionArg<'py>>,
    threads: ThreadsArg,
    hash_mib: HashArg,
    chess960: bool,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let arguments = Arguments { threads, hash_mib, chess960, progress };
    let request = Request::new(py, depth, fen.as_ref(), arguments, 1)?;
    let counts = PyDict::new(py);
    for root in count(py, &request)?.moves {
        counts.set_item(PyMove::of(py, &request.position, root.mv)?, root.nodes)?;
    }
    Ok(counts)
}

/// The leaf nodes ``depth`` plies below a position by category: captures, checks, mates and so on.
///
/// A category describes the last move, or the position after it. A leaf node counts in every
/// category to which it belongs. ``checks`` decides whether checks that are mate count as checks:
/// ``"mates_included"`` as in most tables, or ``"mates_excluded"``. The other arguments are those
/// of ``perft``.
///
/// Returns a ``dict`` of ``str`` and ``int``: first ``nodes``, then every category, with 0 if it is
/// empty. Raises what ``perft`` raises.
///
/// >>> import tabiya
/// >>> counts = tabiya.perft_categories(4)
/// >>> counts["nodes"], counts["captures"], counts["checks"], counts["checkmates"]
/// (197281, 1576, 469, 8)
/// >>> tabiya.perft_categories(4, checks="mates_excluded")["checks"]
/// 461
#[pyfunction]
#[pyo3(
    signature = (
        depth, fen=None, *, checks="mates_included", threads=None,
        hash_mib=HashArg(None), chess960=false, progress=None
    ),
    text_signature = "(depth, fen=None, *, checks='mates_included', threads=None, hash_mib=0, \
        chess960=False, progress=None)"
)]
#[expect(clippy::too_many_arguments, reason = "in Python, they have names")]
fn perft_categories<'py>(
    py: Python<'py>,
    depth: &Bound<'py, PyAny>,
    fen: Option<PositionArg<'py>>,
    checks: &str,
    threads: ThreadsArg,
    hash_mib: HashArg,
    chess960: bool,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let conventions = [Convention::MatesIncluded, Convention::MatesExcluded];
    let convention = conventions.into_iter().find(|it| it.key() == checks).ok_or_else(|| {
        let expected = "expected \"mates_included\" or \"mates_excluded\" as checks";
        PyValueError::new_err(format!("{expected}, not {checks:?}"))
    })?;
    let arguments = Arguments { threads, hash_mib, chess960, progress };
    let request = Request::new(py, depth, fen.as_ref(), arguments, 0)?;
    let total = count_categories(py, &request)?;
    categories_dict(py, &total.categories, convention)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(perft, module)?)?;
    module.add_function(wrap_pyfunction!(divide, module)?)?;
    module.add_function(wrap_pyfunction!(perft_categories, module)?)
}
