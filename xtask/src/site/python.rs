//! The API of the Python package: pages that name what they describe, and a copy of the package whose
//! types have the docstrings of the native module.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::{copy_tree, pages};
use crate::environment::Environment;
use crate::process::run;
use crate::wheel;

/// A page of the API.
pub(super) struct Page {
    pub(super) title: &'static str,
    name: &'static str,
    /// Words above the items.
    about: &'static str,
    items: &'static [&'static str],
}

pub(super) const PAGES: [Page; 5] = [
    Page {
        title: "API: positions",
        name: "positions",
        about: "One position, its moves, and what the library says about them.",
        items: &[
            "Position",
            "Move",
            "Piece",
            "Bitboard",
            "Game",
            "Outcome",
            "Status",
            "Explanation",
        ],
    },
    Page {
        title: "API: batches",
        name: "batches",
        about: "Many positions as NumPy arrays, and files of games as arrays.",
        items: &["Batch", "Games", "PgnReader", "read_pgn", "encodings"],
    },
    Page {
        title: "API: Board",
        name: "board",
        about: "The names and the behaviour of python-chess.",
        items: &["Board", "SquareSet", "LegalMoveGenerator", "PseudoLegalMoveGenerator"],
    },
    Page {
        title: "API: tabiya.pgn",
        name: "pgn",
        about: "Games as trees of variations.",
        items: &["pgn"],
    },
    Page {
        title: "API: counting and pictures",
        name: "counting",
        about: "Perft, on this machine and on many, layers and pictures.",
        items: &["perft", "divide", "perft_categories", "cluster", "layers", "layer", "Svg"],
    },
];

impl Page {
    /// The path of the page.
    pub(super) fn path(&self) -> String {
        format!("python/api/{}.md", self.name)
    }

    fn text(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.about);
        for item in self.items {
            let _ = write!(text, "\n::: tabiya.{item}\n");
        }
        text
    }
}

/// Writes the pages and the package into a folder.
pub(super) fn stage(environment: &Environment, folder: &Path) -> Result<(), String> {
    let root = crate::repository();
    // Its docstrings are wanted, not its speed, so it is built as the tests build it.
    let wheel = wheel::as_tested(environment)?;
    environment.install(&["--no-deps", "--force-reinstall", &wheel])?;
    let package = folder.join("package/tabiya");
    copy_tree(&root.join("python/src/tabiya"), &package)?;
    let mut document = Command::new(environment.python());
    document.arg(root.join("xtask/site/docstrings.py")).arg(&package);
    run(&mut document)?;
    PAGES
        .iter()
        .try_for_each(|page| pages::write(&folder.join("docs").join(page.path()), &page.text()))
}
