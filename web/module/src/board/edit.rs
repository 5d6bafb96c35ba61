//! The board editor.

use tabiya::{CastlingRights, CastlingSide, Color, Piece, PositionError, Role, Setup, Square};
use tabiya_views::PositionText;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::parts::{BoardMove, board_moves};
use crate::arguments::{color_of, role_of, square_of};
use crate::error::{Failure, list};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A castling right as in FEN: White's are `K`, the king's side, and `Q`, Black's are `k` and `q`. */
export type CastlingLetter = "K" | "Q" | "k" | "q";
"#;

/// Any board, edited step by step: with or without kings, and not always playable.
///
/// Castling rights without king and rook in place are dropped, and so is an en-passant square
/// without its pawn. So an edit never fails because of them. `new Position(editor.fen)` says whether
/// the board can be played.
#[derive(Clone, Debug)]
#[wasm_bindgen]
pub struct Editor(Setup);

#[wasm_bindgen]
impl Editor {
    /// The board of a FEN, a name such as `kiwipete`, or `chess960:518`, after moves in any notation
    /// if there are any.
    ///
    /// Throws an `InputError` that says which part of the text is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(start: &str, moves: Option<String>) -> Result<Self, Failure> {
        let moves = moves.as_deref().unwrap_or_default();
        Ok(Self(PositionText { moves, ..PositionText::new(start) }.scene()?.setup))
    }

    /// The setup in FEN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.fen()
    }

    /// The setup in FEN.
    #[wasm_bindgen(getter)]
    pub fn fen(&self) -> String {
        self.0.fen().to_string()
    }

    /// The legal moves of the board. Without a king of the side to move, all its moves are legal;
    /// with several, none is legal or illegal, and this throws an `InputError`.
    pub fn moves(&self) -> Result<Vec<Ts<BoardMove>>, Failure> {
        let moves = self.0.legal_moves().map_err(|error| Failure::of(&self.fen(), error))?;
        list(board_moves(&self.0, moves))
    }

    /// All moves of the board by the rules of movement alone, with any number of kings.
    #[wasm_bindgen(js_name = pseudoLegalMoves)]
    pub fn pseudo_legal_moves(&self) -> Result<Vec<Ts<BoardMove>>, Failure> {
        list(board_moves(&self.0, self.0.pseudo_legal_moves()))
    }

    /// Removes every piece.
    pub fn clear(&mut self) {
        let (turn, castling_mode) = (self.0.turn, self.0.castling_mode);
        self.0 = Setup { turn, castling_mode, ..Setup::EMPTY };
    }

    /// Exchanges the colours and the ranks.
    pub fn mirror(&mut self) {
        self.0 = self.0.mirrored();
    }

    /// Places a piece, and replaces a piece that is already there.
    pub fn place(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Square")] square: &str,
        #[wasm_bindgen(unchecked_param_type = "Color")] color: &str,
        #[wasm_bindgen(unchecked_param_type = "Role")] role: &str,
    ) -> Result<(), Failure> {
        self.0.board.set(square_of(square)?, Some(piece_of(color, role)?));
        drop_impossible(&mut self.0);
        Ok(())
    }

    /// Empties a square.
    pub fn remove(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Square")] square: &str,
    ) -> Result<(), Failure> {
        self.0.board.set(square_of(square)?, None);
        drop_impossible(&mut self.0);
        Ok(())
    }

    /// Moves a piece without regard to the rules.
    #[wasm_bindgen(js_name = movePiece)]
    pub fn move_piece(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Square")] from: &str,
        #[wasm_bindgen(unchecked_param_type = "Square")] to: &str,
    ) -> Result<(), Failure> {
        let (from, to) = (square_of(from)?, square_of(to)?);
        let piece = self.0.board.piece_on(from);
        self.0.board.set(from, None);
        self.0.board.set(to, piece);
        drop_impossible(&mut self.0);
        Ok(())
    }

    /// Sets the side to move.
    #[wasm_bindgen(js_name = setTurn)]
    pub fn set_turn(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Color")] color: &str,
    ) -> Result<(), Failure> {
        let color = color_of(color)?;
        if color != self.0.turn {
            // The en-passant square is only valid immediately after the double push.
            (self.0.turn, self.0.en_passant) = (color, None);
        }
        Ok(())
    }

    /// The castling rights, each as a letter of FEN: `K`, `Q`, `k` and `q`.
    #[wasm_bindgen(getter, js_name = castlingRights, unchecked_return_type = "CastlingLetter[]")]
    pub fn castling_rights(&self) -> Vec<String> {
        let has = |(_, color, side): &(_, Color, CastlingSide)| {
            let king = self.0.board.king(*color);
            king.is_some_and(|king| self.0.castling.rook(*color, *side, king).is_some())
        };
        RIGHTS.iter().filter(|right| has(right)).map(|(letter, ..)| (*letter).to_owned()).collect()
    }

    /// Gives or takes a castling right, named by its letter. Giving one is an error unless the king
    /// and the rook are in place.
    #[wasm_bindgen(js_name = setCastlingRight)]
    pub fn set_castling_right(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "CastlingLetter")] letter: &str,
        given: bool,
    ) -> Result<(), Failure> {
        let found = RIGHTS.iter().find(|(name, ..)| *name == letter);
        let &(_, color, side) =
            found.ok_or_else(|| Failure::of(letter, "a castling right is K, Q, k or q"))?;
        let king = self.0.board.king(color);
        if let Some(rook) = king.and_then(|king| self.0.castling.rook(color, side, king)) {
            self.0.castling.remove(rook.bitboard());
        }
        if given {
            let rook = with_castling(&self.0, letter)?.castling.rooks();
            rook.iter().for_each(|square| self.0.castling.add(square));
            drop_impossible(&mut self.0);
        }
        Ok(())
    }

    /// The squares that a double push may have just crossed.
    #[wasm_bindgen(getter, js_name = enPassantSquares, unchecked_return_type = "Square[]")]
    pub fn en_passant_squares(&self) -> Vec<String> {
        let is_possible = |square: &Square| {
            let setup = Setup { en_passant: Some(*square), ..self.0.clone() };
            !matches!(setup.validate(), Err(PositionError::EnPassant { .. }))
        };
        Square::ALL.iter().filter(|it| is_possible(it)).map(ToString::to_string).collect()
    }

    /// Sets the en-passant square, as in FEN; `-` removes it.
    #[wasm_bindgen(js_name = setEnPassant)]
    pub fn set_en_passant(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Square | \"-\"")] field: &str,
    ) -> Result<(), Failure> {
        self.0.en_passant = match field {
            "-" => None,
            square => {
                let crossed = Setup { en_passant: Some(square_of(square)?), ..self.0.clone() };
                if matches!(crossed.validate(), Err(PositionError::EnPassant { .. })) {
                    let message = format!("no pawn can just have crossed {square}");
                    return Err(Failure::of(square, message));
                }
                crossed.en_passant
            }
        };
        Ok(())
    }
}

fn piece_of(color: &str, role: &str) -> Result<Piece, Failure> {
    Ok(role_of(role)?.of(color_of(color)?))
}

/// The castling rights by their letters.
const RIGHTS: [(&str, Color, CastlingSide); 4] = [
    ("K", Color::White, CastlingSide::King),
    ("Q", Color::White, CastlingSide::Queen),
    ("k", Color::Black, CastlingSide::King),
    ("q", Color::Black, CastlingSide::Queen),
];

/// The setup with the castling rights of a FEN field, read by the parser of FENs.
fn with_castling(setup: &Setup, text: &str) -> Result<Setup, Failure> {
    let without = Setup { castling: CastlingRights::NONE, en_passant: None, ..setup.clone() };
    let fen = without.fen().to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = text;
    let read = PositionText::new(&fields.join(" ")).scene()?.setup;
    Ok(Setup { en_passant: setup.en_passant, ..read })
}

/// Drops castling rights and an en-passant square that make the setup unplayable.
fn drop_impossible(setup: &mut Setup) {
    for rook in setup.castling.rooks() {
        let color = if rook.rank() as usize == 0 { Color::White } else { Color::Black };
        let king = setup.board.king(color);
        let has_rook = setup.board.pieces(color, Role::Rook).has(rook);
        if !has_rook || king.is_none_or(|king| king.rank() != rook.rank()) {
            setup.castling.remove(rook.bitboard());
        }
    }
    if matches!(setup.validate(), Err(PositionError::EnPassant { .. })) {
        setup.en_passant = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(start: &str, change: impl Fn(&mut Editor) -> Result<(), Failure>) -> String {
        let mut editor = Editor::new(start, None).unwrap();
        change(&mut editor).unwrap();
        editor.fen()
    }

    #[test]
    fn pieces_are_placed_moved_and_removed() {
        let mut editor = Editor::new("8/8/8/8/8/8/8/8 w - - 0 1", None).unwrap();
        editor.place("e1", "white", "king").unwrap();
        assert_eq!(editor.fen(), "8/8/8/8/8/8/8/4K3 w - - 0 1");
        editor.move_piece("e1", "a8").unwrap();
        assert_eq!(editor.fen(), "K7/8/8/8/8/8/8/8 w - - 0 1");
        editor.remove("a8").unwrap();
        assert_eq!(editor.fen(), "8/8/8/8/8/8/8/8 w - - 0 1");
        assert!(editor.place("e9", "white", "king").is_err());
        assert!(editor.place("e1", "red", "king").is_err());
        assert!(editor.place("e1", "white", "emperor").is_err());
    }

    #[test]
    fn a_right_goes_with_its_rook() {
        let fen = edited("startpos", |editor| editor.remove("h1"));
        assert!(fen.contains(" w Qkq - "), "{fen}");
        let fen = edited("startpos", |editor| editor.move_piece("e8", "e6"));
        assert!(fen.contains(" w KQ - "), "{fen}");
    }

    #[test]
    fn rights_and_sides_are_set() {
        let fen = edited("startpos", |it| it.set_castling_right("Q", false));
        assert!(fen.contains(" w Kkq - "), "{fen}");
        assert!(edited(&fen, |it| it.set_castling_right("Q", true)).contains(" w KQkq - "));
        let without = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let no_rook =
            Editor::new(without, None).unwrap().set_castling_right("K", true).unwrap_err();
        assert!(no_rook.message.contains("no king and rook"), "{}", no_rook.message);
        assert!(edited(without, |it| it.set_castling_right("Q", true)).contains(" w Q - "));
        assert!(edited("startpos", |it| it.set_turn("black")).contains(" b KQkq - "));
        let mut editor = Editor::new("startpos", None).unwrap();
        assert_eq!(editor.castling_rights(), ["K", "Q", "k", "q"]);
        assert!(editor.set_castling_right("X", true).is_err());
        assert!(editor.set_en_passant("e3").is_err());
        assert!(editor.set_turn("red").is_err());
        editor.clear();
        assert_eq!(editor.fen(), "8/8/8/8/8/8/8/8 w - - 0 1");
        assert!(editor.set_castling_right("K", true).is_err());
    }

    #[test]
    fn the_en_passant_square_goes_with_its_pawn() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        let without = "4k3/8/8/4P3/8/8/8/4K3 w - - 0 2";
        assert_eq!(edited(fen, |editor| editor.remove("d5")), without);
        assert_eq!(edited(fen, |editor| editor.set_turn("black")), fen.replace("w - d6", "b - -"));
    }

    #[test]
    fn rights_of_inner_rooks_are_kept() {
        let fen = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
        let editor = Editor::new(fen, None).unwrap();
        assert_eq!(editor.castling_rights(), ["Q"]);
        let other = edited(fen, |it| it.set_castling_right("k", false));
        assert_eq!(other, fen);
    }

    #[test]
    fn double_pushes_are_found() {
        let squares = |fen| Editor::new(fen, None).unwrap().en_passant_squares();
        assert_eq!(squares("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2"), ["d6"]);
        assert_eq!(squares("startpos"), [""; 0]);
    }

    #[test]
    fn any_board_has_moves() {
        let shown = |fen: &str| {
            let Editor(setup) = Editor::new(fen, None).unwrap();
            let moves = board_moves(&setup, setup.pseudo_legal_moves());
            moves.into_iter().map(|it| it.san).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("8/8/8/8/8/8/8/N7 w - - 0 1"), "Nc2 Nb3");
        assert_eq!(shown("8/P7/8/8/8/8/8/8 w - - 0 1"), "a8=N a8=B a8=R a8=Q");
        assert_eq!(shown("8/8/8/8/8/8/8/8 w - - 0 1"), "");
    }

    #[test]
    fn colours_are_exchanged() {
        let mut editor = Editor::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None).unwrap();
        editor.mirror();
        assert_eq!(editor.fen(), "4k2r/8/8/8/8/8/8/4K3 b k - 0 1");
    }
}
