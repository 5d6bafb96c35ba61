//! Wrong calls: exit code 2, and an error that says what is wrong and where.

use crate::program::{directory, fine, mistaken, run};

#[test]
fn carets_stand_under_the_wrong_part_of_a_fen() {
    let fen = "rnbqkbnr/pppppppp/8/8/PPPPPPPPP/8/8/RNBQKBNR w KQkq - 0 1";
    assert_eq!(
        mistaken(&["moves", "--fen", fen]),
        "\
error: rank 4 of the board has 9 squares, not 8
  rnbqkbnr/pppppppp/8/8/PPPPPPPPP/8/8/RNBQKBNR w KQkq - 0 1
                        ^^^^^^^^^
"
    );
    assert_eq!(
        mistaken(&["show", "--fen", "8/8/8/8/8/8/8/8 white - - 0 1"]).lines().last(),
        Some("                  ^^^^^"),
    );
}

#[test]
fn a_fen_without_fields_or_an_unknown_name_gives_a_hint() {
    let error = mistaken(&["moves", "--fen", "8/8/8/8/8/8/8/8"]);
    assert!(
        error.ends_with("hint: a FEN has several fields; after --fen, put it in quotes\n"),
        "{error}"
    );
    let error = mistaken(&["moves", "startpo"]);
    assert!(error.starts_with("error: there is no position \"startpo\"\n  startpo\n  ^^^^^^^\n"));
    assert!(error.contains("hint: the names are startpos, kiwipete, "), "{error}");
}

/// Every command that plays refuses the FENs of `reject.tsv`.
#[test]
fn unplayable_positions_are_refused() {
    let list = tabiya_suites::REJECT.text;
    let mut seen = 0;
    for line in list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fen = line.split('\t').next().unwrap();
        let error = mistaken(&["perft", "1", "--fen", fen]);
        assert!(error.contains('^'), "{error}");
        assert_eq!(mistaken(&["estimate", "3", "--fen", fen]), error);
        // `show` draws every board that has a valid FEN, and `moves` lists its moves.
        let shown = run(&["show", "--fen", fen]);
        assert!(shown.code == Some(2) || shown.out.contains("\nnot playable  "), "{shown:?}");
        let moves = run(&["moves", "--pseudo-legal", "--fen", fen]);
        assert_eq!(moves.code, shown.code);
        assert!(moves.code == Some(2) || moves.err.starts_with("not playable: "), "{moves:?}");
        seen += 1;
    }
    assert!(seen > 10);
}

#[test]
fn carets_stand_under_the_wrong_move() {
    assert_eq!(
        mistaken(&["show", "--moves", "e2e4, e7e9"]),
        "\
error: expected a rank from 1 to 8 after the file e
  e2e4, e7e9
           ^
hint: the position before this move is rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
"
    );
    let illegal = mistaken(&["show", "--moves", "e2e4 e2e4"]);
    assert!(illegal.contains("\n  e2e4 e2e4\n       ^^^^\n"), "{illegal}");
    // Characters of several bytes, and texts that are too short.
    assert!(mistaken(&["show", "--moves", "ééé e2"]).contains("\n  ééé e2\n  ^\n"));
    assert!(mistaken(&["show", "--moves", "e"]).contains("\n  e\n   ^\n"));
    let error = mistaken(&["show", "--moves", "1. e4 e5 2. Nd4"]);
    assert!(error.contains("\n  1. e4 e5 2. Nd4\n              ^^^\n"), "{error}");
    let error = mistaken(&["show", "--position", "chess960:960"]);
    assert!(error.contains("from 0 to 959") && error.contains("\n           ^^^\n"), "{error}");
}

#[test]
fn carets_stand_under_the_wrong_part_of_a_layer() {
    assert_eq!(
        mistaken(&["show", "--layer", "attcks:e2"]),
        "\
error: there is no layer \"attcks\"
  attcks:e2
  ^^^^^^
hint: did you mean attacks? `tabiya show --help` lists the layers
"
    );
    assert_eq!(
        mistaken(&["show", "--layer", "ray:e2-up"]),
        "\
error: the layer ray needs a square and one of n, ne, e, se, s, sw, w, nw, such as c3-ne
  ray:e2-up
      ^^^^^
"
    );
    assert!(mistaken(&["show", "--layer", "xray:e4"]).contains("e4 is empty"));
    assert!(mistaken(&["show", "--layer", ""]).contains('^'));
}

#[test]
fn unknown_arguments_are_refused() {
    mistaken(&["prft", "6"]);
    mistaken(&["moves", "--fem", "x"]);
    mistaken(&["completions", "cmd.exe"]);
    let error = mistaken(&["man", "prft"]);
    assert!(error.contains("the subcommands are perft, moves"), "{error}");
    assert!(error.contains("; --dir DIR writes all pages to a directory"), "{error}");
    // Without arguments, the help is printed, but the exit code reports an error.
    let alone = run(&[]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("Usage: tabiya"), "{alone:?}");
}

/// An option that needs another one is refused if that one is missing or excluded.
#[test]
fn arguments_without_effect_are_refused() {
    for call in [
        "perft 2 --distinct --verify-seed 7",
        "perft 2 --distinct --checks exclude-mates",
        "perft 2 --divide --checks exclude-mates",
        "perft 2 --plain stockfish --checks exclude-mates",
        "perft 2 --plain stockfish --split 1",
        "perft 2 --plain stockfish --verify-share 5%",
        "perft 2 --hash 16 --verify-seed 7 --split 1",
        "perft 2 --hash 16 --verify-seed 7 --verify-share 5%",
        "perft 2 --categories --seed 7",
        "perft 2 --distinct --isa auto",
        "show --json --arrow e2e4",
        "show --json --last-move e2e4",
        "show --json --transparent",
        "show --json --coordinates inside",
        "show --json --size 100",
        "show --json --together",
        "show --svg never-written.svg --ascii",
        "frontier 2 --output never-written --limit 3",
        "frontier --read never-read --threads 2",
    ] {
        let arguments: Vec<_> = call.split(' ').collect();
        let option = arguments.iter().rev().find(|word| word.starts_with("--")).unwrap();
        // Without a table, the error about a seed names the arguments of which it needs one.
        let named = if *option == "--seed" { "--hash" } else { option };
        assert!(mistaken(&arguments).contains(named), "{call}");
    }
}

#[test]
fn colours_are_used_on_demand_only() {
    let arguments = ["show", "--layer", "white"];
    assert!(!fine(&arguments).contains('\u{1b}'));
    let coloured = fine(&[&arguments[..], &["--color", "always"]].concat());
    assert!(coloured.contains("\u{1b}["));
    let games = directory("colours").join("games.pgn");
    std::fs::write(&games, "1. e4 e5 2. Nf3 Nc6 *\n").unwrap();
    let games = games.to_str().unwrap();
    for arguments in [&["pgn", games][..], &["pgn", games, "--check"]] {
        assert!(!fine(arguments).contains('\u{1b}'), "{arguments:?}");
        assert!(fine(&[arguments, &["--color=always"]].concat()).contains('\u{1b}'));
    }
    let error = run(&["--color=always", "moves", "--fen", "x"]);
    assert!(error.err.starts_with("\u{1b}["), "{error:?}");
    assert!(!fine(&[&arguments[..], &["--color", "never"]].concat()).contains('\u{1b}'));
}

/// A reader that has read enough is not an error, as in `tabiya moves | head -1`.
#[test]
fn a_closed_pipe_is_no_error() {
    use crate::program::{Run, command};
    for arguments in [&["moves"][..], &["show"], &["perft", "3"], &["completions", "bash"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command().args(arguments).stdout(writer).output().unwrap();
        let end = Run::from(output);
        assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// Any other failure to write is an error, because the results are lost.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    use crate::program::{Run, directory};
    let file = directory("full-output").join("one.csv");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(&file, format!("fen,move,score,result,ply\n{start},,5,1-0,0\n")).unwrap();
    let commands = [
        "perft 3",
        "perft 3 --json",
        "moves",
        "show --svg -",
        "data convert @ - --to csv",
        "data check @",
        "data statistics @ --json",
        "--help",
        "--version",
    ];
    for arguments in commands {
        let arguments = arguments.replace('@', file.to_str().unwrap());
        let line = format!("{} {arguments} >/dev/full", env!("CARGO_BIN_EXE_tabiya"));
        let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        let end = Run::from(output);
        assert_eq!(end.code, Some(1), "{line}: {end:?}");
        let begin = "error: the output cannot be written: No space left on device";
        assert!(end.err.starts_with(begin), "{line}: {end:?}");
        let line = format!("{} {arguments} >/dev/null", env!("CARGO_BIN_EXE_tabiya"));
        let end = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(end.status.success(), "{line}");
    }
}

#[test]
fn errors_about_values_say_what_is_expected_and_show_what_is_given() {
    let cases: [(&[&str], &str); 11] = [
        (&["perft", "six"], "expected a number of plies from 0 to 255, such as 6\n  six\n  ^^^\n"),
        (&["perft", "-1"], "expected a number of plies"),
        (&["perft", "99999999999999999999"], "expected a number of plies"),
        (&["perft", "1", "--hash", "lots"], "or auto\n  --hash lots\n         ^^^^\n"),
        (&["perft", "1", "--threads=-4"], "from 1 to 1024, such as 4\n  --threads -4\n"),
        (&["perft", "1", "--expect", "1,000"], "without commas, such as 119060324\n"),
        (&["moves", "--from", "e2,e9"], "such as e4\n  --from e9\n         ^^\n"),
        (&["moves", "--to", "éé"], "such as e4\n  --to éé\n       ^^\n"),
        (
            &["moves", "--kind", "captuers"],
            "\"captuers\" is not a valid value for --kind: expected one of legal, captures, quiets, \
             quiet-checks, evasions, non-evasions\n  --kind captuers\n         ^^^^^^^^\n\
             hint: did you mean captures?\n",
        ),
        (&["estimate", "9", "--seconds", "soon"], "such as 2.5\n  --seconds soon\n"),
        (&["suite", "x", "--max-depth", "1e3"], "such as 6\n  --max-depth 1e3\n"),
    ];
    for (arguments, expected) in cases {
        let error = mistaken(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(mistaken(&["moves", "--fen"]).contains("a value is required"));
    let forgotten = mistaken(&["compare", "stockfish"]);
    assert!(forgotten.contains("hint: a program comes after \"--\"; a FEN"), "{forgotten}");
}

/// An input without anything to work on is an error: the command before it has probably failed.
#[cfg(unix)]
#[test]
fn an_empty_input_is_an_error() {
    let folder = directory("errors-empty");
    for call in [
        "suite -",
        "book -",
        "frontier --read -",
        "compare --suite - -- true",
        "moves --fen -",
        "moves -",
    ] {
        let end = crate::shell::run(&format!("tabiya {call} </dev/null"), &folder);
        assert_eq!(end.code, Some(2), "{call}: {end:?}");
        assert!(end.err.starts_with("error: "), "{call}: {end:?}");
    }
}
