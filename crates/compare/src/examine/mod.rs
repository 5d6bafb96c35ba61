//! The examiner asks a program, and finds out which faults give exactly its answers.
//!
//! It keeps a model: the faults that are known so far. An answer that the model gives as well needs
//! no further question. Any other is reduced to the smallest question that the model gets wrong
//! (`descend`, `shrink`), and a fault is searched for that explains it and everything seen before
//! (`explain`). What depends on the questions before is told apart by new processes (`state`).

mod cause;
mod descend;
mod explain;
mod shrink;
mod state;
mod trouble;

use tabiya::fen::EnPassantMode;

pub(crate) use cause::{Cause, Root};

use crate::class::Class;
use crate::evidence::{self, Answer, Evidence, Observation};
use crate::generator::Trouble;
use crate::listed::Listed;
use crate::models::Model;
use crate::question::Question;
use crate::session::Session;

/// The most faults to search for in one answer.
const MOST_FAULTS: usize = 8;
/// The most answers without an explanation that are reduced.
const MOST_LOOSE: usize = 6;
/// The most of the others that are tried as they are. The rest only counts.
const MOST_AT_ONCE: usize = 100;

/// Asks a program about positions.
pub(crate) struct Examiner<'a> {
    pub(crate) session: Session<'a>,
    pub(crate) evidence: Evidence,
    /// The faults that explain the answers so far.
    pub(crate) model: Model,
    /// The causes that are known, in the order in which they were found.
    pub(crate) causes: Vec<Cause>,
    /// May an example be a position that no game can reach?
    impossible: bool,
    /// The questions to the present process.
    since_start: Vec<Question>,
    /// Does the program's answer depend on the questions before? Then each gets a new process.
    depends_on_others: bool,
    /// Questions that tell faults apart.
    pool: Vec<Question>,
    /// The step of the ladder.
    pub(crate) step: usize,
    /// A failure that wasn't examined to the end, because the hunt ended.
    pub(crate) unexamined: Option<String>,
    /// How many answers were tried as they are.
    tried_at_once: usize,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(session: Session<'a>, impossible: bool, pool: Vec<Question>) -> Self {
        Self {
            session,
            evidence: Evidence::default(),
            model: Model::default(),
            causes: Vec::new(),
            impossible,
            since_start: Vec::new(),
            depends_on_others: false,
            pool,
            step: 0,
            unexamined: None,
            tried_at_once: 0,
        }
    }

    /// Asks, unless the answer is known.
    ///
    /// # Errors
    /// The program gives no answer.
    pub(crate) fn ask(&mut self, question: &Question) -> Result<Observation, Trouble> {
        if let Some(known) = self.evidence.known(question) {
            return Ok(known.clone());
        }
        self.ask_again(question)
    }

    /// Asks, whether the answer is known or not.
    fn ask_again(&mut self, question: &Question) -> Result<Observation, Trouble> {
        if self.depends_on_others {
            self.restart();
        }
        let answer: Answer = self.session.answer(question)?;
        self.since_start.push(question.clone());
        Ok(self.evidence.keep(question, answer))
    }

    /// Asks a new process.
    fn ask_new(&mut self, question: &Question) -> Result<Observation, Trouble> {
        self.restart();
        self.ask_again(question)
    }

    fn restart(&mut self) {
        self.session.restart();
        self.since_start.clear();
    }

    /// Does the model give the same answer? `true` if that would take too long to find out.
    fn agrees(&self, seen: &Observation) -> bool {
        self.evidence.fits(&self.model, seen).unwrap_or(true)
    }

    /// May anything follow, because the count goes through an illegal move that the model lists as
    /// well? Playing it may damage the position.
    pub(crate) fn is_beyond(&self, seen: &Observation) -> bool {
        let question = &seen.question;
        // What is forgotten, and what a table confuses, depends on an order that we don't know
        // everywhere, and a forgotten piece may be moved.
        let is_of_order = self.model.faults().iter().any(|it| it.rule.depends_on_order());
        if question.depth < 2 || is_of_order {
            return question.depth > 1;
        }
        self.evidence.predict(&self.model, question).is_none_or(|predicted| {
            let right = evidence::right(question);
            let is_more = |(mv, count): &(Listed, u128)| {
                right.moves.iter().find(|(it, _)| it == mv).is_none_or(|(_, right)| count > right)
            };
            predicted.moves.iter().any(is_more)
        })
    }

    /// Does the program answer differently from the model?
    fn differs(&mut self, question: &Question) -> bool {
        match self.ask(question) {
            Ok(seen) => !self.agrees(&seen),
            Err(_) => false,
        }
    }

    /// Asks a question of the ladder, and explains the answer.
    pub(crate) fn examine(&mut self, question: &Question) {
        let seen = match self.ask(question) {
            Ok(seen) => seen,
            Err(trouble) => return self.troubled(question, &trouble),
        };
        self.look_into(&seen);
        if question.depth == 1 && question.path.is_empty() {
            self.check_conventions(question);
        }
    }

    /// Looks for the causes of an answer.
    fn look_into(&mut self, seen: &Observation) {
        if self.agrees(seen) || self.session.is_stopped() {
            return;
        }
        // What depends on the questions before says nothing about the rules.
        let mut before = std::mem::take(&mut self.since_start);
        if before.last() == Some(&seen.question) {
            before.pop();
        }
        match self.ask_new(&seen.question) {
            Ok(again) if self.agrees(&again) => return self.after_others(seen, &before),
            Ok(_) => {}
            Err(_) => return,
        }
        let Some(seen) = self.evidence.known(&seen.question).cloned() else { return };
        for _ in 0..MOST_FAULTS {
            if self.agrees(&seen) || self.is_beyond(&seen) || self.session.is_stopped() {
                return;
            }
            let loose = self.causes.iter().filter(|it| it.is_loose()).map(|it| it.times);
            if loose.sum::<usize>() >= MOST_LOOSE {
                self.tried_at_once += 1;
                if self.tried_at_once > MOST_AT_ONCE || !self.explains_at_once(&seen) {
                    return;
                }
            }
            if !self.explain(&seen.question) {
                return;
            }
        }
    }

    /// FENs differ in when they name an en-passant square: after every double push, or only if a
    /// capture is pseudo-legal, or legal. Programs should accept each of them.
    fn check_conventions(&mut self, question: &Question) {
        let usual = question.query().fen;
        for en_passant in [EnPassantMode::Always, EnPassantMode::Legal] {
            let other = Question { en_passant, ..question.clone() };
            if other.query().fen == usual {
                continue;
            }
            // A program that refuses a FEN may answer about the position before, which must be
            // another one.
            let start = Question::new(&tabiya::Position::START, &[], 1);
            let _ = self.ask_again(&start);
            match self.ask(&other) {
                Ok(seen) if self.agrees(&seen) => {}
                Ok(seen) if self.differs(question) => self.look_into(&seen),
                Ok(seen) if self.ask_new(&other).is_ok_and(|again| self.agrees(&again)) => {
                    self.after_others(&seen, &[start, question.clone()]);
                }
                Ok(seen) => {
                    if !self.explain_with(&seen, |fault| !fault.rule.is_of_counts()) {
                        self.add(Class::EnPassantConvention, &other, true, &[]);
                    }
                }
                Err(
                    Trouble::Crash(_) | Trouble::EarlyExit | Trouble::Garbage(_) | Trouble::Hang,
                ) => {
                    // If a new process answers, the field isn't to blame.
                    if self.ask_new(&other).is_err() && self.ask_new(question).is_ok() {
                        self.add(Class::EnPassantConvention, &other, true, &[]);
                    }
                }
                Err(_) => return,
            }
        }
    }
}
