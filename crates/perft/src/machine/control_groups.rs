//! The memory that the control groups of Linux (version 2) leave to this process.
//!
//! A service, a container or a job of a cluster is a group, and groups contain groups. Each may have
//! a limit, and the kernel kills a process that exceeds it.

use std::fs;
use std::path::Path;

/// The least memory in bytes that any limit leaves to this process; `None` if there is no limit.
pub(crate) fn free_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    free(&groups, |file| fs::read_to_string(file).ok())
}

/// The least memory that the limits leave. `groups` are the lines of `/proc/self/cgroup`, such as
/// `0::/system.slice/job`.
fn free(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    // In a container, the path may be that of the host. The root is then the container's group.
    let groups = Path::new(own).ancestors().map(|group| Path::new("/sys/fs/cgroup").join(group));
    groups.filter_map(|group| free_of(&group, &read)).min()
}

/// The memory that a group leaves; `None` if it has no limit.
fn free_of(group: &Path, read: &impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let number = |file| read(&group.join(file))?.trim().parse::<u64>().ok();
    let limit = number("memory.max")?;
    let used = number("memory.current").unwrap_or(0);
    // The kernel drops cached files before it kills a process.
    let stat = read(&group.join("memory.stat")).unwrap_or_default();
    let cached = stat.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        ["inactive_file", "active_file"].contains(&name).then(|| bytes.parse::<u64>().ok())?
    });
    Some(limit.saturating_sub(used.saturating_sub(cached.sum())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory that is free with these groups and files.
    fn free_with(groups: &str, files: &[(&str, &str)]) -> Option<u64> {
        let found = |path: &Path| files.iter().find(|(name, _)| Path::new(name) == path);
        free(groups, |path| found(path).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn the_least_limit_on_the_path_of_the_group_counts() {
        let own = "0::/system.slice/worker.service/job\n";
        let job = "/sys/fs/cgroup/system.slice/worker.service/job/memory.max";
        let used = "/sys/fs/cgroup/system.slice/worker.service/job/memory.current";
        let service = "/sys/fs/cgroup/system.slice/worker.service/memory.max";
        let root = "/sys/fs/cgroup/memory.max";
        assert_eq!(free_with(own, &[(job, "5000\n"), (used, "2000\n")]), Some(3000));
        assert_eq!(free_with(own, &[(job, "5000\n"), (used, "9000\n")]), Some(0));
        assert_eq!(
            free_with(own, &[(job, "max\n"), (used, "2000\n"), (service, "700\n")]),
            Some(700)
        );
        assert_eq!(free_with(own, &[(job, "5000\n"), (service, "7000\n")]), Some(5000));
        assert_eq!(free_with(own, &[(job, "5000\n"), (root, "400\n")]), Some(400));
        assert_eq!(free_with(own, &[(job, "max\n"), (used, "2000\n")]), None);
        assert_eq!(
            free_with(own, &[("/sys/fs/cgroup/system.slice/other/memory.max", "1\n")]),
            None
        );
        assert_eq!(free_with("", &[(root, "1\n")]), None);
        assert_eq!(free_with("4:memory:/job\n0::/\n", &[(root, "1\n")]), Some(1));
    }

    #[test]
    fn cached_files_count_as_free() {
        let files = [
            ("/sys/fs/cgroup/job/memory.max", "5000\n"),
            ("/sys/fs/cgroup/job/memory.current", "4000\n"),
            (
                "/sys/fs/cgroup/job/memory.stat",
                "anon 1000\nfile 3000\ninactive_file 2500\nactive_file 300\n",
            ),
        ];
        assert_eq!(free_with("0::/job\n", &files), Some(3800));
    }
}
