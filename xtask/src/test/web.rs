//! The npm package and the explorer: in Node, and in a real browser.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{run, succeeds};
use crate::web;

pub(super) fn test_page(form: &Form) -> Result<(), Failure> {
    web::prepare().map_err(Failure::Missing)?;
    let browser = browser().ok_or_else(|| {
        Failure::Missing("no browser: neither $CHROMIUM nor chromium is installed".to_owned())
    })?;
    web::build()?;
    run(web::npm("web").args(["run", "--silent", "check"]))?;

    let long = |command: &mut Command| {
        if form.long {
            command.env("TABIYA_LONG_TESTS", "1");
        }
    };
    let mut package = web::npm("web/npm");
    long(package.args(["test", "--silent"]));
    run(&mut package)?;
    // The sets that the page shows are compared with those of the command.
    run(&mut form.cargo(["build", "--release", "--quiet", "--package", "tabiya-cli"]))?;
    let mut page = web::local("playwright");
    page.env("TABIYA_COMMAND", crate::repository().join("target/release/tabiya"));
    long(page.arg("test").env("CHROMIUM", browser));
    Ok(run(&mut page)?)
}

/// A browser that can be driven.
fn browser() -> Option<String> {
    let chosen = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    chosen.into_iter().chain(usual).find(|name| succeeds(Command::new(name).arg("--version")))
}
