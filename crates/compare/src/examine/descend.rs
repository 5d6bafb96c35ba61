//! Descends from a wrong divide to the position whose list or count is wrong.

use tabiya::{Move, Position};

use super::examiner::Examiner;
use super::state::Suspect;
use super::twice::with_reason;
use crate::case::{Case, Diff};
use crate::class::Class;
use crate::classify;
use crate::generator::{Divide, Query, Trouble};
use crate::models::Model;
use crate::question::{line, query};
use crate::truth::{self, Told};

impl Examiner<'_> {
    /// All errors in the answers about one position at one depth.
    pub(crate) fn examine(&mut self, start: &Position, path: &[Move], depth: u32) -> Vec<Case> {
        if depth <= 1 {
            return self.examine_list(start, path);
        }
        let positions = line(start, path);
        let here = &positions[path.len()];
        let goes_on = |_| !self.session.is_stopped();
        let Some(counts) = truth::divide_while(here, depth, &goes_on) else {
            self.session.cut_off();
            return Vec::new();
        };
        let expected = truth::sum(&counts);
        let question = query(start, path, depth);
        let divide = match self.session.divide(&question) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => return self.examine_total(start, path, depth, expected),
            Err(trouble) => return self.troubled(start, path, depth, &trouble),
        };
        let diff = Diff::of(here, &divide.texts());
        if diff.is_wrong() {
            let cases = self.examine_list(start, path);
            if !cases.is_empty() {
                return cases;
            }
            return self.name(start, path, &diff, depth, expected);
        }
        let answer = Answer { start, path, depth, here, question, counts, expected, divide };
        if answer.counts.is_empty() {
            return self.examine_end(&answer).into_iter().collect();
        }
        self.examine_counts(&answer)
    }

    /// The error in an answer about a position that has no moves.
    fn examine_end(&mut self, answer: &Answer<'_>) -> Option<Case> {
        let total = answer.divide.total.filter(|&total| total != 0)?;
        let class = if self.session.is_right_when_fresh(&answer.question, 0) {
            Class::StateOrder
        } else {
            Class::EndStalemate
        };
        Some(answer.case(class, Some(total)))
    }

    /// The errors in the counts of a divide whose moves are right.
    fn examine_counts(&mut self, answer: &Answer<'_>) -> Vec<Case> {
        let wrong = answer.wrong();
        let got = Some(answer.divide.count());
        let mut cases = Vec::new();
        let total = answer.divide.total;
        if !answer.divide.is_counted() && wrong.is_empty() {
            let is_wrong = total.is_some_and(|total| total != answer.expected);
            return match is_wrong {
                true => {
                    self.examine_total(answer.start, answer.path, answer.depth, answer.expected)
                }
                false => Vec::new(),
            };
        }
        if answer.divide.is_counted() && total.is_some_and(|it| it != answer.divide.sum()) {
            let overflow = |it: &WrongCount| classify::overflows(it.right, it.told);
            let class = match wrong.is_empty() || !wrong.iter().all(overflow) {
                true => {
                    let Answer { question, divide, expected, .. } = answer;
                    self.name_total(question, divide, *expected, wrong.is_empty())
                }
                false => Class::CountingOverflow,
            };
            let case = with_reason(answer.case(class, got));
            let note = wrong.first().map(|count| count.note(answer.here));
            cases.push(Case { note: case.note.clone().or(note), ..case });
            if wrong.is_empty() {
                return cases;
            }
        }
        let mut unexplained = None;
        for &count in wrong.iter().take(4) {
            let below =
                self.examine_child(answer.start, answer.path, answer.here, count.mv, answer.depth);
            if below.is_empty() && unexplained.is_none() {
                unexplained = Some(count);
            }
            cases.extend(below);
        }
        // Every child by itself is right, but the divide has a wrong count for one of them.
        cases.extend(unexplained.map(|count| self.explain_count(answer, count)));
        cases
    }

    /// Explains a wrong count if everything below it is right when it is asked by itself.
    fn explain_count(&mut self, answer: &Answer<'_>, count: WrongCount) -> Case {
        let got = Some(answer.divide.count());
        let Answer { here, depth, .. } = *answer;
        let WrongCount { mv, right, told } = count;
        self.session.restart();
        if let Ok(again) = self.session.divide(&answer.question)
            && again.count() == answer.expected
            && answer.matches(&again)
        {
            let suspect = Suspect { here, mv, question: &answer.question, right };
            let class = self.blame_state(&suspect);
            let note = "a new process gives the right count for the same question";
            return answer.case(class, got).with_note(note);
        }
        let model = self.model_of(answer);
        let model =
            model.or_else(|| self.generated_twice(answer.expected, |model| answer.fits(model)));
        let class = match model {
            Some(model) => model.class(),
            None if !self.session.takes_moves() => {
                classify::after_play(here, mv, depth - 1, right, told)
            }
            None => self.undo_or_key(answer.start, answer.path, depth),
        };
        let note = count.note(here);
        with_reason(answer.case(class, got).with_note(note))
    }

    /// The counting error that explains every count of a divide, the right ones too. An error that
    /// changes most counts must also explain those of another position.
    fn model_of(&mut self, answer: &Answer<'_>) -> Option<Model> {
        const OTHERS: [&str; 3] = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ];
        let depth = answer.depth.min(3);
        let models = Model::all(answer.expected);
        let explaining: Vec<Model> = models.filter(|model| answer.fits(*model)).collect();
        explaining.into_iter().find(|&model| {
            !model.is_general()
                || OTHERS.into_iter().any(|fen| {
                    let other = Position::from_fen(fen).expect("the position is playable");
                    let predicted = model.sum_below(&other, depth);
                    let right = truth::perft(&other, depth);
                    self.session.restart();
                    predicted != right
                        && self
                            .session
                            .divide(&query(&other, &[], depth))
                            .is_ok_and(|divide| divide.sum() == predicted)
                })
        })
    }

    /// The class of a total that is not the sum of the divide.
    pub(super) fn name_total(
        &mut self,
        question: &Query,
        divide: &Divide,
        right: u128,
        entries_are_right: bool,
    ) -> Class {
        // A right total contains no move twice.
        if let (Some(here), Some(total)) = (truth::position_of(question), divide.total)
            && total != right
            && let Some(model) =
                self.generated_twice(right, |model| model.count(&here, question.depth) == total)
        {
            return model.class();
        }
        match classify::total_class(divide, entries_are_right) {
            Class::CountingOverflow => Class::CountingOverflow,
            _ if entries_are_right && self.session.is_right_when_fresh(question, divide.sum()) => {
                Class::StateOrder
            }
            class => class,
        }
    }

    /// The errors below a move, first with the moves played and then by FEN.
    pub(super) fn examine_child(
        &mut self,
        start: &Position,
        path: &[Move],
        here: &Position,
        mv: Move,
        depth: u32,
    ) -> Vec<Case> {
        // State left over from the previous question must not affect the answer about the child.
        self.session.restart();
        if self.session.takes_moves() {
            let longer: Vec<Move> = path.iter().copied().chain([mv]).collect();
            let cases = self.examine(start, &longer, depth - 1);
            if !cases.is_empty() {
                return cases;
            }
            self.session.restart();
        }
        self.examine(&here.play(mv), &[], depth - 1)
    }
}

/// A divide whose moves are right, and the right counts.
struct Answer<'a> {
    start: &'a Position,
    path: &'a [Move],
    depth: u32,
    /// The position after the path.
    here: &'a Position,
    question: Query,
    /// The right counts.
    counts: Vec<(Move, u128)>,
    expected: u128,
    divide: Divide,
}

/// A move whose count is wrong.
#[derive(Clone, Copy)]
struct WrongCount {
    mv: Move,
    right: u128,
    told: u128,
}

impl WrongCount {
    fn note(self, here: &Position) -> String {
        let Self { mv, right, told } = self;
        format!("{} has {told} instead of {right} leaf nodes", here.uci(mv))
    }
}

impl Answer<'_> {
    fn case(&self, class: Class, got: Option<u128>) -> Case {
        Case::of_count(class, (self.start, self.path, self.depth), self.expected, got)
    }

    fn wrong(&self) -> Vec<WrongCount> {
        let told = |mv: Move| {
            self.divide.moves.iter().find_map(|(text, count)| {
                (truth::resolve(self.here, text) == Told::Legal(mv)).then_some((*count)?)
            })
        };
        let wrong = |&(mv, right): &(Move, u128)| {
            told(mv).filter(|it| *it != right).map(|told| WrongCount { mv, right, told })
        };
        self.counts.iter().filter_map(wrong).collect()
    }

    /// Does another divide have the right count for each of its moves?
    fn matches(&self, divide: &Divide) -> bool {
        divide.moves.iter().all(|(text, count)| match (truth::resolve(self.here, text), count) {
            (Told::Legal(mv), Some(count)) => self.counts.contains(&(mv, *count)),
            _ => false,
        })
    }

    /// Does a counting error explain every count, the right ones too?
    fn fits(&self, model: Model) -> bool {
        let told = |mv: Move| {
            self.divide.moves.iter().find_map(|(text, count)| {
                (truth::resolve(self.here, text) == Told::Legal(mv)).then_some((*count)?)
            })
        };
        let predicts =
            |mv: Move, right| model.count_for(right, &self.here.play(mv), self.depth - 1);
        self.counts
            .iter()
            .all(|&(mv, right)| told(mv).is_none_or(|told| told == predicts(mv, right)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Generator;
    use crate::session::Session;

    struct Unasked;

    impl Generator for Unasked {}

    /// The right counts alone would take years.
    #[test]
    fn counting_ends_when_the_hunt_should_stop() {
        let mut examiner = Examiner::new(Session::new(&Unasked, &|| true));
        assert!(examiner.examine(&Position::START, &[], 12).is_empty());
        assert!(examiner.session.is_cut_off());
    }

    /// Models would count for years.
    #[test]
    fn a_wrong_count_with_many_leaf_nodes_is_explained_without_counting() {
        let start = Position::START;
        let counts: Vec<(Move, u128)> = start
            .legal_moves()
            .into_iter()
            .zip(1..)
            .map(|(mv, n)| (mv, n * (1 << 48) + n))
            .collect();
        let answer = |alter: fn(u128) -> u128| {
            let moves =
                counts.iter().map(|&(mv, count)| (start.uci(mv).to_string(), Some(alter(count))));
            Answer {
                start: &start,
                path: &[],
                depth: 12,
                here: &start,
                question: query(&start, &[], 12),
                expected: truth::sum(&counts),
                counts: counts.clone(),
                divide: Divide { moves: moves.collect(), total: None },
            }
        };
        let mut examiner = Examiner::new(Session::new(&Unasked, &|| false));
        assert_eq!(examiner.model_of(&answer(|count| count & 0xffff_ffff)), Some(Model::Bits(32)));
        let one_more = answer(|count| count + 1);
        assert_eq!(examiner.model_of(&one_more), None);
        assert_eq!(examiner.generated_twice(one_more.expected, |it| one_more.fits(it)), None);
        let total = Divide { total: Some(7), ..one_more.divide };
        let class = examiner.name_total(&one_more.question, &total, one_more.expected, false);
        assert_eq!(class, Class::CountingTotal);
    }
}
