//! Reads the output of programs: divides, totals and lists of moves, in the dialects that real
//! programs use.

mod line;
mod number;
mod pairs;
mod total;

use std::collections::{HashMap, HashSet, VecDeque};

use crate::generator::Divide;

use self::line::{Lettered, meaning};
pub(crate) use self::line::{Line, plain_uci, wrong_promotion};
#[cfg(any(feature = "process", test))]
pub(crate) use self::line::{is_refusal, read_line};
use self::number::Spaces;
#[cfg(any(feature = "process", test))]
use self::number::number;
#[cfg(any(feature = "process", test))]
pub(crate) use self::total::Kind;
use self::total::{Total, choose};

/// No program prints this many numbers that may be the total.
const MOST_TOTALS: usize = 1000;

/// The meaning of a text, line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading<'a> {
    pub(crate) divide: Divide,
    /// The numbers that may be the total.
    totals: VecDeque<Total>,
    /// The number of moves beyond the requested limit.
    pub(crate) left_out: usize,
    /// The first unread lines, each with its number.
    pub(crate) unread: Vec<(usize, &'a str)>,
    /// The number of all unread lines.
    pub(crate) unread_count: usize,
}

impl<'a> Reading<'a> {
    /// Reads a text, and keeps at most this many moves and unread lines. If the text can be read in
    /// several ways, it is read in the one in which the counts add up to the total, or are nearest to
    /// the right total.
    pub(crate) fn of(
        text: &'a str,
        most_moves: usize,
        most_unread: usize,
        right: Option<u128>,
    ) -> Self {
        let read = |spaces| Self::with(text, most_moves, most_unread, spaces);
        let (grouped, separate) = (read(Spaces::Group), read(Spaces::Separate));
        let with_total = |reading: &Self, totals: &VecDeque<Total>| {
            let mut reading = reading.clone();
            reading.divide.total = choose(totals, &reading.divide, right);
            reading
        };
        let adds_up =
            |Self { divide, .. }: &Self| divide.moves.is_empty() || divide.count() == divide.sum();
        let totals = [&grouped.totals, &separate.totals];
        if grouped.divide == separate.divide && grouped.totals == separate.totals {
            let reading = with_total(&grouped, &grouped.totals);
            if adds_up(&reading) {
                return reading;
            }
        }
        // The last column holds the counts only if they add up to a total.
        let last = read(Spaces::Last);
        let last = totals.map(|totals| with_total(&last, totals));
        let of_last = last.into_iter().filter(|it| it.divide.total.is_some() && adds_up(it));
        let candidates = [&grouped, &separate]
            .into_iter()
            .flat_map(|reading| totals.map(|totals| with_total(reading, totals)))
            .chain(of_last);
        let rank = |reading: &Self| {
            let count = reading.divide.count();
            (!adds_up(reading), right.map_or(0, |right| count.abs_diff(right)))
        };
        candidates.min_by_key(rank).expect("there are four or more")
    }

    /// Reads a text without choosing the total.
    fn with(text: &'a str, most_moves: usize, most_unread: usize, spaces: Spaces) -> Self {
        let column = Column::of(text);
        let read = |prefix: bool| {
            let mut reading = Self::default();
            let mut numbers = Vec::new();
            for (index, whole) in lines(text).enumerate() {
                let line = whole.trim();
                let line = match line.strip_prefix("info string") {
                    Some(rest) if prefix => rest.trim(),
                    _ => line,
                };
                let bare = column.as_ref().and_then(|it| it.left_out(line));
                let line = bare.as_deref().unwrap_or(line);
                let moves = match meaning(line, spaces) {
                    Line::Move(mv, count) => vec![(mv, count)],
                    Line::Numbered(number, mv) => {
                        numbers.push(number);
                        vec![(mv, None)]
                    }
                    Line::Moves(moves) => moves,
                    Line::Totals(totals) => {
                        reading.keep(totals);
                        continue;
                    }
                    Line::Noise => continue,
                    Line::Other | Line::NoCount => {
                        if reading.unread.len() < most_unread {
                            reading.unread.push((index + 1, whole));
                        }
                        reading.unread_count += 1;
                        continue;
                    }
                };
                let room = most_moves - reading.divide.moves.len();
                reading.left_out += moves.len().saturating_sub(room);
                reading.divide.moves.extend(moves.into_iter().take(room));
            }
            if are_counts(&numbers, &reading.divide) {
                let counts = reading.divide.moves.iter_mut().zip(numbers);
                counts.for_each(|((_, count), number)| *count = Some(number));
            }
            reading.forget_announced_moves();
            reading
        };
        let plain = read(false);
        if plain.divide.moves.is_empty() {
            let prefixed = read(true);
            let has_more = plain.totals.is_empty() || !prefixed.divide.moves.is_empty();
            return if has_more { prefixed } else { plain };
        }
        plain
    }

    /// A line such as `trying a2a3` before `a2a3: 20` lists no move.
    fn forget_announced_moves(&mut self) {
        let moves = &mut self.divide.moves;
        let counted: HashSet<String> =
            moves.iter().filter(|it| it.1.is_some()).map(|it| it.0.clone()).collect();
        moves.retain(|(mv, count)| count.is_some() || !counted.contains(mv));
    }

    /// Keeps the last numbers that may be the total: an endless answer must not fill the memory.
    fn keep(&mut self, totals: Vec<Total>) {
        self.totals.extend(totals);
        let superfluous = self.totals.len().saturating_sub(MOST_TOTALS);
        self.totals.drain(..superfluous);
    }
}

/// The lines of a text, without the text that a terminal overwrites after a carriage return. If a text
/// has no line feed, carriage returns end its lines.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let lines = text.split(end).map(|line| line.trim_end_matches('\r'));
    lines.map(|line| line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default())
}

/// A column with the letters of the pieces that move, or of those that land.
struct Column<'a> {
    /// The moves that stand there with several letters: with the roles of their promotions.
    promotions: HashSet<&'a str>,
}

impl<'a> Column<'a> {
    /// The column of a text, if it has one. Letters behind moves that are no promotions show it.
    fn of(text: &'a str) -> Option<Self> {
        let mut has_pieces = false;
        let mut letters: HashMap<&str, char> = HashMap::new();
        let mut promotions = HashSet::new();
        let lines = lines(text).map(|it| {
            let line = it.trim();
            line.strip_prefix("info string").map_or(line, str::trim)
        });
        for lettered in lines.filter_map(Lettered::of) {
            has_pieces |= !lettered.may_be_promotion;
            let letter = lettered.letter.to_ascii_lowercase();
            let first = *letters.entry(lettered.mv).or_insert(letter);
            if lettered.may_be_promotion && letter != first {
                promotions.insert(lettered.mv);
            }
        }
        has_pieces.then_some(Self { promotions })
    }

    /// The line without the letter, or with the letter in the name of its promotion.
    fn left_out(&self, line: &str) -> Option<String> {
        let lettered = Lettered::of(line)?;
        let is_promotion = self.promotions.contains(lettered.mv);
        Some(if is_promotion { lettered.promotion() } else { lettered.without_letter() })
    }
}

/// Are the numbers before the moves counts? Places in a list increase by one.
fn are_counts(numbers: &[u128], divide: &Divide) -> bool {
    let all = numbers.len() >= divide.moves.len();
    let bare = divide.moves.iter().all(|(_, count)| count.is_none());
    let is_list = numbers.windows(2).all(|two| two[1] == two[0] + 1);
    all && bare && (!is_list || numbers.len() == 1 && numbers[0] > 1)
}

/// Reads the output of a program.
///
/// ```
/// use tabiya_compare::read_divide;
/// let text = "info string hello\r\n1. e2e4\t 20\r\nd2-d4: 1,020\r\n\r\nNodes searched: 1040\r\n";
/// let divide = read_divide(text);
/// assert_eq!(divide.moves[1], ("d2-d4".to_owned(), Some(1020)));
/// assert_eq!(divide.total, Some(1040));
/// ```
pub fn read_divide(text: &str) -> Divide {
    Reading::of(text, usize::MAX, 0, None).divide
}

/// The first line with a move whose count cannot be read. In a list without counts, nothing stands
/// behind the moves.
#[cfg(any(feature = "process", test))]
pub(crate) fn uncounted_line<'a>(text: &'a str, divide: &Divide) -> Option<&'a str> {
    let is_list = divide.moves.iter().all(|(_, count)| count.is_none());
    let is_uncounted = |line: &&str| {
        let line = line.trim();
        let line = line.strip_prefix("info string").unwrap_or(line);
        match read_line(line) {
            Line::Move(mv, None) => {
                let behind = line.split_once(&mv).map_or("", |(_, behind)| behind);
                !is_list || behind.contains(|it: char| it.is_ascii_digit())
            }
            Line::Moves(moves) => !is_list && moves.iter().any(|(_, count)| count.is_none()),
            _ => false,
        }
    };
    if divide.is_counted() { None } else { lines(text).find(is_uncounted).map(str::trim) }
}

/// The first number of a list whose moves have no counts, if as many lines as there are moves are
/// numbers, as in indented JSON: they are counts that are not understood.
#[cfg(any(feature = "process", test))]
pub(crate) fn counts_apart<'a>(text: &'a str, divide: &Divide) -> Option<&'a str> {
    let is_number = |line: &&str| {
        let line = line.trim_end_matches(',');
        let value = line.strip_prefix('"').and_then(|it| it.split_once("\":"));
        number(value.map_or(line, |(_, value)| value)).is_some()
    };
    let numbers = || lines(text).map(str::trim).filter(is_number);
    let is_list = divide.moves.iter().all(|(_, count)| count.is_none());
    let are_counts = !divide.moves.is_empty() && numbers().count() >= divide.moves.len();
    numbers().next().filter(|_| is_list && are_counts)
}

/// Reads the answer to a question with this right total.
#[cfg(any(feature = "process", test))]
pub(crate) fn read_answer(text: &str, right: Option<u128>) -> Divide {
    Reading::of(text, usize::MAX, 0, right).divide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_after_the_count_is_no_part_of_it() {
        for (text, right, count) in [
            ("a2a3 20 137\nb2b3 21 140\n41", None, 41),
            ("a2a3 20 137\nb2b3 21 140\nTotal: 41 277", Some(41), 41),
            ("a2a3 20 137\nb2b3 21 140\n", Some(41), 41),
            ("a2a3 20 137\nb2b3 20 140\n", Some(41), 40),
            ("a2a3 20 137 b2b3 21 140\nNodes: 41", None, 41),
            ("a2a3\nb2b3\nTotal: 2 123", None, 2),
            ("a2a3: 1 234\nb2b3: 2\nTotal: 1236 137", None, 1236),
            ("Nodes: 20 123", Some(20), 20),
            ("Nodes: 21 123", Some(20), 21),
            ("a2a3,20,12,345\nb2b3,21,13,456\nNodes: 41", None, 41),
            // A column before it.
            ("a2a3 2 20\nb2b3 2 21\nTotal: 41", None, 41),
            ("a2a3 - 1 - 20\nb2b3 - 2 - 1,021\n1041", None, 1041),
            // Thousands.
            ("a2a3 20 137\nb2b3 21 140\n41277", None, 41_277),
            ("a2a3 20 137\nb2b3 21 140\nTotal: 41 277", Some(41_277), 41_277),
            ("a2a3 1 234 567\nb2b3 20\n", Some(1_234_587), 1_234_587),
            ("Nodes: 1 234 567", None, 1_234_567),
            ("a2a3: 1,97,281\nb2b3: 20\nNodes: 1,97,301", None, 197_301),
            ("{ a2a3: 20n, b2b3: 21n }\nNodes: 41n", None, 41),
            ("Map(2) {\n  'a2a3' => 20n,\n  'b2b3' => 21n\n}\n41n", None, 41),
        ] {
            let divide = read_answer(text, right);
            assert_eq!(divide.count(), count, "{text:?}");
            assert!(divide.moves.is_empty() || divide.sum() == count, "{text:?}: {divide:?}");
        }
    }

    #[test]
    fn the_total_is_the_number_that_is_the_sum() {
        for totals in [
            "Nodes searched: 41\nMoves: 2",
            "Moves: 2\nNodes searched: 41",
            "Moves: 2, Nodes: 41",
            "moves = 2, nodes = 41",
            "Moves: 2 Nodes: 41",
            "2 moves, 41 nodes",
            "Nodes searched: 41\nCount: 2",
            "Nodes searched: 41\nTotal: 12 ms",
            "Nodes searched: 41\nnodes per ms: 12",
            "Total nodes: 41\nTotal captures: 34",
            "Total nodes: 41\nTotal: 34",
            "Moves: 41\nTotal captures: 34",
            "Total time: 12, nodes: 41",
            "Depth 1: 2\nDepth 2: 41",
        ] {
            for right in [None, Some(34)] {
                let divide = read_answer(&format!("a2a3: 20\nb2b3: 21\n{totals}"), right);
                assert_eq!((divide.moves.len(), divide.total), (2, Some(41)), "{totals}");
            }
        }
    }

    #[test]
    fn divides_of_tutorials() {
        for text in [
            "     move: a2a3   nodes: 20\n     move: b2b3   nodes: 21\n\n    Depth: 1\n    Nodes: 41\n     Time: 3",
            "move 1 : a2a3 : 20\nmove 2 : b2b3 : 21\n\nTest Complete : 41 nodes visited in 3ms\n",
        ] {
            let divide = read_divide(text);
            assert_eq!((divide.moves.len(), divide.sum(), divide.count()), (2, 41, 41), "{text}");
        }
    }

    #[test]
    fn lines_about_moves_are_no_part_of_the_divide() {
        for about in
            ["Move a2a3 depth 2", "Move: a2a3 Score: 0", "Move a2a3 illegal", "move a2a3 time 12"]
        {
            let divide = read_divide(&format!("{about}\na2a3: 20\nb2b3: 21\n\nNodes: 41"));
            assert_eq!((divide.moves.len(), divide.sum()), (2, 41), "{about}");
        }
    }

    #[test]
    fn the_number_of_moves_and_other_numbers_are_no_total() {
        for line in ["Moves: 2", "2 moves", "Count: 2", "Total: 12 ms", "Total captures: 34"] {
            let divide = read_divide(&format!("a2a3: 20\nb2b3: 21\n{line}"));
            assert_eq!((divide.moves.len(), divide.total), (2, None), "{line}");
        }
    }

    #[test]
    fn times_and_depths_behind_the_total_are_no_total() {
        for line in [
            "Nodes searched {} in 12 ms",
            "Total nodes searched {} in 0.012 s",
            "Leaf nodes {} time 12",
            "Total nodes {}, 12 ms",
            "Total nodes {} time 12 nps 1000",
            "Sum of nodes {} in 12 ms",
            "perft 2 {} 12",
            "Perft 2 {} nodes 12 ms",
            "Perft 2: total {} time 12",
            "Perft(2) {} 0.012",
            "Total leaf nodes {} at depth 2",
            "Total: 2 moves, {} nodes",
            "Total: 2 moves {} nodes",
            "Total: 2 / {}",
            "Total 2 {}",
        ] {
            let answer = |total: &str| format!("a2a3: 20\nb2b3: 21\n{}", line.replace("{}", total));
            assert_eq!(read_divide(&answer("41")).total, Some(41), "{line}");
            // A total that is wrong is not excused by the other numbers.
            for right in [None, Some(2), Some(12), Some(41)] {
                let wrong = read_answer(&answer("43"), right).total;
                assert!(wrong.is_some() && wrong != Some(41), "{line} {wrong:?}");
            }
        }
    }

    #[test]
    fn a_wrong_total_is_found_beside_other_numbers() {
        for totals in [
            "Nodes searched: 42",
            "Total: 42",
            "Moves: 42",
            "42 nodes",
            "Nodes searched: 42\nMoves: 41",
            "Nodes searched: 42\nMoves: 2",
            "Moves: 2, Nodes: 42",
            "Nodes searched: 42\nTotal: 12 ms",
            "Total nodes: 42\nTotal captures: 34",
            "Nodes: 40\nTotal: 42",
            "Total: 42\nNodes: 40",
            "Total nodes 42 in 12 ms",
            "Total leaf nodes 42 at depth 2",
            "Depth 2: 42",
            "Depth 1: 2\nDepth 2: 42",
        ] {
            for right in [None, Some(42), Some(2)] {
                let divide = read_answer(&format!("a2a3: 20\nb2b3: 21\n{totals}"), right);
                let expected = match right {
                    Some(42) => 42,
                    _ if totals.ends_with("Nodes: 40") => 40,
                    _ => 42,
                };
                assert_eq!(divide.total, Some(expected), "{totals} {right:?}");
            }
        }
    }

    #[test]
    fn totals_without_moves() {
        for (text, right, total) in [
            ("0 total", None, 0),
            ("0 nodes", None, 0),
            ("Result: 0", None, 0),
            ("Depth 1: 0", None, 0),
            ("Number of nodes: 0", None, 0),
            ("8 902 nodes (12 ms)", None, 8902),
            ("Nodes: 21\nMoves: 20", Some(20), 21),
            ("Nodes: 441\nTotal: 400", Some(400), 400),
            ("Total captures: 34\nResult: 400", None, 400),
            ("Moves: 400", None, 400),
        ] {
            assert_eq!(read_answer(text, right).total, Some(total), "{text}");
        }
        for text in ["100 nodes/s", "20 moves:", "Results for depth 3", "Number of threads: 4"] {
            assert_eq!(read_divide(text).total, None, "{text}");
        }
    }

    #[test]
    fn depths_and_times_are_no_evidence() {
        for line in [
            "perft 1: {}",
            "perft(1) = {}",
            "perft 1 {}",
            "Perft(1) {}",
            "Nodes at depth 1: {}",
            "Nodes at depth 1 {}",
            "Total nodes {} at depth 1",
            "Total {} at depth 1",
            "Nodes searched: {} (depth 1)",
            "Nodes: {} in 1 ms",
            "Total {} in 1 ms",
            "Nodes {} time 1",
            "Depth 1: {}",
        ] {
            for total in [2, 13, 8902] {
                let text = line.replace("{}", &total.to_string());
                for right in [Some(1), Some(total), None] {
                    assert_eq!(read_answer(&text, right).total, Some(total), "{text} {right:?}");
                    let text = format!("a1a2: 1\n{text}");
                    assert_eq!(read_answer(&text, right).total, Some(total), "{text} {right:?}");
                }
            }
        }
        // These do not say which number is the total.
        for line in
            ["Total 20 8902", "Total: 20 / 8902", "perft 3 8902 12", "Total: 20 moves 8902 nodes"]
        {
            assert_eq!(read_answer(line, Some(8902)).total, Some(8902), "{line}");
        }
        assert_eq!(read_answer("perft 3 8 902", None).total, Some(8902));
    }

    #[test]
    fn a_carriage_return_in_a_line_overwrites_it() {
        let progress: String = (0..5000).map(|number| format!("\rnodes {number} ")).collect();
        for text in [
            format!("{progress}\ra2a3: 20\r\n{progress}\nb2b3: 21\r\r\n"),
            format!("a2a3: 20\n\rb2b3: 21\n\r{progress}\rNodes: 41\n\r"),
            "a2a3: 20\rb2b3: 21\rNodes searched: 41\r".to_owned(),
            "a2a3: 20\rb2b3: 21".to_owned(),
        ] {
            let divide = read_divide(&text);
            assert_eq!((&divide.texts()[..], divide.sum()), (&["a2a3", "b2b3"][..], 41), "{text}");
        }
        let unread = Reading::of("hello\rwhat is it?\r\n", usize::MAX, 9, None).unread;
        assert_eq!(unread, [(1, "what is it?")]);
    }

    #[test]
    fn an_endless_answer_keeps_the_last_totals() {
        let text: String = (0..100_000).map(|number| format!("{number}\n")).collect();
        let reading = Reading::of(&text, usize::MAX, 0, None);
        assert_eq!((reading.totals.len(), reading.divide.total), (MOST_TOTALS, Some(99_999)));
    }

    #[test]
    fn lines_whose_count_cannot_be_read() {
        let uncounted = |text| uncounted_line(text, &read_divide(text));
        assert_eq!(uncounted("a2a3 #20\nb2b3 #21\nNodes: 41"), Some("a2a3 #20"));
        assert_eq!(uncounted("a2a3 20\n b2b3\nNodes: 41"), Some("b2b3"));
        for text in ["a2a3\nb2b3\nNodes: 41", "a2a3 20\nb2b3 21", "20 a2a3\n20 b2b3", "1. a2a3"] {
            assert_eq!(uncounted(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_in_lines_of_their_own_may_be_counts() {
        let apart = |text| counts_apart(text, &read_divide(text));
        let objects = "{\n\"depth\": 1,\n\"moves\": [\n{\n\"move\": \"a2a3\",\n\"nodes\": 1\n},\n\
                       {\n\"move\": \"b2b3\",\n\"nodes\": 1\n}\n]\n}";
        assert_eq!(apart(objects), Some("\"depth\": 1,"));
        let pairs = "[\n[\n\"a2a3\",\n1\n],\n[\n\"b2b3\",\n1\n]\n]";
        assert_eq!(apart(pairs), Some("1"));
        for text in [
            "{\n\"count\": 2,\n\"moves\": [\n\"a2a3\",\n\"b2b3\"\n]\n}",
            "{\n\"a2a3\": 1,\n\"b2b3\": 1\n}\n2",
            "a2a3\nb2b3\n2",
            "2\n",
        ] {
            assert_eq!(apart(text), None, "{text}");
        }
    }

    #[test]
    fn announced_moves_are_no_listed_moves() {
        let divide = read_divide("trying a2a3\na2a3: 20\nMove b2b3\nb2b3: 21\nponder e7e5\n41");
        assert_eq!(divide.texts(), ["a2a3", "b2b3"]);
        // A move that is listed twice stays.
        assert_eq!(read_divide("a2a3: 20\na2a3: 20\n").moves.len(), 2);
        assert_eq!(read_divide("a2a3\na2a3\n").moves.len(), 2);
    }

    #[test]
    fn a_column_of_pieces_names_no_promotions() {
        // The rook moves to the last rank. Without a column, the letter would be a role.
        for text in [
            "g1f3 (N): 20\na7a8 (R): 21",
            "g1f3 N 20\na7a8 R 21",
            "g1f3 n: 20\na7a8 r: 21",
            "g1f3, N, 20\na7a8, R, 21",
            "1. g1f3 [N] 20\n2. a7a8 [R] 21",
            "21\tg1f3\tN\n20\ta7a8\tR",
            "info string g1f3 (N): 20\ninfo string a7a8 (R): 21",
        ] {
            let divide = read_divide(text);
            assert_eq!((&divide.texts()[..], divide.sum()), (&["g1f3", "a7a8"][..], 41), "{text}");
        }
        assert_eq!(read_divide("e7e8q (P): 20\ne7e8n (P): 21").texts(), ["e7e8q", "e7e8n"]);
        assert_eq!(read_divide("g1f3: 20\na7a8 (R): 21").texts(), ["g1f3", "a7a8R"]);
    }

    #[test]
    fn a_column_of_the_pieces_that_land_tells_the_roles() {
        for text in [
            "g1f3 (N): 20\na7a8 (Q): 21\na7a8 (N): 22\nb6b7 (P): 23",
            "g1f3 N 20\na7a8 Q 21\na7a8 N 22\nb6b7 P 23",
            "g1f3, N, 20\na7a8, Q, 21\na7a8, N, 22\nb6b7, P, 23",
            "1. g1f3 [N] 20\n2. a7a8 [Q] 21\n3. a7a8 [N] 22\n4. b6b7 [P] 23",
            "20\tg1f3\tN\n22\ta7a8\tQ\n21\ta7a8\tN\n23\tb6b7\tP",
        ] {
            let divide = read_divide(text);
            assert_eq!(divide.texts(), ["g1f3", "a7a8Q", "a7a8N", "b6b7"], "{text}");
            assert_eq!(divide.sum(), 86, "{text}");
        }
        // A rook's move that is listed twice is no promotion.
        let twice = read_divide("g1f3 (N): 20\na7a8 (R): 21\na7a8 (R): 21");
        assert_eq!(twice.texts(), ["g1f3", "a7a8", "a7a8"]);
    }

    #[test]
    fn counts_before_their_moves() {
        let counts =
            |text| -> Vec<_> { read_divide(text).moves.into_iter().map(|it| it.1).collect() };
        assert_eq!(counts("380 a2a3\n420 b2b3\n"), [Some(380), Some(420)]);
        assert_eq!(counts("380: a2a3\n420: b2b3\n"), [Some(380), Some(420)]);
        assert_eq!(counts("20 a2a3\n20 b2b3\n"), [Some(20), Some(20)]);
        // A numbered list.
        assert_eq!(counts("1. a2a3\n2. b2b3\n"), [None, None]);
        assert_eq!(counts("1 a2a3 20\n2 b2b3 20\n"), [Some(20), Some(20)]);
    }

    #[test]
    fn several_moves_in_a_line() {
        let read = read_divide("a2a3 380 b2b3 420\nc2c3 440 d2d3 538\nNodes: 1778");
        assert_eq!(read.moves.len(), 4);
        assert_eq!((read.sum(), read.total), (1778, Some(1778)));
        assert_eq!(read_divide("{\n\"a2a3\": 20,\n\"b2b3\": 21\n}").sum(), 41);
        assert_eq!(read_divide("{\"a2a3\":20,\"b2b3\":21}").sum(), 41);
    }

    #[test]
    fn bishops_of_san_are_no_files() {
        assert_eq!(plain_uci("B5f3"), None);
        assert_eq!(plain_uci("B5xf3+"), None);
        assert_eq!(plain_uci("b5f3").map(|it| it.to_string()).as_deref(), Some("b5f3"));
        assert_eq!(plain_uci("B5F3").map(|it| it.to_string()).as_deref(), Some("b5f3"));
        assert_eq!(read_divide("B5f3 B5d3\n").texts(), ["B5f3", "B5d3"]);
    }

    #[test]
    fn lists_of_moves() {
        let divide = read_divide("a2a3 a2a4, b2b3\n");
        assert_eq!(divide.moves.len(), 3);
        assert_eq!(read_divide("[\"a2a3\", \"O-O\"]").moves.len(), 2);
    }
}
