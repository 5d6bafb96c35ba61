//! The site: the Markdown of the repository, the documentation of the crates and of the Python
//! package, and the explorer, as one static site in `target/site`.
//!
//! Pages keep the places that they have in the repository, so that links between them hold. Nothing is
//! written for the site alone but the list of pages.

mod links;
mod markdown;
mod pages;
mod python;
mod rust;
mod search;

use std::fs;
use std::path::Path;

use crate::environment::Environment;
use crate::output::say;
use crate::packed::{all_files, files};
use crate::process::run;
use crate::{release, web};

/// The folder of the site.
const SITE: &str = "target/site";
/// The pages as the generator reads them.
const SOURCE: &str = "target/site-source";
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

/// Options of `cargo xtask site`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Check the links of the site that is there, and build nothing
    #[arg(long)]
    check: bool,
}

/// Builds the site, or checks it.
pub(crate) fn show(args: &Args) -> Result<(), String> {
    if !args.check {
        let environment = prepare()?;
        build(&environment)?;
    }
    check()?;
    say(&format!("the site is in {SITE}/index.html; its search needs a server, such as"));
    say(&format!("    python3 -m http.server --directory {SITE}"));
    Ok(())
}

/// Installs what a build needs. The error names what this cannot install.
pub(crate) fn prepare() -> Result<Environment, String> {
    web::prepare()?;
    Environment::new("tools/site", (3, 11))?.with(&GENERATOR)
}

/// Builds the site.
pub(crate) fn build(environment: &Environment) -> Result<(), String> {
    let root = crate::repository();
    let (source, site) = (root.join(SOURCE), root.join(SITE));
    for folder in [&source, &site] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
    }
    rust::document()?;
    pages::stage(&root, &source.join("docs"))?;
    python::stage(environment, &source)?;
    let configuration = source.join("mkdocs.yml");
    fs::write(&configuration, pages::configuration(release::address()?.as_deref()))
        .map_err(|error| format!("{}: {error}", configuration.display()))?;
    let mut generate = environment.module("mkdocs", "");
    generate.args(["build", "--quiet", "--strict", "--config-file"]).arg(&configuration);
    // The authors of the theme advertise a generator of their own in each run.
    generate.env("DISABLE_MKDOCS_2_WARNING", "true").env("NO_MKDOCS_2_WARNING", "true");
    run(generate.arg("--site-dir").arg(&site))?;
    copy_tree(&root.join(rust::FOLDER), &site.join("rust"))?;
    search::add_items(&site)?;
    web::build_for_site(&site.join("explorer"), EXPLORER_TO_SITE)
}

/// Checks the links of the site, and that it asks nothing of other hosts.
pub(crate) fn check() -> Result<(), String> {
    let root = crate::repository();
    let (site, bar) = (root.join(SITE), root.join(rust::BAR));
    links::check(&site)?;
    links::check_bar(&site, &bar)?;
    links::check_search(&site)?;
    leads_back(&site.join("explorer"))
}

/// Checks that the explorer has its link to the start page.
fn leads_back(explorer: &Path) -> Result<(), String> {
    for file in all_files(explorer)? {
        let is_script = file.extension().is_some_and(|ending| ending == "js");
        if is_script && fs::read_to_string(&file).is_ok_and(|text| text.contains(EXPLORER_TO_SITE))
        {
            return Ok(());
        }
    }
    Err(format!("{}: no script has a link to {EXPLORER_TO_SITE}", explorer.display()))
}

/// Copies a folder with all that is in it.
fn copy_tree(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for path in files(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}
