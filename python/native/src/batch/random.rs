//! Positions from random play.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use tabiya::{CastlingMode, Position, SplitMix64};

use super::rows;
use crate::errors::of_argument;
use crate::threads::{BLOCK, ThreadsArg, Work};

/// The greatest number of plies.
const MAX_PLIES: u32 = 10_000;
/// The number of start positions of Chess960.
const STARTS: usize = 960;

/// The plies that are played by default.
pub(super) const DEFAULT: Plies = Plies::Between(0, 80);

/// The number of plies to play: a number, or the least and the greatest.
#[derive(Clone, Copy)]
pub(super) enum Plies {
    Exactly(i64),
    Between(i64, i64),
}

impl<'py> FromPyObject<'_, 'py> for Plies {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let no_number = match object.extract() {
            Ok(plies) => return Ok(Self::Exactly(plies)),
            Err(error) => error,
        };
        let no_pair = match object.extract::<[i64; 2]>() {
            Ok([least, most]) => return Ok(Self::Between(least, most)),
            Err(error) => error,
        };
        let text = "plies: expected a number, or the least and the greatest, not";
        let wrong = PyTypeError::new_err(format!("{text} {}", object.repr()?));
        let py = object.py();
        Err(of_argument(py, no_number, || of_argument(py, no_pair, || wrong)))
    }
}

impl Plies {
    fn checked(self) -> PyResult<(u32, u32)> {
        let (least, most) = match self {
            Self::Exactly(plies) => (plies, plies),
            Self::Between(least, most) => (least, most),
        };
        let plies = |number| u32::try_from(number).ok().filter(|&number| number <= MAX_PLIES);
        match (plies(least), plies(most)) {
            (Some(least), Some(most)) if least <= most => Ok((least, most)),
            _ => Err(PyValueError::new_err(format!(
                "plies: expected 0 <= least <= most <= {MAX_PLIES}, not {least} and {most}"
            ))),
        }
    }
}

/// Positions after random games. Each depends only on the seed and on its own number.
pub(super) fn play(
    py: Python<'_>,
    rows: i64,
    plies: Plies,
    seed: u64,
    chess960: bool,
    threads: ThreadsArg,
) -> PyResult<Vec<Position>> {
    let plies = plies.checked()?;
    let rows = usize::try_from(rows).map_err(|_| {
        PyValueError::new_err(format!("n: expected a number of positions, not {rows}"))
    })?;
    let work = Work::on(rows.saturating_mul(1 + plies.1 as usize / 8), threads)?;
    let mut positions = rows::room(py, rows)?;
    let blocks = positions.chunks_mut(BLOCK).enumerate();
    work.run(py, blocks, |(block, positions)| {
        for (row, position) in positions.iter_mut().enumerate() {
            let mut random = numbers(seed, (BLOCK * block + row) as u64);
            *position = game(&mut random, plies, chess960);
        }
    })?;
    Ok(positions)
}

/// The position after a random game. A game that ends too early is started again.
fn game(random: &mut SplitMix64, (least, most): (u32, u32), chess960: bool) -> Position {
    let plies = least + random.below((most - least) as usize + 1) as u32;
    loop {
        let start = if chess960 { chess960_start(random) } else { Position::START };
        let mut position = start;
        let mut left = plies;
        while left > 0 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(random.pick(&moves));
            left -= 1;
        }
        if left == 0 {
            return position;
        }
    }
}

fn chess960_start(random: &mut SplitMix64) -> Position {
    let start = Position::chess960(random.below(STARTS) as u16).unwrap_or(Position::START);
    start.clone().with_castling_mode(CastlingMode::Chess960).unwrap_or(start)
}

/// The random numbers of a row.
fn numbers(seed: u64, row: u64) -> SplitMix64 {
    /// 2^64 divided by the golden ratio.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = SplitMix64::new(seed).number() ^ row.wrapping_mul(STEP);
    SplitMix64::new(SplitMix64::new(start).number())
}
