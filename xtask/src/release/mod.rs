//! A release: everything that is published, made in `target/dist`, and the commands that publish it.
//!
//! Nothing here publishes anything. A dry run changes nothing in the repository either; without
//! `--dry-run`, the changelog is cut and committed first.

pub(crate) mod address;
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
mod python;
mod readme;
mod settings;
mod sources;
mod tree;
mod version;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::interface;
use crate::output::say;

/// The folder of what is made.
const DIST: &str = "target/dist";

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

/// What all parts need to know.
struct Release {
    version: String,
    /// The address of the repository, if it is configured.
    address: Option<String>,
    /// The maintainer of the Debian packages, if one is configured.
    maintainer: Option<String>,
    /// The changelog, with a section for this version.
    changelog: String,
    /// The time of the commit, in seconds since 1970: files in archives have it.
    time: String,
    /// A clone of the repository, from which all is made.
    sources: PathBuf,
    /// The folder of what is made.
    dist: PathBuf,
    targets: Vec<String>,
}

/// Checks that the repository has one version, and its address in one place. Returns the version.
pub(crate) fn check_versions() -> Result<String, String> {
    let root = crate::repository();
    let version = version::of_workspace(&root)?;
    version::check(&root, &version)?;
    address::check(&root)?;
    Ok(version)
}

/// The address of the repository, if it is configured.
pub(crate) fn address() -> Result<Option<String>, String> {
    address::configured(&crate::repository())
}

/// The files under version control, relative to the repository.
#[cfg(test)]
pub(crate) fn tracked_files() -> Result<Vec<String>, String> {
    tree::files(&crate::repository())
}

/// Makes a release.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let root = crate::repository();
    let version = check_versions()?;
    let address = address::configured(&root)?;
    let maintainer = debian::maintainer(&root)?;
    if !args.dry_run {
        is_configured(address.as_deref(), maintainer.as_deref())?;
    }
    tree::is_clean(&root)?;
    let changelog = changelog::cut(&root, &version)?;
    if !args.dry_run {
        fs::write(root.join("CHANGELOG.md"), &changelog)
            .map_err(|e| format!("CHANGELOG.md: {e}"))?;
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
    release.make(&args.only)?;
    commands::print(&release, args.dry_run)
}

/// An error that names each of the owner's settings that is empty.
fn is_configured(address: Option<&str>, maintainer: Option<&str>) -> Result<(), String> {
    let settings = [(address, address::MISSING), (maintainer, debian::MISSING)];
    let missing: Vec<_> =
        settings.iter().filter(|(value, _)| value.is_none()).map(|(_, message)| *message).collect();
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

impl Release {
    /// Makes some parts, or all, and writes what describes them.
    fn make(&self, only: &[Part]) -> Result<(), String> {
        let failed = |error| format!("{}: {error}", self.dist.display());
        if only.is_empty() && self.dist.exists() {
            fs::remove_dir_all(&self.dist).map_err(failed)?;
        }
        fs::create_dir_all(&self.dist).map_err(failed)?;
        sources::clone(&crate::repository(), &self.sources)?;
        sources::add_licences(&self.sources)?;
        if let Some(address) = &self.address {
            sources::add_address(&self.sources, address, &self.version)?;
        }
        for part in PARTS {
            if !only.is_empty() && !only.contains(&part) {
                continue;
            }
            let begin = Instant::now();
            say(&format!("\n== {part:?}"));
            match part {
                Part::Crates => crates::make(self)?,
                Part::Binaries => binaries::make(self)?,
                Part::Python => python::make(self)?,
                Part::Npm => npm::make(self)?,
                Part::Materials => materials::make(self)?,
            }
            say(&format!("== {part:?}: {:.1} min", begin.elapsed().as_secs_f64() / 60.0));
        }
        contents::describe(self)
    }

    /// The name of an artefact for a target, without an extension.
    fn name(&self, target: &str) -> String {
        format!("tabiya-{}-{target}", self.version)
    }

    /// The section of the changelog about this version.
    fn notes(&self) -> &str {
        changelog::section(&self.changelog, &self.version).unwrap_or_default()
    }
}
