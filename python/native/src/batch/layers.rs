//! Sets of squares by name.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tabiya::{Bitboard, Position};
use tabiya_views::{Layer, Scene};

use crate::picture::input_error;
use crate::sizes;

/// The layers with these names.
///
/// # Errors
/// `TypeError`: they aren't several texts. `ValueError`: there is no such layer.
pub(super) fn named(names: &Bound<'_, PyAny>) -> PyResult<Vec<Layer>> {
    if names.is_instance_of::<PyString>() {
        let text = "names: expected a list of layers, not a single text";
        return Err(PyTypeError::new_err(text));
    }
    let layers = names.try_iter()?.map(|name| {
        let name = name?;
        let text = name.cast::<PyString>().map_err(|_| {
            let kind = name.get_type();
            PyTypeError::new_err(format!("names: expected the name of a layer, not {kind}"))
        })?;
        Layer::parse(text.to_str()?).map_err(|error| input_error("layer", &error))
    });
    sizes::collect(names.py(), layers)
}

/// Fills a row with the sets of each position.
pub(super) fn fill(layers: &[Layer], positions: &[Position], rows: &mut [u64]) {
    if layers.is_empty() {
        return;
    }
    for (position, row) in positions.iter().zip(rows.chunks_exact_mut(layers.len())) {
        let scene = Scene::from(position.clone());
        for (layer, set) in layers.iter().zip(row) {
            // A position is playable, so only a piece can be missing.
            *set = layer.squares(&scene).unwrap_or(Bitboard::EMPTY).0;
        }
    }
}
