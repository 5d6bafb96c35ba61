//! The schemas of the objects that commands print, made from their types.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::json::Object;

/// The schema of an object.
#[derive(Clone, Debug)]
pub struct ObjectSchema {
    /// The name and version, such as `tabiya-perft/1`.
    pub name: &'static str,
    /// The schema as JSON.
    pub schema: Value,
}

impl ObjectSchema {
    pub(crate) fn of<T: Object + JsonSchema>() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.inline_subschemas = true;
        });
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        RecursiveTransform(tidy).transform(&mut schema);
        schema.insert("title".to_owned(), T::SCHEMA.into());
        add_name(&mut schema, T::SCHEMA);
        Self { name: T::SCHEMA, schema: schema.to_value() }
    }
}

/// Removes formats such as `uint32`, which are not part of the standard, and the line breaks of the
/// source.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    object.shift_remove("format");
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}

/// Adds the first field of every object.
fn add_name(schema: &mut Schema, name: &str) {
    let field =
        json_schema!({ "description": "The name and version of this schema.", "const": name });
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.shift_insert(0, "schema".to_owned(), field.to_value());
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.insert(0, "schema".into());
    }
}

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
