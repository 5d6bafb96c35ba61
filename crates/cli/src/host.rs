//! The machine that this program runs on, as reported by the system.

/// A computer. Unknown facts are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Host {
    /// The name of the processor.
    pub(crate) cpu: Option<String>,
    /// The name and version of the system.
    pub(crate) os: Option<String>,
    /// Physical cores.
    pub(crate) cores: Option<usize>,
    /// Memory in bytes.
    pub(crate) memory: Option<u64>,
}

/// Asks the system.
#[cfg(target_os = "linux")]
pub(crate) fn host() -> Host {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let cpus = read("/proc/cpuinfo");
    Host {
        cpu: linux::cpu(&cpus),
        os: linux::os(&read("/etc/os-release")),
        cores: linux::cores(&cpus),
        memory: linux::memory(&read("/proc/meminfo")),
    }
}

#[cfg(any(target_os = "linux", test))]
mod linux {
    use std::collections::HashSet;

    /// The values of a field such as `model name : ...`, one for each logical processor.
    fn fields<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
        text.lines()
            .filter_map(|line| line.split_once(':'))
            .filter(move |(field, _)| field.trim() == name)
            .map(|(_, value)| value.trim())
    }

    /// The name of the processor in `/proc/cpuinfo`; ARM has no such field.
    pub(super) fn cpu(cpus: &str) -> Option<String> {
        fields(cpus, "model name").find(|name| !name.is_empty()).map(str::to_owned)
    }

    /// The number of different pairs of socket and core.
    pub(super) fn cores(cpus: &str) -> Option<usize> {
        let pairs = fields(cpus, "physical id").zip(fields(cpus, "core id"));
        Some(pairs.collect::<HashSet<_>>().len()).filter(|&cores| cores > 0)
    }

    /// The name in `/etc/os-release`.
    pub(super) fn os(release: &str) -> Option<String> {
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(format!("Linux ({})", name.trim_matches('"')))
    }

    /// The size in `/proc/meminfo`.
    pub(super) fn memory(info: &str) -> Option<u64> {
        let kibibytes = fields(info, "MemTotal").next()?.strip_suffix("kB")?;
        kibibytes.trim().parse::<u64>().ok()?.checked_mul(1024)
    }
}

/// Asks the system.
#[cfg(target_vendor = "apple")]
pub(crate) fn host() -> Host {
    use std::process::Command;

    let ask = |program: &str, argument: &str, name: &str| {
        let output = Command::new(program).args([argument, name]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let number = |name| ask("sysctl", "-n", name)?.parse::<u64>().ok();
    Host {
        cpu: ask("sysctl", "-n", "machdep.cpu.brand_string"),
        os: ask("sw_vers", "-productVersion", "").map(|version| format!("macOS {version}")),
        cores: number("hw.physicalcpu").and_then(|cores| cores.try_into().ok()),
        memory: number("hw.memsize"),
    }
}

/// Asks the system.
#[cfg(windows)]
pub(crate) fn host() -> Host {
    use std::mem::size_of;
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

    // SAFETY: all bytes zero are a valid value of this struct of integers.
    let mut status: MEMORYSTATUSEX = unsafe { std::mem::zeroed() };
    status.dwLength = size_of::<MEMORYSTATUSEX>() as u32;
    // SAFETY: the pointer is to a struct that is valid for writes, and its length is set.
    let is_known = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
    Host {
        cpu: std::env::var("PROCESSOR_IDENTIFIER").ok(),
        os: Some("Windows".to_owned()),
        cores: None,
        memory: is_known.then_some(status.ullTotalPhys),
    }
}

/// This system has no known way to ask.
#[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
pub(crate) fn host() -> Host {
    Host::default()
}

#[cfg(test)]
mod tests {
    use super::linux::{cores, cpu, memory, os};

    #[test]
    fn the_files_of_linux_are_read() {
        let one = "processor\t: 0\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 0\n\n";
        let two = "processor\t: 1\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 1\n\n";
        assert_eq!(cpu(&format!("{one}{two}")).as_deref(), Some("A CPU"));
        assert_eq!(cores(&format!("{one}{one}{two}{two}")), Some(2));
        assert_eq!((cpu(""), cores("")), (None, None));
        assert_eq!(memory("MemTotal:       24684092 kB\nMemFree: 1 kB\n"), Some(25_276_510_208));
        assert_eq!(memory("nothing"), None);
        assert_eq!(
            os("NAME=\"D\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n").as_deref(),
            Some("Linux (Debian GNU/Linux 12)")
        );
    }
}
