//! Checks that every command of `docs/compare.md` runs, and prints the output that is shown.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{directory, missing};
use crate::shell;

/// The programs that the tutorial names: tabiya with different options or filters.
const PROGRAMS: [(&str, &str); 5] = [
    ("my-engine", "exec tabiya uci"),
    ("target/release/my-engine", "exec tabiya uci"),
    ("perft.sh", r#"exec tabiya perft "$1" --fen "$2" --moves "${3-}" --plain perftree"#),
    (
        "perft",
        r#"exec tabiya perft "$4" --fen "$2" --moves "$6" --plain stockfish | sed -n 's/Nodes searched: //p'"#,
    ),
    ("legal-moves", r#"exec tabiya moves --fen "$1""#),
];

/// The suites that it names.
const SUITES: [&str; 2] = ["mine.epd", "fixed.epd"];

/// Creates a folder with all files that the tutorial names.
fn folder(name: &str) -> PathBuf {
    let folder = directory(name);
    fs::create_dir_all(folder.join("target/release")).unwrap();
    for (name, script) in PROGRAMS {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in SUITES {
        fs::write(folder.join(name), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6\n").unwrap();
    }
    for adapter in ["python", "c", "javascript"] {
        let sources = crate::repository("crates/compare/adapters").join(adapter);
        for file in fs::read_dir(sources).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    folder
}

/// The blocks of the tutorial that begin with this line.
fn blocks<'a>(text: &'a str, fence: &str) -> Vec<&'a str> {
    let begin = format!("\n```{fence}\n");
    text.split(&begin).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

/// All commands: lines of blocks, steps of CI, and code in sentences and tables.
fn commands(text: &str) -> Vec<String> {
    let lines = blocks(text, "sh").into_iter().flat_map(str::lines);
    let steps = blocks(text, "yaml").into_iter().flat_map(str::lines);
    let steps = steps.filter_map(|line| line.strip_prefix("- run: "));
    let outside: String =
        text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n").replace("\\|", "|");
    let inline = outside.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let inline = inline.filter(|code| code.contains("tabiya compare -") || code.starts_with("cc "));
    let mut commands: Vec<String> = lines.chain(steps).chain(inline).map(str::to_owned).collect();
    commands.sort();
    commands.dedup();
    // Leave out the commands that install and build.
    commands.retain(|command| !command.starts_with("cargo "));
    commands
}

/// The command with a budget of some seconds.
fn shortened(command: &str, seconds: u32) -> String {
    if command.contains("--complete") {
        return command.to_owned();
    }
    let command = match command.split_once("--time ") {
        Some((head, tail)) => head.to_owned() + tail.split_once(' ').expect("more arguments").1,
        None => command.to_owned(),
    };
    command.replace("tabiya compare ", &format!("tabiya compare --time {seconds} "))
}

/// Returns the tool that a command needs if it is not installed.
fn lacks(command: &str) -> Option<&'static str> {
    let is_installed = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let tools = [("python3 ", "python3"), ("node ", "node"), ("cc ", "cc")];
    let tool = tools.into_iter().find(|(word, name)| command.contains(word) && !is_installed(name));
    let no_oracle = command.contains("--oracle stockfish")
        && !Path::new("/usr/games/stockfish").exists()
        && Command::new("stockfish").arg("quit").output().is_err();
    tool.map(|(_, name)| name).or_else(|| no_oracle.then_some("stockfish"))
}

#[test]
fn every_command_of_the_tutorial_runs() {
    let text = crate::read("docs/compare.md");
    let commands = commands(&text);
    assert!(commands.len() >= 19, "{commands:#?}");
    let folder = folder("tutorial");
    for command in commands {
        if let Some(tool) = lacks(&command) {
            missing(tool);
            continue;
        }
        // Debian installs Stockfish in the folder of games.
        let path = "PATH=\"$PATH:/usr/games\"";
        let run =
            |seconds| shell::run(&format!("{path}; {}", shortened(&command, seconds)), &folder);
        // On a busy machine, a program may start too late, or answer too little.
        let mut end = run(1);
        for seconds in [4, 60] {
            if end.code == Some(2) {
                end = run(seconds);
            }
        }
        assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "$ {command}\n{}", end.out);
    }
}

/// The mistake in the example: the square that the king crosses is not tested.
const MISTAKE: &str = "                and not self.attacked(king + crossed, not self.white)\n";

#[test]
fn the_example_of_the_tutorial_prints_what_it_shows() {
    let text = crate::read("docs/compare.md");
    let [shown] = blocks(&text, "console")[..] else { panic!("there should be one example") };
    let (command, shown) = shown.split_once('\n').expect("a command and its output");
    let command = command.strip_prefix("$ ").expect("a prompt");
    if let Some(tool) = lacks(command) {
        return missing(tool);
    }
    let folder = folder("tutorial-example");
    let generator = folder.join("generator.py");
    let right = fs::read_to_string(&generator).unwrap();
    assert_eq!(right.matches(MISTAKE).count(), 1);
    fs::write(&generator, right.replace(MISTAKE, "")).unwrap();
    let end = shell::run(command, &folder);
    assert_eq!((end.code, end.err.as_str()), (Some(1), ""), "{}", end.out);
    assert_eq!(end.out.trim_end(), shown.trim_end());
}

#[test]
fn the_commands_of_a_document_are_found() {
    let text = "# A\n\n```sh\ntabiya compare -- ./a\ncargo build\n```\n\nSay `tabiya compare --json -- ./b` or\n\
                `tabiya compare`.\n\n```yaml\n- run: tabiya compare --time 60 -- ./c\n```\n";
    let found = [
        "tabiya compare --json -- ./b",
        "tabiya compare --time 60 -- ./c",
        "tabiya compare -- ./a",
    ];
    let mut expected = found.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(commands(text), expected);
    assert_eq!(shortened(found[1], 2), "tabiya compare --time 2 -- ./c");
}
