//! `tabiya compare` with tabiya itself as the program under test: no protocol gives a finding.

use crate::program::{directory, run};

/// Castling, promotions with captures, en passant, and a mate.
const POSITIONS: &str = "\
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 0 1
8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
";

/// The protocols, each with a command that speaks it.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("uci", &["uci"]),
    (
        "perftree",
        &["perft", "{depth}", "--fen", "{fen}", "--moves", "{moves}", "--plain", "perftree"],
    ),
    (
        "total",
        &["perft", "{depth}", "--fen", "{fen}", "--moves", "{moves}", "--plain", "stockfish"],
    ),
    ("moves", &["moves", "--fen", "{fen}", "--moves", "{moves}"]),
];

#[test]
fn agrees_by_every_protocol() {
    let suite = directory("compare-itself").join("positions.epd");
    std::fs::write(&suite, POSITIONS).expect("a file");
    let suite = suite.to_str().expect("UTF-8");
    for (protocol, command) in COMMANDS {
        for chess960 in [false, true] {
            let mut arguments =
                vec!["compare", "--json", "--depth", "2", "--suite", suite, "--protocol", protocol];
            if chess960 {
                arguments.push("--chess960");
            }
            arguments.extend(["--", env!("CARGO_BIN_EXE_tabiya")]);
            arguments.extend(command);
            if chess960 && protocol != "uci" {
                arguments.push("--chess960");
            }
            let answer = run(&arguments);
            assert_eq!(answer.code, Some(0), "{protocol}: {answer:?}");
            let report: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
            assert_eq!(report["verdict"], "agrees", "{report}");
            assert_eq!(report["protocol"], protocol);
            assert_eq!(report["findings"].as_array().map(Vec::len), Some(0));
            assert!(report["asked"].as_u64() >= Some(4), "{report}");
        }
    }
}

#[test]
fn the_whole_ladder_over_uci() {
    let answer = run(&["compare", "--json", "--", env!("CARGO_BIN_EXE_tabiya"), "uci"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
}
