//! JSON: one object on one line, with the name and version of its schema first.
//!
//! What the objects hold, and what their versions promise, is written down in `docs/json.md`,
//! which a test compares with what is printed.

use std::io::Write;

use serde::{Serialize, Serializer};

use crate::failure::Failure;

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'a str,
    #[serde(flatten)]
    object: &'a T,
}

/// Writes an object of a schema, such as `tabiya-perft/1`, and ends the line.
pub(crate) fn write(
    out: &mut dyn Write,
    schema: &str,
    object: &impl Serialize,
) -> Result<(), Failure> {
    let text = serde_json::to_string(&Document { schema, object })
        .map_err(|error| Failure::Write(error.into()))?;
    Ok(writeln!(out, "{text}")?)
}

/// Writes a count of leaves, games or positions: a text of decimal digits, since it may be larger
/// than the numbers that most readers of JSON keep exactly.
pub(crate) fn digits<S: Serializer>(count: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}
