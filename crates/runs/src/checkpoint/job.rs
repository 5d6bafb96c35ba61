//! A job: a count, and how it is split into units.

use std::collections::HashMap;

use tabiya::{CastlingMode, Move, Position, Setup};

use super::error::CheckpointError;
use tabiya_perft::Watch;
use tabiya_perft::reference_perft;

/// A unit has at most about this many leaf nodes, which take one core a second. Counting them is
/// far more work than writing the result.
const LEAVES_PER_UNIT: f64 = 5e7;

/// The largest number of units, unless a split is given.
const MAX_UNITS: usize = 1 << 20;

/// The largest number of units if a split is given. They take more than a GiB of memory.
const MAX_UNITS_OF_SPLIT: usize = 1 << 22;

/// The largest number of move sequences that lead to the units, unless a split is given. This limit
/// matters if there are few positions.
const MAX_GAMES: f64 = 1e15;

/// The watch is called after this number of positions.
const WATCH_INTERVAL: usize = 1024;

/// The things that a job counts.
///
/// ```
/// use tabiya::Position;
/// use tabiya_runs::checkpoint::Job;
///
/// let job = Job::new(Position::START, 5)?.with_split(2)?;
/// let units = job.units(&())?;
/// // The 400 sequences of two moves lead to 400 different positions.
/// assert_eq!(units.len(), 400);
/// assert_eq!(units.iter().map(|unit| unit.multiplicity()).sum::<u64>(), 400);
/// # Ok::<(), tabiya_runs::checkpoint::CheckpointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    root: Position,
    depth: u32,
    split: Option<u32>,
    by_category: bool,
}

/// A subtree that is counted only once, even if many move sequences lead to it.
#[derive(Clone, Debug)]
pub struct WorkUnit {
    /// The position at the top of the subtree.
    pub position: Position,
    /// Plies from this position to the leaf nodes.
    pub depth: u32,
    /// The root moves under which the position can be reached, each with the number of ways. A
    /// move is given by its index in the root's list of legal moves.
    pub shares: Vec<(u16, u64)>,
}

impl WorkUnit {
    /// The number of ways in which the position can be reached.
    pub fn multiplicity(&self) -> u64 {
        self.shares.iter().map(|&(_, ways)| ways).sum()
    }
}

impl Job {
    /// Perft of a position to a depth.
    ///
    /// # Errors
    /// [`CheckpointError::Depth`] if the depth is 0, because such a count cannot be split.
    pub fn new(root: Position, depth: u32) -> Result<Self, CheckpointError> {
        if depth == 0 {
            return Err(CheckpointError::Depth);
        }
        Ok(Self { root: without_move_counters(&root), depth, split: None, by_category: false })
    }

    /// Splits the job after this number of plies. Without a given split, a unit is about a second
    /// of work.
    ///
    /// # Errors
    /// [`CheckpointError::Split`] unless `split` is between 1 and the depth, or the depth minus 1
    /// if the job is by category.
    pub fn with_split(self, split: u32) -> Result<Self, CheckpointError> {
        Self { split: Some(split), ..self }.checked()
    }

    /// Counts leaf nodes by category: captures, checks, mates and so on.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_perft::Category;
    /// use tabiya_runs::checkpoint::{Checkpoint, Job, RunOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("start-4.checkpoint");
    /// let job = Job::new(Position::START, 4)?.by_category()?;
    /// let checkpoint = Checkpoint::open_or_create(&file, &job, &())?;
    /// let status = checkpoint.run(&RunOptions::default(), &())?;
    /// let found = status.categories().expect("the job is by category");
    /// assert_eq!((found.nodes, found[Category::Checkmates]), (197_281, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A category depends on the last move, so the last ply must be in the units:
    /// [`CheckpointError::CategoryDepth`] if the depth is 1, [`CheckpointError::Split`] if the
    /// split is the depth.
    pub fn by_category(self) -> Result<Self, CheckpointError> {
        if self.depth == 1 {
            return Err(CheckpointError::CategoryDepth);
        }
        Self { by_category: true, ..self }.checked()
    }

    /// Returns the job, or an error if its split is not possible.
    fn checked(self) -> Result<Self, CheckpointError> {
        let Self { split, depth, by_category, .. } = self;
        let last = depth - u32::from(by_category);
        match split {
            Some(split) if !(1..=last).contains(&split) => {
                Err(CheckpointError::Split { split, depth, last })
            }
            _ => Ok(self),
        }
    }

    /// The position at the top. Its halfmove clock is 0 and its fullmove number 1.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// Plies from the root to the leaf nodes.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Plies from the root to the units, if given by [`with_split`](Self::with_split).
    pub fn split(&self) -> Option<u32> {
        self.split
    }

    /// Are leaf nodes counted by category?
    pub fn is_by_category(&self) -> bool {
        self.by_category
    }

    /// The root's legal moves. [`WorkUnit::shares`] contains indices of this list.
    pub fn moves(&self) -> Vec<Move> {
        self.root.legal_moves().to_vec()
    }

    /// Splits the job into units: one for each position that can be reached after the split.
    ///
    /// The units are sorted by the positions' keys, which is as good as a random order. So the
    /// units counted so far are a fair sample of all, and the remaining time can be estimated from
    /// them.
    ///
    /// # Errors
    /// [`CheckpointError::Multiplicity`] if some position can be reached in 2^64 ways or more,
    /// [`CheckpointError::TooManyUnits`] if a given split has more than four million units,
    /// [`CheckpointError::Cancelled`] if the watch cancels the work.
    pub fn units(&self, watch: &dyn Watch) -> Result<Vec<WorkUnit>, CheckpointError> {
        let mut level = first_level(&self.root);
        let mut ply = 1;
        while self.split.map_or_else(|| self.should_split(&level, ply), |split| ply < split) {
            ply += 1;
            level = next_level(&level, ply, MAX_UNITS_OF_SPLIT, watch)?;
        }
        let depth = self.depth - ply;
        let mut units = Vec::with_capacity(level.len());
        for (position, mut shares) in level {
            stop_if_cancelled(units.len(), watch)?;
            shares.sort_unstable();
            units.push(WorkUnit { position: without_move_counters(&position), depth, shares });
        }
        // The watch is not called in here. Writing a FEN for each of a million positions would take
        // seconds, and only different positions with equal keys need them.
        units.sort_by_cached_key(|unit| unit.position.key());
        for equal in units.chunk_by_mut(|one, other| one.position.key() == other.position.key()) {
            equal.sort_by_cached_key(|unit| unit.position.fen().to_string());
        }
        Ok(units)
    }

    /// Are the subtrees below `ply` too large for units?
    fn should_split(&self, level: &Level, ply: u32) -> bool {
        let left = self.depth - ply;
        let games: f64 = level.values().flatten().map(|&(_, ways)| ways as f64).sum();
        if left <= 3 || level.is_empty() || games > MAX_GAMES {
            return false;
        }
        // A small sample is enough. Taking the smallest keys makes it independent of the order of
        // the map.
        let mut sample: Vec<&Position> = level.keys().collect();
        sample.sort_by_key(|position| position.key());
        sample.truncate(64);
        let pairs: u64 = sample.iter().map(|position| reference_perft(position, 2)).sum();
        let of_two = pairs as f64 / sample.len() as f64;
        let leaves = of_two.powf(f64::from(left) / 2.0);
        // The next level is larger by at most this factor.
        let positions = level.len() as f64 * of_two.sqrt();
        leaves > LEAVES_PER_UNIT && positions <= MAX_UNITS as f64
    }
}

/// Positions with their shares.
type Level = HashMap<Position, Vec<(u16, u64)>>;

fn first_level(root: &Position) -> Level {
    let mut level = Level::new();
    for (number, &mv) in root.legal_moves().iter().enumerate() {
        level.entry(root.play(mv)).or_default().push((number as u16, 1));
    }
    level
}

/// The positions after `ply` plies, at most `most` of them.
fn next_level(
    level: &Level,
    ply: u32,
    most: usize,
    watch: &dyn Watch,
) -> Result<Level, CheckpointError> {
    let mut next = Level::with_capacity((level.len() * 8).min(most));
    for (done, (position, shares)) in level.iter().enumerate() {
        stop_if_cancelled(done, watch)?;
        for &mv in &position.legal_moves() {
            add(next.entry(position.play(mv)).or_default(), shares)
                .ok_or(CheckpointError::Multiplicity)?;
        }
        if next.len() > most {
            return Err(CheckpointError::TooManyUnits { plies: ply, most });
        }
    }
    Ok(next)
}

fn stop_if_cancelled(done: usize, watch: &dyn Watch) -> Result<(), CheckpointError> {
    if done.is_multiple_of(WATCH_INTERVAL) && watch.is_cancelled() {
        return Err(CheckpointError::Cancelled);
    }
    Ok(())
}

/// Adds shares, move by move; `None` if the multiplicity becomes too large.
fn add(total: &mut Vec<(u16, u64)>, more: &[(u16, u64)]) -> Option<()> {
    for &(number, ways) in more {
        match total.iter_mut().find(|(known, _)| *known == number) {
            Some((_, sum)) => *sum = sum.checked_add(ways)?,
            None => total.push((number, ways)),
        }
    }
    total.iter().try_fold(0u64, |sum, &(_, ways)| sum.checked_add(ways)).map(|_| ())
}

/// The position with a halfmove clock of 0 and a fullmove number of 1. Perft does not depend on
/// them, and equal positions should have equal FENs.
fn without_move_counters(position: &Position) -> Position {
    let setup = Setup { halfmove_clock: 0, fullmove_number: 1, ..position.to_setup() };
    Position::from_setup(&setup).unwrap_or_else(|_| position.clone())
}

/// The castling notation as text.
pub(super) fn castling_text(mode: CastlingMode) -> &'static str {
    match mode {
        CastlingMode::Standard => "standard",
        CastlingMode::Chess960 => "chess960",
    }
}

/// The position of a FEN with this castling notation.
pub(super) fn position_of(fen: &str, mode: CastlingMode) -> Option<Position> {
    let position = Position::from_fen(fen).ok()?;
    match mode {
        CastlingMode::Standard => Some(position),
        CastlingMode::Chess960 => position.with_castling_mode(mode).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_sorted_by_key() {
        let job = Job::new(Position::START, 5).unwrap().with_split(4).unwrap();
        let units = job.units(&()).unwrap();
        assert_eq!(units.len(), 72_078);
        assert!(units.is_sorted_by_key(|unit| unit.position.key()));
    }

    #[test]
    fn units_that_would_fill_the_memory_are_refused() {
        let level = first_level(&Position::START);
        assert_eq!(next_level(&level, 2, 400, &()).unwrap().len(), 400);
        let error = next_level(&level, 2, 399, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::TooManyUnits { plies: 2, most: 399 }), "{error}");
    }
}
