//! `tabiya show`.

use std::fs;

use crate::program::{directory, fine, json, mistaken};

const CHECK: &str = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";

#[test]
fn a_board_and_what_belongs_to_it() {
    let shown = fine(&["show", "--ascii", "--moves", "e2e4"]);
    let expected = "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . P . . .
3  . . . . . . . .
2  P P P P . P P P
1  R N B Q K B N R
   a b c d e f g h

FEN           rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
side to move  Black
castling      White with h1 and a1, Black with h8 and a8
en passant    none
checkers      none
key           0x";
    assert!(shown.starts_with(expected), "{shown}");
    assert!(shown.ends_with("\nlegal moves   20\n"), "{shown}");
}

#[test]
fn chess_symbols() {
    let shown = fine(&["show"]);
    assert!(shown.starts_with("8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n7  ♟ ♟"), "{shown}");
    assert!(shown.contains("\n1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n"), "{shown}");
}

#[test]
fn states_of_the_game() {
    let line = |fen: &str, name: &str| {
        let shown = fine(&["show", "--fen", fen]);
        let mut lines = shown.lines().filter_map(|line| line.strip_prefix(name));
        lines.next().map(|rest| rest.trim().to_owned()).unwrap_or_default()
    };
    assert_eq!(line(CHECK, "checkers"), "d3");
    assert_eq!(line("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "legal moves"), "none: checkmate");
    assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "legal moves"), "none: stalemate");
    assert_eq!(line("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "en passant"), "d6");
    let useless = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2";
    assert_eq!(line(useless, "en passant"), "none (no capture on d6 is legal)");
    let queens = "QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1";
    assert!(line(queens, "impossible").contains("promoted men"));
}

#[test]
fn what_cannot_be_played_on_is_shown_with_the_reason() {
    let empty = ["show", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"];
    assert!(fine(&empty).ends_with("\nnot playable  White has no king\n"));
    let found = json(&[&empty[..], &["--json"]].concat());
    assert_eq!(found["unplayable"], "White has no king");
    assert!(found["legal_moves"].is_null() && found["key"].is_null());
    // But nothing can be played on it.
    mistaken(&[&empty[..], &["--moves", "e2e4"]].concat());
    mistaken(&[&empty[..], &["--layer", "checkers"]].concat());
    let shown = fine(&[&empty[..], &["--layer", "knight:d4"]].concat());
    assert_eq!(shown.matches("[ ]").count(), 8);
}

#[test]
fn layers_stand_beside_each_other() {
    let shown = fine(&["show", "--ascii", "--fen", CHECK, "--layer", "checkers", "pin-lines"]);
    let expected = "\
checkers                     pin-lines
8  .  .  .  .  r  .  .  k    8  .  .  .  . [r] .  .  k
7  .  .  .  .  .  .  .  .    7  .  .  .  . [ ] .  .  .
6  .  .  .  .  .  .  .  .    6  .  .  .  . [ ] .  .  .
5  .  .  .  .  .  .  .  .    5  .  .  .  . [ ] .  .  .
4  .  .  .  .  .  .  .  .    4  .  .  .  . [ ] .  .  .
3  .  .  . [n] .  .  .  .    3  .  .  .  n [ ] .  .  .
2  .  .  .  .  B  .  .  .    2  .  .  .  . [B] .  .  .
1  .  .  .  .  K  .  .  .    1  .  .  .  . [K] .  .  .
   a  b  c  d  e  f  g  h       a  b  c  d  e  f  g  h
";
    assert_eq!(shown, expected);
    // The same, written otherwise.
    let repeated = ["show", "--ascii", "--fen", CHECK, "--layer", "checkers", "--layer=pin-lines"];
    assert_eq!(fine(&repeated), shown);
    let commas = ["show", "--ascii", "--fen", CHECK, "--layer", "checkers,pin-lines"];
    assert_eq!(fine(&commas), shown);
}

#[test]
fn squares_on_no_common_line_are_told() {
    let call = ["show", "--layer", "between:a1-b3", "between:a1-c3"];
    let shown = fine(&call);
    assert!(shown.ends_with("\nbetween:a1-b3: a1 and b3 stand on no common line\n"), "{shown}");
    let found = json(&[&call[..], &["--json"]].concat());
    assert_eq!(found["layers"][0]["note"], "a1 and b3 stand on no common line");
    assert!(found["layers"][1]["note"].is_null());
    assert!(fine(&[&call[..], &["--svg", "-"]].concat()).contains("on no common line"));
}

/// Every layer that the help text lists draws something on some board, or nothing.
#[test]
fn every_layer_of_the_help_text_is_drawn() {
    let help = fine(&["show", "--help"]);
    let list = help.split_once("\nLayers ").unwrap().1.split_once("\n\n").unwrap().0;
    let mut seen = 0;
    for line in list.lines().skip(1) {
        let form = line.split_whitespace().next().unwrap();
        let forms = match form.strip_suffix("|COLOR") {
            Some(square) => vec![square.to_owned(), square.replace("SQ", "white")],
            None => vec![form.to_owned()],
        };
        for form in forms {
            let layer = form.replace("SQ", "d1").replace("DIR", "n");
            let drawn = json(&["show", "--json", "--layer", &layer]);
            assert_eq!(drawn["layers"][0]["name"], *layer);
            seen += 1;
        }
    }
    assert!(seen >= 38, "{list}");
}

#[test]
fn the_json_object() {
    let found = json(&["show", "--fen", CHECK, "--json", "--layer", "pinned,attacks:d3"]);
    assert_eq!(found["fen"], CHECK);
    assert_eq!(found["turn"], "white");
    assert_eq!(found["castling"].as_array().unwrap().len(), 0);
    assert!(found["en_passant"].is_null() && found["unplayable"].is_null());
    assert_eq!(found["checkers"][0], "d3");
    assert_eq!(found["legal_moves"], 3);
    assert_eq!(found["impossible"].as_array().unwrap().len(), 0);
    let key = found["key"].as_str().unwrap();
    assert!(key.starts_with("0x") && key.len() == 18, "{key}");
    assert_eq!(found["layers"][0]["bits"], "0x0000000000001000");
    assert_eq!(found["layers"][1]["squares"].as_array().unwrap().len(), 8);
}

#[test]
fn pictures() {
    let path = directory("pictures").join("board.svg");
    let name = path.to_str().unwrap();
    let arguments = ["show", "--fen", CHECK, "--layer", "checkers", "king-danger", "--svg"];
    assert_eq!(fine(&[&arguments[..], &[name]].concat()), "");
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, fine(&[&arguments[..], &["-"]].concat()));
    assert!(written.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    assert!(written.ends_with("</svg>\n"));
    assert_eq!(written.matches("<use ").count(), 2 * 5);
    assert!(written.contains(">checkers</text>") && written.contains(">king-danger</text>"));
    assert!(written.contains("prefers-color-scheme:dark"));
    // Without layers: the board alone.
    let plain = fine(&["show", "--svg", "-"]);
    assert_eq!(plain.matches("<use ").count(), 32);
    assert_eq!(plain.matches("class=\"m\"").count(), 0);
}

#[test]
fn a_picture_that_cannot_be_written() {
    let path = directory("no-picture").join("missing").join("board.svg");
    let error = mistaken(&["show", "--svg", path.to_str().unwrap()]);
    assert!(error.contains("board.svg cannot be written: "), "{error}");
}
