//! The hunt: climbs the ladder, and keeps the smallest example of each class.

use std::collections::BTreeMap;
use std::fmt;

use crate::case::Case;
use crate::causes::{Cause, causes};
use crate::class::Class;
use crate::coverage::Coverage;
use crate::examine::Examiner;
use crate::finding::Finding;
use crate::generator::{Generator, Trouble};
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
    /// The step of the ladder that showed the bug first.
    step: usize,
}

impl Bug {
    /// The smallest known example.
    fn example(&self) -> &Case {
        self.smallest.as_ref().unwrap_or(&self.case)
    }
}

impl Cause<Bug> {
    /// Is this the class of the cause, or of one of its consequences?
    fn covers(&self, class: Class) -> bool {
        self.root.case.class == class || self.consequences.iter().any(|it| it.case.class == class)
    }

    /// The step of the ladder that showed the cause, or one of its consequences, first.
    fn step(&self) -> usize {
        let consequences = self.consequences.iter().map(|it| it.step);
        consequences.fold(self.root.step, usize::min)
    }
}

/// Why a program that was not answering at the end cannot be said to agree.
const LEFT_WAITING: &str =
    "the last question had no answer long after the usual time, when the hunt ended";

/// Why nothing was asked.
const IMPOSSIBLE: &str = "no game can reach the position, and --impossible is not given";

/// Why a program cannot be started any more.
fn after_answers(trouble: &Trouble, answered: u64) -> String {
    format!("{trouble}, after {answered} {}", if answered == 1 { "answer" } else { "answers" })
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
    coverage: Coverage,
    /// A failure that was not examined to the end, because the hunt ended.
    unexamined: Option<String>,
    /// Was a position that the user named left out, because no game can reach it?
    has_impossible: bool,
    /// The number of the present step of the ladder.
    steps: usize,
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
        let coverage = Coverage::new(options.chess960);
        let examiner = Examiner::new(session);
        Self {
            examiner,
            options,
            found: BTreeMap::new(),
            coverage,
            unexamined: None,
            has_impossible: false,
            steps: 0,
        }
    }

    /// Hunts to the end of the ladder or of the budget, and shrinks the findings. The report calls
    /// the program's protocol `protocol`.
    pub fn run(mut self, protocol: &str) -> Report {
        let is_at_end = self.climb();
        self.name_counted();
        let found: Vec<Bug> = self.found.values().cloned().collect();
        let found: Vec<Bug> = found.into_iter().map(|bug| self.shrunk(bug)).collect();
        let causes = causes(found, Bug::example);
        let mut causes = self.with_damage_explained(causes);
        // A hunt for the first finding names the same one.
        causes.sort_by_key(Cause::step);
        if self.options.first {
            causes.truncate(1);
        }
        let mut findings = Vec::new();
        for cause in &causes {
            findings.push(self.finding(cause));
        }
        let session = &self.examiner.session;
        // Answers that are missing prove no agreement, even if all the others are right.
        let doubt = match session.lost() {
            Some(trouble) => Some(after_answers(trouble, session.answered())),
            None if session.is_left_waiting() => Some(LEFT_WAITING.to_owned()),
            None if session.asked() == 0 && self.has_impossible => Some(IMPOSSIBLE.to_owned()),
            None => self.unexamined.take(),
        };
        let verdict = match (findings.is_empty(), session.answered()) {
            (false, _) => Verdict::Differs,
            (true, 0) => Verdict::Untestable,
            (true, _) if doubt.is_some() => Verdict::Untestable,
            (true, _) => Verdict::Agrees,
        };
        let lost = session.lost().and(doubt.clone());
        let trouble = doubt.or_else(|| session.first_trouble().map(ToString::to_string));
        Report {
            verdict,
            protocol: protocol.to_owned(),
            asked: session.asked(),
            leaves: session.leaves(),
            seconds: 0.0,
            findings,
            ladder: self.coverage.ladder(is_at_end, session.asked()),
            trouble,
            lost,
        }
    }

    /// Asks the questions of the ladder. Returns whether its end was reached.
    fn climb(&mut self) -> bool {
        let takes_moves = self.examiner.session.takes_moves();
        let ladder = ladder::steps(&self.options, takes_moves);
        for step in ladder {
            if self.is_over() {
                return false;
            }
            self.coverage.begin(&step);
            self.step(&step);
        }
        true
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
        self.steps += 1;
        self.examiner.forget_count();
        let possible = truth::is_reachable(&step.start);
        if !possible && !self.options.impossible {
            if step.part == (0, 0) {
                self.has_impossible = true;
                self.coverage.left_out();
            }
            return;
        }
        let here = step.path.iter().fold(step.start.clone(), |position, &mv| position.play(mv));
        // The count ends as soon as there are too many leaf nodes: at great depths it would not end.
        let affords = |leaves| (self.options.affords)(u64::try_from(leaves).unwrap_or(u64::MAX));
        let goes_on = |leaves| affords(leaves) && !(self.options.stop)();
        let is_affordable = match step.depth {
            0 | 1 => affords(0),
            depth => truth::perft_while(&here, depth, &goes_on).is_some(),
        };
        if !is_affordable {
            self.coverage.left_out();
            self.coverage.too_deep(step.depth);
            return;
        }
        self.tell(step.phase);
        self.examiner.session.forget_wrong();
        let mut cases = self.examiner.examine(&step.start, &step.path, step.depth);
        if cases.is_empty() && step.depth == 1 && step.path.is_empty() {
            cases.extend(self.examiner.check_convention(&step.start));
        }
        if self.examiner.session.is_cut_off() {
            self.coverage.left_out();
            // Some answers are missing. Wrong moves prove an error by themselves, and its class unless
            // it is guessed, a wrong count only that there is an error.
            let wrong = |case: &&Case| case.has_wrong_count() || case.has_wrong_moves();
            let wrong = cases.iter().find(wrong).cloned();
            let wrong = wrong.or_else(|| Case::of_wrong(self.examiner.session.first_wrong()?));
            let failure = cases.iter().find(|case| case.class.is_dialogue()).cloned();
            cases.retain(|case| case.has_wrong_moves() && !case.guessed);
            if cases.is_empty() && self.found.is_empty() {
                cases.extend(wrong.map(Case::without_cause));
            }
            if let Some(Case { note: Some(note), .. }) = failure {
                self.unexamined =
                    Some(format!("{note}, and the hunt ended before the cause was found"));
            }
        }
        self.coverage.asked(step);
        if self.options.first {
            cases =
                causes(cases, |case| case).into_iter().map(|cause| cause.root).take(1).collect();
        }
        cases.sort_by_key(Case::size);
        cases.into_iter().for_each(|case| self.add(case));
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
                self.found.insert(case.class, Bug { case, smallest, step: self.steps });
            }
        }
    }

    /// Moves wrong counts, and failures while counting, to the causes of wrong lists that the
    /// counts go through.
    fn with_damage_explained(&mut self, causes: Vec<Cause<Bug>>) -> Vec<Cause<Bug>> {
        let is_count = |cause: &Cause<Bug>| {
            let case = cause.root.example();
            let is_counting = case.got.is_some() || case.depth > 1;
            !case.has_wrong_moves() && is_counting && case.is_fresh
        };
        let (counts, mut causes): (Vec<_>, Vec<_>) = causes.into_iter().partition(is_count);
        let mut others = Vec::new();
        for count in counts {
            let class = match causes.is_empty() {
                true => None,
                false => self.examiner.wrong_list_in_tree(count.root.example()),
            };
            let cause = class.and_then(|class| causes.iter_mut().find(|it| it.covers(class)));
            match cause {
                Some(cause) => {
                    cause.consequences.push(count.root);
                    cause.consequences.extend(count.consequences);
                }
                None => others.push(count),
            }
        }
        causes.extend(others);
        causes
    }

    /// The bug with its smallest example.
    fn shrunk(&mut self, bug: Bug) -> Bug {
        let smallest = bug.smallest.unwrap_or_else(|| self.shrink(&bug.case));
        Bug { smallest: Some(smallest), ..bug }
    }

    fn shrink(&mut self, case: &Case) -> Case {
        self.tell("shrinking");
        shrink::shrink(&mut self.examiner, case, self.options.impossible)
    }

    /// Reports the next phase.
    fn tell(&self, next: &str) {
        (self.options.progress)(self.examiner.session.asked(), self.found.len(), next);
    }

    fn finding(&mut self, cause: &Cause<Bug>) -> Finding {
        let Bug { case, smallest, .. } = &cause.root;
        let smallest = smallest.as_ref().unwrap_or(case);
        let reproduces = self.examiner.reproduces(smallest);
        let session = &self.examiner.session;
        let command = session.command(&smallest.question());
        let shrunk = describe::smallest(smallest, command, reproduces);
        Finding {
            oracle: self.options.oracle.map(|oracle| opinion::second(oracle, case)),
            command: session.command(&case.question()),
            consequences: cause.consequences.iter().map(|bug| bug.case.class).collect(),
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
                    let step = self.found.remove(&case.class).map_or(self.steps, |bug| bug.step);
                    case.class = class;
                    self.add(case);
                    self.found.entry(class).and_modify(|bug| bug.step = bug.step.min(step));
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
