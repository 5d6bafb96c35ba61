//! The changelog, with what was not released under the new version.

use std::path::Path;

use super::tree;
use crate::files::read;

const UNRELEASED: &str = "## Unreleased";

/// The changelog as the release has it, with the day of the newest commit.
pub(super) fn cut(root: &Path, version: &str) -> Result<String, String> {
    let text = read(&root.join("CHANGELOG.md"))?;
    cut_text(&text, version, &tree::day(root)?).map_err(|error| format!("CHANGELOG.md: {error}"))
}

fn cut_text(text: &str, version: &str, day: &str) -> Result<String, String> {
    let unreleased = section(text, "Unreleased").ok_or(format!("no section `{UNRELEASED}`"))?;
    let is_cut = section(text, version).is_some();
    match (unreleased.trim().is_empty(), is_cut) {
        (true, true) => Ok(text.to_owned()),
        (true, false) => Err(format!("`{UNRELEASED}` is empty: {version} has no changes")),
        (false, true) => Err(format!(
            "{version} is released already, but `{UNRELEASED}` has changes: choose a new version"
        )),
        (false, false) => {
            let heading = format!("{UNRELEASED}\n\n## {version} - {day}");
            Ok(text.replacen(UNRELEASED, &heading, 1))
        }
    }
}

/// The text below the heading of a version, up to the next version.
pub(super) fn section<'a>(text: &'a str, version: &str) -> Option<&'a str> {
    let is_heading = |line: &str| {
        let name = line.strip_prefix("## ").unwrap_or_default();
        name.split(' ').next() == Some(version)
    };
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (line, at)
    });
    let (_, begin) = lines.find(|(line, _)| is_heading(line.trim_end()))?;
    let next = lines.find(|(line, _)| line.starts_with("## "));
    let end = next.map_or(text.len(), |(line, end)| end - line.len());
    Some(&text[begin..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- Begin.\n";

    #[test]
    fn the_changes_get_a_version_and_a_day() {
        let after = cut_text(BEFORE, "0.2.0", "2026-02-03").unwrap();
        assert_eq!(section(&after, "Unreleased"), Some("\n"));
        assert_eq!(section(&after, "0.2.0"), Some("\n### Added\n\n- A thing.\n\n"));
        assert_eq!(section(&after, "0.1.0"), Some("\n- Begin.\n"));
        assert!(after.contains("\n## 0.2.0 - 2026-02-03\n"), "{after}");
        // A second cut changes nothing.
        assert_eq!(cut_text(&after, "0.2.0", "2026-03-04"), Ok(after));
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let says = |text: &str, version| cut_text(text, version, "2026-02-03").unwrap_err();
        assert!(says(BEFORE, "0.1.0").contains("released already"));
        assert!(says("# Changelog\n", "0.2.0").contains("no section"));
        assert!(says("## Unreleased\n\n", "0.2.0").contains("no changes"));
    }
}
