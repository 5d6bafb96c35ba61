//! The hunt: asks along the ladder, and keeps the smallest example of each class.

mod candidates;
mod case;
mod convention;
mod descend;
mod elements;
mod list;
mod membership;
mod name;
mod opinion;
mod probe;
mod question;
mod state;
mod total;
mod trouble;

use std::collections::BTreeMap;
use std::fmt;

use tabiya::Position;

pub(crate) use case::{Case, Diff};
pub(crate) use descend::total_class;
pub(crate) use list::wrong_ones;
pub(crate) use name::cases;
pub(crate) use opinion::DISAGREES;
pub(crate) use question::{fen, fen_in};

use crate::class::Class;
use crate::generator::{Generator, Query, Trouble};
use crate::ladder::{self, Step};
use crate::report::{self, Finding, Report, Verdict};
use crate::{shrink, truth};

/// How to hunt.
///
/// ```
/// use tabiya_compare::Options;
/// let options = Options { first: true, ..Options::default() };
/// assert_eq!(options.seed, 1);
/// ```
pub struct Options<'a> {
    /// The positions to ask about. Empty: the ladder.
    pub positions: Vec<Position>,
    /// The greatest depth. `None`: as the number of leaf nodes allows.
    pub depth: Option<u32>,
    /// End with the first finding.
    pub first: bool,
    /// Hunt in Chess960.
    pub chess960: bool,
    /// Ask also about positions that no game can reach.
    pub impossible: bool,
    /// The seed of the random games and placements.
    pub seed: u64,
    /// The number of questions after which the ladder ends. `None`: at its end.
    pub questions: Option<u64>,
    /// Is the budget spent? It is asked before each question.
    pub stop: &'a dyn Fn() -> bool,
    /// Is there time for a question with so many leaf nodes? A step of the ladder for which there is none
    /// is left out.
    pub affords: &'a dyn Fn(u64) -> bool,
    /// Hears what the hunt is doing: the number of questions, of findings, and what comes next.
    pub progress: &'a dyn Fn(u64, usize, &str),
    /// A second generator that is asked about each finding.
    pub oracle: Option<&'a dyn Generator>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            depth: None,
            first: false,
            chess960: false,
            impossible: false,
            seed: 1,
            questions: None,
            stop: &|| false,
            affords: &|_| true,
            progress: &|_, _, _| {},
            oracle: None,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options")
            .field("positions", &self.positions.len())
            .field("depth", &self.depth)
            .field("first", &self.first)
            .field("chess960", &self.chess960)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A bug: the example that was found, and the smallest one.
#[derive(Clone, Debug)]
struct Found {
    case: Case,
    /// `None`: not yet looked for.
    smallest: Option<Case>,
}

/// A hunt for bugs in one generator.
///
/// ```
/// use tabiya_compare::{Divide, Generator, Hunt, Options, Query, Trouble, Verdict};
///
/// /// Lists nothing at all.
/// struct Silent;
/// impl Generator for Silent {
///     fn moves(&self, _: &Query) -> Result<Vec<String>, Trouble> {
///         Ok(Vec::new())
///     }
/// }
///
/// let options = Options { first: true, ..Options::default() };
/// let report = Hunt::new(&Silent, options).run("moves");
/// assert_eq!(report.verdict, Verdict::Differs);
/// ```
pub struct Hunt<'a> {
    generator: &'a dyn Generator,
    options: Options<'a>,
    asked: u64,
    /// The leaf nodes of all questions of depth 2 and more.
    leaves: u64,
    found: BTreeMap<Class, Found>,
    /// The number of answers that were compared.
    answered: u64,
    first_trouble: Option<Trouble>,
    /// Counts at depth 1 without lists: the position and what the program says.
    counted: Vec<(Position, u128)>,
    probes: BTreeMap<(&'static str, &'static str), bool>,
    /// Does the program refuse a line with an illegal move? `None`: not yet asked.
    refuses: Option<bool>,
    /// Moves that were wrong before: they are asked about first.
    suspects: Vec<String>,
    /// The classes that elementary positions show, and whether there are too many moves.
    elements: Option<Vec<(Class, bool)>>,
    /// Were moves listed twice, as far as totals tell?
    has_doubles: bool,
    /// Counts of standard positions that confirm a guess.
    others: BTreeMap<(&'static str, u32), u128>,
    /// Does the program play every legal move, although it counts fewer?
    miscounts: bool,
    /// The last count at depth 1.
    last_count: Option<(Query, u128)>,
}

impl fmt::Debug for Hunt<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Hunt").field("asked", &self.asked).finish_non_exhaustive()
    }
}

/// The FEN of a position: with the en-passant square if a pawn could capture there, legal or not, so
impl<'a> Hunt<'a> {
    /// A hunt that has not begun.
    pub fn new(generator: &'a dyn Generator, options: Options<'a>) -> Self {
        Self {
            generator,
            options,
            asked: 0,
            leaves: 0,
            found: BTreeMap::new(),
            answered: 0,
            first_trouble: None,
            counted: Vec::new(),
            probes: BTreeMap::new(),
            refuses: None,
            suspects: Vec::new(),
            elements: None,
            has_doubles: false,
            others: BTreeMap::new(),
            miscounts: false,
            last_count: None,
        }
    }

    /// Hunts to the end of the ladder or of the budget, and shrinks what was found. `protocol` is the
    /// name that the report gives.
    pub fn run(mut self, protocol: &str) -> Report {
        self.climb();
        self.name_counted();
        let mut found: Vec<Found> = self.found.values().cloned().collect();
        found.sort_by_key(|it| it.case.size());
        if self.options.first {
            found.truncate(1);
        }
        let mut findings = Vec::new();
        for Found { case, smallest } in found {
            let smallest = smallest.unwrap_or_else(|| self.shrink(&case));
            findings.push(self.finding(&case, &smallest));
        }
        let verdict = match (findings.is_empty(), self.answered) {
            (true, 0) => Verdict::Untestable,
            (true, _) => Verdict::Agrees,
            (false, _) => Verdict::Differs,
        };
        Report {
            verdict,
            protocol: protocol.to_owned(),
            asked: self.asked,
            leaves: self.leaves,
            seconds: 0.0,
            findings,
            trouble: self.first_trouble.map(|it| it.to_string()),
        }
    }

    fn climb(&mut self) {
        let takes_moves = self.generator.takes_moves();
        let ladder = ladder::steps(&self.options, takes_moves);
        for step in ladder {
            if self.is_over() {
                return;
            }
            self.step(&step);
        }
    }

    fn is_over(&self) -> bool {
        let all = self.options.questions.is_some_and(|most| self.asked >= most);
        let first = self.options.first && !self.found.is_empty();
        // A program that never answers is not asked for ever.
        let dead = self.answered == 0 && self.asked >= 5;
        all || first || dead || self.is_stopped()
    }

    fn step(&mut self, step: &Step) {
        self.last_count = None;
        let possible = truth::is_reachable(&step.start);
        if !possible && !self.options.impossible {
            return;
        }
        let leaves = if step.depth < 2 { 0 } else { truth::perft(&step.start, step.depth) };
        if !(self.options.affords)(u64::try_from(leaves).unwrap_or(u64::MAX)) {
            return;
        }
        (self.options.progress)(self.asked, self.found.len(), step.phase);
        let mut cases = self.examine(&step.start, &step.path, step.depth);
        if cases.is_empty() && step.depth == 1 && step.path.is_empty() {
            cases.extend(self.check_convention(&step.start));
        }
        cases.sort_by_key(Case::size);
        for case in cases {
            self.add(case);
            if self.options.first {
                return;
            }
        }
    }

    /// Keeps the smallest case of each class. The first one of a class is shrunk at once, so that a hunt
    /// which is stopped has small examples.
    fn add(&mut self, case: Case) {
        match self.found.get_mut(&case.class) {
            Some(known) if known.case.size() <= case.size() => {}
            Some(known) => known.case = case,
            None => {
                // A guess may be named otherwise when more is known.
                let smallest = (!case.guessed).then(|| self.shrink(&case));
                self.found.insert(case.class, Found { case, smallest });
            }
        }
    }

    fn shrink(&mut self, case: &Case) -> Case {
        (self.options.progress)(self.asked, self.found.len(), "shrinking");
        shrink::shrink(self, case)
    }

    fn finding(&mut self, case: &Case, smallest: &Case) -> Finding {
        let oracle = self.options.oracle.map(|oracle| opinion::second(oracle, case));
        let mut finding = report::finding(case, Some(shrink::shrunk(self, smallest)));
        finding.oracle = oracle;
        finding.command = self.generator.command(&case.question());
        finding
    }

    pub(crate) fn command(&self, question: &Query) -> String {
        self.generator.command(question)
    }

    pub(crate) const fn asked(&self) -> u64 {
        self.asked
    }

    pub(crate) const fn leaves(&self) -> u64 {
        self.leaves
    }

    pub(crate) fn is_stopped(&self) -> bool {
        (self.options.stop)()
    }

    pub(crate) const fn allows_impossible(&self) -> bool {
        self.options.impossible
    }
}
