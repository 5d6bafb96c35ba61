//! A wrong answer as a report shows it: the question, the right answer, and the whole difference
//! between the lists.

use tabiya::{Move, Position};

use crate::evidence::{self, Answer};
use crate::question::Question;
use crate::truth::Told;

/// A wrong answer.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) question: Question,
    pub(crate) expected: u128,
    pub(crate) got: Option<u128>,
    pub(crate) extra: Vec<Told>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
    /// The first move whose count is wrong, with the program's count and the right one.
    pub(crate) wrong_count: Option<(Move, u128, u128)>,
}

impl Case {
    pub(crate) fn of(question: &Question, answer: Option<&Answer>) -> Self {
        let here = question.position();
        let right = evidence::right(question);
        let moves = answer.and_then(|it| it.moves.as_deref());
        let diff = moves.map(|moves| Diff::of(&here, moves.iter().map(|(told, _)| told)));
        let is_list = question.depth == 1 && diff.as_ref().is_some_and(Diff::is_wrong);
        let got = answer.map(|it| match moves {
            Some(moves) if is_list => moves.len() as u128,
            _ => it.count(question.depth),
        });
        let Diff { extra, missing, duplicated } = diff.unwrap_or_default();
        let wrong = |(told, count): &(Told, Option<u128>)| {
            let (Told::Legal(mv), Some(count)) = (told, *count) else { return None };
            let listed = told.listed(&here)?;
            let right = right.moves.iter().find(|(it, _)| *it == listed)?.1;
            (count != right).then_some((*mv, count, right))
        };
        Self {
            question: question.clone(),
            expected: right.total,
            got,
            extra,
            missing,
            duplicated,
            wrong_count: moves.unwrap_or_default().iter().find_map(wrong),
        }
    }
}

/// The differences between a list and the right one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff {
    pub(crate) extra: Vec<Told>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
}

impl Diff {
    pub(crate) fn of<'a>(position: &Position, listed: impl IntoIterator<Item = &'a Told>) -> Self {
        let mut diff = Self::default();
        let mut seen: Vec<Move> = Vec::new();
        for told in listed {
            match told {
                Told::Legal(mv) if diff.duplicated.contains(mv) => {}
                Told::Legal(mv) if seen.contains(mv) => diff.duplicated.push(*mv),
                Told::Legal(mv) => seen.push(*mv),
                other => diff.extra.push(other.clone()),
            }
        }
        diff.missing = position.legal_moves().into_iter().filter(|mv| !seen.contains(mv)).collect();
        diff
    }

    pub(crate) fn is_wrong(&self) -> bool {
        !(self.extra.is_empty() && self.missing.is_empty() && self.duplicated.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::resolve;

    /// A report must not be as long as the answer.
    #[test]
    fn a_move_that_is_listed_often_is_named_once() {
        let listed = ["e2e4", "g1f3", "e2e4", "g1f3", "e2e4", "e2e4"];
        let listed = listed.map(|text| resolve(&Position::START, text));
        let diff = Diff::of(&Position::START, &listed);
        let texts: Vec<String> = diff.duplicated.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["e2e4", "g1f3"]);
    }
}
