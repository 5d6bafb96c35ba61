//! `tabiya perft --plain`: output for other tools.

use crate::program::{fine, mistaken, run};

const PIN: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

#[test]
fn the_form_of_stockfish_has_a_colon_and_names_the_sum() {
    assert_eq!(
        fine(&["perft", "2", PIN, "--plain", "stockfish"]),
        "\
a5a4: 15
a5a6: 15
b4a4: 15
b4b1: 16
b4b2: 16
b4b3: 15
b4c4: 15
b4d4: 15
b4e4: 15
b4f4: 2
e2e3: 15
e2e4: 16
g2g3: 4
g2g4: 17

Nodes searched: 191
"
    );
    assert_eq!(fine(&["perft", "0", "--plain", "stockfish"]), "\nNodes searched: 1\n");
}

/// perftree calls a script with the depth, the FEN and, if there are any, the moves.
#[test]
fn the_form_of_perftree_is_that_of_its_scripts() {
    let text = fine(&["perft", "2", PIN, "e2e4 h4g5", "--plain", "perftree"]);
    let (moves, total) = text.split_once("\n\n").unwrap();
    let pairs: Vec<(&str, u64)> = moves
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(mv, nodes)| (mv, nodes.parse().unwrap()))
        .collect();
    assert!(pairs.is_sorted() && pairs.len() == 12, "{text}");
    let sum: u64 = pairs.iter().map(|(_, nodes)| nodes).sum();
    assert_eq!((sum, total), (195, "195\n"));
}

#[test]
fn nothing_else_is_on_standard_output() {
    let plain = ["perft", "3", "--plain", "perftree"];
    let text = fine(&plain);
    assert_eq!(fine(&[&plain[..], &["--hash", "1"]].concat()), text);
    let differs = run(&[&plain[..], &["--expect", "1"]].concat());
    assert_eq!((differs.code, differs.out), (Some(1), text));
    assert_eq!(differs.err, "expected 1 leaf nodes, found 8,902\n");
}

/// An incomplete count is not printed, because it would be taken for the whole.
#[cfg(unix)]
#[test]
fn a_stopped_count_prints_nothing_on_standard_output() {
    use crate::program::{Run, command, wait_until_it_works};
    use std::process::{Command, Stdio};

    let mut child = command();
    child.args(["perft", "14", "--plain", "stockfish"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_it_works(&child, std::time::Duration::from_millis(100));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let end = Run::from(child.wait_with_output().unwrap());
    assert_eq!((end.code, end.out.as_str()), (Some(130), ""));
    assert_eq!(end.err, "stopped: the count is not complete\n");
}

#[test]
fn options_about_other_output_are_refused() {
    for other in ["--json", "--divide", "--categories", "--distinct", "--checkpoint=x"] {
        let error = mistaken(&["perft", "2", "--plain", "stockfish", other]);
        assert!(error.contains("cannot be used with"), "{other}: {error}");
    }
    let error = mistaken(&["perft", "2", "--plain", "crafty"]);
    assert!(
        error.contains("not a valid value for --plain: expected one of stockfish, perftree"),
        "{error}"
    );
}
