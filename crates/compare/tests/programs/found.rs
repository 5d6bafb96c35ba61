//! The hunt finds every fault, names it with a proof, and shrinks it.
//!
//! Over UCI, the program is a separate process. A script is a new process for each question, which
//! takes ten times as long. So most faults are hunted in a [`Resident`](crate::resident::Resident),
//! which gives the same answers. `--nocapture` shows a table.
//!
//! Nothing here measures time: the tests count the questions, and the leaf nodes that the program
//! counts for them.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tabiya::Position;
use tabiya_compare::{
    Class, Finding, Generator, Log, Options, Program, Protocol, Query, Report, Trouble, Verdict,
};

use crate::program::{faulty, list};
use crate::watched::{Hunted, hunt, hunt_in_resident};

/// The protocols of scripts.
const SCRIPTS: [&str; 3] = ["perftree", "total", "moves"];

/// The questions of a full run. The few faults that show later are hunted to the first finding.
const FULL: u64 = 900;

/// The most questions until a first finding is complete and shrunk.
const MOST: u64 = 4_000;

/// The classes of answers that nothing explains.
const UNKNOWN: [&str; 2] = ["list-wrong", "count-wrong"];

/// Why a protocol cannot show a fault; `None` if it can.
fn hidden(class: &str, name: &str, protocol: &str) -> Option<&'static str> {
    match protocol {
        _ if name == "crash-later" && protocol != "uci" => {
            Some("each question has a process of its own")
        }
        "perftree" | "total" if class == "state-order" => {
            Some("each question has a process of its own")
        }
        "perftree" | "total" if name == "key-without-side" => {
            Some("within one question the depth, which is in the key, decides the side to move")
        }
        "moves" if class.starts_with("counting-") => Some("a list has no counts"),
        "moves" if class == "end-stalemate" => Some("a list has no counts"),
        "moves" if matches!(class, "state-undo" | "state-key" | "state-order") => {
            Some("a list takes nothing back")
        }
        "total" if name == "half-line" => Some("the half of a number is a number"),
        "moves" if matches!(name, "half-line" | "early-exit") => Some("a part of a list is a list"),
        _ => None,
    }
}

/// The class that a protocol can show, if another protocol shows more.
fn told<'a>(class: &'a str, name: &str, protocol: &str) -> &'a str {
    match (name, protocol) {
        // A script ends after its answer, so half an answer looks like an early exit.
        ("half-line", "perftree") => "dialogue-early-exit",
        // A total shows no list, and nothing that we know gives the count.
        (_, "total") if class == "list-wrong" => "count-wrong",
        _ => class,
    }
}

fn pieces(fen: &str) -> usize {
    fen.split(' ').next().expect("a board").chars().filter(|it| it.is_alphabetic()).count()
}

/// Does a bug of this class show in one position, in its list or one ply later?
fn is_local(class: &str) -> bool {
    !["counting-", "state-", "dialogue-"].iter().any(|group| class.starts_with(group))
}

/// The options for a fault.
fn options(name: &str, first: bool, questions: u64) -> Options<'static> {
    let chess960 = name.starts_with("castle-960");
    Options { first, chess960, questions: Some(questions), ..Options::default() }
}

/// The error in a finding of this class; empty if there is none.
fn complaint_about(finding: &Finding, class: &str, has_lists: bool) -> String {
    if finding.proven == UNKNOWN.contains(&class) {
        return format!("proven: {}", finding.proven);
    }
    let Some(shrunk) = &finding.shrunk else { return "not shrunk".to_owned() };
    let moves = if shrunk.moves.is_empty() {
        String::new()
    } else {
        format!(" moves {}", shrunk.moves.join(" "))
    };
    let line = format!("{}{moves} ;D{} {}", shrunk.fen, shrunk.depth, shrunk.expected);
    if shrunk.suite != line {
        return format!("the line of the suite is {} instead of {line}", shrunk.suite);
    }
    if shrunk.command.is_empty() {
        return "no command".to_owned();
    }
    if class.starts_with("dialogue-") || !has_lists {
        return String::new();
    }
    // The whole difference is told, whatever the class explains.
    let (more, fewer) = (finding.extra.len() + finding.duplicated.len(), finding.missing.len());
    let is_of_moves = !class.starts_with("counting-") && class != "end-stalemate";
    let is_sum = |got| got + fewer as u128 == finding.expected + more as u128;
    if is_of_moves && finding.depth == 1 && !finding.got.is_none_or(is_sum) {
        return format!("{:?} is not {} + {more} - {fewer}", finding.got, finding.expected);
    }
    let mut wrong = finding.extra.iter().chain(&finding.missing).chain(&finding.duplicated);
    let explained = |mv: &&String| finding.explained.get(*mv).is_some_and(|it| it == class);
    if let Some(mv) = wrong.clone().find(|mv| finding.proven && !explained(mv)) {
        return format!("{mv} is not explained: {:?}", finding.explained);
    }
    if is_local(class) && !UNKNOWN.contains(&class) && pieces(&shrunk.fen) > 6 {
        return format!("{} is not small", shrunk.fen);
    }
    let is_missing = |mv: &&String| finding.reasons.get(*mv).is_none_or(String::is_empty);
    match wrong.find(|mv| !finding.duplicated.contains(mv) && is_missing(mv)) {
        Some(mv) => format!("no reason for {mv}"),
        None => String::new(),
    }
}

/// The error in a report on a fault of this class; empty if there is none.
fn complaint(class: &str, report: &Report) -> String {
    let found: Vec<_> = report.findings.iter().map(|finding| finding.class.name()).collect();
    if found != [class] {
        return format!("found {found:?} instead of {class}");
    }
    if report.verdict != Verdict::Differs {
        return format!("the verdict is {:?}", report.verdict);
    }
    complaint_about(&report.findings[0], class, report.protocol != "total")
}

/// Hunts each fault through its protocol, on all cores, and checks every report. Prints a table.
/// Returns the leaf nodes of each hunt.
fn check(
    work: &[(String, String, &str)],
    hunt: impl Fn(&str, &str, &str) -> Hunted + Sync,
) -> Vec<u128> {
    let (left, done) = (Mutex::new(work.iter()), Mutex::new((Vec::new(), Vec::new())));
    let cores = thread::available_parallelism().map_or(2, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    // The programs that hang are last in the list, so they are taken first.
                    let next = left.lock().expect("no thread panics with it").next_back();
                    let Some((name, class, protocol)) = next else { return };
                    let Hunted { report, leaves, .. } = hunt(name, class, protocol);
                    let complaint = complaint(told(class, name, protocol), &report);
                    let found = report.findings.first().map_or("-", |it| it.class.name());
                    println!(
                        "{name:36} {protocol:8} {found:38} {:5} questions {leaves:8} leaf nodes {complaint}",
                        report.asked
                    );
                    let (all, wrong) = &mut *done.lock().expect("no thread panics with it");
                    all.push(leaves);
                    if !complaint.is_empty() {
                        wrong.push(format!("{name} by {protocol}: {complaint}"));
                    }
                }
            });
        }
    });
    let (leaves, wrong) = done.into_inner().expect("no thread panics with it");
    assert!(wrong.is_empty(), "{wrong:#?}");
    leaves
}

fn is_long() -> bool {
    std::env::var_os("TABIYA_LONG_TESTS").is_some()
}

/// Does the fault concern the dialogue? Only a real process can have it.
fn is_of_dialogue(class: &str) -> bool {
    class.starts_with("dialogue-")
}

#[test]
fn every_fault_is_found_and_named() {
    let faults = list("--list").into_iter();
    let work: Vec<_> = faults.map(|(name, class)| (name, class, "uci")).collect();
    check(&work, |name, class, protocol| {
        let hunt = |first, most| hunt(&["--fault", name], protocol, options(name, first, most));
        // A program that hangs, or crashes again and again, takes long.
        if is_of_dialogue(class) {
            return hunt(true, MOST);
        }
        let full = hunt(false, if is_long() { 2_500 } else { FULL });
        if full.report.findings.is_empty() { hunt(true, MOST) } else { full }
    });
}

/// The faults that can show in a script, by protocol.
fn shown_by_scripts(is_wanted: impl Fn(&str, &str) -> bool) -> Vec<(String, String, &'static str)> {
    let faults = list("--list");
    let mut work = Vec::new();
    for protocol in SCRIPTS {
        for (name, class) in faults.iter().filter(|(name, class)| is_wanted(name, class)) {
            match hidden(class, name, protocol) {
                None => work.push((name.clone(), class.clone(), protocol)),
                Some(why) => println!("{name:36} {protocol:8} cannot show: {why}"),
            }
        }
    }
    work
}

#[test]
fn every_fault_is_found_by_every_protocol() {
    let mut work = shown_by_scripts(|_, class| !is_of_dialogue(class));
    let faults = list("--list");
    if !is_long() {
        // Each fault is hunted through one protocol, in turn.
        let number = |wanted: &str| faults.iter().position(|(name, _)| name == wanted);
        work.retain(|(name, _, protocol)| {
            number(name).is_some_and(|number| SCRIPTS[number % SCRIPTS.len()] == *protocol)
        });
        assert!(work.len() * 2 > faults.len(), "{work:?}");
    }
    let mut leaves = check(&work, |name, _, protocol| {
        hunt_in_resident(&["--fault", name], protocol, options(name, true, MOST))
    });
    // The work for a slow program: at 100,000 leaf nodes per second, the median is a fifth of a
    // second at most.
    leaves.sort_unstable();
    let median = leaves[leaves.len() / 2];
    println!("leaf nodes until the first finding: median {median}");
    assert!(median <= 20_000, "{median}");
}

#[test]
fn every_fault_of_the_dialogue_is_found_in_scripts() {
    let work = shown_by_scripts(|_, class| is_of_dialogue(class));
    check(&work, |name, _, protocol| hunt(&["--fault", name], protocol, options(name, true, MOST)));
}

#[test]
fn a_resident_is_hunted_as_a_script_is() {
    // The notation of Chess960, a line of moves, and counts.
    for (name, protocol) in
        [("castle-960-own-rook", "perftree"), ("line-ep-lost", "moves"), ("total-off", "perftree")]
    {
        let options = || options(name, true, MOST);
        let mut script = hunt(&["--fault", name], protocol, options());
        let mut resident = hunt_in_resident(&["--fault", name], protocol, options());
        assert_eq!(script.queries, resident.queries, "{name}");
        let (script, resident) =
            (script.report.findings.remove(0), resident.report.findings.remove(0));
        assert_eq!((script.class, script.fen), (resident.class, resident.fen));
    }
}

#[test]
fn every_class_is_proven() {
    let faults = list("--list");
    for class in Class::ALL {
        let has_fault = faults.iter().any(|(_, name)| name == class.name());
        assert!(has_fault || UNKNOWN.contains(&class.name()), "{class}");
    }
}

#[test]
fn several_bugs_at_once_are_told_apart() {
    let names = [
        "pin-ignored",
        "king-adjacent",
        "castle-through-check",
        "castle-right-after-rook-captured",
        "ep-edge-file",
        "promotion-only-queen",
    ];
    let faults = list("--list").into_iter().collect::<BTreeMap<_, _>>();
    let mut classes: Vec<&str> = names.iter().map(|name| faults[*name].as_str()).collect();
    let report = hunt(&["--fault", &names.join(",")], "uci", options("", false, FULL)).report;
    let mut found: Vec<&str> = report.findings.iter().map(|it| it.class.name()).collect();
    classes.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, classes, "{report}");
    assert!(report.findings.iter().all(|it| it.proven), "{report}");
}

/// Nothing that we know explains these, so that only facts are told.
#[test]
fn what_all_wrong_answers_share_is_told() {
    for (name, first, fact) in [
        ("list-too-short", false, "no list has more than 60 moves: the same number everywhere"),
        ("slider-table-hole", true, "only captures are wrong"),
    ] {
        let most = if first { MOST } else { FULL };
        let report = hunt(&["--fault", name], "uci", options(name, first, most)).report;
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert_eq!((finding.class, finding.proven), (Class::ListWrong, false), "{report}");
        assert!(finding.note.as_ref().is_some_and(|it| it.contains(fact)), "{report}");
        // The ladder has a part for tables of sliders.
        assert!(!first || report.ladder.part == "sliders", "{report}");
    }
}

/// For a bug that shows only after moves, the line has the moves.
#[test]
fn the_line_of_the_suite_fails() {
    for name in ["line-castling-check", "line-ep-lost", "undo-ep-capture", "pin-ignored"] {
        let report = hunt(&["--fault", name], "uci", options(name, true, MOST)).report;
        let shrunk = report.findings[0].shrunk.as_ref().expect("it is shrunk");
        let (position, count) = shrunk.suite.rsplit_once(" ;D").expect("a count");
        let (fen, moves) = position.split_once(" moves ").unwrap_or((position, ""));
        assert_eq!(moves.is_empty(), !name.starts_with("line-"), "{report}");
        let (depth, right) = count.split_once(' ').expect("a depth and a count");
        let moves = moves.split_whitespace().map(ToOwned::to_owned).collect();
        let query = Query { moves, ..Query::of_fen(fen, depth.parse().expect("a depth")) };
        let command = [faulty().display().to_string(), "--fault".into(), name.into()];
        let limit = Duration::from_secs(60);
        let program = Program::connect(&command, Some(Protocol::Uci), limit, Log::default());
        let told = program.and_then(|it| it.divide(&query)).expect("an answer").total;
        assert_ne!(told, Some(right.parse().expect("a count")), "{report}");
    }
}

/// The part may end where a line ends, so that nothing in it looks broken.
#[test]
fn a_part_of_an_answer_is_no_answer() {
    let command = [faulty().display().to_string(), "--fault".into(), "half-line".into()];
    let limit = Duration::from_secs(2);
    let program = Program::connect(&command, Some(Protocol::Uci), limit, Log::default()).unwrap();
    let ask = |fen: &str| program.divide(&Query::of_fen(fen, 1));
    for _ in 0..2 {
        assert_eq!(ask(Position::START.fen().to_string().as_str()).unwrap().total, Some(20));
    }
    let answer = ask("8/Pk2P2Q/8/2K1B3/8/8/8/8 w - - 0 1");
    assert!(matches!(answer, Err(Trouble::Hang)), "{answer:?}");
}

#[test]
fn moves_that_an_adapter_lists_only_once_are_found() {
    let faults =
        [("queen-doubled", "duplicated-move"), ("promotion-doubled", "promotion-duplicated")];
    for (name, class) in faults {
        for (protocol, most) in [("uci", FULL), ("perftree", 300)] {
            let arguments = ["--fault", name, "--oddity", "lists-once"];
            let report = hunt(&arguments, protocol, options(name, false, most)).report;
            let [finding] = &report.findings[..] else { panic!("{report}") };
            assert_eq!(finding.class.name(), class, "{protocol}: {report}");
            let note = finding.note.as_deref().unwrap_or_default();
            assert!(note.contains("in a dict or a set"), "{protocol}: {report}");
        }
    }
}

#[test]
fn what_a_move_should_have_changed_is_told() {
    let name = "castle-right-after-rook-captured";
    let report = hunt(&["--fault", name], "uci", options(name, true, MOST)).report;
    let finding = &report.findings[0];
    let note = finding.note.as_deref().unwrap_or_default();
    assert!(note.contains("Black's right to castle on the queen side is gone"), "{note}");
}

#[test]
fn the_end_of_the_budget_is_no_evidence() {
    // Whatever question is the last one, no wrong state is concluded from missing answers.
    for name in ["pin-ignored", "castle-through-pieces"] {
        for most in [60, 75, 90, 120, 200, 333, 512, 700] {
            let left = std::cell::Cell::new(most);
            let stop = || {
                left.set(left.get() - i32::from(left.get() > 0));
                left.get() == 0
            };
            let options = Options { stop: &stop, ..Options::default() };
            let report = hunt(&["--fault", name], "uci", options).report;
            for finding in &report.findings {
                assert!(!finding.class.name().starts_with("state-"), "{most}: {report}");
            }
            assert!(!report.ladder.complete, "{most}");
        }
    }
}

#[test]
fn a_crash_that_needs_many_questions_is_told() {
    let report = hunt(&["--fault", "crash-later"], "uci", options("", false, FULL)).report;
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!(finding.class, Class::DialogueCrash);
    let note = finding.note.as_deref().unwrap_or_default();
    assert!(note.contains("only after 29 questions to the same process"), "{note}");
    assert_eq!(finding.shrunk.as_ref().and_then(|it| it.reproduces), Some(false));
}

#[test]
fn the_smallest_position_has_its_own_moves() {
    let report = hunt(&["--fault", "pin-ignored"], "uci", options("", true, MOST)).report;
    let finding = &report.findings[0];
    let shrunk = finding.shrunk.as_ref().expect("it is shrunk");
    assert!(!shrunk.extra.is_empty() && shrunk.got > Some(shrunk.expected), "{shrunk:?}");
    assert_eq!(shrunk.reproduces, Some(true));
    assert!(report.to_string().contains(&format!("extra:    {}", shrunk.extra.join(" "))));
}
