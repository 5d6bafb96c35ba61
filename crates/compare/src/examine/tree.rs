//! Wrong lists in the tree of a wrong count: an illegal move that is counted may damage the position
//! for the moves after it, so that the count is wrong although each list below it is right.

use std::collections::VecDeque;

use super::examiner::Examiner;
use crate::case::Case;
use crate::class::Class;

/// The most lists of one tree to ask for.
const MOST: usize = 400;

impl Examiner<'_> {
    /// The class of the first wrong list among the positions that a count goes through.
    pub(crate) fn wrong_list_in_tree(&mut self, case: &Case) -> Option<Class> {
        let mut left = VecDeque::from([(case.position(), case.depth)]);
        for _ in 0..MOST {
            let (position, depth) = left.pop_front()?;
            if self.session.is_stopped() {
                return None;
            }
            let wrong = self.examine_list(&position, &[]).into_iter();
            if let Some(wrong) = wrong.filter(Case::has_wrong_moves).min_by_key(Case::size) {
                return Some(wrong.class);
            }
            if depth > 1 {
                let moves = position.legal_moves().into_iter();
                left.extend(moves.map(|mv| (position.play(mv), depth - 1)));
            }
        }
        None
    }
}
