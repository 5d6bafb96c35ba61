//! The crates of the workspace, by what becomes of them.

/// The libraries: the crates that promise an interface in Rust, each after those that it depends on.
/// The command and the modules for Python and JavaScript do not.
pub(crate) const LIBRARIES: [&str; 11] = [
    "tabiya-suites",
    "tabiya",
    "tabiya-openings",
    "tabiya-pgn",
    "tabiya-data",
    "tabiya-syzygy",
    "tabiya-views",
    "tabiya-uci",
    "tabiya-compare",
    "tabiya-perft",
    "tabiya-runs",
];

/// What is not published as a crate.
pub(crate) const UNPUBLISHED: [&str; 3] = ["xtask", "tabiya-python", "tabiya-wasm"];

/// The crates that are published, in the order in which they can be.
pub(crate) fn published() -> impl Iterator<Item = &'static str> {
    LIBRARIES.into_iter().chain(["tabiya-cli"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{files, read, repository};

    /// The manifests name also what only tests need, which an index wants to know as well.
    #[test]
    fn crates_come_after_what_they_depend_on() {
        let root = repository();
        let order: Vec<_> = published().collect();
        let mut count = 0;
        for folder in files(&root.join("crates")).unwrap().into_iter().chain([root.join("suites")])
        {
            let manifest = read(&folder.join("Cargo.toml")).unwrap();
            if manifest.contains("\npublish = false") {
                continue;
            }
            let name = manifest.split('"').nth(1).unwrap();
            let place = order.iter().position(|other| *other == name);
            let place = place.unwrap_or_else(|| panic!("{name} is missing"));
            for line in manifest.lines().filter(|line| line.starts_with("tabiya")) {
                let needed = line.split([' ', '.', '=']).next().unwrap();
                assert!(order[..place].contains(&needed), "{name} needs {needed}");
            }
            count += 1;
        }
        assert_eq!(count, order.len());
    }
}
