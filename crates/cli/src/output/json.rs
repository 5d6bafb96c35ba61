//! JSON: one object on one line. Its first field is the name and version of its schema.
//!
//! [`schema`](super::schema) makes the schemas from the types. They are in `docs/schemas` in the
//! repository. `docs/json.md` explains what their versions promise.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::AddAssign;

use serde::{Serialize, Serializer};

/// An object that a command prints.
pub(crate) trait Object: Serialize {
    /// The name and version of its schema, such as `tabiya-perft/1`.
    const SCHEMA: &'static str;
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'a str,
    #[serde(flatten)]
    object: &'a T,
}

/// Writes an object and ends the line.
pub(crate) fn write<T: Object>(out: &mut dyn Write, object: &T) -> io::Result<()> {
    writeln!(out, "{}", text(object)?)
}

/// An object on one line.
pub(crate) fn text<T: Object>(object: &T) -> serde_json::Result<String> {
    let text = serde_json::to_string(&Document { schema: T::SCHEMA, object })?;
    // The filter that removes colours would remove DEL as well. It stands only in strings.
    Ok(text.replace('\u{7f}', "\\u007f"))
}

/// Writes a count of leaf nodes, games or positions as a string of decimal digits, because it may
/// exceed the numbers that most readers of JSON keep exactly.
pub(crate) fn digits<S: Serializer>(count: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

/// A number of games, records or plies, written by [`digits`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub(crate) struct Digits(
    #[serde(serialize_with = "digits")]
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Digits"))]
    u128,
);

impl Digits {
    /// The number.
    pub(crate) const fn number(self) -> u128 {
        self.0
    }
}

impl From<u64> for Digits {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl<T: Into<Self>> AddAssign<T> for Digits {
    fn add_assign(&mut self, more: T) {
        self.0 += more.into().0;
    }
}

/// Writes a value as its displayed text.
pub(crate) fn display<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}
