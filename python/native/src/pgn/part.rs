//! Games in columns.

use tabiya::Position;
use tabiya::san::PieceLetters;
use tabiya_pgn::{Place, Termination};

use super::condition::Condition;

/// The columns that are wanted.
#[derive(Debug)]
pub(super) struct Plan {
    /// The positions before the moves.
    pub(super) positions: bool,
    /// The names of tags.
    pub(super) tags: Vec<String>,
    /// What the tags of a game must be. Other games have no row.
    pub(super) conditions: Vec<Condition>,
    /// The letters that the moves have for the pieces, unless they are those of English.
    pub(super) letters: Option<PieceLetters>,
    /// Are broken games kept, with their moves up to the error?
    pub(super) keep_broken: bool,
}

/// A null move.
pub(super) const NO_MOVE: u16 = 0;

/// The results that are neither a win nor a draw, with their names in Python.
pub(super) const OTHER_RESULTS: [(&str, Termination); 4] = [
    ("UNKNOWN_RESULT", Termination::Unknown),
    ("BOTH_LOSE", Termination::BothLose),
    ("WHITE_HALF", Termination::WhiteHalf),
    ("BLACK_HALF", Termination::BlackHalf),
];

pub(super) const fn result_code(result: Termination) -> i8 {
    match result {
        Termination::WhiteWins => 1,
        Termination::Draw => 0,
        Termination::BlackWins => -1,
        Termination::Unknown => 2,
        Termination::BothLose => 3,
        Termination::WhiteHalf => 4,
        Termination::BlackHalf => 5,
    }
}

/// Games in columns. All columns of a kind have the same length.
#[derive(Debug)]
pub(super) struct Part {
    // One row for each ply.
    pub(super) moves: Vec<u16>,
    pub(super) clocks: Vec<f32>,
    pub(super) evals: Vec<f32>,
    pub(super) mates: Vec<i16>,
    /// The positions before each move; empty if positions are not requested.
    pub(super) positions: Vec<Position>,
    // One row for each game.
    /// The end of each game among the plies, after a 0.
    pub(super) offsets: Vec<i64>,
    pub(super) results: Vec<i8>,
    pub(super) white_elo: Vec<i16>,
    pub(super) black_elo: Vec<i16>,
    pub(super) lines: Vec<i64>,
    pub(super) numbers: Vec<i64>,
    pub(super) broken: Vec<bool>,
    pub(super) remarks: Vec<i32>,
    /// A column for each requested tag.
    pub(super) tags: Vec<Vec<String>>,
    /// The start positions other than the usual one, with the index of their game.
    pub(super) starts: Vec<(usize, Position)>,
    pub(super) problems: Vec<Problem>,
    /// The number of the last game in the file, even if it was left out.
    pub(super) games_read: u64,
}

/// An error in a game.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) place: Place,
    pub(super) game: u64,
    /// The ply, from 1. `None` if the error is not about a move.
    pub(super) ply: Option<u32>,
    pub(super) message: String,
    /// The number of games in the columns before this one.
    pub(super) index: usize,
    /// Is there nothing more to read?
    pub(super) is_final: bool,
}

impl Part {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            moves: Vec::new(),
            clocks: Vec::new(),
            evals: Vec::new(),
            mates: Vec::new(),
            positions: Vec::new(),
            offsets: vec![0],
            results: Vec::new(),
            white_elo: Vec::new(),
            black_elo: Vec::new(),
            lines: Vec::new(),
            numbers: Vec::new(),
            broken: Vec::new(),
            remarks: Vec::new(),
            tags: vec![Vec::new(); plan.tags.len()],
            starts: Vec::new(),
            problems: Vec::new(),
            games_read: 0,
        }
    }

    /// The number of games.
    pub(super) const fn len(&self) -> usize {
        self.results.len()
    }

    /// Makes room for this many plies, which saves the growing.
    pub(super) fn reserve_plies(&mut self, plies: usize, positions: bool) {
        self.moves.reserve(plies);
        self.clocks.reserve(plies);
        self.evals.reserve(plies);
        self.mates.reserve(plies);
        if positions {
            self.positions.reserve(plies);
        }
    }

    /// The number of plies of the current game.
    pub(super) fn ply(&self) -> u32 {
        (self.moves.len() - self.game_start()) as u32
    }

    /// The first ply of the current game.
    fn game_start(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// Drops the data of a game that has no row.
    pub(super) fn drop_rest(&mut self) {
        let games = self.len();
        self.keep_plies(0);
        self.tags.iter_mut().for_each(|column| column.truncate(games));
        self.starts.retain(|&(index, _)| index < games);
    }

    /// Drops the plies of the current game after these.
    pub(super) fn keep_plies(&mut self, plies: u32) {
        let plies = self.game_start() + plies as usize;
        self.moves.truncate(plies);
        self.clocks.truncate(plies);
        self.evals.truncate(plies);
        self.mates.truncate(plies);
        self.positions.truncate(plies);
    }

    /// Sets the start position of the current game, if it has none so far.
    pub(super) fn set_start(&mut self, start: &Position) {
        let game = self.len();
        if self.starts.last().is_none_or(|&(last, _)| last < game) {
            self.starts.push((game, start.clone()));
        }
    }

    /// Appends the rows of another part.
    pub(super) fn append(&mut self, other: Self) {
        let (games, plies) = (self.len(), self.moves.len() as i64);
        self.moves.extend(other.moves);
        self.clocks.extend(other.clocks);
        self.evals.extend(other.evals);
        self.mates.extend(other.mates);
        self.positions.extend(other.positions);
        self.offsets.extend(other.offsets[1..].iter().map(|end| end + plies));
        self.results.extend(other.results);
        self.white_elo.extend(other.white_elo);
        self.black_elo.extend(other.black_elo);
        self.lines.extend(other.lines);
        self.numbers.extend(other.numbers);
        self.broken.extend(other.broken);
        self.remarks.extend(other.remarks);
        for (column, more) in self.tags.iter_mut().zip(other.tags) {
            column.extend(more);
        }
        let starts = other.starts.into_iter();
        self.starts.extend(starts.map(|(index, start)| (index + games, start)));
        let problems = other.problems.into_iter();
        self.problems.extend(problems.map(|it| Problem { index: it.index + games, ..it }));
    }

    /// Drops the games from this index on, and their errors.
    pub(super) fn truncate(&mut self, games: usize) {
        self.offsets.truncate(games + 1);
        self.results.truncate(games);
        self.white_elo.truncate(games);
        self.black_elo.truncate(games);
        self.lines.truncate(games);
        self.numbers.truncate(games);
        self.broken.truncate(games);
        self.remarks.truncate(games);
        self.problems.retain(|problem| problem.index < games);
        self.drop_rest();
    }
}
