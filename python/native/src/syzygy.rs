//! Syzygy's endgame tables: the class `syzygy.Tablebase` of python-chess, on our positions.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};
use tabiya::Position;
use tabiya_syzygy::{
    FiftyMoves, Folder, Kind, NameError, RootMove, Source, TableError, TableFile, Tables,
};

use crate::classes;
use crate::data::make;
use crate::errors::{self, raise};
use crate::moves::{self, PyMove};
use crate::position_arg::{PositionArg, position_of};

/// The chosen tables of folders. The first folder that has a table is the one that counts.
#[derive(Clone, Default)]
pub(crate) struct Folders(Vec<Part>);

#[derive(Clone)]
struct Part {
    folder: Folder,
    files: Vec<TableFile>,
}

impl Source for Folders {
    type Bytes = <Folder as Source>::Bytes;

    fn files(&self) -> Vec<TableFile> {
        self.0.iter().flat_map(|part| part.files.clone()).collect()
    }

    fn read(&self, file: TableFile) -> io::Result<Self::Bytes> {
        let part = self.0.iter().find(|part| part.files.contains(&file));
        part.ok_or(io::ErrorKind::NotFound)?.folder.read(file)
    }
}

/// The folders, and the tables in them. Adding a folder makes new tables; a look-up in another thread
/// ends with the old ones.
struct State {
    folders: Folders,
    tables: Arc<Tables<Folders>>,
}

impl State {
    fn new(folders: Folders) -> Self {
        Self { tables: Arc::new(Tables::new(folders.clone())), folders }
    }
}

/// Endgame tables, for look-ups.
///
/// A position is a ``Board``, a ``Position`` or a FEN. Threads may share an object, and run during a
/// look-up. Files are mapped into memory when they are first needed, and must not change meanwhile.
/// An open file is no longer needed then, so ``max_fds`` of python-chess has no effect.
///
/// ``MissingTableError`` if a table is missing; ``TableError``, also a ``KeyError``, if no table can
/// have the position: it has castling rights or more than seven pieces. ``DamagedTableError`` if a
/// file is not what it should be, and ``OSError`` if it cannot be read.
///
/// >>> from tabiya.syzygy import Tablebase
/// >>> with Tablebase() as tables:
/// ...     tables.probe_wdl("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1")
/// Traceback (most recent call last):
///   ...
/// tabiya.errors.MissingTableError: KBNvK.rtbw is missing
#[pyclass(name = "Tablebase", module = "tabiya.syzygy", frozen)]
pub(crate) struct PyTablebase {
    state: Mutex<State>,
}

/// Is it an error for positions that these tables do not have, rather than one of the files?
pub(crate) const fn is_absent(error: &TableError) -> bool {
    matches!(
        error,
        TableError::CastlingRights | TableError::TooManyPieces { .. } | TableError::Missing(_)
    )
}

/// The exception for an error.
pub(crate) fn exception(py: Python<'_>, error: TableError) -> PyErr {
    let text = error.to_string();
    match error {
        TableError::CastlingRights | TableError::TooManyPieces { .. } => {
            raise!(py, TableError, (text,))
        }
        TableError::Missing(file) => raise!(py, MissingTableError, (text, file.to_string())),
        TableError::Unreadable(_, kind) => io::Error::new(kind, text).into(),
        TableError::Damaged(file, _) => raise!(py, DamagedTableError, (text, file.to_string())),
    }
}

fn rule_of(name: &str) -> PyResult<FiftyMoves> {
    match name {
        "apply" => Ok(FiftyMoves::Apply),
        "repeated" => Ok(FiftyMoves::ApplyAfterRepetition),
        "ignore" => Ok(FiftyMoves::Ignore),
        _ => Err(PyValueError::new_err(format!(
            "fifty_moves: expected \"apply\", \"repeated\" or \"ignore\", not {}",
            errors::quoted(name)
        ))),
    }
}

impl PyTablebase {
    /// The tables as they are now.
    pub(crate) fn tables(&self) -> Arc<Tables<Folders>> {
        Arc::clone(&self.state.lock().unwrap_or_else(PoisonError::into_inner).tables)
    }

    /// Looks something up, while other Python threads may run.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        position: &PositionArg<'_>,
        look: impl FnOnce(&Tables<Folders>, &Position) -> Result<T, TableError> + Send,
    ) -> PyResult<Result<T, TableError>> {
        let position = position_of(py, Some(position), false)?;
        let tables = self.tables();
        Ok(py.detach(|| look(&tables, &position)))
    }

    fn answer<T: Send>(
        &self,
        py: Python<'_>,
        position: &PositionArg<'_>,
        look: impl FnOnce(&Tables<Folders>, &Position) -> Result<T, TableError> + Send,
    ) -> PyResult<T> {
        self.ask(py, position, look)?.map_err(|error| exception(py, error))
    }

    /// The same, or `None` if these tables do not have the position.
    fn answer_if_any<T: Send>(
        &self,
        py: Python<'_>,
        position: &PositionArg<'_>,
        look: impl FnOnce(&Tables<Folders>, &Position) -> Result<T, TableError> + Send,
    ) -> PyResult<Option<T>> {
        match self.ask(py, position, look)? {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(exception(py, error)),
        }
    }

    /// Adds the files of a folder that are wanted, and says how many there are.
    fn add(
        &self,
        py: Python<'_>,
        path: PathBuf,
        is_wanted: impl Fn(TableFile) -> bool,
    ) -> PyResult<usize> {
        let folder =
            py.detach(|| Folder::open(&path)).map_err(|error| errors::file(&path, &error))?;
        let files: Vec<_> = folder.files().into_iter().filter(|&file| is_wanted(file)).collect();
        let count = files.len();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut folders = state.folders.clone();
        folders.0.push(Part { folder, files });
        *state = State::new(folders);
        Ok(count)
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (*, max_fds=128))]
    fn new(max_fds: Option<i64>) -> Self {
        let _ = max_fds;
        Self { state: Mutex::new(State::new(Folders::default())) }
    }

    /// Adds the tables of a folder, without those in folders inside it, and returns their number.
    /// If two folders have a table, that of the first one counts.
    #[pyo3(signature = (directory, *, load_wdl=true, load_dtz=true))]
    fn add_directory(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        load_wdl: bool,
        load_dtz: bool,
    ) -> PyResult<usize> {
        self.add(py, directory, |file| match file.kind {
            Kind::Wdl => load_wdl,
            Kind::Dtz => load_dtz,
        })
    }

    /// Forgets all tables.
    fn close(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::new(Folders::default());
    }

    const fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// The result for the side to move, if the halfmove clock is 0: 2 for a win, 1 for a win that the
    /// fifty-move rule makes a draw, 0 for a draw, and -1 and -2 for such losses.
    fn probe_wdl(&self, py: Python<'_>, board: PositionArg<'_>) -> PyResult<i8> {
        self.answer(py, &board, wdl)
    }

    /// The same, or ``default`` if these tables do not have the position.
    #[pyo3(signature = (board, default=None))]
    fn get_wdl(
        &self,
        py: Python<'_>,
        board: PositionArg<'_>,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        Ok(number_or(py, self.answer_if_any(py, &board, wdl)?, default))
    }

    /// The distance to the next capture, pawn move or mate in plies: positive if the side to move
    /// wins, negative if it loses, 0 in a draw.
    ///
    /// It may be one ply more than the number. Distances beyond 100 are those of wins that the
    /// fifty-move rule makes draws.
    fn probe_dtz(&self, py: Python<'_>, board: PositionArg<'_>) -> PyResult<i16> {
        self.answer(py, &board, dtz)
    }

    /// The same, or ``default`` if these tables do not have the position.
    #[pyo3(signature = (board, default=None))]
    fn get_dtz(
        &self,
        py: Python<'_>,
        board: PositionArg<'_>,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        Ok(number_or(py, self.answer_if_any(py, &board, dtz)?, default))
    }

    /// The legal moves, the best ones first, as a list of ``RootMove``. An engine keeps those of the
    /// highest rank.
    ///
    /// ``fifty_moves`` is ``"apply"``, ``"ignore"``, or ``"repeated"``: the rule applies, and a
    /// position has been repeated since the last capture or pawn move, so a winner has to hurry.
    #[pyo3(signature = (board, *, fifty_moves="apply"))]
    fn root_moves<'py>(
        &self,
        py: Python<'py>,
        board: PositionArg<'py>,
        fifty_moves: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let rule = rule_of(fifty_moves)?;
        let (position, moves) = self.answer(py, &board, |tables, position| {
            Ok((position.clone(), tables.root_moves(position, rule)?))
        })?;
        ranked(py, &position, &moves)
    }

    /// The same from the results alone, for those who have no files ``.rtbz``. Neither the clock nor
    /// repetitions count, and distances are those of captures and pawn moves.
    #[pyo3(signature = (board, *, fifty_moves="apply"))]
    fn root_moves_by_wdl<'py>(
        &self,
        py: Python<'py>,
        board: PositionArg<'py>,
        fifty_moves: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let rule = rule_of(fifty_moves)?;
        let (position, moves) = self.answer(py, &board, |tables, position| {
            Ok((position.clone(), tables.root_moves_by_wdl(position, rule)?))
        })?;
        ranked(py, &position, &moves)
    }

    /// The moves of both sides' best play up to the first capture, pawn move or mate. Empty in a draw.
    #[pyo3(signature = (board, *, fifty_moves="apply"))]
    fn line<'py>(
        &self,
        py: Python<'py>,
        board: PositionArg<'py>,
        fifty_moves: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let rule = rule_of(fifty_moves)?;
        let (position, line) = self.answer(py, &board, |tables, position| {
            Ok((position.clone(), tables.line(position, rule)?))
        })?;
        // Nobody castles here, so one position writes the moves of all.
        moves::list(py, &position, &line)
    }

    /// The number of pieces, kings included, of the largest table ``.rtbw``; 0 without tables.
    #[getter]
    fn pieces(&self) -> u32 {
        self.tables().pieces()
    }

    /// The names of the files.
    fn files(&self) -> Vec<String> {
        names(&self.tables().files())
    }

    /// The names of the files that play from here to the end can need, and that are missing. ``table`` is
    /// the name of a table, such as ``"KRPvKR"``.
    ///
    /// >>> from tabiya.syzygy import Tablebase
    /// >>> Tablebase().missing("KRvKR")
    /// ['KRvK.rtbw', 'KRvK.rtbz', 'KRvKR.rtbw', 'KRvKR.rtbz']
    fn missing(&self, py: Python<'_>, table: &str) -> PyResult<Vec<String>> {
        let missing = self.tables().missing(named(table)?);
        Ok(names(&missing.map_err(|error| exception(py, error))?))
    }

    /// Reads a file such as ``"KRPvKR.rtbw"`` whole, and compares its checksum.
    ///
    /// ``DamagedTableError`` if any byte has changed.
    fn verify(&self, py: Python<'_>, file: &str) -> PyResult<()> {
        let (tables, file) = (self.tables(), named(file)?);
        py.detach(|| tables.verify(file)).map_err(|error| exception(py, error))
    }
}

/// The value of a position as a number.
pub(crate) fn wdl(tables: &Tables<Folders>, position: &Position) -> Result<i8, TableError> {
    tables.wdl(position).map(|wdl| wdl as i8)
}

/// The distance of a position as a number.
pub(crate) fn dtz(tables: &Tables<Folders>, position: &Position) -> Result<i16, TableError> {
    // Those of all files fit.
    tables.dtz(position).map(|dtz| dtz.plies() as i16)
}

fn number_or(
    py: Python<'_>,
    number: Option<impl Into<i16>>,
    default: Option<Py<PyAny>>,
) -> Option<Py<PyAny>> {
    number.map(|number| PyInt::new(py, number.into()).into_any().unbind()).or(default)
}

fn names(files: &[TableFile]) -> Vec<String> {
    files.iter().map(ToString::to_string).collect()
}

/// What has this name.
fn named<T: FromStr<Err = NameError>>(name: &str) -> PyResult<T> {
    name.parse()
        .map_err(|error| PyValueError::new_err(format!("{}: {error}", errors::quoted(name))))
}

/// Ranked moves of a position, as a list of `syzygy.RootMove`.
fn ranked<'py>(
    py: Python<'py>,
    position: &Position,
    moves: &[RootMove],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for &RootMove { mv, wdl, dtz, rank } in moves {
        let mv = PyMove::of(py, position, mv)?;
        let fields = (mv, wdl as i8, dtz.plies(), rank);
        list.append(make!(py, "tabiya.syzygy", "RootMove", fields)?)?;
    }
    Ok(list)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyTablebase>(module)
}
