//! `tabiya suite`.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use crate::program::{Run, command, directory, fine, json, run, write_suites};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Writes a file with this text, and returns its path as an argument.
fn file(folder: &str, text: &str) -> String {
    let path = directory(folder).join("suite.epd");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The suites of this project, as files in a directory.
fn ours() -> Vec<PathBuf> {
    let folder = directory("suites");
    write_suites(&folder);
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "epd")).collect()
}

#[test]
fn the_suites_of_this_project_are_right() {
    let paths = ours();
    assert!(paths.len() >= 5);
    let mut arguments = vec!["suite", "--max-nodes", "5000000"];
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let text = fine(&arguments);
    assert_eq!(text.lines().count(), paths.len() + 2, "{text}");
    let all: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
    let number = |column: usize| all[column].replace(',', "").parse::<u64>().unwrap();
    assert_eq!(all[0], "all");
    assert!(number(1) > 450 && number(2) > 1500, "{text}");
    assert_eq!((number(3), number(5)), (0, 0), "{text}");

    arguments.push("--json");
    let value = json(&arguments);
    assert_eq!((&value["wrong"], &value["unreadable"]), (&0.into(), &0.into()));
    assert_eq!(value["right"].as_u64(), Some(number(2)));
    assert_eq!(value["complete"], true);
}

#[test]
fn a_wrong_count_ends_with_1_and_shows_its_divide() {
    let text = format!("{START} ;D1 20 ;D2 401 ;D3 8903\nid b\nepd {START}\nperft 1 21\n");
    let path = file("suite-wrong", &text);
    let Run { code, out, err } = run(&["suite", &path]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(
        out.contains(&format!("{path}:1: at depth 2, expected 401 leaf nodes, found 400")),
        "{out}"
    );
    assert!(out.contains(&format!("{path}:3 (b): at depth 1, expected 21 leaf nodes, found 20")));
    // Only the first position has a divide.
    assert_eq!(out.lines().filter(|line| line.starts_with("e2e4 ")).count(), 1, "{out}");

    let output = command().args(["suite", &path, "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["schema"], "tabiya-suite/1");
    let mismatch = &value["files"][0]["mismatches"][0];
    assert_eq!((&mismatch["line"], &mismatch["depth"]), (&1.into(), &2.into()));
    assert_eq!((&mismatch["expected"], &mismatch["found"]), (&"401".into(), &"400".into()));
    assert_eq!(mismatch["divide"].as_array().unwrap().len(), 20);

    assert_eq!(run(&["suite", &path, "--max-depth", "0"]).code, Some(0));
}

#[test]
fn unreadable_lines_end_with_2_and_the_others_are_checked() {
    let text = format!("{START} ;D1 20\n8/8/8/9/8/8/8/8 w - -;D1 1\n{START} ;D1 21\n");
    let path = file("suite-unreadable", &text);
    let Run { code, out, err } = run(&["suite", &path]);
    assert_eq!(code, Some(2));
    assert!(err.starts_with(&format!("error: {path}:2:7: ")), "{err}");
    assert!(err.contains("\n        ^\n"), "{err}");
    assert!(out.contains(":3: at depth 1, expected 21"), "{out}");

    for text in ["", "# nothing\n", &format!("{START}\n")] {
        let path = file("suite-empty", text);
        assert_eq!(run(&["suite", &path]).code, Some(2), "{text:?}");
    }
    let Run { code, err, .. } = run(&["suite", "no-such-file", &path]);
    assert_eq!(code, Some(2));
    assert!(err.contains("error: no-such-file: ") && err.contains(":2:7: "), "{err}");
}

#[test]
fn a_suite_may_come_from_standard_input() {
    let mut child = command()
        .args(["suite", "-", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    write!(child.stdin.take().unwrap(), "\u{feff}{START};D1 20;D2 400\r\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn files_that_are_not_suites_give_short_errors() {
    // A binary file, a very long line, and depths and counts that are too large.
    let folder = directory("suite-no-suite");
    let binary: Vec<u8> = (0..20_000u32).map(|n| (n * n % 251) as u8).collect();
    let (long, number) = ("x".repeat(1 << 20), "9".repeat(60));
    let deep = format!("{START} ;D256 1\n{START} ;D1 {number}\n{START} ;D1 -20\n");
    let files = [("binary", binary), ("long", long.into_bytes()), ("deep", deep.into_bytes())];
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let output = command().args(["suite", path.to_str().unwrap()]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.starts_with("error: ") && err.len() < 16_000, "{name}: {err}");
        assert!(err.lines().all(|line| line.chars().count() < 200), "{name}: {err}");
    }
    let folder = folder.to_str().unwrap().to_owned();
    assert!(run(&["suite", &folder]).err.contains(": Is a directory"));
    #[cfg(target_os = "linux")]
    assert!(run(&["suite", "/dev/zero"]).err.contains("line 1 is longer than 64 KiB"));
}
