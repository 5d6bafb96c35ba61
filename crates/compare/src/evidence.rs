//! What a program has answered, and what it should have.

use std::collections::BTreeMap;

use tabiya::Position;

use crate::divide::Divide;
use crate::listed::Listed;
use crate::models::{Model, Orders, Predicted, Rule};
use crate::question::Question;
use crate::truth::{self, Told};

/// A program's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The moves in the program's order, with their counts. `None` if it only counts.
    pub(crate) moves: Option<Vec<(Told, Option<u128>)>>,
    /// The printed total.
    pub(crate) total: Option<u128>,
}

impl Answer {
    pub(crate) fn of_divide(here: &Position, divide: &Divide) -> Self {
        let is_total = divide.moves.is_empty() && divide.total.is_some_and(|total| total > 0);
        let told = |(text, count): &(String, Option<u128>)| (truth::resolve(here, text), *count);
        let moves = (!is_total).then(|| divide.moves.iter().map(told).collect());
        Self { moves, total: divide.total }
    }

    pub(crate) const fn of_count(total: u128) -> Self {
        Self { moves: None, total: Some(total) }
    }

    /// The count: the total, the sum, or the number of moves in a list.
    pub(crate) fn count(&self, depth: u32) -> u128 {
        let moves = self.moves.as_deref().unwrap_or_default();
        let sum = moves.iter().map(|(_, count)| count.unwrap_or(1)).fold(0, u128::saturating_add);
        match self.total {
            Some(total) if self.moves.is_none() || depth > 1 || total != moves.len() as u128 => {
                total
            }
            _ => sum,
        }
    }

    /// The moves as lists have them, in the program's order. `None` if it gives none, or if one
    /// isn't a move from square to square.
    pub(crate) fn listed(&self, here: &Position) -> Option<Vec<Listed>> {
        self.moves.as_ref()?.iter().map(|(told, _)| told.listed(here)).collect()
    }

    /// Is this exactly what a model predicts? A program that collects moves in a set lists them
    /// once although it counts them twice.
    pub(crate) fn fits(&self, here: &Position, predicted: &Predicted) -> bool {
        let Some(moves) = &self.moves else {
            let totals = [Some(predicted.total), Some(predicted.of_root)];
            return totals.contains(&self.total);
        };
        let Some(listed) = self.listed(here) else { return false };
        let mut told: Vec<_> =
            listed.into_iter().zip(moves.iter().map(|(_, count)| *count)).collect();
        let sum: u128 =
            moves.iter().map(|(_, count)| count.unwrap_or(0)).fold(0, u128::saturating_add);
        let mut right = predicted.moves.clone();
        told.sort_unstable();
        right.sort_unstable();
        let is_same = |right: &[(Listed, u128)]| {
            told.len() == right.len()
                && told.iter().zip(right).all(|((mv, count), (wanted, number))| {
                    mv == wanted && count.is_none_or(|count| count == *number)
                })
        };
        let fits = is_same(&right) || {
            right.dedup_by_key(|(mv, _)| *mv);
            is_same(&right)
        };
        let is_counted = moves.iter().all(|(_, count)| count.is_some());
        let last = |index: Option<usize>| {
            let count = index.and_then(|index| moves.get(index)).and_then(|(_, count)| *count);
            sum - count.unwrap_or(0)
        };
        let total = match predicted.wrong_total {
            Some(Rule::TotalWithoutLast) if is_counted => last(moves.len().checked_sub(1)),
            Some(Rule::TotalWithoutFirst) if is_counted => last(Some(0)),
            Some(Rule::TotalOneMore) => predicted.total + 1,
            _ => predicted.total,
        };
        let is_once = right.len() < predicted.moves.len();
        fits && self.total.is_none_or(|it| {
            it == total || it == predicted.of_root || is_once && is_counted && it == sum
        })
    }
}

/// A question with its answer.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) question: Question,
    pub(crate) here: Position,
    pub(crate) answer: Answer,
    /// Is it what the rules of chess say?
    pub(crate) is_right: bool,
}

impl Observation {
    /// The legal moves that are not listed.
    pub(crate) fn missing(&self) -> Vec<Listed> {
        let Some(listed) = self.answer.listed(&self.here) else { return Vec::new() };
        let legal = self.here.legal_moves().into_iter().map(|mv| Listed::of(&self.here, mv));
        legal.filter(|mv| !listed.contains(mv)).collect()
    }
}

/// All answers of a hunt.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) all: Vec<Observation>,
    /// The place of each question, by its text.
    places: BTreeMap<(String, Vec<String>, u32), usize>,
    pub(crate) orders: Orders,
}

/// The number of answers after which right ones are not kept.
const MOST_KEPT: usize = 20_000;
/// The most nodes of a prediction.
const MOST: u64 = 300_000;

impl Evidence {
    fn key(question: &Question) -> (String, Vec<String>, u32) {
        let query = question.query();
        (query.fen, query.moves, query.depth)
    }

    pub(crate) fn known(&self, question: &Question) -> Option<&Observation> {
        self.places.get(&Self::key(question)).map(|&place| &self.all[place])
    }

    /// Keeps an answer. A later answer to the same question takes the place of the first. Right ones
    /// beyond a number are not kept: they would fill the memory, and tell nothing new.
    pub(crate) fn keep(&mut self, question: &Question, answer: Answer) -> Observation {
        let here = question.position();
        let right = right(question);
        let is_right = answer.fits(&here, &right);
        let observation = Observation { question: question.clone(), here, answer, is_right };
        let key = Self::key(question);
        let place = self.places.get(&key).copied();
        if is_right && place.is_none() && self.all.len() >= MOST_KEPT {
            return observation;
        }
        if question.depth == 1
            && let Some(listed) = observation.answer.listed(&observation.here)
            && let Some(state) = Model::default().state(question)
        {
            self.orders.learn(&state, listed);
        }
        match place {
            Some(place) => self.all[place] = observation.clone(),
            None => {
                self.places.insert(key, self.all.len());
                self.all.push(observation.clone());
            }
        }
        observation
    }

    /// What a model predicts. `None` if that would take too long.
    pub(crate) fn predict(&self, model: &Model, question: &Question) -> Option<Predicted> {
        match model.faults() {
            [] => Some(right(question)),
            _ => model.answer(question, &self.orders, MOST),
        }
    }

    /// Does a model predict this answer? `None` if that would take too long.
    pub(crate) fn fits(&self, model: &Model, seen: &Observation) -> Option<bool> {
        if model.faults().is_empty() {
            return Some(seen.is_right);
        }
        let predicted = self.predict(model, &seen.question)?;
        Some(seen.answer.fits(&seen.here, &predicted))
    }

    /// May a program with these faults, and perhaps with others, have given this answer? It's not
    /// possible if the program is right where the model is wrong, or if it lacks a change in the
    /// list that `model` makes and `base` doesn't.
    pub(crate) fn allows(&self, base: &Model, model: &Model, seen: &Observation) -> bool {
        let Some(predicted) = self.predict(model, &seen.question) else { return true };
        if seen.answer.fits(&seen.here, &predicted) {
            return true;
        }
        let is_of_order = model.faults().iter().any(|it| it.rule.depends_on_order());
        if is_of_order && seen.question.depth > 2 {
            return true;
        }
        if seen.is_right {
            return false;
        }
        let Some(listed) = seen.answer.listed(&seen.here) else { return true };
        let Some(before) = self.predict(base, &seen.question) else { return true };
        let moves = |predicted: &Predicted| predicted.moves.iter().map(|(mv, _)| *mv).collect();
        let (before, after): (Vec<Listed>, Vec<Listed>) = (moves(&before), moves(&predicted));
        let times = |all: &[Listed], mv: &Listed| all.iter().filter(|it| *it == mv).count();
        // Each move whose number the faults change must be listed as often as they say.
        before.iter().chain(&after).all(|mv| {
            let wanted = times(&after, mv);
            wanted == times(&before, mv) || times(&listed, mv).min(1) == wanted.min(1)
        })
    }
}

/// The right answer.
pub(crate) fn right(question: &Question) -> Predicted {
    let here = question.position();
    let below = |mv| match question.depth {
        0 | 1 => 1,
        depth => truth::perft(&here.play(mv), depth - 1),
    };
    let moves: Vec<(Listed, u128)> = match question.depth {
        0 => Vec::new(),
        _ => here.legal_moves().into_iter().map(|mv| (Listed::of(&here, mv), below(mv))).collect(),
    };
    let total = if question.depth == 0 { 1 } else { moves.iter().map(|(_, count)| count).sum() };
    Predicted { moves, total, of_root: total, wrong_total: None }
}
