//! The hunt finds every fault, names it right, and shrinks it.
//!
//! `TABIYA_ALL_FAULTS=1` complains about the known gaps as well, which stand in `MISNAMED` and `UNSEEN`.
//!
//! Nothing here measures time: the tests count questions.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tabiya_compare::{Finding, Hunt, Log, Options, Program, Protocol, Report, Verdict};

use crate::program::{faulty, list};

/// The most questions until a first finding.
const MOST: u64 = 4_000;

/// What is found, but under another name, without a reason or too large, by protocol: work that is left. Delete a name
/// when it is found right.
const MISNAMED: [(&str, &[&str]); 4] = [
    ("uci", &["promotion-king", "king-takes-protected"]),
    ("perftree", &["promotion-king", "king-takes-protected", "line-ep-lost", "early-exit"]),
    (
        "total",
        &[
            "ep-not-generated",
            "ep-pin-diagonal",
            "ep-edge-file",
            "ep-fen-ignored",
            "castle-through-check",
            "castle-b-file-occupied",
            "castle-960-shield",
            "castle-through-pieces",
            "promotion-only-queen",
            "promotion-none",
            "promotion-king",
            "promotion-doubled",
            "pin-too-strict",
            "king-x-ray",
            "king-pawn-attack",
            "pawn-wrap",
            "pawn-double-anywhere",
            "pawn-captures-forward",
            "slider-wrap",
            "slider-stops-short",
            "pawn-captures-nothing",
            "knight-wrap",
            "slider-passes",
            "knight-missing",
            "knight-captures-own",
            "leaf-pseudo-legal",
            "depth-off",
            "interior-nodes",
            "small-counter",
            "line-ep-lost",
            "line-castling-rook",
        ],
    ),
    (
        "moves",
        &[
            "ep-not-generated",
            "ep-fen-ignored",
            "ep-by-any-piece",
            "ep-wrap",
            "promotion-king",
            "pin-too-strict",
            "king-takes-protected",
            "pawn-double-missing",
            "line-ep-lost",
            "line-castling-rook",
        ],
    ),
];

/// What is not found at all, by protocol: work that is left.
const UNSEEN: [(&str, &str); 1] = [("double-check", "moves")];

/// Whether a gap is known, and not asked for.
fn is_known(known: bool) -> bool {
    known && std::env::var_os("TABIYA_ALL_FAULTS").is_none()
}

/// Hunts in the faulty program with these arguments.
pub(crate) fn hunt(arguments: &[&str], protocol: &str, options: Options<'_>) -> Report {
    let mut command = vec![faulty().display().to_string(), "--protocol".into(), protocol.into()];
    command.extend(arguments.iter().map(ToString::to_string));
    if options.chess960 {
        command.push("--chess960".into());
    }
    hunt_in(&command, Some(protocol.parse().expect("a protocol")), options)
}

/// Hunts in any program.
pub(crate) fn hunt_in(
    command: &[String],
    protocol: Option<Protocol>,
    options: Options<'_>,
) -> Report {
    let program = Program::connect(command, protocol, Duration::from_secs(5), Log::default())
        .unwrap_or_else(|trouble| panic!("{command:?}: {trouble}"));
    Hunt::new(&program, options).run(program.protocol().name())
}

fn first(name: &str, protocol: &str) -> Report {
    let options = Options {
        first: true,
        chess960: name.starts_with("castle-960"),
        questions: Some(MOST),
        ..Options::default()
    };
    hunt(&["--fault", name], protocol, options)
}

/// Does the work for every item, on all cores; gives back what is wrong.
fn complaints<T: Sync>(items: &[T], work: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(complaint) = work(item) {
                        complaints.lock().expect("no thread panics with it").push(complaint);
                    }
                }
            });
        }
    });
    complaints.into_inner().expect("no thread panics with it")
}

fn pieces(fen: &str) -> usize {
    fen.split(' ').next().expect("a board").chars().filter(|it| it.is_alphabetic()).count()
}

/// Whether a bug shows in a single list, or right after one move.
fn is_local(finding: &Finding) -> bool {
    !(finding.extra.is_empty() && finding.missing.is_empty() && finding.duplicated.is_empty())
}

/// What is wrong with a report on a fault of this class.
fn complaint(name: &str, protocol: &str, class: &str, report: &Report) -> Option<String> {
    let Some(finding) = report.findings.first() else {
        if is_known(UNSEEN.contains(&(name, protocol))) {
            return None;
        }
        return Some(format!("{name} by {protocol}: not found in {} questions", report.asked));
    };
    let misnamed =
        MISNAMED.iter().any(|(spoken, names)| *spoken == protocol && names.contains(&name));
    if is_known(misnamed) {
        return None;
    }
    if finding.class.name() != class {
        return Some(format!(
            "{name} by {protocol}: found '{}' instead of '{class}'",
            finding.class
        ));
    }
    if report.verdict != Verdict::Differs {
        return Some(format!("{name} by {protocol}: the verdict is {:?}", report.verdict));
    }
    let Some(shrunk) = &finding.shrunk else {
        return (is_local(finding)).then(|| format!("{name} by {protocol}: not shrunk"));
    };
    if is_local(finding) && pieces(&shrunk.fen) > 6 {
        return Some(format!("{name} by {protocol}: {} is not small", shrunk.fen));
    }
    if is_local(finding) && finding.reasons.is_empty() && finding.duplicated.is_empty() {
        return Some(format!("{name} by {protocol}: no reason"));
    }
    shrunk.command.is_empty().then(|| format!("{name} by {protocol}: no command"))
}

#[test]
fn every_fault_is_found_and_named() {
    let wrong = complaints(&list("--list"), |(name, class)| {
        complaint(name, "uci", class, &first(name, "uci"))
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Why a fault cannot show by a protocol; `None` if it can.
fn hidden(class: &str, name: &str, protocol: &str) -> Option<&'static str> {
    match protocol {
        "perftree" | "total" if class == "state-order" => {
            Some("each question has a process of its own")
        }
        "moves" if class.starts_with("counting-") => Some("a list has no counts"),
        "moves" if class == "end-stalemate" => Some("a list has no counts"),
        "moves" if matches!(class, "state-undo" | "state-key" | "state-order") => {
            Some("a list takes nothing back")
        }
        "total" if class == "counting-total" => Some("a total stands alone"),
        _ if name == "half-line" => Some("the end of a script flushes its output"),
        "total" | "moves" if name == "early-exit" => {
            Some("a part of the answer looks like an answer")
        }
        _ => None,
    }
}

#[test]
fn every_class_is_found_by_every_protocol() {
    // The first fault of each class: the scripts start a process for each question, which takes its time.
    let mut faults = list("--list");
    faults.dedup_by(|later, first| later.1 == first.1);
    let mut work = Vec::new();
    for protocol in ["perftree", "total", "moves"] {
        for (name, class) in &faults {
            let gap = MISNAMED
                .iter()
                .any(|(spoken, names)| *spoken == protocol && names.contains(&name.as_str()));
            if is_known(gap || UNSEEN.contains(&(name, protocol))) {
                continue;
            }
            if hidden(class, name, protocol).is_none() {
                work.push((name, protocol, class));
            }
        }
    }
    let wrong = complaints(&work, |(name, protocol, class)| {
        complaint(name, protocol, class, &first(name, protocol))
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_same_seed_asks_the_same() {
    let (one, two) = (first("double-check", "uci"), first("double-check", "uci"));
    assert_eq!((one.asked, one.findings), (two.asked, two.findings));
}

#[test]
fn one_run_shows_every_bug() {
    // The findings of a full run include that of a run for the first only.
    let all = hunt(
        &["--fault", "pin-ignored"],
        "uci",
        Options { questions: Some(3_000), ..Options::default() },
    );
    let only = first("pin-ignored", "uci");
    assert!(all.findings.iter().any(|finding| finding.class == only.findings[0].class));
    assert!(only.asked < all.asked);
}
