//! Large trees.

use tabiya::Position;
use tabiya_pgn::{EditError, GameTree, MAX_PLIES, NodeId, WriteError};

use super::{assert_kept, exact, tree};
use crate::common::is_short;

#[test]
fn large_games_take_linear_time() {
    let many = if is_short() { 1000 } else { 100_000 };
    // Many variations, comments and glyphs at one node, then a long line.
    let mut text = "1. e4 ".to_owned();
    for _ in 0..many {
        text.push_str("(1. d4 {x}) {y} $1 ");
    }
    let mut wide = tree(&text);
    assert_eq!(wide.len(), 2 + many);
    assert_kept(&wide);
    let copy = wide.clone();
    wide.merge(&copy).unwrap();
    assert_eq!(wide.len(), 2 + many);
    wide.delete_below(NodeId::ROOT);
    assert_eq!(wide.len(), 1);

    // All of them are text if a number shows that moves are missing.
    let cut = tree(format!("1. e4 {{x}} e5 {} d4 9. c4 *", "(1... c5) ".repeat(many)));
    assert_eq!((cut.len(), cut.problems().len()), (2, 1));
    assert_kept(&cut);

    let plies = if is_short() { 1000 } else { MAX_PLIES as usize };
    let shuffle = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].iter().cycle();
    let mut text: String = shuffle.clone().take(plies).copied().collect();
    let mut long = tree(&text);
    assert_eq!(long.len(), 1 + plies);
    assert_eq!(long.position(long.end()), Position::START);
    if plies == MAX_PLIES as usize {
        let mv = Position::START.parse_move("e4").unwrap();
        assert_eq!(long.add(long.end(), mv), Err(EditError::TooManyMoves));
        text.push_str("Nf3");
        let longer = tree(&text);
        assert_eq!((longer.len(), longer.problems().len()), (1 + plies, 1));
    }
}

#[test]
fn variations_are_nested_as_deep_as_the_reader_allows() {
    let mut tree = GameTree::new();
    let mut at = NodeId::ROOT;
    for depth in 0..=256 {
        let position = tree.position(at);
        let (first, second) = match position.turn() {
            tabiya::Color::White if depth % 4 == 0 => ("Nf3", "Nc3"),
            tabiya::Color::White => ("a3", if depth % 4 == 2 { "Nb1" } else { "Ng1" }),
            tabiya::Color::Black => ("Nf6", if depth % 4 == 1 { "Nc6" } else { "Nb8" }),
        };
        if depth == 256 {
            let text = tree.to_pgn(&exact());
            assert!(matches!(text, Err(WriteError::TooDeep)), "{text:?}");
            break;
        }
        tree.add(at, position.parse_move(first).unwrap()).unwrap();
        at = tree.add(at, position.parse_move(second).unwrap()).unwrap();
        if depth == 254 {
            assert_kept(&tree);
        }
    }
}
