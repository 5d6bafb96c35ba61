//! The schemas of values that are written in their own way.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The schema of a number that is written by [`digits`](super::json::digits).
pub(crate) struct Digits;

impl JsonSchema for Digits {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digits".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+$" })
    }
}

/// The schema of the seed of a table.
pub(crate) struct Hexadecimal;

impl JsonSchema for Hexadecimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hexadecimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}
