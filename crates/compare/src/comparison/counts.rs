//! The faults that explain wrong counts below a right list of moves.

use tabiya::Position;

use super::list::named;
use super::{ComparedMove, MoveState, Subject};
use crate::class::Class;
use crate::evidence::Answer;
use crate::finding::Finding;
use crate::listed::Listed;
use crate::models::{Fault, Model, Orders, Rule};
use crate::question::Question;
use crate::truth;

/// The most nodes that a model counts for one answer.
const MOST_NODES: u64 = 5_000;
/// The most nodes above the last ply of a position that all models count.
const MOST_ABOVE: u128 = 64;
/// The most leaf nodes of another depth that are counted below one move.
const MOST_LEAVES: u128 = 300_000;
/// The number of wrong counts that a fault must explain if there are more.
const MOST_TESTED: usize = 6;
/// Fewer wrong counts fit a wrong fault too easily, and so do those of depth 1.
const FEWEST: usize = 4;

/// A count of the program.
struct Count {
    position: Position,
    depth: u32,
    right: u128,
    got: u128,
}

impl Count {
    /// The right count to a depth, unless it takes too long.
    fn right_to(&self, depth: u32) -> Option<u128> {
        if depth == self.depth {
            return Some(self.right);
        }
        let moves = (self.position.count_legal() as u128).max(1);
        let (about, most) = match depth < self.depth {
            true => (self.right / moves, MOST_LEAVES),
            false => (self.right.saturating_mul(moves), MOST_LEAVES.min(self.got)),
        };
        if about > MOST_LEAVES * 10 {
            return None;
        }
        truth::perft_while(&self.position, depth, &|leaves| leaves <= most)
    }

    fn fits(&self, rule: Rule) -> bool {
        rule.count(self.depth, &|depth| self.right_to(depth)) == Some(self.got)
    }
}

impl Subject<'_> {
    /// What is wrong with the counts. Nothing if they only tell where to look.
    pub(super) fn counts(&self, rows: &[ComparedMove]) -> Option<Finding> {
        let question = self.question();
        let depth = question.depth;
        if self.divide.moves.is_empty() {
            return self.total(&question);
        }
        let is_wrong = rows.iter().any(|it| it.state == MoveState::Differs);
        if depth == 1 && is_wrong {
            let answer = Answer::of_divide(self.here, self.divide);
            let cause = explained(&question, &answer);
            let (class, note) = cause.unwrap_or((Class::CountWrong, None));
            return Some(super::finding(&self.case(&question), class, note));
        }
        if is_wrong {
            return self.wrong_counts(rows);
        }
        let sum = self.divide.sum();
        let other_total = self.divide.total.filter(|it| *it != sum && self.divide.is_counted());
        let Some(total) = other_total else { return self.above() };
        let wraps = |fault: &Fault| {
            let Rule::TotalBits(bits) = fault.rule else { return false };
            total == sum & ((1 << bits) - 1)
        };
        let is_overflow = Fault::all().iter().any(wraps);
        let class = if is_overflow { Class::CountingOverflow } else { Class::CountingTotal };
        let note = format!("the total is {total}, but the sum of the counts is {sum}");
        Some(super::finding(&self.case(&question), class, Some(note)))
    }

    /// Are the counts those of another depth?
    pub(super) fn other_depth(&self, rows: &[ComparedMove]) -> Option<Finding> {
        self.wrong_counts(rows).filter(|it| it.class == Class::CountingDepth)
    }

    /// A fault that explains a total without moves.
    fn total(&self, question: &Question) -> Option<Finding> {
        let (right, got) = (self.right_total?, self.divide.total?);
        if got == right {
            return self.above();
        }
        if right == 0 {
            let (class, note) = explained(question, &Answer::of_count(got))?;
            return Some(super::finding(&self.case(question), class, note));
        }
        let count = Count { position: self.here.clone(), depth: question.depth, right, got };
        let fault = Fault::all().into_iter().find(|it| count.fits(it.rule))?;
        let note =
            other_depth(fault, question.depth).map(|it| format!("the count is that of {it}"));
        Some(super::finding(&self.case(question), fault.class(), note))
    }

    /// A fault that explains every wrong count. Any that doesn't change most counts, except by
    /// overflow, is easier to find one ply deeper.
    fn wrong_counts(&self, rows: &[ComparedMove]) -> Option<Finding> {
        let depth = self.asked.depth;
        let below = depth.checked_sub(1)?;
        // The rows begin with the legal moves, in the same order.
        let rows = self.here.legal_moves().into_iter().zip(rows);
        let mut counts: Vec<Count> = rows
            .filter_map(|(mv, row)| {
                let (right, got) = row.right.zip(row.theirs)?;
                Some(Count { position: self.here.play(mv), depth: below, right, got })
            })
            .collect();
        let all = counts.len();
        counts.sort_by_key(|it| it.right);
        let (wrong, same): (Vec<_>, Vec<_>) = counts.into_iter().partition(|it| it.right != it.got);
        let is_most = depth > 2 && wrong.len() >= FEWEST && wrong.len() * 2 > all;
        let fault = Fault::all().into_iter().find(|fault| match fault.rule {
            rule @ Rule::Bits(_) => wrong.iter().chain(&same).all(|it| it.fits(rule)),
            rule => is_most && wrong.iter().take(MOST_TESTED).all(|it| it.fits(rule)),
        })?;
        let note = other_depth(fault, depth).map(|it| format!("the counts are those of {it}"));
        Some(super::finding(&self.case(&self.question()), fault.class(), note))
    }

    /// A fault that explains a wrong count one ply above, although the position by itself is right.
    fn above(&self) -> Option<Finding> {
        let (above, right) = (self.asked.above.as_ref()?, self.right_total?);
        let depth = self.asked.depth;
        let says_count = self.divide.moves.iter().any(|(_, count)| count.is_some())
            || self.divide.total.is_some()
            || depth <= 1;
        if above.count == right || !says_count {
            return None;
        }
        // The question above was asked as this one is: by a FEN alone, or with the moves before.
        let mut question = self.question();
        if question.path.is_empty() {
            question = Question::new(&above.position, &[above.mv], depth);
        }
        let mut parent = question.clone();
        parent.path.pop();
        parent.depth += 1;
        let is_small =
            depth <= 3 && truth::has_at_most(self.here, depth.saturating_sub(1), MOST_ABOVE);
        let is_parent_small =
            depth <= 2 && truth::has_at_most(&above.position, depth, MOST_ABOVE * 10);
        let here = Answer::of_divide(self.here, self.divide);
        // Deeper, a fault of lists would show in the answer, which is right.
        let is_candidate = |fault: &Fault| {
            let is_general = fault.rule.count(depth, &|_| Some(0)).is_some();
            // One number fits a mistake of the last ply too easily.
            is_small
                && !fault.at_leaves
                && (depth == 1 || fault.rule.is_of_play() || fault.rule.is_of_counts())
                && (is_parent_small || !fault.rule.depends_on_order())
                && (above.most_wrong || !is_general)
        };
        let fits = |&fault: &Fault| {
            let model = Model::of([fault]);
            let predict = |question| model.answer(question, &Orders::default(), MOST_NODES);
            let count = if fault.rule.depends_on_order() {
                let listed = Listed::of(&above.position, above.mv);
                let moves = predict(&parent).map(|it| it.moves).unwrap_or_default();
                moves.into_iter().find(|(mv, _)| *mv == listed).map(|it| it.1)
            } else {
                predict(&question).map(|it| it.of_root)
            };
            count == Some(above.count)
                && predict(&self.question()).is_some_and(|it| here.fits(self.here, &it))
        };
        let cause = named(Fault::all().into_iter().filter(is_candidate).filter(fits));
        let (class, others) = cause.unwrap_or((Class::CountWrong, None));
        let mv = above.position.uci(above.mv);
        let count = above.count;
        let mut note = format!(
            "one ply above, {mv} has {count} instead of {right} leaf nodes, but the position after it is \
             counted right"
        );
        others.into_iter().for_each(|others| note = format!("{note}; {others}"));
        Some(super::finding(&self.case(&question), class, Some(note)))
    }
}

/// The counting faults that give exactly this answer.
fn explained(question: &Question, answer: &Answer) -> Option<(Class, Option<String>)> {
    let here = question.position();
    let fits = |fault: &Fault| {
        let predicted = Model::of([*fault]).answer(question, &Orders::default(), MOST_NODES);
        predicted.is_some_and(|predicted| answer.fits(&here, &predicted))
    };
    named(Fault::all().into_iter().filter(|it| it.rule.is_of_counts()).filter(fits))
}

/// The depth whose counts the fault gives, in words.
fn other_depth(fault: Fault, depth: u32) -> Option<String> {
    let Rule::DepthOff(by) = fault.rule else { return None };
    let other = depth.saturating_add_signed(i32::from(by));
    Some(format!("depth {other}, not of depth {depth}"))
}
