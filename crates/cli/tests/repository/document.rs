//! Checks that `docs/json.md` has a section for every schema, that its examples print what it
//! shows, and that it lists all reasons.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::program::{directory, fine, run, subcommands};
use crate::schemas::{Schemas, file_name};
use crate::shell;

/// A section about one schema.
struct Section {
    schema: String,
    /// The commands. Only the output of the last one is shown.
    commands: Vec<String>,
    /// The object in the document.
    shown: Value,
}

/// Reads the sections. Each has a line ``Schema: [`NAME`](schemas/FILE)`` and a block with prompts
/// (`$ `). Below the last prompt, the block has the printed object on several lines.
fn sections() -> Vec<Section> {
    crate::read("docs/json.md").split("\n## ").filter_map(section).collect()
}

fn section(text: &str) -> Option<Section> {
    let (schema, rest) = text.split_once("\nSchema: [`")?.1.split_once('`')?;
    let link = format!("](schemas/{})\n", file_name(schema));
    assert!(rest.starts_with(&link), "{schema}: the link should be {link}");
    let mut blocks = text.split("\n```console\n").skip(1);
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        panic!("{schema}: there should be one example");
    };
    let block = block.split("\n```").next().unwrap();
    let (commands, shown): (Vec<_>, Vec<_>) =
        block.lines().partition(|line| line.starts_with("$ "));
    let shown = serde_json::from_str(&shown.join("\n"));
    Some(Section {
        schema: schema.to_owned(),
        commands: commands.into_iter().map(|line| line[2..].to_owned()).collect(),
        shown: shown.unwrap_or_else(|error| panic!("{schema}: {error}")),
    })
}

/// Fields whose values depend on the machine, the moment and the version of the program.
const MEASURED: [&str; 11] = [
    "isa",
    "machine",
    "nodes_per_thread_second",
    "nps",
    "results",
    "seconds",
    "speed",
    "thread_seconds",
    "threads",
    "time",
    "version",
];

/// Clears the values that depend on the machine.
fn clear_measured(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if MEASURED.contains(&name.as_str()) {
                    *value = Value::Null;
                } else {
                    clear_measured(value);
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(clear_measured),
        _ => {}
    }
}

#[test]
fn examples_print_the_objects_that_are_shown() {
    let mut schemas = Schemas::read();
    for Section { schema, commands, mut shown } in sections() {
        let home = directory(&format!("json-{}", schema.replace('/', "-")));
        let (last, first) = commands.split_last().expect("a command");
        for command in first {
            shell::fine(command, &home);
        }
        let mut printed = schemas.check(&shell::run(last, &home));
        assert_eq!(printed["schema"], schema, "$ {last}");
        schemas.validate(&shown).unwrap_or_else(|error| panic!("$ {last}\n{error}"));
        clear_measured(&mut printed);
        clear_measured(&mut shown);
        assert_eq!(shown, printed, "$ {last}");
    }
}

#[test]
fn every_schema_and_every_command_with_json_has_a_section() {
    let sections = sections();
    let shown: BTreeSet<String> = sections.iter().map(|it| it.schema.clone()).collect();
    assert_eq!(shown, Schemas::read().names());
    for name in subcommands() {
        let begin = format!("tabiya {name} ");
        let mut lasts = sections.iter().filter_map(|section| section.commands.last());
        let has_json = fine(&[&name, "--help"]).contains("--json");
        assert_eq!(has_json, lasts.any(|command| command.starts_with(&begin)), "{name}");
    }
}

/// The names of the details of each reason: those in backquotes after its name.
fn documented_reasons(document: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let rows = document.lines().filter_map(|line| line.strip_prefix("* `")?.split_once("`: "));
    rows.map(|(name, text)| (name, text.split('`').skip(1).step_by(2).collect())).collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position and a move for each reason, except for two reasons that no text of a move can have.
const REASONS: [(&str, &str, &str); 27] = [
    ("empty-square", START, "e4e5"),
    ("opponents-piece", START, "g8f6"),
    ("same-square", START, "e2e2"),
    ("own-piece", START, "d1d2"),
    ("cannot-reach", START, "g1g3"),
    ("blocked", START, "a1a5"),
    ("pinned", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3"),
    ("check-remains", "4r2k/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4"),
    ("double-check", "4r2k/8/8/8/8/3n4/6R1/4K3 w - - 0 1", "g2e2"),
    ("king-attacked", "4r2k/8/8/8/8/3n4/6R1/4K3 w - - 0 1", "e1e2"),
    ("kings-adjacent", "8/8/8/4k3/8/4K3/8/7r w - - 0 1", "e3e4"),
    ("castling-place", "8/8/8/4k3/8/4K3/8/7r w - - 0 1", "e3g3"),
    ("castling-right", "4k2r/8/8/8/8/8/8/4K3 b - - 0 1", "e8g8"),
    ("castling-rook", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "e1a1"),
    ("castling-blocked", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1"),
    ("castling-in-check", "4k3/8/8/8/7b/8/8/4K2R w K - 0 1", "e1g1"),
    ("castling-through", "4k3/8/b7/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("castling-into", "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("castling-rook-pinned", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", "e1b1"),
    ("castling-notation", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1q"),
    ("castling-letters", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1"),
    ("nothing-to-capture", START, "e2d3"),
    ("not-en-passant", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6"),
    ("en-passant-uncovers", "6bk/8/8/3pP3/8/1K6/8/8 w - d6 0 1", "e5d6"),
    ("double-push", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6"),
    ("promotion-missing", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
    ("no-promotion", START, "g1f3n"),
];

#[test]
fn every_reason_is_listed_with_its_details() {
    let document = crate::read("docs/json.md");
    let listed = documented_reasons(&document);
    let names: BTreeSet<&str> = tabiya::Reason::NAMES.iter().copied().collect();
    assert_eq!(listed.keys().copied().collect::<BTreeSet<_>>(), names);
    let mut seen = BTreeSet::from(["promotion-role", "wrong-kind"]);
    let mut schemas = Schemas::read();
    for (name, fen, mv) in REASONS {
        let object = schemas.check(&run(&["explain", "--fen", fen, mv, "--json"]));
        let reason = &object["moves"][0]["reasons"][0];
        assert_eq!(reason["name"], name, "{fen} {mv}");
        let details = reason["details"].as_object().unwrap();
        assert_eq!(listed[name], details.keys().map(String::as_str).collect(), "{name}");
        seen.insert(name);
    }
    assert_eq!(seen, names);
    // The two reasons without an example.
    assert_eq!(listed["promotion-role"], BTreeSet::from(["role"]));
    assert_eq!(listed["wrong-kind"], BTreeSet::from(["given", "here"]));
}
