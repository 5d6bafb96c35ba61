//! The JSON of `tabiya compare`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use tabiya_compare::{Class, Finding, Ladder, Program, Report, Trouble, Verdict};

use crate::output::json;

/// The output of `tabiya compare --json`: whether a program agrees, and every bug that was found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Answer {
    /// `agrees`, `differs` or `untestable`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["agrees", "differs", "untestable"])))]
    verdict: &'static str,
    /// `uci`, `perftree`, `total` or `moves`. Empty if no protocol was understood.
    protocol: String,
    /// The number of questions.
    asked: u64,
    /// The number of questions that had no answer in time, and had one when they were asked again in
    /// a new process: the program may be slow, or hang after a number of questions.
    repeated: u64,
    /// The time that it took.
    seconds: f64,
    /// The bugs, each under its likeliest cause, in the order in which the questions showed them.
    findings: Vec<FindingJson>,
    /// How much was asked.
    ladder: LadderJson,
    /// Leaf nodes per second, measured with the largest question. Null if there was no answer.
    speed: Option<f64>,
    /// Why the program could not be tested, or not to the end. Null if it could.
    error: Option<String>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-compare/1";
}

#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LadderJson {
    /// Was every question of the ladder asked?
    complete: bool,
    /// The number of questions, those about findings included.
    questions: u64,
    /// The number of distinct positions of the ladder that were asked about.
    positions: u64,
    /// The number of positions that were asked about for each rule of the suites. Empty if positions
    /// were given.
    rules: BTreeMap<&'static str, u64>,
    /// The rules for which no position was asked about. Empty if positions were given.
    rules_not_reached: Vec<&'static str>,
    /// The part of the ladder in which the hunt ended. Null if it did not begin.
    part: Option<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FindingJson {
    /// The class of the bug. A name keeps its meaning; new ones may be added.
    class: &'static str,
    /// The position in which the moves begin, in FEN.
    start: String,
    /// The moves to the position that goes wrong, in UCI.
    moves: Vec<String>,
    /// The position in which the move list or the count is wrong, in FEN.
    fen: String,
    /// The depth of the question.
    depth: u32,
    /// The right number of leaf nodes.
    expected: u128,
    /// The number that the program gives. Null if it does not answer.
    got: Option<u128>,
    /// Illegal moves that it lists.
    extra: Vec<String>,
    /// Legal moves that it does not list.
    missing: Vec<String>,
    /// Moves that it lists more than once.
    duplicated: Vec<String>,
    /// Why a move is illegal, or what makes it legal, by move.
    reasons: BTreeMap<String, String>,
    /// The smallest example of the same bug. Null if there is none.
    shrunk: Option<ShrunkJson>,
    /// A hint where to look in the code.
    hint: &'static str,
    /// A further fact. Null if there is none.
    note: Option<String>,
    /// Is the class proven? Then a small change of the rules gives exactly the program's answers wherever
    /// it was asked, or an experiment in new processes has shown the bug.
    proven: bool,
    /// The class that explains each wrong move, by move, as far as one is known.
    explained: BTreeMap<String, String>,
    /// The classes of other errors that this bug explains.
    consequences: Vec<&'static str>,
    /// A command that asks the question.
    command: String,
    /// The second opinion. Null if none was asked.
    oracle: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShrunkJson {
    /// The position, in FEN.
    fen: String,
    /// Moves to play from it, for bugs that show only after moves.
    moves: Vec<String>,
    /// The depth.
    depth: u32,
    /// The right number of leaf nodes.
    expected: u128,
    /// The number that the program gives. Null if it does not answer.
    got: Option<u128>,
    /// Illegal moves that it lists.
    extra: Vec<String>,
    /// Legal moves that it does not list.
    missing: Vec<String>,
    /// Moves that it lists more than once.
    duplicated: Vec<String>,
    /// Does a new process show the bug with the command? Null if there was no time to find out.
    reproduces: Option<bool>,
    /// A command that shows the bug.
    command: String,
    /// A line for a suite: the position with its right count.
    suite: String,
}

impl From<Finding> for FindingJson {
    fn from(finding: Finding) -> Self {
        Self {
            class: finding.class.name(),
            start: finding.start,
            moves: finding.moves,
            fen: finding.fen,
            depth: finding.depth,
            expected: finding.expected,
            got: finding.got,
            extra: finding.extra,
            missing: finding.missing,
            duplicated: finding.duplicated,
            reasons: finding.reasons,
            shrunk: finding.shrunk.map(|it| ShrunkJson {
                fen: it.fen,
                moves: it.moves,
                depth: it.depth,
                expected: it.expected,
                got: it.got,
                extra: it.extra,
                missing: it.missing,
                duplicated: it.duplicated,
                reproduces: it.reproduces,
                command: it.command,
                suite: it.suite,
            }),
            hint: finding.class.hint(),
            note: finding.note,
            proven: finding.proven,
            explained: finding.explained,
            consequences: finding.consequences.into_iter().map(Class::name).collect(),
            command: finding.command,
            oracle: finding.oracle.map(|opinion| opinion.to_string()),
        }
    }
}

impl From<Ladder> for LadderJson {
    fn from(ladder: Ladder) -> Self {
        Self {
            complete: ladder.complete,
            questions: ladder.questions,
            positions: ladder.positions,
            rules: ladder.rules,
            rules_not_reached: ladder.rules_not_reached,
            part: (!ladder.part.is_empty()).then_some(ladder.part),
        }
    }
}

/// Why a program could not be tested, and what makes it testable.
fn with_advice(why: &str, advice: Option<&str>) -> String {
    advice.map_or_else(|| why.to_owned(), |advice| format!("{why}\n{advice}"))
}

impl Answer {
    pub(super) fn of(report: Report, program: &Program) -> Self {
        let error = match report.verdict {
            Verdict::Untestable => Some(report.trouble.unwrap_or("it gave no answer".to_owned())),
            Verdict::Agrees | Verdict::Differs => report.lost,
        };
        let error = error.map(|why| with_advice(&why, report.advice));
        Self {
            verdict: report.verdict.name(),
            protocol: report.protocol,
            asked: report.asked,
            repeated: program.repeated(),
            seconds: report.seconds,
            findings: report.findings.into_iter().map(FindingJson::from).collect(),
            ladder: report.ladder.into(),
            speed: program.speed().map(f64::round),
            error,
        }
    }

    /// The answer about a program with which no dialogue was possible.
    pub(super) fn untestable(protocol: &str, took: Duration, trouble: &Trouble) -> Self {
        Self {
            verdict: Verdict::Untestable.name(),
            protocol: protocol.to_owned(),
            asked: 0,
            repeated: 0,
            seconds: took.as_secs_f64(),
            findings: Vec::new(),
            ladder: LadderJson::default(),
            speed: None,
            error: Some(with_advice(&trouble.to_string(), trouble.advice())),
        }
    }
}
