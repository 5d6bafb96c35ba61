//! Questions without an answer: is it the position, a move of the line that the program doesn't know,
//! or what was asked before?

use tabiya::fen::EnPassantMode;

use super::Examiner;
use super::cause::Root;
use crate::class::Class;
use crate::evidence;
use crate::generator::Trouble;
use crate::question::Question;

/// The most questions without an answer that one finding may cost. Each takes time, a hang the most.
const MOST: usize = 25;
const MOST_HANGS: usize = 3;

/// The class of a failed dialogue. `None` if the program isn't to blame.
fn class_of(trouble: &Trouble) -> Option<Class> {
    Some(match trouble {
        Trouble::Crash(_) => Class::DialogueCrash,
        Trouble::Hang => Class::DialogueHang,
        Trouble::Garbage(_) => Class::DialogueGarbage,
        Trouble::EarlyExit => Class::DialogueEarlyExit,
        _ => return None,
    })
}

impl Examiner<'_> {
    /// Explains a question without an answer.
    pub(super) fn troubled(&mut self, question: &Question, trouble: &Trouble) {
        let Some(class) = class_of(trouble) else { return };
        if self.causes.iter().any(|it| it.class == class) || self.is_expected(question) {
            return;
        }
        self.unexamined = Some(format!("{trouble}, and the hunt ended before the cause was found"));
        let before = std::mem::take(&mut self.since_start);
        if self.fails_in_new(question, class) {
            let lists = self.lists_before(question);
            for list in lists {
                if let Ok(seen) = self.ask(&list) {
                    self.look_into(&seen);
                }
                if self.is_expected(question) {
                    self.unexamined = None;
                    return;
                }
            }
            let mut left = if class == Class::DialogueHang { MOST_HANGS } else { MOST };
            let alone = question.by_fen(EnPassantMode::PseudoLegal);
            let start = match !question.path.is_empty() && self.fails_in_new(&alone, class) {
                true => alone,
                false => question.clone(),
            };
            let smallest = self.shrink(&start, &mut |examiner, it| {
                let fails = left > 0 && examiner.fails_in_new(it, class);
                left -= usize::from(fails);
                fails
            });
            let is_proven = self.fails_in_new(&smallest, class);
            let cause = self.add_example(class, Root::Experiment, &start, &smallest, is_proven);
            cause.note = Some(trouble.to_string());
        } else if !self.session.is_stopped() {
            // A new process answers. Does one that was asked all the same questions fail?
            self.restart();
            for earlier in &before {
                let _ = self.session.answer(earlier);
            }
            let is_proven =
                self.session.answer(question).is_err_and(|it| class_of(&it) == Some(class));
            let times = if before.len() == 1 { "question" } else { "questions" };
            let cause = self.add_example(class, Root::Experiment, question, question, is_proven);
            cause.is_fresh = false;
            cause.note = Some(format!(
                "{trouble}; only after {} {times} to the same process: a new one answers this question",
                before.len()
            ));
            self.restart();
        }
        if !self.session.is_stopped() || self.causes.iter().any(|it| it.class == class) {
            self.unexamined = None;
        }
    }

    /// Do the known faults touch the question, so that they may be the cause? For instance, the
    /// program doesn't know a move of the line.
    fn is_expected(&self, question: &Question) -> bool {
        if self.model.faults().is_empty() {
            return false;
        }
        let here = |length: usize| Question {
            path: question.path[..length].to_vec(),
            depth: 1,
            ..question.clone()
        };
        let touches = |it: &Question| {
            self.evidence.predict(&self.model, it).is_none_or(|predicted| {
                let (mut moves, mut right) = (predicted.moves, evidence::right(it).moves);
                moves.sort_unstable();
                right.sort_unstable();
                moves != right
            })
        };
        (0..=question.path.len()).any(|length| touches(&here(length))) || touches(question)
    }

    /// The lists of the positions that a failed question goes through.
    fn lists_before(&self, question: &Question) -> Vec<Question> {
        let mut lists: Vec<Question> = (0..question.path.len())
            .map(|length| Question {
                path: question.path[..length].to_vec(),
                depth: 1,
                ..question.clone()
            })
            .collect();
        if question.depth > 1 {
            lists.push(question.at_depth(1));
            let moves = question.position().legal_moves().into_iter();
            lists.extend(
                moves.map(|mv| question.child(mv).by_fen(EnPassantMode::PseudoLegal).at_depth(1)),
            );
        }
        lists
    }

    /// Does a new process fail in the same way?
    fn fails_in_new(&mut self, question: &Question, class: Class) -> bool {
        self.restart();
        let answer = self.session.answer(question);
        answer.is_err_and(|trouble| class_of(&trouble) == Some(class))
    }
}
