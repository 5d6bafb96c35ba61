//! Questions without an answer: finds out whether the cause is the position, a move of the line
//! that the program does not know, or the questions before.

use tabiya::{Move, Position};

use super::examiner::Examiner;
use crate::case::{Case, dialogue};
use crate::generator::Trouble;
use crate::question::query;
use crate::truth;

impl Examiner<'_> {
    /// The error that leaves a question without an answer.
    pub(super) fn troubled(
        &mut self,
        start: &Position,
        path: &[Move],
        depth: u32,
        trouble: &Trouble,
    ) -> Vec<Case> {
        let Some(class) = dialogue(trouble) else { return Vec::new() };
        let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
        // The question was about this position, so its count is still known.
        let expected = truth::perft(&here, depth);
        if let Some(note) = self.only_after_others(start, path, depth) {
            let case = Case::of_count(class, (start, path, depth), expected, None);
            return vec![Case { is_fresh: false, ..case.with_note(format!("{trouble}; {note}")) }];
        }
        if !path.is_empty() {
            let alone = self.examine(&here, &[], depth);
            if !alone.is_empty() {
                return alone;
            }
            // Find the shortest beginning of the line that gets no answer. The program does not
            // know its last move, or plays it wrongly. The list before that move may show which.
            let (mut fine, mut bad) = (0, path.len());
            while fine + 1 < bad {
                let middle = usize::midpoint(fine, bad);
                let answer = self.answers(start, &path[..middle]);
                *(if answer { &mut fine } else { &mut bad }) = middle;
            }
            let before = self.examine_list(start, &path[..bad - 1]);
            if !before.is_empty() {
                return before;
            }
            if bad < path.len() {
                return self.troubled(start, &path[..bad], 1, trouble);
            }
        }
        let case = Case::of_count(class, (start, path, depth), expected, None);
        vec![case.with_note(trouble.to_string())]
    }

    /// Does a new process answer the question that has just failed? Then the position is not to
    /// blame, and the text says when the failure occurs.
    fn only_after_others(&mut self, start: &Position, path: &[Move], depth: u32) -> Option<String> {
        let before = self.session.since_start().saturating_sub(1);
        if before == 0 {
            return None;
        }
        self.session.restart();
        let question = query(start, path, depth);
        let answer = match self.session.divide(&question) {
            Err(Trouble::Unsupported) => self.session.count(&question).map(|_| ()),
            answer => answer.map(|_| ()),
        };
        let times = if before == 1 { "question" } else { "questions" };
        answer.is_ok().then(|| {
            format!(
                "only after {before} {times} to the same process: a new one answers this question"
            )
        })
    }

    /// Does the program answer any question about the position after a line?
    fn answers(&mut self, start: &Position, path: &[Move]) -> bool {
        let question = query(start, path, 1);
        match self.list(&question) {
            Err(Trouble::Unsupported) => self.session.count(&question).is_ok(),
            answer => answer.is_ok(),
        }
    }
}
