//! JSON: one object on one line, with the version of its schema first.

use std::io::Write;

use serde::Serialize;

use crate::failure::Failure;

/// The version of every object that the program writes. It grows when a field goes or changes
/// its meaning; fields may be added at any time.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// Writes an object and ends the line.
pub(crate) fn write(out: &mut dyn Write, object: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(&Versioned { schema: SCHEMA, object })
        .map_err(|error| Failure::Write(error.into()))?;
    Ok(writeln!(out, "{text}")?)
}

/// Writes an object that has the version of its schema in itself.
pub(crate) fn write_versioned(out: &mut dyn Write, object: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(object).map_err(|error| Failure::Write(error.into()))?;
    Ok(writeln!(out, "{text}")?)
}
