//! `tabiya explain`.

use crate::program::{fine, json, mistaken, run};

/// The rook on e8 pins the bishop on e2.
const PINNED: [&str; 3] = ["explain", "--fen", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"];
/// The bishop on a6 attacks f1.
const CASTLING: [&str; 3] = ["explain", "--fen", "4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1"];

fn with<'a>(base: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    [&base[..], more].concat()
}

#[test]
fn one_line_a_move() {
    assert_eq!(
        fine(&with(PINNED, &["e2d3", "e1d1"])),
        "\
e2d3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8
e1d1 is legal
"
    );
    assert_eq!(fine(&["explain", "g1f3"]), "g1f3 is legal\n");
    assert_eq!(fine(&["explain", "g8f6", "--moves", "e2e4"]), "g8f6 is legal\n");
}

#[test]
fn several_reasons_stand_below_each_other() {
    // The right is there, but the king is in check and passes an attacked square.
    let fen = "4r1k1/8/b7/8/8/8/8/4K2R w K - 0 1";
    let text = fine(&["explain", "--fen", fen, "e1g1"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("e1g1 is not legal:"));
    let reasons: Vec<&str> = lines.collect();
    assert!(reasons.len() >= 2, "{text}");
    assert!(reasons.iter().all(|line| line.starts_with("  - ")), "{text}");
    assert!(text.contains("the rook on e8") && text.contains("the bishop on a6"), "{text}");
}

#[test]
fn castling_follows_the_notation() {
    assert_eq!(
        fine(&with(CASTLING, &["e1g1"])),
        "e1g1 is not legal: castling leads through f1, which the bishop on a6 attacks\n",
    );
    assert_eq!(fine(&with(CASTLING, &["e1c1"])), "e1c1 is legal\n");
    assert_eq!(fine(&with(CASTLING, &["e1a1", "--chess960"])), "e1a1 is legal\n");
}

#[test]
fn the_json_object() {
    let found = json(&with(CASTLING, &["e1g1", "e1c1", "--json"]));
    assert_eq!(found["fen"], CASTLING[2]);
    assert_eq!(found["moves"][0]["move"], "e1g1");
    assert_eq!(found["moves"][0]["legal"], false);
    assert_eq!(found["moves"][0]["reasons"].as_array().unwrap().len(), 1);
    assert_eq!(found["moves"][1]["legal"], true);
    assert_eq!(found["moves"][1]["reasons"].as_array().unwrap().len(), 0);
}

#[test]
fn a_check_decides_the_exit_code() {
    assert_eq!(run(&with(PINNED, &["e1d1", "--check"])).code, Some(0));
    let failed = run(&with(PINNED, &["e1d1", "e2d3", "--check"]));
    assert_eq!((failed.code, failed.out.lines().count()), (Some(1), 2));
    assert_eq!(run(&with(PINNED, &["e2d3"])).code, Some(0));
}

#[test]
fn arguments_are_looked_at() {
    mistaken(&["explain"]);
    assert_eq!(
        mistaken(&["explain", "e7e8k"]),
        "\
error: a pawn becomes one of n, b, r and q
  e7e8k
      ^
"
    );
    assert!(mistaken(&["explain", "e2"]).contains("\n  e2\n    ^\n"));
    assert!(mistaken(&["explain", "e2e4q5"]).contains("\n       ^\n"));
}
