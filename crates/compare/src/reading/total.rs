//! Totals: which lines can be one, and which of them is the total of an answer.

use std::collections::VecDeque;

use super::number::{Spaces, is_no_count, is_separator, leading_number, number};
use crate::generator::Divide;

/// The words for leaf nodes.
const NODES: [&str; 4] = ["node", "nodes", "leaf", "leaves"];

/// The units of times.
const UNITS: [&str; 8] = ["ms", "s", "us", "ns", "sec", "secs", "seconds", "milliseconds"];

/// The most places of one label that are read in a line. A line with more of them shows a progress, and
/// its last numbers are the latest.
const MOST_PLACES: usize = 8;

/// A number that may be the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) number: u128,
    pub(crate) kind: Kind,
}

/// What a line says that its number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Leaf nodes, or a number that stands alone.
    Nodes,
    /// A count of something: of leaf nodes, or of the moves that are listed.
    Count,
    /// Moves: those that are listed, or those at the last ply.
    Moves,
    /// A number with its depth, as in `depth 3: 8902`. There may be one for each depth.
    Depth,
    /// Something else as well, as in `Total captures: 34`.
    Vague,
    /// The second number of `Total 20 8902`, which may be the total as well as the first.
    Beside,
}

impl Kind {
    /// Does a program print nothing after it that says more?
    #[cfg(any(feature = "process", test))]
    pub(crate) const fn ends_an_answer(self) -> bool {
        matches!(self, Self::Nodes | Self::Count)
    }
}

/// What the words before a number say.
pub(super) enum Told {
    Totals(Vec<Total>),
    /// The number is no count of leaf nodes.
    NoCount,
    /// A rate or a time.
    Noise,
}

impl Total {
    pub(super) const fn bare(number: u128) -> Self {
        Self { number, kind: Kind::Nodes }
    }

    /// Can it be the total although it is not the sum of the counts?
    fn may_differ(self, listed: usize) -> bool {
        match self.kind {
            Kind::Nodes => true,
            Kind::Count | Kind::Moves | Kind::Depth => listed == 0 || self.number != listed as u128,
            Kind::Vague | Kind::Beside => listed == 0,
        }
    }
}

/// The total among all that may be it: the sum of the counts, or else the right one, or else the last
/// one of the best kind. A number of nodes that is wrong is not excused by a right number of moves.
pub(super) fn choose(
    totals: &VecDeque<Total>,
    divide: &Divide,
    right: Option<u128>,
) -> Option<u128> {
    let has_nodes = totals.iter().any(|it| it.kind == Kind::Nodes);
    let sum = divide.is_counted().then(|| divide.sum());
    let adds_up = |it: &Total| Some(it.number) == sum && !(has_nodes && it.kind == Kind::Moves);
    if totals.iter().any(adds_up) {
        return sum;
    }
    let possible = || totals.iter().filter(|it| it.may_differ(divide.moves.len()));
    let of = |kinds: &[Kind]| possible().filter(|it| kinds.contains(&it.kind)).collect::<Vec<_>>();
    let named = of(&[Kind::Nodes, Kind::Count]);
    let beside = of(&[Kind::Beside]);
    if let Some(it) = named.iter().chain(&beside).find(|it| Some(it.number) == right) {
        return Some(it.number);
    }
    let others = [Kind::Moves, Kind::Depth, Kind::Vague].map(|kind| of(&[kind]));
    let mut pools = [of(&[Kind::Nodes]), named].into_iter().chain(others);
    let pool = pools.find(|pool| !pool.is_empty())?;
    let chosen = pool.iter().find(|it| Some(it.number) == right).or(pool.last())?;
    Some(chosen.number)
}

/// Reads a line with totals. `None` if it has none.
pub(super) fn read_totals(line: &str, lower: &str, spaces: Spaces) -> Option<Told> {
    if let Some(number) = of_depth(lower) {
        return Some(Told::Totals(vec![Total { number, kind: Kind::Depth }]));
    }
    let before = numbers_before_words(line, spaces);
    if !before.is_empty() {
        return Some(Told::Totals(before));
    }
    let told = read_total(line, lower, spaces)?;
    let more =
        later_labels(lower).filter_map(|at| match read_total(&line[at..], &lower[at..], spaces)? {
            Told::Totals(totals) => Some(totals),
            Told::NoCount | Told::Noise => None,
        });
    let more: Vec<Total> = more.flatten().collect();
    Some(match told {
        Told::Totals(totals) => {
            let named = [totals, more].concat();
            let beside = if says_which(line, lower) { Vec::new() } else { beside(line, &named) };
            Told::Totals([named, beside].concat())
        }
        Told::Noise if !more.is_empty() => Told::Totals(more),
        told => told,
    })
}

/// The total of `depth 3: 8902`.
pub(super) fn of_depth(lower: &str) -> Option<u128> {
    let (depth, count) = lower.strip_prefix("depth ")?.split_once([':', '='])?;
    number(depth).filter(|depth| *depth < 100)?;
    number(count.trim().trim_end_matches("nodes"))
}

/// The totals of `8902 nodes` and `20 moves, 8902 nodes`.
fn numbers_before_words(line: &str, spaces: Spaces) -> Vec<Total> {
    const WORDS: [&str; 6] = ["node", "nodes", "leaf", "leaves", "total", "moves"];
    let read = |part: &str| {
        let part = part.trim();
        let is_of_number =
            |it: char| it.is_ascii_digit() || it == ' ' || is_separator(it) && it != '.';
        let lower = part.trim_start_matches(is_of_number).to_ascii_lowercase();
        let lower = lower.strip_prefix("n ").unwrap_or(&lower);
        let what = lower.split(|it: char| it.is_ascii_digit()).next()?;
        let word = what.split(|it: char| !it.is_ascii_alphabetic()).next()?;
        let is_other = !WORDS.contains(&word) || is_rate(what) || what.contains([':', '=']);
        let number = leading_number(part, spaces).filter(|_| !is_other)?;
        Some(Total { number, kind: kind(what) })
    };
    line.split(", ").map_while(read).collect()
}

/// Does a line with totals say which of its numbers is one? In `Nodes: 8902 in 12 ms` and
/// `Nodes 8902 at depth 3`, the other numbers are none, even if one of them is the right total.
fn says_which(line: &str, lower: &str) -> bool {
    if let Some((_, rest)) = line.split_once([':', '=']) {
        let is_of_number = |it: char| it.is_ascii_digit() || "+ ".contains(it) || is_separator(it);
        let behind = rest.trim_start_matches(is_of_number);
        return leading_number(rest, Spaces::Group).is_some() && !behind.starts_with('/');
    }
    let what = lower.split(|it: char| it.is_ascii_digit()).next().unwrap_or_default();
    kind(what) == Kind::Nodes && NODES.iter().any(|it| what.contains(it)) && !ends_in_depth(what)
}

/// The other numbers of a line with totals, without depths and times.
fn beside(line: &str, named: &[Total]) -> Vec<Total> {
    let is_named = |number| named.iter().any(|it| it.number == number);
    let words: Vec<&str> = words(line).map(|(_, word)| word).collect();
    let is_depth =
        |at: usize| at > 0 && ["perft", "depth", "ply"].contains(&&*words[at - 1].to_lowercase());
    let is_time = |at: usize| words.get(at + 1).is_some_and(|unit| UNITS.contains(unit));
    let places = (0..words.len()).filter(|at| !is_depth(*at) && !is_time(*at));
    let others = places.filter_map(|at| number(words[at])).filter(|number| !is_named(*number));
    others.map(|number| Total { number, kind: Kind::Beside }).collect()
}

/// The words of a line, each with its place.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = line.split(|it: char| it.is_whitespace() || ":=/()".contains(it));
    let place = move |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    words.map(move |it| (place(it), it.trim_end_matches([',', ';']))).filter(|it| !it.1.is_empty())
}

/// Is the number after these words a depth?
fn ends_in_depth(what: &str) -> bool {
    ["depth", "ply", "plies"].iter().any(|it| what.trim_end_matches([' ', '(']).ends_with(it))
}

/// Where further words for a total begin after a number, as `nodes` in `moves: 20, nodes: 420`.
fn later_labels(lower: &str) -> impl Iterator<Item = usize> {
    const LABELS: [&str; 5] = ["nodes", "total", "leaf", "leaves", "moves"];
    let first_digit = lower.find(|it: char| it.is_ascii_digit()).unwrap_or(lower.len());
    let begins = |at: usize| {
        let before = lower[..at].trim_end_matches([' ', '\t', ',', ';', '|', '(']);
        let digits = before.strip_suffix('n').unwrap_or(before);
        before.len() < at && digits.ends_with(|it: char| it.is_ascii_digit())
    };
    LABELS.iter().flat_map(move |label| {
        let places = lower[first_digit..].rmatch_indices(label).map(|(at, _)| first_digit + at);
        let last: Vec<usize> = places.filter(|at| begins(*at)).take(MOST_PLACES).collect();
        last.into_iter().rev()
    })
}

/// Is the line a heading with the depth, such as `Perft 3` or `perft depth: 3`? In `perft 1 = 20`
/// and `perft: 20`, the last number is a count.
pub(super) fn is_heading(lower: &str) -> bool {
    let Some(rest) = lower.strip_prefix("perft") else { return false };
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words = rest.split(|letter: char| !letter.is_ascii_alphanumeric());
    let numbers: Vec<&str> = words.filter(is_number).collect();
    let names_depth = ["depth", "ply", "plies"].iter().any(|word| rest.contains(word));
    let has_count = rest.trim_end().trim_end_matches(':').contains(['=', ':']);
    matches!(numbers[..], [depth] if depth.len() <= 2) && (names_depth || !has_count)
}

/// Reads a line that begins with a word for the total. `None` if it does not, or has no number.
fn read_total(line: &str, lower: &str, spaces: Spaces) -> Option<Told> {
    const TOTALS: [&str; 10] = [
        "node",
        "total",
        "leaf",
        "leaves",
        "perft",
        "sum",
        "count",
        "moves",
        "result",
        "number of",
    ];
    let word = TOTALS.iter().find(|word| lower.starts_with(**word))?;
    // The words before the first number say what it is.
    let what = lower.split(|it: char| it.is_ascii_digit()).next().unwrap_or_default();
    if is_rate(what) {
        return Some(Told::Noise);
    }
    let kind = kind(what);
    if *word == "number of" && kind == Kind::Vague {
        return None;
    }
    // The first number after `perft` is the depth.
    let bare = line[word.len()..].trim_start_matches('s').trim();
    let labelled = line.split_once([':', '=']).map(|(_, rest)| rest.trim());
    let labelled = labelled.map(without_moves);
    let value = labelled.unwrap_or(bare);
    if is_time(value) {
        return Some(Told::Noise);
    }
    if is_no_count(value) {
        let is_key = ["hash", "key"].iter().any(|word| what.contains(word));
        return Some(if is_key { Told::Noise } else { Told::NoCount });
    }
    let total = |number| Told::Totals(vec![Total { number, kind }]);
    if let (false, Some(number)) = (*word == "perft", leading_number(bare, spaces)) {
        return Some(total(number));
    }
    let labelled = labelled.and_then(|rest| leading_number(rest, spaces));
    let found = labelled.or_else(|| match *word {
        // `Results for depth 3` has none.
        "result" => None,
        // In `perft 3 8902 12`, the first number is the depth.
        "perft" => number_after_depth(line, spaces),
        _ if ends_in_depth(what) => number_after_depth(line, spaces),
        _ => leading_number(&line[what.len()..], spaces),
    });
    found.map(total)
}

/// The second number of a line, or the only one.
fn number_after_depth(line: &str, spaces: Spaces) -> Option<u128> {
    let mut places = words(line).filter(|(_, word)| number(word).is_some()).map(|(at, _)| at);
    let (first, second) = (places.next()?, places.next());
    leading_number(&line[second.unwrap_or(first)..], spaces)
}

/// The rest of `20 moves, 8902 nodes` with the other number.
fn without_moves(value: &str) -> &str {
    let Some((moves, rest)) = value.split_once("moves") else { return value };
    let has_more = rest.contains(|it: char| it.is_ascii_digit());
    if has_more && number(moves).is_some() { rest.trim_start_matches([',', ' ']) } else { value }
}

fn is_rate(what: &str) -> bool {
    const RATES: [&str; 7] = ["/s", "/ms", "per ", "time", "nps", "speed", "elapsed"];
    RATES.iter().any(|word| what.contains(word))
}

/// Does the text begin with a time, such as `12 ms`?
fn is_time(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let number = words.next().is_some_and(|word| word.starts_with(|it: char| it.is_ascii_digit()));
    number
        && words.next().is_some_and(|word| UNITS.contains(&word.trim_end_matches(['.', ',', ')'])))
}

/// What the words before a number say that it is.
fn kind(what: &str) -> Kind {
    const NEUTRAL: [&str; 27] = [
        "total",
        "sum",
        "perft",
        "result",
        "results",
        "moves",
        "count",
        "positions",
        "number",
        "of",
        "for",
        "at",
        "in",
        "the",
        "is",
        "all",
        "legal",
        "searched",
        "visited",
        "counted",
        "found",
        "generated",
        "depth",
        "ply",
        "plies",
        "after",
        "final",
    ];
    let words = || what.split(|it: char| !it.is_ascii_alphabetic()).filter(|it| !it.is_empty());
    let has = |some: &[&str]| words().any(|word| some.contains(&word));
    if !words().all(|word| NODES.contains(&word) || NEUTRAL.contains(&word)) {
        Kind::Vague
    } else if has(&NODES) {
        Kind::Nodes
    } else if has(&["moves"]) {
        Kind::Moves
    } else if has(&["count", "result", "results"]) {
        Kind::Count
    } else {
        Kind::Nodes
    }
}
