//! Batches into files of training data.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya::{Move, Position};
use tabiya_data::{GameResult, Record};
use tabiya_runs::OutputFile;

use super::stream::{NO_SCORE, UNKNOWN_RESULT};
use crate::arrays;
use crate::batch::PyBatch;
use crate::errors::{self, raise};
use crate::signals::STEP;

/// A column with a value for each position, if the caller gave one.
struct Column<'py, T: numpy::Element>(Option<PyReadonlyArrayDyn<'py, T>>);

impl<'py, T: numpy::Element> Column<'py, T> {
    /// # Errors
    /// It has another number of values.
    fn new(name: &str, array: Option<&Bound<'py, PyAny>>, rows: usize) -> PyResult<Self> {
        let Some(array) = array else { return Ok(Self(None)) };
        let array = arrays::input(name, array)?;
        let len = array.as_slice()?.len();
        if len == rows {
            return Ok(Self(Some(array)));
        }
        let text = format!("{name}: expected one for each of {rows} positions, not {len}");
        Err(PyValueError::new_err(text))
    }

    fn values(&self) -> PyResult<Option<&[T]>> {
        self.0.as_ref().map(|array| Ok(array.as_slice()?)).transpose()
    }
}

/// The columns of a batch.
struct Rows<'a> {
    positions: &'a [Position],
    moves: Option<&'a [u16]>,
    scores: Option<&'a [i16]>,
    results: Option<&'a [i8]>,
    plies: Option<&'a [u16]>,
}

impl Rows<'_> {
    /// A row.
    ///
    /// # Errors
    /// The reason why it isn't a record.
    fn record(&self, row: usize) -> Result<Record, String> {
        let position = self.positions[row].clone();
        let mv = match self.moves.map_or(0, |moves| moves[row]) {
            0 if position.has_legal_move() => None,
            0 => return Err("the position has no legal move".to_owned()),
            bits => {
                let mv =
                    Move::from_bits(bits).ok_or_else(|| format!("{bits:#06x} isn't a move"))?;
                if !position.is_legal(mv) {
                    return Err(position.explain_move(mv).to_string());
                }
                Some(mv)
            }
        };
        let score = self.scores.map(|scores| scores[row]).filter(|&score| score != NO_SCORE);
        let result = match self.results.map_or(UNKNOWN_RESULT, |results| results[row]) {
            1 => Some(GameResult::WhiteWins),
            0 => Some(GameResult::Draw),
            -1 => Some(GameResult::BlackWins),
            _ => None,
        };
        let ply = self.plies.map_or_else(|| Record::ply_of(&position), |plies| plies[row]);
        Ok(Record { position, mv, score, result, ply })
    }
}

/// Writes a batch into a file; `tabiya.data` has checked the ranges of the values.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "it is called in one place")]
pub(super) fn write_data(
    py: Python<'_>,
    path: PathBuf,
    format: &str,
    batch: &PyBatch,
    moves: Option<&Bound<'_, PyAny>>,
    scores: Option<&Bound<'_, PyAny>>,
    results: Option<&Bound<'_, PyAny>>,
    plies: Option<&Bound<'_, PyAny>>,
    append: bool,
) -> PyResult<()> {
    let format = super::named(format)?;
    let Some(mut encoder) = format.encoder() else {
        let text = format!("the format {format} can be read, but not written");
        return Err(PyValueError::new_err(text));
    };
    let positions = batch.positions();
    let count = positions.len();
    let (moves, scores) =
        (Column::new("moves", moves, count)?, Column::new("scores", scores, count)?);
    let results = Column::new("results", results, count)?;
    let plies = Column::new("plies", plies, count)?;
    let rows = Rows {
        positions,
        moves: moves.values()?,
        scores: scores.values()?,
        results: results.values()?,
        plies: plies.values()?,
    };
    let is_begun = append && fs::metadata(&path).is_ok_and(|file| file.len() > 0);
    let mut bytes = if is_begun { Vec::new() } else { format.header().into() };
    for start in (0..count).step_by(STEP) {
        py.check_signals()?;
        let encoded = py.detach(|| {
            (start..count.min(start + STEP)).try_for_each(|row| {
                let record = rows.record(row).map_err(|reason| (row, reason))?;
                let pushed = encoder.push(&record, &mut bytes);
                pushed.map_err(|refused| (row, format!("{format} can't hold records {refused}")))
            })
        });
        encoded.map_err(|(row, reason)| {
            raise!(py, BatchError, (reason, row, positions[row].fen().to_string()))
        })?;
    }
    encoder.finish(&mut bytes);
    let written = py.detach(|| save(&path, &bytes, append));
    written.map_err(|error| errors::file(&path, &error))
}

fn save(path: &Path, mut bytes: &[u8], append: bool) -> io::Result<()> {
    if append {
        return OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes);
    }
    OutputFile::at(path)?.write(&mut bytes).map(drop)
}
