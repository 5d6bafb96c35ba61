//! Validates objects against the schemas in `docs/schemas`.
//!
//! `cargo xtask schemas --check` compares these with the types that they are made from.

use std::collections::{BTreeMap, BTreeSet};

use boon::{Compiler, SchemaIndex};
use serde_json::{Value, json};

use crate::program::Run;

/// All schemas.
pub(crate) struct Schemas {
    compiled: boon::Schemas,
    by_name: BTreeMap<String, SchemaIndex>,
    /// The names of the schemas that have been used.
    seen: BTreeSet<String>,
}

impl Schemas {
    /// Reads the files. Objects must not have fields that their schema lacks.
    pub(crate) fn read() -> Self {
        let mut compiler = Compiler::new();
        let mut names = Vec::new();
        for entry in std::fs::read_dir(crate::repository("docs/schemas")).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let text = crate::read(&format!("docs/schemas/{file}"));
            let mut schema: Value = serde_json::from_str(&text).expect(&file);
            let name = schema["title"].as_str().expect("a title").to_owned();
            assert_eq!(file, file_name(&name));
            assert_eq!(schema["properties"]["schema"]["const"], name);
            check_descriptions(&schema, &name);
            forbid_other_fields(&mut schema);
            compiler.add_resource(&address(&name), schema).unwrap();
            names.push(name);
        }
        let mut compiled = boon::Schemas::new();
        let index = |name: String| {
            let index = compiler.compile(&address(&name), &mut compiled);
            let index = index.unwrap_or_else(|error| panic!("{name}: {error:#}"));
            (name, index)
        };
        let by_name = names.into_iter().map(index).collect();
        Self { compiled, by_name, seen: BTreeSet::new() }
    }

    /// The names and versions, such as `tabiya-perft/1`.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.by_name.keys().cloned().collect()
    }

    /// The names of the schemas that have been used.
    pub(crate) fn seen(&self) -> &BTreeSet<String> {
        &self.seen
    }

    /// Validates an object against the schema that it names.
    pub(crate) fn validate(&mut self, object: &Value) -> Result<(), String> {
        let name = object["schema"].as_str().ok_or("the object names no schema")?;
        let index = self.by_name.get(name).ok_or(format!("there is no schema {name}"))?;
        self.seen.insert(name.to_owned());
        self.compiled.validate(object, *index).map_err(|error| format!("{error:#}\n{object}"))
    }

    /// Validates the single object that the program has printed, and returns it.
    pub(crate) fn check(&mut self, printed: &Run) -> Value {
        assert_eq!(printed.out.lines().count(), 1, "{printed:?}");
        let object = serde_json::from_str(&printed.out).unwrap();
        self.validate(&object).unwrap_or_else(|error| panic!("{error}"));
        object
    }
}

/// The name of the file of a schema.
pub(crate) fn file_name(schema: &str) -> String {
    format!("{}.json", schema.replace('/', "-"))
}

/// The address of a schema for the validator.
fn address(name: &str) -> String {
    format!("https://example.org/{name}")
}

/// Checks that each field of a schema has a description.
fn check_descriptions(schema: &Value, path: &str) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}: {name}");
        let description = field["description"].as_str().unwrap_or_default();
        assert!(description.ends_with('.') || description.ends_with('?'), "{path}");
        check_descriptions(field, &path);
        check_descriptions(&field["items"], &path);
    }
}

/// Readers have to ignore unknown fields, because new ones may be added. But the program must not
/// print fields that the schema does not describe.
fn forbid_other_fields(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if keywords.contains_key("properties") {
                keywords.entry("additionalProperties").or_insert(false.into());
            }
            keywords.values_mut().for_each(forbid_other_fields);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(forbid_other_fields),
        _ => {}
    }
}

#[test]
fn objects_that_do_not_conform_are_found() {
    let mut schemas = Schemas::read();
    let object = json!({
        "schema": "tabiya-suite/1",
        "right": 1,
        "wrong": 0,
        "skipped": 0,
        "unreadable": 1,
        "nodes": "20",
        "seconds": 0.5,
        "threads": 2,
        "complete": true,
        "files": [{
            "file": "a.epd",
            "positions": 1,
            "right": 1,
            "wrong": 0,
            "skipped": 0,
            "nodes": "20",
            "seconds": 0.5,
            "mismatches": [],
            "errors": [{ "line": 2, "column": null, "message": "no board" }],
        }],
    });
    schemas.validate(&object).unwrap();
    for (path, value) in [
        ("/nodes", json!(20)),
        ("/nodes", json!("2e1")),
        ("/threads", json!(0)),
        ("/right", json!(-1)),
        ("/complete", json!(null)),
        ("/files/0/nodes", json!(null)),
        ("/files/0/errors/0/line", json!("2")),
        ("/files/0", json!({ "file": "a.epd" })),
        ("/schema", json!("tabiya-suite/0")),
    ] {
        let mut wrong = object.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        assert!(schemas.validate(&wrong).is_err(), "{path}");
    }
    for path in ["", "/files/0", "/files/0/errors/0"] {
        let mut wrong = object.clone();
        wrong.pointer_mut(path).unwrap()["new"] = json!(1);
        assert!(schemas.validate(&wrong).is_err(), "{path}");
    }
}
