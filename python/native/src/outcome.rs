//! Outcomes of games, as values of `tabiya.outcome`.

use pyo3::prelude::*;
use tabiya::Outcome;

use crate::color;
use crate::data::make;

/// The Python value of an outcome.
pub(crate) fn to_python(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyAny>> {
    let winner = outcome.winner().map(color::to_bool);
    let termination = make!(py, "tabiya.outcome", "Termination", (outcome.name(),))?;
    make!(py, "tabiya.outcome", "Outcome", (termination, winner))
}
