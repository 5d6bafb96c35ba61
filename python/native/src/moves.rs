//! Moves: two squares and a promotion, as UCI writes them.
//!
//! Every move is one object, so a list of moves is a list of references and creates no objects.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use tabiya::{Move, NotationError, Position, Role, UciError, UciMove};

use crate::classes;
use crate::interned::{self, Interned};
use crate::square::SquareArg;
use crate::{errors, piece};

/// A move: its origin, its target, and the piece to which a pawn promotes. ``str`` is UCI. ``drop``
/// is for variants, and always ``None``.
///
/// A move belongs to no position. In standard chess, castling is the move of the king; in Chess960,
/// the king takes its own rook. Equal moves are equal and have equal hashes.
///
/// >>> import tabiya
/// >>> move = tabiya.Move("e7", "e8", tabiya.QUEEN)
/// >>> str(move), move.from_square, move.to_square, move.promotion
/// ('e7e8q', 52, 60, 5)
/// >>> tabiya.Move.from_uci("e2e4") in tabiya.Position().legal_moves()
/// True
#[pyclass(name = "Move", module = "tabiya", frozen)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyMove {
    /// `None` for the null move.
    pub(crate) uci: Option<UciMove>,
}

/// The number of promotions: one to each of the pieces, and none. Those to pawns and kings are
/// never legal.
const PROMOTIONS: usize = 7;
/// The number of texts that are moves, with the null move as the last.
const MOVES: usize = 64 * 64 * PROMOTIONS + 1;

/// The moves that have been asked for.
static INTERNED: [Interned<PyMove>; MOVES] = [const { Interned::new() }; MOVES];

impl PyMove {
    /// The null move.
    pub(crate) const NULL: Self = Self { uci: None };

    /// The index of the move in the table of all moves.
    fn index(self) -> usize {
        let Some(UciMove { from, to, promotion }) = self.uci else { return MOVES - 1 };
        let promotion = match promotion {
            None => 0,
            Some(Role::Pawn) => PROMOTIONS - 1,
            Some(role) => role as usize,
        };
        (promotion * 64 + to as usize) * 64 + from as usize
    }

    /// The only object of this move.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<&'static Py<Self>> {
        interned::object(&INTERNED[self.index()], py, self)
    }

    /// The object of a legal move of a position, in the position's notation of castling.
    #[inline]
    pub(crate) fn of(py: Python<'_>, position: &Position, mv: Move) -> PyResult<&'static Py<Self>> {
        if mv.castling().is_none() {
            // The bits of a move and the index have the squares in the same place.
            let promotion = mv.promotion().map_or(0, |role| role as usize);
            let index = promotion << 12 | usize::from(mv.bits() & 0xfff);
            if let Some(object) = INTERNED[index].get() {
                return Ok(object);
            }
        }
        Self { uci: Some(position.uci(mv)) }.object(py)
    }

    /// The text in XBoard's protocol, except that castling in Chess960 is not written in its
    /// notation.
    pub(crate) fn xboard_text(self) -> String {
        if self.uci.is_none() { "@@@@".to_owned() } else { self.text() }
    }

    /// The text in UCI.
    pub(crate) fn text(self) -> String {
        self.uci.map_or_else(|| "0000".to_owned(), |uci| uci.to_string())
    }
}

/// The objects of moves of a position, as a list.
pub(crate) fn list<'py>(
    py: Python<'py>,
    position: &Position,
    moves: &[Move],
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, moves.iter().map(|&mv| Written { position, mv }))
}

/// A move of a position, to be written as an object.
struct Written<'a> {
    position: &'a Position,
    mv: Move,
}

impl<'py> IntoPyObject<'py> for Written<'_> {
    type Target = PyMove;
    type Output = Borrowed<'py, 'py, PyMove>;
    type Error = PyErr;

    #[inline]
    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(PyMove::of(py, self.position, self.mv)?.bind_borrowed(py))
    }
}

/// A move as an argument: an object, or text in any notation.
pub(crate) enum MoveArg<'py> {
    Move(Bound<'py, PyMove>),
    Text(Bound<'py, PyString>),
}

impl<'py> FromPyObject<'_, 'py> for MoveArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(object) = object.cast::<PyMove>() {
            return Ok(Self::Move(object.to_owned()));
        }
        match object.cast::<PyString>() {
            Ok(text) => Ok(Self::Text(text.to_owned())),
            Err(_) => Err(no_move("expected a Move or its text", &object)),
        }
    }
}

/// A move as an argument: an object. It need not be legal.
#[derive(Clone, Copy)]
pub(crate) struct MoveObject(pub(crate) PyMove);

impl<'py> FromPyObject<'_, 'py> for MoveObject {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyMove>() {
            Ok(object) => Ok(Self(*object.get())),
            Err(_) => Err(no_move("expected a Move", &object)),
        }
    }
}

/// The error for an object that is not a move, with a hint if it can be converted to one.
fn no_move(expected: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let advice = || {
        PyResult::Ok(if object.hasattr("from_square")? {
            "; tabiya.from_chess converts moves of python-chess"
        } else if object.hasattr("__index__")? {
            "; Position.move_from_bits makes a Move of 16 bits"
        } else {
            ""
        })
    };
    match advice() {
        Ok(advice) => {
            PyTypeError::new_err(format!("{expected}, not {}{advice}", object.get_type()))
        }
        // The object's own methods raised it.
        Err(error) => error,
    }
}

impl MoveArg<'_> {
    /// The legal move of a position; `None` for the null move as an object.
    ///
    /// # Errors
    /// `MoveError`: it is not a legal move.
    pub(crate) fn resolve(&self, py: Python<'_>, position: &Position) -> PyResult<Option<Move>> {
        match self {
            Self::Move(object) => match object.get().uci {
                Some(uci) => find(py, position, uci).map(Some),
                None => Ok(None),
            },
            Self::Text(text) => parse(py, position, text.to_str()?).map(Some),
        }
    }

    /// The text, which need not be that of a legal move.
    pub(crate) fn text(&self) -> PyResult<String> {
        match self {
            Self::Move(object) => Ok(object.get().text()),
            Self::Text(text) => Ok(text.to_str()?.to_owned()),
        }
    }

    /// The legal move of a position, which is not a null move.
    ///
    /// # Errors
    /// `MoveError`: it is not a legal move.
    pub(crate) fn legal(&self, py: Python<'_>, position: &Position) -> PyResult<Move> {
        self.resolve(py, position)?
            .ok_or_else(|| errors::notation(py, position, "0000", &NotationError::Null { len: 4 }))
    }
}

/// The legal move for a move of UCI, in either notation of castling.
fn find(py: Python<'_>, position: &Position, uci: UciMove) -> PyResult<Move> {
    position.explain(uci).verdict().map_err(|refusal| {
        let text = uci.to_string();
        let error = NotationError::Uci(UciError::Illegal { refusal, len: text.len() });
        errors::notation(py, position, &text, &error)
    })
}

/// The legal move for a text in any notation.
///
/// # Errors
/// `MoveError`: it is not a legal move.
pub(crate) fn parse(py: Python<'_>, position: &Position, text: &str) -> PyResult<Move> {
    position.parse_move(text).map_err(|error| errors::notation(py, position, text, &error))
}

/// The move for a text in UCI with a promotion to a king or a pawn.
fn impossible_promotion(text: &str) -> Option<UciMove> {
    let (squares, role) = match text.strip_suffix('k') {
        Some(squares) => (squares, Role::King),
        None => (text.strip_suffix('p')?, Role::Pawn),
    };
    let mv: UciMove = squares.parse().ok()?;
    mv.promotion.is_none().then_some(UciMove { promotion: Some(role), ..mv })
}

#[pymethods]
impl PyMove {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&str, &str, &str, &str) = ("from_square", "to_square", "promotion", "drop");

    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    pub(crate) fn new(
        py: Python<'_>,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<i64>,
        drop: Option<i64>,
    ) -> PyResult<&'static Py<Self>> {
        if drop.is_some() {
            return Err(PyValueError::new_err("drop: pieces are dropped in variants alone"));
        }
        let role = promotion.map(piece::role).transpose()?;
        let uci = UciMove { from: from_square.0, to: to_square.0, promotion: role };
        Self { uci: Some(uci) }.object(py)
    }

    /// The move with this text in UCI, such as ``e2e4`` or ``e7e8q``; ``0000`` is the null move. It
    /// may name a promotion to a king or a pawn, which is never legal.
    ///
    /// Raises ``InvalidMoveError`` if the text is not a move.
    #[staticmethod]
    fn from_uci(py: Python<'_>, uci: &str) -> PyResult<&'static Py<Self>> {
        if uci == "0000" {
            return Self::NULL.object(py);
        }
        let read = uci.parse().or_else(|error| impossible_promotion(uci).ok_or(error));
        let uci = read.map_err(|error| errors::uci(py, uci, &error))?;
        Self { uci: Some(uci) }.object(py)
    }

    /// The null move, which passes the turn. It is the only move that is false.
    #[staticmethod]
    fn null(py: Python<'_>) -> PyResult<&'static Py<Self>> {
        Self::NULL.object(py)
    }

    /// The square that the piece leaves, from 0 (a1) to 63 (h8).
    #[getter(from_square)]
    fn origin(&self) -> u8 {
        self.uci.map_or(0, |uci| uci.from as u8)
    }

    /// The square to which the piece moves; in Chess960, castling is written as the king taking its
    /// own rook.
    #[getter(to_square)]
    fn target(&self) -> u8 {
        self.uci.map_or(0, |uci| uci.to as u8)
    }

    /// The type of the piece to which a pawn promotes, or ``None``.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        self.uci.and_then(|uci| uci.promotion).map(piece::number)
    }

    /// ``None``: a piece that is dropped, in variants.
    #[getter]
    const fn drop(&self) -> Option<u8> {
        None
    }

    /// The text as in XBoard's protocol: UCI, but ``@@@@`` for the null move.
    fn xboard(&self) -> String {
        self.xboard_text()
    }

    /// The text in UCI.
    fn uci(&self) -> String {
        self.text()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.text())
    }

    const fn __bool__(&self) -> bool {
        self.uci.is_some()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self == other
    }

    fn __hash__(&self) -> usize {
        self.index()
    }

    const fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_uci")?, (self.text(),)))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyMove>(module)
}
