//! The public interfaces of the crates, the Python package and the npm package, a line for each item.
//! `docs/interface` keeps those of the last release, or before the first, those of its preparation.
//! Each change has an entry in the changelog.

mod changes;
mod declarations;

use std::collections::BTreeSet;
use std::process::Command;

use crate::crates::LIBRARIES;
use crate::environment::Environment;
use crate::files::{self, make, read, repository};
use crate::process::{cargo, run};
use crate::{output::say, web};

/// The folder with the interfaces of the last release.
pub(crate) const FOLDER: &str = "docs/interface";
/// The program that lists the interface of a crate.
const LISTER: &str = "xtask/interface/Cargo.toml";
/// The reader of Python's sources.
const GRIFFE: &str = "griffe==2.4.1";

/// Options of `cargo xtask interface`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Keep the interfaces as they are now, as a release does
    #[arg(long)]
    write: bool,
}

/// An interface: what it is of, the separator in its paths, and its lines.
struct Interface {
    name: &'static str,
    separator: &'static str,
    lines: Vec<String>,
}

/// Compares the interfaces with those of the last release, or keeps them.
pub(crate) fn show(args: &Args) -> Result<(), String> {
    match args.write {
        true => write(),
        false => check(),
    }
}

/// Keeps the interfaces as they are now.
pub(crate) fn write() -> Result<(), String> {
    let folder = repository().join(FOLDER);
    make(&folder)?;
    for Interface { name, lines, .. } in all()? {
        files::write(&folder.join(format!("{name}.txt")), lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// An error that names each change without an entry in the changelog.
pub(crate) fn check() -> Result<(), String> {
    let root = repository();
    let changelog = read(&root.join("CHANGELOG.md"))?;
    let mut silent = Vec::new();
    for Interface { name, separator, lines } in all()? {
        if lines.is_empty() {
            return Err(format!("{name}: no item was found"));
        }
        let kept = read(&root.join(FOLDER).join(format!("{name}.txt")))?;
        let changes = changes::between(&kept, &lines, separator);
        say(&format!("   {name}: {} items, {} changes", lines.len(), changes.len()));
        silent.extend(changes::without_entry(&changes, &changelog, separator));
    }
    match &silent[..] {
        [] => Ok(()),
        lines => Err(format!(
            "the public interface has changed since the last release ({FOLDER}), and the section \
             Unreleased of CHANGELOG.md does not name:\n{}",
            lines.join("\n")
        )),
    }
}

/// Everything that the check needs and that may be missing.
pub(crate) fn prepare() -> Result<(), String> {
    web::prepare()?;
    environment().map(|_| ())
}

fn environment() -> Result<Environment, String> {
    Environment::new("tools/griffe", (3, 11))?.with(&[GRIFFE])
}

/// The interfaces as they are now.
fn all() -> Result<Vec<Interface>, String> {
    let mut build = lister("build");
    run(&mut build)?;
    document()?;
    let mut all = Vec::new();
    for name in LIBRARIES {
        all.push(Interface { name, separator: "::", lines: of_crate(name)? });
    }
    let script = repository().join("xtask/interface/python.py");
    let mut python = Command::new(environment()?.python());
    let lines = output(python.arg(script).arg(repository().join("python/src")))?;
    all.push(Interface { name: "python", separator: ".", lines });
    web::prepare()?;
    web::build_package()?;
    all.push(Interface { name: "npm", separator: ".", lines: of_package()? });
    Ok(all)
}

/// The public names of the npm package's modules: those that its entries export.
fn of_package() -> Result<Vec<String>, String> {
    let folder = repository().join("web/npm/pkg");
    let mut public = BTreeSet::new();
    for file in files::files(&folder)? {
        let is_types = file.extension().is_some_and(|extension| extension == "ts");
        let text = if is_types { read(&file)? } else { continue };
        let names = text.strip_prefix("export { ").and_then(|text| text.split_once(" } from"));
        let names = names.map_or("", |(names, _)| names).split(", ").map(str::to_owned);
        public.extend(names);
    }
    let mut lines = BTreeSet::new();
    for module in ["tabiya.d.ts", "tools.d.ts"] {
        lines.extend(declarations::lines(&read(&folder.join(module))?));
    }
    let is_public =
        |line: &String| public.contains(line.split([' ', '.']).next().unwrap_or_default());
    Ok(lines.into_iter().filter(is_public).collect())
}

/// A command of cargo about the program that lists.
fn lister(command: &str) -> Command {
    let mut lister = cargo([command, "--quiet", "--locked", "--manifest-path", LISTER]);
    lister.env("CARGO_TARGET_DIR", "target/tools");
    lister
}

/// Describes all libraries in JSON, which also checks their documentation.
///
/// The whole workspace is described, and one example: so the dependencies have the features with
/// which `cargo clippy --all-targets` has checked them, and are not checked again.
fn document() -> Result<(), String> {
    let mut document = cargo(["doc", "--quiet", "--workspace", "--all-features", "--no-deps"]);
    document.args(["--lib", "--example", "mate"]);
    document.env("RUSTDOC", repository().join("xtask/interface/rustdoc.sh"));
    let format = "-Zunstable-options --output-format json -D warnings";
    run(document.env("RUSTDOCFLAGS", format))
}

fn of_crate(name: &str) -> Result<Vec<String>, String> {
    let file = format!("target/doc/{}.json", name.replace('-', "_"));
    let mut list = lister("run");
    output(list.args(["--", &file]))
}

/// The lines that a program prints.
fn output(command: &mut Command) -> Result<Vec<String>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
