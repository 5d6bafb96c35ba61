//! Questions: asked, counted, and put together from positions and moves.

use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::{Move, Position};

use super::Hunt;
use crate::generator::{Divide, Generator, Query, Trouble};
use crate::truth;

/// The FEN of a position: with the en-passant square if a pawn could capture there, legal or not, so
/// that a test for pins is asked.
pub(crate) fn fen(position: &Position) -> String {
    fen_in(position, EnPassantMode::PseudoLegal)
}

/// The FEN in a convention for the en-passant square.
pub(crate) fn fen_in(position: &Position, en_passant: EnPassantMode) -> String {
    position.fen_with(FenConvention { en_passant, ..FenConvention::DEFAULT }).to_string()
}

pub(crate) fn query(start: &Position, path: &[Move], depth: u32) -> Query {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for &mv in path {
        moves.push(position.uci(mv).to_string());
        position = position.play(mv);
    }
    Query { fen: fen(start), moves, depth, chess960: truth::is_chess960(start), leaves: 0 }
}

pub(super) fn line(start: &Position, path: &[Move]) -> Vec<Position> {
    let mut line = vec![start.clone()];
    for &mv in path {
        line.push(line[line.len() - 1].play(mv));
    }
    line
}

impl Hunt<'_> {
    /// Asks with the questions and the leaf nodes counted.
    fn ask<T>(
        &mut self,
        query: &Query,
        ask: impl FnOnce(&dyn Generator, &Query) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        if (self.options.stop)() {
            return Err(Trouble::Stopped);
        }
        let leaves = match query.depth {
            0 | 1 => 0,
            depth => truth::position_of(query).map_or(0, |here| truth::perft(&here, depth)),
        };
        let leaves = u64::try_from(leaves).unwrap_or(u64::MAX);
        let answer = ask(self.generator, &Query { leaves, ..query.clone() });
        match &answer {
            Err(Trouble::Unsupported) => return answer,
            Err(trouble) => {
                self.first_trouble.get_or_insert_with(|| trouble.clone());
            }
            Ok(_) => self.answered += 1,
        }
        self.asked += 1;
        self.leaves = self.leaves.saturating_add(leaves);
        answer
    }

    /// The number of leaf nodes.
    pub(super) fn count(&mut self, query: &Query) -> Result<u128, Trouble> {
        self.ask(query, |generator, query| generator.perft(query))
    }

    pub(super) fn divide(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.ask(query, |generator, query| generator.divide(query)) {
            // Nothing to list, and nothing printed.
            Err(Trouble::EarlyExit) if expected == 0 => Ok(Divide::default()),
            answer => answer,
        }
    }

    /// The list of moves: a divide at depth 1, the moves alone, or found out from counts.
    pub(super) fn list(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.divide(query, expected) {
            Err(Trouble::Unsupported) => {}
            answer => return answer,
        }
        match self.ask(query, |generator, query| generator.moves(query)) {
            Err(Trouble::Unsupported) => self.list_by_lines(query),
            // Nothing to list, and nothing printed.
            Err(Trouble::EarlyExit) if expected == 0 => Ok(Divide::default()),
            answer => Ok(Divide {
                moves: answer?.into_iter().map(|mv| (mv, None)).collect(),
                total: None,
            }),
        }
    }

    /// Does a new process give the right count?
    pub(super) fn is_right_when_fresh(&mut self, question: &Query, expected: u128) -> bool {
        self.generator.restart();
        let answer = self.divide(question, expected);
        answer.is_ok_and(|it| it.total.unwrap_or_else(|| it.sum()) == expected)
    }

    /// Is the count of a few plies right?
    pub(super) fn counts_right(&mut self, position: &Position, depth: usize) -> bool {
        let Ok(depth @ 0..=5) = u32::try_from(depth) else { return false };
        let expected = truth::perft(position, depth);
        expected < 300_000
            && self.count(&query(position, &[], depth)).is_ok_and(|it| it == expected)
    }
}
