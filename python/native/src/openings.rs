//! The names of openings: those of a line of play, and the table of all.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tabiya_openings::Opening;

use crate::board::PyBoard;
use crate::game::PyGame;
use crate::position::PyPosition;

/// The code and the name of each opening.
#[pyfunction]
fn opening_table() -> Vec<(&'static str, &'static str)> {
    Opening::all().map(|opening| (opening.eco(), opening.name())).collect()
}

/// The place in that table of the opening of a position, or of the last named position of a board
/// or a game; ``None`` if there is none.
#[pyfunction]
fn opening_index(of: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let opening = if let Ok(position) = of.cast::<PyPosition>() {
        Opening::at(position.get().position())
    } else if let Ok(board) = of.cast::<PyBoard>() {
        board.try_borrow()?.positions_back().find_map(Opening::at)
    } else if let Ok(game) = of.cast::<PyGame>() {
        Opening::of_line(game.try_borrow()?.line())
    } else {
        let kind = of.get_type();
        let message = format!("expected a Position, a Board, a Game or a node, not {kind}");
        return Err(PyTypeError::new_err(message));
    };
    Ok(opening.map(Opening::index))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(opening_table, module)?)?;
    module.add_function(wrap_pyfunction!(opening_index, module)?)
}
