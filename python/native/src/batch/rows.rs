//! Arrays with a row for each position.

use numpy::Element;
use pyo3::prelude::*;
use tabiya::Position;
use tabiya::attacks::{DefaultSliders, MethodVisitor, Sliders};

use crate::arrays::Output;
use crate::sizes;
use crate::threads::{BLOCK, ThreadsArg, Work};

/// Fills an array row by row. Its first axis is the positions, and its other axes are `tail`.
///
/// # Errors
/// `out` cannot be written to, `threads` is wrong, or a signal has arrived.
pub(super) fn fill<'py, T: Element + Send>(
    py: Python<'py>,
    positions: &[Position],
    out: Option<&Bound<'py, PyAny>>,
    tail: &[usize],
    threads: ThreadsArg,
    fill_row: impl Fn(&Position, &mut [T]) + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let width = tail.iter().product();
    fill_blocks(py, positions, out, tail, threads, |positions, rows: &mut [T]| {
        for (position, row) in positions.iter().zip(rows.chunks_exact_mut(width)) {
            fill_row(position, row);
        }
    })
}

/// The same with one value for each position.
///
/// # Errors
/// As [`fill`].
pub(super) fn values<'py, T: Element + Send>(
    py: Python<'py>,
    positions: &[Position],
    out: Option<&Bound<'py, PyAny>>,
    threads: ThreadsArg,
    value: impl Fn(&Position) -> T + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    fill_blocks(py, positions, out, &[], threads, |positions, values: &mut [T]| {
        for (position, place) in positions.iter().zip(values) {
            *place = value(position);
        }
    })
}

/// Fills an array block by block.
///
/// # Errors
/// As [`fill`].
pub(super) fn fill_blocks<'py, T: Element + Send>(
    py: Python<'py>,
    positions: &[Position],
    out: Option<&Bound<'py, PyAny>>,
    tail: &[usize],
    threads: ThreadsArg,
    fill_block: impl Fn(&[Position], &mut [T]) + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::on(positions.len(), threads)?;
    let shape = [&[positions.len()], tail].concat();
    let mut output = Output::new(py, out, &shape)?;
    let width: usize = tail.iter().product();
    let blocks = positions.chunks(BLOCK).zip(output.values()?.chunks_mut((BLOCK * width).max(1)));
    work.run(py, blocks, |(positions, rows)| fill_block(positions, rows))?;
    Ok(output.finish())
}

/// Runs a visitor with the fastest slider method of this CPU, in code that is compiled for it.
#[inline(always)]
pub(super) fn with_sliders(visitor: &mut impl MethodVisitor) {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = tabiya::attacks::Pext::detect() {
        return pext.enter(visitor);
    }
    DefaultSliders::default().enter(visitor);
}

/// Room for this many positions, each of which is the start of a game for now.
///
/// # Errors
/// `MemoryError`, or the exception of a signal handler.
pub(super) fn room(py: Python<'_>, rows: usize) -> PyResult<Vec<Position>> {
    sizes::filled(py, rows, &Position::START)
}
