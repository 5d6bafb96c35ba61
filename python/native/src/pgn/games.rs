//! A chunk: games as arrays.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PySlice, PyString, PyTuple};
use tabiya::{Game, Move, Position};
use tabiya_openings::Opening;

use super::part::{NO_MOVE, OTHER_RESULTS, Part, Plan, Problem, result_code};
use crate::batch::PyBatch;
use crate::classes;
use crate::data::make;
use crate::game::PyGame;
use crate::plain_picture::{self, SHOWN};

/// Games of a PGN file as arrays: G games with P plies in all.
///
/// The moves of game ``g`` are ``moves[offsets[g]:offsets[g + 1]]``. Everything of shape (P,) has
/// one value for each of these moves. ``len`` is the number of games.
///
/// >>> import tabiya
/// >>> games = next(tabiya.read_pgn(b"1. e4 e5 1-0 1. d4 *"))
/// >>> len(games), games.offsets, games.results
/// (2, array([0, 2, 3]), array([1, 2], dtype=int8))
/// >>> games.game(0).sans()
/// ['e4', 'e5']
#[pyclass(module = "tabiya", frozen)]
pub(super) struct Games {
    /// The moves that were played: ``uint16`` of shape (P,). A move is ``from | to << 6 | kind <<
    /// 12``, and a null move is 0.
    #[pyo3(get)]
    moves: Py<PyArray1<u16>>,
    /// The index of each game's first move, and at the end the number of plies: ``int64`` of shape
    /// (G + 1,).
    #[pyo3(get)]
    offsets: Py<PyArray1<i64>>,
    /// The results, ``int8`` of shape (G,): 1 if White won, 0 for a draw, -1 if Black won,
    /// ``UNKNOWN_RESULT`` (2), or after a forfeit ``BOTH_LOSE`` (3), ``WHITE_HALF`` (4) or
    /// ``BLACK_HALF`` (5), where one side alone gets half a point. The result after the moves counts;
    /// if it is ``*`` or missing, the first tag ``Result``.
    #[pyo3(get)]
    results: Py<PyArray1<i8>>,
    /// White's ratings, ``int16`` of shape (G,); 0 if there is none.
    #[pyo3(get)]
    white_elo: Py<PyArray1<i16>>,
    /// Black's ratings, ``int16`` of shape (G,); 0 if there is none.
    #[pyo3(get)]
    black_elo: Py<PyArray1<i16>>,
    /// The time that the player has left after each move, from ``[%clk …]``: ``float32`` seconds of
    /// shape (P,); NaN if it is missing.
    #[pyo3(get)]
    clocks: Py<PyArray1<f32>>,
    /// The evaluation after each move, from ``[%eval …]``, or as tournament programs write it,
    /// ``+0.32/13 0.02s``: ``float32`` pawns of shape (P,), positive if White is better; NaN if it is
    /// missing or a mate.
    #[pyo3(get)]
    evals: Py<PyArray1<f32>>,
    /// The moves to the mate that an evaluation announces: ``int16`` of shape (P,), positive if White
    /// mates; 0 if it announces none. A mate on the board, ``#0``, counts as a mate in 1.
    #[pyo3(get)]
    mates: Py<PyArray1<i16>>,
    /// The line on which each game begins, from 1: ``int64`` of shape (G,).
    #[pyo3(get)]
    lines: Py<PyArray1<i64>>,
    /// The number of each game in the file, from 1: ``int64`` of shape (G,).
    #[pyo3(get)]
    game_numbers: Py<PyArray1<i64>>,
    /// Has the game an error, so that moves may be missing? ``bool`` of shape (G,). With
    /// ``errors="skip"`` there are no such games.
    #[pyo3(get)]
    broken: Py<PyArray1<bool>>,
    /// The number of words, brackets and move numbers in the main line that have no meaning or are
    /// wrong, without being errors: ``int32`` of shape (G,).
    #[pyo3(get)]
    remarks: Py<PyArray1<i32>>,
    /// The requested tags: the values of all games by name, with ``""`` for a missing one. If a game
    /// has a tag twice, the first one counts.
    #[pyo3(get)]
    tags: Py<PyDict>,
    /// The errors in games, in the order of the file, as a list of ``PgnError``.
    #[pyo3(get)]
    errors: Py<PyList>,
    positions: Option<Py<PyAny>>,
    final_positions: PyOnceLock<Py<PyAny>>,
    openings: PyOnceLock<Py<PyAny>>,
    /// The start positions other than the usual one, with the index of their game.
    starts: Vec<(usize, Position)>,
    len: usize,
}

impl Games {
    /// Takes the games of a part. After an error, such as the exception of a signal handler, the part
    /// is still there.
    pub(super) fn take(
        py: Python<'_>,
        part: &mut Option<Part>,
        plan: &Plan,
        name: Option<&Py<PyString>>,
    ) -> PyResult<Option<Self>> {
        let tags = PyDict::new(py);
        let columns = part.as_ref().map_or(&[][..], |part| &part.tags);
        for (tag, column) in plan.tags.iter().zip(columns) {
            tags.set_item(tag, column)?;
        }
        let problems = part.as_ref().map_or(&[][..], |part| &part.problems);
        let errors = problems.iter().map(|problem| pgn_error(py, problem, name));
        let errors = PyList::new(py, errors.collect::<PyResult<Vec<_>>>()?)?.unbind();
        let Some(part) = part.take() else { return Ok(None) };
        let len = part.len();
        let positions = if plan.positions { Some(batch_of(py, part.positions)?) } else { None };
        Ok(Some(Self {
            moves: part.moves.into_pyarray(py).unbind(),
            offsets: part.offsets.into_pyarray(py).unbind(),
            results: part.results.into_pyarray(py).unbind(),
            white_elo: part.white_elo.into_pyarray(py).unbind(),
            black_elo: part.black_elo.into_pyarray(py).unbind(),
            clocks: part.clocks.into_pyarray(py).unbind(),
            evals: part.evals.into_pyarray(py).unbind(),
            mates: part.mates.into_pyarray(py).unbind(),
            lines: part.lines.into_pyarray(py).unbind(),
            game_numbers: part.numbers.into_pyarray(py).unbind(),
            broken: part.broken.into_pyarray(py).unbind(),
            remarks: part.remarks.into_pyarray(py).unbind(),
            tags: tags.unbind(),
            errors,
            positions,
            final_positions: PyOnceLock::new(),
            openings: PyOnceLock::new(),
            starts: part.starts,
            len,
        }))
    }

    /// The start position of a game.
    fn start(&self, game: usize) -> Position {
        let found = self.starts.binary_search_by_key(&game, |&(index, _)| index);
        found.map_or(Position::START, |place| self.starts[place].1.clone())
    }

    /// The moves of a game in the array.
    fn moves_of(&self, py: Python<'_>, game: usize) -> PyResult<Vec<u16>> {
        let (offsets, moves) = (self.offsets.bind(py), self.moves.bind(py));
        let offset = |index: usize| {
            let offset = offsets.get_item(index)?.extract().map_err(|_| changed())?;
            if offset <= moves.len()? { Ok(offset) } else { Err(changed()) }
        };
        let (first, end): (usize, usize) = (offset(game)?, offset(game + 1)?);
        if first > end {
            return Err(changed());
        }
        let part = moves.get_item(PySlice::new(py, first as isize, end as isize, 1))?;
        let bytes = part.call_method0("tobytes")?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes().as_chunks().0;
        Ok(bytes.iter().map(|&bytes| u16::from_ne_bytes(bytes)).collect())
    }

    /// The start position of a game, and the position after each move.
    fn line(&self, py: Python<'_>, game: usize) -> PyResult<Vec<Position>> {
        py.check_signals()?;
        let mut line = vec![self.start(game)];
        for bits in self.moves_of(py, game)? {
            let last = &line[line.len() - 1];
            let next = match bits {
                NO_MOVE => last.play_null(),
                _ => Move::from_bits(bits).and_then(|mv| last.try_play(mv).ok()),
            };
            line.push(next.ok_or_else(changed)?);
        }
        Ok(line)
    }
}

fn changed() -> PyErr {
    PyRuntimeError::new_err("the arrays of the chunk have been changed")
}

/// The positions as a `Batch`.
fn batch_of(py: Python<'_>, positions: Vec<Position>) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, PyBatch::new(positions))?.into_any())
}

/// The exception about a game.
pub(super) fn pgn_error<'py>(
    py: Python<'py>,
    problem: &Problem,
    name: Option<&Py<PyString>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Problem { place, game, ply, message, .. } = problem;
    let arguments = (message, name, place.line, place.column, place.byte, game, ply);
    make!(py, "tabiya.errors", "PgnError", arguments)
}

#[pymethods]
impl Games {
    /// The position before each move, as a ``Batch`` of P positions.
    ///
    /// Raises ``ValueError`` if the file was read with ``positions=False``.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let positions = self.positions.as_ref().map(|positions| positions.clone_ref(py));
        let message = "there are no positions: the file was read with positions=False";
        positions.ok_or_else(|| PyValueError::new_err(message))
    }

    /// The last position of each game, as a ``Batch`` of G positions. It is made when it is first
    /// asked for, also if the file was read with ``positions=False``.
    ///
    /// >>> import tabiya
    /// >>> games = next(tabiya.read_pgn(b"1. f3 e5 2. g4 Qh4# 0-1 1. d4 *"))
    /// >>> games.final_positions.outcomes().tolist()
    /// [-1, 0]
    #[getter]
    fn final_positions(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        self.final_positions.get_or_try_init(py, || {
            let last = |game| self.line(py, game)?.pop().ok_or_else(changed);
            batch_of(py, (0..self.len).map(last).collect::<PyResult<_>>()?)
        })
    }

    /// The opening of each game, as a list of ``Opening``; ``None`` if no position of the game has a
    /// name. The last one that has a name counts. The list is made when it is first asked for.
    ///
    /// >>> import tabiya
    /// >>> games = next(tabiya.read_pgn(b"1. e4 c5 2. Nf3 a6 3. h3 h6 * 1. h3 h6 2. h4 h5 *"))
    /// >>> [str(opening) for opening in games.openings]
    /// ["B28 Sicilian Defense: O'Kelly Variation", 'A00 Clemenz Opening']
    #[getter]
    fn openings(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        self.openings.get_or_try_init(py, || {
            let table = py.import("tabiya.opening_names")?.call_method0("openings")?;
            let table = table.cast::<PyTuple>()?;
            let opening = |game| match Opening::of_line(&self.line(py, game)?) {
                Some(opening) => table.get_item(opening.index()),
                None => Ok(py.None().into_bound(py)),
            };
            let found = (0..self.len).map(opening).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, found)?.into_any().unbind())
        })
    }

    /// A game as a ``Game``, by its index in this chunk.
    ///
    /// Raises ``IndexError``, and ``ValueError`` for a game with a null move, which a ``Game`` can't
    /// hold.
    fn game(&self, py: Python<'_>, index: isize) -> PyResult<PyGame> {
        let wanted = if index < 0 { index + self.len as isize } else { index };
        let game =
            usize::try_from(wanted).ok().filter(|&game| game < self.len).ok_or_else(|| {
                PyIndexError::new_err(format!(
                    "there is no game {index} in a chunk of {}",
                    self.len
                ))
            })?;
        let mut found = Game::from_position(self.start(game));
        for bits in self.moves_of(py, game)? {
            if bits == NO_MOVE {
                let message =
                    "the game has a null move, so it can't be a Game; tabiya.pgn reads it";
                return Err(PyValueError::new_err(message));
            }
            let mv = Move::from_bits(bits).ok_or_else(changed)?;
            found.push(mv).map_err(|_| changed())?;
        }
        Ok(PyGame::from(found))
    }

    const fn __len__(&self) -> usize {
        self.len
    }

    /// A picture of the last positions of the first games, for notebooks; ``None`` if there are none.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let last = |game| {
            let position = self.line(py, game)?.pop().ok_or_else(changed)?;
            let mv = self.moves_of(py, game)?.pop().filter(|&bits| bits != NO_MOVE);
            let mv = mv.and_then(Move::from_bits);
            PyResult::Ok((*position.board(), mv.map(|mv| (mv.from(), mv.to()))))
        };
        let boards = (0..self.len.min(SHOWN)).map(last).collect::<PyResult<Vec<_>>>()?;
        Ok(plain_picture::svg_of_first("game", self.len, boards))
    }

    // An error that is raised holds the frame that raised it, which may hold this chunk. The list
    // and the dictionary break the cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.errors)?;
        visit.call(&self.tags)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (plies, errors) = (self.moves.bind(py).len()?, self.errors.bind(py).len());
        Ok(format!("<Games: games={}, plies={plies}, errors={errors}>", self.len))
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for (name, result) in OTHER_RESULTS {
        module.add(name, result_code(result))?;
    }
    classes::add::<Games>(module)
}
