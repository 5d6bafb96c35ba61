//! Batches into files of training data.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya::{Color, Move, Position};
use tabiya_data::{GameResult, Record};
use tabiya_runs::OutputFile;

use super::stream::NO_SCORE;
use crate::batch::PyBatch;
use crate::errors::{self, raise};
use crate::signals::STEP;

/// The columns of a batch: as many values as positions.
struct Rows<'a> {
    positions: &'a [Position],
    moves: &'a [u16],
    scores: &'a [i16],
    results: &'a [i8],
    /// If there are none, they follow from the numbers of the moves.
    plies: Option<&'a [u16]>,
}

impl Rows<'_> {
    /// A row.
    ///
    /// # Errors
    /// The reason why it isn't a record.
    fn record(&self, row: usize) -> Result<Record, String> {
        let position = self.positions[row].clone();
        let mv = match self.moves[row] {
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
        let score = Some(self.scores[row]).filter(|&score| score != NO_SCORE);
        let result = GameResult::from_side(self.results[row].into(), Color::White);
        let ply = self.plies.map_or_else(|| Record::ply_of(&position), |plies| plies[row]);
        Ok(Record { position, mv, score, result, ply })
    }
}

/// Writes a batch into a file; `tabiya.data` has checked the columns.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "it is called in one place")]
pub(super) fn write_data(
    py: Python<'_>,
    path: PathBuf,
    format: &str,
    batch: &PyBatch,
    moves: PyReadonlyArray1<'_, u16>,
    scores: PyReadonlyArray1<'_, i16>,
    results: PyReadonlyArray1<'_, i8>,
    plies: Option<PyReadonlyArray1<'_, u16>>,
    append: bool,
) -> PyResult<()> {
    let format = super::named(format)?;
    let Some(mut encoder) = format.encoder() else {
        let text = format!("the format {format} can be read, but not written");
        return Err(PyValueError::new_err(text));
    };
    let positions = batch.positions();
    let count = positions.len();
    let rows = Rows {
        positions,
        moves: moves.as_slice()?,
        scores: scores.as_slice()?,
        results: results.as_slice()?,
        plies: plies.as_ref().map(|plies| plies.as_slice()).transpose()?,
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
