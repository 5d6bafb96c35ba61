//! Errors in the form that JavaScript sees.

use serde::Serialize;
use tabiya_views::InputError;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An error in a text: which part is wrong, and why. */
export interface InputError extends Error {
    name: "InputError";
    /** The text. */
    input: string;
    /** The start of the wrong part, as an index of the string. */
    start: number;
    /** The end of the wrong part. */
    end: number;
    /** A suggestion. */
    hint?: string;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Error)]
    type JsError;

    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> JsError;

    type TypeError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> TypeError;

    #[wasm_bindgen(method, setter)]
    fn set_name(this: &JsError, name: &str);

    #[wasm_bindgen(method, setter)]
    fn set_input(this: &JsError, input: &str);

    #[wasm_bindgen(method, setter)]
    fn set_start(this: &JsError, start: usize);

    #[wasm_bindgen(method, setter)]
    fn set_end(this: &JsError, end: usize);

    #[wasm_bindgen(method, setter)]
    fn set_hint(this: &JsError, hint: Option<String>);
}

/// An error in the caller's input. JavaScript sees an `Error` with the fields of `InputError`, or a
/// `TypeError` if the input was not a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The error.
    pub message: String,
    /// The text.
    pub input: String,
    /// The start of the wrong part, in UTF-16 units, as JavaScript counts.
    pub start: usize,
    /// The end of the wrong part.
    pub end: usize,
    /// A suggestion.
    pub hint: Option<String>,
    /// Is the error about the type of a value, and not about a text?
    pub is_type_error: bool,
}

impl Failure {
    /// An error about a value of a wrong type.
    pub fn of_type(message: impl ToString) -> Self {
        Self { is_type_error: true, ..Self::of("", message) }
    }

    /// An error about a whole text.
    pub fn of(input: &str, message: impl ToString) -> Self {
        let end = input.encode_utf16().count();
        Self {
            message: message.to_string(),
            input: input.to_owned(),
            start: 0,
            end,
            hint: None,
            is_type_error: false,
        }
    }
}

impl<E: InputError> From<E> for Failure {
    fn from(error: E) -> Self {
        let (input, span) = (error.input(), error.span());
        let units = |end: usize| input[..end].encode_utf16().count();
        Self {
            message: error.to_string(),
            input: input.to_owned(),
            start: units(span.start),
            end: units(span.end),
            hint: error.hint(),
            is_type_error: false,
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        if failure.is_type_error {
            return TypeError::new(&failure.message).into();
        }
        let error = JsError::new(&failure.message);
        error.set_name("InputError");
        error.set_input(&failure.input);
        error.set_start(failure.start);
        error.set_end(failure.end);
        if failure.hint.is_some() {
            error.set_hint(failure.hint);
        }
        error.into()
    }
}

/// Converts a value for JavaScript.
pub(crate) fn js<T: Tsify + Serialize>(value: T) -> Result<Ts<T>, Failure> {
    value.into_ts().map_err(Failure::of_type)
}

/// Converts a value from JavaScript. The error names the type as its TypeScript declaration does.
#[cfg(feature = "tools")]
pub(crate) fn rust<T>(value: &Ts<T>) -> Result<T, Failure>
where
    T: Tsify<JsType: Clone> + serde::de::DeserializeOwned,
{
    let path = std::any::type_name::<T>();
    let name = path.rsplit("::").next().unwrap_or(path);
    // The deserializer's messages name types of Rust.
    value.to_rust().map_err(|_| {
        Failure::of_type(format!(
            "expected a value of type {name}, as it is declared in TypeScript"
        ))
    })
}

/// Converts several values for JavaScript.
pub(crate) fn list<T: Tsify + Serialize>(
    values: impl IntoIterator<Item = T>,
) -> Result<Vec<Ts<T>>, Failure> {
    values.into_iter().map(js).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_views::PositionText;

    #[test]
    fn places_are_counted_as_in_javascript() {
        let text = PositionText { moves: "e2e4 e7e5 ♘𝄞", ..PositionText::new("startpos") };
        let failure = Failure::from(text.position().unwrap_err());
        assert_eq!(failure.start, 11);
        assert!(failure.end <= failure.input.encode_utf16().count());
    }
}
