//! Whoever comes from another crate finds our items by the names there: each name in the tables of
//! `docs/coming-from.md` is an alias of ours for the search in the documentation.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

type Aliases = HashMap<String, HashSet<String>>;

/// The strings in quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('"').skip(1).step_by(2).map(str::to_owned)
}

/// The name that a line declares publicly.
fn declared(line: &str) -> Option<&str> {
    let words = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["const fn ", "const ", "fn ", "struct ", "enum "];
    let name = kinds.iter().find_map(|kind| words.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// Adds the aliases of all public items below a folder.
fn read_sources(folder: &Path, aliases: &mut Aliases) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, aliases);
            continue;
        }
        let mut found = Vec::new();
        let mut in_alias = false;
        for line in fs::read_to_string(path).unwrap().lines() {
            in_alias |= line.contains("#[doc(alias");
            if in_alias {
                found.extend(quoted(line));
                in_alias = !line.contains(")]");
            } else if let Some(name) = declared(line) {
                aliases.entry(name.to_owned()).or_default().extend(found.drain(..));
            }
        }
    }
}

/// The last names of the paths in a cell, such as `from_fen` for `Board::from_fen`. A span that is
/// not a path, such as an operator, has none.
fn last_names(cell: &str) -> Vec<&str> {
    // "`Display` of `Board`" names a trait.
    let cell = if cell.contains("` of `") { "" } else { cell };
    let spans = cell.split('`').skip(1).step_by(2);
    let is_path =
        |span: &&str| span.chars().all(|letter| letter.is_alphanumeric() || "_:".contains(letter));
    spans.filter(is_path).filter_map(|span| span.rsplit("::").next()).collect()
}

#[test]
fn names_of_other_crates_are_aliases() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut aliases = Aliases::new();
    read_sources(&package.join("src"), &mut aliases);
    let page = fs::read_to_string(package.join("docs/coming-from.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |"));

    let (mut names, mut missing) = (0, Vec::new());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [theirs @ .., ours] = cells.as_slice() else { unreachable!("a row has cells") };
        // Of several items of ours, such as a type and its method, one has the alias.
        let ours = last_names(ours);
        if ours.is_empty() || theirs.len() != 3 {
            continue;
        }
        for name in theirs.iter().flat_map(|cell| last_names(cell)) {
            names += 1;
            let found = |item: &&str| {
                *item == name || aliases.get(*item).is_some_and(|set| set.contains(name))
            };
            if !ours.iter().any(found) {
                missing.push(format!("{name}: {}", ours.join(", ")));
            }
        }
    }
    assert!(names > 100, "only {names} names were read");
    assert!(missing.is_empty(), "these aliases are missing:\n{}", missing.join("\n"));
}
