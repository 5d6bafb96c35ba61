//! The same descent for programs that only print totals, with classes guessed from counts.

use std::collections::BTreeMap;

use tabiya::{Move, Position};

use super::examiner::Examiner;
use crate::case::Case;
use crate::class::Class;
use crate::classify;
use crate::models::Model;
use crate::question::{line, query};
use crate::truth;

impl Examiner<'_> {
    /// Examines an answer of a program that only prints totals.
    pub(super) fn examine_total(
        &mut self,
        start: &Position,
        path: &[Move],
        depth: u32,
        expected: u128,
    ) -> Vec<Case> {
        let positions = line(start, path);
        let here = &positions[path.len()];
        let question = query(start, path, depth);
        let case = |class, got| Case::of_count(class, (start, path, depth), expected, Some(got));
        let got = match self.session.count(&question) {
            Ok(got) => got,
            Err(trouble) => return self.troubled(start, path, depth, &trouble),
        };
        if got == expected {
            return Vec::new();
        }
        // Examine the position's own list first, then the lists of its children.
        let own = self.examine_list(start, path);
        if !own.is_empty() {
            return own;
        }
        let model = self.counting_model(here, depth, expected, got);
        if let Some(model) = model.filter(|it| !it.is_special()) {
            return vec![case(model.class(), got)];
        }
        for mv in here.legal_moves() {
            let below = self.examine_child(start, path, here, mv, depth);
            if !below.is_empty() {
                return below;
            }
        }
        if let Some(model) = model {
            return vec![case(model.class(), got)];
        }
        if self.session.takes_moves() {
            let class = self.undo_or_key(start, path, depth);
            return vec![case(class, got)];
        }
        let class = here
            .legal_moves()
            .into_iter()
            .map(|mv| classify::after_play(here, mv, 0, 1, 2 * u128::from(got > expected)))
            .find(|class| *class != Class::StatePlay)
            .unwrap_or(Class::StatePlay);
        vec![Case { guessed: true, ..case(class, got) }]
    }

    /// The counting error that explains a count. An error that changes most counts must also
    /// explain the counts of other positions.
    pub(super) fn counting_model(
        &mut self,
        here: &Position,
        depth: u32,
        right: u128,
        got: u128,
    ) -> Option<Model> {
        const OTHERS: [&str; 3] = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ];
        let model = Model::explaining(here, depth, right, got)?;
        if !model.is_general() {
            return Some(model);
        }
        // Pseudo-legal moves at depth 1 are errors of the lists.
        if depth == 1 && model == Model::PseudoLeaves {
            return None;
        }
        let mut told = 0;
        for fen in OTHERS {
            let other = Position::from_fen(fen).expect("the position is playable");
            if other == *here || !truth::has_at_most(&other, depth, 20_000) {
                continue;
            }
            let predicted = model.count(&other, depth);
            if predicted == truth::perft(&other, depth) {
                continue;
            }
            let count = match self.memory.others.get(&(fen, depth)) {
                Some(known) => *known,
                None => self.session.count(&query(&other, &[], depth)).ok()?,
            };
            self.memory.others.insert((fen, depth), count);
            if count != predicted {
                return None;
            }
            told += 1;
        }
        (told > 0 || depth > 3).then_some(model)
    }

    /// A count at depth 1 without a list.
    pub(super) fn examine_count(&mut self, start: &Position, path: &[Move]) -> Vec<Case> {
        let positions = line(start, path);
        let here = &positions[path.len()];
        let expected = here.count_legal() as u128;
        let case = |class, got| Case::of_count(class, (start, path, 1), expected, Some(got));
        let guess = |class, got| Case { guessed: true, ..case(class, got) };
        let got = match self.count_moves(&query(start, path, 1)) {
            Ok(got) => got,
            Err(trouble) => return self.troubled(start, path, 1, &trouble),
        };
        if got == expected {
            return Vec::new();
        }
        if path.is_empty() && self.memory.miscounts {
            let note =
                "the program plays every legal move and no other, but does not count them all";
            return vec![case(Class::CountingTotal, got).with_note(note)];
        }
        if path.is_empty() && got > expected && expected > 0 && self.memory.refuses == Some(true) {
            let note =
                "the program plays none of the illegal moves that generators are known to make";
            if self.counting_model(here, 1, expected, got).is_none() {
                return vec![case(Class::MoveExtra, got).with_note(note)];
            }
        }
        if path.is_empty() {
            let class = self.guess(here, got);
            return vec![guess(class, got)];
        }
        let alone = self.examine_count(here, &[]);
        if !alone.is_empty() {
            return alone;
        }
        // A program that does not know a move may pass over it. Its count for the position before
        // shows that.
        let mut ends = (1..path.len()).rev();
        let guilty = ends.find(|&first| {
            let shorter = query(&positions[first], &path[first..], 1);
            self.session.count(&shorter).is_ok_and(|got| got != expected)
        });
        let earlier = self.examine_count(&positions[guilty.unwrap_or(0)], &[]);
        if !earlier.is_empty() {
            return earlier;
        }
        let before = &positions[path.len() - 1];
        let repeats = positions[..path.len()].iter().any(|it| it.key() == here.key());
        let mut class = classify::after_play(before, path[path.len() - 1], 1, expected, got);
        if got == 0 && repeats {
            class = Class::EndRepetition;
        } else if class == Class::StatePlay {
            let stale = got > expected
                && positions[..path.len()].iter().any(|it| truth::double_push_square(it).is_some());
            let lost = positions.windows(2).zip(path).rev().find_map(|(pair, &mv)| {
                (got > expected).then(|| classify::right_lost_by(&pair[0], &pair[1], mv))?
            });
            class = match lost {
                Some(class) => class,
                None if stale => Class::EnPassantStale,
                None => classify::special_in(&positions, path).unwrap_or(class),
            };
        }
        vec![guess(class, got).with_note("the same position by FEN has the right count")]
    }

    /// The class that explains the counts at depth 1 best.
    pub(crate) fn guess(&mut self, here: &Position, got: u128) -> Class {
        let expected = here.count_legal() as u128;
        // Stalemate may look like an extra move. Other ends of a game leave no moves.
        let model = self.counting_model(here, 1, expected, got);
        if let Some(model) = model.filter(|it| it.class() != Class::EndStalemate) {
            return model.class();
        }
        if let Some(class) = self.elementary_class(here, got) {
            return class;
        }
        if let Some(model) = model {
            return model.class();
        }
        let candidates = if got > expected {
            classify::extra_candidates(here)
        } else {
            classify::missing_candidates(here)
        };
        let delta = got.abs_diff(expected);
        // Compares the prediction of each class with the real counts of the positions asked about
        // so far.
        let more = got > expected;
        let evidence: Vec<(BTreeMap<Class, u128>, u128)> = self
            .memory
            .counted
            .iter()
            .take(150)
            .map(|(position, count)| {
                let right = position.count_legal() as u128;
                if more {
                    (classify::extra_candidates(position), count.saturating_sub(right))
                } else {
                    (classify::missing_candidates(position), right.saturating_sub(*count))
                }
            })
            .collect();
        let score = |class: Class, size: u128| {
            let points = evidence.iter().map(|(groups, delta)| {
                let predicted = groups.get(&class).copied().unwrap_or(0);
                if predicted == *delta { 3 } else { u32::from((predicted > 0) == (*delta > 0)) }
            });
            (points.sum::<u32>(), u32::from(size == delta))
        };
        let best = candidates
            .iter()
            .filter(|(_, size)| **size >= delta)
            .map(|(&class, &size)| (score(class, size), class))
            .max_by_key(|&(score, class)| (score, std::cmp::Reverse(class)));
        best.map_or(
            if got > expected { Class::MoveExtra } else { Class::MoveMissing },
            |(_, class)| class,
        )
    }
}
