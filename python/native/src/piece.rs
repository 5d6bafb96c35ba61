//! Pieces: a type from 1 (pawn) to 6 (king), and a colour.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tabiya::{Piece, Role};

use crate::classes;
use crate::color;
use crate::color::ColorArg;
use crate::errors;
use crate::interned::{self, Interned};

/// The number of a role, from 1 (pawn) to 6 (king).
pub(crate) const fn number(role: Role) -> u8 {
    role as u8 + 1
}

/// The role for a number from 1 (pawn) to 6 (king).
///
/// # Errors
/// `ValueError`.
pub(crate) fn role(number: i64) -> PyResult<Role> {
    let index = usize::try_from(number - 1).ok();
    index.and_then(|index| Role::ALL.get(index)).copied().ok_or_else(|| {
        PyValueError::new_err(format!(
            "expected a piece type from 1 (pawn) to 6 (king), not {number}"
        ))
    })
}

/// A piece: its type and its colour. Equal pieces are equal and have equal hashes.
///
/// >>> import tabiya
/// >>> tabiya.Piece(tabiya.KNIGHT, tabiya.WHITE)
/// Piece.from_symbol('N')
/// >>> str(tabiya.Position().piece_at("e8"))
/// 'k'
#[pyclass(name = "Piece", module = "tabiya", frozen, eq, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyPiece(pub(crate) Piece);

/// The pieces that have been asked for: White's from pawn to king, then Black's.
static INTERNED: [Interned<PyPiece>; 12] = [const { Interned::new() }; 12];

impl PyPiece {
    /// The index in the table of all pieces.
    const fn index(self) -> usize {
        self.0.color as usize * Role::ALL.len() + self.0.role as usize
    }

    /// The shared object of this piece.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<&'static Py<Self>> {
        interned::object(&INTERNED[self.index()], py, self)
    }
}

#[pymethods]
impl PyPiece {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&str, &str) = ("piece_type", "color");

    #[new]
    fn new(piece_type: i64, color: ColorArg) -> PyResult<Self> {
        Ok(Self(Piece { color: color.0, role: role(piece_type)? }))
    }

    /// The piece for a letter: upper case for White, lower case for Black.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Self> {
        let mut letters = symbol.chars();
        let piece = letters.next().and_then(Piece::from_fen).filter(|_| letters.next().is_none());
        piece.map(Self).ok_or_else(|| {
            let symbol = errors::quoted(symbol);
            PyValueError::new_err(format!("expected one of PNBRQKpnbrqk, not {symbol}"))
        })
    }

    /// The type: ``PAWN`` (1), ``KNIGHT``, ``BISHOP``, ``ROOK``, ``QUEEN`` or ``KING`` (6).
    #[getter]
    const fn piece_type(&self) -> u8 {
        number(self.0.role)
    }

    /// The colour: ``WHITE`` (``True``) or ``BLACK`` (``False``).
    #[getter]
    const fn color(&self) -> bool {
        color::to_bool(self.0.color)
    }

    /// The letter: upper case for White, lower case for Black.
    fn symbol(&self) -> char {
        self.0.fen()
    }

    /// The figurine, such as ``♞``.
    ///
    /// With ``invert_color``, that of the other colour, for dark backgrounds.
    #[pyo3(signature = (*, invert_color=false))]
    fn unicode_symbol(&self, invert_color: bool) -> char {
        let Piece { color, role } = self.0;
        role.of(if invert_color { !color } else { color }).unicode()
    }

    const fn __hash__(&self) -> usize {
        self.index()
    }

    fn __str__(&self) -> String {
        self.0.fen().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.0.fen())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u8, bool)) {
        (py.get_type::<Self>(), (self.piece_type(), self.color()))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyPiece>(module)
}
