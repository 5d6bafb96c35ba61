//! The commands in the READMEs print what they show.
//!
//! A block that begins with ```` ```console ```` or ```` ```sh ```` has prompts
//! (`$ `) with the output below. Commands that begin with `tabiya ` or `cargo run --release -- ` are
//! run with the program of this build, in a directory that has the files of the repository. Other
//! commands are not run. The output has to match:
//!
//! * a line `…` stands for any lines, and `…` inside a line for any text;
//! * several spaces match one;
//! * in a line with a time (`0.312 s`), only the text before the time has to match;
//! * a command without output below it may print anything.

use std::fs;
use std::path::Path;

use crate::program::directory;
use crate::{repository, shell};

/// A command and what is shown below it.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands of all blocks of a document.
fn commands(document: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut in_block = false;
    // Does the following output belong to the last command in `found`?
    let mut is_ours = false;
    for line in document.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            in_block = !in_block && matches!(language.trim(), "console" | "sh");
            is_ours = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) {
            let command = command.replace("cargo run --release -- ", "tabiya ");
            is_ours = command.starts_with("tabiya ");
            if is_ours {
                found.push(Shown { command, output: Vec::new() });
            }
        } else if let Some(shown) = found.last_mut().filter(|_| is_ours) {
            // A backslash at the end continues a command on the next line.
            match shown.command.strip_suffix('\\') {
                Some(begin) => shown.command = format!("{begin}{}", line.trim_start()),
                None => shown.output.push(line.to_owned()),
            }
        }
    }
    for shown in &mut found {
        while shown.output.last().is_some_and(|line| line.trim().is_empty()) {
            shown.output.pop();
        }
    }
    found
}

/// Does the printed text match what is shown?
fn matches(shown: &[String], printed: &[&str]) -> bool {
    match shown {
        [] => printed.iter().all(|line| line.trim().is_empty()),
        [line, rest @ ..] if line.trim() == "…" => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => match printed {
            [first, others @ ..] => line_matches(line, first) && matches(rest, others),
            [] => false,
        },
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    let words = |text: &str| before_time(text).join(" ");
    text_matches(&words(shown), &words(printed))
}

/// The words of a line up to its time, if it has one.
fn before_time(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let time = words
        .windows(2)
        .position(|pair| matches!(pair[1], "s" | "ms" | "µs") && pair[0].parse::<f64>().is_ok());
    words[..time.unwrap_or(words.len())].to_vec()
}

/// The parts between the ellipses have to occur in order, from beginning to end.
fn text_matches(shown: &str, printed: &str) -> bool {
    match shown.split_once('…') {
        None => shown == printed,
        Some((begin, rest)) => printed.strip_prefix(begin).is_some_and(|printed| {
            let mut places = printed.char_indices().map(|(place, _)| place).chain([printed.len()]);
            places.any(|place| text_matches(rest, &printed[place..]))
        }),
    }
}

/// A directory with links to the files of the repository, in which files may be written.
fn scratch() -> std::path::PathBuf {
    let scratch = directory("readme");
    for entry in fs::read_dir(repository("")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if !matches!(name.to_str(), Some(".git" | "target")) {
            shell::link(&fs::canonicalize(entry.path()).unwrap(), &scratch.join(name));
        }
    }
    scratch
}

fn check(document: &str, directory: &Path) -> usize {
    let shown = commands(document);
    for Shown { command, output } in &shown {
        let text = shell::fine(command, directory);
        let printed: Vec<&str> = text.lines().collect();
        let is_right = output.is_empty() || matches(output, &printed);
        assert!(is_right, "$ {command}\n{}\nprints\n{text}", output.join("\n"));
    }
    shown.len()
}

#[test]
fn the_commands_of_the_readmes_print_what_they_show() {
    for name in ["README.md", "crates/cli/README.md"] {
        let count = check(&crate::read(name), &scratch());
        assert!(count > 0, "{name} shows no command");
    }
}

#[test]
fn a_document_that_shows_other_output_is_found() {
    let document = "\
```console
$ git clone https://example.org/tabiya
Cloning
$ cargo run --release -- perft 3
depth nodes time nodes/s
    1  20  0.000 s  1
    …
    3  8,902  0.000 s  1,000
$ tabiya moves --from e2 \\
    --to e4
e2…
```
";
    let directory = directory("document");
    assert_eq!(check(document, &directory), 2);
    let wrong = document.replace("8,902", "8,903");
    let failed = std::panic::catch_unwind(|| check(&wrong, &directory));
    assert!(failed.is_err());
}

#[test]
fn commands_are_found_in_console_blocks_only() {
    let document = "$ tabiya no\n```rust\n$ tabiya no\n```\n```sh\n$ tabiya show\nx\n\n```\ntext";
    let expected = Shown { command: "tabiya show".to_owned(), output: vec!["x".to_owned()] };
    assert_eq!(commands(document), [expected]);
}

#[test]
fn ellipses_spaces_and_times_match_loosely() {
    assert!(line_matches("  6  119,060,324  0.312 s  381", "6 119,060,324   9.1 s   2"));
    assert!(!line_matches("6  119,060,324  0.312 s", "6  119,060,325  0.312 s"));
    assert!(line_matches("a…z", "abcz") && line_matches("a…", "a") && line_matches("…", ""));
    assert!(!line_matches("a…z", "abc"));
    let shown = ["a", "…", "z"].map(str::to_owned);
    assert!(matches(&shown, &["a", "b", "c", "z"]) && matches(&shown, &["a", "z", ""]));
    assert!(!matches(&shown, &["a", "b"]) && !matches(&shown, &["z"]));
}
