//! Filters for games.

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, TypedValueParser};
use tabiya::Position;
use tabiya_openings::Opening;
use tabiya_pgn::Termination;
use tabiya_views::{PositionText, Start};

use super::game::Played;
use crate::failure::Failure;
use crate::position;

/// Only some of the games.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Filters (a game must pass all of them)")]
pub(super) struct FilterArgs {
    /// Games with this value of a tag: NAME=VALUE for the whole value, NAME~TEXT for a part of it,
    /// ignoring case; may be repeated
    #[arg(long = "tag", value_name = "TEST", value_parser = tag_test)]
    tags: Vec<TagTest>,

    /// Games with one of these results, separated by commas: 1-0, 0-1, 1/2-1/2 or *
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
    value: String,
    is_part: bool,
}

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
    /// Is the game wanted?
    pub(super) fn passes(&self, game: &Played) -> bool {
        let FilterArgs { tags, results, plies, opening, .. } = &self.args;
        tags.iter().all(|test| test.passes(game))
            && (results.is_empty() || results.contains(&game.result))
            && plies.as_ref().is_none_or(|range| range.0.contains(&game.moves.len()))
            && self.position.as_ref().is_none_or(|wanted| game.positions.contains(wanted))
            && opening.as_ref().is_none_or(|text| has_opening(game, text))
    }
}

/// Is it the code of the game's opening, the beginning of the code, or a part of the name?
fn has_opening(game: &Played, text: &str) -> bool {
    Opening::of_line(&game.positions).is_some_and(|opening| {
        let text = text.to_lowercase();
        let begins = opening.eco().to_lowercase().starts_with(&text);
        (begins && !text.is_empty()) || opening.name().to_lowercase().contains(&text)
    })
}

impl TagTest {
    /// Of several tags with the same name, the first counts.
    fn passes(&self, game: &Played) -> bool {
        let tag = game.tags.iter().find(|(name, _)| *name == self.name);
        tag.is_some_and(|(_, value)| match self.is_part {
            true => value.to_lowercase().contains(&self.value.to_lowercase()),
            false => *value == self.value,
        })
    }
}

fn tag_test(text: &str) -> Result<TagTest, &'static str> {
    let at = text.find(['=', '~']).filter(|&at| at > 0);
    let at =
        at.ok_or("expected NAME=VALUE or NAME~TEXT, such as Event=Linares or White~carlsen")?;
    Ok(TagTest {
        name: text[..at].to_owned(),
        value: text[at + 1..].to_owned(),
        is_part: text.as_bytes()[at] == b'~',
    })
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
    Termination::from_bytes(text.as_bytes()).ok_or("a result is 1-0, 0-1, 1/2-1/2 or *")
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
