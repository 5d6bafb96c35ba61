//! A release: everything that is published, made in `target/dist`, and the commands that publish it.
//!
//! Nothing here publishes anything. A dry run changes nothing in the repository either; without
//! `--dry-run`, the changelog is cut and committed first.

mod address;
mod archives;
mod binaries;
mod changelog;
mod commands;
mod contents;
mod crates;
mod debian;
mod materials;
pub(crate) mod notices;
mod npm;
mod plan;
mod python;
mod readme;
mod settings;
mod sources;
mod tree;
mod version;

#[cfg(test)]
mod tests;

use std::time::Instant;

use self::plan::{DIST, Release};
use crate::files::{self, repository};
use crate::interface;
use crate::output::say;

/// Options of `cargo xtask release`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Make everything, but leave the repository as it is
    #[arg(long)]
    dry_run: bool,

    /// Make only these parts, and keep what else is in target/dist
    #[arg(long, value_name = "PART")]
    only: Vec<Part>,

    /// Build the command for these targets instead of the usual ones
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
}

/// A part of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The crates
    Crates,
    /// Archives and Debian packages of the command
    Binaries,
    /// The wheel and the source distribution for Python
    Python,
    /// The npm package
    Npm,
    /// The bills of materials
    Materials,
}

/// The parts in the order in which they are made.
const PARTS: [Part; 5] = [Part::Crates, Part::Npm, Part::Python, Part::Binaries, Part::Materials];

/// Checks that the repository has one version, and its address in one place. Returns the version.
pub(crate) fn check_versions() -> Result<String, String> {
    let root = repository();
    let version = version::of_workspace(&root)?;
    version::check(&root, &version)?;
    address::check(&root)?;
    Ok(version)
}

/// The address of the repository, if it is configured.
pub(crate) fn address() -> Result<Option<String>, String> {
    address::configured(&repository())
}

/// Makes a release.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let root = repository();
    let version = check_versions()?;
    let address = address::configured(&root)?;
    let maintainer = debian::maintainer(&root)?;
    if !args.dry_run {
        is_configured(address.as_deref(), maintainer.as_deref())?;
    }
    tree::is_clean(&root)?;
    let changelog = changelog::cut(&root, &version)?;
    if !args.dry_run {
        files::write(&root.join("CHANGELOG.md"), &changelog)?;
        interface::write()?;
        tree::commit(&root, &["CHANGELOG.md", interface::FOLDER], &format!("Version {version}"))?;
    }
    let release = Release {
        version,
        address,
        maintainer,
        changelog,
        time: tree::time(&root)?,
        sources: root.join(sources::FOLDER),
        dist: root.join(DIST),
        targets: match &args.target[..] {
            [] => binaries::TARGETS.map(str::to_owned).to_vec(),
            targets => targets.to_vec(),
        },
    };
    make(&release, &args.only)?;
    commands::print(&release, args.dry_run)
}

/// An error that names each of the owner's settings that is empty.
fn is_configured(address: Option<&str>, maintainer: Option<&str>) -> Result<(), String> {
    let settings = [(address, address::MISSING), (maintainer, debian::MISSING)];
    let missing: Vec<_> =
        settings.iter().filter(|(value, _)| value.is_none()).map(|(_, message)| *message).collect();
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

/// Makes some parts, or all, and writes what describes them.
fn make(release: &Release, only: &[Part]) -> Result<(), String> {
    if only.is_empty() {
        files::remove(&release.dist)?;
    }
    files::make(&release.dist)?;
    sources::clone(&repository(), &release.sources)?;
    sources::add_licences(&release.sources)?;
    if let Some(address) = &release.address {
        sources::add_address(&release.sources, address, &release.version)?;
    }
    for part in PARTS {
        if !only.is_empty() && !only.contains(&part) {
            continue;
        }
        let begin = Instant::now();
        say(&format!("\n== {part:?}"));
        match part {
            Part::Crates => crates::make(release)?,
            Part::Binaries => binaries::make(release)?,
            Part::Python => python::make(release)?,
            Part::Npm => npm::make(release)?,
            Part::Materials => materials::make(release)?,
        }
        say(&format!("== {part:?}: {:.1} min", begin.elapsed().as_secs_f64() / 60.0));
    }
    contents::describe(release)
}
