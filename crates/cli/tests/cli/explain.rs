//! `tabiya explain`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::program::{fine, json, mistaken, run};

/// The rook on e8 pins the bishop on e2.
const PINNED: [&str; 3] = ["explain", "--fen", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"];
/// The bishop on a6 attacks f1.
const CASTLING: [&str; 3] = ["explain", "--fen", "4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1"];

fn with<'a>(base: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    [&base[..], more].concat()
}

#[test]
fn each_move_has_a_line() {
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
fn several_reasons_have_a_line_each() {
    // The right exists, but the king is in check and crosses an attacked square.
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
fn castling_may_be_asked_about_in_either_notation() {
    assert_eq!(
        fine(&with(CASTLING, &["e1g1"])),
        "e1g1 is not legal: the king would pass through f1, which the bishop on a6 attacks\n",
    );
    assert_eq!(fine(&with(CASTLING, &["e1c1"])), "e1c1 is legal\n");
    assert_eq!(fine(&with(CASTLING, &["e1a1", "--chess960"])), "e1a1 is legal\n");
    // Both notations are accepted, as for `--moves`.
    assert_eq!(
        fine(&with(CASTLING, &["e1c1", "--chess960"])),
        "e1c1 is legal; here it is written e1a1\n"
    );
    assert_eq!(fine(&with(CASTLING, &["E1-A1"])), "e1a1 is legal; here it is written e1c1\n");
    assert_eq!(
        fine(&with(CASTLING, &["e1g1", "--chess960"])),
        "e1g1 is not legal: the king would pass through f1, which the bishop on a6 attacks\n",
    );
}

#[test]
fn the_json_object_holds_an_entry_for_each_move() {
    let found = json(&with(CASTLING, &["e1g1", "e1c1", "e1a1", "--json"]));
    assert_eq!(
        found,
        json!({
            "schema": "tabiya-explain/1",
            "fen": CASTLING[2],
            "moves": [
                {
                    "move": "e1g1",
                    "legal": false,
                    "uci": null,
                    "san": null,
                    "reasons": [{
                        "name": "castling-through",
                        "sentence": "the king would pass through f1, which the bishop on a6 attacks",
                        "piece": null,
                        "details": {
                            "through": "f1",
                            "by": { "role": "bishop", "color": "black", "square": "a6" },
                        },
                    }],
                    "omitted": 0,
                    "instead": [],
                    "error": null,
                },
                {
                    "move": "e1c1",
                    "legal": true,
                    "uci": "e1c1",
                    "san": "O-O-O",
                    "reasons": [],
                    "omitted": 0,
                    "instead": [],
                    "error": null,
                },
                {
                    "move": "e1a1",
                    "legal": true,
                    "uci": "e1c1",
                    "san": "O-O-O",
                    "reasons": [],
                    "omitted": 0,
                    "instead": [],
                    "error": null,
                },
            ],
        })
    );
    let many = ["explain", "--fen", "4k3/8/8/8/8/nqqqqqqn/1n1q1q1n/1K5R w K - 0 1", "--chess960"];
    let many = json(&[&many[..], &["b1h1", "--json"]].concat());
    assert_eq!(many["moves"][0]["reasons"].as_array().unwrap().len(), 16);
    assert!(many["moves"][0]["omitted"].as_u64().unwrap() > 0);
}

/// A position, a move, the name of the reason against it, and the details.
type Refused = (&'static str, &'static str, &'static str, Value);

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn piece(color: &str, role: &str, square: &str) -> Value {
    json!({ "role": role, "color": color, "square": square })
}

/// Squares, pieces, pins and checks.
fn refused_everywhere() -> Vec<Refused> {
    let pinned = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1";
    let double = "4r2k/8/8/8/8/3n4/6R1/4K3 w - - 0 1";
    vec![
        (START, "e4e5", "empty-square", json!({ "from": "e4" })),
        (
            START,
            "g8f6",
            "opponents-piece",
            json!({ "piece": piece("black", "knight", "g8"), "color": "black" }),
        ),
        (START, "e2e2", "same-square", json!({})),
        (START, "d1d2", "own-piece", json!({ "piece": piece("white", "pawn", "d2") })),
        (
            START,
            "g1g3",
            "cannot-reach",
            json!({ "piece": piece("white", "knight", "g1"), "to": "g3" }),
        ),
        (START, "a1a5", "blocked", json!({ "by": piece("white", "pawn", "a2") })),
        (
            pinned,
            "e2d3",
            "pinned",
            json!({
                "piece": piece("white", "bishop", "e2"),
                "king": "e1",
                "by": piece("black", "rook", "e8"),
                "line": "e-file",
            }),
        ),
        (
            "4r2k/8/8/8/8/8/3P4/4K3 w - - 0 1",
            "d2d4",
            "check-remains",
            json!({ "checker": piece("black", "rook", "e8") }),
        ),
        (
            double,
            "g2e2",
            "double-check",
            json!({ "first": piece("black", "knight", "d3"), "second": piece("black", "rook", "e8") }),
        ),
        (
            double,
            "e1e2",
            "king-attacked",
            json!({ "to": "e2", "by": piece("black", "rook", "e8") }),
        ),
    ]
}

/// What only kings, castling and pawns are refused for.
fn refused_to_kings_and_pawns() -> Vec<Refused> {
    let kings = "8/8/8/4k3/8/4K3/8/7r w - - 0 1";
    let promotion = "7k/P7/8/8/8/8/8/4K3 w - - 0 1";
    vec![
        (kings, "e3e4", "kings-adjacent", json!({ "to": "e4", "king": "e5" })),
        (kings, "e3g3", "castling-place", json!({ "home": "e1" })),
        (
            "4k2r/8/8/8/8/8/8/4K3 b - - 0 1",
            "e8g8",
            "castling-right",
            json!({ "color": "black", "side": "king" }),
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1",
            "e1a1",
            "castling-rook",
            json!({ "rook": "a1", "castles": "b1" }),
        ),
        (
            "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
            "e1c1",
            "castling-blocked",
            json!({ "by": piece("white", "knight", "b1") }),
        ),
        (
            "4k3/8/8/8/7b/8/8/4K2R w K - 0 1",
            "e1g1",
            "castling-in-check",
            json!({ "checker": piece("black", "bishop", "h4") }),
        ),
        (
            "4k3/8/b7/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            "castling-through",
            json!({ "through": "f1", "by": piece("black", "bishop", "a6") }),
        ),
        (
            "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            "castling-into",
            json!({ "to": "g1", "by": piece("black", "rook", "g8") }),
        ),
        (
            "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
            "e1b1",
            "castling-rook-pinned",
            json!({ "rook": "b1", "by": piece("black", "rook", "a1"), "line": "first rank" }),
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1h1q",
            "castling-notation",
            json!({ "instead": "e1g1" }),
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "castling-letters", json!({ "side": "king" })),
        (START, "e2d3", "nothing-to-capture", json!({ "to": "d3" })),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "e5d6",
            "not-en-passant",
            json!({ "to": "d6", "pawn": "d5" }),
        ),
        (
            "6bk/8/8/3pP3/8/1K6/8/8 w - d6 0 1",
            "e5d6",
            "en-passant-uncovers",
            json!({ "king": "b3", "by": piece("black", "bishop", "g8"), "line": "diagonal a2-g8" }),
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6", "double-push", json!({ "rank": 2 })),
        (promotion, "a7a8", "promotion-missing", json!({ "to": "a8" })),
        (START, "g1f3n", "no-promotion", json!({ "role": "knight", "rank": 8 })),
    ]
}

/// Tests the description of each reason. No text of a move can have two of the reasons, which are
/// tested in the front-end crate.
#[test]
fn every_reason_has_its_details() {
    let mut seen = BTreeSet::from(["promotion-role", "wrong-kind"]);
    for (fen, mv, name, details) in
        refused_everywhere().into_iter().chain(refused_to_kings_and_pawns())
    {
        let found = json(&["explain", "--fen", fen, mv, "--json"]);
        let reason = &found["moves"][0]["reasons"][0];
        assert_eq!((&reason["name"], &reason["details"]), (&name.into(), &details), "{fen} {mv}");
        let text = fine(&["explain", "--fen", fen, mv]);
        assert!(text.contains(reason["sentence"].as_str().unwrap()), "{reason} in {text}");
        seen.insert(name);
    }
    assert_eq!(seen, tabiya::Reason::NAMES.iter().copied().collect());
}

#[test]
fn with_the_check_option_an_illegal_move_ends_with_code_1() {
    assert_eq!(run(&with(PINNED, &["e1d1", "--check"])).code, Some(0));
    let failed = run(&with(PINNED, &["e1d1", "e2d3", "--check"]));
    assert_eq!((failed.code, failed.out.lines().count()), (Some(1), 2));
    assert_eq!(run(&with(PINNED, &["e2d3"])).code, Some(0));
}

#[test]
fn a_text_that_is_not_a_move_does_not_hide_the_other_answers() {
    let asked = with(PINNED, &["e1d1", "e7e8k", "e2d3", "Nf9"]);
    let found = run(&asked);
    assert_eq!(found.code, Some(2));
    assert_eq!(
        found.out,
        "e1d1 is legal\n\
         e2d3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8\n"
    );
    assert_eq!(found.err.matches("error: ").count(), 2, "{}", found.err);
    assert!(found.err.contains("\n  e7e8k\n      ^\n"), "{}", found.err);
    assert!(found.err.contains("\n  Nf9\n    ^\n"), "{}", found.err);
    // Unreadable text takes precedence over an illegal move in the exit code.
    assert_eq!(run(&[&asked[..], &["--check"]].concat()).code, Some(2));
    // In JSON, the unreadable text has its own entry.
    let found = run(&[&asked[..], &["--json"]].concat());
    assert_eq!((found.code, found.err.as_str()), (Some(2), ""));
    let object: Value = serde_json::from_str(&found.out).unwrap();
    let moves = object["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0]["legal"], true);
    assert!(moves[0]["error"].is_null() && moves[2]["error"].is_null());
    assert_eq!(
        moves[3],
        json!({
            "move": "Nf9",
            "legal": false,
            "uci": null,
            "san": null,
            "reasons": [],
            "omitted": 0,
            "instead": [],
            "error": {
                "message": "expected a rank from 1 to 8 after the file f",
                "start": 2,
                "end": 3,
                "hint": null,
            },
        })
    );
    assert!(moves[1]["error"]["hint"].is_null());
    let hint =
        "hint: moves are read in standard or long algebraic notation (Nf3, Ng1-f3) and in UCI";
    assert!(mistaken(&["explain", "castle", "x"]).contains(hint));
    assert!(mistaken(&["explain", "12. Nf9+-"]).contains("  12. Nf9+-\n        ^\n"));
}

#[test]
fn moves_are_explained_in_every_notation() {
    assert_eq!(
        fine(&["explain", "e4", "Nf3", "e2e4", "Ng1-f3", "Ngf3!", "1.e4", "2e4", "1...e5", "e4+-"]),
        "\
e4 is legal
Nf3 is legal
e2e4 is legal
Ng1-f3 is legal; the standard form is Nf3
Ngf3! is legal; the standard form is Nf3
e4 is legal
e4 is legal
e5 is not legal: a pawn on e2 cannot reach e5
e4 is legal
"
    );
    assert_eq!(
        fine(&with(PINNED, &["Bd3", "Nd3", "O-O", "Z0"])),
        "\
Bd3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8
Nd3 is not legal: White has no knight
O-O is not legal: White has no right to castle on the king side
Z0 is not legal: it is a null move
"
    );
    assert_eq!(
        fine(&["explain", "Nd4", "Ncf3"]),
        "\
Nd4 is not legal:
  - a knight on b1 cannot reach d4
  - a knight on g1 cannot reach d4
Ncf3 is not legal: White has no knight on the c-file
  Nf3 would be legal
"
    );
    // A text that fits two moves is an error.
    let two = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    assert_eq!(
        mistaken(&["explain", "--fen", two, "Nd2"]),
        "error: two knights can reach d2: Nbd2 or Nfd2\n  Nd2\n  ^^^\n"
    );
    let found = json(&["explain", "--json", "Ncf3", "e4"]);
    assert_eq!(found["moves"][0]["reasons"][0]["name"], "no-piece");
    assert_eq!(found["moves"][0]["instead"], json!(["Nf3"]));
    assert_eq!(found["moves"][1]["uci"], "e2e4");
    assert_eq!(found["moves"][1]["san"], "e4");
    let found = json(&with(PINNED, &["Bd3", "--json"]));
    let piece = &found["moves"][0]["reasons"][0]["piece"];
    assert_eq!(*piece, json!({ "role": "bishop", "color": "white", "square": "e2" }));
}

#[test]
fn wrong_arguments_are_refused_with_a_caret() {
    mistaken(&["explain"]);
    assert_eq!(
        mistaken(&["explain", "e7e8k"]),
        "\
error: a pawn promotes to n, b, r or q
  e7e8k
      ^
"
    );
    assert!(mistaken(&["explain", "a9a1"]).contains("\n  a9a1\n   ^\n"));
    assert!(mistaken(&["explain", "e"]).contains("\n  e\n   ^\n"));
    assert!(mistaken(&["explain", "e2e4q5"]).contains("\n       ^\n"));
}

/// The filter that removes colours would remove it.
#[test]
fn json_keeps_the_character_del() {
    let end = run(&["explain", "e\u{7f}4", "--json"]);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["moves"][0]["move"], "e\u{7f}4", "{end:?}");
}

/// The arguments are moves, so the position is given with an option.
#[test]
fn a_position_among_the_moves_is_an_error_with_a_hint() {
    let hint = "hint: --fen 'FEN' or --position NAME gives the position\n";
    for position in
        ["kiwipete", "chess960:518", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
    {
        let error = mistaken(&["explain", position, "e2e4"]);
        let expected = format!(
            "error: this is a position, and the arguments of explain are moves\n  {position}\n  {}\n{hint}",
            "^".repeat(position.len())
        );
        assert_eq!(error, expected);
    }
}
