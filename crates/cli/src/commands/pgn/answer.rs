//! The results as a JSON object.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::Serialize;
use tabiya_openings::Opening;

use super::game::Problem;
use super::statistics::{File, Statistics};
use crate::output::json;

/// A number of games or plies.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
struct Digits(
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    u128,
);

impl From<u64> for Digits {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

/// The output of `tabiya pgn --json`: statistics, and the errors of games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer {
    /// All games that were read, including broken ones.
    games: Digits,
    /// Games that cannot be read or played. With `--check`, this includes games whose result is
    /// wrong.
    broken: Digits,
    /// Games that are left out with `--unique`, as their start and moves are those of another one.
    duplicates: Digits,
    /// Games that passed the filters, without duplicates. The fields below are about these.
    selected: Digits,
    /// The results.
    results: ResultsAnswer,
    /// The plies of all main lines.
    plies: Digits,
    /// The plies of the shortest game. Null if there is no game.
    shortest: Option<u64>,
    /// The plies of the longest game. Null if there is no game.
    longest: Option<u64>,
    /// The most frequent openings, at most 10.
    openings: Vec<OpeningAnswer>,
    /// All named openings, the most frequent first, with `--openings`. Otherwise null.
    named_openings: Option<Vec<NamedOpeningAnswer>>,
    /// The time, in seconds.
    seconds: f64,
    /// The number of threads.
    threads: NonZeroUsize,
    /// Was everything read? If not, the work was stopped.
    complete: bool,
    /// Each file.
    files: Vec<FileAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-pgn/1";
}

/// Games by their result.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ResultsAnswer {
    /// Games that White won.
    white_wins: Digits,
    /// Games that Black won.
    black_wins: Digits,
    /// Drawn games.
    draws: Digits,
    /// Games whose result is not known.
    unknown: Digits,
}

impl From<[u64; 4]> for ResultsAnswer {
    fn from(results: [u64; 4]) -> Self {
        let [white_wins, black_wins, draws, unknown] = results.map(Digits::from);
        Self { white_wins, black_wins, draws, unknown }
    }
}

/// Games that begin with the same moves.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OpeningAnswer {
    /// The first four plies, in standard algebraic notation.
    moves: Vec<String>,
    /// The results.
    results: ResultsAnswer,
}

/// Games whose last position with a name has this one.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NamedOpeningAnswer {
    /// The code in the Encyclopaedia of Chess Openings. Null for games without a named position.
    eco: Option<&'static str>,
    /// The name. Null for games without a named position.
    name: Option<&'static str>,
    /// The results.
    results: ResultsAnswer,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileAnswer {
    /// The name of the file.
    file: String,
    /// Games in the file, including broken ones.
    games: Digits,
    /// Broken games.
    broken: Digits,
    /// Why the file could not be read, or not to its end. Null if it was read.
    error: Option<String>,
    /// The errors of games, at most 1000.
    errors: Vec<ErrorAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorAnswer {
    /// The line in the file, from 1.
    line: u64,
    /// The column in the line, in bytes from 1.
    column: u64,
    /// The byte in the file, from 0.
    byte: u64,
    /// The game in the file, from 1.
    game: u64,
    /// The ply in the main line or variation, from 1. Null if the error is not about a move.
    ply: Option<u32>,
    /// The error.
    message: String,
}

impl Answer {
    /// The answer. `complete` says whether everything was read.
    pub(super) fn new(
        files: &[File],
        sums: &Statistics,
        names_openings: bool,
        elapsed: Duration,
        threads: NonZeroUsize,
        complete: bool,
    ) -> Self {
        let opening = |(moves, results): (Vec<String>, [u64; 4])| OpeningAnswer {
            moves,
            results: results.into(),
        };
        let named = |(opening, results): (Option<Opening>, [u64; 4])| NamedOpeningAnswer {
            eco: opening.map(Opening::eco),
            name: opening.map(Opening::name),
            results: results.into(),
        };
        Self {
            games: sums.games.into(),
            broken: sums.broken.into(),
            duplicates: sums.duplicates.into(),
            selected: sums.selected.into(),
            results: sums.results.into(),
            plies: sums.plies.into(),
            shortest: sums.shortest,
            longest: sums.longest,
            openings: sums.openings().into_iter().map(opening).collect(),
            named_openings: names_openings
                .then(|| sums.named_openings().into_iter().map(named).collect()),
            seconds: elapsed.as_secs_f64(),
            threads,
            complete,
            files: files.iter().map(FileAnswer::from).collect(),
        }
    }
}

impl From<&File> for FileAnswer {
    fn from(file: &File) -> Self {
        let error = |problem: &Problem| ErrorAnswer {
            line: problem.place.line,
            column: problem.place.column,
            byte: problem.place.byte,
            game: problem.game,
            ply: problem.ply,
            message: problem.message.clone(),
        };
        Self {
            file: file.name.clone(),
            games: file.statistics.games.into(),
            broken: file.statistics.broken.into(),
            error: file.failure.clone(),
            errors: file.problems.iter().map(error).collect(),
        }
    }
}
