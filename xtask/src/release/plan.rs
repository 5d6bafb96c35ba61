//! What the parts of a release need to know.

use std::path::PathBuf;

use super::changelog;

/// The folder of what is made.
pub(super) const DIST: &str = "target/dist";

/// What all parts need to know.
pub(super) struct Release {
    pub(super) version: String,
    /// The address of the repository, if it is configured.
    pub(super) address: Option<String>,
    /// The maintainer of the Debian packages, if one is configured.
    pub(super) maintainer: Option<String>,
    /// The changelog, with a section for this version.
    pub(super) changelog: String,
    /// The time of the commit, in seconds since 1970: files in archives have it.
    pub(super) time: String,
    /// A clone of the repository, from which all is made.
    pub(super) sources: PathBuf,
    /// The folder of what is made.
    pub(super) dist: PathBuf,
    pub(super) targets: Vec<String>,
}

impl Release {
    /// The name of an artefact for a target, without an extension.
    pub(super) fn name(&self, target: &str) -> String {
        format!("tabiya-{}-{target}", self.version)
    }

    /// The section of the changelog about this version.
    pub(super) fn notes(&self) -> &str {
        changelog::section(&self.changelog, &self.version).unwrap_or_default()
    }
}

/// What belongs to the command, built for a target.
pub(super) struct Built<'a> {
    pub(super) target: &'a str,
    pub(super) program: PathBuf,
    /// A folder with its manual pages.
    pub(super) pages: PathBuf,
    /// A folder with completions for shells.
    pub(super) completions: PathBuf,
    /// The licences of what it contains.
    pub(super) notices: String,
}
