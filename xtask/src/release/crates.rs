//! The crates, packed. They are built outside the repository when the command is built.

use super::plan::Release;
use crate::files::copy;
use crate::packed;

pub(super) fn make(release: &Release) -> Result<(), String> {
    for file in packed::pack(&release.sources)? {
        copy(&file, &release.dist)?;
    }
    Ok(())
}
