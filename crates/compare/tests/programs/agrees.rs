//! No false findings: right programs with every oddity of output, the adapters, tabiya itself, and
//! Stockfish.

use std::time::Duration;

use tabiya::Position;
use tabiya_compare::{Hunt, Log, Options, Program, Report, Verdict};

use crate::adapters::{commands, has_tool};
use crate::program::{faulty, list};
use crate::watched::{hunt, hunt_in};

/// Positions in which the oddities show: castling on both sides, promotions with captures, en
/// passant, check, two knights and two rooks with one target, mate and stalemate.
const POSITIONS: [&str; 7] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "4k3/1P6/8/R6R/2N3N1/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R6k/8/6K1/8/8/8/8/8 b - - 0 1",
];

fn options(depth: u32) -> Options<'static> {
    let positions =
        POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a position")).collect();
    Options { positions, depth: Some(depth), ..Options::default() }
}

/// The oddities of programs that wait.
const TAKES_LONG: [&str; 5] = ["slow", "flush-at-exit", "late-ready", "parallel", "parallel-quiet"];

/// The oddities that the grammar in `docs/compare.md` doesn't have.
const UNREADABLE: [&str; 3] = ["thousands", "labels", "one-line"];

/// The oddities that can be read, each with the protocols in which it shows.
fn oddities() -> impl Iterator<Item = (String, String)> {
    list("--list-oddities").into_iter().filter(|(name, _)| !UNREADABLE.contains(&name.as_str()))
}

#[test]
fn every_oddity_of_output() {
    let mut wrong = Vec::new();
    for (oddity, protocols) in oddities() {
        for protocol in protocols.split(',') {
            let depth = if TAKES_LONG.contains(&oddity.as_str()) { 1 } else { 2 };
            let mut options = options(depth);
            // Each question takes half a second.
            match oddity.as_str() {
                "late-ready" | "parallel" => options.positions.truncate(2),
                // Some answers are heard before it is concluded that none has a total.
                "parallel-quiet" => options.positions.truncate(8),
                _ => {}
            }
            let report = hunt(&["--oddity", &oddity], protocol, options).report;
            if report.verdict != Verdict::Agrees || report.asked == 0 {
                let classes: Vec<_> =
                    report.findings.iter().map(|finding| finding.class.name()).collect();
                wrong.push(format!(
                    "{oddity} by {protocol}: {:?} {classes:?} {:?}",
                    report.verdict, report.trouble
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Is nothing wrong, even if too little was asked to say that the program agrees?
fn is_right_so_far(report: &Report) -> bool {
    let is_short = || report.trouble.as_ref().is_some_and(|it| it.ends_with(TOO_FEW));
    report.findings.is_empty() && (report.verdict == Verdict::Agrees || is_short())
}

const TOO_FEW: &str = "rules are too few to say that it agrees";

#[test]
fn every_oddity_on_the_ladder() {
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let questions = Some(if is_long { 3_000 } else { 60 });
    let mut wrong = Vec::new();
    for (oddity, protocols) in oddities() {
        if TAKES_LONG.contains(&oddity.as_str()) {
            continue;
        }
        // A script takes long: it is a process for each question.
        let protocol = protocols.split(',').next().expect("a protocol");
        let questions = questions.filter(|_| protocol == "uci").or(Some(60));
        let options = Options { questions, ..Options::default() };
        let report = hunt(&["--oddity", &oddity], protocol, options).report;
        if !is_right_so_far(&report) {
            wrong.push(format!("{oddity} by {protocol}: {report}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The hunt ends, and names the line.
#[test]
#[ignore = "it's still a finding, dialogue-garbage"]
fn an_answer_in_another_form_is_untestable() {
    // The first answers have no number with four digits.
    let report = hunt(&["--oddity", "thousands"], "uci", options(2)).report;
    assert_eq!((report.verdict, &report.findings[..]), (Verdict::Untestable, &[][..]), "{report}");
    let trouble = report.trouble.expect("it says why");
    assert!(trouble.contains("can't be read: `Nodes searched: 2,039`"), "{trouble}");
    for (oddity, protocol, line) in [
        ("labels", "perftree", "line 1 can't be read: `move: b1c3 nodes: 1`"),
        ("one-line", "moves", "line 1 can't be read: `b1c3 "),
    ] {
        let command =
            [faulty().to_str().expect("UTF-8"), "--oddity", oddity, "--protocol", protocol];
        let command = command.map(ToOwned::to_owned);
        let limit = Duration::from_secs(120);
        let trouble = Program::connect(&command, None, limit, Log::default()).expect_err(oddity);
        assert!(trouble.to_string().contains(line), "{oddity}: {trouble}");
    }
}

#[test]
fn the_right_program_on_the_whole_ladder() {
    for (chess960, hash) in [(false, false), (true, true)] {
        let arguments: &[&str] = if hash { &["--hash"] } else { &[] };
        let options = Options { chess960, questions: Some(5_000), ..Options::default() };
        let report = hunt(arguments, "uci", options).report;
        assert_eq!(report.findings, [], "chess960: {chess960}");
        assert_eq!(report.verdict, Verdict::Agrees);
        assert!(report.asked > 1_000);
    }
}

#[test]
fn castling_is_written_as_the_program_writes_it() {
    // The program ends if it is given another spelling than its own.
    for (protocol, questions) in [("uci", 800), ("perftree", 300), ("total", 300), ("moves", 300)] {
        let options = Options { questions: Some(questions), ..Options::default() };
        let report = hunt(&["--oddity", "rook-spelling"], protocol, options).report;
        assert_eq!((report.verdict, report.findings), (Verdict::Agrees, vec![]), "{protocol}");
    }
}

#[test]
fn a_slow_program_is_waited_for() {
    // It takes four seconds for the second question. Its limit is a second, if it were fast.
    let program = faulty().display().to_string();
    let command = [program, "--speed".into(), "100".into()];
    let limit = Duration::from_secs(1);
    let program = Program::connect(&command, None, limit, Log::default()).expect("it answers");
    let options =
        Options { positions: vec![Position::START], depth: Some(2), ..Options::default() };
    let report = Hunt::new(&program, options).run("uci");
    assert_eq!((report.verdict, report.findings), (Verdict::Agrees, vec![]));
    let speed = program.speed().expect("it was measured");
    assert!(speed <= 100.0, "{speed}");
}

/// Hunts in a right program of a hundred leaf nodes a second, which is asked what it can answer in
/// some seconds, as the command asks it.
fn hunt_in_a_slow_program(questions: Option<u64>, most: u64) -> Report {
    let program = faulty().display().to_string();
    let command = [program, "--speed".into(), "100".into()];
    let program = Program::connect(&command, None, Duration::from_secs(3), Log::default());
    let affords = |leaves| leaves <= most;
    let options = Options { questions, affords: &affords, ..Options::default() };
    Hunt::new(&program.expect("it answers"), options).run("uci")
}

#[test]
fn a_slow_program_is_right_on_the_whole_ladder() {
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    // The whole takes a quarter of an hour, in which the program sleeps.
    let (questions, most) = if is_long { (None, 200) } else { (Some(24), 30) };
    let report = hunt_in_a_slow_program(questions, most);
    assert!(is_right_so_far(&report), "{report}");
    let (part, parts) = report.ladder.part_number;
    assert_eq!(part == parts, is_long, "{report}");
}

#[test]
fn the_end_of_the_ladder_is_told() {
    // Some rules need positions that no game reaches.
    let options = Options { depth: Some(1), impossible: true, ..Options::default() };
    let report = hunt(&[], "uci", options).report;
    assert!(report.ladder.complete, "{report}");
    assert_eq!(report.ladder.rules_not_reached, [""; 0]);
    assert_eq!(report.ladder.questions, report.asked);
    assert!(report.to_string().contains("The ladder is complete: "), "{report}");
}

/// A green result that means nothing would be worse than none.
#[test]
fn too_little_asked_is_untestable() {
    let options = Options { questions: Some(20), ..Options::default() };
    let report = hunt(&[], "uci", options).report;
    assert_eq!((report.verdict, &report.findings[..]), (Verdict::Untestable, &[][..]), "{report}");
    let trouble = report.trouble.as_deref().unwrap_or_default();
    assert!(trouble.starts_with("20 questions about ") && trouble.ends_with(TOO_FEW), "{report}");
    assert!(report.to_string().contains(trouble), "{report}");
}

#[test]
fn the_right_program_by_every_protocol() {
    for protocol in ["perftree", "total", "moves"] {
        for chess960 in [false, true] {
            let options = Options { chess960, questions: Some(400), ..Options::default() };
            let report = hunt(&[], protocol, options).report;
            assert_eq!(report.findings, [], "{protocol}, chess960: {chess960}");
            assert_eq!(report.verdict, Verdict::Agrees, "{protocol}");
        }
    }
}

#[test]
fn the_adapters() {
    for (language, command) in commands() {
        let report =
            hunt_in(&command, None, Options { questions: Some(300), ..Options::default() }).report;
        assert_eq!((report.verdict, report.findings), (Verdict::Agrees, Vec::new()), "{language}");
    }
}

#[test]
fn stockfish() {
    // Debian installs it in the folder of games.
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let found = path
        .split(':')
        .map(|folder| format!("{folder}/stockfish"))
        .find(|path| std::fs::metadata(path).is_ok());
    let Some(command) = found else {
        assert!(!has_tool("stockfish"), "it is in none of the folders of PATH");
        return;
    };
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let questions = Some(if is_long { 5_000 } else { 1_500 });
    for chess960 in [false, true] {
        let options = Options { chess960, questions, ..Options::default() };
        let report = hunt_in(std::slice::from_ref(&command), None, options).report;
        assert_eq!(
            (report.verdict, report.findings),
            (Verdict::Agrees, Vec::new()),
            "chess960: {chess960}"
        );
    }
}

#[test]
fn the_least_depth_without_time_is_told() {
    let options = Options {
        positions: vec![Position::START],
        depth: Some(5),
        affords: &|leaves| leaves < 5_000,
        ..Options::default()
    };
    let report = hunt(&[], "uci", options).report;
    assert_eq!(report.verdict, Verdict::Agrees, "{report}");
    assert!(!report.ladder.complete);
    // The start position has 20, 400 and 8,902 leaf nodes.
    assert_eq!(report.ladder.too_deep, Some(3));
}
