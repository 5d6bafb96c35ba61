//! Causes of wrong answers.

use tabiya::fen::EnPassantMode;

use super::Examiner;
use crate::class::Class;
use crate::evidence::Observation;
use crate::models::Fault;
use crate::question::Question;

/// The most unexplained answers that a new process is asked for.
const MOST_AGAIN: usize = 100;

/// What explains an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// Faults of one class, in the model.
    Faults(Vec<Fault>),
    /// Something that only experiments show: what the moves before leave, or the questions before,
    /// or a failed dialogue.
    Experiment,
    /// Nothing that we know.
    Unknown,
}

/// A cause, and its examples.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) class: Class,
    pub(crate) root: Root,
    /// The question that showed it, after the descent, and the smallest one.
    pub(crate) original: Question,
    pub(crate) smallest: Question,
    /// Was it proven?
    pub(crate) is_proven: bool,
    /// Does the question alone show it to a new process?
    pub(crate) is_fresh: bool,
    /// The step of the ladder that showed it first.
    pub(crate) step: usize,
    /// How often it was seen.
    pub(crate) times: usize,
    /// What else is known.
    pub(crate) note: Option<String>,
    /// The classes of earlier findings that it explains.
    pub(crate) consequences: Vec<Class>,
}

impl Cause {
    /// A cause that one question has shown.
    pub(crate) fn named(class: Class, question: &Question, is_proven: bool) -> Self {
        Self {
            class,
            root: Root::Unknown,
            original: question.clone(),
            smallest: question.clone(),
            is_proven,
            is_fresh: true,
            step: 0,
            times: 1,
            note: None,
            consequences: Vec::new(),
        }
    }

    /// Is it an answer without an explanation?
    pub(crate) fn is_loose(&self) -> bool {
        self.root == Root::Unknown
    }
}

impl Examiner<'_> {
    /// Adds a cause, or an example of a known one.
    pub(crate) fn add(
        &mut self,
        class: Class,
        original: &Question,
        is_proven: bool,
        faults: &[Fault],
    ) {
        let root = match (faults, is_proven) {
            ([], true) => Root::Experiment,
            ([], false) => Root::Unknown,
            (faults, _) => Root::Faults(faults.to_vec()),
        };
        self.add_example(class, root, original, original, is_proven);
    }

    pub(super) fn add_example(
        &mut self,
        class: Class,
        root: Root,
        original: &Question,
        smallest: &Question,
        is_proven: bool,
    ) -> &mut Cause {
        let known = self.causes.iter().position(|it| it.class == class);
        let index = known.unwrap_or(self.causes.len());
        if let Some(index) = known {
            let cause = &mut self.causes[index];
            cause.times += 1;
            cause.is_proven |= is_proven;
            if let (Root::Faults(all), Root::Faults(more)) = (&mut cause.root, &root) {
                all.extend(more);
            }
            if size(smallest) < size(&cause.smallest) {
                (cause.smallest, cause.original) = (smallest.clone(), original.clone());
            }
        } else {
            let (smallest, step) = (smallest.clone(), self.step);
            let cause = Cause::named(class, original, is_proven);
            self.causes.push(Cause { root, smallest, step, ..cause });
        }
        &mut self.causes[index]
    }

    /// The observations that no named cause explains.
    pub(crate) fn unexplained(&mut self) -> Vec<Observation> {
        let refuses = self.causes.iter().any(|it| it.class == Class::EnPassantConvention);
        let is_rest = |examiner: &Self, seen: &Observation| {
            let is_usual = seen.question.en_passant == EnPassantMode::PseudoLegal;
            !seen.is_right
                && (is_usual || !refuses)
                && !examiner.agrees(seen)
                && !examiner.is_beyond(seen)
        };
        let all = self.evidence.all.iter().filter(|seen| is_rest(self, seen));
        let mut rest: Vec<Observation> = all.cloned().collect();
        if self.depends_on_others {
            // They may come from the questions before.
            rest.truncate(MOST_AGAIN);
            rest.retain(|seen| {
                self.ask_again(&seen.question).is_ok_and(|again| is_rest(self, &again))
            });
        }
        rest
    }

    /// Moves findings without a cause below the causes that explain them by now.
    pub(crate) fn settle(&mut self) {
        let explained: Vec<bool> = (0..self.causes.len())
            .map(|index| {
                let cause = &self.causes[index];
                let seen = self.evidence.known(&cause.smallest);
                cause.is_loose()
                    && seen.is_some_and(|seen| self.agrees(seen) || self.is_beyond(seen))
            })
            .collect();
        let mut explained = explained.into_iter();
        let (gone, left): (Vec<Cause>, Vec<Cause>) = std::mem::take(&mut self.causes)
            .into_iter()
            .partition(|_| explained.next().unwrap_or(false));
        self.causes = left;
        for old in gone {
            if let Some(cause) =
                self.causes.iter_mut().rev().find(|it| matches!(it.root, Root::Faults(_)))
            {
                cause.step = cause.step.min(old.step);
                cause.consequences.push(old.class);
            }
        }
    }
}

/// The size of a question: a smaller example is easier to understand.
pub(super) fn size(question: &Question) -> (u32, usize, usize, usize) {
    let plies = question.depth + u32::try_from(question.path.len()).unwrap_or(u32::MAX / 2);
    let start = &question.start;
    let rights = start.castling_rights().rooks().len();
    let counters = usize::from(start.halfmove_clock() > 0);
    (plies, start.board().occupied().len() as usize, rights as usize, counters)
}
