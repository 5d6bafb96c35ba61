//! Rules for everything that is written to a disk.

use std::io::{self, ErrorKind};

/// Is the disk full, or a quota or a limit to the size of files reached?
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}
