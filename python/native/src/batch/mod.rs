//! `Batch`: many positions at once, to and from arrays.
//!
//! Python sees `methods`. Behind it, each file has one topic: the sources of positions (`texts`,
//! `read`, `lines`, `random`), their conversion (`planes`, `features`, `layers`, `mask`, `encoding`,
//! `facts`, `write`), work on
//! them (`moves`, `perft`, `select`), and the rows that threads share (`rows`).

mod cpu;
mod encoding;
mod facts;
mod features;
mod layers;
mod lines;
mod mask;
mod methods;
mod moves;
mod perft;
mod planes;
mod random;
mod read;
mod reason;
mod rows;
mod select;
mod texts;
mod uci;
mod write;

use std::ops::Range;
use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabiya::Position;

use self::encoding::{Encoding, Orientation};
use crate::classes;

/// Many positions, to and from NumPy arrays.
///
/// A batch never changes. Slices share its memory. It is made by one of the methods ``from_fens``,
/// ``from_fen_bytes``, ``from_lines``, ``from_epds``, ``from_packed``, ``from_positions``, ``random``
/// and ``concat``.
///
/// Below, N is the number of positions. Methods that make an array take ``out=``, an array of that
/// shape and dtype to write to, or a tensor that has the method ``__dlpack__`` and is in the memory of
/// the CPU; it must be C-contiguous, and it is returned. They take
/// ``threads=``: the number of threads, by default that of the CPUs that the process may use; the
/// calling thread processes a small batch alone. Other Python threads run meanwhile, and Ctrl-C
/// interrupts. All methods raise ``TypeError`` or ``ValueError`` if an argument is wrong, and
/// ``OverflowError`` for a number that has no place in 64 bits.
///
/// >>> import tabiya
/// >>> batch = tabiya.Batch.from_fens([tabiya.START, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
/// >>> batch
/// <tabiya.Batch of 2 positions>
/// >>> batch.planes().shape, batch.legal_mask().sum(axis=1).tolist()
/// ((2, 12, 8, 8), [20, 0])
/// >>> batch[1]
/// 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1
/// >>> len(batch[:1])
/// 1
#[pyclass(name = "Batch", module = "tabiya", frozen, sequence)]
pub(crate) struct PyBatch {
    positions: Arc<Vec<Position>>,
    /// The positions that belong to this batch.
    range: Range<usize>,
}

impl PyBatch {
    /// A batch of these positions.
    pub(crate) fn new(positions: Vec<Position>) -> Self {
        let range = 0..positions.len();
        Self { positions: Arc::new(positions), range }
    }

    /// The positions.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions[self.range.clone()]
    }

    /// A part of this batch, which shares its memory.
    fn part(&self, start: usize, len: usize) -> Self {
        let start = (self.range.start + start).min(self.range.end);
        let end = (start + len).min(self.range.end);
        Self { positions: Arc::clone(&self.positions), range: start..end }
    }

    fn whole(&self) -> Self {
        self.part(0, self.range.len())
    }
}

/// The moves of an encoding by number: shape (1968, 3), (4672, 3) or (1858, 3), dtype ``int8``. The columns
/// are origin, target and promotion (0 for none); all are -1 if the number leads off the board.
#[pyfunction]
#[pyo3(signature = (encoding))]
fn encoding_table(py: Python<'_>, encoding: Encoding) -> PyResult<Bound<'_, PyArray2<i8>>> {
    let rows = encoding.table().into_iter().map(|mv| match mv {
        None => vec![-1; 3],
        Some(mv) => {
            let promotion = mv.promotion.map_or(0, crate::piece::number);
            vec![mv.from as i8, mv.to as i8, promotion as i8]
        }
    });
    Ok(PyArray2::from_vec2(py, &rows.collect::<Vec<_>>())?)
}

/// For tests: the masks of a batch as bytes, once for each kind of CPU to which this one belongs.
#[pyfunction]
fn _masks_by_each_cpu<'py>(
    py: Python<'py>,
    batch: &PyBatch,
    orientation: Orientation,
) -> Vec<Bound<'py, PyBytes>> {
    let masks = mask::by_each_cpu(batch.positions(), orientation);
    masks.iter().map(|mask| PyBytes::new(py, mask)).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_masks_by_each_cpu, module)?)?;
    classes::add::<PyBatch>(module)?;
    module.add_function(wrap_pyfunction!(encoding_table, module)?)
}
