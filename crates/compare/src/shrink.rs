//! Shrinks an example: removes pieces, rights and plies while the program still makes the same
//! error.

use tabiya::fen::EnPassantMode;
use tabiya::{CastlingRights, Move, Position, Role, Setup, Square};

use crate::case::Case;
use crate::examine::Examiner;
use crate::question::fen;
use crate::truth;

/// The number of questions that one finding may cost.
const QUESTIONS: u64 = 500;

/// The leaf nodes that the questions about one finding may cost.
const LEAVES: u64 = 400_000;

/// The number of unanswered questions that one finding may cost. Each of them takes time.
const TROUBLES: u64 = 25;

/// Looks for smaller examples of one case.
struct Search<'a, 'b> {
    examiner: &'a mut Examiner<'b>,
    /// May the example be a position that no game can reach?
    impossible: bool,
    best: Case,
    /// The numbers of questions and leaf nodes at which the search ends.
    end: (u64, u64),
    troubles: u64,
}

/// Returns the smallest example of the same class.
///
/// If `impossible` is set, it may be a position that no game can reach.
pub(crate) fn shrink(examiner: &mut Examiner<'_>, case: &Case, impossible: bool) -> Case {
    if !case.is_fresh {
        // The error depends on the questions before, so other questions would change it.
        return case.clone();
    }
    let session = &examiner.session;
    let end = (session.asked() + QUESTIONS, session.leaves() + LEAVES);
    let best = case.clone();
    let mut search = Search { examiner, impossible, best, end, troubles: TROUBLES };
    search.shorten();
    search.lower();
    while search.thin_out() | search.simplify() {}
    search.best
}

impl Search<'_, '_> {
    /// Does the program make the same error here? If so, this becomes the best example.
    fn try_example(&mut self, start: &Position, path: &[Move], depth: u32) -> bool {
        let session = &self.examiner.session;
        let is_spent = session.asked() >= self.end.0 || session.leaves() >= self.end.1;
        let is_over = is_spent || self.troubles == 0 || session.is_stopped();
        if is_over || !truth::is_reachable(start) && !self.impossible {
            return false;
        }
        let has_answer = self.best.got.is_some();
        let cases = match self.best.en_passant {
            EnPassantMode::PseudoLegal => self.examiner.examine(start, path, depth),
            _ => self.examiner.check_convention(start),
        };
        if self.examiner.session.is_cut_off() {
            return false;
        }
        let same = cases
            .into_iter()
            .find(|it| it.class == self.best.class && it.got.is_some() == has_answer);
        let Some(same) = same else { return false };
        if !has_answer {
            self.troubles -= 1;
        }
        // The error may be deeper than the question, but the example must not be larger.
        let is_smaller = measure(&same) <= measure(&self.best);
        if is_smaller {
            self.best = same;
        }
        is_smaller
    }

    /// Tries the position itself, without the moves that lead to it, and then with fewer of them.
    fn shorten(&mut self) {
        let (start, path, depth) = self.example();
        for skip in (1..=path.len()).rev() {
            let later = path[..skip].iter().fold(start.clone(), |position, &mv| position.play(mv));
            if self.try_example(&later, &path[skip..], depth) {
                return;
            }
        }
    }

    fn lower(&mut self) {
        let (start, path, most) = self.example();
        let _ = (1..most).any(|depth| self.try_example(&start, &path, depth));
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
        if start == self.best.start && fen(&start) == fen(&self.best.start) {
            return false;
        }
        self.try_example(&start, &path, self.best.depth)
    }

    fn example(&self) -> (Position, Vec<Move>, u32) {
        (self.best.start.clone(), self.best.path.clone(), self.best.depth)
    }
}

/// The size of an example: plies, pieces, and the rest of its FEN.
fn measure(case: &Case) -> (u32, usize, usize, usize) {
    let rights = case.start.castling_rights().rooks().len();
    let plies = case.depth + u32::try_from(case.path.len()).unwrap_or(u32::MAX / 2);
    let counters = usize::from(case.start.halfmove_clock() > 0);
    (plies, case.start.board().occupied().len() as usize, rights as usize, counters)
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
        if fewer.castling.rooks().has(square) {
            fewer.castling.remove(square.bitboard());
        }
    }
    fewer
}

/// The same moves from another setup, if they are legal there.
fn replay(setup: &Setup, case: &Case) -> Option<(Position, Vec<Move>)> {
    let start = Position::from_setup(setup).ok()?;
    let (mut before, mut position) = (case.start.clone(), start.clone());
    let mut path = Vec::new();
    for &mv in &case.path {
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
