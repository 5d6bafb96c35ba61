//! Questions, composed of positions and moves.

use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::{Move, Position};

use crate::generator::Query;
use crate::truth;

/// The FEN of a position. It has the en-passant square if a pawn could capture there, legally or
/// not, so that the program has to test for pins.
pub(crate) fn fen(position: &Position) -> String {
    fen_in(position, EnPassantMode::PseudoLegal)
}

/// The FEN with the en-passant square in a convention.
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

pub(crate) fn line(start: &Position, path: &[Move]) -> Vec<Position> {
    let mut line = vec![start.clone()];
    for &mv in path {
        line.push(line[line.len() - 1].play(mv));
    }
    line
}
