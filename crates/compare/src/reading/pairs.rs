//! Several moves in one line, with or without counts: lists, columns, JSON.

use tabiya::File;

use super::line::{is_move, plain_uci};
use super::number::{Spaces, number};

/// A number with more digits than this is no count.
const MOST_DIGITS: usize = 39;

/// A move in the text's notation, and the count below it.
pub(super) type Pair = (String, Option<u128>);

/// The moves of a line, if it contains little else. A count follows its move.
pub(super) fn pairs(line: &str, spaces: Spaces) -> Option<Vec<Pair>> {
    let plain = read(words(line), spaces);
    let is_counted = |pairs: &Vec<Pair>| pairs.iter().all(|(_, count)| count.is_some());
    if plain.as_ref().is_some_and(is_counted) {
        return plain;
    }
    // Only now is `(20)` or the 20 of `20/400` a count: beside one, it is something else.
    let without_brackets = line.replace(['(', ')', '<', '>'], " ");
    let bare = words(&without_brackets).map(before_slash);
    read(bare, spaces).filter(is_counted).or(plain)
}

fn read<'a>(words: impl Iterator<Item = &'a str>, spaces: Spaces) -> Option<Vec<Pair>> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut others = 0;
    // Digits of a count whose groups of three are separated by spaces.
    let mut digits = String::new();
    for word in words {
        if is_move(word) {
            match pairs.last_mut() {
                Some((mv, None)) if are_one_move(mv, word) => {
                    if plain_uci(word).is_some() {
                        bare(word).clone_into(mv);
                    }
                }
                _ => pairs.push((word.to_owned(), None)),
            }
            digits.clear();
            continue;
        }
        let Some(last) = pairs.last_mut().filter(|_| number(word).is_some()) else {
            // A role in a separate field, such as `(Q)`, would belong to the previous move.
            others += 1;
            continue;
        };
        // A second number is another group of digits of the first, or something else.
        if !digits.is_empty() && word.len() != 3 {
            others += 1;
            continue;
        }
        if !digits.is_empty() && spaces != Spaces::Group {
            continue;
        }
        // More digits do not change that they are no count.
        if digits.len() <= MOST_DIGITS {
            digits.push_str(word);
        }
        last.1 = number(&digits);
        join_castling(&mut pairs);
    }
    (!pairs.is_empty() && others <= 1).then_some(pairs)
}

/// Are these two names of one move, as in `Kf2 (e1f2): 20` and `e2-e4 (e2e4): 20`?
fn are_one_move(one: &str, other: &str) -> bool {
    let (uci, san) = match (plain_uci(one), plain_uci(other)) {
        (Some(uci), None) => (uci, other),
        (None, Some(uci)) => (uci, one),
        // A move that is listed twice has the same name twice.
        (first, second) => return first.is_some() && first == second && bare(one) != bare(other),
    };
    if san.starts_with(['O', '0']) {
        return uci.from.rank() == uci.to.rank() && uci.from.file() == File::E;
    }
    san.contains(&uci.to.to_string())
}

/// The last move has got its count. If it is castling, and the move before it has none, they may be
/// two names of one move, wherever the king stands.
fn join_castling(pairs: &mut Vec<Pair>) {
    let [.., (one, counted @ None), (other, count)] = &mut pairs[..] else { return };
    if are_castling(one, other) {
        if plain_uci(other).is_some() {
            bare(other).clone_into(one);
        }
        *counted = *count;
        pairs.pop();
    }
}

/// Can these be two names of one castling move, as `O-O-O` and `b1a1`?
fn are_castling(one: &str, other: &str) -> bool {
    let (uci, name) = match (plain_uci(one), plain_uci(other)) {
        (Some(uci), None) => (uci, other),
        (None, Some(uci)) => (uci, one),
        _ => return false,
    };
    let (from, to) = (uci.from.file(), uci.to.file());
    let is_side = match name.trim_end_matches(['+', '#']) {
        "O-O" | "0-0" => to > from || to == File::G,
        "O-O-O" | "0-0-0" => to < from || to == File::C,
        _ => false,
    };
    is_side && uci.from.rank() == uci.to.rank()
}

/// The move without brackets around it.
fn bare(text: &str) -> &str {
    text.trim_matches(['(', ')'])
}

/// The words of a line, without the signs between moves and counts.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let separates = |letter: char| letter.is_whitespace() || ",;[]{}\"'|".contains(letter);
    line.split(separates).flat_map(split_count).filter(|word| !word.is_empty())
}

/// The first number of `20/400`.
fn before_slash(word: &str) -> &str {
    let first = word.split('/').next().unwrap_or_default();
    if number(first).is_some() { first } else { word }
}

/// `a2a3:20` and `a2a3=20` are two words; `e7e8=Q` is one.
fn split_count(word: &str) -> [&str; 2] {
    let word = word.trim_matches([':', '-', '>']);
    let at = word.rfind([':', '=']).filter(|at| {
        let count = &word[at + 1..];
        let count = count.strip_prefix('+').unwrap_or(count);
        count.starts_with(|it: char| it.is_ascii_digit())
    });
    match at {
        Some(at) => [word[..at].trim_end_matches(':'), &word[at + 1..]],
        None => [word.trim_matches('='), ""],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<Pair> {
        pairs(line, Spaces::Group).unwrap_or_default()
    }

    fn expected(of: &[(&str, Option<u128>)]) -> Vec<Pair> {
        of.iter().map(|(mv, count)| ((*mv).to_owned(), *count)).collect()
    }

    #[test]
    fn two_names_of_one_move_are_one() {
        for line in
            ["Kf2 (e1f2): 20", "e1f2 Kf2 20", "e1f2;Kf2;20", "Kf2, e1f2, 20", "Kf2+ e1f2 = 20"]
        {
            assert_eq!(read(line), expected(&[("e1f2", Some(20))]), "{line}");
        }
        assert_eq!(read("O-O (e1g1): 7"), expected(&[("e1g1", Some(7))]));
        assert_eq!(read("e7e8q e8=Q+ 7"), expected(&[("e7e8q", Some(7))]));
        // In Chess960, the king castles from any file, and may take the rook.
        for line in ["O-O-O (b1a1): 5", "b1a1 O-O-O 5", "b1a1 O-O-O+ 5"] {
            assert_eq!(read(line), expected(&[("b1a1", Some(5))]), "{line}");
        }
        assert_eq!(read("O-O (f1g1): 1 234"), expected(&[("f1g1", Some(1234))]));
        let list = [("f1e1", None), ("O-O", None), ("f1g1", None)];
        assert_eq!(read("f1e1 O-O f1g1"), expected(&list));
        assert_eq!(read("e2-e4 (e2e4): 20"), expected(&[("e2e4", Some(20))]));
        assert_eq!(read("e2e4 e2-e4 20"), expected(&[("e2-e4", Some(20))]));
        assert_eq!(read("e2e4 e2e4"), expected(&[("e2e4", None), ("e2e4", None)]));
        let list = [("e4", None), ("d2d4", None), ("e2e4", None)];
        assert_eq!(read("e4 d2d4 e2e4"), expected(&list));
    }

    #[test]
    fn counts_stand_behind_their_moves() {
        let two = expected(&[("a2a3", Some(380)), ("b2b3", Some(420))]);
        for line in [
            "a2a3 380 b2b3 420",
            "a2a3: 380    b2b3: 420",
            "a2a3:380, b2b3:420",
            "a2a3:+380, b2b3:+420",
            "a2a3=380; b2b3=420",
            "a2a3 = 380 | b2b3 = 420",
            "{\"a2a3\": 380, \"b2b3\": 420}",
            "{'a2a3':380,'b2b3':420}",
        ] {
            assert_eq!(read(line), two, "{line}");
        }
        assert_eq!(
            read("a2a3 1 234 b7b8=Q 5 678 901"),
            expected(&[("a2a3", Some(1234)), ("b7b8=Q", Some(5_678_901))])
        );
        assert_eq!(read("\"a2a3\": 380,"), expected(&[("a2a3", Some(380))]));
    }

    #[test]
    fn counts_in_brackets_and_before_slashes() {
        let one = expected(&[("a2a3", Some(20))]);
        for line in [
            "a2a3 (20)",
            "a2a3: (20)",
            "a2a3 [20]",
            "a2a3 <20>",
            "a2a3 20/400",
            "a2a3 (12) 20",
            "a2a3 12/20 20",
        ] {
            assert_eq!(read(line), one, "{line}");
        }
        let two = expected(&[("a2a3", Some(1380)), ("b2b3", Some(420))]);
        assert_eq!(read("a2a3 (1 380), b2b3 (420)"), two);
        assert_eq!(read("a2a3 (x)"), expected(&[("a2a3", None)]));
    }

    #[test]
    fn moves_alone_have_no_counts() {
        assert_eq!(read("[\"a2a3\", \"O-O\"]"), expected(&[("a2a3", None), ("O-O", None)]));
        assert_eq!(read("moves: e4 Nf3"), expected(&[("e4", None), ("Nf3", None)]));
        assert_eq!(pairs("the move e4 is good", Spaces::Group), None);
        assert_eq!(pairs("1 2 3", Spaces::Group), None);
    }
}
