//! Reads what a program prints, by one grammar; `docs/compare.md` has it in words. The right count is
//! unknown here: whoever knows it reads what it expects.

mod moves;

use crate::divide::Divide;

use self::moves::is_move;
pub(crate) use self::moves::plain_uci;

/// The first words of the other lines that UCI defines for engines.
const UCI: [&str; 8] =
    ["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

const MOVE: &str =
    "one move in a line, alone or with its count in decimal digits, as in `e2e4: 20`";
const TOTAL: &str = "the total in decimal digits, as in `Nodes searched: 8902`";
const NUMBER: &str = "a number in decimal digits, as in `8902`";
const ALL_OR_NONE: &str = "a count behind this move, because other moves have one";

/// The most characters of a line that an error shows.
const LONGEST_SHOWN: usize = 120;

/// What a line of an answer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A move, and the count below it.
    Move(String, Option<u128>),
    /// The total, by its name.
    Total(u128),
    /// A number alone, which is the total if no line names it.
    Number(u128),
    /// No part of the answer.
    Ignored,
    /// It looks like a part of the answer. This was expected.
    Malformed(&'static str),
}

/// An answer that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {number} can't be read: `{line}`: expected {expected}")]
pub struct ReadError {
    /// The number of the line, from 1.
    pub number: u32,
    /// The line, or its beginning if it's long.
    pub line: String,
    /// What was expected in its place.
    pub expected: &'static str,
}

impl ReadError {
    fn new(number: u32, line: &str, expected: &'static str) -> Self {
        let line = line.trim();
        let shown = match line.char_indices().nth(LONGEST_SHOWN) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        };
        Self { number, line: shown, expected }
    }
}

/// Reads a line. A line that's neither in our form nor clearly something else is an error: if we skipped
/// it, the move or the count in it would look like one that the program forgot.
pub(crate) fn read_line(line: &str) -> Line {
    let line = line.trim();
    if line.split_whitespace().next().is_none_or(|word| UCI.contains(&word)) {
        return Line::Ignored;
    }
    if let Some(number) = count(line) {
        return Line::Number(number);
    }
    if let Some(rest) = after_name_of_total(line) {
        return match count(rest) {
            Some(total) => Line::Total(total),
            None if rest.trim_start_matches(['-', '+']).starts_with(char::is_numeric) => {
                Line::Malformed(TOTAL)
            }
            None => Line::Ignored,
        };
    }
    let unnumbered = without_list_number(line);
    let end = unnumbered.find([' ', '\t', ':']).unwrap_or(unnumbered.len());
    let (mv, rest) = unnumbered.split_at(end);
    if is_move(mv) {
        return match count(value(rest)) {
            None if !rest.is_empty() => Line::Malformed(MOVE),
            count => Line::Move(mv.to_owned(), count),
        };
    }
    if hides_an_answer(unnumbered) {
        Line::Malformed(MOVE)
    } else if is_other_number(line) {
        Line::Malformed(NUMBER)
    } else {
        Line::Ignored
    }
}

/// Reads an answer: the moves with their counts, and the total.
///
/// ```
/// use tabiya_compare::read_divide;
/// let divide = read_divide("info string hello\n1. e2e4\t20\nd2d4: 20\n\nNodes searched: 40\n").unwrap();
/// assert_eq!(divide.moves[0], ("e2e4".to_owned(), Some(20)));
/// assert_eq!(divide.total, Some(40));
/// let error = read_divide("e2e4: 20\nd2d4: 4,085\n").unwrap_err();
/// assert_eq!((error.number, error.line.as_str()), (2, "d2d4: 4,085"));
/// ```
///
/// # Errors
/// [`ReadError`] if a line has a move or a number that would be lost.
pub fn read_divide(text: &str) -> Result<Divide, ReadError> {
    let (mut divide, mut last_number) = (Divide::default(), None);
    let mut uncounted = None;
    for (number, line) in (1..).zip(text.lines()) {
        match read_line(line) {
            Line::Move(mv, count) => {
                if count.is_none() {
                    uncounted.get_or_insert((number, line));
                }
                divide.moves.push((mv, count));
            }
            Line::Total(total) => divide.total = Some(total),
            Line::Number(number) => last_number = Some(number),
            Line::Ignored => {}
            Line::Malformed(expected) => return Err(ReadError::new(number, line, expected)),
        }
    }
    divide.total = divide.total.or(last_number);
    match uncounted.filter(|_| divide.moves.iter().any(|(_, count)| count.is_some())) {
        Some((number, line)) => Err(ReadError::new(number, line, ALL_OR_NONE)),
        None => Ok(divide),
    }
}

/// A number in decimal digits, and nothing else.
fn count(text: &str) -> Option<u128> {
    // `parse` would accept a plus sign.
    text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The text behind blanks and at most one colon.
fn value(rest: &str) -> &str {
    let rest = rest.trim_start();
    rest.strip_prefix(':').unwrap_or(rest).trim_start()
}

/// What stands behind `Nodes searched` or `total`, in upper or lower case.
fn after_name_of_total(line: &str) -> Option<&str> {
    ["nodes searched", "total"].iter().find_map(|name| {
        let (head, rest) = line.split_at_checked(name.len())?;
        let is_name = head.eq_ignore_ascii_case(name) && rest.starts_with([' ', '\t', ':']);
        is_name.then(|| value(rest))
    })
}

/// The line without a number such as `1.`, `1)` or `1:` at its beginning.
fn without_list_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    match rest.strip_prefix(['.', ')', ':']) {
        Some(behind) if rest.len() < line.len() => behind.trim_start(),
        _ => line,
    }
}

/// Does a line begin with a move, or have a number somewhere behind a move? A square alone may be the
/// en-passant field of a FEN, and a word with slashes its board.
fn hides_an_answer(line: &str) -> bool {
    let words = line.split(|it: char| !it.is_alphanumeric() && it != '/');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mv = words.iter().position(|word| word.len() > 2 && is_move(word));
    let has_number = |at: usize| words[at..].iter().any(|it| it.starts_with(char::is_numeric));
    words.first().is_some_and(|word| is_move(word)) || mv.is_some_and(has_number)
}

/// Is it a number, but with a sign or with groups of digits? A number with a point is a time.
fn is_other_number(line: &str) -> bool {
    let digits = line.trim_start_matches(['-', '+']);
    digits.starts_with(|it: char| it.is_ascii_digit())
        && digits.chars().all(|it| it.is_ascii_digit() || ",_'".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves() {
        for (line, mv, count) in [
            ("e2e4", "e2e4", None),
            ("e2e4: 20", "e2e4", Some(20)),
            ("e2e4 20", "e2e4", Some(20)),
            ("e2e4\t20", "e2e4", Some(20)),
            ("  e2e4 :  20 \r", "e2e4", Some(20)),
            ("e7e8q: 0", "e7e8q", Some(0)),
            ("e7e8Q 3", "e7e8Q", Some(3)),
            // A wrong promotion must be listed, not skipped.
            ("e7e8k: 3", "e7e8k", Some(3)),
            ("1. e2e4 20", "e2e4", Some(20)),
            ("12) e2e4:\t20", "e2e4", Some(20)),
            ("3: e2e4", "e2e4", None),
            ("6.e6 20", "e6", Some(20)),
            ("Nf3 20", "Nf3", Some(20)),
            ("exd8=Q+: 3", "exd8=Q+", Some(3)),
            ("B5f3 7", "B5f3", Some(7)),
            ("e1h1 25", "e1h1", Some(25)),
            ("O-O: 25", "O-O", Some(25)),
            ("0-0-0 25", "0-0-0", Some(25)),
            ("a2a3 340282366920938463463374607431768211455", "a2a3", Some(u128::MAX)),
        ] {
            assert_eq!(read_line(line), Line::Move(mv.to_owned(), count), "{line}");
        }
    }

    #[test]
    fn totals() {
        for line in [
            "Nodes searched: 20",
            "nodes searched : 20",
            "NODES SEARCHED 20",
            "total 20",
            "Total: 20",
            "total:20",
        ] {
            assert_eq!(read_line(line), Line::Total(20), "{line}");
        }
        assert_eq!(read_line(" 20\r"), Line::Number(20));
        for (text, total) in [
            ("a2a3: 20\n\n20\n", Some(20)),
            ("20 moves\n1\n20", Some(20)),
            ("total 20\n12", Some(20)),
            ("Total: 1\ntotal: 20", Some(20)),
            ("a2a3: 20", None),
        ] {
            assert_eq!(read_divide(text).unwrap().total, total, "{text}");
        }
    }

    #[test]
    fn ignored() {
        for line in [
            "",
            "info string e2e4: 20",
            "info depth 1 pv e2e4 nodes 20",
            "bestmove e2e4 ponder e7e5",
            "option name Hash type spin default 16",
            "Stockfish 15.1 by the developers",
            "Perft 3",
            "perft(3) = 8902",
            "depth 3: 8902",
            "nodes 8902 time 12 nps 1000",
            "8902 nodes",
            "Leaf nodes: 8902",
            "Total time: 12 ms",
            "Totals: 20",
            "time 0.35",
            "0.35",
            "Unknown command: 'go perft 3'",
            "trying e2e4",
            "20 a2a3",
            "e9e4: 20",
            "8  r n b q k b n r",
            "   a b c d e f g h",
            "+---+---+",
            "8|r|n|b|q|k|b|n|r|",
            "Fen: 4k3/b4b2/8/8/3Pp3/8/8/4K3 b - d3 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "position fen 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "Key: 8F8F01D4562F59FB",
            "Checkers: e4",
        ] {
            assert_eq!(read_line(line), Line::Ignored, "{line}");
        }
    }

    #[test]
    fn malformed() {
        for line in [
            "e2e4 - 20",
            "e2e4-20",
            "e2e4 -20",
            "e2e4: -1",
            "e2e4: +20",
            "e2e4: 4,085",
            "e2e4 1 234",
            "e2e4: 0x14",
            "e2e4: 2e1",
            "e2e4: 20n",
            "e2e4 (20)",
            "e2e4(20)",
            "e2e4 20 137",
            "e2e4:: 20",
            "e2e4:",
            "e2e4 e7e5",
            "e2e4, d2d4",
            "e4 d4 Nf3",
            "[\"e2e4\", \"d2d4\"]",
            "{\"e2e4\": 20}",
            "e2-e4: 20.5",
            "e7e8 (Q): 1",
            "1 e2e4 20",
            "move: e2e4 nodes: 20",
            "move Nf3 20",
            "Kf2 (e1f2): 20",
            "O-O 20 ms",
            "\u{feff}e2e4: 20",
            "e2e4\u{200b} 20",
            "e2e4: \u{662}\u{660}",
            &format!("e2e4 {}", "9".repeat(40)),
        ] {
            assert_eq!(read_line(line), Line::Malformed(MOVE), "{line}");
        }
        for line in ["Nodes searched: 4,085", "Nodes searched: -20", "total 20 ms", "Total: 0x14"] {
            assert_eq!(read_line(line), Line::Malformed(TOTAL), "{line}");
        }
        for line in ["4,085", "1'234", "4_085", "-20", "+20", &"9".repeat(40)] {
            assert_eq!(read_line(line), Line::Malformed(NUMBER), "{line}");
        }
    }

    #[test]
    fn errors() {
        let error = read_divide("hello\n a2a3 - 20\r\nb2b3: 20\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2 can't be read: `a2a3 - 20`: expected one move in a line, alone or with its count in \
             decimal digits, as in `e2e4: 20`"
        );
        let error = read_divide("a2a3\na2a3: 20\n").unwrap_err();
        assert_eq!((error.number, error.expected), (1, ALL_OR_NONE));
        let error = read_divide(&"a2a3 \u{e4}".repeat(10_000)).unwrap_err();
        assert_eq!(error.line.chars().count(), LONGEST_SHOWN + 1);
    }

    #[test]
    fn answers() {
        let text = "info string 1 thread\n1. a2a3\t20\r\n2. O-O\t21\r\nDEBUG 3%\r\n\r\n41\r\n";
        let divide = read_divide(text).unwrap();
        assert_eq!((divide.texts(), divide.sum()), (vec!["a2a3", "O-O"], 41));
        assert_eq!(divide.total, Some(41));
        let list = read_divide("2\na2a3\nb2b3\n").unwrap();
        assert_eq!((list.texts(), list.total), (vec!["a2a3", "b2b3"], Some(2)));
        assert_eq!(read_divide(""), Ok(Divide::default()));
    }
}
