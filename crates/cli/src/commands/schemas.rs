//! The schemas of the JSON output, compared with those in `docs/schemas`.
//!
//! `cargo xtask schemas` runs this test. It sets `TABIYA_WRITE_SCHEMAS` to write them.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::Value;

use super::{
    bench, book, compare, data, estimate, explain, frontier, moves, perft, pgn, show, suite, tables,
};
use crate::output::json::Object;

/// The schemas of all objects that subcommands print.
fn schemas() -> Vec<ObjectSchema> {
    vec![
        ObjectSchema::of::<perft::LeafNodesAnswer>(),
        ObjectSchema::of::<perft::CategoriesAnswer>(),
        ObjectSchema::of::<perft::DistinctAnswer>(),
        ObjectSchema::of::<perft::DistinctStatusAnswer>(),
        ObjectSchema::of::<tabiya_runs::checkpoint::StatusReport>(),
        ObjectSchema::of::<estimate::Answer>(),
        ObjectSchema::of::<frontier::Answer<'_>>(),
        ObjectSchema::of::<suite::Answer>(),
        ObjectSchema::of::<pgn::Answer<'_>>(),
        ObjectSchema::of::<pgn::Game<'_>>(),
        ObjectSchema::of::<data::CheckAnswer>(),
        ObjectSchema::of::<data::StatisticsAnswer>(),
        ObjectSchema::of::<bench::Report>(),
        ObjectSchema::of::<moves::Answer>(),
        ObjectSchema::of::<explain::AnswerJson>(),
        ObjectSchema::of::<show::Answer>(),
        ObjectSchema::of::<book::Answer>(),
        ObjectSchema::of::<tables::Answer>(),
        ObjectSchema::of::<compare::Answer>(),
    ]
}

/// The schema of an object that a subcommand prints.
struct ObjectSchema {
    /// The name and version, such as `tabiya-perft/1`.
    name: &'static str,
    /// The schema as JSON.
    schema: Value,
}

impl ObjectSchema {
    fn of<T: Object + JsonSchema>() -> Self {
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

/// The expected files, by name.
fn expected() -> BTreeMap<String, String> {
    let file = |object: ObjectSchema| {
        let text = serde_json::to_string_pretty(&object.schema).expect("a schema is plain JSON");
        (format!("{}.json", object.name.replace('/', "-")), text + "\n")
    };
    schemas().into_iter().map(file).collect()
}

/// The files in the folder, by name.
fn present(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let files = entries.map(|entry| {
        let entry = entry.expect("the folder can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, fs::read_to_string(entry.path()).expect("a schema can be read"))
    });
    files.collect()
}

#[test]
fn the_schemas_in_the_documents_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let (expected, present) = (expected(), present(&folder));
    if env::var_os("TABIYA_WRITE_SCHEMAS").is_some() {
        for name in present.keys().filter(|&name| !expected.contains_key(name)) {
            fs::remove_file(folder.join(name)).expect("a schema can be removed");
        }
        for (name, text) in &expected {
            fs::write(folder.join(name), text).expect("a schema can be written");
        }
        return;
    }
    let mut names: Vec<&String> = expected.keys().chain(present.keys()).collect();
    names.retain(|&name| expected.get(name) != present.get(name));
    assert_eq!(names, Vec::<&String>::new(), "run `cargo xtask schemas` to write these again");
}
