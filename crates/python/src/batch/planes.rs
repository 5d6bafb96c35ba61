//! Boards as arrays: sets of squares, and a plane for each kind of piece.

use numpy::Element;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tabiya::{CastlingSide, Color, Position, Role};

use super::encoding::Orientation;
use super::rows;
use crate::arrays;
use crate::threads::ThreadsArg;

/// The number of kinds of pieces.
const PIECES: usize = 12;
/// The planes beside those of the pieces: the side to move, four castling rights, en passant, and
/// two clocks.
const EXTRA: usize = 8;

/// An element of a plane.
trait Level: Element + Copy + Send {
    const ZERO: Self;
    const ONE: Self;

    /// A number, at most 255.
    fn number(number: u16) -> Self;
}

impl Level for u8 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn number(number: u16) -> Self {
        Self::try_from(number).unwrap_or(Self::MAX)
    }
}

impl Level for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn number(number: u16) -> Self {
        Self::from(number.min(255))
    }
}

/// The sets of the pieces, White's before Black's or own before the opponent's.
pub(super) fn bitboards(orientation: Orientation) -> impl Fn(&Position, &mut [u64]) {
    move |position, row| {
        let board = position.board();
        let bottom = orientation.bottom(position.turn());
        for (color, half) in [bottom, !bottom].into_iter().zip(row.chunks_exact_mut(6)) {
            for (role, set) in Role::ALL.into_iter().zip(half) {
                let pieces = board.pieces(color, role);
                *set = if bottom == Color::White { pieces.0 } else { pieces.flip_ranks().0 };
            }
        }
    }
}

/// How planes are to be made.
pub(super) struct Planes {
    pub(super) orientation: Orientation,
    pub(super) extra: bool,
}

impl Planes {
    /// The planes of the positions.
    ///
    /// # Errors
    /// The data type is neither `uint8` nor `float32`; or as [`rows::fill`].
    pub(super) fn of<'py>(
        &self,
        py: Python<'py>,
        positions: &[Position],
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        match arrays::wanted(dtype, out)? {
            None => self.with_levels::<u8>(py, positions, out, threads),
            Some(wanted) if arrays::is::<u8>(&wanted) => {
                self.with_levels::<u8>(py, positions, out, threads)
            }
            Some(wanted) if arrays::is::<f32>(&wanted) => {
                self.with_levels::<f32>(py, positions, out, threads)
            }
            Some(wanted) => {
                let text = format!("dtype: planes are uint8 or float32, not {wanted}");
                Err(PyTypeError::new_err(text))
            }
        }
    }

    fn with_levels<'py, T: Level>(
        &self,
        py: Python<'py>,
        positions: &[Position],
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let channels = PIECES + if self.extra { EXTRA } else { 0 };
        rows::fill(py, positions, out, &[channels, 8, 8], threads, |position, row: &mut [T]| {
            row.fill(T::ZERO);
            self.place_pieces(position, row);
            if self.extra {
                self.fill_extra(position, &mut row[PIECES * 64..]);
            }
        })
    }

    #[inline(always)]
    fn place_pieces<T: Level>(&self, position: &Position, row: &mut [T]) {
        let board = position.board();
        let bottom = self.orientation.bottom(position.turn());
        let flip = self.orientation.flip(position.turn());
        let Some(row) = row.first_chunk_mut::<{ PIECES * 64 }>() else { return };
        for (color, first) in [(bottom, 0), (!bottom, 6 * 64)] {
            for role in Role::ALL {
                for square in board.pieces(color, role) {
                    row[first + 64 * role as usize + usize::from(square as u8 ^ flip)] = T::ONE;
                }
            }
        }
    }

    fn fill_extra<T: Level>(&self, position: &Position, row: &mut [T]) {
        let turn = position.turn();
        let bottom = self.orientation.bottom(turn);
        let mut planes = row.chunks_exact_mut(64);
        let mut next = |level: T| {
            if let Some(plane) = planes.next() {
                plane.fill(level);
            }
        };
        next(if turn == Color::Black { T::ONE } else { T::ZERO });
        for color in [bottom, !bottom] {
            for right in rights(position, color) {
                next(if right { T::ONE } else { T::ZERO });
            }
        }
        next(T::ZERO);
        next(T::number(position.halfmove_clock()));
        next(T::number(position.fullmove_number()));
        if let Some(square) = position.en_passant() {
            row[5 * 64 + usize::from(square as u8 ^ self.orientation.flip(turn))] = T::ONE;
        }
    }
}

/// The castling rights of a colour: on the king side and on the queen side.
pub(super) fn rights(position: &Position, color: Color) -> [bool; 2] {
    let rights = position.castling_rights();
    if rights.is_empty() {
        return [false; 2];
    }
    let king = position.king(color);
    CastlingSide::ALL.map(|side| rights.rook(color, side, king).is_some())
}
