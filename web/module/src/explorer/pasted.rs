//! The texts that a user writes or pastes: what they are.

use serde::Serialize;
use tabiya_views::Pasted;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::error::{Failure, js};

/// The meaning of a text. The position and the moves in it are not read yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PastedText {
    /// What the text is.
    #[tsify(
        type = "\"name\" | \"chess960\" | \"fen\" | \"epd\" | \"uci\" | \"address\" | \"moves\" | \"pgn\""
    )]
    pub kind: &'static str,
    /// The position: a FEN, a name or a number of Chess960. Missing for moves from the position on
    /// the board, and for PGN.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, in any notation, or the text of a PGN.
    pub moves: String,
}

/// Recognises a text: a position in any form, moves, a game in PGN, an address with a FEN.
///
/// Throws an `InputError` for a text that is none of them.
#[wasm_bindgen(js_name = readPasted)]
pub fn read_pasted(text: &str) -> Result<Ts<PastedText>, Failure> {
    let Pasted { kind, start, moves, .. } = Pasted::read(text)?;
    js(PastedText { kind: kind.name(), start, moves })
}
