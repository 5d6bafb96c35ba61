//! `tabiya show`.

use std::fs;

use crate::program::{directory, fine, json, mistaken};

const CHECK: &str = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";

#[test]
fn a_board_is_shown_with_the_facts_of_the_position() {
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
fn pieces_are_chess_symbols_unless_letters_are_asked_for() {
    let shown = fine(&["show"]);
    assert!(shown.starts_with("8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n7  ♟ ♟"), "{shown}");
    assert!(shown.contains("\n1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n"), "{shown}");
}

#[test]
fn check_mate_stalemate_and_en_passant_are_shown() {
    let line = |fen: &str, name: &str| {
        let shown = fine(&["show", "--fen", fen]);
        let mut lines = shown.lines().filter_map(|line| line.strip_prefix(name));
        lines.next().map(|rest| rest.trim().to_owned()).unwrap_or_default()
    };
    assert_eq!(line(CHECK, "checkers"), "d3");
    assert_eq!(line("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "legal moves"), "none: checkmate");
    assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "legal moves"), "none: stalemate");
    assert_eq!(line("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "game over"), "1-0 (checkmate)");
    assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "game over"), "1/2-1/2 (stalemate)");
    let bare = "7k/8/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(line(bare, "game over"), "1/2-1/2 (insufficient material)");
    assert_eq!(
        json(&["show", "--fen", bare, "--json"])["outcome"]["reason"],
        "insufficient-material"
    );
    assert!(json(&["show", "--json"])["outcome"].is_null());
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    let shown = fine(&["show", "--moves", &moves]);
    assert!(shown.contains("\ngame over     1/2-1/2 (fivefold repetition)\n"), "{shown}");
    let found = json(&["show", "--moves", &moves, "--json"]);
    assert_eq!(found["outcome"]["reason"], "fivefold-repetition");
    let shown = fine(&["show", "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "--moves", "a1a2"]);
    assert!(shown.contains("\ngame over     1/2-1/2 (seventy-five-move rule)\n"), "{shown}");
    assert_eq!(line(CHECK, "game over"), "");
    assert_eq!(line("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "en passant"), "d6");
    let useless = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2";
    assert_eq!(line(useless, "en passant"), "none (no capture on d6 is legal)");
    let queens = "QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1";
    assert!(line(queens, "impossible").contains("promoted pieces"));
}

#[test]
fn a_setup_that_is_not_playable_is_shown_with_the_reason() {
    let empty = ["show", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"];
    let facts = "\nnot playable  White has no king\nlegal moves   0\n";
    assert!(fine(&empty).ends_with(facts));
    let found = json(&[&empty[..], &["--json"]].concat());
    assert_eq!(found["unplayable"], "White has no king");
    assert!(found["legal_moves"] == 0 && found["key"].is_null());
    // No move of a side with several kings is legal or illegal.
    let kings = ["show", "--fen", "8/8/8/8/8/8/8/K1K5 w - - 0 1"];
    assert!(fine(&kings).ends_with("\npseudo-legal  8\n"));
    assert!(json(&[&kings[..], &["--json"]].concat())["legal_moves"].is_null());
    // But no move can be played on it.
    mistaken(&[&empty[..], &["--moves", "e2e4"]].concat());
    mistaken(&[&empty[..], &["--layer", "checkers"]].concat());
    let shown = fine(&[&empty[..], &["--layer", "knight:d4"]].concat());
    assert_eq!(shown.matches("[ ]").count(), 8);
}

#[test]
fn each_layer_has_a_board_beside_the_others() {
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
    // The same call, written differently.
    let repeated = ["show", "--ascii", "--fen", CHECK, "--layer", "checkers", "--layer=pin-lines"];
    assert_eq!(fine(&repeated), shown);
    let commas = ["show", "--ascii", "--fen", CHECK, "--layer", "checkers,pin-lines"];
    assert_eq!(fine(&commas), shown);
}

#[test]
fn squares_that_do_not_share_a_line_are_explained() {
    let call = ["show", "--layer", "between:a1-b3", "between:a1-c3"];
    let shown = fine(&call);
    assert!(shown.ends_with("\nbetween:a1-b3: a1 and b3 do not share a line\n"), "{shown}");
    let found = json(&[&call[..], &["--json"]].concat());
    assert_eq!(found["layers"][0]["note"], "a1 and b3 do not share a line");
    assert!(found["layers"][1]["note"].is_null());
    assert!(
        fine(&[&call[..], &["--svg", "-"]].concat()).contains("(a1 and b3 do not share a line)")
    );
}

/// Every layer in the help text can be drawn.
#[test]
fn every_layer_of_the_help_text_is_drawn() {
    let help = fine(&["show", "--help"]);
    let list = help.split_once("\nLayers ").unwrap().1.split_once("\n\n").unwrap().0;
    let mut seen = 0;
    // A long description goes on in the next line.
    for line in list.lines().skip(1).filter(|line| !line.starts_with("   ")) {
        let form = line.split_whitespace().next().unwrap();
        let layer = form.replace("SQ", "d1").replace("DIR", "n").replace("COLOR", "white");
        let drawn = json(&["show", "--json", "--layer", &layer]);
        assert_eq!(drawn["layers"][0]["name"], *layer);
        seen += 1;
    }
    assert!(seen >= 39, "{list}");
}

#[test]
fn the_json_object_holds_the_position_and_its_layers() {
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
fn a_picture_has_a_board_for_each_layer() {
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
    assert!(written.contains("<rect class=\"bg\""));
    // Without layers, only the board is drawn.
    let plain = fine(&["show", "--svg", "-"]);
    assert_eq!(plain.matches("<use ").count(), 32);
    assert_eq!(plain.matches("class=\"m\"").count(), 0);
}

#[test]
fn a_picture_with_everything_on_it() {
    let call = [
        "show",
        "--moves",
        "e2e4",
        "--layer",
        "white,between:e4,e7",
        "black",
        "--together",
        "--flip",
        "--transparent",
        "--last-move",
        "e2e4",
        "--arrow",
        "e7e5,g8f6:red",
        "--arrow",
        "d8d8:blue",
        "--svg",
        "-",
    ];
    let picture = fine(&call);
    let count = |part: &str| picture.matches(part).count();
    assert_eq!(
        (count("class=\"h\""), count("class=\"a\""), count("stroke-width=\"4\"")),
        (2, 2, 1)
    );
    for name in ["white", "between:e4,e7", "black"] {
        assert!(picture.contains(&format!(">{name}</text>")), "{name}");
    }
    // One board, with Black at the bottom, and no background.
    assert_eq!(count("<use "), 32);
    assert!(picture.contains("<use class=\"b\" href=\"#tabiya-r\" x=\"0\" y=\"315\"/>"));
    assert_eq!(count("class=\"bg\""), 0);
    let small = fine(&["show", "--svg", "-", "--coordinates", "inside", "--size", "196"]);
    assert!(small.contains("width=\"196\" height=\"196\" viewBox=\"0 0 392 392\""), "{small}");
    assert_eq!(small.matches("class=\"i\"").count(), 16);
    assert!(mistaken(&["show", "--svg", "-", "--size", "0"]).contains("0 is not in 1"));
    assert!(
        mistaken(&["show", "--svg", "-", "--coordinates", "x"]).contains("outside, inside, none")
    );
    // Each of these options needs a picture.
    for option in [
        &["--arrow", "e2e4"][..],
        &["--last-move", "e2e4"],
        &["--transparent"],
        &["--coordinates", "none"],
        &["--size", "100"],
    ] {
        let error = mistaken(&[&["show"], option].concat());
        assert!(error.contains("--svg <FILE>"), "{error}");
    }
    assert!(mistaken(&["show", "--together"]).contains("--layer"));
}

#[test]
fn mistakes_in_arrows_and_in_the_last_move_are_pointed_at() {
    let wrong = |option, text| mistaken(&["show", "--svg", "-", option, text]);
    assert_eq!(
        wrong("--arrow", "e2e4,e7e9:red"),
        "error: expected two squares, such as e2e4\n  e7e9:red\n    ^^\n"
    );
    assert_eq!(
        wrong("--arrow", "e2e4:pink"),
        "error: the colours of arrows are green, red, blue, orange, purple and grey\n  \
         e2e4:pink\n       ^^^^\n"
    );
    assert!(wrong("--last-move", "Nf3").contains("\n  Nf3\n  ^^^\n"));
}

#[test]
fn the_last_move_may_be_written_in_algebraic_notation() {
    let picture = |last: &[&str]| {
        fine(&[&["show", "--svg", "-", "--moves", "1. e4 e5 2. Nf3"], last].concat())
    };
    assert_eq!(picture(&["--last-move", "Nf3"]), picture(&["--last-move", "g1f3"]));
    assert_ne!(picture(&["--last-move", "Nf3"]), picture(&[]));
    let call = ["show", "--svg", "-", "--moves", "1. e4 e5 2. Nf3", "--last-move", "Nc3"];
    assert_eq!(mistaken(&call), "error: the last of the moves is Nf3, not Nc3\n  Nc3\n  ^^^\n");
}

#[test]
fn text_boards_are_turned_and_joined_too() {
    let shown = fine(&["show", "--ascii", "--flip"]);
    assert!(shown.starts_with("1  R N B K Q B N R\n2  P P"), "{shown}");
    assert!(shown.contains("\n8  r n b k q b n r\n   h g f e d c b a\n\nFEN "), "{shown}");
    let call = ["show", "--ascii", "--fen", CHECK, "--layer", "checkers", "pinned", "pin-lines"];
    let shown = fine(&[&call[..], &["--together"]].concat());
    assert!(
        shown.contains("\n3  .   .   .   n1  .3  .   .   .\n2  .   .   .   .   B23 "),
        "{shown}"
    );
    assert!(shown.ends_with("\n  1 checkers\n  2 pinned\n  3 pin-lines\n"), "{shown}");
    let many = "white,black,pawns,knights,bishops,rooks,queens,kings,board";
    let error = mistaken(&["show", "--layer", many, "--together"]);
    assert!(error.contains("9 layers do not fit on one board"), "{error}");
}

#[test]
fn only_svg_files_are_written() {
    let directory = directory("no-png");
    let path = directory.join("x.png");
    let error = mistaken(&["show", "--svg", path.to_str().unwrap()]);
    assert!(error.starts_with("error: the name of an SVG file ends in .svg; no other"), "{error}");
    assert!(error.contains("x.png\n") && error.contains("x.svg and convert it"), "{error}");
    assert!(
        mistaken(&["show", "--svg", "picture"]).contains("\n  --svg picture\n        ^^^^^^^\n")
    );
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
    // The extension may have letters of either case.
    let path = directory.join("x.SVG");
    assert_eq!(fine(&["show", "--svg", path.to_str().unwrap()]), "");
}

/// Shells offer the names of layers.
#[test]
fn shells_complete_the_names_of_layers() {
    for shell in ["bash", "zsh", "fish"] {
        let script = fine(&["completions", shell]);
        for name in ["checkers", "king-danger", "pin-lines"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let path = directory("no-picture").join("missing").join("board.svg");
    let error = mistaken(&["show", "--svg", path.to_str().unwrap()]);
    assert!(error.contains("board.svg cannot be written: "), "{error}");
}
