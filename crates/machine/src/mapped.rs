//! Memory from the operating system: mapped, in huge pages if possible.

use std::io;

use memmap2::MmapMut;

/// The bytes of memory that are available without swapping, as reported by the system.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> Option<u64> {
    linux::available(&|path| std::fs::read_to_string(path).ok())
}

/// The bytes of memory that are available without swapping, as reported by the system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn available() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let only_memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    Some(System::new_with_specifics(only_memory).available_memory())
}

/// Linux says it in files, so most people do not have to compile `sysinfo`.
#[cfg(target_os = "linux")]
mod linux {
    /// Two files of a control group: its limit, and the memory that it uses.
    const GROUPS: [[&str; 2]; 2] = [
        ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"],
        [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ],
    ];

    /// What the files say, given a way to read them.
    pub(super) fn available(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
        let info = read("/proc/meminfo")?;
        let kibibytes = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let free = number(kibibytes.trim_end_matches("kB"))?.checked_mul(1024)?;
        // A container's limit may be below the memory of the machine. Without a limit, the file
        // says `max`.
        let left = GROUPS.into_iter().find_map(|[limit, used]| {
            let used = number(&read(used)?)?;
            Some(number(&read(limit)?).map_or(u64::MAX, |limit| limit.saturating_sub(used)))
        });
        Some(left.map_or(free, |left| free.min(left)))
    }

    fn number(text: &str) -> Option<u64> {
        text.trim().parse().ok()
    }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::linux::available;

    /// What is available if these are all the files.
    fn with(files: &[(&str, &str)]) -> Option<u64> {
        available(&|path| {
            let (_, text) = files.iter().find(|(name, _)| *name == path)?;
            Some((*text).to_owned())
        })
    }

    #[test]
    fn the_files_of_linux_are_read() {
        let info = ("/proc/meminfo", "MemTotal:  9 kB\nMemFree:  1 kB\nMemAvailable:    8 kB\n");
        let used = ("/sys/fs/cgroup/memory.current", "3000\n");
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[info]), Some(8192));
        assert_eq!(with(&[info, used, ("/sys/fs/cgroup/memory.max", "max\n")]), Some(8192));
        assert_eq!(with(&[info, used, ("/sys/fs/cgroup/memory.max", "100000\n")]), Some(8192));
        assert_eq!(with(&[info, used, ("/sys/fs/cgroup/memory.max", "5000\n")]), Some(2000));
        assert_eq!(with(&[info, used, ("/sys/fs/cgroup/memory.max", "2000\n")]), Some(0));
        let used = ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n");
        let limit = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n");
        assert_eq!(with(&[info, used, limit]), Some(4000));
    }

    #[test]
    fn this_machine_has_memory() {
        assert!(super::available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
