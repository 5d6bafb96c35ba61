//! The memory of a table: requested at once, and zero at first.

use std::marker::PhantomData;
use std::ops::Deref;

use super::size::{ALIGNMENT, HashSize, MEBIBYTE, TableError};

#[cfg(not(feature = "system"))]
use super::heap::{Region, available};
#[cfg(feature = "system")]
use super::mapped::{Region, available};

/// A type that may be stored in memory that is zero at first and that other threads write to.
///
/// # Safety
/// The type consists of atomics, for which any bytes are valid, and has no drop glue.
pub unsafe trait Zeroed {}

/// The bytes of memory that are available without swapping and within the limit of this process's
/// control group (version 2); `None` if they aren't known, as without the feature `system`.
pub fn available_memory() -> Option<u64> {
    available()
}

/// The memory of a table, all zero at first.
#[derive(Debug)]
pub struct Pages<T> {
    region: Region,
    items: PhantomData<T>,
}

impl<T: Zeroed> Pages<T> {
    /// Requests memory of a size, rounded up to whole items.
    ///
    /// # Errors
    /// There is not enough memory, or the system refuses the request.
    pub fn new(size: HashSize) -> Result<Self, TableError> {
        const { assert!(align_of::<T>() <= ALIGNMENT) };
        let available = available();
        let wanted = match (size, available) {
            (HashSize::Bytes(bytes), _) => bytes.get(),
            (HashSize::Auto, Some(available)) => (available / 2).max(MEBIBYTE),
            (HashSize::Auto, None) => return Err(TableError::UnknownMemory),
        };
        // The system would grant more memory than it has, and kill the program later.
        let available = available.unwrap_or(isize::MAX as u64);
        if wanted > available {
            return Err(TableError::TooLarge { wanted, available });
        }
        let len = usize::try_from(wanted)
            .ok()
            .and_then(|len| len.checked_next_multiple_of(size_of::<T>()))
            .ok_or(TableError::TooLarge { wanted, available })?;
        let region = Region::new(len).map_err(|source| TableError::Refused { wanted, source })?;
        Ok(Self { region, items: PhantomData })
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let first: *const T = self.region.as_ptr().cast();
        let count = self.region.len() / size_of::<T>();
        // SAFETY: a region is aligned to `ALIGNMENT`, and `new` checks that this suffices. It has
        // `len` bytes, which are initialised, and `count` items fill no more. `Zeroed` promises
        // that any bytes are valid. All access goes through shared references to atomics: this is
        // the only place that reads the address. The region lives as long as `self`, from which the
        // slice is borrowed.
        unsafe { std::slice::from_raw_parts(first, count) }
    }
}
