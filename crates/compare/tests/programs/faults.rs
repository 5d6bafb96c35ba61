//! Every fault changes an answer, and its class exists.

use tabiya_compare::Class;
use tabiya_suites::{RULES, RULES_CHESS960, STANDARD};

use crate::program::{dialogue, list};
use crate::right::questions;

/// Positions and lines that the suites lack: FEN, moves and depth.
const MORE: &[(&str, &str, u32)] = &[
    // A transposition reached with and without a right.
    ("k7/p7/8/8/8/8/8/N3K2R w K - 0 1", "", 5),
    // The rook is captured, by a piece and by a pawn that promotes; one of two rooks moves.
    ("4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", "", 2),
    ("4k3/8/8/8/8/8/6p1/4K2R b K - 0 1", "", 2),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", 3),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", 4),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 2),
    ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4", 1),
    // A transposition reached with and without an en-passant square.
    ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "", 4),
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "", 2),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 100 80", "", 1),
    ("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 h8h7 a2a1 h7h8 a1a2 h8h7 a2a1 h7h8", 1),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "", 1),
    // The rook comes to its home square.
    ("4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", "g1h1 e8e7", 1),
    // A pawn captures a checking knight on the last rank.
    ("3n4/2P5/4K3/8/8/8/8/7k w - - 0 1", "", 1),
];

/// The program's answers to all questions.
fn answers(fault: Option<&str>, commands: &str) -> String {
    let arguments = fault.map_or(Vec::new(), |name| vec!["--fault", name]);
    let (text, end) = dialogue(&arguments, commands);
    format!("{text}{end:?}")
}

#[test]
fn every_class_exists() {
    for (name, class) in list("--list") {
        assert!(
            class.parse::<Class>().is_ok(),
            "'{name}' has the class '{class}', which does not exist"
        );
    }
}

#[test]
fn every_fault_changes_an_answer() {
    let mut commands = String::new();
    for (suite, chess960) in [(STANDARD, false), (RULES, false), (RULES_CHESS960, true)] {
        commands += &format!("setoption name UCI_Chess960 value {chess960}\n");
        for (fen, depth, _) in questions(suite.text, 300) {
            commands += &format!("position fen {fen}\ngo perft {depth}\n");
        }
    }
    commands += "setoption name UCI_Chess960 value false\n";
    for (fen, moves, depth) in MORE {
        commands += &format!("position fen {fen} moves {moves}\ngo perft {depth}\n");
    }
    commands += "quit\n";
    let right = answers(None, &commands);
    let same: Vec<String> = list("--list")
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| answers(Some(name), &commands) == right)
        .collect();
    assert!(same.is_empty(), "these faults change nothing: {same:?}");
}
