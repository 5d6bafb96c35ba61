//! The hunt: climbs the ladder, and keeps the smallest example of each class.

use std::collections::BTreeMap;
use std::fmt;

use crate::case::Case;
use crate::class::Class;
use crate::examine::Examiner;
use crate::finding::Finding;
use crate::generator::Generator;
use crate::ladder::{self, Step};
use crate::options::Options;
use crate::report::{Report, Verdict};
use crate::session::Session;
use crate::{describe, opinion, shrink, truth};

/// A bug: the example that was found, and the smallest one.
#[derive(Clone, Debug)]
struct Bug {
    case: Case,
    /// `None` if it has not been searched for.
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
    examiner: Examiner<'a>,
    options: Options<'a>,
    found: BTreeMap<Class, Bug>,
}

impl fmt::Debug for Hunt<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = self.examiner.session.asked();
        out.debug_struct("Hunt").field("asked", &asked).finish_non_exhaustive()
    }
}

impl<'a> Hunt<'a> {
    /// Creates a hunt that has not begun.
    pub fn new(generator: &'a dyn Generator, options: Options<'a>) -> Self {
        let session = Session::new(generator, options.stop);
        Self { examiner: Examiner::new(session), options, found: BTreeMap::new() }
    }

    /// Hunts to the end of the ladder or of the budget, and shrinks the findings. The report calls
    /// the program's protocol `protocol`.
    pub fn run(mut self, protocol: &str) -> Report {
        self.climb();
        self.name_counted();
        let mut found: Vec<Bug> = self.found.values().cloned().collect();
        found.sort_by_key(|it| it.case.size());
        if self.options.first {
            found.truncate(1);
        }
        let mut findings = Vec::new();
        for Bug { case, smallest } in found {
            let smallest = smallest.unwrap_or_else(|| self.shrink(&case));
            findings.push(self.finding(&case, &smallest));
        }
        let session = &self.examiner.session;
        let verdict = match (findings.is_empty(), session.answered()) {
            (true, 0) => Verdict::Untestable,
            (true, _) => Verdict::Agrees,
            (false, _) => Verdict::Differs,
        };
        Report {
            verdict,
            protocol: protocol.to_owned(),
            asked: session.asked(),
            leaves: session.leaves(),
            seconds: 0.0,
            findings,
            trouble: session.first_trouble().map(ToString::to_string),
        }
    }

    fn climb(&mut self) {
        let takes_moves = self.examiner.session.takes_moves();
        let ladder = ladder::steps(&self.options, takes_moves);
        for step in ladder {
            if self.is_over() {
                return;
            }
            self.step(&step);
        }
    }

    fn is_over(&self) -> bool {
        let session = &self.examiner.session;
        let all = self.options.questions.is_some_and(|most| session.asked() >= most);
        let first = self.options.first && !self.found.is_empty();
        // A program that never answers is not asked forever.
        let dead = session.answered() == 0 && session.asked() >= 5;
        all || first || dead || session.is_stopped()
    }

    fn step(&mut self, step: &Step) {
        self.examiner.forget_count();
        let possible = truth::is_reachable(&step.start);
        if !possible && !self.options.impossible {
            return;
        }
        let leaves = if step.depth < 2 { 0 } else { truth::perft(&step.start, step.depth) };
        if !(self.options.affords)(u64::try_from(leaves).unwrap_or(u64::MAX)) {
            return;
        }
        self.tell(step.phase);
        let mut cases = self.examiner.examine(&step.start, &step.path, step.depth);
        if cases.is_empty() && step.depth == 1 && step.path.is_empty() {
            cases.extend(self.examiner.check_convention(&step.start));
        }
        if self.examiner.session.is_cut_off() {
            // Some answers are missing. Only the wrong moves of a list prove an error by themselves.
            cases.retain(Case::has_wrong_moves);
        }
        cases.sort_by_key(Case::size);
        for case in cases {
            self.add(case);
            if self.options.first {
                return;
            }
        }
    }

    /// Keeps the smallest case of each class. The first case of a class is shrunk at once, so that
    /// a hunt has small examples even if it is stopped.
    fn add(&mut self, case: Case) {
        match self.found.get_mut(&case.class) {
            Some(known) if known.case.size() <= case.size() => {}
            Some(known) => known.case = case,
            None => {
                // A guess may get another name when more is known.
                let smallest = (!case.guessed).then(|| self.shrink(&case));
                self.found.insert(case.class, Bug { case, smallest });
            }
        }
    }

    fn shrink(&mut self, case: &Case) -> Case {
        self.tell("shrinking");
        shrink::shrink(&mut self.examiner, case, self.options.impossible)
    }

    /// Reports the next phase.
    fn tell(&self, next: &str) {
        (self.options.progress)(self.examiner.session.asked(), self.found.len(), next);
    }

    fn finding(&self, case: &Case, smallest: &Case) -> Finding {
        let session = &self.examiner.session;
        let shrunk = describe::smallest(smallest, session.command(&smallest.question()));
        Finding {
            oracle: self.options.oracle.map(|oracle| opinion::second(oracle, case)),
            command: session.command(&case.question()),
            ..describe::finding(case, Some(shrunk))
        }
    }

    /// Names the guessed cases again, now that all counts are known.
    fn name_counted(&mut self) {
        if self.examiner.session.is_stopped() {
            return;
        }
        let guessed: Vec<Case> = self.found.values().map(|it| it.case.clone()).collect();
        for mut case in guessed.into_iter().filter(|it| it.guessed && it.depth == 1) {
            if let (true, Some(got)) = (case.path.is_empty(), case.got) {
                let class = self.examiner.guess(&case.start, got);
                if class != case.class {
                    self.found.remove(&case.class);
                    case.class = class;
                    self.add(case);
                }
            }
        }
    }
}

/// Panics with the report if a generator does not agree with tabiya. For tests.
///
/// The number of questions is limited, so that a test takes seconds. For more, see [`Hunt`].
///
/// # Panics
/// If the generator differs, or gives no answers.
///
/// ```should_panic
/// use tabiya_compare::{Generator, Query, Trouble, assert_agrees};
/// struct Wrong;
/// impl Generator for Wrong {
///     fn perft(&self, _: &Query) -> Result<u128, Trouble> {
///         Ok(20)
///     }
/// }
/// assert_agrees(&Wrong);
/// ```
#[track_caller]
pub fn assert_agrees(generator: &dyn Generator) {
    let options = Options { questions: Some(2_500), ..Options::default() };
    let report = Hunt::new(generator, options).run("in-process");
    assert!(report.verdict == Verdict::Agrees, "{report}");
}
