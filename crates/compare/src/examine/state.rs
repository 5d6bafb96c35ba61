//! Counts that depend on earlier questions: does the key of a hash table lack something?

use tabiya::{Bitboard, Move, MoveKind, Piece, Position, Role, Square};

use super::examiner::Examiner;
use crate::case::{Case, Diff};
use crate::class::Class;
use crate::generator::{Divide, Query, Trouble};
use crate::question::query;
use crate::truth::{self, Told};

/// A position and a move in it whose count is wrong, although a new process counts it right.
pub(super) struct Suspect<'a> {
    pub(super) here: &'a Position,
    pub(super) mv: Move,
    pub(super) question: &'a Query,
    pub(super) right: u128,
}

impl Examiner<'_> {
    /// The class of a count that only a new process gets right. If a similar position, counted
    /// before, makes the count wrong, the key ignores the difference between the two.
    pub(super) fn blame_state(&mut self, suspect: &Suspect<'_>) -> Class {
        let child = suspect.here.play(suspect.mv);
        let depth = suspect.question.depth;
        let mut before: Vec<Query> = Vec::new();
        for twin in [other_rights(suspect.here), other_rights(&child)].into_iter().flatten() {
            before.push(query(&twin, &[], depth));
            before.push(query(&twin, &[], depth - 1));
        }
        // The same placement after a single push instead of a double push.
        before.extend(single_push(suspect.here, suspect.mv).map(|it| query(&it, &[], depth)));
        before.extend(other_side(&child).into_iter().take(6).map(|it| query(&it, &[], depth)));
        for depth in 1..depth {
            before.push(Query { depth, ..suspect.question.clone() });
        }
        if before.iter().any(|it| self.is_wrong_after(it, suspect)) {
            Class::StateKey
        } else {
            Class::StateOrder
        }
    }

    /// The class of a count that is also wrong in a new process, although everything below it is
    /// right. In the first three plies, no two lines lead to the same position, so the key cannot
    /// cause an error there.
    pub(super) fn undo_or_key(&mut self, start: &Position, path: &[Move], depth: u32) -> Class {
        let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
        for depth in 2..=depth.min(3) {
            self.session.restart();
            let right = truth::perft(&here, depth);
            if self.session.count(&query(start, path, depth)).is_ok_and(|it| it != right) {
                return Class::StateUndo;
            }
        }
        Class::StateKey
    }

    /// Does a new process make the error of a case? `None` if it gives no answer because the budget
    /// is spent.
    pub(crate) fn reproduces(&mut self, case: &Case) -> Option<bool> {
        if !case.is_fresh {
            return Some(false);
        }
        self.session.restart();
        self.forget_count();
        let question = case.question();
        let answer = match self.list_or_divide(&question) {
            Err(Trouble::Unsupported) => {
                self.session.count(&question).map(|got| got != case.expected)
            }
            Ok(divide) => {
                let position = case.position();
                let is_wrong = Diff::of(&position, &divide.texts()).is_wrong()
                    || divide.total.is_some_and(|total| total != divide.sum())
                    || divide.count() != case.expected
                    || has_wrong_count(&divide, &position, question.depth);
                Ok(is_wrong)
            }
            Err(trouble) => Err(trouble),
        };
        match answer {
            Ok(is_wrong) => Some(is_wrong),
            Err(Trouble::Stopped) => None,
            Err(_) => Some(true),
        }
    }

    fn list_or_divide(&mut self, question: &Query) -> Result<Divide, Trouble> {
        if question.depth == 1 { self.list(question) } else { self.session.divide(question) }
    }

    /// Is the count wrong in a process that has answered only one other question?
    fn is_wrong_after(&mut self, before: &Query, suspect: &Suspect<'_>) -> bool {
        self.session.restart();
        let _ = self.session.count(before);
        let Ok(again) = self.session.divide(suspect.question) else { return false };
        again.moves.iter().any(|(text, count)| {
            truth::resolve(suspect.here, text) == Told::Legal(suspect.mv)
                && count.is_some_and(|it| it != suspect.right)
        })
    }
}

/// Is the count of a single move wrong? The sum may be right all the same.
fn has_wrong_count(divide: &Divide, position: &Position, depth: u32) -> bool {
    divide.moves.iter().any(|(text, count)| match (truth::resolve(position, text), count) {
        (Told::Legal(mv), &Some(count)) => count != truth::perft(&position.play(mv), depth - 1),
        _ => false,
    })
}

/// The same position without castling rights, or with all rights that the placement allows if it
/// has none.
fn other_rights(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    if setup.castling.is_empty() {
        for (king, rooks) in
            [(Square::E1, [Square::A1, Square::H1]), (Square::E8, [Square::A8, Square::H8])]
        {
            let Some(color) = setup.board.color_on(king) else { continue };
            let is_home =
                setup.board.role_on(king) == Some(Role::King) && color.back_rank() == king.rank();
            for rook in rooks {
                let piece = Piece { color, role: Role::Rook };
                if is_home && setup.board.piece_on(rook) == Some(piece) {
                    setup.castling.add(rook);
                }
            }
        }
        if setup.castling.is_empty() {
            return None;
        }
    } else {
        setup.castling.remove(Bitboard::FULL);
    }
    Position::from_setup(&setup).ok()
}

/// A position from which a single push leads to the same placement as the double push.
fn single_push(here: &Position, mv: Move) -> Option<Position> {
    if mv.kind() != MoveKind::DoublePush {
        return None;
    }
    let mut setup = here.to_setup();
    let pawn = setup.board.piece_on(mv.from());
    setup.board.set(mv.from(), None);
    setup.board.set(mv.from().step(here.turn().forward())?, pawn);
    Position::from_setup(&setup).ok()
}

/// Positions from which a quiet move leads to the same placement with the other side to move.
fn other_side(child: &Position) -> Vec<Position> {
    let quiet = child.legal_moves().into_iter().filter(|it| it.kind() == MoveKind::Quiet);
    let backwards = quiet.filter(|&it| child.role_of(it) != Role::Pawn).map(|back| {
        let mut setup = child.to_setup();
        setup.en_passant = None;
        let piece = setup.board.piece_on(back.from());
        setup.castling.remove(back.from().bitboard());
        setup.board.set(back.from(), None);
        setup.board.set(back.to(), piece);
        Position::from_setup(&setup).ok()
    });
    backwards.flatten().collect()
}
