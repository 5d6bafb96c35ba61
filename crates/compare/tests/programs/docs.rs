//! Checks that the tutorial contains the current adapter, the list of classes, and what is found in
//! published programs.
//!
//! `TABIYA_WRITE_DOCS=1 cargo test -p tabiya-compare --test programs tutorial` updates them.

use std::fmt::Write;
use std::path::Path;

use tabiya_compare::Class;

use crate::adapters::adapters;
use crate::published::Published;

/// Replaces the text between a marker and `<!-- end -->`.
fn replace(text: &str, marker: &str, with: &str) -> String {
    let (head, rest) = text.split_once(marker).unwrap_or_else(|| panic!("'{marker}' is missing"));
    let (_, tail) = rest.split_once("<!-- end -->").expect("the end of the marked part");
    format!("{head}{marker}\n{with}<!-- end -->{tail}")
}

/// The table of what is found in published programs.
fn published() -> String {
    let mut table = String::from("| program | version | what tabiya finds |\n|---|---|---|\n");
    for Published { name, version, found, .. } in Published::all() {
        let found: Vec<String> = found.iter().map(|class| format!("`{class}`")).collect();
        let found = if found.is_empty() { "no difference".to_owned() } else { found.join(", ") };
        writeln!(table, "| {name} | {version} | {found} |").expect("a string");
    }
    table
}

#[test]
fn tutorial() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compare.md");
    // A published package has no tutorial.
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let mut classes = String::from("| class | what is wrong | where to look |\n|---|---|---|\n");
    for class in Class::ALL {
        writeln!(classes, "| `{class}` | {} | {} |", class.description(), class.hint())
            .expect("a string");
    }
    let adapter =
        std::fs::read_to_string(adapters().join("python/adapter.py")).expect("the adapter");
    let fresh = replace(&text, "<!-- classes -->", &classes);
    let fresh = replace(&fresh, "<!-- published -->", &published());
    let fresh =
        replace(&fresh, "<!-- python/adapter.py -->", &format!("```python\n{adapter}```\n"));
    if std::env::var_os("TABIYA_WRITE_DOCS").is_some() {
        std::fs::write(&path, fresh).expect("the tutorial");
        return;
    }
    assert!(fresh == text, "docs/compare.md is not up to date: see the head of this test");
}
