//! Memory from the operating system: mapped, in huge pages if possible.

use std::io;

use memmap2::MmapMut;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::control_groups;

/// The bytes of memory that are available without swapping, as reported by the system
/// and within the limits of this process's control groups.
pub(crate) fn available() -> Option<u64> {
    let only_memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(only_memory);
    if system.total_memory() == 0 {
        // The system does not tell, for example without `/proc`.
        return None;
    }
    let free = system.available_memory();
    Some(control_groups::free_memory().map_or(free, |left| free.min(left)))
}

/// Bytes that are zero at first. They begin on a page boundary, so they are aligned to `ALIGNMENT`.
#[derive(Debug)]
pub(crate) struct Region(MmapMut);

impl Region {
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let memory = MmapMut::map_anon(len)?;
        // Look-ups are spread over the whole table. With small pages, each one would miss the TLB.
        // If the system refuses huge pages, the table still works, but more slowly.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self(memory))
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
