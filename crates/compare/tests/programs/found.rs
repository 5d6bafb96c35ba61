//! The hunt finds every fault, names it right, and shrinks it.
//!
//! Every fault is hunted by every protocol; `--nocapture` shows the table.
//!
//! Nothing here measures time: the tests count questions, and the leaf nodes that the program counts for them.

use std::fmt;
use std::num::NonZero;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tabiya_compare::{Class, Options, Report, Verdict};

use crate::program::list;
use crate::watched::{Hunted, hunt};

const PROTOCOLS: [&str; 4] = ["uci", "perftree", "total", "moves"];

/// The most questions until a first finding that is shrunk.
const MOST: u64 = 4_000;

/// Why a fault cannot show by a protocol; `None` if it can.
fn hidden(class: &str, name: &str, protocol: &str) -> Option<&'static str> {
    match protocol {
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

/// The class that a protocol can tell, where another one tells more.
fn told<'a>(class: &'a str, name: &str, protocol: &str) -> &'a str {
    match (name, protocol) {
        // A script ends after its answer, so half an answer is the end of the program.
        ("half-line", "perftree") => "dialogue-early-exit",
        // The lists after castling are the same; only a count tells that the move is played right elsewhere.
        ("line-castling-rook", "moves") => "castling-rook-misplaced",
        _ => class,
    }
}

fn pieces(fen: &str) -> usize {
    fen.split(' ').next().expect("a board").chars().filter(|it| it.is_alphabetic()).count()
}

/// Whether a bug of this class shows in one position, in its list or one ply later.
fn is_local(class: &str) -> bool {
    !["counting-", "state-", "dialogue-"].iter().any(|group| class.starts_with(group))
}

/// A hunt for the first finding.
fn first(name: &str, protocol: &str) -> Hunted {
    let options = Options {
        first: true,
        chess960: name.starts_with("castle-960"),
        questions: Some(MOST),
        ..Options::default()
    };
    hunt(&["--fault", name], protocol, options)
}

/// What is wrong with a report on a fault of this class. Empty if nothing is.
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

/// Names the fault and the protocol of a hunt in a process of its own.
const VARIABLE: &str = "TABIYA_FAULT";

/// What stands before a row.
const ROW: &str = "row: ";

/// One hunt, for a process of its own: starting a program copies the tables of the whole process, which is slow if the
/// process is large and has many threads.
#[test]
fn row_of_the_variable() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let [name, class, protocol] = text.split(' ').collect::<Vec<_>>()[..] else {
        panic!("'{text}' is no fault, class and protocol")
    };
    let Hunted { report, leaves, .. } = first(name, protocol);
    let finding = report.findings.first();
    let found = finding.map_or("-", |finding| finding.class.name());
    let shrunk = finding.and_then(|finding| finding.shrunk.as_ref());
    let pieces = shrunk.map_or(0, |shrunk| pieces(&shrunk.fen));
    let complaint = complaint(told(class, name, protocol), &report);
    println!("\n{ROW}{leaves} {} {pieces} {found} {complaint}", report.asked);
}

/// What became of a hunt: a row of the table.
struct Row {
    name: String,
    protocol: &'static str,
    leaves: u128,
    asked: u64,
    pieces: usize,
    found: String,
    complaint: String,
}

impl Row {
    fn new(name: &str, class: &str, protocol: &'static str) -> Self {
        let output = Command::new(std::env::current_exe().expect("the test has a path"))
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
            protocol,
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

/// Hunts for each fault by its protocol, on all cores; the rows are in the same order.
fn rows(work: &[(&str, &str, &'static str)]) -> Vec<Row> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, class, protocol)) = work.get(index) else { return };
                    let row = Row::new(name, class, protocol);
                    rows.lock().expect("no thread panics with it").push((index, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no thread panics with it");
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Prints the table; every row must be right.
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
    let rows = rows(&work);
    check(&rows);

    // What a slow program has to count: at 100,000 leaf nodes a second this is a tenth of a second, and ten seconds.
    let mut leaves: Vec<u128> = rows.iter().map(|row| row.leaves).collect();
    leaves.sort_unstable();
    let (median, most) = (leaves[leaves.len() / 2], leaves[leaves.len() - 1]);
    println!("leaf nodes until the first finding: median {median}, most {most}");
    assert!(median <= 10_000, "{median}");
    assert!(most <= 1_000_000, "{most}");
}

#[test]
fn every_fault_is_found_by_every_protocol() {
    let faults = list("--list");
    let mut work = Vec::new();
    for protocol in &PROTOCOLS[1..] {
        for (name, class) in &faults {
            match hidden(class, name, protocol) {
                None => work.push((name.as_str(), class.as_str(), *protocol)),
                Some(why) => println!("{name:36} {protocol:8} cannot show: {why}"),
            }
        }
    }
    check(&rows(&work));
}

#[test]
fn every_class_is_proven() {
    // The two general classes are for what no other class describes.
    let general = ["move-extra", "move-missing"];
    let faults = list("--list");
    for class in Class::ALL {
        let has_fault = faults.iter().any(|(_, name)| name == class.name());
        assert_ne!(has_fault, general.contains(&class.name()), "{class}");
    }
}

#[test]
fn one_run_shows_every_bug() {
    // The findings of a full run include that of a run for the first only.
    let options = Options { questions: Some(3_000), ..Options::default() };
    let all = hunt(&["--fault", "pin-ignored"], "uci", options).report;
    let only = first("pin-ignored", "uci").report;
    assert!(all.findings.iter().any(|finding| finding.class == only.findings[0].class));
    assert!(only.asked < all.asked);
}
