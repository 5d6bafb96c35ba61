//! Positions, squares, colours and roles from the texts that JavaScript gives.

#[cfg(feature = "games")]
use tabiya::Rank;
use tabiya::{Color, Position, Role, Square};
use tabiya_views::PositionText;
use wasm_bindgen::prelude::*;

use crate::error::Failure;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A position: a FEN, a name such as `kiwipete`, `chess960:518`, or an object with a FEN, such as a
    `Position`, a `Game` or an `Editor`. */
export type PositionLike = string | { readonly fen: string };
/** A move: text in any notation, or its squares. A `LegalMove` and a `GameMove` are moves as well. */
export type MoveLike = string | MoveSquares;
/** A move by its squares. The king castles to its target or onto the rook. */
export interface MoveSquares {
    readonly from: Square;
    readonly to: Square;
    /** The role for a pawn that promotes, as a word or a letter. Other moves ignore it. */
    readonly promotion?: Role | "n" | "b" | "r" | "q" | undefined;
    /** The rook, if the move castles. */
    readonly rook?: Square | undefined;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Reflect)]
    fn get(object: &JsValue, key: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Object)]
    fn keys(object: &JsValue) -> Result<Vec<String>, JsValue>;
}

/// Has the object no other options than these?
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

/// The text of a position that JavaScript gives.
pub(crate) fn position_text(value: &JsValue) -> Result<String, Failure> {
    let of_object = || get(value, "fen").ok()?.as_string();
    value.as_string().or_else(of_object).ok_or_else(|| {
        Failure::of_type("expected a position: a FEN, a name, or an object with a FEN in `fen`")
    })
}

/// The position that JavaScript gives.
pub(crate) fn position_of(value: &JsValue) -> Result<Position, Failure> {
    position(&position_text(value)?, "")
}

/// The fields of an object of JavaScript.
#[cfg(feature = "games")]
pub(crate) struct Fields<'a> {
    object: &'a JsValue,
    /// What is expected, for errors.
    expected: &'static str,
}

#[cfg(feature = "games")]
impl<'a> Fields<'a> {
    /// The fields of a value that must be an object, or nothing if it may be missing.
    pub(crate) fn of(object: &'a JsValue, expected: &'static str) -> Result<Self, Failure> {
        let fields = Self { object, expected };
        if object.is_object() { Ok(fields) } else { Err(fields.wrong()) }
    }

    fn wrong(&self) -> Failure {
        Failure::of_type(format!("expected {}", self.expected))
    }

    /// A field; nothing if it is missing or `undefined`.
    fn field<T>(
        &self,
        key: &str,
        read: impl FnOnce(&JsValue) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let value = get(self.object, key).map_err(|_| self.wrong())?;
        if value.is_undefined() || value.is_null() {
            return Ok(None);
        }
        read(&value).map(Some).ok_or_else(|| self.wrong())
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Failure> {
        self.field(key, JsValue::as_string)
    }

    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>, Failure> {
        self.field(key, JsValue::as_bool)
    }

    /// A whole number.
    pub(crate) fn number(&self, key: &str) -> Result<Option<u32>, Failure> {
        self.field(key, |value| {
            let (number, whole) = value.as_f64().map(|number| (number, number as u32))?;
            (f64::from(whole) == number).then_some(whole)
        })
    }
}

/// The text of a move that JavaScript gives.
#[cfg(feature = "games")]
pub(crate) fn move_text(position: &Position, value: &JsValue) -> Result<String, Failure> {
    if let Some(text) = value.as_string() {
        return Ok(text);
    }
    let move_of = Fields::of(value, "a move: text, or an object { from, to, promotion }")?;
    let square = |key: &str| move_of.text(key)?.map(|text| square_of(&text)).transpose();
    let (Some(from), Some(to)) = (square("from")?, square("to")?) else {
        return Err(move_of.wrong());
    };
    let mut text = format!("{from}{}", square("rook")?.unwrap_or(to));
    if let Some(name) = move_of.text("promotion")? {
        let is_named = |role: &Role| role.name() == name || role.letter().to_string() == name;
        let role = Role::ALL.into_iter().find(is_named);
        let role = role.ok_or_else(|| Failure::of(&name, "there is no role of this name"))?;
        let is_last = matches!(to.rank(), Rank::First | Rank::Eighth);
        if is_last && position.piece_on(from).is_some_and(|it| it.role == Role::Pawn) {
            text.push(role.letter());
        }
    }
    Ok(text)
}

/// The position after some moves.
pub(crate) fn position(start: &str, moves: &str) -> Result<Position, Failure> {
    Ok(PositionText { moves, ..PositionText::new(start) }.position()?)
}

pub(crate) fn square_of(text: &str) -> Result<Square, Failure> {
    text.parse().map_err(|error| Failure::of(text, error))
}

pub(crate) fn color_of(text: &str) -> Result<Color, Failure> {
    let found = Color::ALL.into_iter().find(|color| color.name() == text);
    found.ok_or_else(|| Failure::of(text, "a colour is white or black"))
}

pub(crate) fn role_of(text: &str) -> Result<Role, Failure> {
    let found = Role::ALL.into_iter().find(|role| role.name() == text);
    found.ok_or_else(|| Failure::of(text, "there is no role of this name"))
}
