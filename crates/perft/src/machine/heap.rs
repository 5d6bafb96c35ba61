//! Memory from the allocator, where the feature `system` is off.

use std::io;
use std::sync::atomic::AtomicU64;

use super::size::ALIGNMENT;

/// The available memory in bytes. It is unknown without the feature `system`.
#[cfg_attr(feature = "system", expect(dead_code))]
pub(crate) fn available() -> Option<u64> {
    None
}

/// Bytes with the alignment of a table. Tables consist of atomics, so these do too.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Block(#[expect(dead_code, reason = "tables use its address")] [AtomicU64; 8]);

const _: () = assert!(align_of::<Block>() == ALIGNMENT && size_of::<Block>() == ALIGNMENT);

/// Bytes that are zero at first, aligned to `ALIGNMENT`.
#[derive(Debug)]
pub(crate) struct Region {
    blocks: Vec<Block>,
    len: usize,
}

impl Region {
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let mut blocks = Vec::new();
        let count = len.div_ceil(ALIGNMENT);
        blocks.try_reserve_exact(count).map_err(|_| io::ErrorKind::OutOfMemory)?;
        blocks.resize_with(count, Block::default);
        Ok(Self { blocks, len })
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.blocks.as_ptr().cast()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
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
