//! Positions as objects.

use serde::Serialize;
use tabiya::{File, Move, PackedPosition, Rank, Square};
use tabiya_views::explain;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::{Fields, color_of, has_only, move_text, position, square_of};
use crate::board::explain::{Answer, explained};
use crate::board::parts::{Ending, Placed, pieces};
use crate::error::{Failure, js, list};
use crate::moves::{LegalMove, kind_of, rook_of};

/// The moves that a caller asks for.
#[derive(Clone, Debug, Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MoveFilter {
    /// Only the moves of this kind.
    #[tsify(optional, type = "Kind")]
    pub kind: Option<String>,
    /// Only the moves of the piece on this square.
    #[tsify(optional, type = "Square")]
    pub square: Option<String>,
}

impl MoveFilter {
    /// Reads a kind, an object, or nothing.
    fn read(value: &JsValue) -> Result<Self, Failure> {
        if let Some(kind) = value.as_string() {
            return Ok(Self { kind: Some(kind), square: None });
        }
        if value.is_undefined() || value.is_null() {
            return Ok(Self::default());
        }
        let given = Fields::of(value, "a kind of moves, or an object { kind, square }")?;
        has_only(value, "moves", &["kind", "square"])?;
        Ok(Self { kind: given.text("kind")?, square: given.text("square")? })
    }
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// `white` or `black`.
    #[tsify(type = "Color")]
    pub color: &'static str,
    /// Its role, such as `pawn`.
    #[tsify(type = "Role")]
    pub role: &'static str,
}

#[wasm_bindgen]
extern "C" {
    type Map;

    #[wasm_bindgen(constructor)]
    fn new() -> Map;

    #[wasm_bindgen(method)]
    fn set(this: &Map, key: &str, value: Vec<String>);
}

/// A playable chess position, standard or Chess960. It never changes: `play` returns another one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[wasm_bindgen]
pub struct Position {
    inner: tabiya::Position,
}

impl From<tabiya::Position> for Position {
    fn from(inner: tabiya::Position) -> Self {
        Self { inner }
    }
}

impl Position {
    pub(crate) const fn inner(&self) -> &tabiya::Position {
        &self.inner
    }
}

#[wasm_bindgen]
impl Position {
    /// Creates a position from a FEN (also X-FEN and Shredder-FEN), a name such as `kiwipete`, or
    /// `chess960:518`. The default is the usual start.
    ///
    /// Throws an `InputError` that says which part of the text is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(text: Option<String>) -> Result<Self, Failure> {
        let text = text.as_deref().unwrap_or("startpos");
        Ok(position(text, "")?.into())
    }

    /// The start position of Chess960 with a number from 0 to 959; 518 is the usual one. Black may
    /// have a different arrangement.
    pub fn chess960(number: f64, black: Option<f64>) -> Result<Self, Failure> {
        let whole = |number: f64| {
            let found = number as u16;
            let wrong =
                || Failure::of("", "a start position of Chess960 is a number from 0 to 959");
            if f64::from(found) == number { Ok(found) } else { Err(wrong()) }
        };
        let (white, black) = (whole(number)?, whole(black.unwrap_or(number))?);
        Self::new(Some(format!("chess960:{white},{black}")))
    }

    /// The position in FEN.
    #[wasm_bindgen(getter)]
    pub fn fen(&self) -> String {
        self.inner.fen().to_string()
    }

    /// The side to move.
    #[wasm_bindgen(getter, unchecked_return_type = "Color")]
    pub fn turn(&self) -> String {
        self.inner.turn().name().to_owned()
    }

    /// Is castling written as the king taking its rook, as in Chess960?
    #[wasm_bindgen(getter, js_name = isChess960)]
    pub fn is_chess960(&self) -> bool {
        self.inner.castling_mode() == tabiya::CastlingMode::Chess960
    }

    /// The Zobrist key: equal positions have equal keys.
    #[wasm_bindgen(getter)]
    pub fn key(&self) -> u64 {
        self.inner.key()
    }

    /// The position in 32 bytes, to store it. The first 24 are the same for equal positions, and
    /// for these only.
    #[wasm_bindgen(getter)]
    pub fn packed(&self) -> Vec<u8> {
        PackedPosition::of(&self.inner).to_bytes().to_vec()
    }

    /// The position of 32 bytes that `packed` has given. Throws an `InputError` if they are not
    /// those of a position.
    #[wasm_bindgen(js_name = fromPacked)]
    pub fn from_packed(bytes: &[u8]) -> Result<Self, Failure> {
        let wrong = || Failure::of("", format!("a position has 32 bytes, not {}", bytes.len()));
        let packed = PackedPosition::from_bytes(bytes.try_into().map_err(|_| wrong())?);
        packed.unpack().map(Self::from).map_err(|error| Failure::of("", error))
    }

    /// The number of plies since the last capture or pawn move.
    #[wasm_bindgen(getter, js_name = halfmoveClock)]
    pub fn halfmove_clock(&self) -> u16 {
        self.inner.halfmove_clock()
    }

    /// The number of the current move.
    #[wasm_bindgen(getter, js_name = fullmoveNumber)]
    pub fn fullmove_number(&self) -> u16 {
        self.inner.fullmove_number()
    }

    /// Is the side to move in check?
    #[wasm_bindgen(getter, js_name = isCheck)]
    pub fn is_check(&self) -> bool {
        self.inner.is_check()
    }

    /// Is the side to move in check and without a legal move?
    #[wasm_bindgen(getter, js_name = isCheckmate)]
    pub fn is_checkmate(&self) -> bool {
        self.inner.is_checkmate()
    }

    /// Is the side to move not in check and without a legal move?
    #[wasm_bindgen(getter, js_name = isStalemate)]
    pub fn is_stalemate(&self) -> bool {
        self.inner.is_stalemate()
    }

    /// The end of the game, as far as the position shows it; `undefined` if it continues. A `Game`
    /// also knows repetitions.
    #[wasm_bindgen(getter, unchecked_return_type = "Ending | undefined")]
    pub fn outcome(&self) -> Result<JsValue, Failure> {
        optional(self.inner.outcome().map(Ending::from))
    }

    /// The pieces, from a1 to h8.
    #[wasm_bindgen(getter)]
    pub fn pieces(&self) -> Result<Vec<Ts<Placed>>, Failure> {
        list(pieces(self.inner.board().iter()))
    }

    /// The piece on a square such as `e4`; `undefined` if it is empty.
    #[wasm_bindgen(js_name = pieceAt, unchecked_return_type = "Piece | undefined")]
    pub fn piece_at(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Square")] square: &str,
    ) -> Result<JsValue, Failure> {
        let piece = self.inner.piece_on(square_of(square)?);
        optional(piece.map(|it| Piece { color: it.color.name(), role: it.role.name() }))
    }

    /// The legal moves, or only those of one kind, or those of the piece on a square:
    /// `moves("captures")`, `moves({ square: "e2" })`.
    pub fn moves(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Kind | MoveFilter")] only: &JsValue,
    ) -> Result<Vec<Ts<LegalMove>>, Failure> {
        list(self.chosen(&MoveFilter::read(only)?)?)
    }

    /// Does a piece of this colour attack a square? It does not matter whether it is pinned.
    #[wasm_bindgen(js_name = isAttacked)]
    pub fn is_attacked(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Square")] square: &str,
        #[wasm_bindgen(unchecked_param_type = "Color")] by: &str,
    ) -> Result<bool, Failure> {
        let by = self.inner.board().color(color_of(by)?);
        Ok((self.inner.attackers_to(square_of(square)?) & by).any())
    }

    /// The number of legal moves.
    #[wasm_bindgen(js_name = countMoves)]
    pub fn count_moves(&self) -> usize {
        self.inner.legal_moves().len()
    }

    /// Where each piece can move, as boards want it: `movable.dests` of chessground. The king castles
    /// onto the rook, and in standard chess to its target as well.
    #[wasm_bindgen(unchecked_return_type = "Map<Square, Square[]>")]
    pub fn dests(&self) -> JsValue {
        let dests = Map::new();
        for (from, targets) in self.targets() {
            dests.set(&from.to_string(), targets.iter().map(ToString::to_string).collect());
        }
        dests.into()
    }

    /// A legal move: by text in any notation, such as `e2e4`, `Nf3` or `O-O`, or by its squares,
    /// `{ from: "e7", to: "e8", promotion: "queen" }`.
    ///
    /// Throws an `InputError` with every reason if the move is not legal.
    #[wasm_bindgen(js_name = move)]
    pub fn find_move(
        &self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<Ts<LegalMove>, Failure> {
        js(LegalMove::new(&self.inner, legal_move(&self.inner, asked)?))
    }

    /// The position after a move: text in any notation, or its squares.
    ///
    /// Throws an `InputError` with every reason if the move is not legal.
    pub fn play(
        &self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<Self, Failure> {
        Ok(self.inner.play(legal_move(&self.inner, asked)?).into())
    }

    /// The position after a move; `undefined` if there is no such legal move.
    #[wasm_bindgen(js_name = tryPlay)]
    pub fn try_play(
        &self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<Option<Self>, Failure> {
        match self.play(asked) {
            Err(failure) if failure.is_type_error => Err(failure),
            played => Ok(played.ok()),
        }
    }

    /// Says whether a move is legal, and gives every reason if it is not.
    ///
    /// Throws an `InputError` if the text is not a move in any notation.
    pub fn explain(
        &self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<Ts<Answer>, Failure> {
        explained(&self.inner, &move_text(&self.inner, asked)?)
    }

    /// The position with colours and ranks exchanged.
    pub fn mirrored(&self) -> Self {
        self.inner.mirrored().into()
    }

    /// Are these the same position? The move counters are ignored.
    pub fn equals(&self, other: &Self) -> bool {
        self == other
    }

    /// The board as text, with letters for the pieces.
    pub fn ascii(&self) -> String {
        // What the library has for this also draws marks, and several boards side by side.
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            text.push_str(&format!("{rank} "));
            for file in File::ALL {
                let piece = self.inner.piece_on(Square::new(file, rank));
                text.push(' ');
                text.push(piece.map_or('.', |piece| piece.fen()));
            }
            text.push('\n');
        }
        text + "   a b c d e f g h\n"
    }

    /// The position in FEN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.fen()
    }

    /// The position in FEN.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn json(&self) -> String {
        self.fen()
    }
}

impl Position {
    /// The pieces that can move, with the squares where a user may drop them.
    fn targets(&self) -> Vec<(Square, Vec<Square>)> {
        let mut all: Vec<(Square, Vec<Square>)> = Vec::new();
        for mv in self.inner.legal_moves() {
            let (from, rook) = (mv.from(), rook_of(&self.inner, mv));
            let place = all.iter().position(|(square, _)| *square == from);
            let place = place.unwrap_or_else(|| {
                all.push((from, Vec::new()));
                all.len() - 1
            });
            let targets = &mut all[place].1;
            let target = (rook.is_none() || !self.is_chess960()).then_some(mv.to());
            for square in target.into_iter().chain(rook) {
                if !targets.contains(&square) {
                    targets.push(square);
                }
            }
        }
        all
    }

    fn chosen(&self, only: &MoveFilter) -> Result<Vec<LegalMove>, Failure> {
        let from = only.square.as_deref().map(square_of).transpose()?;
        let kind = only.kind.as_deref().map(kind_of).transpose()?;
        let is_asked = |mv: &Move| from.is_none_or(|from| mv.from() == from);
        let moves = self.inner.legal_moves().into_iter().filter(is_asked);
        let moves = moves.map(|mv| LegalMove::new(&self.inner, mv));
        Ok(moves.filter(|mv| kind.is_none_or(|kind| mv.kinds.contains(&kind))).collect())
    }
}

/// The legal move that JavaScript asks for.
pub(crate) fn legal_move(position: &tabiya::Position, asked: &JsValue) -> Result<Move, Failure> {
    legal(position, &move_text(position, asked)?)
}

/// The legal move that a text names. If it is not legal, the error has every reason.
pub(crate) fn legal(position: &tabiya::Position, text: &str) -> Result<Move, Failure> {
    let explained = explain::explain(position, text)?;
    explained.legal().ok_or_else(|| {
        let instead = explained.instead();
        let hint = (!instead.is_empty()).then(|| format!("legal: {}", instead.join(", ")));
        Failure { hint, ..Failure::of(text, &explained) }
    })
}

/// Converts a value for JavaScript, or returns `undefined`.
pub(crate) fn optional<T: Tsify<JsType: Into<JsValue>> + Serialize>(
    value: Option<T>,
) -> Result<JsValue, Failure> {
    value.map_or(Ok(JsValue::UNDEFINED), |value| Ok(js(value)?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        Position::new(Some(text.to_owned())).unwrap()
    }

    #[test]
    fn kinds_of_moves_are_separate() {
        let kiwipete = position("kiwipete");
        let count = |kind: &str| {
            let only = MoveFilter { kind: Some(kind.to_owned()), square: None };
            kiwipete.chosen(&only).map(|moves| moves.len()).ok()
        };
        assert_eq!(
            (count("captures"), count("quiets"), count("evasions"), count("quiet")),
            (Some(8), Some(40), Some(0), None)
        );
        assert_eq!(kiwipete.chosen(&MoveFilter::default()).unwrap().len(), 48);
    }

    #[test]
    fn moves_of_a_square_and_attacked_squares() {
        let kiwipete = position("kiwipete");
        let count = |kind: Option<&str>, square: &str| {
            let only =
                MoveFilter { kind: kind.map(str::to_owned), square: Some(square.to_owned()) };
            kiwipete.chosen(&only).map(|moves| moves.len()).ok()
        };
        assert_eq!((count(None, "f3"), count(Some("captures"), "f3")), (Some(9), Some(2)));
        assert_eq!(
            (count(None, "e7"), count(None, "e4"), count(None, "z1")),
            (Some(0), Some(0), None)
        );
        let pinned = position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1");
        for (square, by, expected) in [
            ("d3", "white", true),
            ("e2", "black", true),
            ("e1", "black", false),
            ("a1", "white", false),
        ] {
            assert_eq!(pinned.is_attacked(square, by).unwrap(), expected, "{square} {by}");
        }
        assert!(
            pinned.is_attacked("e9", "white").is_err() && pinned.is_attacked("e1", "red").is_err()
        );
    }

    #[test]
    fn an_illegal_move_has_every_reason() {
        let error = legal(position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").inner(), "Bd3").unwrap_err();
        assert!(error.message.contains("pinned"), "{error:?}");
        assert_eq!((error.start, error.end), (0, 3));
    }

    #[test]
    fn numbers_of_chess960_are_checked() {
        assert!(Position::chess960(518.0, None).unwrap().is_chess960());
        assert!(Position::chess960(0.0, Some(959.0)).is_ok());
        for wrong in [-1.0, 960.0, 1.5, f64::NAN, f64::INFINITY] {
            assert!(Position::chess960(wrong, None).is_err(), "{wrong}");
        }
    }
}
