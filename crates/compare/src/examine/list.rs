//! The errors in one list of moves, and the move in the line that causes them.

use tabiya::{Move, Position, UciMove};

use super::examiner::Examiner;
use super::twice::with_reason;
use crate::case::{Case, Diff};
use crate::class::Class;
use crate::classify;
use crate::generator::{Divide, Trouble};
use crate::question::{line, query};
use crate::truth::{self, Told};

impl Examiner<'_> {
    /// The errors in one list of moves.
    pub(super) fn examine_list(&mut self, start: &Position, path: &[Move]) -> Vec<Case> {
        self.memory.last_count = None;
        self.memory.miscounts = false;
        let positions = line(start, path);
        let here = &positions[path.len()];
        let expected = here.count_legal() as u128;
        let question = query(start, path, 1);
        let case = |class, got| Case::of_count(class, (start, path, 1), expected, got);
        let divide = match self.list(&question) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => return self.examine_count(start, path),
            Err(trouble) => return self.troubled(start, path, 1, &trouble),
        };
        let listed = divide.texts();
        let diff = Diff::of(here, &listed);
        if !diff.is_wrong() {
            return self.examine_counts_of_list(start, path, here, &divide);
        }
        if path.is_empty() {
            return self.name(start, path, &diff, 1, expected);
        }
        // Is the list wrong for the position by itself, or only after the line?
        let question = query(here, &[], 1);
        let alone = match self.list(&question) {
            Ok(divide) => {
                let listed = divide.texts();
                Diff::of(here, &listed)
            }
            Err(_) => Diff::default(),
        };
        if alone.is_wrong() {
            return self.name(here, &[], &alone, 1, expected);
        }
        let repeats = positions[..path.len()].iter().any(|it| it.key() == here.key());
        // The shortest end of the line that still goes wrong begins with the guilty move.
        let (mut guilty, mut diff) = (0, diff);
        for first in (1..path.len()).rev() {
            let Ok(divide) = self.list(&query(&positions[first], &path[first..], 1)) else {
                break;
            };
            let listed = divide.texts();
            let shorter = Diff::of(here, &listed);
            if shorter.is_wrong() {
                (guilty, diff) = (first, shorter);
                break;
            }
        }
        // If the program does not know the move, it cannot play it, and may pass over it. Its list
        // for the position before shows that.
        let first_list = self.list(&query(&positions[guilty], &[], 1));
        let is_known = first_list.is_ok_and(|divide| {
            divide.moves.iter().any(|(text, _)| {
                truth::resolve(&positions[guilty], text) == Told::Legal(path[guilty])
            })
        });
        if !is_known {
            let before = self.examine_list(&positions[guilty], &[]);
            if !before.is_empty() {
                return before;
            }
        }
        let class = if diff.got == 0 && repeats {
            Class::EndRepetition
        } else if diff.got == 0 && here.halfmove_clock() >= 100 {
            Class::EndFiftyMoves
        } else if classify::others_capture_en_passant(here, &diff) {
            Class::EnPassantOtherPiece
        } else if self.session.counts_right(&positions[guilty], path.len() - guilty + 1) {
            // Counting plays these moves right, so only the moves of the question are played
            // wrongly.
            Class::StatePlay
        } else {
            let extra: Vec<UciMove> = diff.extra.iter().filter_map(Told::uci).collect();
            let class =
                classify::after_moves(&positions[guilty..], &path[guilty..], &extra, &diff.missing);
            self.refine_line(class)
        };
        let note = "the same position by FEN has the right moves";
        vec![Case {
            // At the end of the hunt, nothing shows whether the move is known.
            guessed: !is_known,
            start: positions[guilty].clone(),
            path: path[guilty..].to_vec(),
            extra: diff.extra.iter().map(Told::text).collect(),
            missing: diff.missing,
            duplicated: diff.duplicated,
            ..case(class, Some(diff.got)).with_note(note)
        }]
    }

    /// Compares the counts of an answer whose moves are right.
    fn examine_counts_of_list(
        &mut self,
        start: &Position,
        path: &[Move],
        here: &Position,
        divide: &Divide,
    ) -> Vec<Case> {
        let expected = here.count_legal() as u128;
        let question = query(start, path, 1);
        let case = |class, got| Case::of_count(class, (start, path, 1), expected, got);
        if expected == 0 && divide.total.is_some_and(|it| it != 0) {
            let class = if self.session.is_right_when_fresh(&question, 0) {
                Class::StateOrder
            } else {
                Class::EndStalemate
            };
            return vec![case(class, divide.total)];
        }
        if let Some(class) = classify::wrong_ones(here, divide) {
            let mut counts = divide.moves.iter().filter_map(|(mv, count)| Some((mv, (*count)?)));
            let wrong = counts.find(|(_, count)| *count != 1);
            let note = wrong.map(|(mv, count)| format!("{mv} has {count} instead of 1 leaf node"));
            return vec![Case { note, ..case(class, Some(divide.sum())) }];
        }
        // The sum of moves without counts is their number.
        if divide.total.is_some_and(|total| total != divide.sum()) {
            let class = self.name_total(&question, divide, expected, true);
            return vec![with_reason(case(class, divide.total))];
        }
        Vec::new()
    }
}
