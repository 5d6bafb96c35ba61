//! Keys, equality, packed forms and the mirrored position.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};
use tabiya::{Position, Setup};

use super::{Agreed, COZY, Case, Comparer, EXPECTED, SHAKMATY};
use crate::answers::Answers;
use crate::kind::Kind;
use crate::peers::{self, Code, State};

impl<A: Answers> Comparer<'_, A> {
    /// The key that was updated with every move, against the key from scratch.
    pub(super) fn key(&mut self, case: &Case<'_>) {
        let scratch = case.position.key_from_scratch();
        self.record.equal(Kind::Key, EXPECTED, self.answers.key(case.position), scratch, || {
            "the key".to_owned()
        });
    }

    /// The keys after each move.
    pub(super) fn keys_after(&mut self, case: &Case<'_>) {
        for &Agreed { mv, code, .. } in case.agreed {
            let after = self.answers.play(case.position, mv);
            let scratch = after.key_from_scratch();
            let ours = [self.answers.key(&after), self.answers.key_after(case.position, mv)];
            self.record.equal(Kind::Key, EXPECTED, ours, [scratch; 2], || {
                format!("the key after {code:?}, and the key foretold for it")
            });
        }
    }

    /// The key of Polyglot's books. shakmaty's 64-bit keys are made of the same numbers.
    ///
    /// Rule: Polyglot counts an en-passant square if a pawn could capture there, legally or not.
    pub(super) fn polyglot(&mut self, case: &Case<'_>) {
        let Some(theirs) = case.shakmaty else { return };
        let Zobrist64(key) = theirs.zobrist_hash(EnPassantMode::PseudoLegal);
        let ours = self.answers.polyglot_key(case.position);
        self.record.equal(Kind::Polyglot, SHAKMATY, ours, key, || "the Polyglot key".to_owned());
    }

    /// Packs and unpacks.
    pub(super) fn packed(&mut self, case: &Case<'_>) {
        let (answers, record) = (self.answers, &mut self.record);
        let Case { position, .. } = *case;
        let mode = position.castling_mode();
        let state = State::of_setup(case.setup);
        // Everything is as it was before.
        let read = answers.unpack(answers.pack(position));
        let read = read.map(|it| (State::of(&it), it.castling_mode(), it.key()));
        let expected = Ok((state, mode, position.key_from_scratch()));
        record.equal(Kind::Packed, EXPECTED, read, expected, || "packed, then unpacked".to_owned());
        // The identity leaves out the properties in which equal positions may differ.
        let read = answers.unpack_identity(answers.identity(position), mode);
        let read = read.map(|it| State::of(&it));
        let en_passant = case.shakmaty.map(peers::shakmaty::en_passant);
        let double_push =
            en_passant.unwrap_or_else(|| position.en_passant().map(|square| square as u8));
        let expected = State { double_push, halfmove_clock: 0, fullmove_number: 1, ..state };
        record.equal(Kind::Packed, EXPECTED, read, Ok(expected), || {
            "the identity packed, then unpacked".to_owned()
        });
        if let (Some(previous), Some(theirs)) = (&self.previous, case.shakmaty)
            && let Ok(their_previous) = peers::shakmaty::position(
                &previous.to_setup_with(tabiya::fen::EnPassantMode::Always),
            )
        {
            let ours = answers.identity(previous) == answers.identity(position);
            record.equal(Kind::Packed, SHAKMATY, ours, their_previous == *theirs, || {
                "is the packed identity the same as that of the position before?".to_owned()
            });
        }
    }

    /// Equality, keys and identities of pairs, most of which are nearly or wholly equal.
    pub(super) fn equal(&mut self, case: &Case<'_>) {
        let Some(theirs) = case.shakmaty else { return };
        let mut random = case.random(Kind::Equal);
        let setup = case.setup;
        let mut variants: Vec<Setup> = Vec::new();
        variants.push(Setup { en_passant: None, ..setup.clone() });
        variants.push(Setup { halfmove_clock: 3, fullmove_number: 77, ..setup.clone() });
        variants.push(Setup { turn: !setup.turn, en_passant: None, ..setup.clone() });
        for rook in setup.castling.rooks() {
            let mut castling = setup.castling;
            castling.remove(rook.bitboard());
            variants.push(Setup { castling, ..setup.clone() });
        }
        for (number, variant) in variants.iter().enumerate() {
            if let (Ok(other), Ok(their_other)) =
                (Position::from_setup(variant), peers::shakmaty::position(variant))
            {
                self.pair([case.position, &other], [theirs, &their_other], || {
                    format!("equality with its variant {number}")
                });
            }
        }
        // The same three moves in two orders.
        for _ in 0..2 {
            let Some(pair) = transposition(case, theirs, &mut random) else { continue };
            let [(ours, theirs), (other, their_other)] = pair.ends;
            let question = || format!("equality after {:?} in both orders", pair.moves);
            self.pair([&ours, &other], [&theirs, &their_other], question);
            if let Some(board) = case.cozy {
                let play = |codes: [Code; 3]| {
                    codes
                        .iter()
                        .fold(board.clone(), |board, &code| peers::cozy::after(&board, code))
                };
                let [a, reply, b] = pair.moves;
                let (one, two) = (play([a, reply, b]), play([b, reply, a]));
                // Rule: cozy-chess is not asked after a double push. It then mistakes the move of
                // any piece from beside the pawn for a capture en passant, so positions seem to
                // differ.
                if one.en_passant().or(two.en_passant()).is_none() {
                    let answer = self.answers.are_equal(&ours, &other);
                    let expected = one.same_position(&two);
                    self.record.equal(Kind::Equal, COZY, answer, expected, question);
                }
            }
        }
    }

    /// Are two positions equal, and their keys and identities accordingly?
    fn pair(
        &mut self,
        [ours, other]: [&Position; 2],
        [theirs, their_other]: [&Chess; 2],
        question: impl Fn() -> String,
    ) {
        let answers = self.answers;
        let expected = theirs == their_other;
        let answer = [
            answers.are_equal(ours, other),
            answers.key(ours) == answers.key(other),
            answers.identity(ours) == answers.identity(other),
        ];
        self.record.equal(Kind::Equal, SHAKMATY, answer, [expected; 3], || {
            format!("{}: of positions, of keys, of packed identities", question())
        });
    }

    /// The mirrored position, and its moves.
    pub(super) fn mirror(&mut self, case: &Case<'_>) {
        let Some(theirs) = case.shakmaty else { return };
        let (answers, record) = (self.answers, &mut self.record);
        let mirrored = answers.mirrored(case.position);
        let their_setup = peers::shakmaty::setup(case.setup).into_mirrored();
        let mode = theirs.castles().mode();
        let their_mirror = their_setup
            .position::<Chess>(mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check);
        let expected = their_mirror.map(|position| peers::shakmaty::state(&position));
        let ours = Ok(State::of(&mirrored));
        record.equal(
            Kind::Mirror,
            SHAKMATY,
            ours,
            expected.map_err(|error| error.to_string()),
            || "the mirrored position".to_owned(),
        );
        let twice = State::of(&answers.mirrored(&mirrored));
        record.equal(Kind::Mirror, EXPECTED, twice, State::of_setup(case.setup), || {
            "the mirrored position, mirrored".to_owned()
        });
        let (turn, rights) = (mirrored.turn(), mirrored.castling_rights());
        let moves = answers.legal_moves(&mirrored);
        let mut codes: Vec<Code> = moves.iter().map(|&mv| Code::of(mv, turn, rights)).collect();
        codes.sort_unstable();
        let list = theirs.legal_moves();
        let mirror = |&mv: &shakmaty::Move| peers::shakmaty::code(mv).mirrored();
        let mut expected: Vec<Code> = list.iter().map(mirror).collect();
        expected.sort_unstable();
        record.equal(Kind::Mirror, SHAKMATY, codes, expected, || {
            "the moves of the mirrored position".to_owned()
        });
    }
}

/// Two ways to play the same three moves.
struct Transposition {
    moves: [Code; 3],
    /// The position at the end of each way, of tabiya and of shakmaty.
    ends: [(Position, Chess); 2],
}

/// A move, a reply and another move that are legal in both orders, if the first attempt finds them.
fn transposition(
    case: &Case<'_>,
    theirs: &Chess,
    random: &mut tabiya::SplitMix64,
) -> Option<Transposition> {
    let moves = theirs.legal_moves();
    let mut pick = |list: &[shakmaty::Move]| {
        if list.is_empty() { None } else { Some(random.pick(list)) }
    };
    let a = pick(&moves)?;
    let after_a = peers::shakmaty::after(theirs, a);
    let reply = pick(&after_a.legal_moves())?;
    let b = pick(&peers::shakmaty::after(&after_a, reply).legal_moves())?;
    let codes = [a, reply, b].map(peers::shakmaty::code);
    let play = |order: [Code; 3]| {
        let mut end = (case.position.clone(), theirs.clone());
        for code in order {
            let (turn, rights) = (end.0.turn(), end.0.castling_rights());
            let mv =
                end.0.legal_moves().into_iter().find(|&mv| Code::of(mv, turn, rights) == code)?;
            let list = end.1.legal_moves();
            let their_mv = list.iter().find(|&&mv| peers::shakmaty::code(mv) == code)?;
            end = (end.0.play(mv), peers::shakmaty::after(&end.1, *their_mv));
        }
        Some(end)
    };
    let [a, reply, b] = codes;
    Some(Transposition { moves: codes, ends: [play(codes)?, play([b, reply, a])?] })
}
