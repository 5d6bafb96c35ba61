//! Filters for games.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, TypedValueParser};
use tabiya::Position;
use tabiya_pgn::Termination;
use tabiya_views::{PositionText, Start};

use super::game::Played;
use crate::failure::Failure;
use crate::position;

/// Only some of the games.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Filters (a game must pass all of them)")]
pub(super) struct FilterArgs {
    /// Games whose tag passes this test; may be repeated. NAME=VALUE and NAME!=VALUE compare the
    /// whole value, NAME~TEXT looks for a part of it, ignoring case. NAME<VALUE, <=, > and >= compare
    /// numbers, and dates and other text as far as VALUE goes: Date<=1999 takes all of 1999. They
    /// need quotes in a shell. The moves of the other games aren't read, so this is fast
    #[arg(long = "tag", value_name = "TEST", value_parser = tag_test)]
    tags: Vec<TagTest>,

    /// Games with one of these results, separated by commas: 1-0, 0-1, 1/2-1/2, *, or the
    /// forfeits 0-0, 1/2-0 and 0-1/2
    #[arg(long = "result", value_name = "RESULT", value_delimiter = ',', value_parser = ResultParser)]
    #[arg(allow_hyphen_values = true, hide_possible_values = true)]
    results: Vec<Termination>,

    /// Games whose main line has this number of plies: N, FROM..TO, FROM.. or ..TO
    #[arg(long, value_name = "RANGE", value_parser = range)]
    plies: Option<Range>,

    /// Games whose main line reaches this position, a FEN or a name; counters do not matter
    #[arg(long, value_name = "POSITION")]
    reaches: Option<String>,

    /// Games whose opening has this text in its name, ignoring case, or this code: B9 is B90 to B99.
    /// The opening of a game is its last position that has a name
    #[arg(long, value_name = "TEXT")]
    opening: Option<String>,
}

/// A test of a tag.
#[derive(Clone, Debug)]
struct TagTest {
    name: String,
    test: Test,
    value: String,
}

#[derive(Clone, Copy, Debug)]
enum Test {
    Is,
    IsNot,
    Has,
    Order(fn(Ordering) -> bool),
}

/// The longer ones come first: `<=` begins with `<`.
const OPERATORS: [(&str, Test); 7] = [
    ("!=", Test::IsNot),
    ("<=", Test::Order(Ordering::is_le)),
    (">=", Test::Order(Ordering::is_ge)),
    ("<", Test::Order(Ordering::is_lt)),
    (">", Test::Order(Ordering::is_gt)),
    ("=", Test::Is),
    ("~", Test::Has),
];

#[derive(Clone, Debug)]
struct Range(RangeInclusive<usize>);

/// The filters, ready for use.
#[derive(Debug)]
pub(super) struct Filter {
    args: FilterArgs,
    position: Option<Position>,
}

impl FilterArgs {
    pub(super) fn filter(&self) -> Result<Filter, Failure> {
        let read = |text: &String| {
            let text = PositionText { start: Start::read(text), moves: "", chess960: false };
            text.position().map_err(|error| position::diagnostic(&error))
        };
        Ok(Filter { args: self.clone(), position: self.reaches.as_ref().map(read).transpose()? })
    }
}

impl Filter {
    /// Is a game with these tags wanted, as far as they tell?
    pub(super) fn passes_tags(&self, tags: &[(String, String)]) -> bool {
        self.args.tags.iter().all(|test| test.passes(tags))
    }

    /// Is the game wanted? Its tags are.
    pub(super) fn passes(&self, game: &Played) -> bool {
        let FilterArgs { results, plies, opening, .. } = &self.args;
        (results.is_empty() || results.contains(&game.result))
            && plies.as_ref().is_none_or(|range| range.0.contains(&game.moves.len()))
            && self.position.as_ref().is_none_or(|wanted| game.positions.contains(wanted))
            && opening.as_ref().is_none_or(|text| has_opening(game, text))
    }
}

/// Is it the code of the game's opening, the beginning of the code, or a part of the name?
fn has_opening(game: &Played, text: &str) -> bool {
    game.opening().is_some_and(|opening| {
        let text = text.to_lowercase();
        let begins = opening.eco().to_lowercase().starts_with(&text);
        (begins && !text.is_empty()) || opening.name().to_lowercase().contains(&text)
    })
}

impl TagTest {
    /// Of several tags with the same name, the first counts.
    fn passes(&self, tags: &[(String, String)]) -> bool {
        let tag = tags.iter().find(|(name, _)| *name == self.name);
        match (self.test, tag.map(|(_, value)| value)) {
            (Test::IsNot, value) => value != Some(&self.value),
            (_, None) => false,
            (Test::Is, Some(value)) => *value == self.value,
            (Test::Has, Some(value)) => value.to_lowercase().contains(&self.value.to_lowercase()),
            (Test::Order(is), Some(value)) => compare(value, &self.value).is_some_and(is),
        }
    }
}

/// Compares numbers as numbers, and dates and other text as far as the wanted one goes. `None` if
/// the value isn't known, or isn't a number where one is wanted.
fn compare(value: &str, wanted: &str) -> Option<Ordering> {
    let number = |text: &str| text.parse::<f64>().ok();
    match (number(value), number(wanted)) {
        (Some(value), Some(wanted)) => return value.partial_cmp(&wanted),
        // Only a date compares with a year.
        (None, Some(_)) if value.matches('.').count() != 2 => return None,
        _ if value.is_empty() => return None,
        _ => {}
    }
    match value.chars().zip(wanted.chars()).find(|(one, other)| one != other) {
        // As in 1999.??.??
        Some((one, other)) if other.is_ascii_digit() && !one.is_ascii_digit() => None,
        Some((one, other)) => Some(one.cmp(&other)),
        None => Some(value.len().min(wanted.len()).cmp(&wanted.len())),
    }
}

fn tag_test(text: &str) -> Result<TagTest, &'static str> {
    let at = text.find(['=', '~', '!', '<', '>']).filter(|&at| at > 0);
    let parts = at.and_then(|at| {
        let find = |&(sign, test)| Some((test, text[at..].strip_prefix(sign)?));
        let (test, value) = OPERATORS.iter().find_map(find)?;
        Some(TagTest { name: text[..at].to_owned(), test, value: value.to_owned() })
    });
    parts
        .ok_or("expected NAME=VALUE, NAME~TEXT or NAME>=VALUE, such as White~carlsen or Date>=2020")
}

/// Reads a result, and lists the results that shells offer: not `*`, because some shells would
/// offer file names for it.
#[derive(Clone, Debug)]
struct ResultParser;

impl TypedValueParser for ResultParser {
    type Value = Termination;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Termination, clap::Error> {
        result.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let decided = Termination::ALL.into_iter().filter(|&it| it != Termination::Unknown);
        Some(Box::new(decided.map(|it| PossibleValue::new(it.as_str()))))
    }
}

fn result(text: &str) -> Result<Termination, &'static str> {
    Termination::from_bytes(text.as_bytes())
        .ok_or("a result is 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2 or *")
}

fn range(text: &str) -> Result<Range, String> {
    let number = |text: &str| {
        text.parse().map_err(|_| "expected N, FROM..TO, FROM.. or ..TO, such as 40..80".to_owned())
    };
    let or = |text: &str, missing| if text.is_empty() { Ok(missing) } else { number(text) };
    match text.split_once("..") {
        Some((from, to)) => {
            let (from, to) = (or(from, 0)?, or(to, usize::MAX)?);
            if from > to {
                return Err(format!("no number is in this range: {from} is larger than {to}"));
            }
            Ok(Range(from..=to))
        }
        None => number(text).map(|only| Range(only..=only)),
    }
}
