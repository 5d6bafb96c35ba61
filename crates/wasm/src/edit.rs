//! The board editor: changes of a setup, written as FEN again.

use serde::Deserialize;
use tabiya::{CastlingRights, Color, Piece, Role, Setup, Square};
use tabiya_frontend::PositionText;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::error::{Failure, rust};
use crate::view::scene;

/// A piece to be placed.
#[derive(Clone, Debug, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditedPiece {
    /// `white` or `black`.
    #[tsify(type = "Color")]
    pub color: String,
    /// Its role, such as `pawn`.
    #[tsify(type = "Role")]
    pub role: String,
}

/// Changes of a setup. What is not mentioned stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Edit {
    /// Removes every piece first.
    #[tsify(optional)]
    pub clear: bool,
    /// The square to empty.
    #[tsify(optional)]
    pub remove: Option<String>,
    /// The square of the new piece.
    #[tsify(optional)]
    pub place: Option<String>,
    /// The new piece.
    #[tsify(optional)]
    pub piece: Option<EditedPiece>,
    /// The side to move.
    #[tsify(optional, type = "Color")]
    pub turn: Option<String>,
    /// The castling rights as in FEN.
    #[tsify(optional)]
    pub castling: Option<String>,
    /// The en-passant square as in FEN; `-` removes it.
    #[tsify(optional)]
    pub en_passant: Option<String>,
    /// Colours and ranks exchanged.
    #[tsify(optional)]
    pub mirror: bool,
}

/// The position after some moves with changes, as FEN. It need not be playable.
///
/// Castling rights without king and rook in place and an en-passant square without its pawn are
/// dropped, so that an editor does not stumble over them.
#[wasm_bindgen]
pub fn edit(start: &str, moves: &str, change: Ts<Edit>) -> Result<String, Failure> {
    edited(start, moves, &rust(&change)?)
}

fn edited(start: &str, moves: &str, change: &Edit) -> Result<String, Failure> {
    let mut setup = scene(start, moves)?.setup;
    if change.clear {
        setup = Setup { turn: setup.turn, castling_mode: setup.castling_mode, ..Setup::EMPTY };
    }
    if change.mirror {
        setup = setup.mirrored();
    }
    if let Some(square) = &change.remove {
        setup.board.set(square_of(square)?, None);
    }
    match (&change.place, &change.piece) {
        (Some(square), Some(piece)) => {
            setup.board.set(square_of(square)?, Some(piece_of(piece)?));
        }
        (None, None) => {}
        _ => return Err(Failure::of("", "a piece to place needs its square")),
    }
    if let Some(turn) = &change.turn {
        let color = color_of(turn)?;
        if color != setup.turn {
            // A double push is answered at once or not at all.
            (setup.turn, setup.en_passant) = (color, None);
        }
    }
    if let Some(text) = &change.castling {
        setup = with_castling(&setup, text)?;
    }
    if let Some(text) = &change.en_passant {
        setup.en_passant = match text.as_str() {
            "-" | "" => None,
            square => Some(square_of(square)?),
        };
    }
    drop_impossible(&mut setup);
    Ok(setup.fen().to_string())
}

fn square_of(text: &str) -> Result<Square, Failure> {
    text.parse().map_err(|error| Failure::of(text, error))
}

fn color_of(text: &str) -> Result<Color, Failure> {
    let found = Color::ALL.into_iter().find(|color| color.name() == text);
    found.ok_or_else(|| Failure::of(text, "a colour is white or black"))
}

fn piece_of(piece: &EditedPiece) -> Result<Piece, Failure> {
    let role = Role::ALL.into_iter().find(|role| role.name() == piece.role);
    let role = role.ok_or_else(|| Failure::of(&piece.role, "there is no role of this name"))?;
    Ok(role.of(color_of(&piece.color)?))
}

/// The setup with the castling rights of a field of FEN, read by the reader of FEN.
fn with_castling(setup: &Setup, text: &str) -> Result<Setup, Failure> {
    let without = Setup { castling: CastlingRights::NONE, en_passant: None, ..setup.clone() };
    let fen = without.fen().to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let field = if text.is_empty() { "-" } else { text };
    fields[2] = field;
    let read = PositionText::new(&fields.join(" ")).scene()?.setup;
    Ok(Setup { en_passant: setup.en_passant, ..read })
}

/// Drops the castling rights and the en-passant square with which the setup cannot be played.
fn drop_impossible(setup: &mut Setup) {
    for rook in setup.castling.rooks() {
        let color = if rook.rank() as usize == 0 { Color::White } else { Color::Black };
        let king = setup.board.king(color);
        let has_rook = setup.board.pieces(color, Role::Rook).has(rook);
        if !has_rook || king.is_none_or(|king| king.rank() != rook.rank()) {
            setup.castling.remove(rook.bitboard());
        }
    }
    if matches!(setup.validate(), Err(tabiya::PositionError::EnPassant { .. })) {
        setup.en_passant = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(square: &str, color: &str, role: &str) -> Edit {
        let piece = EditedPiece { color: color.to_owned(), role: role.to_owned() };
        Edit { place: Some(square.to_owned()), piece: Some(piece), ..Edit::default() }
    }

    #[test]
    fn pieces_are_placed_and_removed() {
        let fen = edited("8/8/8/8/8/8/8/8 w - - 0 1", "", &placed("e1", "white", "king")).unwrap();
        assert_eq!(fen, "8/8/8/8/8/8/8/4K3 w - - 0 1");
        let remove = Edit { remove: Some("e1".to_owned()), ..Edit::default() };
        assert_eq!(edited(&fen, "", &remove).unwrap(), "8/8/8/8/8/8/8/8 w - - 0 1");
        assert!(edited(&fen, "", &placed("e9", "white", "king")).is_err());
        assert!(edited(&fen, "", &placed("e1", "white", "man")).is_err());
    }

    #[test]
    fn a_right_goes_with_its_rook() {
        let remove = Edit { remove: Some("h1".to_owned()), ..Edit::default() };
        let fen = edited("startpos", "", &remove).unwrap();
        assert!(fen.contains(" w Qkq - "), "{fen}");
    }

    #[test]
    fn rights_and_sides_are_set() {
        let rights = Edit { castling: Some("Kq".to_owned()), ..Edit::default() };
        assert!(edited("startpos", "", &rights).unwrap().contains(" w Kq - "));
        let turn = Edit { turn: Some("black".to_owned()), ..Edit::default() };
        assert!(edited("startpos", "", &turn).unwrap().contains(" b KQkq - "));
        let wrong = Edit { castling: Some("X".to_owned()), ..Edit::default() };
        assert!(edited("startpos", "", &wrong).is_err());
    }

    #[test]
    fn the_en_passant_square_goes_with_its_pawn() {
        let remove = Edit { remove: Some("d5".to_owned()), ..Edit::default() };
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        assert_eq!(edited(fen, "", &remove).unwrap(), "4k3/8/8/4P3/8/8/8/4K3 w - - 0 2");
    }
}
