//! The reasons why a move is not legal, as values of `tabiya.explanation`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya::Position;
use tabiya_views::explain::{self, DetailValue, ReasonAnswer};

use crate::data::make;
use crate::errors;

/// Explains a move of a position.
///
/// # Errors
/// `InvalidMoveError`: the text is not a move, or several pieces can make it.
pub(crate) fn explain<'py>(
    py: Python<'py>,
    position: &Position,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let explained = explain::explain(position, text)
        .map_err(|error| errors::move_text(py, position, text, &error))?;
    let sentence = explained.to_string();
    let answer = explain::MoveAnswer::new(position, &explained);
    let reasons = answer.reasons.iter().map(|it| reason(py, it)).collect::<PyResult<Vec<_>>>()?;
    let arguments = (
        sentence,
        answer.text,
        answer.uci,
        answer.san,
        reasons,
        answer.omitted,
        answer.instead,
        position.fen().to_string(),
    );
    make!(py, "tabiya.explanation", "Explanation", arguments)
}

fn reason<'py>(py: Python<'py>, reason: &ReasonAnswer) -> PyResult<Bound<'py, PyAny>> {
    let details = PyDict::new(py);
    for (name, value) in &reason.details {
        details.set_item(name, detail(py, value)?)?;
    }
    let piece = reason.piece.as_ref().map(|it| detail(py, it)).transpose()?;
    make!(py, "tabiya.explanation", "Reason", (reason.name, &reason.sentence, piece, details))
}

fn detail<'py>(py: Python<'py>, value: &DetailValue) -> PyResult<Bound<'py, PyAny>> {
    match value {
        DetailValue::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
        DetailValue::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
        DetailValue::Piece { role, color, square } => {
            make!(py, "tabiya.explanation", "PlacedPiece", (role, color, square))
        }
    }
}
