//! Reads one line: a move with its count, a total, or something else.

use tabiya::{Rank, San, UciMove};

use super::number::{Spaces, is_no_count, leading_number, number};
use super::pairs;
use super::total::{Told, Total, is_heading, of_depth, read_totals};

/// Longer lines are not read: no program prints this many moves in one line.
const LONGEST_LINE: usize = 1 << 16;

/// The greatest length of a move.
const LONGEST_MOVE: usize = 12;

/// The meaning of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A move, and the count below it.
    Move(String, Option<u128>),
    /// Numbers that may be the total.
    Totals(Vec<Total>),
    /// A number before a move: a count, or the place in a list.
    Numbered(u128, String),
    /// A number that is no count of leaf nodes: it is negative, has too many digits, or is not
    /// written in decimal digits.
    NoCount,
    /// Several moves, with or without counts.
    Moves(Vec<(String, Option<u128>)>),
    /// Lines that programs print around a divide: empty lines, information, rates.
    Noise,
    /// Something else.
    Other,
}

impl Line {
    /// Is it one move with its count?
    const fn is_counted(&self) -> bool {
        matches!(self, Self::Move(_, Some(_)))
    }
}

/// Does the text look like a move in any notation?
pub(super) fn is_move(text: &str) -> bool {
    if text.len() < 2 || text.len() > LONGEST_MOVE || !text.is_ascii() {
        return false;
    }
    // `000` is the end of a number with thousands separators, and no castling move.
    if text.bytes().all(|it| it.is_ascii_digit()) {
        return false;
    }
    if plain_uci(text).is_some() || wrong_promotion(text) {
        return true;
    }
    // A lower-case letter and a digit may be the name of a square, but also a pawn's move.
    San::from_ascii(text.as_bytes()).is_ok_and(|san| !san.is_null())
}

/// Is the text a promotion to an invalid role, such as `e7e8k`?
pub(crate) fn wrong_promotion(text: &str) -> bool {
    text.strip_suffix(['k', 'p', 'K', 'P']).is_some_and(|rest| plain_uci(rest).is_some())
}

/// Reads a move from square to square, in any spelling.
pub(crate) fn plain_uci(text: &str) -> Option<UciMove> {
    let plain: String = text.chars().filter(|letter| !"-=()x:+#/".contains(*letter)).collect();
    let is_upper = |at: usize| plain.as_bytes().get(at).is_some_and(u8::is_ascii_uppercase);
    // `B5f3` is a bishop's move in SAN.
    if is_upper(0) && !is_upper(2) {
        return None;
    }
    let plain = plain.to_ascii_lowercase();
    let bytes = plain.as_bytes();
    let is_square = |at: usize| {
        matches!(bytes.get(at), Some(b'a'..=b'h')) && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
    };
    if !(4..=5).contains(&bytes.len()) || !is_square(0) || !is_square(2) {
        return None;
    }
    plain.parse().ok()
}

#[cfg(any(feature = "process", test))]
pub(crate) fn read_line(line: &str) -> Line {
    meaning(line, Spaces::Group)
}

pub(super) fn meaning(line: &str, spaces: Spaces) -> Line {
    if line.len() > LONGEST_LINE {
        return Line::Other;
    }
    let line = line.trim().trim_start_matches(['\u{feff}', '>', '|', '*']).trim();
    let lower = line.to_ascii_lowercase();
    const NOISE: [&str; 14] = [
        "info", "bestmove", "readyok", "uciok", "id ", "option", "debug", "#", "//", "time", "nps",
        "depth", "pv ", "ponder",
    ];
    let is_noise = NOISE.iter().any(|noise| lower.starts_with(noise));
    if line.is_empty() || is_noise && of_depth(&lower).is_none() {
        return Line::Noise;
    }
    if let Some(number) = number(line) {
        return Line::Totals(vec![Total::bare(number)]);
    }
    // A fraction alone in its line may be a time.
    let is_fraction = line.contains('.') && !lower.contains('e');
    if is_no_count(line) && !is_fraction && !line.contains(char::is_whitespace) {
        return Line::NoCount;
    }
    let unnumbered = without_number(line);
    let (first, rest) = split_move(unnumbered);
    if is_move(first) && rest.trim().is_empty() {
        let number =
            line[..line.len() - unnumbered.len()].trim_end_matches(['.', ')', ':', ' ', '\t']);
        return match number.parse() {
            Ok(number) => Line::Numbered(number, first.to_owned()),
            Err(_) => Line::Move(first.to_owned(), None),
        };
    }
    let named = named_move(line).and_then(|(mv, rest)| counted(mv, rest, spaces));
    if let Some(found) = counted(first, rest, spaces).or(named.filter(Line::is_counted)) {
        return found;
    }
    if is_heading(&lower) {
        return Line::Noise;
    }
    match read_totals(line, &lower, spaces) {
        Some(Told::Totals(totals)) => return Line::Totals(totals),
        Some(Told::NoCount) => return Line::NoCount,
        Some(Told::Noise) => return Line::Noise,
        None => {}
    }
    if let Some(pairs) = pairs::pairs(unnumbered, spaces) {
        return match <[_; 1]>::try_from(pairs) {
            Ok([(mv, count)]) => Line::Move(mv, count),
            Err(pairs) => Line::Moves(pairs),
        };
    }
    match move_and_count(unnumbered) {
        Some((mv, count)) => Line::Move(mv, Some(count)),
        None => Line::Other,
    }
}

/// A line that begins with a move, if its count follows.
fn counted(mv: &str, rest: &str, spaces: Spaces) -> Option<Line> {
    if !is_move(mv) || split_words(rest).any(is_move) {
        return None;
    }
    let value = rest.trim_start();
    // In `e2e4 -20`, the minus sign only separates.
    let unsigned = value.trim_start_matches('-');
    if is_no_count(value.strip_prefix([':', '=']).unwrap_or(unsigned)) {
        return Some(Line::NoCount);
    }
    let rest = rest.trim_start_matches([' ', '\t', ':', '-', '=', ',', ';', '|', '>']);
    // The role is a separate field, as in `e7e8 (Q): 1` and `e7e8 Q 1`.
    let role = rest.split([' ', ':', '\t']).next().unwrap_or_default();
    let letter = role.trim_matches(['(', ')', '=']);
    if letter.len() == 1 && "nbrqNBRQ".contains(letter) && lacks_role(mv) {
        let rest = rest[role.len()..].trim_start_matches([' ', '\t', ':', '-', '=']);
        let count = leading_number(without_names(rest), spaces);
        return Some(Line::Move(format!("{mv}{letter}"), count));
    }
    let count = match spaces {
        Spaces::Last => {
            let words = rest.split(|it: char| it.is_whitespace() || ":;|=".contains(it));
            words.filter_map(|word| number(word.trim_end_matches(','))).next_back()
        }
        _ => leading_number(without_names(rest), spaces),
    };
    count.map(|count| Line::Move(mv.to_owned(), Some(count)))
}

/// The move of `move: e2e4 …`, `move 1 : e2e4 …` or `Move #1: e2e4 …`, and what follows it.
fn named_move(line: &str) -> Option<(&str, &str)> {
    const SIGNS: [char; 5] = [' ', '\t', ':', '=', '#'];
    let (name, rest) = line.split_at_checked(4)?;
    let is_named = name.eq_ignore_ascii_case("move") && rest.starts_with(SIGNS);
    is_named.then(|| split_move(without_number(rest.trim_start_matches(SIGNS))))
}

/// Removes names of the count before it, as in `leaf nodes: 20`.
fn without_names(mut text: &str) -> &str {
    const NAMES: [&str; 6] = ["perft", "count", "leaf", "leaves", "nodes", "node"];
    loop {
        let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if !NAMES.iter().any(|it| name.eq_ignore_ascii_case(it)) {
            return text;
        }
        text = rest.trim_start_matches([' ', '\t', ':', '=']);
    }
}

/// A move and its count, with nothing but signs between them that no other dialect has, as in
/// `e2e4/20`.
fn move_and_count(line: &str) -> Option<(String, u128)> {
    let is_sign = |letter: char| !letter.is_alphanumeric();
    let signs = line.char_indices().filter(|&(_, letter)| is_sign(letter)).map(|(at, _)| at);
    // The move may hold signs as well, as in `a7-a8=Q/1`.
    signs.take(LONGEST_MOVE).find_map(|at| {
        let (mv, rest) = line.split_at(at);
        let count = number(rest.trim_start_matches(is_sign)).filter(|_| is_move(mv))?;
        Some((mv.to_owned(), count))
    })
}

/// Can the move be a promotion whose role is told elsewhere?
fn lacks_role(text: &str) -> bool {
    text.len() == 4
        && match plain_uci(text) {
            Some(uci) => {
                let files = (uci.from.file() as u8).abs_diff(uci.to.file() as u8);
                let ranks = (uci.from.rank(), uci.to.rank());
                files <= 1
                    && matches!(ranks, (Rank::Seventh, Rank::Eighth) | (Rank::Second, Rank::First))
            }
            // As `exd8`.
            None => text.starts_with(|it: char| it.is_ascii_lowercase()),
        }
}

/// A line with the letter of a piece behind a move from square to square, as in `g1f3 (N): 20`.
pub(super) struct Lettered<'a> {
    /// The text up to the end of the move.
    head: &'a str,
    /// The signs between the move and the letter.
    signs: &'a str,
    after: &'a str,
    pub(super) mv: &'a str,
    pub(super) letter: char,
    /// Can the letter be the role of a promotion?
    pub(super) may_be_promotion: bool,
}

impl<'a> Lettered<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        const SIGNS: [char; 7] = [' ', '\t', ',', ';', '|', '(', '['];
        let (mv, rest) = split_move(without_number(line));
        let uci = plain_uci(mv)?;
        let behind = rest.trim_start_matches(SIGNS);
        let is_sign = |it: char| it.is_whitespace() || ":,;|)]-=".contains(it);
        let letter = behind.chars().next().filter(|it| "pnbrqkPNBRQK".contains(*it))?;
        let after = &behind[1..];
        if behind.len() == rest.len() || !after.is_empty() && !after.starts_with(is_sign) {
            return None;
        }
        let (head, signs) = line[..line.len() - behind.len()].split_at(line.len() - rest.len());
        let after = after.trim_start_matches([')', ']']);
        let may_be_promotion = uci.promotion.is_none() && lacks_role(mv);
        Some(Self { head, signs, after, mv, letter, may_be_promotion })
    }

    pub(super) fn without_letter(&self) -> String {
        format!("{}{}{}", self.head, self.signs.trim_end_matches(['(', '[']), self.after)
    }

    /// The line with the letter as the role of a promotion, as in `a7a8Q: 20`.
    pub(super) fn promotion(&self) -> String {
        format!("{}{}{}", self.head, self.letter, self.after)
    }
}

/// Does a line say that the program does not know the command?
#[cfg(any(feature = "process", test))]
pub(crate) fn is_refusal(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let says_command = lower.contains("command");
    says_command
        && ["unknown", "unrecogni", "invalid", "no such"].iter().any(|it| lower.contains(it))
}

/// The words of a line.
fn split_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| letter.is_whitespace() || ":,;|\"'".contains(letter))
}

/// Removes `1.`, `1)` or `1:` before a move.
fn without_number(line: &str) -> &str {
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    if digits == 0 || line.starts_with("0-0") {
        return line;
    }
    let rest = &line[digits..];
    let bare = rest.trim_start_matches(['.', ')', ':', ' ', '\t']);
    if bare.len() < rest.len() { bare } else { line }
}

/// Splits off the first word, up to white space, a colon or a comma.
fn split_move(line: &str) -> (&str, &str) {
    let end = line
        .char_indices()
        .find(|&(at, letter)| {
            let digit_follows =
                line[at + letter.len_utf8()..].starts_with(|it: char| it.is_ascii_digit());
            letter.is_whitespace()
                || ":,;".contains(letter)
                || "=([".contains(letter) && digit_follows
        })
        .map_or(line.len(), |(at, _)| at);
    (&line[..end], &line[end..])
}

#[cfg(test)]
mod tests {
    use super::super::total::Kind;
    use super::*;

    /// The candidates for the total, without numbers that only appear next to one.
    fn totals(line: &str) -> Vec<u128> {
        let Line::Totals(totals) = read_line(line) else { return Vec::new() };
        let named = totals.iter().filter(|it| it.kind != Kind::Beside);
        named.map(|it| it.number).collect()
    }

    #[test]
    fn counts_in_every_dialect() {
        for (line, mv, count) in [
            ("e2e4: 20", "e2e4", 20),
            ("e2e4 20", "e2e4", 20),
            ("e2e4 - 20", "e2e4", 20),
            ("1. e2e4 20", "e2e4", 20),
            ("12) e2e4:\t4,085,603", "e2e4", 4_085_603),
            ("e2e4 = 1'234", "e2e4", 1234),
            ("e2e4 1 234 567", "e2e4", 1_234_567),
            ("e2e4 1\u{a0}234\u{202f}567", "e2e4", 1_234_567),
            ("e2e4: 1\u{2019}234", "e2e4", 1234),
            ("e2e4: 1\u{2009}234\u{2007}567", "e2e4", 1_234_567),
            ("e2e4: 1,97,281", "e2e4", 197_281),
            ("e2e4 12,34,56,789", "e2e4", 123_456_789),
            ("e2e4: 20n", "e2e4", 20),
            ("e2e4: 20n, 123", "e2e4", 20),
            ("e2e4 20n 123", "e2e4", 20),
            ("'e2e4': 20L,", "e2e4", 20),
            ("e2e4: 1 234, 137", "e2e4", 1234),
            ("e2e4: 1 234\t137", "e2e4", 1234),
            ("e2e4: 20, 123", "e2e4", 20),
            ("e2e4\t20\t123", "e2e4", 20),
            ("e2e4 20  123", "e2e4", 20),
            ("e2e4 0 123", "e2e4", 0),
            ("e7e8=Q: 3", "e7e8=Q", 3),
            ("e7e8 (Q): 3", "e7e8Q", 3),
            ("E7E8Q 3", "E7E8Q", 3),
            ("O-O: 25", "O-O", 25),
            ("0-0-0 25", "0-0-0", 25),
            ("e1-g1: 25", "e1-g1", 25),
            ("Nxf7+: 44", "Nxf7+", 44),
            ("e2e4,20", "e2e4", 20),
            ("e2e4: +20", "e2e4", 20),
            ("e2e4 +1 234", "e2e4", 1234),
            // As tutorials print them.
            ("     move: e2e4   nodes: 20", "e2e4", 20),
            ("move: e7e8 q  nodes: 20", "e7e8q", 20),
            ("move 1 : e2e4 : 380", "e2e4", 380),
            ("Move   # 12:   e7e8=Q   =      380", "e7e8=Q", 380),
            ("move=e2e4 nodes=20", "e2e4", 20),
            ("Move e2e4 Nodes 20 Time 3", "e2e4", 20),
            ("e2e4 leaf nodes: 20", "e2e4", 20),
            ("e7e8 (Q) nodes: 20", "e7e8Q", 20),
            ("e2e4 nodes: 20 time: 3", "e2e4", 20),
            ("e1e8+ 20", "e1e8+", 20),
            ("d2f4: 2,000", "d2f4", 2000),
            ("O-O: 2,000,000", "O-O", 2_000_000),
            ("B5f3 7", "B5f3", 7),
            ("e2e4(20)", "e2e4", 20),
            ("1. e2e4[20]", "e2e4", 20),
            ("e7e8q(1,234)", "e7e8q", 1234),
            ("O-O(25)", "O-O", 25),
            ("6.e6 20", "e6", 20),
            // Only a move to the last rank can have a role.
            ("g1f3 (N): 20", "g1f3", 20),
            ("e2e4 N 20", "e2e4", 20),
            ("exd8 (Q): 3", "exd8Q", 3),
            ("a2b1 n 3", "a2b1n", 3),
            ("e2e4/20", "e2e4", 20),
            ("e2e4.....20", "e2e4", 20),
            ("1. a7a8q\u{ff1a} 20", "a7a8q", 20),
            ("e2e4\u{200b} 20", "e2e4", 20),
            ("e2e4/2,080", "e2e4", 2080),
            ("e2-e4/20", "e2-e4", 20),
            ("a7-a8=Q/1", "a7-a8=Q", 1),
            ("Ng1-f3\u{ff1a}1_234", "Ng1-f3", 1234),
            ("O-O-O/20", "O-O-O", 20),
        ] {
            assert_eq!(read_line(line), Line::Move(mv.to_owned(), Some(count)), "{line}");
        }
    }

    #[test]
    fn totals_and_noise() {
        for line in [
            "Nodes searched: 20",
            "nodes 20",
            "Total: 20",
            "Leaf nodes = 20",
            "20",
            "perft 1 = 20",
            "perft 1 20",
            "perft(1): 20",
            "+20",
            "Nodes: +20",
            "perft 1 = +20",
            "20n",
            "20n nodes",
            "Nodes searched: 20n",
            "perft 1 = 20n",
            "nodes 20 time 12 nps 1666",
            "Nodes searched: 20 (0.00 s, 100 nodes/s)",
        ] {
            assert_eq!(totals(line), [20], "{line}");
        }
        assert_eq!(totals("nodes 0 time 12 nps 0"), [0]);
        assert_eq!(totals("moves: 20n, nodes: 400n"), [20, 400]);
        for line in [
            "1,97,281",
            "1,97,281 nodes",
            "Nodes searched: 1,97,281",
            "depth 4: 1,97,281",
            "197\u{2019}281",
            "197\u{2019}281 nodes",
            "197\u{a0}281 nodes",
            "Nodes searched: 197\u{2019}281",
            "Nodes searched: 197\u{2009}281",
            "perft 4 197\u{2007}281",
        ] {
            assert_eq!(totals(line), [197_281], "{line}");
        }
        for line in ["1,9,281", "1,97,28", "123,97,281", "1.97.281"] {
            assert_eq!(totals(line), [0; 0], "{line}");
        }
        // An echo of the command is no answer.
        for line in [
            "info nodes 20",
            "nodes/s: 100",
            "time 20",
            "",
            "perft 3",
            "Total time: 20",
            "nodes per sec: 2e6",
        ] {
            assert_eq!(read_line(line), Line::Noise, "{line}");
        }
        for line in ["Stockfish 15.1 by the developers", "hello", "e9e4: 20"] {
            assert_eq!(read_line(line), Line::Other, "{line}");
        }
    }

    /// A counter of 32 bits that overflows prints such numbers.
    #[test]
    fn negative_and_endless_numbers_are_no_counts() {
        let digits = "9".repeat(60);
        for line in ["e2e4: -1", "e2e4:-20", "O-O = -3", "Nodes searched: -20", "Total = -5"] {
            assert_eq!(read_line(line), Line::NoCount, "{line}");
        }
        for line in [format!("e2e4: {digits}"), format!("e2e4 {digits}"), format!("nodes {digits}")]
        {
            assert_eq!(read_line(&line), Line::NoCount, "{line}");
        }
        for line in [
            "0x191",
            "4.01e2",
            "4E+02",
            "-20",
            "e2e4: 0x14",
            "e2e4 20.0",
            "e2e4: 2e1",
            "Nodes searched: 0x191",
            "Total = 1.97281E+05",
            "perft 4: 197281.0",
            "nodes 197281.00",
        ] {
            assert_eq!(read_line(line), Line::NoCount, "{line}");
        }
        assert_eq!(read_line("6.e6"), Line::Numbered(6, "e6".to_owned()));
        // Thousands, a score, times, a key.
        assert_eq!(totals("Nodes: 197.000"), [197_000]);
        for line in ["e2e4 0.35", "1.00", "2.1e-05", "1.0 s", "perft done in 1.0 s"] {
            assert_ne!(read_line(line), Line::NoCount, "{line}");
        }
        assert_eq!(read_line("Total elapsed: 1.0"), Line::Noise);
        assert_eq!(read_line("perft hash: 0x1f"), Line::Noise);
        // Here the minus sign separates the count from the move.
        for line in ["e2e4 - 20", "e2e4 -20", "e2e4 -> 20", "e2e4: 20"] {
            assert_eq!(read_line(line), Line::Move("e2e4".to_owned(), Some(20)), "{line}");
        }
        assert_eq!(read_line("Total time: -1"), Line::Noise);
    }

    #[test]
    fn a_heading_with_the_depth_is_no_total() {
        for line in [
            "Perft 3",
            "perft depth 3",
            "Perft(3)",
            "perft depth: 3",
            "perft test, depth 12:",
            "Perft 3:",
        ] {
            assert_eq!(read_line(line), Line::Noise, "{line}");
        }
        for (line, total) in [
            ("perft 3 = 8902", 8902),
            ("perft(1): 20", 20),
            ("perft: 20", 20),
            ("perft depth 3: 8902", 8902),
            ("perft 3 8902", 8902),
            ("perft 8902", 8902),
        ] {
            assert_eq!(totals(line), [total], "{line}");
        }
    }

    /// Each place is read, so that their number must be bounded.
    #[test]
    fn a_line_has_few_places_for_a_total() {
        let line = "nodes 20 ".repeat(5000) + "nodes 8902";
        let all = totals(&line);
        assert!(all.len() < 20 && all.last() == Some(&8902), "{}", all.len());
        assert_eq!(read_line(&"nodes 20 ".repeat(10_000)), Line::Other);
    }

    #[test]
    fn refusals() {
        for line in ["Unknown command: perft 3", "unrecognized command 'go perft'"] {
            assert!(is_refusal(line), "{line}");
        }
        assert!(!is_refusal("info string perft is a command"));
    }
}
