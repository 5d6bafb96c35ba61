//! Positions as objects.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize};
use tabiya::movegen::{Captures, Evasions, QuietChecks, Quiets};
use tabiya::{Move, MoveList, PackedPosition, Square};
use tabiya_perft::{Category, Engine, Options};
use tabiya_views::text::{self, Glyphs};
use tabiya_views::{
    Arrow, Diagram, Layer, Scene, explain, squares_of_move,
    svg::{Coordinates, Picture},
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::{color_of, position, square_of};
use crate::error::{Failure, js, list, rust};
use crate::explain::{Answer, explained};
use crate::perft;
use crate::view::{self, Ending, LegalMove, Placed};

/// Options for drawing a position.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct SvgOptions {
    /// The title of the picture, for people who cannot see it. The default is the FEN.
    #[tsify(optional)]
    pub title: Option<String>,
    /// Layers to mark, such as `checkers` or `attacks:e4`; at most 8.
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub layers: Vec<String>,
    /// Arrows, such as `e2e4` or `g1f3:blue`.
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub arrows: Vec<String>,
    /// The last move, such as `e2e4`.
    #[tsify(optional)]
    pub last_move: Option<String>,
    /// Is Black at the bottom?
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub flipped: bool,
    /// Is the background transparent?
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub transparent: bool,
    /// The place of the names of ranks and files; the default is `outside`.
    #[tsify(optional, type = "\"outside\" | \"inside\" | \"none\"")]
    pub coordinates: Option<String>,
    /// The width of the picture in pixels; the height follows from it.
    #[tsify(optional, type = "number")]
    pub size: Option<NonZeroU32>,
}

/// Also accepts a key whose value is `undefined`.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    value: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or_default())
}

impl SvgOptions {
    const KEYS: [&'static str; 8] =
        ["title", "layers", "arrows", "lastMove", "flipped", "transparent", "coordinates", "size"];

    /// Reads an object of JavaScript.
    fn read(object: &Ts<Self>) -> Result<Self, Failure> {
        let options = rust(object)?;
        has_only(&object.js_value(), "svg", &Self::KEYS)?;
        Ok(options)
    }
}

/// The moves that a caller asks for.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct MoveFilter {
    /// Only the moves of this kind.
    #[tsify(optional, type = "Kind")]
    pub kind: Option<String>,
    /// Only the moves of the piece on this square.
    #[tsify(optional)]
    pub square: Option<String>,
}

impl MoveFilter {
    /// Reads a kind, an object, or nothing.
    fn read(value: &JsValue) -> Result<Self, Failure> {
        if value.is_undefined() || value.is_null() {
            return Ok(Self::default());
        }
        if let Some(kind) = value.as_string() {
            return Ok(Self { kind: Some(kind), square: None });
        }
        has_only(value, "moves", &["kind", "square"])?;
        rust(&Ts::<Self>::new_unchecked(value.clone()))
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Object)]
    fn keys(object: &JsValue) -> Result<Vec<String>, JsValue>;
}

/// Has the object no other options than these? The deserializer would ignore them.
pub(crate) fn has_only(object: &JsValue, method: &str, options: &[&str]) -> Result<(), Failure> {
    let keys = keys(object).unwrap_or_default();
    match keys.iter().find(|key| !options.contains(&key.as_str())) {
        Some(key) => Err(Failure::of_type(format!(
            "{method} has no option {key}; its options are {}",
            options.join(", ")
        ))),
        None => Ok(()),
    }
}

/// A legal move with the leaf nodes below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct DividedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The leaf nodes below it.
    pub nodes: u128,
}

/// The leaf nodes of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct CategoryCount {
    /// The name for programs, such as `en_passant`.
    pub key: &'static str,
    /// The heading in tables.
    pub title: &'static str,
    /// The leaf nodes in the category.
    pub nodes: u128,
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
        let text = match black {
            None => format!("chess960:{number}"),
            Some(black) => format!("chess960:{number},{black}"),
        };
        Self::new(Some(text))
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
        list(view::pieces(self.inner.board().iter()))
    }

    /// The piece on a square such as `e4`; `undefined` if it is empty.
    #[wasm_bindgen(js_name = pieceAt, unchecked_return_type = "Piece | undefined")]
    pub fn piece_at(&self, square: &str) -> Result<JsValue, Failure> {
        let on: Square = square.parse().map_err(|error| Failure::of(square, error))?;
        let piece = self.inner.piece_on(on);
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
        square: &str,
        #[wasm_bindgen(unchecked_param_type = "Color")] by: &str,
    ) -> Result<bool, Failure> {
        let by = self.inner.board().color(color_of(by)?);
        Ok((self.inner.attackers_to(square_of(square)?) & by).any())
    }

    /// The number of legal moves, computed without listing them.
    #[wasm_bindgen(js_name = countMoves)]
    pub fn count_moves(&self) -> usize {
        self.inner.count_legal()
    }

    /// The legal move that a text names, in any notation: `e2e4`, `Nf3`, `O-O`.
    ///
    /// Throws an `InputError` with every reason if the move is not legal.
    #[wasm_bindgen(js_name = move)]
    pub fn find_move(&self, text: &str) -> Result<Ts<LegalMove>, Failure> {
        js(LegalMove::new(&self.inner, legal(&self.inner, text)?))
    }

    /// The position after a move in any notation.
    ///
    /// Throws an `InputError` with every reason if the move is not legal.
    pub fn play(&self, text: &str) -> Result<Self, Failure> {
        Ok(self.inner.play(legal(&self.inner, text)?).into())
    }

    /// The position after a move in any notation; `undefined` if there is no such legal move.
    #[wasm_bindgen(js_name = tryPlay)]
    pub fn try_play(&self, text: &str) -> Option<Self> {
        self.play(text).ok()
    }

    /// Says whether a move is legal, and gives every reason if it is not.
    ///
    /// Throws an `InputError` if the text is not a move in any notation.
    pub fn explain(&self, text: &str) -> Result<Ts<Answer>, Failure> {
        explained(&self.inner, text)
    }

    /// A set of squares of the generator, such as `checkers`, `pinned` or `attacks:e4`. Bit 0 is
    /// a1, bit 63 is h8. `layerKinds()` lists all of them.
    pub fn layer(&self, name: &str) -> Result<u64, Failure> {
        Ok(Layer::parse(name)?.squares(&self.inner.clone().into())?.0)
    }

    /// The number of leaf nodes at a depth from 1 to 255. The time grows with the depth.
    pub fn perft(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
    ) -> Result<u128, Failure> {
        perft::count(&Engine::new(Options::default()), &self.inner, perft::depth_of(depth)?)
    }

    /// The leaf nodes below each legal move.
    pub fn divide(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
    ) -> Result<Vec<Ts<DividedMove>>, Failure> {
        list(self.divided(perft::depth_of(depth)?)?)
    }

    /// The leaf nodes of each category: captures, checks, mates and others.
    pub fn categories(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
    ) -> Result<Vec<Ts<CategoryCount>>, Failure> {
        let (depth, options) = (perft::depth_of(depth)?, Options::default());
        let total = tabiya_perft::categories(&self.inner, depth, &options, &()).categories;
        list(Category::ALL.map(|category| {
            let (key, title) = (category.key(), category.title());
            CategoryCount { key, title, nodes: total[category] }
        }))
    }

    /// The position with colours and ranks exchanged.
    pub fn mirrored(&self) -> Self {
        self.inner.mirrored().into()
    }

    /// Are these the same position? The move counters are ignored.
    pub fn equals(&self, other: &Self) -> bool {
        self == other
    }

    /// The board as an SVG picture.
    pub fn svg(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "SvgOptions")] options: Option<
            Ts<SvgOptions>,
        >,
    ) -> Result<String, Failure> {
        self.drawn(options.as_ref().map(SvgOptions::read).transpose()?.unwrap_or_default())
    }

    /// The board as text, with letters for the pieces.
    pub fn ascii(&self) -> String {
        let diagram = Diagram::new(*self.inner.board());
        text::plain(&text::lines(&[diagram], Glyphs::Ascii, 80))
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
    fn chosen(&self, only: &MoveFilter) -> Result<Vec<LegalMove>, Failure> {
        let mut moves = self.of_kind(only.kind.as_deref())?;
        if let Some(square) = &only.square {
            let from = square_of(square)?;
            moves.retain(|mv| mv.from() == from);
        }
        Ok(moves.into_iter().map(|mv| LegalMove::new(&self.inner, mv)).collect())
    }

    fn of_kind(&self, kind: Option<&str>) -> Result<Vec<Move>, Failure> {
        let position = &self.inner;
        Ok(match kind {
            None => position.legal_moves().to_vec(),
            Some("captures") => MoveList::of::<Captures>(position).to_vec(),
            Some("quiets") => MoveList::of::<Quiets>(position).to_vec(),
            Some("quiet-checks") => MoveList::of::<QuietChecks>(position).to_vec(),
            Some("evasions") if !position.is_check() => Vec::new(),
            Some("evasions") => MoveList::of::<Evasions>(position).to_vec(),
            Some(other) => {
                let kinds = "the kinds of moves are captures, quiets, quiet-checks and evasions";
                return Err(Failure::of(other, kinds));
            }
        })
    }

    fn divided(&self, depth: u32) -> Result<Vec<DividedMove>, Failure> {
        let (position, below) = (&self.inner, depth - 1);
        let engine = Engine::new(Options::default());
        let divided = |mv| {
            let (uci, san) = (position.uci(mv).to_string(), position.san(mv).to_string());
            let nodes = perft::count(&engine, &position.play(mv), below)?;
            Ok(DividedMove { uci, san, nodes })
        };
        position.legal_moves().into_iter().map(divided).collect()
    }

    fn drawn(&self, options: SvgOptions) -> Result<String, Failure> {
        if options.layers.len() > Diagram::MAX_LAYERS {
            let most = format!("a picture shows at most {} layers", Diagram::MAX_LAYERS);
            return Err(Failure::of(&options.layers.join(","), most));
        }
        let scene: Scene = self.inner.clone().into();
        let mut diagram =
            Diagram { is_flipped: options.flipped, ..Diagram::new(*self.inner.board()) };
        for name in &options.layers {
            diagram.layers.push(Layer::parse(name)?.evaluate(&scene)?);
        }
        for arrow in &options.arrows {
            diagram.arrows.push(Arrow::parse(arrow)?);
        }
        diagram.last_move = options.last_move.as_deref().map(squares_of_move).transpose()?;
        let title = options.title.unwrap_or_else(|| self.fen());
        let mut picture = Picture::new(vec![diagram], title);
        picture.is_transparent = options.transparent;
        picture.width = options.size.map(NonZeroU32::get);
        if let Some(name) = &options.coordinates {
            let mut places = Coordinates::ALL.into_iter();
            picture.coordinates = places.find(|place| place.name() == name).ok_or_else(|| {
                let names = Coordinates::ALL.map(Coordinates::name).join(", ");
                Failure::of(name, format_args!("expected one of {names}"))
            })?;
        }
        Ok(picture.to_string())
    }
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
        let count = |kind| kiwipete.of_kind(Some(kind)).unwrap().len();
        assert_eq!((count("captures"), count("quiets"), count("evasions")), (8, 40, 0));
        assert_eq!(kiwipete.of_kind(None).unwrap().len(), 48);
        assert!(kiwipete.of_kind(Some("quiet")).is_err());
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
        let error = position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").play("Bd3").unwrap_err();
        assert!(error.message.contains("pinned"), "{error:?}");
        assert_eq!((error.start, error.end), (0, 3));
        assert!(Position::new(None).unwrap().try_play("e5").is_none());
    }

    #[test]
    fn a_divide_adds_up() {
        let moves = position("kiwipete").divided(3).unwrap();
        assert_eq!(moves.iter().map(|it| it.nodes).sum::<u128>(), 97_862);
    }

    #[test]
    fn numbers_of_chess960_are_checked() {
        assert!(Position::chess960(518.0, None).unwrap().is_chess960());
        assert!(Position::chess960(0.0, Some(959.0)).is_ok());
        for wrong in [-1.0, 960.0, 1.5, f64::NAN, f64::INFINITY] {
            assert!(Position::chess960(wrong, None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pictures_show_what_is_asked_for() {
        let options = SvgOptions { layers: vec!["pawns".to_owned()], ..SvgOptions::default() };
        assert!(position("startpos").drawn(options).unwrap().contains("pawns"));
        let wrong = SvgOptions { arrows: vec!["e2".to_owned()], ..SvgOptions::default() };
        assert!(position("startpos").drawn(wrong).is_err());
    }
}
