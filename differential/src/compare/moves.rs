//! Legal moves, checks, the positions after moves, and the end of the game.

use cozy_chess::{Board, GameStatus};
use shakmaty::{Chess, Position as _};
use tabiya::movegen::CheckFacts;
use tabiya::{Bitboard, Color, Outcome, Position};

use super::{Agreed, COZY, Case, Comparer, EXPECTED, SHAKMATY};
use crate::answers::Answers;
use crate::kind::Kind;
use crate::peers::{self, Code, State};
use crate::record::{Feature, Record};

/// The moves of one position in all generators, sorted.
#[derive(Default)]
pub(super) struct Lists {
    /// Code and move, in one number.
    ours: Vec<u32>,
    /// Code and index in the list of shakmaty.
    shakmaty: Vec<u32>,
    cozy: Vec<u16>,
}

const fn code(entry: u32) -> Code {
    Code::from_bits((entry >> 16) as u16)
}

impl<A: Answers> Comparer<'_, A> {
    /// Compares the moves, and lists those on which all agree.
    pub(super) fn list(
        &mut self,
        position: &Position,
        shakmaty: Option<&Chess>,
        cozy: Option<&Board>,
        agreed: &mut Vec<Agreed>,
    ) {
        let (turn, rights) = (position.turn(), position.castling_rights());
        let moves = self.answers.legal_moves(position);
        let lists = &mut self.lists;
        lists.ours.clear();
        lists.ours.extend(
            moves.iter().map(|&mv| {
                u32::from(Code::of(mv, turn, rights).bits()) << 16 | u32::from(mv.bits())
            }),
        );
        lists.ours.sort_unstable();
        let their_moves = shakmaty.map(Chess::legal_moves);
        lists.shakmaty.clear();
        if let Some(their_moves) = &their_moves {
            lists.shakmaty.extend(their_moves.iter().enumerate().map(|(index, &mv)| {
                u32::from(peers::shakmaty::code(mv).bits()) << 16 | index as u32
            }));
            lists.shakmaty.sort_unstable();
            let ours = lists.ours.iter().map(|&entry| code(entry));
            compare(&mut self.record, SHAKMATY, ours, lists.shakmaty.iter().map(|&it| code(it)));
        }
        lists.cozy.clear();
        if let Some(board) = cozy {
            peers::cozy::for_each_code(board, |code| lists.cozy.push(code.bits()));
            lists.cozy.sort_unstable();
            let ours = lists.ours.iter().map(|&entry| code(entry));
            compare(&mut self.record, COZY, ours, lists.cozy.iter().copied().map(Code::from_bits));
        }

        agreed.clear();
        let (mut theirs, mut cozys) =
            (lists.shakmaty.iter().peekable(), lists.cozy.iter().peekable());
        for &entry in &lists.ours {
            let bits = (entry >> 16) as u16;
            let Some(mv) = tabiya::Move::from_bits(entry as u16) else { continue };
            while theirs.next_if(|&&it| ((it >> 16) as u16) < bits).is_some() {}
            while cozys.next_if(|&&it| it < bits).is_some() {}
            let their_move = theirs.next_if(|&&it| (it >> 16) as u16 == bits);
            let is_known = their_move.is_some() || shakmaty.is_none();
            if is_known && (cozys.next_if_eq(&&bits).is_some() || cozy.is_none()) {
                let index = their_move.map(|&it| usize::from(it as u16));
                let theirs = index.zip(their_moves.as_ref()).map(|(index, list)| list[index]);
                agreed.push(Agreed { mv, code: Code::from_bits(bits), theirs });
            }
        }
        if let Some(position_of_theirs) = shakmaty {
            let ours = position.en_passant().map(|square| square as u8);
            // shakmaty has to generate moves to answer this.
            let theirs = match position_of_theirs.maybe_ep_square() {
                Some(_) => peers::shakmaty::en_passant(position_of_theirs),
                None => None,
            };
            self.record.equal(Kind::Moves, SHAKMATY, ours, theirs, || {
                "where is a capture en passant legal?".to_owned()
            });
        }
    }

    /// Plays each move in all generators: the positions after it, the move's parts, and checks.
    pub(super) fn play(&mut self, case: &Case<'_>) {
        let (answers, record) = (self.answers, &mut self.record);
        let Case { position, .. } = *case;
        let facts = CheckFacts::of(position);
        let (mut checking, mut promotes, mut castles, mut captures_en_passant) =
            (false, false, false, false);
        for &Agreed { mv, code, theirs } in case.agreed {
            let after = answers.play(position, mv);
            let state = State::of(&after);
            let claim = answers.gives_check(position, &facts, mv);
            let is_check = answers.is_check(&after);
            if let (Some(before), Some(theirs)) = (case.shakmaty, theirs) {
                let parts = (
                    position.role_of(mv) as u8,
                    position.captured_by(mv).map(|role| role as u8),
                    mv.is_en_passant(),
                    mv.castling().is_some(),
                );
                let their_parts = (
                    peers::shakmaty::role_number(theirs.role()),
                    theirs.capture().map(peers::shakmaty::role_number),
                    theirs.is_en_passant(),
                    theirs.is_castle(),
                );
                record.equal(Kind::Moves, SHAKMATY, parts, their_parts, || {
                    format!("{code:?}: role, captured role, en passant, castling")
                });
                let theirs = peers::shakmaty::after(before, theirs);
                let their_check = theirs.is_check();
                record.equal(Kind::Play, SHAKMATY, state, peers::shakmaty::state(&theirs), || {
                    format!("the position after {code:?}")
                });
                record.equal(Kind::Checks, SHAKMATY, claim, their_check, || {
                    format!("does {code:?} give check?")
                });
                record.equal(Kind::Checks, SHAKMATY, is_check, their_check, || {
                    format!("is there a check after {code:?}?")
                });
                checking |= their_check;
            }
            if let Some(board) = case.cozy {
                let theirs = peers::cozy::after(board, code);
                let their_check = !theirs.checkers().is_empty();
                let halfmove_clock = state.halfmove_clock.min(peers::cozy::LAST_PLY);
                let state = State { halfmove_clock, ..state };
                record.equal(Kind::Play, COZY, state, peers::cozy::state(&theirs), || {
                    format!("the position after {code:?}")
                });
                record.equal(Kind::Checks, COZY, claim, their_check, || {
                    format!("does {code:?} give check?")
                });
                record.equal(Kind::Checks, COZY, is_check, their_check, || {
                    format!("is there a check after {code:?}?")
                });
                checking |= their_check;
            }
            promotes |= mv.is_promotion();
            castles |= mv.castling().is_some();
            captures_en_passant |= mv.is_en_passant();
        }
        let checkers = answers.checkers(position);
        let pinned = answers.pinned(position);
        if let Some(theirs) = case.shakmaty {
            record.equal(Kind::Checks, SHAKMATY, checkers, Bitboard(theirs.checkers().0), || {
                "the checkers".to_owned()
            });
            let their_pins = Bitboard(peers::shakmaty::pinned(theirs));
            record.equal(Kind::Checks, SHAKMATY, pinned, their_pins, || "the pinned pieces".into());
        }
        if let Some(board) = case.cozy {
            let us = board.colors(board.side_to_move());
            record.equal(Kind::Checks, COZY, checkers, Bitboard(board.checkers().0), || {
                "the checkers".to_owned()
            });
            // cozy-chess includes enemy pieces that shield the king from their own side.
            let their_pins = Bitboard((board.pinned() & us).0);
            record.equal(Kind::Checks, COZY, pinned, their_pins, || "the pinned pieces".into());
        }
        let ours = position.castling_rights().of(position.turn());
        let pseudo_legal = position.to_setup_with(tabiya::fen::EnPassantMode::PseudoLegal);
        record.note(Feature::Check, checkers.any());
        record.note(Feature::DoubleCheck, checkers.len() == 2);
        record.note(Feature::TripleCheck, checkers.len() > 2);
        record.note(Feature::Pin, pinned.any());
        record.note(Feature::EnPassant, captures_en_passant);
        record.note(
            Feature::EnPassantIllegal,
            !captures_en_passant && pseudo_legal.en_passant.is_some(),
        );
        record.note(Feature::Castling, castles);
        record.note(Feature::CastlingDenied, !castles && ours.any());
        record.note(Feature::Chess960, !case.setup.has_standard_castling());
        record.note(Feature::Promotion, promotes);
        record.note(Feature::CheckingMove, checking);
        record.note(Feature::OverOneHundred, case.agreed.len() > 100);
    }

    /// Makes each move in place, and takes it back.
    pub(super) fn in_place(&mut self, case: &Case<'_>) {
        let (answers, record) = (self.answers, &mut self.record);
        let mut changing = case.position.clone();
        let before = (State::of_setup(case.setup), answers.key(case.position));
        for &Agreed { mv, code, theirs } in case.agreed {
            let undo = answers.make(&mut changing, mv);
            let theirs = case.shakmaty.zip(theirs);
            let expected = match theirs {
                Some((before, mv)) => peers::shakmaty::state(&peers::shakmaty::after(before, mv)),
                None => State::of(&case.position.play(mv)),
            };
            record.equal(Kind::InPlace, SHAKMATY, State::of(&changing), expected, || {
                format!("the position after {code:?} in place")
            });
            let (key, scratch) = (answers.key(&changing), changing.key_from_scratch());
            record.equal(Kind::InPlace, EXPECTED, key, scratch, || {
                format!("the key after {code:?} in place")
            });
            let legal = (answers.count_legal(&changing), changing.en_passant());
            let fresh =
                Position::from_setup(&changing.to_setup_with(tabiya::fen::EnPassantMode::Always));
            let fresh = fresh.map(|fresh| (fresh.count_legal(), fresh.en_passant()));
            record.equal(Kind::InPlace, EXPECTED, Ok(legal), fresh, || {
                format!("the number of moves, and en passant, after {code:?} in place")
            });
            answers.unmake(&mut changing, mv, undo);
            let after = (State::of(&changing), answers.key(&changing));
            record.equal(Kind::InPlace, EXPECTED, after, before, || {
                format!("the position after {code:?} is taken back")
            });
        }
    }

    /// Compares the end of the game, and the sides that can mate.
    pub(super) fn outcome(&mut self, case: &Case<'_>) {
        let (answers, record) = (self.answers, &mut self.record);
        let Case { position, .. } = *case;
        let ours = answers.outcome(position);
        let winner = !position.turn();
        let Some(theirs) = case.shakmaty else { return };
        let [white, black] = [shakmaty::Color::White, shakmaty::Color::Black]
            .map(|color| theirs.has_insufficient_material(color));
        for (color, is_insufficient) in [(Color::White, white), (Color::Black, black)] {
            record.equal(
                Kind::Outcome,
                SHAKMATY,
                answers.can_mate(position, color),
                !is_insufficient,
                || format!("can {color} mate?"),
            );
        }
        // The list of shakmaty was compared already, so an empty one is its answer, too.
        let is_stuck = self.lists.shakmaty.is_empty();
        let expected = if is_stuck && theirs.is_check() {
            Some(Outcome::Checkmate { winner })
        } else if white && black {
            // Rule: without material, a position without moves is not called stalemate.
            Some(Outcome::InsufficientMaterial)
        } else if is_stuck {
            Some(Outcome::Stalemate)
        } else if position.halfmove_clock() >= 150 {
            // Rule: the peers leave counted draws to the caller.
            Some(Outcome::SeventyFiveMoves)
        } else {
            None
        };
        record.equal(Kind::Outcome, SHAKMATY, ours, expected, || "the outcome".to_owned());
        if let Some(board) = case.cozy {
            let is_mate = matches!(ours, Some(Outcome::Checkmate { .. }));
            let status = board.status();
            record.equal(Kind::Outcome, COZY, is_mate, status == GameStatus::Won, || {
                "is it checkmate?".to_owned()
            });
            // Rule: for cozy-chess, a draw that could be claimed after 50 moves is a draw.
            if u32::from(board.halfmove_clock()) < peers::cozy::LAST_PLY {
                let is_stuck = ours == Some(Outcome::Stalemate)
                    || ours == Some(Outcome::InsufficientMaterial) && case.agreed.is_empty();
                record.equal(Kind::Outcome, COZY, is_stuck, status == GameStatus::Drawn, || {
                    "is it stalemate?".to_owned()
                });
            }
        }
        record.note(Feature::Checkmate, matches!(expected, Some(Outcome::Checkmate { .. })));
        record.note(Feature::Stalemate, is_stuck && !theirs.is_check());
        record.note(Feature::Insufficient, white && black);
    }

    /// Compares the number of legal moves.
    pub(super) fn count(&mut self, case: &Case<'_>) {
        let count = self.answers.count_legal(case.position);
        let has = self.answers.has_legal_move(case.position);
        let lists = &self.lists;
        let theirs = case.shakmaty.map(|_| (SHAKMATY, lists.shakmaty.len()));
        let cozys = case.cozy.map(|_| (COZY, lists.cozy.len()));
        for (peer, expected) in theirs.into_iter().chain(cozys) {
            self.record.equal(Kind::Count, peer, (count, has), (expected, expected > 0), || {
                "the number of legal moves, and whether there is one".to_owned()
            });
        }
    }
}

/// Compares two sorted lists of moves.
#[inline(always)]
pub(super) fn compare(
    record: &mut Record,
    peer: &'static str,
    ours: impl Iterator<Item = Code> + Clone,
    theirs: impl Iterator<Item = Code> + Clone,
) {
    record.comparisons[Kind::Moves as usize] += 1;
    if !ours.clone().eq(theirs.clone()) {
        let (ours, theirs): (Vec<Code>, Vec<Code>) = (ours.collect(), theirs.collect());
        let only = |list: &[Code], other: &[Code]| {
            let mut only = list.to_vec();
            only.retain(|code| !other.contains(code));
            format!("{} moves, of which only here: {only:?}", list.len())
        };
        let (ours, theirs) = (only(&ours, &theirs), only(&theirs, &ours));
        record.differ(Kind::Moves, peer, ours, theirs, "the legal moves".to_owned());
    }
}
