//! Memory for the table: asked for at once, in huge pages where the system gives them.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::ops::Deref;
use std::str::FromStr;

use memmap2::MmapMut;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::bucket::Bucket;

const MEBIBYTE: u64 = 1 << 20;

/// How large a table should be.
///
/// ```
/// use tabiya_perft::table::HashSize;
/// assert_eq!("256".parse(), Ok(HashSize::mebibytes(256)));
/// assert_eq!("auto".parse(), Ok(HashSize::Auto));
/// assert!("0".parse::<HashSize>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashSize {
    /// Half of the memory that is available.
    Auto,
    /// So many bytes.
    Bytes(NonZeroU64),
}

impl HashSize {
    /// A size in units of 2^20 bytes; 0 is taken as 1.
    pub const fn mebibytes(count: u64) -> Self {
        match NonZeroU64::new(count.saturating_mul(MEBIBYTE)) {
            Some(bytes) => Self::Bytes(bytes),
            None => Self::mebibytes(1),
        }
    }
}

/// A text is not the size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSizeError;

impl fmt::Display for HashSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size is a whole number of MiB from 1 on, or \"auto\"")
    }
}

impl std::error::Error for HashSizeError {}

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

/// The memory for a table is not to be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// More was asked for than there is.
    TooLarge {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes available.
        available: u64,
    },
    /// The system refused.
    Refused {
        /// Bytes asked for.
        wanted: u64,
        /// What the system said.
        source: std::io::Error,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { wanted, available } => write!(
                f,
                "a table of {} MiB does not fit into the {} MiB of memory that are available",
                wanted / MEBIBYTE,
                available / MEBIBYTE
            ),
            Self::Refused { wanted, source } => {
                write!(f, "no memory for a table of {} MiB: {source}", wanted / MEBIBYTE)
            }
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::TooLarge { .. } => None,
            Self::Refused { source, .. } => Some(source),
        }
    }
}

/// Bytes that can be had without swapping, as far as the system says.
fn available() -> u64 {
    let only_memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(only_memory);
    let free = system.available_memory();
    // A container may be allowed less than the machine has.
    system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory))
}

/// What may lie in memory that the system has filled with zeros, or that another thread writes to.
///
/// # Safety
/// The type must be made of atomics for which any bytes are valid, and fit into a page without
/// drop glue.
pub(crate) unsafe trait Zeroed {}

// SAFETY: a bucket is made of atomic words.
unsafe impl Zeroed for Bucket {}

/// The memory of a table, all zero at first.
#[derive(Debug)]
pub(crate) struct Pages<T> {
    memory: MmapMut,
    items: PhantomData<T>,
}

impl<T: Zeroed> Pages<T> {
    pub(crate) fn new(size: HashSize) -> Result<Self, TableError> {
        let available = available();
        let wanted = match size {
            HashSize::Auto => (available / 2).max(MEBIBYTE),
            HashSize::Bytes(bytes) => bytes.get(),
        };
        // The system would promise more than it has and end the program later.
        if wanted > available {
            return Err(TableError::TooLarge { wanted, available });
        }
        let refused = |source| TableError::Refused { wanted, source };
        let len = usize::try_from(wanted)
            .map_err(|_| TableError::TooLarge { wanted, available })?
            .next_multiple_of(size_of::<T>());
        let memory = MmapMut::map_anon(len).map_err(refused)?;
        // Look-ups go anywhere, so small pages would cost a miss of the address cache each. It
        // is a wish, and nothing depends on its being granted.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, items: PhantomData })
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let first: *const T = self.memory.as_ptr().cast();
        let count = self.memory.len() / size_of::<T>();
        // SAFETY: a mapping begins at a page, so it is aligned; its bytes are initialised, zero
        // at first, and `Zeroed` promises that any bytes are valid. All access goes through
        // shared references to atomics, and the mapping lives as long as the slice.
        unsafe { std::slice::from_raw_parts(first, count) }
    }
}
