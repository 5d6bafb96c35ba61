//! The memory that the control groups of Linux leave to this process.
//!
//! A service, a job of a cluster or a container is a group, and groups contain groups. Each may have
//! a limit, and the kernel ends a process that goes beyond it.

use std::fs;
use std::path::Path;

/// The least memory in bytes that any limit leaves to this process; `None` if there is no limit.
pub(crate) fn free_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    free(&groups, |file| fs::read_to_string(file).ok())
}

/// Where a version of the control groups keeps what this module needs.
struct Files {
    root: &'static str,
    limit: &'static str,
    used: &'static str,
    /// The lines of `memory.stat` about cached files: those that were read once, and those that were
    /// read again.
    cached: [&'static str; 2],
}

const VERSION_1: Files = Files {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: ["total_inactive_file", "total_active_file"],
};

const VERSION_2: Files = Files {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    used: "memory.current",
    cached: ["inactive_file", "active_file"],
};

/// The least memory that the limits leave. `groups` are the lines of `/proc/self/cgroup`, such as
/// `0::/system.slice/job` (version 2) and `4:memory:/job` (version 1).
fn free(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let of_hierarchy = |line: &str| {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        let files = match controllers {
            "" => VERSION_2,
            _ if controllers.split(',').any(|name| name == "memory") => VERSION_1,
            _ => return None,
        };
        // In a container, the path may be that of the host. The root is then the container's group.
        let groups = Path::new(group.trim_start_matches('/')).ancestors();
        groups.filter_map(|group| files.free(&Path::new(files.root).join(group), &read)).min()
    };
    groups.lines().filter_map(of_hierarchy).min()
}

impl Files {
    /// The memory that a group leaves; `None` if it has no limit.
    fn free(&self, group: &Path, read: &impl Fn(&Path) -> Option<String>) -> Option<u64> {
        let number = |file| read(&group.join(file))?.trim().parse::<u64>().ok();
        let limit = number(self.limit)?;
        let used = number(self.used).unwrap_or(0);
        // The kernel drops these files before it ends a process.
        let stat = read(&group.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().filter_map(|line| {
            let (name, bytes) = line.split_once(' ')?;
            self.cached.contains(&name).then(|| bytes.trim().parse::<u64>().ok())?
        });
        Some(limit.saturating_sub(used.saturating_sub(cached.sum())))
    }
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
    }

    #[test]
    fn version_1_has_other_files() {
        let own = "9:name=systemd:/\n4:cpu,memory:/slurm/job_1\n0::/\n";
        let no_limit = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        let job = ("/sys/fs/cgroup/memory/slurm/job_1/memory.limit_in_bytes", "5000\n");
        let used = ("/sys/fs/cgroup/memory/slurm/job_1/memory.usage_in_bytes", "2000\n");
        assert_eq!(free_with(own, &[no_limit, job, used]), Some(3000));
        // The group of a container that sees the path of the host.
        let container = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "600\n");
        assert_eq!(free_with(own, &[container]), Some(600));
        // Another hierarchy's group is not asked for memory.
        assert_eq!(free_with("4:pids:/slurm/job_1\n", &[job, used]), None);
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
            ("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n"),
            ("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "4000\n"),
            (
                "/sys/fs/cgroup/memory/job/memory.stat",
                "inactive_file 7\ntotal_inactive_file 2000\ntotal_active_file 1\n",
            ),
        ];
        assert_eq!(free_with("0::/job\n", &files), Some(3800));
        assert_eq!(free_with("4:memory:/job\n", &files), Some(3001));
    }
}
