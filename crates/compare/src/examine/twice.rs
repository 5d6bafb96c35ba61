//! Moves that a program generates twice, although its lists show each once: an adapter that collects
//! moves in a dict or a set hides the second. The counts below show it, because they contain both.

use tabiya::Position;

use super::examiner::Examiner;
use crate::case::Case;
use crate::class::Class;
use crate::models::{MOST_LEAVES, Model};
use crate::question::query;

/// A position with moves of every kind in the first two plies.
const MIXED: &str = "r3k2r/1Pp1n1q1/1b6/3pP3/6p1/1B6/1p2N1QP/R3K2R w KQkq d6 0 1";

impl Examiner<'_> {
    /// The group of moves that is generated twice, if `fits` says that it explains the wrong counts
    /// in place of this right one, and the counts of another position confirm it.
    pub(super) fn generated_twice(
        &mut self,
        right: u128,
        fits: impl Fn(Model) -> bool,
    ) -> Option<Model> {
        if right > MOST_LEAVES {
            return None;
        }
        let mut models = Model::all_twice().filter(|&model| fits(model)).peekable();
        models.peek()?;
        let mixed = Position::from_fen(MIXED).expect("the position is playable");
        self.session.restart();
        let divide = self.session.divide(&query(&mixed, &[], 2)).ok()?;
        models.find(|model| {
            let of_lists = divide.sum() == model.sum_below(&mixed, 2);
            of_lists || divide.total == Some(model.count(&mixed, 2))
        })
    }
}

/// The case with the reason why its lists show no move twice.
pub(super) fn with_reason(case: Case) -> Case {
    match case.class {
        Class::DuplicatedMove | Class::PromotionDuplicated => case.with_note(
            "the list shows each move once, but the counts contain some moves twice: an adapter \
             that collects moves in a dict or a set hides the second",
        ),
        _ => case,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth;

    #[test]
    fn the_position_shows_every_group() {
        let mixed = Position::from_fen(MIXED).expect("the position is playable");
        assert!(truth::is_reachable(&mixed));
        let right = truth::perft(&mixed, 2);
        for model in Model::all_twice() {
            assert!(model.sum_below(&mixed, 2) > right, "{model:?}");
        }
    }
}
