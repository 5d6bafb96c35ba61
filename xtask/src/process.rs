//! Running other programs.

use std::ffi::OsStr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::crates::LIBRARIES;
use crate::files::repository;
use crate::output::{redirect, say};

/// The time after which a program is killed; without a limit, programs run to their end.
static LIMIT: OnceLock<Duration> = OnceLock::new();

/// From now on, a program that [`run`] starts is killed after this time, since it hangs.
pub(crate) fn set_limit(limit: Duration) {
    let _ = LIMIT.set(limit);
}

/// Runs a program to its end, with its output shown.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    say(&format!("   {}", shown(command)));
    let begin = Instant::now();
    let limit = LIMIT.get().copied().unwrap_or(Duration::MAX);
    match redirect(command).spawn().and_then(|child| end_of(child, limit)) {
        Ok(Some(status)) if status.success() => {
            say(&format!("   ({:.0} s)", begin.elapsed().as_secs_f64()));
            Ok(())
        }
        Ok(Some(status)) => Err(format!("{} ended with {status}", shown(command))),
        Ok(None) => {
            let minutes = limit.as_secs() / 60;
            Err(format!("{} took longer than {minutes} minutes", shown(command)))
        }
        Err(error) => Err(format!("{} cannot be started: {error}", shown(command))),
    }
}

/// Waits for the end of a program. After the limit, it's killed, and there is no status.
fn end_of(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let pid = child.id();
    let (end, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let is_late = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if is_late {
                let family = family(pid).into_iter().map(|pid| pid.to_string());
                let kill = ["-c", "kill -KILL \"$@\"", "sh"].map(str::to_owned);
                succeeds(Command::new("sh").args(kill.into_iter().chain(family)));
            }
            is_late
        });
        let status = child.wait()?;
        drop(end);
        let is_late = watch.join().expect("watching does not panic");
        Ok((!is_late).then_some(status))
    })
}

/// A process and all that it has started, directly or not, as far as the system says.
fn family(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|list| list.split(' ').flat_map(str::parse).collect::<Vec<_>>())
        .collect();
    std::iter::once(pid).chain(children.into_iter().flat_map(family)).collect()
}

/// Does the program run and succeed? Its output is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Is the standard library for a target installed, or can it be installed?
pub(crate) fn can_build_for(target: &str) -> bool {
    // Two rustups at a time spoil each other's work, and suites run at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    succeeds(Command::new("rustup").args(["target", "add", target]))
}

/// `cargo` with some arguments, in the folder of the workspace.
pub(crate) fn cargo<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    // The cargo that runs this program; a plain `cargo` could be another version.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(repository());
    command
}

/// The command line, for people.
fn shown(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={} ", name.to_string_lossy(), value?.to_string_lossy()))
    });
    let program = std::path::Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    variables.collect::<String>() + &words.join(" ")
}

/// Arguments that make cargo compile a package quickly rather than well, for programs that run once
/// and briefly. With debug assertions, the kernels of the fast counter are divided into functions;
/// in one function, without optimisation, they need more stack than a thread has.
pub(crate) fn compiled_soon(package: &str) -> Vec<String> {
    settings(package, &["opt-level=0", "debug-assertions=true"])
}

/// Arguments that make cargo compile a package with few optimisations and with the checks of a
/// debug build. A program with hundreds of copies of the generator compiles in half the time, and
/// runs as fast, because what is small is inlined all the same.
pub(crate) fn compiled_with_checks(package: &str) -> Vec<String> {
    settings(package, &["opt-level=1", "debug-assertions=true", "overflow-checks=true"])
}

/// The packages around the generator and the counters. Their tests wait for disks, pipes and other
/// programs, not for the processor.
const AROUND: [&str; 5] =
    ["tabiya-cli", "tabiya-compare", "tabiya-runs", "tabiya-uci", "tabiya-views"];

/// Arguments that make cargo compile the workspace as the suites test it: what is around the
/// generator and the counters with the checks of a debug build. Small code compiles sooner than code with few
/// optimisations, and runs as fast; code without optimisation runs so much longer that nothing is won.
fn tested() -> impl Iterator<Item = String> {
    let checked = ["opt-level=\"s\"", "debug-assertions=true", "overflow-checks=true"];
    AROUND.into_iter().flat_map(move |package| settings(package, &checked))
}

/// A subcommand of `cargo` for the packages of the workspace that Rust alone builds, except the
/// library, as the suites test them. They are always named together: for one package alone,
/// everything would be built again.
pub(crate) fn workspace(subcommand: &str) -> Command {
    let libraries = LIBRARIES.into_iter().filter(|&package| package != "tabiya");
    let packages = libraries.chain(["tabiya-cli", "xtask"]);
    let mut command = cargo([subcommand, "--release"]);
    command.args(packages.flat_map(|package| ["--package", package])).args(tested());
    // The types of the JSON output have their schemas, which a test compares with the documents.
    command.args(["--features", "tabiya-cli/schema"]);
    command
}

/// Arguments that make cargo compile a package with few optimisations.
pub(crate) fn compiled_fairly(package: &str) -> Vec<String> {
    settings(package, &["opt-level=1"])
}

/// Arguments that change the release profile for a package.
fn settings(package: &str, settings: &[&str]) -> Vec<String> {
    let argument = |setting| format!("profile.release.package.{package}.{setting}");
    settings.iter().flat_map(|setting| ["--config".to_owned(), argument(setting)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_that_hangs_is_killed_with_what_it_has_started() {
        let mut hangs = Command::new("sh");
        hangs.args(["-c", "sleep 1000 & echo $!; wait"]).stdout(Stdio::piped());
        let mut child = hangs.spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let status = end_of(child, Duration::from_millis(300)).unwrap();
        assert!(status.is_none());
        // Both had the pipe open. Without the kill, this would wait for the end of `sleep`.
        let started = io::read_to_string(output).unwrap();
        assert!(started.trim().parse::<u32>().is_ok(), "{started:?}");
    }

    #[test]
    fn a_program_that_ends_in_time_has_its_status() {
        let child = cargo(["--version"]).stdout(Stdio::null()).spawn().unwrap();
        assert!(end_of(child, Duration::MAX).unwrap().unwrap().success());
    }
}
