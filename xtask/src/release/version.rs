//! One version everywhere: in manifests, lock files, documents and schemas.

use std::fs;
use std::path::Path;

use super::tree;

/// The version of the workspace, which the crates and the Python package inherit.
pub(super) fn of_workspace(root: &Path) -> Result<String, String> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let section = text.split_once("[workspace.package]").map_or("", |(_, rest)| rest);
    let line = section.lines().find_map(|line| quoted_after(line, "version = "));
    line.map(str::to_owned)
        .ok_or_else(|| format!("{}: the workspace has no version", path.display()))
}

/// An error that names each place with another version.
pub(super) fn check(root: &Path, version: &str) -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut found = 0;
    for file in tree::files(root)? {
        // Pictures and the like are no text.
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        for (number, stated) in stated(&file, &text) {
            found += 1;
            if !agrees(stated, version) {
                wrong.push(format!("{file}:{number}: {stated}, not {version}"));
            }
        }
    }
    match &wrong[..] {
        // The manifests alone have that many.
        [] if found < 20 => Err(format!("only {found} places with a version were found")),
        [] => Ok(()),
        places => Err(format!("the version is not the same everywhere:\n{}", places.join("\n"))),
    }
}

/// Is it the version, or a requirement `0.1` that it fulfils?
fn agrees(stated: &str, version: &str) -> bool {
    stated == version
        || version.strip_prefix(stated).is_some_and(|rest| rest.starts_with('.'))
            && stated.contains('.')
}

/// The versions of tabiya that a file states, with the numbers of their lines.
fn stated<'a>(file: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let lines = || text.lines().zip(1..).map(|(line, number)| (number, line));
    let name = file.rsplit('/').next().unwrap_or_default();
    match name {
        "Cargo.toml" => lines()
            .filter(|(_, line)| line.contains("path = \"") && line.starts_with("tabiya"))
            .filter_map(|(number, line)| Some((number, quoted_after(line, "version = ")?)))
            .collect(),
        "Cargo.lock" => {
            let mut ours = false;
            let version = |(number, line): (usize, &'a str)| {
                if let Some(name) = quoted_after(line, "name = ") {
                    ours = name == "tabiya" || name.starts_with("tabiya-");
                }
                let version = quoted_after(line, "version = ")?;
                // What is never published has no version.
                (ours && version != "0.0.0").then_some((number, version))
            };
            lines().filter_map(version).collect()
        }
        "package.json" if file.starts_with("web/npm/") => lines()
            .filter_map(|(number, line)| Some((number, quoted_after(line, "\"version\": ")?)))
            .collect(),
        "package-lock.json" => {
            // The local package: `"name": "tabiya"` and its version on the next line.
            let is_ours = |line: &str| quoted_after(line, "\"name\": ") == Some("tabiya");
            lines()
                .zip(lines().skip(1))
                .filter(|((_, line), _)| is_ours(line))
                .filter_map(|(_, (number, line))| {
                    Some((number, quoted_after(line, "\"version\": ")?))
                })
                .collect()
        }
        "CITATION.cff" => lines()
            .filter_map(|(number, line)| Some((number, line.strip_prefix("version: ")?)))
            .collect(),
        "json.md" => lines()
            .filter_map(|(number, line)| Some((number, quoted_after(line, "\"version\": ")?)))
            .collect(),
        _ if name.ends_with(".md") || name.ends_with(".rs") => lines()
            .flat_map(|(number, line)| in_prose(line).map(move |version| (number, version)))
            .collect(),
        _ => Vec::new(),
    }
}

/// The text between quotes that follows a word.
fn quoted_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(word)?;
    rest.strip_prefix('"')?.split('"').next()
}

/// Versions as documents state them: `tabiya = "0.1"`, `tabiya==0.1.0`, `tabiya@0.1.0`.
fn in_prose(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("tabiya").filter_map(|(at, _)| {
        let rest = line[at..].trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '-');
        let value = [" = \"", " = { version = \"", "==", "@"]
            .iter()
            .find_map(|between| rest.strip_prefix(between))?;
        let end = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
        let version = value[..end].trim_end_matches('.');
        version.contains('.').then_some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_one_version() {
        let root = crate::repository();
        let version = of_workspace(&root).unwrap();
        assert_eq!(check(&root, &version), Ok(()));
        // With another version, each place is named.
        let error = check(&root, "9.8.7").unwrap_err();
        for place in [
            "\nCargo.toml:",
            "\nCargo.lock:",
            "\ncrates/openings/Cargo.toml:",
            "\nweb/npm/package.json:3: ",
            "\nweb/package-lock.json:",
            "\nCITATION.cff:",
            "\ndocs/json.md:",
        ] {
            assert!(error.contains(place), "{place:?} is missing in {error}");
        }
    }

    #[test]
    fn versions_are_found_where_they_stand() {
        let lock = "[[package]]\nname = \"clap\"\nversion = \"4.5.0\"\n\n\
                    [[package]]\nname = \"tabiya-cli\"\nversion = \"0.1.0\"\n";
        assert_eq!(stated("Cargo.lock", lock), [(7, "0.1.0")]);
        let npm = "{\n\"name\": \"tabiya\",\n\"version\": \"0.2.0\"\n}";
        assert_eq!(stated("web/package-lock.json", npm), [(3, "0.2.0")]);
        // Put together here, so that this file states no version itself.
        let page = ["Write `NAME = \"0.1\"`, or", "`NAME==0.1.0`,", "`NAME@0.3.1`."].join("\n");
        let page = &page.replace("NAME", "tabiya");
        assert_eq!(stated("a/README.md", page), [(1, "0.1"), (2, "0.1.0"), (3, "0.3.1")]);
        assert_eq!(stated("a/README.md", "tabiya = \"fast\", chess==1.11.2"), []);
    }

    #[test]
    fn a_requirement_agrees_with_what_fulfils_it() {
        assert!(agrees("0.1.0", "0.1.0") && agrees("0.1", "0.1.0"));
        assert!(!agrees("0.1.1", "0.1.0") && !agrees("0.2", "0.1.0") && !agrees("0", "0.1.0"));
        assert!(!agrees("0.1", "0.10.0"));
    }
}
