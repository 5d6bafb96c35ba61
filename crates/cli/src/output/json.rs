//! JSON: one object on one line. Its first field is the name and version of its schema.
//!
//! `docs/json.md` in the repository describes the objects and what their versions promise. A test
//! compares it with what is printed.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'a str,
    #[serde(flatten)]
    object: &'a T,
}

/// Writes an object of a schema, such as `tabiya-perft/1`, and ends the line.
pub(crate) fn write(out: &mut dyn Write, schema: &str, object: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(&Document { schema, object })?;
    writeln!(out, "{text}")
}

/// Writes a count of leaf nodes, games or positions as a string of decimal digits: it may be larger
/// than the numbers that most readers of JSON keep exactly.
pub(crate) fn digits<S: Serializer>(count: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

/// Writes a value as the text that it displays as.
pub(crate) fn display<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}
