//! Answers that depend on the questions before: what survives in the program, and what its hash key
//! lacks.

use super::Examiner;
use super::cause::{Cause, Root};
use crate::class::Class;
use crate::evidence::Observation;
use crate::models::{Fault, Rule, Table};
use crate::question::Question;

/// The most lists that are asked for to learn a program's order.
const MOST_LISTS: usize = 60;
/// The most nodes of the counts of one process.
const MOST_NODES: u64 = 200_000;

impl Examiner<'_> {
    /// A new process answers as the model does, and one that was asked other questions before
    /// doesn't: after which of them?
    pub(super) fn after_others(&mut self, wrong: &Observation, before: &[Question]) {
        let is_known = |cause: &Cause| matches!(cause.class, Class::StateKey | Class::StateOrder);
        if let Some(cause) = self.causes.iter_mut().find(|it| is_known(it)) {
            cause.times += 1;
            return;
        }
        let question = &wrong.question;
        // The last questions before it, as many as it takes.
        let last = |length: usize| &before[before.len().saturating_sub(length)..];
        let (mut enough, mut too_few) = (1, 0);
        while !self.is_wrong_after(last(enough), question) {
            if enough >= before.len() || self.session.is_stopped() {
                return;
            }
            (enough, too_few) = (2 * enough, enough);
        }
        while too_few + 1 < enough {
            let middle = usize::midpoint(too_few, enough);
            let is_wrong = self.is_wrong_after(last(middle), question);
            *(if is_wrong { &mut enough } else { &mut too_few }) = middle;
        }
        let shown = last(enough);
        let lacks = Fault::all().into_iter().find(|fault| {
            let Rule::Key(_) = fault.rule else { return false };
            let model = self.model.with(*fault);
            let mut table = Table::new();
            for earlier in shown {
                let answer =
                    model.answer_after(earlier, &self.evidence.orders, MOST_NODES, &mut table);
                if answer.is_none() {
                    return false;
                }
            }
            let predicted =
                model.answer_after(question, &self.evidence.orders, MOST_NODES, &mut table);
            predicted.is_some_and(|it| wrong.answer.fits(&wrong.here, &it))
        });
        let times = if shown.len() == 1 { "question" } else { "questions" };
        let note = format!(
            "a new process gives the right answer; this one comes after {} {times}",
            shown.len()
        );
        let class = if lacks.is_some() { Class::StateKey } else { Class::StateOrder };
        let cause = self.add_example(class, Root::Experiment, question, question, true);
        cause.note = Some(note);
        cause.is_fresh = false;
        self.depends_on_others = true;
    }

    /// Does a new process answer differently from the model after these questions?
    fn is_wrong_after(&mut self, before: &[Question], question: &Question) -> bool {
        self.restart();
        for earlier in before {
            let _ = self.ask_again(earlier);
        }
        self.ask_again(question).is_ok_and(|seen| !self.agrees(&seen))
    }

    /// Asks for the lists that show in which order the program goes through the tree of a small
    /// question. What it forgets when it takes back a move depends on it.
    pub(super) fn learn_orders(&mut self, question: &Question) {
        let here = question.position();
        let _ = self.ask(&question.by_fen(question.en_passant).at_depth(1));
        if question.depth < 3 || here.count_legal() > MOST_LISTS {
            return;
        }
        for mv in here.legal_moves() {
            let child = question.child(mv).by_fen(question.en_passant);
            let _ = self.ask(&child.at_depth(1));
        }
    }
}
