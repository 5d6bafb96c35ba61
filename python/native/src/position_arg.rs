//! A position as an argument: an object or a FEN.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tabiya::{CastlingMode, Position};

use crate::board::PyBoard;
use crate::position::{PyPosition, from_fen, in_chess960};

/// A position, given as a `Position`, a `Board` or a FEN.
pub(crate) enum PositionArg<'py> {
    Position(Bound<'py, PyPosition>),
    Fen(Bound<'py, PyString>),
}

impl<'py> FromPyObject<'_, 'py> for PositionArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = object.cast::<PyPosition>() {
            return Ok(Self::Position(position.to_owned()));
        }
        if let Ok(board) = object.cast::<PyBoard>() {
            let position = board.try_borrow()?.position(object.py())?;
            return Ok(Self::Position(Bound::new(object.py(), position)?));
        }
        match object.cast::<PyString>() {
            Ok(fen) => Ok(Self::Fen(fen.to_owned())),
            Err(_) => {
                let kind = object.get_type();
                let advice = if object.hasattr("fen")? { "; give its fen()" } else { "" };
                let text = format!("expected a Position or a FEN, not {kind}{advice}");
                Err(PyTypeError::new_err(text))
            }
        }
    }
}

/// The position that was given, or the start of a game; with castling in the notation of Chess960
/// on request.
///
/// # Errors
/// `FenError`.
pub(crate) fn position_of(
    py: Python<'_>,
    argument: Option<&PositionArg<'_>>,
    chess960: bool,
) -> PyResult<Position> {
    let position = match argument {
        Some(PositionArg::Fen(fen)) => return from_fen(py, fen.to_str()?, chess960),
        Some(PositionArg::Position(position)) => position.get().position().clone(),
        None => Position::START,
    };
    if chess960 && position.castling_mode() != CastlingMode::Chess960 {
        return in_chess960(position);
    }
    Ok(position)
}
