//! Checks that the commands in the READMEs print what they show.
//!
//! `trycmd` runs the blocks that begin with ```` ```console ````. It reads copies of the documents.
//! Times differ from run to run, so the copies have `[..]` in place of each time and the rest of
//! its line. `tabiya` replaces `cargo run --release --`. In the documents, a line `...` stands for
//! any lines.

use std::fs;
use std::path::PathBuf;

use trycmd::TestCases;

use crate::program::directory;
use crate::{repository, shell};

/// The document in a form that can be compared.
fn comparable(document: &str) -> String {
    let mut text = String::new();
    let mut in_block = false;
    let mut after_output = false;
    for line in document.lines() {
        let is_output = in_block && line != "```" && !line.starts_with("$ ");
        if after_output && !is_output {
            // Without an empty line, the last line of the output would have no end.
            text.push('\n');
        }
        after_output = is_output;
        if line.starts_with("```") {
            in_block = line == "```console";
        }
        match line.strip_prefix("$ cargo run --release -- ") {
            Some(arguments) => text = text + "$ tabiya " + arguments,
            None if in_block => text += &without_time(line),
            None => text += line,
        }
        text.push('\n');
    }
    text
}

/// A line up to its first time in seconds, such as `0.312 s`.
fn without_time(line: &str) -> String {
    let times = line.match_indices(" s").filter(|(at, _)| {
        let ends = line[at + 2..].chars().next().is_none_or(|next| !next.is_alphanumeric());
        let number = line[..*at].rsplit(' ').next().unwrap_or_default();
        ends && number.parse::<f64>().is_ok()
    });
    match times.map(|(at, _)| at).next() {
        Some(at) => {
            let begin = line[..at].rfind(' ').map_or("", |space| &line[..space]);
            format!("{}[..]", begin.trim_end())
        }
        None => line.to_owned(),
    }
}

/// Writes a document into a directory. Its commands run in a directory next to it, where they may
/// write files. That directory has links to the files of the repository.
fn write(name: &str, document: &str) -> PathBuf {
    let home = directory(name);
    let files = home.join("README.in");
    fs::create_dir(&files).unwrap();
    for entry in fs::read_dir(repository("")).unwrap() {
        let entry = entry.unwrap();
        if !matches!(entry.file_name().to_str(), Some(".git" | "target")) {
            shell::link(&entry.path().canonicalize().unwrap(), &files.join(entry.file_name()));
        }
    }
    let file = home.join("README.md");
    fs::write(&file, comparable(document)).unwrap();
    file
}

fn cases() -> TestCases {
    let cases = TestCases::new();
    cases.register_bin("tabiya", PathBuf::from(env!("CARGO_BIN_EXE_tabiya")));
    cases
}

#[test]
fn the_commands_of_the_readmes_print_what_they_show() {
    let cases = cases();
    let files = [
        ("readme", "README.md"),
        ("readme-cli", "crates/cli/README.md"),
        ("castling", "docs/castling.md"),
    ];
    for (name, file) in files {
        let document = crate::read(file);
        assert!(document.contains("\n```console\n$ "), "{file} shows no command");
        cases.case(write(name, &document));
    }
    cases.run();
}

/// The page shows the games with which it begins.
#[test]
fn the_commands_of_the_page_about_training_data_print_what_they_show() {
    let cases = cases();
    let document = crate::read("docs/data.md");
    let page = write("data", &document);
    let (_, games) = document.split_once("\n```pgn\n").unwrap();
    let (games, _) = games.split_once("\n```").unwrap();
    fs::write(page.with_extension("in").join("games.pgn"), games).unwrap();
    cases.case(page);
    cases.run();
}

/// rustdoc runs the example of the library's README.
#[test]
fn the_example_in_rust_is_the_one_of_the_library() {
    let of_library = crate::read("crates/tabiya/README.md");
    let (_, block) = of_library.split_once("```rust\n").unwrap();
    let (example, _) = block.split_once("```").unwrap();
    assert!(crate::read("README.md").contains(example), "{example}");
}

#[test]
fn the_figures_of_the_chart_are_those_of_the_page_about_performance() {
    let chart = crate::read("docs/speeds.svg");
    let page = crate::read("docs/performance.md");
    let of_page: Vec<_> = page.split(['|', ' ', '\n']).collect();
    let figures: Vec<_> = chart.split(" ×").filter_map(|text| text.rsplit('>').next()).collect();
    // What follows the last sign is no figure.
    let (_, figures) = figures.split_last().unwrap();
    assert!(figures.len() > 10);
    for figure in figures {
        assert!(of_page.contains(figure), "docs/performance.md doesn't have {figure}");
    }
}

#[test]
fn a_document_that_shows_other_output_is_found() {
    let document = "\
```console
$ cargo run --release -- perft 3
depth   nodes         time          nodes/s
    1      20      7.000 s                1
...
    3   8,902      7.000 s    3,000,000,000
$ tabiya moves --from e2 --to e4
e2e4
```
";
    cases().case(write("readme-right", document)).run();
    for (name, right, wrong) in [
        ("readme-other-count", "8,902", "8,903"),
        ("readme-other-move", "\ne2e4\n", "\ne2e3\n"),
        ("readme-no-output", "\ne2e4\n", "\n"),
        ("readme-less-output", "...\n", ""),
    ] {
        assert_eq!(document.matches(right).count(), 1, "{right}");
        let file = write(name, &document.replace(right, wrong));
        let found = std::panic::catch_unwind(|| cases().case(file).run());
        assert!(found.is_err(), "{name}");
    }
}

#[test]
fn times_are_cut_off() {
    let line = "    6    119,060,324      0.052 s    2,269,989,351";
    assert_eq!(without_time(line), "    6    119,060,324[..]");
    assert_eq!(without_time("time: 0.052 s; 3 MiB"), "time:[..]");
    for line in ["5 squares", "rooks s 1", "", "a 1.5 st"] {
        assert_eq!(without_time(line), line);
    }
}
