//! The results as a JSON object.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::Serialize;
use tabiya_openings::Opening;

use super::game::Kind;
use super::game_json::ProblemJson;
use super::statistics::{File, Results, Statistics};
use crate::output::json::{self, Digits};

/// The output of `tabiya pgn --json`: statistics, and the errors of games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer<'a> {
    /// All games that were read.
    games: Digits,
    /// Games with errors.
    broken: Digits,
    /// The number of errors of each kind that occurs.
    errors: Vec<KindAnswer>,
    /// The number of remarks of each kind that occurs, with `--check`.
    remarks: Vec<KindAnswer>,
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
    files: Vec<FileAnswer<'a>>,
}

impl json::Object for Answer<'_> {
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
    /// Games that both sides lost, `0-0`.
    both_lose: Digits,
    /// Games with half a point for White alone, `1/2-0`.
    white_half: Digits,
    /// Games with half a point for Black alone, `0-1/2`.
    black_half: Digits,
}

impl From<Results> for ResultsAnswer {
    fn from(results: Results) -> Self {
        let results = results.map(Digits::from);
        let [white_wins, black_wins, draws, unknown, both_lose, white_half, black_half] = results;
        Self { white_wins, black_wins, draws, unknown, both_lose, white_half, black_half }
    }
}

/// Errors or remarks of one kind.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KindAnswer {
    /// The kind.
    kind: &'static str,
    /// Their number.
    count: Digits,
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
struct FileAnswer<'a> {
    /// The name of the file.
    file: &'a str,
    /// Games in the file.
    games: Digits,
    /// Games with errors.
    broken: Digits,
    /// Why the file could not be read, or not to its end. Null if it was read.
    error: Option<&'a str>,
    /// The errors, at most 1000.
    errors: Vec<ProblemJson<'a>>,
    /// The remarks, at most 1000, with `--check`.
    remarks: Vec<ProblemJson<'a>>,
}

impl<'a> Answer<'a> {
    /// The answer. `complete` says whether everything was read.
    pub(super) fn new(
        files: &'a [File],
        sums: &Statistics,
        names_openings: bool,
        elapsed: Duration,
        threads: NonZeroUsize,
        complete: bool,
    ) -> Self {
        let opening = |(moves, results): (Vec<String>, Results)| OpeningAnswer {
            moves,
            results: results.into(),
        };
        let named = |(opening, results): (Option<Opening>, Results)| NamedOpeningAnswer {
            eco: opening.map(Opening::eco),
            name: opening.map(Opening::name),
            results: results.into(),
        };
        let kinds = |are_errors| {
            let kinds = sums.kinds.iter().filter(|(kind, _)| kind.is_error() == are_errors);
            let answer = |(kind, &count): (&Kind, &u64)| {
                let (Kind::Error(kind) | Kind::Remark(kind)) = *kind;
                KindAnswer { kind, count: count.into() }
            };
            kinds.map(answer).collect()
        };
        Self {
            games: sums.games.into(),
            broken: sums.broken.into(),
            errors: kinds(true),
            remarks: kinds(false),
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

impl<'a> From<&'a File> for FileAnswer<'a> {
    fn from(file: &'a File) -> Self {
        Self {
            file: &file.name,
            games: file.statistics.games.into(),
            broken: file.statistics.broken.into(),
            error: file.failure.as_deref(),
            errors: file.errors.iter().map(ProblemJson::from).collect(),
            remarks: file.remarks.iter().map(ProblemJson::from).collect(),
        }
    }
}
