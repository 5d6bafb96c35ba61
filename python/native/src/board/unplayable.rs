//! The moves of boards that are not playable: without kings, with several, or in check by the side
//! that has just moved.

use pyo3::prelude::*;
use tabiya::san::{San, SanAction};
use tabiya::{Move, Role, Setup};

use super::state::king;
use crate::errors::{self, raise};

/// The pseudo-legal moves. Castling moves are legal.
pub(super) fn pseudo_legal(setup: &Setup) -> Vec<Move> {
    let mut moves = setup.pseudo_legal_moves();
    // A lone piece's moves have python-chess's order: programs for learning number them so, and
    // published networks have these numbers.
    moves.reverse();
    // The rook that castles may have shielded the king.
    moves.retain(|&mv| mv.castling().is_none() || setup.keeps_safe(mv.from(), mv));
    moves
}

/// The legal moves: those after which the king is not in check. It's the last one, if a side has
/// several.
pub(super) fn legal(setup: &Setup) -> Vec<Move> {
    let mut moves = pseudo_legal(setup);
    if let Some(king) = king(&setup.board, setup.turn) {
        moves.retain(|&mv| setup.keeps_safe(king, mv));
    }
    moves
}

/// The legal move for a text in algebraic notation.
///
/// # Errors
/// `MoveError`.
pub(super) fn read(py: Python<'_>, setup: &Setup, text: &str) -> PyResult<Move> {
    let (length, fen) = (text.chars().count(), setup.fen().to_string());
    let san = San::from_ascii(text.as_bytes()).map_err(|error| {
        let (start, end) = errors::characters(text, &error.span());
        raise!(py, InvalidMoveError, (error.to_string(), text, start, end, fen.as_str()))
    })?;
    let mut fitting = legal(setup).into_iter().filter(|&mv| fits(setup, &san, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => {
            let reason = format!("{text} is not legal: {NO_REASON}");
            Err(raise!(py, IllegalMoveError, (reason, text, 0, length, fen)))
        }
        (Some(one), Some(other)) => {
            let (one, other) = (setup.lan(one), setup.lan(other));
            let reason = format!("{text} can be {one} or {other}");
            Err(raise!(py, AmbiguousMoveError, (reason, text, 0, length, fen)))
        }
    }
}

/// Why a move is not legal, as far as we know.
pub(super) const NO_REASON: &str = "no piece moves so, or it leaves the king in check";

/// Can a text mean this legal move?
fn fits(setup: &Setup, san: &San, mv: Move) -> bool {
    match san.action {
        SanAction::Castle(side) => mv.castling() == Some(side),
        SanAction::Null => false,
        SanAction::Piece(piece) => {
            // A pawn stays on its file, unless the text says that it captures.
            let file = piece.file.or((piece.role == Role::Pawn).then_some(mv.to().file()));
            mv.castling().is_none()
                && setup.board.role_on(mv.from()) == Some(piece.role)
                && (mv.to(), mv.promotion()) == (piece.to, piece.promotion)
                && file.is_none_or(|file| mv.from().file() == file)
                && piece.rank.is_none_or(|rank| mv.from().rank() == rank)
        }
    }
}
