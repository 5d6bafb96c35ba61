//! From a wrong answer to the smallest wrong one: the list, or the count, that no answer below it
//! explains.

use tabiya::Move;
use tabiya::fen::EnPassantMode;

use super::Examiner;
use crate::listed::Listed;
use crate::question::Question;

/// The most moves of one position to look below.
const MOST_CHILDREN: usize = 4;
/// The same for a program that only counts: nothing shows which of them is wrong.
const MOST_WITHOUT_COUNTS: usize = 80;

impl Examiner<'_> {
    /// The smallest question below this one, whose answer differs from the model's, that differs
    /// as well.
    pub(super) fn descend(&mut self, question: &Question) -> Question {
        let list = question.at_depth(1);
        if question.depth > 1 && !self.differs(&list) {
            for mv in self.wrong_children(question) {
                let child = question.child(mv);
                let alone = child.by_fen(EnPassantMode::PseudoLegal);
                if self.differs(&alone) {
                    return self.descend(&alone);
                }
                if self.session.takes_moves() && self.differs(&child) {
                    return self.descend(&child);
                }
            }
            return question.clone();
        }
        if !list.path.is_empty() {
            // Is the list wrong for the position by itself, or only after the moves?
            for en_passant in [EnPassantMode::PseudoLegal, EnPassantMode::Always] {
                let alone = list.by_fen(en_passant);
                if self.differs(&alone) {
                    return alone;
                }
            }
            // A program that doesn't know a move may pass over it.
            for length in 0..list.path.len() {
                let before = Question { path: list.path[..length].to_vec(), ..list.clone() };
                let before = before.by_fen(EnPassantMode::PseudoLegal);
                if self.differs(&before) {
                    return before;
                }
            }
        }
        list
    }

    /// The legal moves below which the program counts differently from the model, the smallest
    /// count first.
    fn wrong_children(&mut self, question: &Question) -> Vec<Move> {
        let here = question.position();
        let Ok(seen) = self.ask(question) else { return Vec::new() };
        let legal = here.legal_moves().into_iter();
        let Some(moves) = &seen.answer.moves else {
            return legal.take(MOST_WITHOUT_COUNTS).collect();
        };
        let Some(predicted) = self.evidence.predict(&self.model, question) else {
            return Vec::new();
        };
        let mut wrong: Vec<(u128, Move)> = legal
            .filter_map(|mv| {
                let listed = Listed::of(&here, mv);
                let right = predicted.moves.iter().find(|(it, _)| *it == listed)?.1;
                let told = moves.iter().find(|(it, _)| it.listed(&here) == Some(listed))?.1?;
                (told != right).then_some((right, mv))
            })
            .collect();
        wrong.sort_by_key(|(count, _)| *count);
        wrong.truncate(MOST_CHILDREN);
        wrong.into_iter().map(|(_, mv)| mv).collect()
    }
}
