//! Functions on numbers of 64 bits, as python-chess has them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use tabiya::{Bitboard, Direction, Square, attacks};

use crate::bitboard::BitboardArg;
use crate::square::SquareArg;

/// A set with every square moved.
fn moved(set: Bitboard, place: impl Fn(Square) -> (u8, u8)) -> u64 {
    set.iter().fold(0, |all, square| {
        let (file, rank) = place(square);
        all | 1 << (8 * rank + file)
    })
}

fn shifted(set: Bitboard, directions: &[Direction]) -> u64 {
    directions.iter().fold(set, |set, &direction| set.shift(direction)).0
}

/// The lowest square of a set that is not empty.
///
/// Raises ``ValueError`` if it is empty.
///
/// >>> import tabiya
/// >>> tabiya.lsb(0b1100)
/// 2
#[pyfunction]
fn lsb(bb: BitboardArg) -> PyResult<u8> {
    bb.0.first().map(|square| square as u8).ok_or_else(empty)
}

/// The highest square of a set that is not empty.
///
/// Raises ``ValueError`` if it is empty.
///
/// >>> import tabiya
/// >>> tabiya.msb(0b1100)
/// 3
#[pyfunction]
fn msb(bb: BitboardArg) -> PyResult<u8> {
    bb.0.last().map(|square| square as u8).ok_or_else(empty)
}

fn empty() -> PyErr {
    PyValueError::new_err("the set is empty")
}

/// The number of squares of a set.
///
/// >>> import tabiya
/// >>> tabiya.popcount(tabiya.BB_RANK_1)
/// 8
#[pyfunction]
fn popcount(bb: BitboardArg) -> u32 {
    bb.0.len()
}

/// The squares of a set in ascending order.
///
/// >>> import tabiya
/// >>> list(tabiya.scan_forward(0b1101))
/// [0, 2, 3]
#[pyfunction]
fn scan_forward(py: Python<'_>, bb: BitboardArg) -> PyResult<Bound<'_, PyIterator>> {
    let squares: Vec<u8> = bb.0.iter().map(|square| square as u8).collect();
    PyList::new(py, squares)?.try_iter()
}

/// The squares of a set in descending order.
///
/// >>> import tabiya
/// >>> list(tabiya.scan_reversed(0b1101))
/// [3, 2, 0]
#[pyfunction]
fn scan_reversed(py: Python<'_>, bb: BitboardArg) -> PyResult<Bound<'_, PyIterator>> {
    let mut squares: Vec<u8> = bb.0.iter().map(|square| square as u8).collect();
    squares.reverse();
    PyList::new(py, squares)?.try_iter()
}

/// A set with the ranks exchanged.
///
/// >>> import tabiya
/// >>> tabiya.flip_vertical(tabiya.BB_RANK_1) == tabiya.BB_RANK_8
/// True
#[pyfunction]
fn flip_vertical(bb: BitboardArg) -> u64 {
    bb.0.flip_ranks().0
}

/// A set with the files exchanged.
///
/// >>> import tabiya
/// >>> tabiya.flip_horizontal(tabiya.BB_FILE_A) == tabiya.BB_FILE_H
/// True
#[pyfunction]
fn flip_horizontal(bb: BitboardArg) -> u64 {
    bb.0.flip_files().0
}

/// A set mirrored at the diagonal from a1 to h8.
///
/// >>> import tabiya
/// >>> tabiya.flip_diagonal(tabiya.BB_B1) == tabiya.BB_A2
/// True
#[pyfunction]
fn flip_diagonal(bb: BitboardArg) -> u64 {
    moved(bb.0, |square| (square.rank() as u8, square.file() as u8))
}

/// A set mirrored at the diagonal from a8 to h1.
///
/// >>> import tabiya
/// >>> tabiya.flip_anti_diagonal(tabiya.BB_A1) == tabiya.BB_H8
/// True
#[pyfunction]
fn flip_anti_diagonal(bb: BitboardArg) -> u64 {
    moved(bb.0, |square| (7 - square.rank() as u8, 7 - square.file() as u8))
}

/// The whole rank, file or diagonal through two squares, as a number of 64 bits; 0 if they share no
/// line.
///
/// >>> import tabiya
/// >>> tabiya.ray(tabiya.A1, tabiya.C1) == tabiya.BB_RANK_1
/// True
#[pyfunction]
fn ray(a: SquareArg, b: SquareArg) -> u64 {
    attacks::line(a.0, b.0).0
}

/// The squares strictly between two squares of one line, as a number of 64 bits.
///
/// >>> import tabiya
/// >>> tabiya.between(tabiya.A1, tabiya.C1) == tabiya.BB_B1
/// True
#[pyfunction]
fn between(a: SquareArg, b: SquareArg) -> u64 {
    attacks::between(a.0, b.0).0
}

/// Functions that move all squares of a set by one or two steps; squares that leave the board are
/// lost.
macro_rules! shifts {
    ($($name:ident: $what:literal, $($direction:ident)*;)*) => {
        $(
            #[doc = concat!("A set moved ", $what, "; squares that leave the board are lost.")]
            #[pyfunction]
            fn $name(b: BitboardArg) -> u64 {
                shifted(b.0, &[$(Direction::$direction),*])
            }
        )*

        fn register_shifts(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

shifts! {
    shift_up: "up by a rank", North;
    shift_2_up: "up by two ranks", North North;
    shift_down: "down by a rank", South;
    shift_2_down: "down by two ranks", South South;
    shift_right: "right by a file", East;
    shift_2_right: "right by two files", East East;
    shift_left: "left by a file", West;
    shift_2_left: "left by two files", West West;
    shift_up_left: "up and left", NorthWest;
    shift_up_right: "up and right", NorthEast;
    shift_down_left: "down and left", SouthWest;
    shift_down_right: "down and right", SouthEast;
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(lsb, module)?)?;
    module.add_function(wrap_pyfunction!(msb, module)?)?;
    module.add_function(wrap_pyfunction!(popcount, module)?)?;
    module.add_function(wrap_pyfunction!(scan_forward, module)?)?;
    module.add_function(wrap_pyfunction!(scan_reversed, module)?)?;
    module.add_function(wrap_pyfunction!(flip_vertical, module)?)?;
    module.add_function(wrap_pyfunction!(flip_horizontal, module)?)?;
    module.add_function(wrap_pyfunction!(flip_diagonal, module)?)?;
    module.add_function(wrap_pyfunction!(flip_anti_diagonal, module)?)?;
    module.add_function(wrap_pyfunction!(ray, module)?)?;
    module.add_function(wrap_pyfunction!(between, module)?)?;
    register_shifts(module)
}
