//! `SquareSet`: a set of squares that can be changed.

use pyo3::exceptions::{PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};
use tabiya::{Bitboard, Board, Square, attacks};
use tabiya_views::Diagram;
use tabiya_views::layer::LayerSquares;
use tabiya_views::svg::Picture;

use super::copy::attributes;
use crate::bitboard::{BitboardArg, Operand, PyBitboard};
use crate::classes;
use crate::square::SquareArg;

/// A set of squares that can be changed, as ``set`` can. The methods of ``Board`` return it,
/// because programs for python-chess expect it. ``Bitboard`` is the set that cannot be changed.
///
/// It is made of a number of 64 bits, of another set, or of squares. ``mask`` is the number.
///
/// >>> import tabiya
/// >>> squares = tabiya.SquareSet([tabiya.A1, tabiya.H8])
/// >>> squares.add(tabiya.B2)
/// >>> tabiya.B2 in squares, len(squares), list(squares)
/// (True, 3, [0, 9, 63])
/// >>> int(squares & tabiya.BB_RANK_1)
/// 1
#[pyclass(module = "tabiya", subclass)]
#[derive(Clone, Copy)]
pub(crate) struct SquareSet {
    /// The squares as a number of 64 bits. It can be set.
    #[pyo3(get, set)]
    mask: u64,
}

impl SquareSet {
    /// The set with this number.
    pub(super) const fn of(mask: u64) -> Self {
        Self { mask }
    }

    const fn squares(&self) -> Bitboard {
        Bitboard(self.mask)
    }
}

/// The union of the sets.
fn union(others: &Bound<'_, PyTuple>) -> PyResult<u64> {
    others.iter().try_fold(0, |all, set| Ok(all | set.extract::<BitboardArg>()?.0.0))
}

/// The squares that are in all sets.
fn intersection(others: &Bound<'_, PyTuple>) -> PyResult<u64> {
    others.iter().try_fold(u64::MAX, |all, set| Ok(all & set.extract::<BitboardArg>()?.0.0))
}

/// Changes the set in place. The other sets must have been read before: their iterators may look at
/// this set.
fn change(set: &Bound<'_, SquareSet>, change: impl FnOnce(u64) -> u64) -> PyResult<()> {
    let mut set = set.try_borrow_mut()?;
    set.mask = change(set.mask);
    Ok(())
}

/// The result of an operator.
fn operate<'py>(
    set: &Bound<'py, SquareSet>,
    other: Operand,
    operator: impl FnOnce(u64, u64) -> u64,
) -> PyResult<Bound<'py, PyAny>> {
    other.combine(set.py(), |other| Ok(SquareSet::of(operator(set.try_borrow()?.mask, other.0))))
}

/// The number of places to shift by, at most 64.
///
/// # Errors
/// `TypeError`: it is no number. `ValueError`: it is negative.
fn places(shift: &Bound<'_, PyAny>) -> PyResult<u32> {
    let py = shift.py();
    let places = match shift.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(py) && shift.gt(0)? => i64::MAX,
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => i64::MIN,
        places => places?,
    };
    let text = "expected a number of places from 0, not a negative one";
    u32::try_from(places.min(64)).map_err(|_| PyValueError::new_err(text))
}

/// The set with each square moved by some places.
fn shifted<'py>(
    set: &Bound<'py, SquareSet>,
    shift: &Bound<'py, PyAny>,
    by: fn(u64, u32) -> Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = set.py();
    match places(shift) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            Ok(py.NotImplemented().into_bound(py))
        }
        places => {
            let mask = by(set.try_borrow()?.mask, places?).unwrap_or(0);
            Ok(Bound::new(py, SquareSet::of(mask))?.into_any())
        }
    }
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(
        signature = (squares=BitboardArg(Bitboard::EMPTY)),
        text_signature = "(squares=BB_EMPTY)"
    )]
    const fn new(squares: BitboardArg) -> Self {
        Self { mask: squares.0.0 }
    }

    /// The set of one square.
    #[classmethod]
    fn from_square<'py>(
        class: &Bound<'py, PyType>,
        square: SquareArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.call1((square.0.bitboard().0,))
    }

    /// The whole rank, file or diagonal through two squares; empty if they share no line.
    ///
    /// >>> import tabiya
    /// >>> len(tabiya.SquareSet.ray(tabiya.B2, tabiya.D4))
    /// 8
    #[classmethod]
    fn ray<'py>(
        class: &Bound<'py, PyType>,
        a: SquareArg,
        b: SquareArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.call1((attacks::line(a.0, b.0).0,))
    }

    /// The squares strictly between two squares of one rank, file or diagonal.
    ///
    /// >>> import tabiya
    /// >>> list(tabiya.SquareSet.between(tabiya.A1, tabiya.D4))
    /// [9, 18]
    #[classmethod]
    fn between<'py>(
        class: &Bound<'py, PyType>,
        a: SquareArg,
        b: SquareArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.call1((attacks::between(a.0, b.0).0,))
    }

    /// Adds a square.
    fn add(&mut self, square: SquareArg) {
        self.mask |= square.0.bitboard().0;
    }

    /// Removes a square, if it is in the set.
    fn discard(&mut self, square: SquareArg) {
        self.mask &= !square.0.bitboard().0;
    }

    /// Removes a square. Raises ``KeyError`` if it is not in the set.
    fn remove(&mut self, square: SquareArg) -> PyResult<()> {
        if !self.squares().has(square.0) {
            return Err(PyKeyError::new_err(square.0 as u8));
        }
        self.discard(square);
        Ok(())
    }

    /// Removes the lowest square and returns it. Raises ``KeyError`` if the set is empty.
    fn pop(&mut self) -> PyResult<u8> {
        let mut squares = self.squares();
        let square = squares
            .pop_first()
            .ok_or_else(|| PyKeyError::new_err("the set has no square to pop"))?;
        self.mask = squares.0;
        Ok(square as u8)
    }

    /// Removes all squares.
    fn clear(&mut self) {
        self.mask = 0;
    }

    /// A copy.
    const fn copy(&self) -> Self {
        *self
    }

    /// Have the two sets no square in common?
    fn isdisjoint(slf: &Bound<'_, Self>, other: BitboardArg) -> PyResult<bool> {
        Ok(!slf.try_borrow()?.squares().meets(other.0))
    }

    /// Are all squares in the other set?
    fn issubset(slf: &Bound<'_, Self>, other: BitboardArg) -> PyResult<bool> {
        Ok(slf.try_borrow()?.squares().is_subset(other.0))
    }

    /// Are all squares of the other set in this one?
    fn issuperset(slf: &Bound<'_, Self>, other: BitboardArg) -> PyResult<bool> {
        Ok(other.0.is_subset(slf.try_borrow()?.squares()))
    }

    /// The squares that are in this set or in another.
    #[pyo3(signature = (*others))]
    fn union(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let others = union(others)?;
        Ok(Self::of(slf.try_borrow()?.mask | others))
    }

    /// The squares that are in all sets.
    #[pyo3(signature = (*others))]
    fn intersection(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let others = intersection(others)?;
        Ok(Self::of(slf.try_borrow()?.mask & others))
    }

    /// The squares that are in none of the other sets.
    #[pyo3(signature = (*others))]
    fn difference(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let others = union(others)?;
        Ok(Self::of(slf.try_borrow()?.mask & !others))
    }

    /// The squares that are in one of the two sets alone.
    fn symmetric_difference(slf: &Bound<'_, Self>, other: BitboardArg) -> PyResult<Self> {
        Ok(Self::of(slf.try_borrow()?.mask ^ other.0.0))
    }

    /// Adds the squares of other sets.
    #[pyo3(signature = (*others))]
    fn update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let others = union(others)?;
        change(slf, |mask| mask | others)
    }

    /// Keeps the squares that are in all sets.
    #[pyo3(signature = (*others))]
    fn intersection_update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let others = intersection(others)?;
        change(slf, |mask| mask & others)
    }

    /// Removes the squares of other sets.
    #[pyo3(signature = (*others))]
    fn difference_update(slf: &Bound<'_, Self>, others: &Bound<'_, PyTuple>) -> PyResult<()> {
        let others = union(others)?;
        change(slf, |mask| mask & !others)
    }

    /// Keeps the squares that are in one of the two sets alone.
    fn symmetric_difference_update(slf: &Bound<'_, Self>, other: BitboardArg) -> PyResult<()> {
        change(slf, |mask| mask ^ other.0.0)
    }

    /// The set with ranks exchanged.
    fn mirror(&self) -> Self {
        Self::of(self.squares().flip_ranks().0)
    }

    /// 64 truth values, one for each square from a1 to h8.
    fn tolist(&self) -> Vec<bool> {
        Square::ALL.into_iter().map(|square| self.squares().has(square)).collect()
    }

    /// Every subset of the set, as numbers of 64 bits, as a list.
    ///
    /// Raises ``ValueError`` if the set has more than 16 squares.
    fn carry_rippler<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.squares().len() > 16 {
            let message = "a set of more than 16 squares has too many subsets";
            return Err(PyValueError::new_err(message));
        }
        let subsets = self.squares().subsets().map(|set| set.0);
        Ok(PyList::new(py, subsets.collect::<Vec<_>>())?.try_iter()?.into_any())
    }

    const fn __int__(&self) -> u64 {
        self.mask
    }

    const fn __index__(&self) -> u64 {
        self.mask
    }

    const fn __len__(&self) -> usize {
        self.squares().len() as usize
    }

    const fn __bool__(&self) -> bool {
        self.mask != 0
    }

    fn __contains__(&self, square: SquareArg) -> bool {
        self.squares().has(square.0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let squares: Vec<u8> = self.squares().iter().map(|square| square as u8).collect();
        Ok(PyList::new(py, squares)?.try_iter()?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut squares: Vec<u8> = self.squares().iter().map(|square| square as u8).collect();
        squares.reverse();
        Ok(PyList::new(py, squares)?.try_iter()?.into_any())
    }

    fn __or__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set | other)
    }

    fn __ror__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set | other)
    }

    fn __and__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set & other)
    }

    fn __rand__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set & other)
    }

    fn __xor__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set ^ other)
    }

    fn __rxor__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set ^ other)
    }

    fn __sub__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| set & !other)
    }

    fn __rsub__<'py>(slf: &Bound<'py, Self>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        operate(slf, other, |set, other| other & !set)
    }

    fn __ior__(slf: &Bound<'_, Self>, other: Operand) -> PyResult<()> {
        let other = other.set()?.0;
        change(slf, |mask| mask | other)
    }

    fn __iand__(slf: &Bound<'_, Self>, other: Operand) -> PyResult<()> {
        let other = other.set()?.0;
        change(slf, |mask| mask & other)
    }

    fn __ixor__(slf: &Bound<'_, Self>, other: Operand) -> PyResult<()> {
        let other = other.set()?.0;
        change(slf, |mask| mask ^ other)
    }

    fn __isub__(slf: &Bound<'_, Self>, other: Operand) -> PyResult<()> {
        let other = other.set()?.0;
        change(slf, |mask| mask & !other)
    }

    const fn __invert__(&self) -> Self {
        Self::of(!self.mask)
    }

    fn __lshift__<'py>(
        slf: &Bound<'py, Self>,
        shift: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        shifted(slf, shift, u64::checked_shl)
    }

    fn __rshift__<'py>(
        slf: &Bound<'py, Self>,
        shift: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        shifted(slf, shift, u64::checked_shr)
    }

    fn __ilshift__(slf: &Bound<'_, Self>, shift: &Bound<'_, PyAny>) -> PyResult<()> {
        let places = places(shift)?;
        change(slf, |mask| mask.checked_shl(places).unwrap_or(0))
    }

    fn __irshift__(slf: &Bound<'_, Self>, shift: &Bound<'_, PyAny>) -> PyResult<()> {
        let places = places(shift)?;
        change(slf, |mask| mask.checked_shr(places).unwrap_or(0))
    }

    /// Equal to each set of the same squares, and to the number.
    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.extract::<BitboardArg>() {
            Ok(other) => Ok(other.0.0 == slf.try_borrow()?.mask),
            // It is no set.
            Err(error)
                if error.is_instance_of::<PyTypeError>(slf.py())
                    || error.is_instance_of::<PyValueError>(slf.py()) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn __str__(&self) -> String {
        let text = self.squares().to_string().replace('X', "1");
        text.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let digits = format!("{:016x}", self.mask);
        let groups: Vec<_> = (0..4).map(|group| &digits[4 * group..4 * group + 4]).collect();
        format!("SquareSet(0x{})", groups.join("_"))
    }

    fn _repr_svg_(&self) -> String {
        let name = format!("{:#018x}", self.mask);
        let layer = LayerSquares { name, squares: self.squares(), note: None };
        let diagram = Diagram { layers: vec![layer], ..Diagram::new(Board::EMPTY) };
        Picture::new(vec![diagram], "A set of squares").to_string()
    }

    /// The same squares as a ``Bitboard``, which cannot be changed.
    const fn frozen(&self) -> PyBitboard {
        PyBitboard(self.squares())
    }

    /// For pickles and the module `copy`.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let (py, mask) = (slf.py(), slf.try_borrow()?.mask);
        // A user's subclass may have a constructor with other arguments, which is not called.
        let make = py.get_type::<Self>().getattr("__new__")?;
        Ok((make, (slf.get_type(), mask), attributes(slf.as_any())?))
    }
}

/// A function that makes the set, its arguments, and the attributes of a user's subclass.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, u64), Bound<'py, PyAny>);

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<SquareSet>(module)
}
