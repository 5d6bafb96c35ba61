//! The output of a task: the terminal, or a file while another task runs next to it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Command, Stdio};

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

/// Runs a task with its output in a file, and returns that output as well.
pub(crate) fn captured<T>(task: impl FnOnce() -> T) -> io::Result<(T, Vec<u8>)> {
    let mut all = tempfile::tempfile()?;
    let before = FILE.replace(Some(all.try_clone()?));
    let result = task();
    set_file(before);
    let mut output = Vec::new();
    all.seek(SeekFrom::Start(0))?;
    all.read_to_end(&mut output)?;
    Ok((result, output))
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
        let (succeeded, output) = captured(task).unwrap();
        let lines: Vec<_> = str::from_utf8(&output).unwrap().lines().collect();
        let [before, version, after] = lines[..] else { panic!("{lines:?}") };
        assert!(succeeded && (before, after) == ("before", "after"), "{lines:?}");
        assert!(version.starts_with("cargo "), "{lines:?}");
        assert!(file().is_none());
    }
}
