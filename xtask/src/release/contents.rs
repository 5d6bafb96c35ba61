//! What describes the artefacts: the notes of the release, and checksums.

use std::path::Path;
use std::process::Command;

use super::plan::Release;
use crate::files::{files, write};

const NOTES: &str = "RELEASE_NOTES.md";
const SUMS: &str = "SHA256SUMS";

pub(super) fn describe(release: &Release) -> Result<(), String> {
    write(&release.dist.join(NOTES), release.notes().trim_start())?;
    let made = files(&release.dist)?;
    let mut names: Vec<_> = made.iter().filter_map(|path| path.file_name()).collect();
    names.retain(|&name| name != Path::new(SUMS));
    names.sort_unstable();
    let output = Command::new("sha256sum").args(names).current_dir(&release.dist).output();
    let output = output.map_err(|error| format!("sha256sum: {error}"))?;
    match output.status.success() {
        true => write(&release.dist.join(SUMS), output.stdout),
        false => Err(format!("sha256sum: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
