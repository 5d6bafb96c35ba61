//! `Position`: one position that never changes.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use tabiya::order::See;
use tabiya::{CastlingMode, Position, PositionError};

use crate::bitboard::PyBitboard;
use crate::moves::{MoveArg, PyMove};
use crate::piece::PyPiece;
use crate::square::SquareArg;
use crate::{color, errors, explain, moves, outcome};

/// A playable position. It never changes: ``play`` returns the next one.
///
/// Two positions are equal if they are the same for play: the same pieces, side to move, castling
/// rights and *legal* en-passant capture. The move counters do not matter. Equal positions have
/// equal hashes and keys.
///
/// Without a FEN it is the start of a game. With ``chess960``, castling is written as the king taking
/// its own rook; a position whose castling rights exist only in Chess960 is written so anyway.
///
/// Raises ``FenError`` if the text is not the FEN of a playable position.
///
/// >>> import tabiya
/// >>> position = tabiya.Position()
/// >>> len(position.legal_moves())
/// 20
/// >>> position.play("e4").play("c7c5").fen()
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
#[pyclass(name = "Position", module = "tabiya", frozen)]
pub(crate) struct PyPosition(pub(crate) Position);

impl From<Position> for PyPosition {
    fn from(position: Position) -> Self {
        Self(position)
    }
}

/// The position in a FEN, with castling in the notation of Chess960 on request.
///
/// # Errors
/// `FenError`.
pub(crate) fn from_fen(py: Python<'_>, fen: &str, chess960: bool) -> PyResult<Position> {
    let position = Position::from_fen(fen).map_err(|error| errors::fen(py, fen, &error))?;
    if chess960 { in_chess960(position) } else { Ok(position) }
}

/// The same position with castling in the notation of Chess960.
pub(crate) fn in_chess960(position: Position) -> PyResult<Position> {
    position
        .with_castling_mode(CastlingMode::Chess960)
        .map_err(|error: PositionError| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (fen=None, chess960=false), text_signature = "(fen=START, chess960=False)")]
    fn new(py: Python<'_>, fen: Option<&str>, chess960: bool) -> PyResult<Self> {
        match fen {
            Some(fen) => from_fen(py, fen, chess960).map(Self),
            None if chess960 => in_chess960(Position::START).map(Self),
            None => Ok(Self(Position::START)),
        }
    }

    /// The legal moves, in the order of the generator.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = self.0.legal_moves();
        let objects = list.iter().map(|&mv| PyMove::of(py, &self.0, mv));
        PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }

    /// The position after a legal move, which is a ``Move`` or a text in any notation.
    ///
    /// The null move ``Move.null()`` passes the turn.
    ///
    /// Raises ``MoveError`` if the move is not legal, or if the text is not a move.
    #[pyo3(name = "play")]
    fn play_move(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<Self> {
        match r#move.resolve(py, &self.0)? {
            Some(mv) => Ok(Self(self.0.play(mv))),
            None => self.0.play_null().map(Self).ok_or_else(|| {
                PyValueError::new_err("the side to move is in check, so it cannot pass")
            }),
        }
    }

    /// The FEN.
    fn fen(&self) -> String {
        self.0.fen().to_string()
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPosition>()
}
