//! The hunt: climbs the ladder, and reports the causes of wrong answers.

use std::collections::BTreeMap;
use std::fmt;

use crate::case::Case;
use crate::class::Class;
use crate::coverage::Coverage;
use crate::describe;
use crate::evidence::Observation;
use crate::examine::{Cause, Examiner, Root};
use crate::finding::Finding;
use crate::generator::{Generator, Trouble};
use crate::known::known;
use crate::ladder::{self, Step};
use crate::listed::Listed;
use crate::models::{Fault, Model};
use crate::opinion;
use crate::options::Options;
use crate::question::Question;
use crate::report::{Report, Verdict};
use crate::session::Session;
use crate::truth;

/// Fewer questions, or fewer rules, are no test.
const FEWEST_QUESTIONS: u64 = 100;

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
    coverage: Coverage,
    /// Was a position that the user named left out, because no game can reach it?
    has_impossible: bool,
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
        let pool = ladder::telling(options.chess960);
        let examiner = Examiner::new(session, options.impossible, pool);
        Self { examiner, options, coverage, has_impossible: false }
    }

    /// Hunts to the end of the ladder or of the budget. The report calls the program's protocol
    /// `protocol`.
    pub fn run(mut self, protocol: &str) -> Report {
        let is_at_end = self.climb();
        self.examiner.settle();
        self.name_the_rest();
        let mut causes = std::mem::take(&mut self.examiner.causes);
        causes.sort_by_key(|cause| (!cause.is_proven, cause.step));
        if self.options.first {
            causes.truncate(1);
        }
        let findings: Vec<Finding> = causes.iter().map(|cause| self.finding(cause)).collect();
        for seen in &self.examiner.evidence.all {
            self.coverage.asked_about(&seen.here);
        }
        let session = &self.examiner.session;
        let ladder = self.coverage.ladder(is_at_end, session.asked());
        // Answers that are missing prove no agreement, even if all the others are right.
        let doubt = match session.lost() {
            Some(trouble) => Some(after_answers(trouble, session.answered())),
            None if session.is_left_waiting() => Some(LEFT_WAITING.to_owned()),
            None if session.asked() == 0 && self.has_impossible => Some(IMPOSSIBLE.to_owned()),
            None if self.examiner.unexamined.is_some() => self.examiner.unexamined.clone(),
            None if ladder.is_too_little(FEWEST_QUESTIONS) => Some(format!(
                "{} about {} of {} rules are too few to say that it agrees",
                if session.asked() == 1 {
                    "1 question".to_owned()
                } else {
                    format!("{} questions", session.asked())
                },
                ladder.rules.len() - ladder.rules_not_reached.len(),
                ladder.rules.len(),
            )),
            None => None,
        };
        let verdict = match (findings.is_empty(), session.answered()) {
            (false, _) => Verdict::Differs,
            (true, 0) => Verdict::Untestable,
            (true, _) if doubt.is_some() => Verdict::Untestable,
            (true, _) => Verdict::Agrees,
        };
        let lost = session.lost().and(doubt.clone());
        let advice = session.lost().and_then(Trouble::advice);
        let trouble = doubt.or_else(|| session.first_trouble().map(ToString::to_string));
        Report {
            verdict,
            protocol: protocol.to_owned(),
            asked: session.asked(),
            leaves: session.leaves(),
            seconds: 0.0,
            findings,
            ladder,
            trouble,
            lost,
            advice,
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
        let first = self.options.first && !self.examiner.causes.is_empty();
        // A program that never answers is not asked forever.
        let dead = session.answered() == 0 && session.asked() >= 5;
        all || first || dead || session.is_stopped()
    }

    fn step(&mut self, step: &Step) {
        self.examiner.step += 1;
        let question = &step.question;
        let possible = truth::is_reachable(&question.start);
        if !possible && !self.options.impossible {
            if step.part == (0, 0) {
                self.has_impossible = true;
                self.coverage.left_out();
            }
            return;
        }
        let here = question.position();
        // The count ends as soon as there are too many leaf nodes: at great depths it would not end.
        let affords = |leaves| (self.options.affords)(u64::try_from(leaves).unwrap_or(u64::MAX));
        let goes_on = |leaves| affords(leaves) && !(self.options.stop)();
        let is_affordable = match question.depth {
            0 | 1 => affords(0),
            depth => truth::perft_while(&here, depth, &goes_on).is_some(),
        };
        if !is_affordable {
            self.coverage.left_out();
            self.coverage.too_deep(question.depth);
            return;
        }
        let (asked, found) = (self.examiner.session.asked(), self.examiner.causes.len());
        (self.options.progress)(asked, found, step.phase);
        self.examiner.examine(question);
        if self.examiner.session.is_cut_off() {
            self.coverage.left_out();
        }
        self.coverage.asked(step);
    }

    /// Names the wrong answers that nothing explains, and takes back the names of faults that don't
    /// give exactly the program's answers.
    fn name_the_rest(&mut self) {
        let model = self.examiner.model.clone();
        let mut causes = std::mem::take(&mut self.examiner.causes);
        for cause in &mut causes {
            let Root::Faults(faults) = &cause.root else { continue };
            if let Some(times) = self.times_proven(&model, faults, &cause.smallest) {
                cause.times = times;
            } else {
                let left = &mut self.examiner.model;
                *left = faults.iter().fold(left.clone(), |it, &fault| it.without(fault));
                (cause.is_proven, cause.root) = (false, Root::Unknown);
                cause.class =
                    if cause.smallest.depth > 1 { Class::CountWrong } else { Class::ListWrong };
            }
        }
        // What such a fault explained may be a state that experiments show.
        let (refuted, causes): (Vec<Cause>, Vec<Cause>) =
            causes.into_iter().partition(|it| it.is_loose() && !it.smallest.path.is_empty());
        self.examiner.causes = causes;
        for cause in refuted {
            let is_count = cause.smallest.depth > 1;
            self.examiner.without_model(&cause.original, &cause.smallest, is_count);
        }
        let mut causes = std::mem::take(&mut self.examiner.causes);
        // A state that a program loses may show in any answer after moves.
        let has_state = causes.iter().any(|cause| {
            cause.is_proven
                && matches!(cause.class, Class::StatePlay | Class::StateOrder | Class::StateKey)
        });
        // Each class is one finding.
        let mut classes = Vec::new();
        causes.retain(|cause| {
            let is_after = !cause.smallest.path.is_empty() || cause.smallest.depth > 1;
            let is_new = !classes.contains(&cause.class);
            classes.push(cause.class);
            is_new && !(cause.is_loose() && is_after && has_state)
        });
        self.examiner.causes = causes;
        let rest: Vec<Observation> = self.examiner.unexplained();
        for is_count in [false, true] {
            let of_kind = |seen: &&Observation| {
                let lists = seen.answer.listed(&seen.here).is_some() || seen.answer.moves.is_some();
                (seen.question.depth > 1 || !lists) == is_count
            };
            let wrong: Vec<&Observation> = rest.iter().filter(of_kind).collect();
            let class = if is_count { Class::CountWrong } else { Class::ListWrong };
            let is_named = self.examiner.causes.iter().any(|it| it.class == class);
            let is_lost =
                has_state || self.examiner.causes.iter().any(|it| it.class == Class::ListWrong);
            let Some(smallest) = wrong.iter().min_by_key(|seen| {
                (seen.question.path.len(), seen.question.depth, seen.here.board().occupied().len())
            }) else {
                continue;
            };
            if !is_named && !(is_lost && (is_count || !smallest.question.path.is_empty())) {
                self.examiner.add(class, &smallest.question, false, &[]);
            }
            let right: Vec<&Observation> =
                self.examiner.evidence.all.iter().filter(|seen| seen.is_right).collect();
            let note = known(&wrong, &right);
            for cause in self.examiner.causes.iter_mut().filter(|it| it.class == class) {
                cause.note = note.clone();
            }
        }
    }

    /// The number of questions that the faults touch, if they give exactly the program's answers to
    /// all of them. In a list that has other errors as well, it's their moves that count.
    fn times_proven(&self, model: &Model, faults: &[Fault], smallest: &Question) -> Option<usize> {
        let without = faults.iter().fold(model.clone(), |it, &fault| it.without(fault));
        let evidence = &self.examiner.evidence;
        let mut times = 0;
        for seen in &evidence.all {
            let predict = |model| evidence.predict(model, &seen.question);
            if self.examiner.is_beyond(seen) && seen.question != *smallest {
                continue;
            }
            let (Some(before), Some(after)) = (predict(&without), predict(model)) else { continue };
            if !before.differs(&after) {
                continue;
            }
            times += 1;
            if !evidence.allows(&without, model, seen) {
                return None;
            }
        }
        (times > 0).then_some(times)
    }

    /// The class of each wrong move of an answer that a known fault explains.
    fn explained(&self, case: &Case) -> BTreeMap<String, String> {
        let here = case.question.position();
        let list = |model: &Model| model.list(&case.question);
        let model = &self.examiner.model;
        let whole = list(model);
        let mut explained = BTreeMap::new();
        let legal = case.missing.iter().chain(&case.duplicated);
        let legal = legal.map(|&mv| (here.uci(mv).to_string(), Some(Listed::of(&here, mv))));
        let extra = case.extra.iter().map(|told| (told.text(), told.listed(&here)));
        for (text, listed) in legal.chain(extra) {
            let Some(listed) = listed else { continue };
            let times = |list: &[Listed]| list.iter().filter(|it| **it == listed).count();
            let is_of = |fault: &&Fault| {
                times(&list(&model.without(**fault))) != times(&whole)
                    || times(&list(&Model::of([**fault]))) != times(&list(&Model::default()))
            };
            if let Some(fault) = model.faults().iter().find(is_of) {
                explained.insert(text, fault.class().name().to_owned());
            }
        }
        explained
    }

    fn finding(&mut self, cause: &Cause) -> Finding {
        let examiner = &mut self.examiner;
        let mut answers = [&cause.original, &cause.smallest].map(|question| {
            let known = examiner.evidence.known(question).map(|seen| seen.answer.clone());
            Case::of(question, known.as_ref())
        });
        if cause.class.is_dialogue() {
            answers.iter_mut().for_each(|case| case.got = None);
        }
        let [case, smallest] = answers;
        let session = &examiner.session;
        let command = session.command(&smallest.question.query());
        let shrunk = describe::smallest(&smallest, command, cause.is_fresh);
        let explained = if cause.is_proven && matches!(cause.root, Root::Experiment) {
            describe::wrong_moves(&case)
                .into_iter()
                .map(|mv| (mv, cause.class.name().to_owned()))
                .collect()
        } else {
            self.explained(&case)
        };
        let session = &self.examiner.session;
        Finding {
            oracle: self.options.oracle.map(|oracle| opinion::second(oracle, &case)),
            command: session.command(&case.question.query()),
            consequences: cause.consequences.clone(),
            proven: cause.is_proven,
            explained,
            shrunk: Some(shrunk),
            ..describe::finding(&case, cause, Some(&smallest))
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
