//! `docs/json.md` is true: what the program prints as JSON is what it says, and its examples run.
//!
//! Each section of the document is about one schema. It has a line ``Schema: `NAME/VERSION` ``, a
//! table of fields, and examples: blocks that begin with ```` ```console ````, with prompts (`$ `)
//! and below some of them the object that comes out, broken into lines for reading.
//!
//! * Every field that is printed has a row, and its value the type that the row says.
//! * Every row is seen in an example, unless it is part of what may be null.
//! * What an example shows has the fields that are printed.
//!
//! A type is `string`, `count` (a string of digits), `integer`, `number`, `boolean`, `object`,
//! `array` or `array of TYPE`, perhaps followed by `or null`, or it is `any`, and what is inside then
//! needs no rows. A path such as `moves[].nodes` leads to the fields of an array's elements, and `*`
//! stands for any name.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::program::{directory, repository, run};
use crate::shell;

/// What the document says about one schema.
#[derive(Debug)]
struct Section {
    schema: String,
    /// The type of each path.
    rows: BTreeMap<String, String>,
    /// Commands, and the object that each is said to print.
    examples: Vec<(String, Option<Value>)>,
}

/// The sections of the document; nothing if the crate is built without the repository around it.
fn sections() -> Vec<Section> {
    let Ok(document) = fs::read_to_string(repository("docs/json.md")) else { return Vec::new() };
    document.split("\n## ").filter_map(section).collect()
}

fn section(text: &str) -> Option<Section> {
    let schema = text.split_once("\nSchema: `")?.1.split_once('`')?.0.to_owned();
    let mut rows = BTreeMap::new();
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [path, kind, meaning] = cells[..] else { panic!("{row}") };
        assert!(!meaning.is_empty(), "{row}");
        rows.insert(path.trim_matches('`').to_owned(), kind.to_owned());
    }
    let mut examples = Vec::new();
    for block in text.split("```console\n").skip(1) {
        let block = block.split_once("```").expect("blocks end").0;
        for shown in block.split("$ ").skip(1) {
            let (command, output) = shown.split_once('\n').unwrap_or((shown, ""));
            let is_shown = !output.trim().is_empty();
            let object = is_shown.then(|| serde_json::from_str(output).expect("valid JSON"));
            examples.push((command.to_owned(), object));
        }
    }
    Some(Section { schema, rows, examples })
}

/// Does a value have a type?
fn has_type(value: &Value, kind: &str) -> bool {
    if let Some(kind) = kind.strip_suffix(" or null") {
        return value.is_null() || has_type(value, kind);
    }
    if let (Some(kind), Value::Array(elements)) = (kind.strip_prefix("array of "), value) {
        return elements.iter().all(|element| has_type(element, kind));
    }
    match kind {
        "string" => value.is_string(),
        "count" => value.as_str().is_some_and(|text| text.parse::<u128>().is_ok()),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "any" => true,
        _ => false,
    }
}

/// Goes through the fields of an object, each with its path.
fn each_field<'a>(value: &'a Value, path: &str, found: &mut dyn FnMut(String, &'a Value)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                found(path.clone(), value);
                each_field(value, &path, found);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                each_field(element, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

impl Section {
    /// The row for a path: its own, or that of something around it which may be anything.
    fn row(&self, path: &str) -> Option<(&str, &str)> {
        let mut at = path;
        loop {
            let parent = at.rsplit_once('.').map(|(parent, _)| parent);
            let found = self.rows.get_key_value(at);
            let found =
                found.or_else(|| self.rows.get_key_value(&parent.map(|it| format!("{it}.*"))?));
            match found {
                Some((row, kind)) if at == path || kind == "any" => return Some((row, kind)),
                _ => at = parent?,
            }
        }
    }

    /// Compares an object with the rows; returns those that were seen.
    fn check(&self, object: &Value) -> Vec<String> {
        let Self { schema, .. } = self;
        let mut seen = Vec::new();
        each_field(object, "", &mut |path, value| {
            let Some((row, kind)) = self.row(&path) else {
                panic!("docs/json.md, {schema}: there is no row for `{path}`");
            };
            assert!(has_type(value, kind), "{schema}: `{path}` is {value}, not {kind}");
            seen.push(row.to_owned());
            if value.is_null() {
                // Whatever is part of it need not be seen.
                let inside = [format!("{path}."), format!("{path}[")];
                let rows = self.rows.keys();
                seen.extend(
                    rows.filter(|row| inside.iter().any(|it| row.starts_with(it))).cloned(),
                );
            }
        });
        let top = self.rows.keys().filter(|path| !path.contains(['.', '[']));
        for path in top {
            assert!(object.get(path).is_some(), "{schema}: `{path}` is not printed");
        }
        seen
    }
}

/// Compares an object that the program has printed with the document.
pub(crate) fn conforms(object: &Value) {
    let sections = sections();
    let schema = object["schema"].as_str().expect("a schema");
    if let Some(section) = sections.iter().find(|section| section.schema == schema) {
        section.check(object);
    } else {
        assert!(sections.is_empty(), "docs/json.md does not know {schema}");
    }
}

/// The paths of an object, without those inside of what may be null.
fn paths(section: &Section, object: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    each_field(object, "", &mut |path, _| {
        let is_optional = |(at, _): (usize, &str)| {
            section.row(&path[..at]).is_some_and(|(_, kind)| kind.ends_with("or null"))
        };
        if !path.match_indices(['.', '[']).any(is_optional) && !paths.contains(&path) {
            paths.push(path);
        }
    });
    paths.sort_unstable();
    paths
}

#[cfg(unix)]
#[test]
fn examples_print_what_is_shown() {
    for section in sections() {
        let home = directory(&section.schema.replace('/', "-"));
        fs::copy(repository("suites/standard.epd"), home.join("standard.epd")).unwrap();
        let mut seen = Vec::new();
        for (command, shown) in &section.examples {
            let end = shell::run(command, &home);
            let Some(shown) = shown else {
                assert_eq!(end.code, Some(0), "$ {command}\n{end:?}");
                continue;
            };
            assert_eq!(end.out.lines().count(), 1, "$ {command}\n{end:?}");
            let printed: Value = serde_json::from_str(&end.out).unwrap();
            assert_eq!(printed["schema"], section.schema, "$ {command}");
            assert_eq!(shown["schema"], section.schema, "$ {command}");
            seen.extend(section.check(&printed));
            section.check(shown);
            assert_eq!(paths(&section, shown), paths(&section, &printed), "$ {command}");
        }
        for path in section.rows.keys() {
            assert!(seen.contains(path), "{}: `{path}` is in no example", section.schema);
        }
    }
}

/// Every subcommand that prints JSON has a section, and prints no other schema.
#[test]
fn every_command_with_json_is_documented() {
    let Ok(document) = fs::read_to_string(repository("docs/json.md")) else { return };
    for name in crate::help::subcommands() {
        if run(&[&name, "--help"]).out.contains("--json") {
            assert!(document.contains(&format!("\n## tabiya {name}")), "{name}");
            assert!(document.contains(&format!("\n$ tabiya {name} ")), "{name}");
        }
    }
}

#[test]
fn types() {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(has_type(&value("\"12\""), "count") && !has_type(&value("\"1.2\""), "count"));
    assert!(has_type(&value("[\"a\"]"), "array of string"));
    assert!(!has_type(&value("[\"a\"]"), "array of count"));
    assert!(has_type(&value("null"), "integer or null") && !has_type(&value("null"), "integer"));
    assert!(!has_type(&value("1.5"), "integer") && has_type(&value("1.5"), "number"));
    let mut found = Vec::new();
    each_field(&value("{\"a\":[{\"b\":1}],\"c\":{\"d\":2}}"), "", &mut |path, _| found.push(path));
    assert_eq!(found, ["a", "a[].b", "c", "c.d"]);
}

#[test]
#[should_panic(expected = "there is no row for `b`")]
fn a_field_without_a_row_is_found() {
    let text = "tabiya x\n\nSchema: `x/1`\n\n| `a` | count | how many |\n";
    section(text).unwrap().check(&serde_json::json!({ "a": "1", "b": 2 }));
}

#[test]
fn what_may_be_anything_needs_no_rows_inside() {
    let text =
        "tabiya x\n\nSchema: `x/1`\n\n| `a` | object | things |\n| `a.*` | any | a thing |\n";
    let seen = section(text).unwrap().check(&serde_json::json!({ "a": { "b": { "c": [1] } } }));
    assert_eq!(seen, ["a", "a.*", "a.*"]);
}

#[test]
#[should_panic(expected = "`a` is 1, not count")]
fn a_value_of_another_type_is_found() {
    let text = "tabiya x\n\nSchema: `x/1`\n\n| `a` | count | how many |\n";
    section(text).unwrap().check(&serde_json::json!({ "a": 1 }));
}
