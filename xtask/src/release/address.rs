//! The address of the repository: it stands in one place, and everything else takes it from there.

use std::fs;
use std::path::Path;

use super::{settings, tree};

pub(super) const MISSING: &str = "the repository has no address yet: write it into Cargo.toml, \
     `[workspace.package] repository = \"https://…\"`. Manifests, pages and badges take it from \
     there. Until then, `cargo xtask release --dry-run` makes everything";

/// The address, unless it is empty.
pub(super) fn configured(root: &Path) -> Result<Option<String>, String> {
    match settings::value(root, "repository")? {
        Some(address) if !address.starts_with("https://") || address.ends_with('/') => {
            Err(format!(
                "Cargo.toml: the repository {address:?} is no address `https://…` without a slash at \
             its end"
            ))
        }
        address => Ok(address),
    }
}

/// The address of a file, or of a folder, of a revision of the repository.
pub(super) fn of_file(address: &str, revision: &str, path: &str, is_picture: bool) -> String {
    let view = if is_picture { "raw" } else { "tree" };
    format!("{address}/{view}/{revision}/{path}")
}

/// Checks that no other file names a repository of this name, which would be a second place.
pub(super) fn check(root: &Path) -> Result<(), String> {
    let mut second = Vec::new();
    for file in tree::files(root)? {
        let is_document =
            [".md", ".toml", ".json", ".cff", ".yml"].iter().any(|ending| file.ends_with(ending));
        if !is_document || file == "Cargo.toml" {
            continue;
        }
        let text = fs::read_to_string(root.join(&file)).unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            if names_repository(line) {
                second.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    match &second[..] {
        [] => Ok(()),
        lines => {
            Err(format!("the repository's address stands in a second place:\n{}", lines.join("\n")))
        }
    }
}

/// Does the line have the address of a repository called `tabiya`?
fn names_repository(line: &str) -> bool {
    line.split("https://").skip(1).any(|rest| {
        let address: &str = rest.split([' ', ')', '"', '>', '`', '\'']).next().unwrap_or_default();
        let mut parts = address.split('/').skip(2);
        let host = address.split('/').next().unwrap_or_default();
        let name = parts.next().unwrap_or_default().trim_end_matches(".git");
        ["github.com", "gitlab.com", "codeberg.org"].contains(&host) && name == "tabiya"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_read_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let with = |line: &str| {
            fs::write(folder.path().join("Cargo.toml"), format!("[workspace.package]\n{line}\n"))
                .unwrap();
            configured(folder.path())
        };
        assert_eq!(with("repository = \"\""), Ok(None));
        let address = "https://example.org/a/tabiya";
        assert_eq!(with(&format!("repository = \"{address}\"")), Ok(Some(address.to_owned())));
        for wrong in ["", "repository = \"git@example.org\"", "repository = \"https://a/b/\""] {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_second_place_is_noticed() {
        assert!(names_repository("see [it](https://github.com/someone/tabiya)"));
        assert!(names_repository("git = \"https://github.com/someone/tabiya.git\""));
        assert!(!names_repository("https://github.com/someone/shakmaty and tabiya"));
        assert!(!names_repository("https://example.org/a/tabiya"));
    }
}
