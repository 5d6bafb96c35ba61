//! The status of a count of distinct positions, from its checkpoint.

use std::path::Path;

use tabiya::Position;

use super::plies::first_plies;
use super::saved::{Known, Passed, Saved};
use super::{DistinctError, DistinctTotal, PartialPly};
use tabiya_perft::MAX_DEPTH;

/// The progress of a count of distinct positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DistinctStatus {
    /// The position at the root.
    pub root: Position,
    /// The known counts. They are complete unless only a part of the last ply is known.
    pub total: DistinctTotal,
}

/// Reads the progress of a count of distinct positions from its checkpoint, even while another
/// process is working on it. Nothing is written, and the file may be read-only.
///
/// # Errors
/// [`DistinctError`] if the file cannot be read, has other contents, or is damaged.
///
/// ```
/// use tabiya::Position;
/// use tabiya_runs::{DistinctCount, DistinctOptions, distinct_status};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("start.distinct");
/// let count = DistinctCount::new(Position::START, DistinctOptions::default());
/// count.with_checkpoint(file.clone()).run(5, &())?;
/// assert_eq!(distinct_status(&file)?.total.by_ply, [1, 20, 400, 5362, 72078, 822_518]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distinct_status(path: &Path) -> Result<DistinctStatus, DistinctError> {
    let Some((mut saved, head)) = Saved::open_to_read(path)? else {
        return Err(DistinctError::ForeignCheckpoint { path: path.into() });
    };
    let root = head.root().ok_or_else(|| saved.damaged())?;
    let seed = head.seed.parse().map_err(|_| saved.damaged())?;
    if head.roots_ply > MAX_DEPTH {
        return Err(saved.damaged());
    }
    // The file does not have these counts, because they take less than a second, unless the file
    // wants more plies than any count keeps in this way.
    let mut by_ply = first_plies(&root, head.roots_ply).map_err(|_| saved.damaged())?;
    let exact = by_ply.len();
    let mut passes: Vec<(u32, Passed)> = Vec::new();
    while let Some(known) = saved.next_facts()? {
        match known {
            Known::Tree { ply, facts } if ply as usize == by_ply.len() => by_ply.push(facts.nodes),
            Known::Tree { .. } => return Err(saved.damaged()),
            Known::Pass { ply, passed } => passes.push((ply, passed)),
        }
    }
    let last = passes.iter().rev().find(|(ply, _)| *ply as usize == by_ply.len());
    let mut partial = None;
    match last {
        Some((_, passed)) if passed.is_complete() => by_ply.push(passed.facts.nodes),
        Some((_, passed)) => {
            partial = Some(PartialPly { positions: passed.facts.nodes, shares: passed.shares });
        }
        None => {}
    }
    let complete = partial.is_none();
    let total = DistinctTotal { by_ply, complete, partial, seed, spilled: 0, exact };
    Ok(DistinctStatus { root, total })
}
