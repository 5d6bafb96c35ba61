//! The output of a task: the terminal, or a file while another task runs next to it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// What a task prints is shown as often as this.
const PAUSE: Duration = Duration::from_millis(100);

thread_local! {
    /// The file of the task that this thread runs; the terminal, if there is none.
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// A second handle of the file of this thread's task, for another thread of the same task.
pub(crate) fn file() -> Option<File> {
    FILE.with_borrow(|file| file.as_ref()?.try_clone().ok())
}

/// From now on, this thread prints to the file.
pub(crate) fn set_file(file: Option<File>) {
    FILE.set(file);
}

/// Runs a task with its output in a file, and returns that output as well. With `is_shown`, it is
/// also printed while the task runs.
pub(crate) fn captured<T>(task: impl FnOnce() -> T, is_shown: bool) -> io::Result<(T, Vec<u8>)> {
    let file = tempfile::NamedTempFile::new()?;
    // With a place of its own in the file.
    let mut reader = file.reopen()?;
    let before = FILE.replace(Some(file.into_file()));
    let (end, ended) = mpsc::channel::<()>();
    let (result, output) = thread::scope(|scope| {
        let reading = scope.spawn(move || {
            let mut output = Vec::new();
            loop {
                let is_last = ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected);
                let old = output.len();
                reader.read_to_end(&mut output)?;
                if is_shown {
                    io::stdout().write_all(&output[old..])?;
                }
                if is_last {
                    return io::Result::Ok(output);
                }
            }
        });
        let result = task();
        drop(end);
        (result, reading.join().expect("reading does not panic"))
    });
    set_file(before);
    Ok((result, output?))
}

/// Prints a line.
pub(crate) fn say(line: &str) {
    match file() {
        Some(mut file) => writeln!(file, "{line}").unwrap_or_default(),
        None => println!("{line}"),
    }
}

/// Makes a program print where this thread does.
pub(crate) fn redirect(command: &mut Command) -> &mut Command {
    if let (Some(output), Some(errors)) = (file(), file()) {
        command.stdout(Stdio::from(output)).stderr(Stdio::from(errors));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_programs_print_into_one_file() {
        let task = || {
            say("before");
            let mut cargo = crate::process::cargo(["--version"]);
            let status = redirect(&mut cargo).status();
            say("after");
            status.unwrap().success()
        };
        let (succeeded, output) = captured(task, false).unwrap();
        let lines: Vec<_> = str::from_utf8(&output).unwrap().lines().collect();
        let [before, version, after] = lines[..] else { panic!("{lines:?}") };
        assert!(succeeded && (before, after) == ("before", "after"), "{lines:?}");
        assert!(version.starts_with("cargo "), "{lines:?}");
        assert!(file().is_none());
    }
}
