//! PGN as a source: the positions of the main line with their moves. An evaluation that a tournament program wrote
//! after a move, `{+0.32/13 0.02s}`, is the score of the position before it; `[%eval 0.25]` is that of the position
//! after it, the next record's. A mate is 32,000 less the plies to it, negative for the side that is mated. A score
//! beyond that is bad, and its record has none.

use std::collections::VecDeque;

use tabiya::{Color, Move};
use tabiya_pgn::{Bytes, Comment, Error, Eval, Place, Played, Reader, Replay, Termination, Token};

use super::{Capabilities, MOST, in_range};
use crate::bad::{Bad, Reason};
use crate::blocks::Block;
use crate::record::{GameResult, Record};

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "pgn",
    extensions: &["pgn"],
    lacks: &[],
    header: "",
    // `Blocks` cuts it, since only the reader of games knows where one ends.
    split: |bytes| Some(bytes.len()),
};

/// Gives out a game when its result is known.
pub(super) struct Decoder<'a> {
    reader: Reader<Bytes<'a>>,
    replay: Replay,
    /// Its records. One whose score is out of range is bad.
    game: Vec<Result<Record, Bad>>,
    /// White's score of the position after the last move.
    eval: Option<Eval>,
    tag: Option<Termination>,
    result: Option<Termination>,
    ready: VecDeque<Result<Record, Bad>>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(block: &'a Block) -> Self {
        let start = Place { byte: block.offset, ..Place::START };
        Self {
            reader: Reader::part(&block.bytes, start, 0),
            replay: Replay::new(),
            game: Vec::new(),
            eval: None,
            tag: None,
            result: None,
            ready: VecDeque::new(),
        }
    }

    /// Reads a game, or up to an error. `false` at the end of the block.
    fn read_game(&mut self) -> Result<bool, Error> {
        while let Some(token) = self.reader.next() {
            let token = token?;
            match token {
                Token::GameStart => (self.eval, self.tag, self.result) = (None, None, None),
                Token::Tag(tag) if tag.name == *"Result" => {
                    self.tag = Termination::from_bytes(tag.value().as_bytes());
                }
                Token::Result(result) => self.result = Some(result),
                Token::Comment(comment) => self.note(&comment),
                Token::VariationStart => {
                    self.reader.skip_variation()?;
                    continue;
                }
                _ => {}
            }
            match self.replay.play(&token) {
                Ok(Played::Move(mv)) => self.record(mv),
                Ok(Played::Null) => self.eval = None,
                Ok(_) if token == Token::GameEnd => {
                    self.give_out();
                    return Ok(true);
                }
                Ok(_) => {}
                Err(error) => {
                    self.give_out();
                    let offset = self.reader.place().byte;
                    let reason = Reason::Move(error.to_string());
                    self.ready.push_back(Err(Bad { offset, reason, record: None }));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn record(&mut self, mv: Move) {
        let position = self.replay.before().clone();
        let score = self.eval.take().map(|eval| score_for(position.turn(), eval));
        let ply = Record::ply_of(&position);
        self.game.push(Ok(Record { position, mv: Some(mv), score: None, result: None, ply }));
        score.into_iter().for_each(|score| self.set_score(score));
    }

    /// Sets the score of the last record.
    fn set_score(&mut self, score: i64) {
        let offset = self.reader.place().byte;
        let Some(last @ Ok(_)) = self.game.last_mut() else { return };
        match in_range(score) {
            Ok(score) => record_of(last).score = Some(score),
            Err(reason) => *last = Err(Bad::new(offset, reason, record_of(last))),
        }
    }

    /// Takes the evaluation from a comment after a move.
    fn note(&mut self, comment: &Comment<'_>) {
        if let Some(evaluation) = comment.eval() {
            self.eval = Some(evaluation.score);
        } else if let Some(last) = self.game.last_mut() {
            let mover = record_of(last).position.turn();
            if let Some(found) = comment.eval_for(mover) {
                self.set_score(score_for(mover, found.score));
            }
        }
    }

    /// The game is over.
    fn give_out(&mut self) {
        let result = match Termination::of_game(self.result, self.tag) {
            Termination::WhiteWins => Some(GameResult::WhiteWins),
            Termination::BlackWins => Some(GameResult::BlackWins),
            Termination::Draw => Some(GameResult::Draw),
            _ => None,
        };
        self.game.iter_mut().for_each(|it| record_of(it).result = result);
        self.ready.extend(self.game.drain(..));
    }
}

/// The record, without its score if that is bad.
fn record_of(entry: &mut Result<Record, Bad>) -> &mut Record {
    match entry {
        Ok(record) => record,
        Err(bad) => bad.record.as_mut().expect("only its score is bad"),
    }
}

impl super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        loop {
            if let Some(next) = self.ready.pop_front() {
                *record = next?;
                return Ok(true);
            }
            match self.read_game() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) => {
                    self.give_out();
                    let reason = Reason::Form(error.kind().to_string());
                    let offset = error.place().byte;
                    self.ready.push_back(Err(Bad { offset, reason, record: None }));
                }
            }
        }
    }
}

/// White's evaluation as a score for a side to move: it mates in an odd number of plies, and is mated in an even one.
fn score_for(side: Color, eval: Eval) -> i64 {
    match eval {
        Eval::Centipawns(white) => {
            let white = i64::from(white);
            if side == Color::White { white } else { -white }
        }
        Eval::Mate(moves) => {
            let plies = 2 * i64::from(moves.unsigned_abs());
            let mates = (moves > 0) == (side == Color::White);
            if mates { i64::from(MOST) - plies + 1 } else { plies - i64::from(MOST) }
        }
    }
}
