//! One version everywhere. Cargo itself refuses a lock file that is out of date.

use std::path::Path;

use super::tree;
use crate::files::read;

/// Files that state the version: the end of their path, how their lines begin, and what comes before it.
const PLACES: [(&str, &str, &str); 4] = [
    // A crate of the workspace that needs another one in this version or a later one.
    ("Cargo.toml", "tabiya", "version = \""),
    ("web/npm/package.json", "  \"version\"", ": \""),
    ("CITATION.cff", "version", ": "),
    ("docs/json.md", "", "\"version\": \""),
];

/// The version of the workspace, which the crates and the Python package inherit.
pub(super) fn of_workspace(root: &Path) -> Result<String, String> {
    let path = root.join("Cargo.toml");
    let text = read(&path)?;
    let section = text.split_once("[workspace.package]").map_or("", |(_, rest)| rest);
    let line = section.lines().find_map(|line| line.strip_prefix("version = \""));
    line.map(|version| version.trim_end_matches('"').to_owned())
        .ok_or_else(|| format!("{}: the workspace has no version", path.display()))
}

/// An error that names each place with another version.
pub(super) fn check(root: &Path, version: &str) -> Result<(), String> {
    let mut wrong = Vec::new();
    for file in tree::files(root)? {
        for (_, begin, before) in PLACES.iter().filter(|(end, ..)| file.ends_with(end)) {
            let text = read(&root.join(&file))?;
            for (line, number) in text.lines().zip(1..).filter(|(line, _)| line.starts_with(begin))
            {
                let stated =
                    line.split_once(before).map(|(_, rest)| rest.split('"').next().unwrap_or(rest));
                if let Some(stated) = stated.filter(|stated| *stated != version) {
                    wrong.push(format!("{file}:{number}: {stated}, not {version}"));
                }
            }
        }
    }
    match &wrong[..] {
        [] => Ok(()),
        places => Err(format!("the version is not the same everywhere:\n{}", places.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_one_version() {
        let root = crate::files::repository();
        let version = of_workspace(&root).unwrap();
        assert_eq!(check(&root, &version), Ok(()));
        // With another version, each place is named.
        let error = check(&root, "9.8.7").unwrap_err();
        for place in [
            "\nCargo.toml:",
            "\ncrates/openings/Cargo.toml:",
            "\nweb/npm/package.json:3: ",
            "\nCITATION.cff:",
            "\ndocs/json.md:",
        ] {
            assert!(error.contains(place), "{place:?} is missing in {error}");
        }
    }
}
