//! Memory from the allocator, where the feature `system` is off.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ptr::NonNull;

use crate::pages::ALIGNMENT;

/// The memory that is available, in bytes: without the system's help, it is not known.
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
    /// The first aligned byte of it.
    first: NonNull<u8>,
    len: usize,
}

// SAFETY: a region owns its memory, as a box does, and gives out only the address. Who reads or
// writes there needs `unsafe`, and answers for it.
unsafe impl Send for Region {}
// SAFETY: as for `Send`.
unsafe impl Sync for Region {}

impl Region {
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        // For an ordinary alignment, allocators take memory from the system that is zero already.
        // For a greater one they clear it all. So the region is aligned here.
        let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let padded = len.checked_add(ALIGNMENT).ok_or_else(out_of_memory)?;
        let layout = Layout::array::<u8>(padded).and_then(|layout| layout.align_to(8));
        let layout = layout.map_err(|_| out_of_memory())?;
        // SAFETY: the size is at least `ALIGNMENT`, so it is not zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(out_of_memory)?;
        let offset = memory.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        // SAFETY: the offset is less than `ALIGNMENT`, and the allocation has `len + ALIGNMENT`
        // bytes. So `first` and the `len` bytes from there on are in it.
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
    fn memory_that_cannot_be_had_is_an_error() {
        assert!(Region::new(usize::MAX).is_err());
        assert!(Region::new(isize::MAX as usize - 4096).is_err());
    }
}
