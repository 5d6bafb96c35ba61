//! Memory from the allocator, where the feature `system` is off.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ptr::NonNull;

use crate::size::ALIGNMENT;

/// The available memory in bytes. It is unknown without the feature `system`.
#[cfg_attr(feature = "system", expect(dead_code))]
pub(crate) fn available() -> Option<u64> {
    None
}

/// Bytes that are zero at first, aligned to `ALIGNMENT`.
#[derive(Debug)]
pub(crate) struct Region {
    /// The allocation.
    memory: NonNull<u8>,
    layout: Layout,
    /// The first aligned byte of the allocation.
    first: NonNull<u8>,
    len: usize,
}

// SAFETY: a region owns its memory, as a box does, and gives out only the address. Reading or
// writing at the address needs `unsafe`, and that block must prove that the access is sound.
unsafe impl Send for Region {}
// SAFETY: as for `Send`.
unsafe impl Sync for Region {}

impl Region {
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        // Allocators take memory from the system, which is zero already, only for an ordinary
        // alignment. For a greater alignment they clear all of it. So this function aligns the
        // region.
        let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let padded = len.checked_add(ALIGNMENT).ok_or_else(out_of_memory)?;
        let layout = Layout::array::<u8>(padded).and_then(|layout| layout.align_to(8));
        let layout = layout.map_err(|_| out_of_memory())?;
        // SAFETY: the size is at least `ALIGNMENT`, so it is not zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(out_of_memory)?;
        let offset = memory.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        // SAFETY: the offset is less than `ALIGNMENT`, and the allocation has `len + ALIGNMENT`
        // bytes. So it contains `first` and the `len` bytes that begin there.
        let first = unsafe { memory.add(offset) };
        Ok(Self { memory, layout, first, len })
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.first.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout, and it is released only here.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_zero_and_aligned() {
        for len in [64, 4096, 1 << 20] {
            let region = Region::new(len).unwrap();
            assert_eq!((region.len(), region.as_ptr().addr() % ALIGNMENT), (len, 0));
            // SAFETY: the region has `len` bytes, and nothing writes to them.
            let bytes = unsafe { std::slice::from_raw_parts(region.as_ptr(), len) };
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "the interpreter ends where there is no memory")]
    fn memory_that_cannot_be_had_is_an_error() {
        assert!(Region::new(usize::MAX).is_err());
        assert!(Region::new(isize::MAX as usize - 4096).is_err());
    }
}
