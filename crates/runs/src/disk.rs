//! Rules for all writing to a disk.

use std::io::{self, ErrorKind};

/// Is the disk full, or is a quota or a file size limit reached?
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}
