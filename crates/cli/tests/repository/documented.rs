//! The JSON that the program prints is what `docs/json.md` says, and its examples run.
//!
//! Each section of the document is about one schema. It has a line ``Schema: `NAME/VERSION` ``, a
//! table of fields, and examples. Examples are blocks that begin with ```` ```console ````, with
//! prompts (`$ `) and, below some of them, the printed object, formatted on several lines.
//!
//! * Every field that is printed has a row, and its value has the type in the row.
//! * Every row occurs in an example, unless it is part of a value that may be null.
//! * The object that an example shows has the fields that are printed.
//!
//! A type is `string`, `count` (a string of digits), `integer`, `number`, `boolean`, `object`,
//! `array` or `array of TYPE`, each with or without `or null`. It may also be `any`: then its fields
//! need no rows. A path such as `moves[].nodes` names a field of the elements of an array, and `*`
//! stands for any name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::program::{Run, command, directory, fine, run, subcommands};
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

/// The sections of the document.
fn sections() -> Vec<Section> {
    let sections: Vec<_> = crate::read("docs/json.md").split("\n## ").filter_map(section).collect();
    assert!(sections.len() >= 11, "docs/json.md has {} sections with a schema", sections.len());
    sections
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

/// Calls a function with each field of an object and its path.
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
    /// The row for a path: its own, or the row of an enclosing value of type `any`.
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

    /// Compares an object with the rows, and returns the rows that occur in it.
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
                // Its parts need not occur.
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

/// Compares the object that the program has printed with the document.
fn check_printed(sections: &[Section], printed: &Run) {
    assert_eq!(printed.out.lines().count(), 1, "{printed:?}");
    let object: Value = serde_json::from_str(&printed.out).unwrap();
    let schema = object["schema"].as_str().expect("a schema");
    let section = sections.iter().find(|section| section.schema == schema);
    let section = section.unwrap_or_else(|| panic!("docs/json.md has no section {schema}"));
    section.check(&object);
}

/// The paths of an object, without those inside a value that may be null.
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

#[test]
fn examples_print_the_objects_that_are_shown() {
    for section in sections() {
        let home = directory(&section.schema.replace('/', "-"));
        std::fs::write(home.join("standard.epd"), tabiya_suites::STANDARD.text).unwrap();
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
            assert!(
                seen.contains(path),
                "{}: `{path}` does not occur in an example",
                section.schema
            );
        }
    }
}

/// Objects that no example shows: calls with other options, and results of other shapes.
#[test]
fn objects_of_other_calls_are_documented() {
    let sections = sections();
    let home = directory("documented");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (frontier, checkpoint) = (file("start-2.zst"), file("kiwipete-4"));
    let kiwipete = ["--position", "kiwipete"];
    let calls: [&[&str]; 22] = [
        &["perft", "0"],
        &["perft", "3", "--threads", "3", "--divide"],
        &["perft", "4", "--isa", "portable"],
        &["perft", "5", "--hash", "16", "--verify-seed", "7"],
        &["perft", "3", "--categories", "--checks", "exclude-mates"],
        &["perft", "3", "--distinct"],
        &[
            "perft",
            "4",
            "--checkpoint",
            &checkpoint,
            "--verify-share",
            "100%",
            kiwipete[0],
            kiwipete[1],
        ],
        &["status", &checkpoint],
        &["estimate", "5"],
        &["estimate", "7", "--samples", "1000", "--seed", "1"],
        &["frontier", "2", "--output", &frontier],
        &["bench", "--seconds", "0.1"],
        &["moves", "--kind", "quiets", "--pseudo-legal"],
        &["moves", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"],
        &["show"],
        &["show", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["show", "--layer", "between:a1-b3", "white", "targets"],
        &["show", "--fen", "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"],
        &["explain", "e2e4"],
        &["explain", "e2e5", "e1g1", "a7a8q", "d1d1"],
        &["explain", "--fen", "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1c1", "e1d3"],
        &["explain", "--fen", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", "e5e7"],
    ];
    for call in calls {
        let printed = run(&[call, &["--json"]].concat());
        assert_eq!(printed.code, Some(0), "{call:?}: {printed:?}");
        check_printed(&sections, &printed);
    }
    let header = run(&["frontier", "--read", &frontier, "--header"]);
    check_printed(&sections, &header);
    let suite = file("wrong.epd");
    std::fs::write(&suite, "id name\nepd 8/8/8/8/8/8/8/K6k w - - 0 1\nperft 1 4\n").unwrap();
    check_printed(&sections, &run(&["suite", &suite, "no-such-file", "--json"]));
}

/// A command that is stopped prints the same fields.
#[test]
fn objects_of_stopped_commands_are_documented() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let sections = sections();
    let home = directory("documented-stopped");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (suite, checkpoint, frontier) = (file("deep.epd"), file("start-9"), file("deep.zst"));
    let deep = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D30 1\n";
    std::fs::write(&suite, deep).unwrap();
    let calls: [&[&str]; 8] = [
        &["perft", "20", "--hash", "16"],
        &["perft", "15", "--categories"],
        &["perft", "9", "--distinct", "--memory", "64M"],
        &["perft", "9", "--checkpoint", &checkpoint, "--split", "3"],
        &["estimate", "30", "--samples", "100000000000"],
        &["suite", &suite],
        &["frontier", "9", "--memory", "64M", "--output", &frontier],
        &["bench", "--seconds", "10000"],
    ];
    for call in calls {
        let mut command = command();
        command.args(call).arg("--json").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        if call.contains(&checkpoint.as_str()) {
            // Also while it runs.
            check_printed(&sections, &run(&["status", &checkpoint, "--json"]));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        let printed = Run::from(child.wait_with_output().unwrap());
        assert_eq!(printed.code, Some(130), "{call:?}: {printed:?}");
        check_printed(&sections, &printed);
    }
}

/// Every subcommand that prints JSON has a section and an example.
#[test]
fn every_command_with_json_is_documented() {
    let document = crate::read("docs/json.md");
    for name in subcommands() {
        if fine(&[&name, "--help"]).contains("--json") {
            assert!(document.contains(&format!("\n## tabiya {name}")), "{name}");
            assert!(document.contains(&format!("\n$ tabiya {name} ")), "{name}");
        }
    }
}

#[test]
fn values_have_the_types_that_they_should() {
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
fn a_value_of_type_any_needs_no_rows_inside() {
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
