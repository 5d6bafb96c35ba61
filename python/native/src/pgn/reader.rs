//! The iterator of chunks.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyString;
use tabiya::san::PieceLettersError;

use super::condition::Conditions;
use super::games::{Games, pgn_error};
use super::part::{Part, Plan, Problem};
use super::source::{Failure, Source};
use super::work::{Step, Work};
use crate::classes;
use crate::data::make;
use crate::sizes;
use crate::threads::{self, ThreadsArg};

/// More threads than any machine has CPUs would only cost memory.
const MAX_THREADS: usize = 256;

/// The games of a PGN file, chunk by chunk, as returned by ``read_pgn``.
///
/// It is an iterator of ``Games``. At the end, and when it is closed or dropped, it closes a file
/// that it opened itself, and its threads end. It is a context manager as well.
///
/// >>> import tabiya
/// >>> with tabiya.read_pgn(b"1. e4 e5 1-0 1. d4 *", chunk=1) as reader:
/// ...     [len(games.moves) for games in reader]
/// [2, 1]
#[pyclass(module = "tabiya")]
pub(super) struct PgnReader {
    /// `None` at the end.
    work: Option<Work>,
    /// The object that `work` reads. Both have one reference to it in all.
    object: Option<Arc<Py<PyAny>>>,
    /// The file that `read_pgn` opened and has to close.
    opened: Option<Py<PyAny>>,
    /// The name of the file. It need not be UTF-8, so it may hold surrogates, as in Python.
    name: Option<Py<PyString>>,
    /// Is the first error raised?
    stops: bool,
    /// The parts of the next chunk that have been read so far.
    begun: Option<Part>,
    /// Are these all of its parts?
    is_whole: bool,
    /// The number of the last game that was read.
    games_read: u64,
    /// Why nothing more is read; it is raised after the games before it.
    end: Option<End>,
}

/// Why nothing more is read.
enum End {
    /// The source is at its end.
    Source,
    Game(Problem),
    Error(PyErr),
}

impl PgnReader {
    /// Does a step towards the next part, and adds it.
    ///
    /// # Errors
    /// The exception of a signal handler. Reading can go on.
    fn step(&mut self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        let Some(work) = &mut self.work else {
            self.end = Some(End::Source);
            return Ok(());
        };
        match py.detach(|| work.step()) {
            Ok(Step::Part(part, is_end)) => {
                self.is_whole = is_end;
                self.add(py, *part);
            }
            Ok(Step::Again) => {}
            Ok(Step::End) => self.end = Some(End::Source),
            Err(Failure::Signal(error)) => return Err(error),
            Err(Failure::Error(error)) => self.end = Some(End::Error(error)),
            Err(Failure::Interrupted(error)) => {
                // It is raised at once, without the games before it.
                self.begun = None;
                self.end = Some(End::Error(error));
            }
        }
        Ok(())
    }

    /// Adds a part to the chunk, up to the first error that has to be raised.
    fn add(&mut self, py: Python<'_>, part: Part) {
        self.games_read = part.games_read;
        let before = self.begun.as_ref().map_or(0, Part::len);
        let is_wrong = |problem: &&Problem| self.stops || problem.is_final;
        let wrong = part.problems.iter().find(is_wrong).cloned();
        match &mut self.begun {
            Some(whole) => py.detach(|| whole.append(part)),
            none => *none = Some(part),
        }
        if let (Some(problem), Some(whole)) = (wrong, &mut self.begun) {
            whole.truncate(before + problem.index);
            self.end = Some(End::Game(problem));
        }
    }

    /// The exception for an error of the source: a `PgnError` about a compressed file that ends too
    /// early or is damaged, or the error itself.
    fn source_error(&self, py: Python<'_>, error: &PyErr) -> PyResult<PyErr> {
        let damage = py.import("tabiya.pgn_input")?.getattr("Damage")?;
        let value = error.value(py);
        if !value.is_instance(&damage)? {
            return Ok(error.clone_ref(py));
        }
        let (reason, line, column, byte): (String, u64, u64, u64) =
            value.getattr("args")?.extract()?;
        let (name, game) = (self.name.as_ref(), self.games_read + 1);
        let arguments = (reason, name, line, column, byte, game, None::<u32>);
        let made = make!(py, "tabiya.errors", "PgnError", arguments)?;
        let made = PyErr::from_value(made);
        made.set_cause(py, error.cause(py));
        Ok(made)
    }

    /// Has the next chunk neither games nor errors so far?
    fn is_nothing_begun(&self) -> bool {
        self.begun.as_ref().is_none_or(|part| part.len() == 0 && part.problems.is_empty())
    }

    /// Ends everything: the iterator is then at its end.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        (self.begun, self.end, self.is_whole) = (None, None, false);
        self.stop(py)
    }

    /// Ends the threads, and closes the file.
    fn stop(&mut self, py: Python<'_>) -> PyResult<()> {
        (self.object, self.work) = (None, None);
        match self.opened.take() {
            Some(file) => file.call_method0(py, "close").map(drop),
            None => Ok(()),
        }
    }
}

#[pymethods]
impl PgnReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Games>> {
        // A signal may interrupt any of this, and the next call goes on from there.
        //
        // A part may have neither games nor errors, such as the white space at the end.
        while self.end.is_none() && (!self.is_whole || self.is_nothing_begun()) {
            self.step(py)?;
        }
        if !self.is_nothing_begun()
            && let Some(work) = &self.work
        {
            let games = Games::take(py, &mut self.begun, work.plan(), self.name.as_ref())?;
            self.is_whole = false;
            if let Some(End::Game(_) | End::Error(_)) = self.end {
                // The error that comes next is more important than one that occurs while closing.
                let _ = self.stop(py);
            }
            return Ok(games);
        }
        let error = match &self.end {
            Some(End::Game(problem)) => {
                Some(PyErr::from_value(pgn_error(py, problem, self.name.as_ref())?))
            }
            Some(End::Error(error)) => Some(self.source_error(py, error)?),
            Some(End::Source) | None => None,
        };
        let closed = self.finish(py);
        match error {
            Some(error) => Err(error),
            None => closed.map(|()| None),
        }
    }

    /// Ends the threads, and closes a file that ``read_pgn`` opened. The iterator is then at its
    /// end.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        self.finish(py)
    }

    const fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    // An object that is read may hold the reader.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.opened)?;
        visit.call(self.object.as_deref())
    }

    fn __clear__(&mut self) {
        self.opened = None;
        self.object = None;
        self.end = None;
        self.work = None;
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = self.name.as_ref().map(|name| name.bind(py).to_string_lossy());
        let name = name.as_deref().unwrap_or("bytes");
        let end = if self.work.is_none() { ", at its end" } else { "" };
        format!("<PgnReader of {name}{end}>")
    }
}

/// The names of tags.
struct TagNames(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for TagNames {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(Self(vec![name.to_str()?.to_owned()]));
        }
        let names = object.try_iter()?.map(|item| {
            let item = item?;
            let name = item.cast::<PyString>().map_err(|_| {
                let kind = item.get_type();
                PyTypeError::new_err(format!("expected the name of a tag, not {kind}"))
            })?;
            Ok(name.to_str()?.to_owned())
        });
        sizes::collect(object.py(), names).map(Self)
    }
}

/// Reads the games of a PGN file as arrays, chunk by chunk.
///
/// ``source`` is the path of a file, ``bytes``, or an object whose method ``read`` returns
/// ``bytes`` or ``str``. Data compressed with gzip, bzip2, xz or zstd is decompressed; the format
/// is recognised by the contents, not by the name. zstd needs Python 3.14 or the package
/// ``zstandard``.
///
/// A chunk has ``chunk`` games of the file; the last, and that before an error, has fewer.
/// ``threads`` play the games;
/// ``None`` means all CPUs that the process may use. The results do not depend on it. Memory is
/// bounded: at most ``2 * threads`` parts of up to 1024 games are kept in addition to the chunk.
///
/// Every move of the main line is checked. Variations are skipped. ``errors`` decides what happens
/// to a game with an error.
///
/// * ``"keep"``: it has the moves before the error, and ``Games.broken`` is true for it. If its start
///   position is not playable, it has no moves, and the usual start position. The error is in
///   ``Games.errors``.
/// * ``"skip"``: it is left out, and its error is in ``Games.errors``. A chunk is then smaller.
/// * ``"stop"``: the ``PgnError`` is raised, after the games before it have been returned.
///
/// ``positions=False`` leaves out the positions, which saves time and memory. ``tags`` are the
/// names of tags that ``Games.tags`` should have.
///
/// ``where`` are conditions on tags, all of which must hold. Games that are not wanted are left out,
/// errors and all, and their moves are not parsed. A condition is the value of the tag, or a pair
/// ``(from, to)`` of bounds that are included, or ``None`` for no bound. Numbers as bounds compare
/// numbers, and texts compare texts, as far as the bound goes: ``("2020", "2021")`` are the dates of
/// two years. A missing tag never fits, and ``?`` and ``-`` fit no pair.
///
/// ``letters`` are those of another language for king, queen, rook, bishop, knight and perhaps pawn,
/// such as ``"KDTLS"`` in German.
///
/// Raises ``OSError`` if the file cannot be opened or read, ``PgnError`` if it is written in UTF-16
/// or if compressed data is damaged or ends too early, and any exception of the object that it
/// reads from (``RuntimeError`` instead of ``StopIteration``, which would end the games). An error
/// in the middle of a file comes after the games before it.
///
/// Ctrl-C stops it within a tenth of a second, or later if a chunk of gigabytes is just copied.
/// Iterating may go on afterwards, and no game is lost. But if an object or compressed data was just
/// being read, the reader is at its end.
///
/// >>> import tabiya
/// >>> pgn = b'[White "Fool"]\n[WhiteElo "900"]\n\n1. f3 e5 2. g4 {[%clk 0:00:59]} Qh4# 0-1\n'
/// >>> for games in tabiya.read_pgn(pgn, tags=["White"]):
/// ...     print(games.results, games.white_elo, games.offsets, games.clocks, games.tags)
/// [-1] [900] [0 4] [nan nan 59. nan] {'White': ['Fool']}
/// >>> [len(games) for games in tabiya.read_pgn(pgn, where={"WhiteElo": (2500, None)})]
/// []
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "in Python, they have names")]
#[pyo3(
    signature = (
        source, *, chunk=1000, threads=None, errors="keep", positions=true,
        tags=TagNames(Vec::new()), r#where=None, letters=None
    ),
    text_signature = "(source, *, chunk=1000, threads=None, errors='keep', positions=True, tags=(), where=None, letters=None)"
)]
fn read_pgn(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    chunk: i64,
    threads: ThreadsArg,
    errors: &str,
    positions: bool,
    tags: TagNames,
    r#where: Option<Conditions>,
    letters: Option<&str>,
) -> PyResult<PgnReader> {
    let games = u64::try_from(chunk).ok().filter(|&games| games > 0).ok_or_else(|| {
        PyValueError::new_err(format!("expected a number of games of at least 1, not {chunk}"))
    })?;
    if !["keep", "skip", "stop"].contains(&errors) {
        let expected = "expected \"keep\", \"skip\" or \"stop\" as errors";
        return Err(PyValueError::new_err(format!("{expected}, not {errors:?}")));
    }
    let threads = threads::wanted(threads)?.min(MAX_THREADS);
    let conditions = r#where.map_or_else(Vec::new, |conditions| conditions.0);
    let letters = letters.map(str::parse).transpose();
    let letters =
        letters.map_err(|error: PieceLettersError| PyValueError::new_err(error.to_string()))?;
    let plan = Plan { positions, tags: tags.0, conditions, letters, keep_broken: errors == "keep" };
    let opened = py.import("tabiya.pgn_input")?.call_method1("open_source", (source,))?;
    let (object, name, is_ours): (Bound<'_, PyAny>, Option<Py<PyString>>, bool) =
        opened.extract()?;
    let source = Source::new(&object)?;
    let object_read = source.object();
    let work = Work::start(source, plan, threads, games);
    Ok(PgnReader {
        work: Some(work),
        object: object_read,
        opened: is_ours.then(|| object.unbind()),
        name,
        stops: errors == "stop",
        begun: None,
        is_whole: false,
        games_read: 0,
        end: None,
    })
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PgnReader>(module)?;
    module.add_function(wrap_pyfunction!(read_pgn, module)?)
}
