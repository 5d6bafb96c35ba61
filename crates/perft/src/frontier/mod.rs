//! The frontier: the distinct positions some plies below a position, each with the number of
//! ways that lead to it.
//!
//! Games reach the same position in different ways. Five plies from the start there are 4,865,609
//! games but 822,518 positions; a count of what comes after needs to be made only once for each
//! of them, and multiplied.

mod file;

pub use file::{FrontierFile, FrontierFileError, FrontierHeader};

use std::io::{Seek, Write};

use tabiya::{Color, Position};

use crate::distinct::{DistinctOptions, Error, Storage, for_each_counted};
use crate::packed::{PackedPosition, UnpackError};
use crate::progress::Watch;
use file::FrontierWriter;

/// The distinct positions `plies` half-moves below a position and the number of games that lead
/// to each, its *multiplicity*. The multiplicities add up to the perft of `plies`.
///
/// The order is that of the [packed](PackedPosition) positions: the same in every run, whatever the
/// number of threads. As positions on the same ply may come with different counters, the
/// half-moves since the last capture are 0 in all of them.
///
/// NoFilter is held in memory, some 200 bytes a position.
///
/// # Errors
/// [`Error::Multiplicity`] if some position can be reached in more than 2^64 ways, and
/// [`Error::OutOfMemory`].
///
/// ```
/// use tabiya::Position;
/// let frontier = tabiya_perft::frontier(&Position::START, 3).unwrap();
/// assert_eq!(frontier.len(), 5362);
/// assert_eq!(frontier.iter().map(|&(_, games)| games).sum::<u64>(), 8902);
/// ```
pub fn frontier(root: &Position, plies: u32) -> Result<Vec<(Position, u64)>, Error> {
    let mut found = Vec::new();
    for_each_counted(root, plies, &Storage::unlimited(), &(), |record| {
        let position = unpack(record.packed, root, plies).map_err(Error::Unpack)?;
        found.try_reserve(1).map_err(|_| Error::OutOfMemory)?;
        found.push((position, record.games));
        Ok(())
    })?;
    Ok(found)
}

/// Writes the frontier to a file as described at [`FrontierFile`], within limited memory.
///
/// The header comes last, so a file that was not finished has none and is not taken for one.
///
/// # Errors
/// If the memory is too little, `output` or a temporary file cannot be written, or the watch
/// says stop.
pub fn write_frontier<W: Write + Seek>(
    root: &Position,
    plies: u32,
    options: &DistinctOptions,
    watch: &dyn Watch,
    output: W,
) -> Result<FrontierHeader, Error> {
    let storage = Storage::new(options)?;
    let mut writer = FrontierWriter::new(output).map_err(Error::Output)?;
    for_each_counted(root, plies, &storage, watch, |record| {
        writer.write(record).map_err(Error::Output)
    })?;
    writer.finish(root, plies).map_err(Error::Output)
}

/// A position so many plies below the root, with the move number that it has there.
fn unpack(packed: PackedPosition, root: &Position, plies: u32) -> Result<Position, UnpackError> {
    let moves = plies.saturating_add(u32::from(root.turn() == Color::Black)) / 2;
    let fullmove_number = u32::from(root.fullmove_number()).saturating_add(moves);
    packed.unpack(root.mode(), u16::try_from(fullmove_number).unwrap_or(u16::MAX))
}
