//! Questions, composed of positions and moves.

use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::{Move, Position};

use crate::generator::Query;
use crate::truth;

/// A question: the leaf nodes below the position after some moves, or at depth 1 its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// The position that the program is given as FEN.
    pub(crate) start: Position,
    /// The moves that it's told to play from there.
    pub(crate) path: Vec<Move>,
    pub(crate) depth: u32,
    /// When the FEN names an en-passant square.
    pub(crate) en_passant: EnPassantMode,
}

impl Question {
    /// A question whose FEN names the en-passant square if a pawn could capture there, legally or
    /// not, so that the program has to test for pins.
    pub(crate) fn new(start: &Position, path: &[Move], depth: u32) -> Self {
        let (start, path) = (start.clone(), path.to_vec());
        Self { start, path, depth, en_passant: EnPassantMode::PseudoLegal }
    }

    /// The question about the list of moves.
    pub(crate) fn at_depth(&self, depth: u32) -> Self {
        Self { depth, ..self.clone() }
    }

    /// The position after the moves.
    pub(crate) fn position(&self) -> Position {
        self.path.iter().fold(self.start.clone(), |position, &mv| position.play(mv))
    }

    /// The same position by FEN, without moves.
    pub(crate) fn by_fen(&self, en_passant: EnPassantMode) -> Self {
        Self { start: self.position(), path: Vec::new(), depth: self.depth, en_passant }
    }

    /// The question about the position after one more move.
    pub(crate) fn child(&self, mv: Move) -> Self {
        let path = self.path.iter().copied().chain([mv]).collect();
        Self { path, depth: self.depth - 1, ..self.clone() }
    }

    /// The text for the program.
    pub(crate) fn query(&self) -> Query {
        let mut position = self.start.clone();
        let mut moves = Vec::new();
        for &mv in &self.path {
            moves.push(position.uci(mv).to_string());
            position = position.play(mv);
        }
        let fen = fen_in(&self.start, self.en_passant);
        let chess960 = truth::is_chess960(&self.start);
        Query { fen, moves, depth: self.depth, chess960, leaves: 0 }
    }
}

/// The FEN of a position, with the en-passant square if a pawn could capture there.
pub(crate) fn fen(position: &Position) -> String {
    fen_in(position, EnPassantMode::PseudoLegal)
}

/// The FEN with the en-passant square in a convention.
pub(crate) fn fen_in(position: &Position, en_passant: EnPassantMode) -> String {
    position.fen_with(FenConvention { en_passant, ..FenConvention::DEFAULT }).to_string()
}
