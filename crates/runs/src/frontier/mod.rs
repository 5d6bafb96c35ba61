//! The frontier: the distinct positions at some ply below a position, each with the number of ways
//! in which it can be reached.
//!
//! Different move sequences reach the same position. Five plies from the start, there are 4,865,609
//! move sequences but 822,518 positions. A deeper count only needs to visit each position once and
//! to multiply the result.

mod file;

pub use file::{FrontierFile, FrontierFileError, FrontierHeader};

use std::io::{Seek, Write};

use tabiya::Position;

use crate::distinct::{DistinctError, DistinctOptions, Storage, for_each_counted};
use file::FrontierWriter;
use tabiya_perft::Watch;

/// The distinct positions `plies` below a position, each with the number of move sequences that
/// lead to it, its *multiplicity*. The sum of the multiplicities is the perft of `plies`.
///
/// The order is that of the [packed](tabiya::packed::PackedIdentity) positions: it is the same in
/// every run, with any number of threads. A position may be reached with different halfmove clocks,
/// so the halfmove clock of all positions is 0.
///
/// Everything is kept in memory, about 200 bytes for each position.
///
/// # Errors
/// [`DistinctError::Multiplicity`] if some position can be reached in 2^64 ways or more, and
/// [`DistinctError::OutOfMemory`].
///
/// ```
/// use tabiya::Position;
/// let frontier = tabiya_runs::frontier(&Position::START, 3).unwrap();
/// assert_eq!(frontier.len(), 5362);
/// assert_eq!(frontier.iter().map(|&(_, games)| games).sum::<u64>(), 8902);
/// ```
pub fn frontier(root: &Position, plies: u32) -> Result<Vec<(Position, u64)>, DistinctError> {
    let mut found = Vec::new();
    for_each_counted(root, plies, &Storage::unlimited(), &(), |record| {
        let position = record.unpack(root, plies)?;
        found.try_reserve(1).map_err(|_| DistinctError::OutOfMemory)?;
        found.push((position, record.multiplicity));
        Ok(())
    })?;
    Ok(found)
}

/// Writes the frontier to a file as described at [`FrontierFile`], with limited memory.
///
/// The header is written last. So an incomplete file has no header, and is not accepted as a
/// frontier file.
///
/// # Errors
/// [`DistinctError`] if the memory limit is too small, if `output` or a temporary file cannot be
/// written, or if the watch cancels the work.
pub fn write_frontier<W: Write + Seek>(
    root: &Position,
    plies: u32,
    options: &DistinctOptions,
    watch: &dyn Watch,
    output: W,
) -> Result<FrontierHeader, DistinctError> {
    let storage = Storage::new(options)?;
    let mut writer = FrontierWriter::new(output).map_err(DistinctError::Output)?;
    for_each_counted(root, plies, &storage, watch, |record| {
        writer.write(record).map_err(DistinctError::Output)
    })?;
    writer.finish(root, plies).map_err(DistinctError::Output)
}
