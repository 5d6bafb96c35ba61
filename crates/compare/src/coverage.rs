//! How much of the ladder was asked: positions, and the rules that they exercise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use tabiya::{CastlingMode, Position};
use tabiya_suites::{RULES, RULES_CHESS960, SuiteFile};

use crate::ladder::Step;
use crate::question::fen;

/// How far a hunt has come.
///
/// `tags.tsv` in the suites says what each rule is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ladder {
    /// Was every question of the ladder asked?
    pub complete: bool,
    /// The number of questions to the program, those about findings included.
    pub questions: u64,
    /// The number of distinct positions of the ladder that were asked about.
    pub positions: u64,
    /// The number of positions for each rule. Empty if positions were given.
    pub rules: BTreeMap<&'static str, u64>,
    /// The rules for which no position was asked about. Empty if positions were given.
    pub rules_not_reached: Vec<&'static str>,
    /// The part of the ladder in which the hunt ended, such as "rules, depth 2".
    pub part: &'static str,
    /// The number of this part, and the number of all parts. Both are 0 if positions were given.
    pub part_number: (usize, usize),
    /// The least depth of a question that was left out because there was not enough time for it.
    #[serde(skip)]
    pub too_deep: Option<u32>,
}

impl fmt::Display for Ladder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, part_number: (number, parts), part, .. } = self;
        let noun = if *positions == 1 { "position" } else { "positions" };
        match (self.complete, parts) {
            (true, 0) => return write!(out, "Every question was asked, about {positions} {noun}."),
            (false, 0) => return write!(out, "It ended after {positions} {noun}."),
            (true, _) => write!(out, "The ladder is complete: {positions} {noun}")?,
            (false, _) => write!(
                out,
                "The ladder is not complete: it ended in part {number} of {parts} ({part}), after \
                 {positions} {noun}"
            )?,
        }
        let all = self.rules.len();
        write!(out, ", {} of {all} rules.", all - self.rules_not_reached.len())
    }
}

impl Ladder {
    /// Was too little asked to say that a program agrees? Positions that were given are enough.
    pub(crate) fn is_too_little(&self, questions: u64) -> bool {
        let is_climbed = self.part_number != (0, 0) && !self.complete;
        is_climbed
            && (self.questions < questions || self.rules_not_reached.len() * 2 > self.rules.len())
    }
}

/// Records what a hunt asks about.
#[derive(Debug)]
pub(crate) struct Coverage {
    /// The rules that each position exercises, by its FEN.
    exercised: BTreeMap<String, Vec<&'static str>>,
    asked: BTreeSet<String>,
    rules: BTreeMap<&'static str, u64>,
    part: &'static str,
    part_number: (usize, usize),
    /// Was a step left out, or not finished?
    has_gaps: bool,
    too_deep: Option<u32>,
}

impl Coverage {
    pub(crate) fn new(chess960: bool) -> Self {
        let mut coverage = Self {
            exercised: BTreeMap::new(),
            asked: BTreeSet::new(),
            rules: BTreeMap::new(),
            part: "",
            part_number: (0, 0),
            has_gaps: false,
            too_deep: None,
        };
        let files = if chess960 { &[RULES, RULES_CHESS960][..] } else { &[RULES] };
        files.iter().for_each(|file| coverage.read(file));
        coverage
    }

    /// Reads a suite: a comment with the rules stands above each position.
    fn read(&mut self, file: &SuiteFile) {
        let mut rules = Vec::new();
        for line in file.text.lines() {
            if let Some(names) = line.strip_prefix("# rules: ") {
                rules = names.split_whitespace().collect();
            } else if let Some(position) =
                line.split(';').next().and_then(|fen| Position::from_fen(fen.trim()).ok())
            {
                for rule in &rules {
                    self.rules.entry(*rule).or_default();
                }
                self.exercised.insert(key(&position), std::mem::take(&mut rules));
            }
        }
    }

    /// Records that the hunt comes to a step.
    pub(crate) fn begin(&mut self, step: &Step) {
        (self.part, self.part_number) = (step.phase, step.part);
    }

    /// Records that a step was asked.
    pub(crate) fn asked(&mut self, step: &Step) {
        self.asked_about(&step.question.position());
    }

    /// Records a position that was asked about, on the ladder or off it.
    pub(crate) fn asked_about(&mut self, position: &Position) {
        let key = key(position);
        if self.asked.contains(&key) {
            return;
        }
        for rule in self.exercised.get(&key).into_iter().flatten() {
            *self.rules.entry(*rule).or_default() += 1;
        }
        self.asked.insert(key);
    }

    /// Records that a step was left out, or that its answers are incomplete.
    pub(crate) const fn left_out(&mut self) {
        self.has_gaps = true;
    }

    /// Records that there is not enough time for a step of this depth.
    pub(crate) fn too_deep(&mut self, depth: u32) {
        self.too_deep = Some(self.too_deep.map_or(depth, |least| least.min(depth)));
    }

    /// What was asked; `is_at_end` says whether the hunt came to the end of the ladder.
    pub(crate) fn ladder(mut self, is_at_end: bool, questions: u64) -> Ladder {
        if self.part_number == (0, 0) {
            self.rules.clear();
        }
        let of_none = |(rule, count): (&&'static str, &u64)| (*count == 0).then_some(*rule);
        Ladder {
            complete: is_at_end && !self.has_gaps,
            questions,
            positions: self.asked.len() as u64,
            rules_not_reached: self.rules.iter().filter_map(of_none).collect(),
            rules: self.rules,
            part: self.part,
            part_number: self.part_number,
            too_deep: self.too_deep,
        }
    }
}

/// The text that identifies a position, in standard chess and in Chess960.
fn key(position: &Position) -> String {
    fen(&position
        .clone()
        .with_castling_mode(CastlingMode::Chess960)
        .unwrap_or_else(|_| position.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::steps;
    use crate::options::Options;

    #[test]
    fn the_whole_ladder_reaches_every_rule() {
        for chess960 in [false, true] {
            let mut coverage = Coverage::new(chess960);
            let options = Options { chess960, depth: Some(1), ..Options::default() };
            for step in steps(&options, true) {
                coverage.begin(&step);
                coverage.asked(&step);
            }
            let ladder = coverage.ladder(true, 0);
            assert!(ladder.complete && ladder.positions > 400, "{ladder:?}");
            assert_eq!(ladder.rules_not_reached, [""; 0]);
            assert!(ladder.rules.len() > 100);
        }
    }

    #[test]
    fn gaps_are_told() {
        let options = Options::default();
        let mut coverage = Coverage::new(false);
        let first = steps(&options, true).next().expect("a step");
        coverage.begin(&first);
        coverage.asked(&first);
        coverage.left_out();
        let ladder = coverage.ladder(true, 1);
        assert!(!ladder.complete && ladder.rules_not_reached.contains(&"knight-in-corner"));
        assert_eq!((ladder.positions, ladder.part), (1, "standard positions"));
        let rules = [("a", 3), ("b", 0), ("c", 1)].into();
        let told = Ladder { rules, rules_not_reached: vec!["b"], part_number: (1, 9), ..ladder };
        assert!(told.to_string().ends_with("after 1 position, 2 of 3 rules."), "{told}");
        assert!(
            told.is_too_little(100)
                && !Ladder { questions: 100, ..told.clone() }.is_too_little(100)
        );
    }
}
