//! The site: the Markdown of the repository, the documentation of the crates and of the Python
//! package, and the explorer, as one static site in `target/site`. MkDocs makes it and checks its links;
//! `xtask/site` has its pages, and what makes the repository's documents such pages.

use std::process::Command;

use crate::crates::UNPUBLISHED;
use crate::environment::Environment;
use crate::files::{remove, repository};
use crate::output::say;
use crate::process::{cargo, run};
use crate::{release, web, wheel};

/// The folder of the site.
const SITE: &str = "target/site";
/// The parts that other programs make, where `hooks.py` takes them from.
const EXPLORER: &str = "target/site-explorer";
const RUST: &str = "target/site-doc";
/// The way from the explorer to the start page.
const EXPLORER_TO_SITE: &str = "../index.html";
/// The generator, its theme, and what reads docstrings.
const GENERATOR: [&str; 4] = [
    "mkdocs==1.6.1",
    "mkdocs-material==9.8.2",
    "mkdocstrings-python==2.0.11",
    // What the package itself needs.
    "numpy>=1.26",
];

/// Builds the site.
pub(crate) fn show() -> Result<(), String> {
    build(&prepare()?)?;
    say(&format!("the site is in {SITE}/index.html; its search needs a server, such as"));
    say(&format!("    python3 -m http.server --directory {SITE}"));
    Ok(())
}

/// Installs what a build needs. The error names what this cannot install.
pub(crate) fn prepare() -> Result<Environment, String> {
    web::prepare()?;
    Environment::new("tools/site", (3, 11))?.with(&GENERATOR)
}

/// Builds the site, and checks its links, that it asks nothing of other hosts, and what its search finds.
pub(crate) fn build(environment: &Environment) -> Result<(), String> {
    let root = repository();
    document()?;
    web::build_for_site(&root.join(EXPLORER), EXPLORER_TO_SITE)?;
    // Its docstrings are wanted, not its speed, so it is built as the tests build it.
    let wheel = wheel::as_tested(environment)?;
    environment.install(&["--no-deps", "--force-reinstall", &wheel])?;
    let mut generate = environment.module("mkdocs", "");
    generate.args(["build", "--strict", "--config-file", "xtask/site/mkdocs.yml"]);
    generate.env("TABIYA_SITE", EXPLORER_TO_SITE);
    generate.env("TABIYA_ADDRESS", release::address()?.unwrap_or_default());
    // The authors of the theme advertise a generator of their own in each run.
    generate.env("DISABLE_MKDOCS_2_WARNING", "true").env("NO_MKDOCS_2_WARNING", "true");
    run(generate.arg("--site-dir").arg(root.join(SITE)))?;
    run(Command::new("node").arg("xtask/site/search.mjs").arg(SITE).current_dir(&root))
}

/// Documents every crate that is published.
fn document() -> Result<(), String> {
    let root = repository();
    // An older run may have documented what is gone.
    remove(&root.join(RUST).join("doc"))?;
    let mut document = cargo(["doc", "--quiet", "--no-deps", "--workspace", "--all-features"]);
    // Cargo's documents are apart from those of suites that document at the same time. All else is kept
    // where other builds keep it, so that nothing is checked again. An older cargo does not know this
    // setting, and only takes longer.
    document.args(["--target-dir", RUST, "--config", "build.build-dir='target'"]);
    document.args(UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]));
    // The navigation of the site, on each page.
    let bar = root.join("xtask/site/bar.html");
    run(document
        .env("RUSTDOCFLAGS", format!("-D warnings --html-before-content {}", bar.display())))
}
