//! Reads the output of programs: divides, totals and lists of moves, in the dialects that real
//! programs use.

mod line;
mod pairs;

use crate::generator::Divide;

pub(crate) use self::line::{Line, plain_uci, wrong_promotion};
use self::line::{Spaces, meaning};
#[cfg(any(feature = "process", test))]
pub(crate) use self::line::{is_refusal, read_line};

/// Longer lines are not read: no program prints this many moves in one line.
const LONGEST_LINE: usize = 1 << 16;

/// The meaning of a text, line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading<'a> {
    pub(crate) divide: Divide,
    /// The number of moves beyond the requested limit.
    pub(crate) left_out: usize,
    /// The first unread lines, each with its number.
    pub(crate) unread: Vec<(usize, &'a str)>,
    /// The number of all unread lines.
    pub(crate) unread_count: usize,
}

impl<'a> Reading<'a> {
    /// Reads a text, and keeps at most this many moves and unread lines. If the text can be read in
    /// two ways, it is read in the one in which the counts add up to the total, or are nearest to the
    /// right total.
    pub(crate) fn of(
        text: &'a str,
        most_moves: usize,
        most_unread: usize,
        right: Option<u128>,
    ) -> Self {
        let [grouped, separate] = [Spaces::Group, Spaces::Separate]
            .map(|spaces| Self::with(text, most_moves, most_unread, spaces));
        if grouped.divide == separate.divide {
            return grouped;
        }
        let totals = [grouped.divide.total, separate.divide.total];
        let candidates = [grouped, separate].into_iter().flat_map(|reading| {
            totals.map(|total| {
                let mut reading = reading.clone();
                reading.divide.total = total;
                reading
            })
        });
        let rank = |Self { divide, .. }: &Self| {
            let adds_up = divide.moves.is_empty() || divide.count() == divide.sum();
            (!adds_up, right.map_or(0, |right| divide.count().abs_diff(right)))
        };
        candidates.min_by_key(rank).expect("there are four")
    }

    fn with(text: &'a str, most_moves: usize, most_unread: usize, spaces: Spaces) -> Self {
        let read = |prefix: bool| {
            let mut reading = Self::default();
            let mut numbers = Vec::new();
            for (index, whole) in text.lines().enumerate() {
                let line = whole.trim();
                let line = match line.strip_prefix("info string") {
                    Some(rest) if prefix => rest.trim(),
                    _ => line,
                };
                let line =
                    if line.len() > LONGEST_LINE { Line::Other } else { meaning(line, spaces) };
                let moves = match line {
                    Line::Move(mv, count) => vec![(mv, count)],
                    Line::Numbered(number, mv) => {
                        numbers.push(number);
                        vec![(mv, None)]
                    }
                    Line::Moves(moves) => moves,
                    Line::Total(total) => {
                        reading.divide.total = Some(total);
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
            reading
        };
        let plain = read(false);
        if plain.divide.moves.is_empty() {
            let prefixed = read(true);
            let has_more = plain.divide.total.is_none() || !prefixed.divide.moves.is_empty();
            return if has_more { prefixed } else { plain };
        }
        plain
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
            // Thousands.
            ("a2a3 20 137\nb2b3 21 140\n41277", None, 41_277),
            ("a2a3 20 137\nb2b3 21 140\nTotal: 41 277", Some(41_277), 41_277),
            ("a2a3 1 234 567\nb2b3 20\n", Some(1_234_587), 1_234_587),
            ("Nodes: 1 234 567", None, 1_234_567),
        ] {
            let divide = read_answer(text, right);
            assert_eq!(divide.count(), count, "{text:?}");
            assert!(divide.moves.is_empty() || divide.sum() == count, "{text:?}: {divide:?}");
        }
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
