//! The hunt finds every fault, names it correctly, and shrinks it.
//!
//! Every fault is hunted through every protocol; `--nocapture` shows the table. Over UCI, the
//! program is a separate process. A script is a new process for each question, which takes ten
//! times as long. So most faults are hunted in a [`Resident`](crate::resident::Resident), which
//! gives the same answers. Some faults are hunted both ways to prove it.
//!
//! Nothing here measures time: the tests count the questions, and the leaf nodes that the program
//! counts for them.

use std::fmt;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tabiya::Position;
use tabiya_compare::{
    Class, Generator, Log, Options, Program, Protocol, Query, Report, Trouble, Verdict,
};

use crate::program::{faulty, list, this_program};
use crate::watched::{Hunted, hunt, hunt_in_resident};

/// The protocols of scripts.
const SCRIPTS: [&str; 3] = ["perftree", "total", "moves"];

/// Faults that are hunted both in scripts and in residents: one for each kind of error, among those
/// that are found quickly. They concern the list, the notation of Chess960, the line of moves, the
/// counts, and the state between questions.
const BOTH: [&str; 7] = [
    "castle-not-generated",
    "castle-960-own-rook",
    "slider-wrap",
    "line-castling-rook",
    "total-off",
    "undo-ep-capture",
    "key-without-ep",
];

/// The most questions before the first finding is complete and shrunk.
const MOST: u64 = 4_000;

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
        // The lists after castling are the same. Only a count shows that castling is played right
        // elsewhere.
        ("line-castling-rook", "moves") => "castling-rook-misplaced",
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

/// The way in which a program is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Asked in the way a user would ask.
    Process,
    /// Asked in a single process that forgets everything before each question.
    Resident,
}

/// A hunt for the first finding.
fn first(name: &str, protocol: &str, way: Way) -> Hunted {
    let options = Options {
        first: true,
        chess960: name.starts_with("castle-960"),
        questions: Some(MOST),
        ..Options::default()
    };
    match way {
        Way::Process => hunt(&["--fault", name], protocol, options),
        Way::Resident => hunt_in_resident(&["--fault", name], protocol, options),
    }
}

/// The error in a report on a fault of this class; empty if there is none.
fn complaint(class: &str, report: &Report) -> String {
    let Some(finding) = report.findings.first() else { return "not found".to_owned() };
    if finding.class.name() != class {
        return format!("found '{}' instead of '{class}'", finding.class);
    }
    if report.verdict != Verdict::Differs {
        return format!("the verdict is {:?}", report.verdict);
    }
    let Some(shrunk) = &finding.shrunk else { return "not shrunk".to_owned() };
    if shrunk.command.is_empty() {
        return "no command".to_owned();
    }
    if !is_local(class) {
        return String::new();
    }
    if pieces(&shrunk.fen) > 6 {
        return format!("{} is not small", shrunk.fen);
    }
    let mut wrong = finding.extra.iter().chain(&finding.missing);
    match wrong.find(|mv| finding.reasons.get(*mv).is_none_or(String::is_empty)) {
        Some(mv) => format!("no reason for {mv}"),
        None => String::new(),
    }
}

/// The environment variable that names the fault and the protocol of a hunt in a separate process.
const VARIABLE: &str = "TABIYA_FAULT";

/// The prefix of a row.
const ROW: &str = "row: ";

/// One hunt in a separate process: starting a program copies the page tables of the whole process,
/// which is slow for a large process with many threads.
#[test]
fn row_of_the_variable() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let [name, class, protocol] = text.split(' ').collect::<Vec<_>>()[..] else {
        panic!("'{text}' is no fault, class and protocol")
    };
    let row = Row::of(name, class, protocol, &first(name, protocol, Way::Process));
    let Row { leaves, asked, pieces, found, complaint, .. } = row;
    println!("\n{ROW}{leaves} {asked} {pieces} {found} {complaint}");
}

/// The result of a hunt: a row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    protocol: String,
    leaves: u128,
    asked: u64,
    pieces: usize,
    found: String,
    complaint: String,
}

impl Row {
    fn of(name: &str, class: &str, protocol: &str, hunted: &Hunted) -> Self {
        let Hunted { report, leaves, .. } = hunted;
        let finding = report.findings.first();
        let shrunk = finding.and_then(|finding| finding.shrunk.as_ref());
        Self {
            name: name.to_owned(),
            protocol: protocol.to_owned(),
            leaves: *leaves,
            asked: report.asked,
            pieces: shrunk.map_or(0, |shrunk| pieces(&shrunk.fen)),
            found: finding.map_or("-", |finding| finding.class.name()).to_owned(),
            complaint: complaint(told(class, name, protocol), report),
        }
    }

    /// Runs a hunt in a separate process.
    fn from_process(name: &str, class: &str, protocol: &str) -> Self {
        let output = this_program()
            .args(["--exact", "found::row_of_the_variable", "--nocapture"])
            .env(VARIABLE, format!("{name} {class} {protocol}"))
            .output()
            .expect("the test runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let row = text.lines().find_map(|line| line.strip_prefix(ROW));
        let row = row.unwrap_or_else(|| panic!("{name} by {protocol}: {output:?}"));
        let [leaves, asked, pieces, found, complaint] = row.splitn(5, ' ').collect::<Vec<_>>()[..]
        else {
            panic!("{row}")
        };
        Self {
            name: name.to_owned(),
            protocol: protocol.to_owned(),
            leaves: leaves.parse().expect("a number"),
            asked: asked.parse().expect("a number"),
            pieces: pieces.parse().expect("a number"),
            found: found.to_owned(),
            complaint: complaint.to_owned(),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, protocol, leaves, asked, pieces, found, complaint } = self;
        write!(
            out,
            "{name:36} {protocol:8} {found:38} {pieces:2} pieces {asked:5} questions {leaves:8} leaf nodes"
        )?;
        if complaint.is_empty() { Ok(()) } else { write!(out, "  {complaint}") }
    }
}

/// Hunts each fault through its protocol, on all cores. The rows keep the order.
fn rows(work: &[(&str, &str, &str)], way: Way) -> Vec<Row> {
    let (left, rows) = (Mutex::new(work.iter().enumerate()), Mutex::new(Vec::new()));
    let cores = thread::available_parallelism().map_or(2, NonZero::get);
    // A program that hangs takes time, but uses no core.
    let threads = if way == Way::Process { 2 * cores } else { cores };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // The programs that hang are last in the list, so they are taken first.
                    let next = left.lock().expect("no thread panics with it").next_back();
                    let Some((index, &(name, class, protocol))) = next else { return };
                    let row = match way {
                        Way::Process => Row::from_process(name, class, protocol),
                        Way::Resident => {
                            Row::of(name, class, protocol, &first(name, protocol, way))
                        }
                    };
                    rows.lock().expect("no thread panics with it").push((index, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no thread panics with it");
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Prints the table, and checks that every row is right.
fn check(rows: &[Row]) {
    rows.iter().for_each(|row| println!("{row}"));
    let wrong = rows.iter().filter(|row| !row.complaint.is_empty());
    let wrong: Vec<String> = wrong
        .map(|Row { name, protocol, complaint, .. }| format!("{name} by {protocol}: {complaint}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_fault_is_found_and_named() {
    let faults = list("--list");
    let work: Vec<_> =
        faults.iter().map(|(name, class)| (name.as_str(), class.as_str(), "uci")).collect();
    let rows = rows(&work, Way::Process);
    check(&rows);

    // The work for a slow program: at 100,000 leaf nodes per second, the median is a tenth of a
    // second at most, and the maximum ten seconds.
    let mut leaves: Vec<u128> = rows.iter().map(|row| row.leaves).collect();
    leaves.sort_unstable();
    let (median, most) = (leaves[leaves.len() / 2], leaves[leaves.len() - 1]);
    println!("leaf nodes until the first finding: median {median}, most {most}");
    assert!(median <= 10_000, "{median}");
    assert!(most <= 1_000_000, "{most}");
}

/// The faults that can show in a script, by protocol.
fn shown_by_scripts(
    faults: &[(String, String)],
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Vec<(&str, &str, &'static str)> {
    let mut work = Vec::new();
    for protocol in SCRIPTS {
        for (name, class) in faults.iter().filter(|(name, class)| is_wanted(name, class)) {
            match hidden(class, name, protocol) {
                None => work.push((name.as_str(), class.as_str(), protocol)),
                Some(why) => println!("{name:36} {protocol:8} cannot show: {why}"),
            }
        }
    }
    work
}

/// Does the fault concern the dialogue? Only a real process can have it.
fn is_of_dialogue(class: &str) -> bool {
    class.starts_with("dialogue-")
}

#[test]
fn every_fault_is_found_by_every_protocol() {
    let faults = list("--list");
    let mut work = shown_by_scripts(&faults, |_, class| !is_of_dialogue(class));
    if std::env::var_os("TABIYA_LONG_TESTS").is_none() {
        // Each fault is hunted through one protocol, in turn. Another test hunts all of them over
        // UCI.
        let number = |wanted: &str| faults.iter().position(|(name, _)| name == wanted);
        work.retain(|&(name, _, protocol)| {
            number(name).is_some_and(|number| SCRIPTS[number % SCRIPTS.len()] == protocol)
        });
        assert!(work.len() * 2 > faults.len(), "{work:?}");
    }
    check(&rows(&work, Way::Resident));
}

#[test]
fn every_fault_of_the_dialogue_is_found_in_scripts() {
    let faults = list("--list");
    let work = shown_by_scripts(&faults, |_, class| is_of_dialogue(class));
    check(&rows(&work, Way::Process));
}

#[test]
fn a_resident_is_hunted_as_a_script_is() {
    let faults = list("--list");
    let work = shown_by_scripts(&faults, |name, _| BOTH.contains(&name));
    assert!(work.len() > 2 * BOTH.len(), "{work:?}");
    let scripts = rows(&work, Way::Process);
    check(&scripts);
    assert_eq!(rows(&work, Way::Resident), scripts);
}

#[test]
fn every_class_is_proven() {
    // The two general classes are for bugs that no other class describes.
    let general = ["move-extra", "move-missing"];
    let faults = list("--list");
    for class in Class::ALL {
        let has_fault = faults.iter().any(|(_, name)| name == class.name());
        assert_ne!(has_fault, general.contains(&class.name()), "{class}");
    }
}

/// The faults whose full runs are checked each time: those that show in several classes. One more has
/// a test of its own, `what_a_cause_explains_stands_below_it`.
const SEVERAL: [&str; 5] = [
    "castle-rook-attacked",
    "promotion-pawn",
    "pin-ignored-diagonal",
    "check-ignored",
    "undo-ep-capture",
];

/// The most questions of a full run, unless it is a long one.
const MOST_IN_FULL: u64 = 2_500;

/// The complaint about a full run: its findings must be one, of the same class as the first.
fn complaint_in_full(name: &str, class: &str) -> Option<String> {
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let options = Options {
        chess960: name.starts_with("castle-960"),
        questions: (!is_long).then_some(MOST_IN_FULL),
        ..Options::default()
    };
    let report = hunt(&["--fault", name], "uci", options).report;
    let found: Vec<_> = report.findings.iter().map(|finding| finding.class.name()).collect();
    (found != [class]).then(|| format!("{name}: {found:?} instead of {class}"))
}

#[test]
fn a_full_run_names_one_cause() {
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let faults = list("--list");
    let wanted = |name: &str| is_long || SEVERAL.contains(&name);
    let work: Vec<_> = faults.iter().filter(|(name, _)| wanted(name)).collect();
    assert!(work.len() >= SEVERAL.len(), "{work:?}");
    let (left, wrong) = (Mutex::new(work.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let next = left.lock().expect("no thread panics with it").next();
                    let Some((name, class)) = next else { return };
                    let complaint = complaint_in_full(name, class);
                    wrong.lock().expect("no thread panics with it").extend(complaint);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics with it");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The part may end where a line ends, so that nothing in it looks broken.
#[test]
fn a_part_of_an_answer_is_no_answer() {
    let command = [faulty().display().to_string(), "--fault".into(), "half-line".into()];
    let limit = Duration::from_secs(60);
    let program = Program::connect(&command, Some(Protocol::Uci), limit, Log::default()).unwrap();
    let ask = |fen: &str| program.divide(&Query::of_fen(fen, 1));
    for _ in 0..2 {
        assert_eq!(ask(Position::START.fen().to_string().as_str()).unwrap().total, Some(20));
    }
    let answer = ask("8/Pk2P2Q/8/2K1B3/8/8/8/8 w - - 0 1");
    assert!(matches!(answer, Err(Trouble::Hang)), "{answer:?}");
}

#[test]
fn what_a_cause_explains_stands_below_it() {
    let report = hunt(&["--fault", "ep-captured-not-removed"], "uci", Options::default()).report;
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!(finding.class, Class::EnPassantPawnStays);
    assert_eq!(finding.consequences, [Class::StatePlay]);
    assert!(report.to_string().contains("explains: state-play: The move list is wrong"));
}

#[test]
fn moves_that_an_adapter_lists_only_once_are_found() {
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let faults =
        [("queen-doubled", "duplicated-move"), ("promotion-doubled", "promotion-duplicated")];
    for (name, class) in faults {
        for (protocol, most) in [("uci", MOST_IN_FULL), ("perftree", 300)] {
            // The short form asks for the first bug and for all by turns.
            let turn = (name == "queen-doubled") == (protocol == "uci");
            for first in [true, false].into_iter().filter(|&first| is_long || first == turn) {
                let options = Options { first, questions: Some(most), ..Options::default() };
                let arguments = ["--fault", name, "--oddity", "lists-once"];
                let report = hunt(&arguments, protocol, options).report;
                let [finding] = &report.findings[..] else { panic!("{report}") };
                assert_eq!(finding.class.name(), class, "{protocol}: {report}");
                let note = finding.note.as_deref().unwrap_or_default();
                assert!(note.contains("in a dict or a set"), "{protocol}: {report}");
            }
        }
    }
}

#[test]
fn what_a_move_should_have_changed_is_told() {
    let report = first("castle-right-after-rook-captured", "uci", Way::Process).report;
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
    let options = Options { questions: Some(MOST_IN_FULL), ..Options::default() };
    let report = hunt(&["--fault", "crash-later"], "uci", options).report;
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!(finding.class, Class::DialogueCrash);
    let note = finding.note.as_deref().unwrap_or_default();
    assert!(note.contains("only after 29 questions to the same process"), "{note}");
    assert_eq!(finding.shrunk.as_ref().and_then(|it| it.reproduces), Some(false));
}

#[test]
fn the_smallest_position_has_its_own_moves() {
    let report = first("pin-ignored", "uci", Way::Process).report;
    let finding = &report.findings[0];
    let shrunk = finding.shrunk.as_ref().expect("it is shrunk");
    assert!(!shrunk.extra.is_empty() && shrunk.got > Some(shrunk.expected), "{shrunk:?}");
    assert_eq!(shrunk.reproduces, Some(true));
    assert!(report.to_string().contains(&format!("extra:    {}", shrunk.extra.join(" "))));
}
