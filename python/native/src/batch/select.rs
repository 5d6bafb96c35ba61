//! Parts of a batch.

use std::fmt::Display;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyBool, PySlice};
use tabiya::Position;

use super::PyBatch;
use crate::arrays;
use crate::position::PyPosition;
use crate::sizes;

/// The position or the batch at an index.
pub(super) fn item<'py>(batch: &PyBatch, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = key.py();
    if let Ok(slice) = key.cast::<PySlice>() {
        let slice = slice.indices(batch.positions().len() as isize)?;
        return Ok(sliced(py, batch, &slice)?.into_pyobject(py)?.into_any());
    }
    // A truth value is a mistake, such as a mask that was reduced to one value.
    let is_bool = key.is_instance_of::<PyBool>();
    if !is_bool && key.hasattr("__index__")? && !key.hasattr("__len__")? {
        return one(batch, key);
    }
    let array = arrays::whole("index", key)?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    match (kind.as_str(), shape.as_slice()) {
        ("i" | "u", []) => one(batch, &array.call_method0("item")?),
        ("b", [rows]) => {
            // A NumPy array may hold other bytes than 0 and 1 as truth values; Rust's `bool` may not.
            let bytes = array.call_method1("view", ("u1",))?;
            let mask = arrays::input::<u8>("mask", &bytes)?;
            let positions = masked(py, batch.positions(), mask.as_slice()?, *rows)?;
            Ok(PyBatch::new(positions).into_pyobject(py)?.into_any())
        }
        ("i" | "u", [_]) | (_, [0]) => {
            if shape != [0]
                && let Some(row) = arrays::too_large(&array)?
            {
                return Err(no_row(&row, batch.positions().len()));
            }
            let rows = arrays::input::<i64>("rows", &array)?;
            let positions = taken(py, batch.positions(), rows.as_slice()?)?;
            Ok(PyBatch::new(positions).into_pyobject(py)?.into_any())
        }
        _ => {
            let text = "a batch is indexed by a number, a slice, a list of numbers or a mask";
            Err(PyTypeError::new_err(text))
        }
    }
}

fn one<'py>(batch: &PyBatch, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let row: i64 = key.extract().map_err(|error: PyErr| {
        let py = key.py();
        if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(py) {
            PyIndexError::new_err(format!("there is no row {key}"))
        } else {
            error
        }
    })?;
    let position = row_of(batch.positions(), row)?.clone();
    Ok(PyPosition::of(position).into_pyobject(key.py())?.into_any())
}

/// The position of a row; negative rows count from the end.
fn row_of(positions: &[Position], row: i64) -> PyResult<&Position> {
    let index = if row < 0 { row.checked_add(positions.len() as i64) } else { Some(row) };
    let index = index.and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| positions.get(index)).ok_or_else(|| no_row(&row, positions.len()))
}

fn no_row(row: &impl Display, rows: usize) -> PyErr {
    PyIndexError::new_err(format!("there is no row {row} in a batch of {rows}"))
}

fn sliced(py: Python<'_>, batch: &PyBatch, slice: &PySliceIndices) -> PyResult<PyBatch> {
    let start = slice.start.max(0) as usize;
    if slice.step == 1 {
        return Ok(batch.part(start, slice.slicelength));
    }
    let positions = batch.positions();
    let rows = (0..slice.slicelength as isize).map(|number| slice.start + number * slice.step);
    let chosen = rows.filter_map(|row| positions.get(row as usize)).cloned();
    sizes::collect(py, chosen.map(PyResult::Ok)).map(PyBatch::new)
}

fn masked(
    py: Python<'_>,
    positions: &[Position],
    mask: &[u8],
    rows: usize,
) -> PyResult<Vec<Position>> {
    if rows != positions.len() {
        let expected = positions.len();
        return Err(PyIndexError::new_err(format!(
            "expected a mask of {expected} values, one for each position, not of {rows}"
        )));
    }
    let chosen = positions.iter().zip(mask).filter(|&(_, &is_chosen)| is_chosen != 0);
    sizes::collect(py, chosen.map(|(position, _)| PyResult::Ok(position.clone())))
}

fn taken(py: Python<'_>, positions: &[Position], rows: &[i64]) -> PyResult<Vec<Position>> {
    sizes::collect(py, rows.iter().map(|&row| row_of(positions, row).cloned()))
}
