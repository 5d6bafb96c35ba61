//! Running the program.

#[path = "../common/program.rs"]
mod common;

pub(crate) use common::{
    Run, command, directory, fine, missing, run, skipped, subcommands, wait_until_it_works,
};

/// Runs the program, which must refuse the call and print only the error.
pub(crate) fn mistaken(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
    assert_eq!(run.out, "", "{arguments:?}");
    assert!(run.err.starts_with("error: "), "{arguments:?}: {}", run.err);
    run.err
}

/// The JSON object that the program prints.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let text = fine(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("valid JSON")
}

/// Writes the suites of this project into a directory.
pub(crate) fn write_suites(directory: &std::path::Path) {
    for file in tabiya_suites::ALL {
        std::fs::write(directory.join(file.name), file.text).expect("a suite can be written");
    }
}
