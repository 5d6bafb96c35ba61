//! FEN, UCI and SAN, written by each program and read by the other.

use std::fmt::Debug;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, FromSetup, Position as _, PositionError};
use tabiya::san::{Leniencies, Leniency};
use tabiya::{CastlingMode, Move, Position};

use super::{Agreed, COZY, Case, Comparer, EXPECTED, SHAKMATY};
use crate::answers::{Answers, Convention};
use crate::kind::Kind;
use crate::peers::{self, Code, State};
use tabiya::SplitMix64;

/// The modes in which an en-passant square is written, of both programs.
const MODES: [(tabiya::fen::EnPassantMode, EnPassantMode); 3] = [
    (tabiya::fen::EnPassantMode::Always, EnPassantMode::Always),
    (tabiya::fen::EnPassantMode::PseudoLegal, EnPassantMode::PseudoLegal),
    (tabiya::fen::EnPassantMode::Legal, EnPassantMode::Legal),
];

impl<A: Answers> Comparer<'_, A> {
    /// FENs in all conventions, both ways.
    pub(super) fn fens(&mut self, case: &Case<'_>) {
        let Some(theirs) = case.shakmaty else { return };
        let (answers, record) = (self.answers, &mut self.record);
        let state = State::of_setup(case.setup);
        let legal = State { double_push: peers::shakmaty::en_passant(theirs), ..state };
        for (mode, their_mode) in MODES {
            let ours = answers.fen(case.position, Convention::XFen(mode)).to_string();
            let text = Fen::from_position(theirs, their_mode).to_string();
            let question = || format!("X-FEN, en passant {mode:?}");
            record.equal(Kind::Fen, SHAKMATY, &ours, &text, question);
            let expected = match mode {
                tabiya::fen::EnPassantMode::Always => state,
                tabiya::fen::EnPassantMode::Legal => legal,
                tabiya::fen::EnPassantMode::PseudoLegal => {
                    let double_push = theirs.ep_square(their_mode).map(u8::from);
                    State { double_push, ..state }
                }
            };
            let read = answers.read_fen(&text).map(|position| State::of(&position));
            record.equal(Kind::Fen, SHAKMATY, read, Ok(expected), || {
                format!("{text}, written by shakmaty, read by tabiya")
            });
            record.equal(Kind::Fen, SHAKMATY, Ok(expected), read_by_shakmaty(&ours), || {
                format!("{ours}, written by tabiya, read by shakmaty")
            });
        }
        let ours = answers.fen(case.position, Convention::Shredder).to_string();
        record.equal(Kind::Fen, SHAKMATY, Ok(state), read_by_shakmaty(&ours), || {
            format!("{ours}, written by tabiya, read by shakmaty")
        });
        let read = answers.read_fen(&ours).map(|position| State::of(&position));
        record.equal(Kind::Fen, EXPECTED, read, Ok(state), || {
            format!("{ours}, written and read by tabiya")
        });
        let Some(board) = case.cozy else { return };
        // Rule: cozy-chess neither reads nor writes a clock over 100. In a FEN, but not in a setup,
        // it also refuses three checkers.
        let has_clock = state.halfmove_clock <= peers::cozy::LAST_PLY;
        let expected = (has_clock && board.checkers().len() < 3).then_some(state);
        let read = cozy_chess::Board::from_fen(&ours, true).ok();
        let read = read.map(|board| peers::cozy::state(&board));
        record.equal(Kind::Fen, COZY, expected, read, || {
            format!("{ours}, written by tabiya, read by cozy-chess")
        });
        if has_clock {
            let text = format!("{board:#}");
            record.equal(Kind::Fen, COZY, &ours, &text, || "Shredder-FEN".to_owned());
            let read = answers.read_fen(&text).map(|position| State::of(&position));
            record.equal(Kind::Fen, COZY, read, Ok(state), || {
                format!("{text}, written by cozy-chess, read by tabiya")
            });
        }
    }

    /// Moves in UCI, in each notation of castling that the position has.
    pub(super) fn uci(&mut self, case: &Case<'_>) {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            if let Ok(position) = case.position.clone().with_castling_mode(mode) {
                self.uci_in(case, &position);
            }
        }
        // Moves of any kind, most of which are not legal. cozy-chess can test a move without a
        // list.
        let Some(board) = case.cozy else { return };
        let Ok(position) = case.position.clone().with_castling_mode(CastlingMode::Chess960) else {
            return;
        };
        let mut random = case.random(Kind::Uci);
        let own = position.board().color(position.turn());
        let own: Vec<tabiya::Square> = own.into_iter().collect();
        for _ in 0..64 {
            let from = random.pick(&own);
            let to = random.pick(&tabiya::Square::ALL);
            let promotion = if to.rank() == (!position.turn()).back_rank() && random.below(2) == 0 {
                Some(random.pick(&tabiya::Role::PROMOTIONS))
            } else {
                None
            };
            let code = Code::new(from as u8, to as u8, promotion.map_or(0, |role| role as u8));
            let expected = board.is_legal(peers::cozy::decode(code));
            let text = tabiya::UciMove { from, to, promotion };
            let found = self.answers.find_uci(&position, text);
            let ours = found.is_some_and(|mv| self.answers.is_legal(&position, mv));
            self.record.equal(Kind::Uci, COZY, ours, expected, || format!("is {code:?} legal?"));
        }
    }

    fn uci_in(&mut self, case: &Case<'_>, position: &Position) {
        let (answers, record) = (self.answers, &mut self.record);
        let mode = position.castling_mode();
        for &Agreed { mv, code, theirs } in case.agreed {
            let ours = answers.uci(position, mv);
            let text = ours.to_string();
            let found = (answers.find_uci(position, ours), answers.is_legal(position, mv));
            record.equal(Kind::Uci, EXPECTED, found, (Some(mv), true), || {
                format!("{text} read strictly, and whether it is legal")
            });
            if let (Some(before), Some(theirs)) = (case.shakmaty, theirs) {
                let written = match mode {
                    CastlingMode::Standard => UciMove::from_standard(theirs),
                    CastlingMode::Chess960 => UciMove::from_chess960(theirs),
                };
                let written = written.to_string();
                record.equal(Kind::Uci, SHAKMATY, &text, &written, || format!("{mode:?} UCI"));
                read(record, SHAKMATY, answers.read_uci(position, &written), mv, &written);
                let found = UciMove::from_ascii(text.as_bytes());
                let found = found.ok().and_then(|it| it.to_move(before).ok());
                record.equal(Kind::Uci, SHAKMATY, Some(theirs), found, || {
                    format!("{text}, written by tabiya, read by shakmaty")
                });
            }
            if let Some(board) = case.cozy {
                let theirs = peers::cozy::decode(code);
                let (written, found) = match mode {
                    CastlingMode::Standard => (
                        cozy_chess::util::display_uci_move(board, theirs).to_string(),
                        cozy_chess::util::parse_uci_move(board, &text),
                    ),
                    CastlingMode::Chess960 => (theirs.to_string(), text.parse()),
                };
                record.equal(Kind::Uci, COZY, &text, &written, || format!("{mode:?} UCI"));
                record.equal(Kind::Uci, COZY, Some(theirs), found.ok(), || {
                    format!("{text}, written by tabiya, read by cozy-chess")
                });
                read(record, COZY, answers.read_uci(position, &written), mv, &written);
            }
        }
    }

    /// Moves in SAN, both ways, and texts that mostly are not moves here.
    pub(super) fn san(&mut self, case: &Case<'_>) {
        let Some(before) = case.shakmaty else { return };
        let (answers, record) = (self.answers, &mut self.record);
        let Case { position, .. } = *case;
        let mut texts: Vec<String> = Vec::with_capacity(case.agreed.len());
        for &Agreed { mv, theirs, .. } in case.agreed {
            let Some(theirs) = theirs else { continue };
            let text = answers.san(position, mv);
            let written = SanPlus::from_move(before.clone(), theirs).to_string();
            record.equal(Kind::San, SHAKMATY, &text, &written, || "SAN".to_owned());
            let found = read_by_shakmaty_san(before, &text);
            record.equal(Kind::San, SHAKMATY, Ok(theirs), found, || {
                format!("{text}, written by tabiya, read by shakmaty")
            });
            let lenient = answers.read_san(position, &written);
            let strict = answers.read_san_strictly(position, &written);
            record.equal(Kind::San, SHAKMATY, [lenient, strict], [Ok(mv), Ok(mv)], || {
                format!("{written}, written by shakmaty, read by tabiya, leniently and strictly")
            });
            texts.push(written);
        }
        // Texts with another square, role or file; most of them are not moves here.
        let mut random = case.random(Kind::San);
        let code = |mv| Code::of(mv, position.turn(), position.castling_rights());
        for text in &texts {
            let text = altered(text, &mut random);
            let theirs = read_by_shakmaty_san(before, &text).map(peers::shakmaty::code);
            // Rule: tabiya reads a move whose sign of capture is missing or wrong, and reports
            // that; shakmaty does not read it. Other leniencies that these texts need are common to
            // both.
            let ours = answers.read_san_reporting(position, &text).ok();
            let is_common = |leniencies: &Leniencies| {
                !leniencies.has(Leniency::MissingCapture) && !leniencies.has(Leniency::ExtraCapture)
            };
            let read = ours.as_ref().filter(|(_, leniencies)| is_common(leniencies));
            record.equal(Kind::San, SHAKMATY, read.map(|&(mv, _)| code(mv)), theirs.ok(), || {
                format!("{text}, which was altered")
            });
            let (lenient, ours) = (answers.read_san(position, &text).ok(), ours.map(|(mv, _)| mv));
            record.equal(Kind::San, EXPECTED, lenient, ours, || {
                format!("{text}, which was altered, with and without a report")
            });
            // The strict reader accepts the text that would be written, and nothing else.
            let strict = answers.read_san_strictly(position, &text).is_ok();
            record.equal(Kind::San, SHAKMATY, strict, texts.contains(&text), || {
                format!("{text}, which was altered, read strictly")
            });
        }
    }
}

/// The text with one letter or digit replaced by another of its sort.
fn altered(text: &str, random: &mut SplitMix64) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    let sorts: [&[u8]; 3] = [b"abcdefgh", b"12345678", b"KQRBN"];
    if let Some(sort) = sorts.into_iter().find(|sort| sort.contains(&bytes[at])) {
        bytes[at] = random.pick(sort);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Compares the move that tabiya reads in a text of a peer with the move that was written.
fn read(
    record: &mut crate::record::Record,
    peer: &'static str,
    ours: Result<Move, String>,
    mv: Move,
    text: &str,
) {
    record.equal(Kind::Uci, peer, ours, Ok(mv), || {
        format!("{text}, written by {peer}, read by tabiya")
    });
}

/// The state that shakmaty reads in a FEN. Chess960 includes all castling rights of standard chess.
fn read_by_shakmaty(text: &str) -> Result<State, String> {
    fn message(error: impl Debug) -> String {
        format!("{error:?}")
    }
    let fen = Fen::from_ascii(text.as_bytes()).map_err(message)?;
    Chess::from_setup(fen.into_setup(), shakmaty::CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map(|position| peers::shakmaty::state(&position))
        .map_err(message)
}

/// The move that shakmaty reads in a SAN.
fn read_by_shakmaty_san(position: &Chess, text: &str) -> Result<shakmaty::Move, String> {
    let san = SanPlus::from_ascii(text.as_bytes()).map_err(|error| error.to_string())?;
    san.san.to_move(position).map_err(|error| error.to_string())
}
