//! What a tree holds of odd and broken games.

use tabiya::Position;
use tabiya_pgn::{GameTree, Reader, Termination, WriteOptions};

use super::{assert_kept, exact, moves, tree};

#[test]
fn the_rest_of_a_line_is_text_after_an_error() {
    let tree = tree(
        "1. e4 e5 (1... Ke6 2. d4 (2. c4) d5) (1... c5 {a} 2. Bb5 Qq9 3. d4 {b}) {c} 2. Nf3 Nc6 (2... d6) 3. Bxc6 (3. d4) 3... d5 {e} $1 0-1 {f}",
    );
    let text = moves(&tree).replace('\n', " ");
    for (comment, rest) in [
        ("{ply 2 (1... Ke6): Ke6 is not legal: a king on e8 ", "1. Ke6 2. d4 ( 2. c4 ) d5}"),
        ("{moves are missing before move 3, since 2 is next: ", "Qq9 3. d4 (b)}"),
        (
            "{ply 5 (3. Bxc6): Bxc6 is not legal: a bishop on c1 ",
            "3. Bxc6 ( 3. d4 ) 3. d5 (e) $1 (f)}",
        ),
    ] {
        let (_, after) = text.split_once(comment).unwrap_or_else(|| panic!("{comment}: {text}"));
        let (_, after) = after.split_once("; not read: ").unwrap();
        assert!(after.starts_with(rest), "{after}");
    }
    let mut options = exact();
    options.comments = false;
    let text = tree.to_pgn(&options).unwrap();
    assert_eq!(text.trim(), "1. e4 e5 (1... c5 2. Bb5) 2. Nf3 Nc6 (2... d6) 0-1");
    let nodes: Vec<usize> = tree.problems().iter().map(|problem| tree.ply(problem.node)).collect();
    assert_eq!(nodes, [1, 3, 4]);
    assert_kept(&tree);
}

/// The moves between a comment that may have swallowed others and the number that shows it.
#[test]
fn moves_after_a_number_that_is_too_high_are_text() {
    for (text, kept, rest) in [
        (
            "1. e4 {x) 1... e5 2. Nf3} c5 $1 (1... c6 {a} (1... e6) 2. d4) d4 (2. c3) 5. Bb5 a6 *",
            "1. e4",
            "1... c5 $1 (1... c6 |a| 2. d4) (1... e6) 2. d4 (2. c3) 5. Bb5 a6",
        ),
        (
            "1. e4 (1. d4) e5 (1... e6 {x} d4 9. c4 (9. c5)) 2. d4 *",
            "1. e4 (1. d4) 1... e5 (1... e6) 2. d4",
            "2. d4 9. c4 ( 9. c5 )",
        ),
        (
            "1. e4 e5 ({x} c5 (1... d5) 5. d4 d5) (1... d6) 2. d4 *",
            "1. e4 e5 (1... d6) 2. d4",
            "|x| 1... c5 (1... d5) 5. d4 d5",
        ),
        ("1. e4 xyz e5 3. d4 *", "1. e4", "xyz 1... e5 3. d4"),
    ] {
        let tree = tree(text);
        let mut options = exact();
        options.comments = false;
        assert_eq!(tree.to_pgn(&options).unwrap().trim(), format!("{kept} *"), "{text}");
        let written = moves(&tree).replace('\n', " ");
        assert!(written.contains(&format!("; not read: {rest}}}")), "{text}: {written}");
        assert!(tree.problems().iter().all(|problem| tree.contains(problem.node)), "{text}");
        assert_kept(&tree);
    }
}

#[test]
fn a_broken_start_position_leaves_the_tags() {
    for text in [
        "[White \"a\"]\n[FEN \"8/8\"]\n\n1. e4 e5 1-0",
        "[White \"a\"]\n[Variant \"Atomic\"]\n\n(1. e4) 1. d4 (1. c4) 1-0",
        "[White \"a\"]\n[FEN \"8/8\"]\n\n1-0",
        "{b} $1 {c}\n[White \"a\"]\n[FEN \"8/8\"]\n\n{d} $2 1. e4 $3 {e} 1-0",
    ] {
        let tree = tree(text);
        let written = tree.to_pgn(&exact()).unwrap();
        assert_eq!(self::tree(&written), tree, "{written}");
        assert_eq!((tree.len(), tree.problems().len()), (1, 1), "{text}");
        assert_eq!(tree.tag("White"), Some("a"));
        assert_eq!(tree.result(), Termination::WhiteWins);
    }
    let tree = tree("[FEN \"8/8\"]\n\n{a} $1 {b} 1. e4 {c} * {d}");
    assert_eq!(
        moves(&tree).replace('\n', " "),
        "$1 {a} {b} {the tag FEN: the board has 2 ranks, not 8; not read: 1. e4 (c) (d)} *"
    );
    let tree = self::tree("[FEN \"8/8\"]\n\n{a} *");
    assert_eq!(moves(&tree), "{a} {the tag FEN: the board has 2 ranks, not 8} *");
}

/// A tree holds spaces in place of control characters. So it starts where these say.
#[test]
fn control_characters_in_a_start_position_are_spaces() {
    let tree = tree("[FEN \"4k3/8/8/8/8/8/8/4K3 b -\0- 3 60\"]\n\n60... Ke7 *");
    assert_eq!(tree.tag("FEN"), Some("4k3/8/8/8/8/8/8/4K3 b - - 3 60"));
    assert_eq!(tree.len(), 2);
    assert_kept(&tree);
}

/// Tags go on after a glyph, and a start that cannot be read is no other start.
#[test]
fn a_wrong_start_position_after_a_glyph() {
    let wrong = tree("[Variant \"Chess960\"]\n=\n[FEN \"8/8\"]\n\n1. e4 *");
    assert_eq!(wrong.start(), &Position::START);
    assert_eq!((wrong.len(), wrong.problems().len()), (1, 1));
    assert!(tree(wrong.to_pgn(&exact()).unwrap()) == wrong);
}

#[test]
fn odd_places_of_variations_and_comments() {
    for (text, expected) in [
        // Before the first move there is nothing to replace.
        ("{} (1. d4 {x}) d5 *", "1. d4 {x} 1... d5 *"),
        ("1. e4 ((1. c4) 1. d4 d5) e5 *", "1. e4 (1. c4) (1. d4 d5) 1... e5 *"),
        (
            "1. e4 e5 ({before} 1... c5 {after}) ({only words}) *",
            "1. e4 e5 {only words} ({before} 1... c5 {after}) *",
        ),
        ("{a} {b} 1. e4 $1 {c} $2 (1. d4) {d} *", "{a} {b} 1. e4 $1 $2 {c} {d} (1. d4) *"),
        ("1. e4 { } {} e5 *", "1. e4 e5 *"),
        ("1. e4 e5 (1... e5 2. d4) *", "1. e4 e5 (1... e5 2. d4) *"),
        ("1. e4 -- 2. d4 Z0 (2... e5) *", "1. e4 -- 2. d4 -- (2... e5) *"),
        ("{} ({x} 1. e4 {y} (1. c4)) {z} *", "{x} 1. e4 {y} {z} (1. c4) *"),
        ("1. e4 ;}x\n e5 *", "1. e4 ;}x\n1... e5 *"),
        ("1. e4 {a} ({b} ({c} $1) {d} 1. d4 {e}) *", "1. e4 {a} ({b} {c} {d} 1. d4 $1 {e}) *"),
        ("1. e4 (({a}) ({b} ({c}))) *", "1. e4 {a} {b} {c} *"),
        ("1. e4 ((1. c4) ({a}) 1. d4 ({b})) *", "1. e4 (1. c4) ({a} 1. d4 {b}) *"),
        ("1. e4 e5 (1... c5 *) * $1 {a}\n\n{b}", "1. e4 e5 $1 {a} (1... c5) *"),
        ("1-0\n{a}", "{a} 1-0"),
    ] {
        let tree = tree(text);
        assert_eq!(moves(&tree), expected, "{text}");
        assert_kept(&tree);
    }
    // An unfinished variation keeps its comment, too.
    let tree = tree("1. e4 ({x}");
    let unclosed = "{the game ends inside a variation: a closing parenthesis is missing}";
    assert_eq!(moves(&tree).replace('\n', " "), format!("1. e4 {{x}} {unclosed} *"));
}

/// A glyph before the first move of a variation belongs to that move, not to the one before it.
#[test]
fn a_glyph_before_a_variation_belongs_to_its_first_move() {
    for (text, written) in [
        ("1. e4 e5 ($142 1... c5 $1) *", "1. e4 e5 (1... c5 $142 $1) *"),
        ("1. e4 ($2 {a} 1. d4) e5 *", "1. e4 ({a} 1. d4 $2) 1... e5 *"),
        ("1. e4 ((1. c4) $3 1. d4) *", "1. e4 (1. c4) (1. d4 $3) *"),
        // Without a move, it belongs to the one that the variation would replace.
        ("1. e4 e5 ($4 {a}) *", "1. e4 e5 $4 {a} *"),
        ("$5 1. e4 *", "$5 1. e4 *"),
    ] {
        let tree = GameTree::read(&mut Reader::from_bytes(text.as_bytes())).unwrap().unwrap();
        assert!(tree.problems().is_empty(), "{text}");
        let mut options = WriteOptions::default();
        options.sort_tags = false;
        let pgn = tree.to_pgn(&options).unwrap();
        assert_eq!(pgn.trim().lines().last(), Some(written), "{text}");
    }
}

#[test]
fn an_error_of_the_input_ends_the_games() {
    struct Broken(&'static [u8]);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.len() {
                0 => Err(std::io::Error::other("no more")),
                len => {
                    buffer[..len].copy_from_slice(std::mem::take(&mut self.0));
                    Ok(len)
                }
            }
        }
    }
    // The error may hide comments of a game, but the game is whole.
    for text in ["1. e4 * 1. d4 d5", "1. e4 *", "1. e4 1-0\n\n", "1. e4 * {c", "1. e4 * {c}"] {
        let games: Vec<_> = Reader::new(Broken(text.as_bytes())).trees().collect();
        assert_eq!(games.len(), 2, "{text:?}");
        assert!(games[0].as_ref().is_ok_and(|tree| tree.len() == 2), "{text:?}");
        assert!(games[1].as_ref().is_err_and(|error| error.is_final()), "{text:?}");
    }
}
