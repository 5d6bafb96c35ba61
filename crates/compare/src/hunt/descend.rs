//! Descends: from a divide that is wrong to the position whose list or count is wrong.

use tabiya::{Move, Position};

use super::Hunt;
use super::case::{Case, Diff};
use super::question::{line, query};
use super::state::Suspect;
use crate::class::Class;
use crate::generator::{Divide, Query, Trouble};
use crate::truth::{self, Told};
use crate::{classify, models};

impl Hunt<'_> {
    /// Everything that is wrong in the answers about one position at one depth.
    pub(crate) fn examine(&mut self, start: &Position, path: &[Move], depth: u32) -> Vec<Case> {
        if depth <= 1 {
            return self.examine_list(start, path);
        }
        let positions = line(start, path);
        let here = &positions[path.len()];
        let question = query(start, path, depth);
        let case = |class, depth, expected, got| {
            Case::of_count(class, (start, path, depth), expected, got)
        };
        let counts: Vec<(Move, u128)> = here
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, truth::perft(&here.play(mv), depth - 1)))
            .collect();
        let expected: u128 = counts.iter().map(|(_, count)| count).sum();
        let divide = match self.divide(&question, expected) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => return self.examine_total(start, path, depth),
            Err(trouble) => return self.troubled(start, path, depth, &trouble),
        };
        let got = Some(divide.count());
        let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
        if Diff::of(here, &listed).is_wrong() {
            let cases = self.examine_list(start, path);
            if !cases.is_empty() {
                return cases;
            }
            return self.name(start, path, &Diff::of(here, &listed), depth, expected);
        }
        if listed.is_empty() {
            let total = divide.total.unwrap_or(0);
            if total == 0 {
                return Vec::new();
            }
            let class = if self.is_right_when_fresh(&question, 0) {
                Class::StateOrder
            } else {
                Class::EndStalemate
            };
            return vec![case(class, depth, 0, Some(total))];
        }
        let told = |mv: Move| {
            divide.moves.iter().find_map(|(text, count)| {
                (truth::resolve(here, text) == Told::Legal(mv)).then_some((*count)?)
            })
        };
        let wrong: Vec<(Move, u128, u128)> = counts
            .iter()
            .filter_map(|&(mv, right)| told(mv).filter(|it| *it != right).map(|it| (mv, right, it)))
            .collect();
        let mut cases = Vec::new();
        if divide.total.is_some_and(|total| total != divide.sum()) {
            let class = self.name_total(&question, &divide, wrong.is_empty());
            cases.push(case(class, depth, expected, got));
            if wrong.is_empty() {
                return cases;
            }
        }
        let all_wrong = wrong.len() * 2 > counts.len();
        let mut unexplained = None;
        for &(mv, right, told) in wrong.iter().take(4) {
            let below = self.examine_child(start, path, here, mv, depth);
            if below.is_empty() && unexplained.is_none() {
                unexplained = Some((mv, right, told));
            }
            cases.extend(below);
        }
        let Some((mv, right, told_count)) = unexplained else { return cases };
        // Every child alone is right, but the count that the divide gives for it is wrong.
        self.generator.restart();
        if let Ok(again) = self.divide(&question, expected)
            && again.count() == expected
            && self.sums_match(here, &again, &counts)
        {
            let suspect = Suspect { here, mv, question: &question, right };
            let class = self.blame_state(&suspect);
            cases.push(Case {
                note: Some("a new process gives the right count for the same question".to_owned()),
                ..case(class, depth, expected, got)
            });
            return cases;
        }
        // A model of a wrong recursion must explain every wrong count.
        let model = |told: u128, mv: Move| {
            classify::by_count(&here.play(mv), depth - 1, told).filter(|class| {
                let is_general =
                    matches!(class, Class::CountingInteriorNodes | Class::CountingDepth);
                !is_general || all_wrong
            })
        };
        let by_count = model(told_count, mv)
            .filter(|class| wrong.iter().all(|&(mv, _, told)| model(told, mv) == Some(*class)));
        let is_pseudo = wrong
            .iter()
            .all(|&(mv, _, told)| models::pseudo_leaves(&here.play(mv), depth - 1) == told);
        let class = match by_count {
            Some(class) => class,
            None if is_pseudo => Class::CountingLeaf,
            None if !self.generator.takes_moves() => {
                classify::after_play(here, mv, depth - 1, right, told_count)
            }
            None => self.undo_or_key(start, path, depth),
        };
        let note = format!("{} has {told_count} instead of {right} leaf nodes", here.uci(mv));
        cases.push(Case { note: Some(note), ..case(class, depth, expected, got) });
        cases
    }

    /// The class of a total that is not the sum of the divide.
    pub(super) fn name_total(
        &mut self,
        question: &Query,
        divide: &Divide,
        entries_are_right: bool,
    ) -> Class {
        match total_class(divide, entries_are_right) {
            Class::CountingOverflow => Class::CountingOverflow,
            _ if entries_are_right && self.is_right_when_fresh(question, divide.sum()) => {
                Class::StateOrder
            }
            class => class,
        }
    }

    pub(super) fn sums_match(
        &self,
        here: &Position,
        divide: &Divide,
        counts: &[(Move, u128)],
    ) -> bool {
        divide.moves.iter().all(|(text, count)| match (truth::resolve(here, text), count) {
            (Told::Legal(mv), Some(count)) => counts.contains(&(mv, *count)),
            _ => false,
        })
    }

    /// What is wrong below a move: asked with the moves played, and by FEN.
    pub(super) fn examine_child(
        &mut self,
        start: &Position,
        path: &[Move],
        here: &Position,
        mv: Move,
        depth: u32,
    ) -> Vec<Case> {
        // What the question above has left behind must not speak for the child.
        self.generator.restart();
        if self.generator.takes_moves() {
            let longer: Vec<Move> = path.iter().copied().chain([mv]).collect();
            let cases = self.examine(start, &longer, depth - 1);
            if !cases.is_empty() {
                return cases;
            }
            self.generator.restart();
        }
        self.examine(&here.play(mv), &[], depth - 1)
    }
}

/// The class of a total that is not the sum of the divide, as far as the numbers tell.
pub(crate) fn total_class(divide: &Divide, entries_are_right: bool) -> Class {
    let (sum, total) = (divide.sum(), divide.total.unwrap_or(0));
    if [8, 16, 31, 32].iter().any(|bits| sum >> bits > 0 && total == sum & ((1 << bits) - 1)) {
        Class::CountingOverflow
    } else if entries_are_right && sum.checked_add(1) == Some(total) {
        Class::CountingInteriorNodes
    } else {
        Class::CountingTotal
    }
}
