//! The crates, packed. They are built outside the repository when the command is built.

use std::fs;

use super::Release;
use crate::packed;

pub(super) fn make(release: &Release) -> Result<(), String> {
    for file in packed::pack(&release.sources)? {
        let to = release.dist.join(file.file_name().unwrap_or_default());
        fs::copy(&file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}
