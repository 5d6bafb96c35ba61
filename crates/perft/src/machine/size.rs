//! The size of a table, and the errors of a size that is not possible.

use std::num::NonZeroU64;
use std::str::FromStr;

pub(crate) const MEBIBYTE: u64 = 1 << 20;

/// The greatest alignment of the contents of a table.
pub(crate) const ALIGNMENT: usize = 64;

/// The size of a table.
///
/// ```
/// use tabiya_perft::table::HashSize;
/// assert_eq!("256".parse(), Ok(HashSize::mebibytes(256)));
/// assert_eq!("auto".parse(), Ok(HashSize::Auto));
/// assert!("0".parse::<HashSize>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashSize {
    /// Half of the available memory. It needs the feature `system`.
    Auto,
    /// A number of bytes.
    Bytes(NonZeroU64),
}

impl HashSize {
    /// A size in units of 2^20 bytes; 0 stands for 1.
    pub const fn mebibytes(count: u64) -> Self {
        match NonZeroU64::new(count.saturating_mul(MEBIBYTE)) {
            Some(bytes) => Self::Bytes(bytes),
            None => Self::mebibytes(1),
        }
    }
}

/// The error for a string that is not the size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a size is a whole number of MiB, at least 1, or \"auto\"")]
pub struct HashSizeError;

impl FromStr for HashSize {
    type Err = HashSizeError;

    fn from_str(text: &str) -> Result<Self, HashSizeError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let count: NonZeroU64 = text.parse().map_err(|_| HashSizeError)?;
        Ok(Self::mebibytes(count.get()))
    }
}

/// Why there is no memory for a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The size is larger than the memory that is available.
    #[error(
        "a table of {} MiB does not fit into the {} MiB of available memory",
        wanted / MEBIBYTE, available / MEBIBYTE
    )]
    TooLarge {
        /// The size in bytes.
        wanted: u64,
        /// The available memory in bytes.
        available: u64,
    },
    /// The system refused the memory.
    #[error("no memory for a table of {} MiB: {source}", wanted / MEBIBYTE)]
    Refused {
        /// The size in bytes.
        wanted: u64,
        /// The system's answer.
        source: std::io::Error,
    },
    /// [`HashSize::Auto`] without the feature `system`.
    #[error("the size of the available memory is not known: give a number of MiB")]
    UnknownMemory,
}
