//! Pieces, moves and endings, as JavaScript sees them.

use serde::Serialize;
use tabiya::{Move, Outcome, Setup, Square};
use tabiya_views::StandardPosition;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::square_of;
use crate::error::{Failure, list};

/// A piece on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// Its square, such as `e4`.
    #[tsify(type = "Square")]
    pub square: String,
    /// `white` or `black`.
    #[tsify(type = "Color")]
    pub color: &'static str,
    /// Its role, such as `pawn`.
    #[tsify(type = "Role")]
    pub role: &'static str,
}

/// A move on a board that need not be playable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BoardMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The square that the piece leaves.
    #[tsify(type = "Square")]
    pub from: String,
    /// The square that it moves to; for castling, the king's target.
    #[tsify(type = "Square")]
    pub to: String,
    /// The role that a pawn promotes to.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<&'static str>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// The reason, such as `checkmate`.
    pub reason: &'static str,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Self { result: outcome.result().name(), reason: outcome.reason() }
    }
}

/// A position with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NamedPosition {
    /// The name, such as `kiwipete`.
    pub name: String,
    /// The purpose of the position.
    pub description: String,
    /// The position in FEN.
    pub fen: String,
}

/// The standard positions of perft.
#[wasm_bindgen(js_name = standardPositions)]
pub fn standard_positions() -> Result<Vec<Ts<NamedPosition>>, Failure> {
    list(StandardPosition::ALL.map(|standard| NamedPosition {
        name: standard.name().to_owned(),
        description: standard.description().to_owned(),
        fen: standard.fen().to_owned(),
    }))
}

/// The colour of a square, `light` or `dark`.
#[wasm_bindgen(js_name = squareColor, unchecked_return_type = "\"light\" | \"dark\"")]
pub fn square_color(
    #[wasm_bindgen(unchecked_param_type = "Square")] square: &str,
) -> Result<String, Failure> {
    let square = square_of(square)?;
    let is_dark = (square.file() as usize + square.rank() as usize).is_multiple_of(2);
    Ok(if is_dark { "dark" } else { "light" }.to_owned())
}

pub(crate) fn pieces(board: impl Iterator<Item = (Square, tabiya::Piece)>) -> Vec<Placed> {
    board
        .map(|(square, piece)| Placed {
            square: square.to_string(),
            color: piece.color.name(),
            role: piece.role.name(),
        })
        .collect()
}

pub(crate) fn board_moves(setup: &Setup, moves: Vec<Move>) -> Vec<BoardMove> {
    let shown = |mv: Move| BoardMove {
        uci: setup.uci(mv).to_string(),
        san: setup.san(mv).to_string(),
        from: mv.from().to_string(),
        to: mv.to().to_string(),
        promotion: mv.promotion().map(|role| role.name()),
    };
    moves.into_iter().map(shown).collect()
}
