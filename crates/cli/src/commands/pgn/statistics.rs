//! Statistics of games.

use std::collections::{BTreeMap, HashMap};

use tabiya::{Move, Position};
use tabiya_openings::Opening;
use tabiya_pgn::Termination;

use super::game::{Kind, Played, Problem};

/// The number of first moves that make up an opening.
const OPENING_PLIES: usize = 4;

/// The number of openings that are shown.
const OPENINGS: usize = 10;
/// The most errors of a file, and the most remarks, that are kept for JSON.
const MAX_PROBLEMS: usize = 1000;

/// The numbers of games by result, in the order of [`Termination::ALL`].
pub(super) type Results = [u64; Termination::ALL.len()];

/// What was found in a file.
#[derive(Default)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) statistics: Statistics,
    /// The first errors.
    pub(super) errors: Vec<Problem>,
    /// The first remarks.
    pub(super) remarks: Vec<Problem>,
    /// Why the file could not be read, or not completely.
    pub(super) failure: Option<String>,
}

impl File {
    /// Adds the results of the next games.
    pub(super) fn add(&mut self, statistics: Statistics, problems: Vec<Problem>) {
        self.statistics.merge(statistics);
        for problem in problems {
            let list = if problem.kind.is_error() { &mut self.errors } else { &mut self.remarks };
            if list.len() < MAX_PROBLEMS {
                list.push(problem);
            }
        }
    }

    /// Is there a result?
    pub(super) fn was_read(&self) -> bool {
        self.failure.is_none() || self.statistics.games > 0
    }
}

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    /// All games.
    pub(super) games: u64,
    /// Games with errors.
    pub(super) broken: u64,
    /// The numbers of errors and remarks.
    pub(super) kinds: BTreeMap<Kind, u64>,
    /// Games that passed the filters, without duplicates.
    pub(super) selected: u64,
    /// Games that passed the filters, but equal one before, if that matters.
    pub(super) duplicates: u64,
    pub(super) plies: u64,
    pub(super) shortest: Option<u64>,
    pub(super) longest: Option<u64>,
    pub(super) results: Results,
    /// The results by the first moves from the start of a game.
    openings: HashMap<Vec<Option<Move>>, Results>,
    /// The results by named opening, if they are wanted. `None` are games without one.
    named: HashMap<Option<Opening>, Results>,
}

impl Statistics {
    /// Counts a game that passed the filters.
    pub(super) fn add(&mut self, game: &Played) {
        let plies = game.moves.len() as u64;
        let result = game.result as usize;
        self.selected += 1;
        self.plies += plies;
        self.shortest = Some(self.shortest.map_or(plies, |other| other.min(plies)));
        self.longest = self.longest.max(Some(plies));
        self.results[result] += 1;
        if let Some(opening) = game.moves.get(..OPENING_PLIES)
            && *game.start() == Position::START
        {
            match self.openings.get_mut(opening) {
                Some(results) => results[result] += 1,
                None => self.openings.entry(opening.to_vec()).or_default()[result] += 1,
            }
        }
    }

    /// Counts what is wrong with a game.
    pub(super) fn add_problems(&mut self, game: &Played) {
        self.broken += u64::from(game.is_broken());
        for problem in &game.problems {
            *self.kinds.entry(problem.kind).or_default() += 1;
        }
    }

    /// The number of errors, or of remarks.
    pub(super) fn problems(&self, are_errors: bool) -> u64 {
        let counted = self.kinds.iter().filter(|(kind, _)| kind.is_error() == are_errors);
        counted.map(|(_, count)| count).sum()
    }

    /// Counts the named opening of a game that passed the filters.
    pub(super) fn add_opening(&mut self, game: &Played) {
        self.named.entry(game.opening()).or_default()[game.result as usize] += 1;
    }

    /// The counts of games that passed the filters, but equal others.
    pub(super) fn of_duplicate(self) -> Self {
        let Self { games, broken, kinds, selected, .. } = self;
        Self { games, broken, kinds, duplicates: selected, ..Self::default() }
    }

    /// Adds other counts.
    pub(super) fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.broken += other.broken;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.selected += other.selected;
        self.duplicates += other.duplicates;
        self.plies += other.plies;
        self.shortest = match (self.shortest, other.shortest) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.longest = self.longest.max(other.longest);
        add(&mut self.results, &other.results);
        for (opening, results) in other.openings {
            add(self.openings.entry(opening).or_default(), &results);
        }
        for (opening, results) in other.named {
            add(self.named.entry(opening).or_default(), &results);
        }
    }

    /// The named openings with their results, the most frequent first. Several positions have the
    /// same code and name.
    pub(super) fn named_openings(&self) -> Vec<(Option<Opening>, Results)> {
        let text = |opening: Option<Opening>| opening.map(|it| (it.eco(), it.name()));
        let mut openings = BTreeMap::new();
        for (&opening, results) in &self.named {
            let (_, sums) = openings.entry(text(opening)).or_insert((opening, Results::default()));
            add(sums, results);
        }
        let mut openings: Vec<_> = openings.into_values().collect();
        openings.sort_by_key(|(_, results)| std::cmp::Reverse(results.iter().sum::<u64>()));
        openings
    }

    /// The most frequent openings with their results.
    pub(super) fn openings(&self) -> Vec<(Vec<String>, Results)> {
        let mut openings: Vec<(Vec<String>, Results)> =
            self.openings.iter().map(|(moves, results)| (names(moves), *results)).collect();
        openings.sort_by_cached_key(|(moves, results)| {
            (std::cmp::Reverse(results.iter().sum::<u64>()), moves.clone())
        });
        openings.truncate(OPENINGS);
        openings
    }
}

fn add(sums: &mut Results, more: &Results) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn names(moves: &[Option<Move>]) -> Vec<String> {
    let mut position = Position::START;
    let name = |mv: &Option<Move>| {
        let (name, next) = match *mv {
            Some(mv) => (position.san(mv).to_string(), Some(position.play(mv))),
            None => ("--".to_owned(), position.play_null()),
        };
        position = next.unwrap_or_default();
        name
    };
    moves.iter().map(name).collect()
}
