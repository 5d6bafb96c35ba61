//! Positions from random play.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use tabiya::{CastlingMode, Position};

use super::rows;
use crate::threads::{BLOCK, ThreadsArg, Work};

/// The greatest number of plies.
const MAX_PLIES: u32 = 10_000;
/// The number of start positions of Chess960.
const STARTS: u64 = 960;

/// The plies that are played by default.
pub(super) const DEFAULT: Plies = Plies::Between(0, 80);

/// How many plies are played: a number, or the least and the greatest.
#[derive(Clone, Copy)]
pub(super) enum Plies {
    Exactly(i64),
    Between(i64, i64),
}

impl<'py> FromPyObject<'_, 'py> for Plies {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(plies) = object.extract() {
            return Ok(Self::Exactly(plies));
        }
        match object.extract::<[i64; 2]>() {
            Ok([least, most]) => Ok(Self::Between(least, most)),
            Err(_) => {
                let text = "plies: expected a number, or the least and the greatest, not";
                Err(PyTypeError::new_err(format!("{text} {}", object.repr()?)))
            }
        }
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

/// Positions after random games. Each depends on the seed and on its own number only.
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
            let mut random = Random::new(seed, (BLOCK * block + row) as u64);
            *position = game(&mut random, plies, chess960);
        }
    })?;
    Ok(positions)
}

/// The position after a random game. A game that ends too early is started again.
fn game(random: &mut Random, (least, most): (u32, u32), chess960: bool) -> Position {
    let plies = least + random.below(u64::from(most - least) + 1) as u32;
    loop {
        let start = if chess960 { chess960_start(random) } else { Position::START };
        let mut position = start;
        let mut left = plies;
        while left > 0 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len() as u64) as usize]);
            left -= 1;
        }
        if left == 0 {
            return position;
        }
    }
}

fn chess960_start(random: &mut Random) -> Position {
    let start = Position::chess960(random.below(STARTS) as u16).unwrap_or(Position::START);
    start.clone().with_castling_mode(CastlingMode::Chess960).unwrap_or(start)
}

/// Random numbers: `SplitMix64`, which has a period of 2^64 and passes the usual tests.
struct Random(u64);

impl Random {
    /// The step of the sequence: 2^64 divided by the golden ratio.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The numbers of a row.
    fn new(seed: u64, row: u64) -> Self {
        let mut numbers = Self(seed);
        let start = numbers.next() ^ row.wrapping_mul(Self::STEP);
        Self(Self(start).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
