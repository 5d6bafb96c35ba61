//! The list of pages, in the order of the navigation, and their way from the repository to the
//! generator.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{markdown, python, rust};
use crate::release;

/// A chapter of the navigation.
struct Chapter {
    title: &'static str,
    /// Titles and paths. A path that ends with `.html` belongs to another part of the site.
    pages: &'static [(&'static str, &'static str)],
}

const HOME: &str = "README.md";

const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Guide",
        pages: &[
            ("Move generation, with pictures", "crates/tabiya/docs/explained.md"),
            ("How do I …", "crates/tabiya/docs/how-do-i.md"),
            ("Cookbook", "crates/tabiya/docs/cookbook.md"),
            ("Coming from other crates", "crates/tabiya/docs/coming-from.md"),
            ("What to choose", "crates/tabiya/docs/choosing.md"),
            ("Stability", "crates/tabiya/docs/stability.md"),
        ],
    },
    Chapter {
        title: "Command",
        pages: &[
            ("The command", "crates/cli/README.md"),
            ("Find the bug in your generator", "docs/compare.md"),
            ("compare in a workflow", "docs/compare-ci.md"),
            ("JSON", "docs/json.md"),
            ("Distinct positions", "docs/distinct.md"),
            ("Perft on many machines", "docs/cluster.md"),
        ],
    },
    Chapter {
        title: "Rust",
        pages: &[
            ("API of all crates", "rust/tabiya/index.html"),
            ("tabiya", "crates/tabiya/README.md"),
            ("tabiya-perft", "crates/perft/README.md"),
            ("tabiya-pgn", "crates/pgn/README.md"),
            ("tabiya-views", "crates/views/README.md"),
            ("tabiya-compare", "crates/compare/README.md"),
            ("tabiya-runs", "crates/runs/README.md"),
            ("tabiya-openings", "crates/openings/README.md"),
            ("PGN files", "docs/pgn.md"),
            ("Names of openings", "crates/openings/data/README.md"),
            ("tabiya-machine", "crates/machine/README.md"),
            ("tabiya-suites", "suites/README.md"),
            ("Rules and positions", "suites/COVERAGE.md"),
            ("Packed positions", "crates/tabiya/docs/packed.md"),
        ],
    },
    Chapter {
        title: "Python",
        pages: &[
            ("The package", "python/README.md"),
            ("Batches", "python/docs/batches.md"),
            ("PGN", "python/docs/pgn.md"),
            ("Coming from python-chess", "python/docs/coming-from-python-chess.md"),
            ("Notebooks", "python/docs/notebooks.md"),
            ("Perft", "python/docs/perft.md"),
        ],
    },
    Chapter {
        title: "Web",
        pages: &[
            ("Open the explorer", "explorer/index.html"),
            ("The explorer", "docs/explorer.md"),
            ("The npm package", "web/npm/README.md"),
        ],
    },
    Chapter {
        title: "Trust",
        pages: &[
            ("What we promise", "docs/trust.md"),
            ("Performance", "docs/performance.md"),
            ("Code that depends on the machine", "docs/paths.md"),
            ("Mutants", "MUTANTS.md"),
            ("Differential tests", "differential/README.md"),
            ("Fuzzing", "fuzz/README.md"),
            ("Peers", "peers/README.md"),
            ("Dependencies", "docs/dependencies.md"),
            ("Security", "SECURITY.md"),
        ],
    },
    Chapter {
        title: "Project",
        pages: &[
            ("Changelog", "CHANGELOG.md"),
            ("Releases", "docs/release.md"),
            ("Design", "DESIGN.md"),
            ("Contributing", "CONTRIBUTING.md"),
        ],
    },
];

/// What each configuration begins with.
const CONFIGURATION: &str = include_str!("../../site/mkdocs.yml");
const STYLE: &str = include_str!("../../site/style.css");

/// The paths of all pages from the repository.
fn paths() -> BTreeSet<&'static str> {
    let listed = CHAPTERS.iter().flat_map(|chapter| chapter.pages).map(|&(_, path)| path);
    listed.chain([HOME]).filter(|path| path.ends_with(".md")).collect()
}

/// Writes the pages, and the pictures and schemas that they show, into a folder.
pub(super) fn stage(root: &Path, folder: &Path) -> Result<(), String> {
    let pages = paths();
    let address = release::address()?;
    for page in &pages {
        let text = read(&root.join(page))?;
        let surroundings = markdown::Surroundings {
            root,
            page,
            pages: &pages,
            address: address.as_deref(),
            items: &rust::items(root, page)?,
        };
        let (text, assets) = markdown::for_site(&text, &surroundings);
        write(&folder.join(page), &text)?;
        for asset in assets {
            let to = folder.join(&asset);
            make_parent(&to)?;
            fs::copy(root.join(&asset), to).map_err(|error| format!("{asset}: {error}"))?;
        }
    }
    write(&folder.join("style.css"), STYLE)
}

/// The configuration of the generator, with the navigation.
pub(super) fn configuration(address: Option<&str>) -> String {
    let mut text = CONFIGURATION.to_owned();
    if let Some(address) = address {
        let _ = writeln!(text, "repo_url: {address}");
    }
    let _ = writeln!(text, "nav:\n  - Home: {HOME}");
    for Chapter { title, pages } in CHAPTERS {
        let _ = writeln!(text, "  - {title}:");
        for (name, path) in *pages {
            let _ = writeln!(text, "      - \"{name}\": {path}");
        }
        if *title == "Python" {
            for (name, path) in python::PAGES.map(|page| (page.title, page.path())) {
                let _ = writeln!(text, "      - \"{name}\": {path}");
            }
        }
    }
    text
}

/// Writes a file, and makes the folder for it.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    make_parent(path)?;
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn make_parent(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_a_link_of_every_page() {
        let address = "https://example.org/somebody/tabiya";
        assert!(configuration(Some(address)).contains(&format!("\nrepo_url: {address}\n")));
        assert!(!configuration(None).contains("repo_url"));
    }

    /// Notes for developers of one crate, templates, and pages that are a part of others.
    const NO_PAGES: [&str; 4] = ["NOTES.md", "ALGORITHM.md", "pull_request_template.md", "data.md"];

    #[test]
    fn every_document_is_a_page() {
        let root = crate::repository();
        let pages = paths();
        let documents = release::tracked_files().unwrap();
        let missing: Vec<_> = documents
            .iter()
            .filter(|path| path.ends_with(".md") && !path.contains("/pictures/"))
            .filter(|path| !NO_PAGES.contains(&path.rsplit('/').next().unwrap_or_default()))
            .filter(|path| !path.contains("/tests/"))
            .filter(|path| !pages.contains(path.as_str()))
            .collect();
        assert!(missing.is_empty(), "no page of the site: {missing:?}");
        for page in pages {
            assert!(root.join(page).is_file(), "{page} is no file");
        }
    }
}
