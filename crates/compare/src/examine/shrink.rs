//! Shrinks an example: removes pieces, rights and plies while the program still answers differently
//! from the model.

use tabiya::fen::EnPassantMode;
use tabiya::{CastlingRights, Move, Position, Role, Setup, Square};

use super::Examiner;
use super::cause::size;
use crate::question::Question;
use crate::truth;

/// The number of questions that one example may cost.
const QUESTIONS: u64 = 400;

/// The leaf nodes that the questions about one example may cost.
const LEAVES: u64 = 400_000;

/// What makes an example one of the same error.
pub(super) type Shows<'f, 'a> = &'f mut dyn FnMut(&mut Examiner<'a>, &Question) -> bool;

/// Looks for smaller examples.
struct Search<'s, 'f, 'a> {
    examiner: &'s mut Examiner<'a>,
    shows: Shows<'f, 'a>,
    best: Question,
    /// The numbers of questions and leaf nodes at which the search ends.
    end: (u64, u64),
}

impl<'a> Examiner<'a> {
    /// The smallest example that shows the error.
    pub(super) fn shrink(&mut self, example: &Question, shows: Shows<'_, 'a>) -> Question {
        let end = (self.session.asked() + QUESTIONS, self.session.leaves() + LEAVES);
        let mut search = Search { examiner: self, shows, best: example.clone(), end };
        search.shorten();
        search.lower();
        while search.thin_out() | search.simplify() {}
        search.best
    }
}

impl Search<'_, '_, '_> {
    /// Does a smaller question show the error? If so, this becomes the best example.
    fn try_example(&mut self, question: Question) -> bool {
        let session = &self.examiner.session;
        let is_spent = session.asked() >= self.end.0 || session.leaves() >= self.end.1;
        if is_spent || session.is_stopped() || size(&question) > size(&self.best) {
            return false;
        }
        if !truth::is_reachable(&question.start) && !self.examiner.impossible {
            return false;
        }
        let shows = (self.shows)(self.examiner, &question);
        if shows {
            self.best = question;
        }
        shows
    }

    /// Tries later starts of the line. Without any of its moves, the example was tried before.
    fn shorten(&mut self) {
        let Question { start, path, .. } = self.best.clone();
        for skip in (1..path.len()).rev() {
            let start = path[..skip].iter().fold(start.clone(), |position, &mv| position.play(mv));
            let path = path[skip..].to_vec();
            if self.try_example(Question { start, path, ..self.best.clone() }) {
                return;
            }
        }
    }

    fn lower(&mut self) {
        let best = self.best.clone();
        let _ = (1..best.depth).any(|depth| self.try_example(best.at_depth(depth)));
    }

    /// Removes pieces: half of them, a quarter, and so on. Returns whether that helped.
    fn thin_out(&mut self) -> bool {
        let mut helped = false;
        let mut size = pieces(&self.best.start).len().div_ceil(2);
        while size > 0 {
            let mut first = 0;
            loop {
                let all = pieces(&self.best.start);
                let Some(chunk) = all.get(first..all.len().min(first + size)) else { break };
                if chunk.is_empty() {
                    break;
                }
                if self.try_setup(&without(&self.best.start, chunk)) {
                    helped = true;
                } else {
                    first += size;
                }
            }
            size /= 2;
        }
        helped
    }

    /// Removes rights, counters and the en-passant square. Returns whether that helped.
    fn simplify(&mut self) -> bool {
        let mut helped = false;
        for setup in simpler(&self.best.start) {
            helped |= self.try_setup(&setup);
        }
        helped
    }

    fn try_setup(&mut self, setup: &Setup) -> bool {
        let Some((start, path)) = replay(setup, &self.best) else { return false };
        let question = Question { start, path, ..self.best.clone() };
        question.query() != self.best.query() && self.try_example(question)
    }
}

/// All pieces except the kings.
fn pieces(start: &Position) -> Vec<Square> {
    let board = start.board();
    (board.occupied() & !board.role(Role::King)).into_iter().collect()
}

/// The setup without these pieces, and without the castling rights of removed rooks.
fn without(start: &Position, squares: &[Square]) -> Setup {
    let mut fewer = start.to_setup_with(EnPassantMode::Always);
    for &square in squares {
        fewer.board.set(square, None);
        if fewer.castling.has(square) {
            fewer.castling.remove(square.bitboard());
        }
    }
    fewer
}

/// The same moves from another setup, if they are legal there.
pub(super) fn replay(setup: &Setup, example: &Question) -> Option<(Position, Vec<Move>)> {
    let start = Position::from_setup(setup).ok()?;
    let (mut before, mut position) = (example.start.clone(), start.clone());
    let mut path = Vec::new();
    for &mv in &example.path {
        let same = position.find_uci(before.uci(mv))?;
        path.push(same);
        position = position.play(same);
        before = before.play(mv);
    }
    Some((start, path))
}

/// Setups with one right removed, or one number reset.
fn simpler(start: &Position) -> Vec<Setup> {
    let setup = start.to_setup_with(EnPassantMode::Always);
    let mut all = Vec::new();
    for rook in setup.castling.rooks() {
        let mut fewer = setup.clone();
        fewer.castling.remove(rook.bitboard());
        all.push(fewer);
    }
    if setup.en_passant.is_some() {
        all.push(Setup { en_passant: None, ..setup.clone() });
    }
    if setup.halfmove_clock > 0 || setup.fullmove_number > 1 {
        all.push(Setup { halfmove_clock: 0, fullmove_number: 1, ..setup.clone() });
    }
    if setup.castling != CastlingRights::NONE {
        all.push(Setup { castling: CastlingRights::NONE, ..setup });
    }
    all
}
