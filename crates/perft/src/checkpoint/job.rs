//! What is to be counted, and how it is cut into units.

use std::collections::HashMap;

use tabiya::{CastlingMode, Move, Position, Setup};

use super::CheckpointError;
use crate::reference::reference_perft;

/// A unit has about so many leaves, or fewer: a second of work at the most for one core, yet
/// much more work than it is to write its result down.
const LEAVES_OF_A_UNIT: f64 = 5e7;

/// No more units than this, unless asked for.
const MOST_UNITS: usize = 1 << 20;

/// No split, unless asked for, where there are more games than this, few as the positions may be.
const MOST_GAMES: f64 = 1e15;

/// What is to be counted.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::checkpoint::Job;
///
/// let job = Job::new(Position::START, 5)?.with_split(2)?;
/// let units = job.units()?;
/// // The 400 games of two half-moves lead to 400 different positions.
/// assert_eq!(units.len(), 400);
/// assert_eq!(units.iter().map(|unit| unit.multiplicity()).sum::<u64>(), 400);
/// # Ok::<(), tabiya_perft::checkpoint::CheckpointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    root: Position,
    depth: u32,
    split: Option<u32>,
}

/// A subtree to be counted once, for all the games that lead to it.
#[derive(Clone, Debug)]
pub struct WorkUnit {
    /// The position at the top of the subtree.
    pub position: Position,
    /// Half-moves to the leaves.
    pub depth: u32,
    /// Under which moves of the root the position can be reached, and in how many ways. Each
    /// move is given by its number in the root's list of legal moves.
    pub shares: Vec<(u16, u64)>,
}

impl WorkUnit {
    /// In how many ways the position can be reached.
    pub fn multiplicity(&self) -> u64 {
        self.shares.iter().map(|&(_, ways)| ways).sum()
    }
}

impl Job {
    /// Counting the games of `depth` half-moves from a position.
    ///
    /// # Errors
    /// [`CheckpointError::Depth`] if the depth is 0: there is nothing to cut.
    pub fn new(root: Position, depth: u32) -> Result<Self, CheckpointError> {
        if depth == 0 {
            return Err(CheckpointError::Depth);
        }
        Ok(Self { root: without_counters(&root), depth, split: None })
    }

    /// Cuts the job after so many half-moves. Without this, units get the size of about a
    /// second's work.
    ///
    /// # Errors
    /// [`CheckpointError::Split`] unless `split` is between 1 and the depth.
    pub fn with_split(self, split: u32) -> Result<Self, CheckpointError> {
        if (1..=self.depth).contains(&split) {
            Ok(Self { split: Some(split), ..self })
        } else {
            Err(CheckpointError::Split { split, depth: self.depth })
        }
    }

    /// The position at the top; its counters of moves are those of a new game.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// Half-moves to the leaves.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// After how many half-moves to cut, if that has been said.
    pub fn split(&self) -> Option<u32> {
        self.split
    }

    /// The moves of the root, to whose numbers [`WorkUnit::shares`] refers.
    pub fn moves(&self) -> Vec<Move> {
        self.root.legal_moves().to_vec()
    }

    /// Cuts the job into units: one for each position that can be reached after the split.
    ///
    /// Their order is that of the positions' keys, which is as good as a random one: the units
    /// done so far are a fair sample of those to come, and the time left can be told from them.
    ///
    /// # Errors
    /// [`CheckpointError::Multiplicity`] if some position can be reached in more than 2^64 ways.
    pub fn units(&self) -> Result<Vec<WorkUnit>, CheckpointError> {
        let mut level = first_level(&self.root);
        let mut ply = 1;
        while self.split.map_or_else(|| self.should_split(&level, ply), |split| ply < split) {
            level = next_level(&level)?;
            ply += 1;
        }
        let depth = self.depth - ply;
        let mut units: Vec<WorkUnit> = level
            .into_iter()
            .map(|(position, mut shares)| {
                shares.sort_unstable();
                WorkUnit { position: without_counters(&position), depth, shares }
            })
            .collect();
        units.sort_by_cached_key(|unit| (unit.position.key(), unit.position.fen().to_string()));
        Ok(units)
    }

    /// Are subtrees that begin after `ply` half-moves too large for a unit?
    fn should_split(&self, level: &Level, ply: u32) -> bool {
        let left = self.depth - ply;
        let games: f64 = level.values().flatten().map(|&(_, ways)| ways as f64).sum();
        if left <= 3 || level.is_empty() || games > MOST_GAMES {
            return false;
        }
        // Any few positions will do; those with the smallest keys do not depend on the map's order.
        let mut sample: Vec<&Position> = level.keys().collect();
        sample.sort_by_key(|position| position.key());
        sample.truncate(64);
        let pairs: u64 = sample.iter().map(|position| reference_perft(position, 2)).sum();
        let of_two = pairs as f64 / sample.len() as f64;
        let leaves = of_two.powf(f64::from(left) / 2.0);
        // The next level is at most this much larger.
        let positions = level.len() as f64 * of_two.sqrt();
        leaves > LEAVES_OF_A_UNIT && positions <= MOST_UNITS as f64
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

fn next_level(level: &Level) -> Result<Level, CheckpointError> {
    let mut next = Level::with_capacity(level.len() * 8);
    for (position, shares) in level {
        for &mv in &position.legal_moves() {
            add(next.entry(position.play(mv)).or_default(), shares)
                .ok_or(CheckpointError::Multiplicity)?;
        }
    }
    Ok(next)
}

/// Adds shares to shares, move by move; `None` if a sum, or that of all, is too large.
fn add(total: &mut Vec<(u16, u64)>, more: &[(u16, u64)]) -> Option<()> {
    for &(number, ways) in more {
        match total.iter_mut().find(|(known, _)| *known == number) {
            Some((_, sum)) => *sum = sum.checked_add(ways)?,
            None => total.push((number, ways)),
        }
    }
    total.iter().try_fold(0u64, |sum, &(_, ways)| sum.checked_add(ways)).map(|_| ())
}

/// The position as on the first move of a game: perft does not look at the counters, and texts
/// of equal positions shall be equal.
fn without_counters(position: &Position) -> Position {
    let setup = Setup { halfmove_clock: 0, fullmove_number: 1, ..position.to_setup() };
    Position::from_setup(&setup).unwrap_or_else(|_| position.clone())
}

/// How castling is written, as text.
pub(super) fn mode_text(mode: CastlingMode) -> &'static str {
    match mode {
        CastlingMode::Standard => "standard",
        CastlingMode::Chess960 => "chess960",
    }
}

/// The position of a FEN in the given way of writing castling.
pub(super) fn position_of(fen: &str, mode: &str) -> Option<Position> {
    let position = Position::from_fen(fen).ok()?;
    match mode {
        "standard" => Some(position),
        "chess960" => position.with_mode(CastlingMode::Chess960).ok(),
        _ => None,
    }
}
