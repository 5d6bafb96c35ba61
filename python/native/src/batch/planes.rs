//! Boards as arrays: sets of squares, and a plane for each kind of piece.

use numpy::Element;
use pyo3::prelude::*;
use tabiya::{CastlingSide, Color, Position, Role};

use super::cpu::{self, Cpu, CpuVisitor};
use super::encoding::Orientation;
use super::rows;
use crate::arrays;
use crate::half::Half;
use crate::threads::ThreadsArg;

/// The number of kinds of pieces.
const PIECES: usize = 12;
/// The number of planes in addition to those of the pieces: the side to move, four castling rights,
/// en passant, and two clocks.
const EXTRA: usize = 8;

/// An element of a plane.
trait Level: Element + Copy + Send {
    const ZERO: Self;
    const ONE: Self;

    /// A number, at most 255.
    fn number(number: u16) -> Self;

    /// A level for each square: 1 on those of the set.
    fn spread<C: Cpu>(cpu: C, set: u64, plane: &mut [Self; 64]);
}

impl Level for u8 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn number(number: u16) -> Self {
        Self::try_from(number).unwrap_or(Self::MAX)
    }

    #[inline(always)]
    fn spread<C: Cpu>(cpu: C, set: u64, plane: &mut [Self; 64]) {
        cpu.spread(set, plane);
    }
}

impl Level for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn number(number: u16) -> Self {
        Self::from(number.min(255))
    }

    #[inline(always)]
    fn spread<C: Cpu>(_: C, set: u64, plane: &mut [Self; 64]) {
        one_by_one(set, plane);
    }
}

impl Level for Half {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn number(number: u16) -> Self {
        Self::of_byte(u8::number(number))
    }

    #[inline(always)]
    fn spread<C: Cpu>(_: C, set: u64, plane: &mut [Self; 64]) {
        one_by_one(set, plane);
    }
}

/// Fills a plane square by square, which the compiler turns into vector instructions.
#[inline(always)]
fn one_by_one<T: Level>(set: u64, plane: &mut [T; 64]) {
    for (square, level) in plane.iter_mut().enumerate() {
        *level = if set >> square & 1 == 1 { T::ONE } else { T::ZERO };
    }
}

/// The sets of the pieces: White's before Black's, or those of the side to move before the
/// opponent's.
pub(super) fn bitboards(orientation: Orientation) -> impl Fn(&Position, &mut [u64]) {
    move |position, row| row.copy_from_slice(&sets(position, orientation))
}

#[inline(always)]
fn sets(position: &Position, orientation: Orientation) -> [u64; PIECES] {
    let board = position.board();
    let bottom = orientation.bottom(position.turn());
    let mut sets = [0; PIECES];
    for (color, half) in [bottom, !bottom].into_iter().zip(sets.chunks_exact_mut(6)) {
        for (role, set) in Role::ALL.into_iter().zip(half) {
            let pieces = board.pieces(color, role);
            *set = if bottom == Color::White { pieces.0 } else { pieces.flip_ranks().0 };
        }
    }
    sets
}

/// The options of planes.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) orientation: Orientation,
    pub(super) extra: bool,
}

impl Planes {
    /// The planes of the positions.
    ///
    /// # Errors
    /// The data type is not `uint8`, `float32` or `float16`; or as [`rows::fill`].
    pub(super) fn of<'py>(
        &self,
        py: Python<'py>,
        positions: &[Position],
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let possible = [u8::get_dtype(py), f32::get_dtype(py), Half::get_dtype(py)];
        match arrays::choice(dtype, out, "planes", &possible)? {
            0 => self.with_levels::<u8>(py, positions, out, threads),
            1 => self.with_levels::<f32>(py, positions, out, threads),
            _ => self.with_levels::<Half>(py, positions, out, threads),
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
        let tail = [channels, 8, 8];
        rows::fill_blocks(py, positions, out, &tail, threads, |positions, levels: &mut [T]| {
            cpu::enter(&mut Block { positions, levels, planes: *self, channels });
        })
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

/// A block of rows, for any CPU.
struct Block<'a, T> {
    positions: &'a [Position],
    levels: &'a mut [T],
    planes: Planes,
    channels: usize,
}

impl<T: Level> CpuVisitor for Block<'_, T> {
    #[inline(always)]
    fn visit<C: Cpu>(&mut self, cpu: C) {
        let rows = self.levels.chunks_exact_mut(64 * self.channels);
        for (position, row) in self.positions.iter().zip(rows) {
            let (planes, _) = row.as_chunks_mut();
            for (plane, set) in planes.iter_mut().zip(sets(position, self.planes.orientation)) {
                T::spread(cpu, set, plane);
            }
            if self.planes.extra {
                self.planes.fill_extra(position, &mut row[PIECES * 64..]);
            }
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
