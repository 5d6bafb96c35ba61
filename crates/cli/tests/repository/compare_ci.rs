//! The hook of `docs/compare-ci.md`, tried with git: an engine that is right is pushed, and one that
//! is wrong is not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::program::{directory, missing};

/// An engine: tabiya, without the lines of its answers that contain some text.
const ENGINE: &str = r#"
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const LEFT_OUT: Option<&str> = None;

fn main() {
    let tabiya = Command::new("tabiya").arg("uci").stdout(Stdio::piped()).spawn();
    let answers = tabiya.expect("it starts").stdout.expect("a pipe");
    for line in BufReader::new(answers).lines().map_while(Result::ok) {
        if LEFT_OUT.is_none_or(|text| !line.contains(text) && !line.contains("Nodes")) {
            println!("{line}");
            std::io::stdout().flush().expect("somebody listens");
        }
    }
}
"#;

/// The part of the page between two lines, which is tested as it stands there.
fn block(page: &str, begin: &str) -> String {
    let (_, rest) = page.split_once(begin).unwrap_or_else(|| panic!("the page has no '{begin}'"));
    rest.split_once("\n```").expect("the end of the block").0.to_owned()
}

/// All that a command has printed.
fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    format!("{out}{err}")
}

/// A repository with an engine, and the one that it is pushed to.
struct Repository {
    work: PathBuf,
    /// A folder with the command `tabiya`.
    programs: PathBuf,
}

impl Repository {
    fn new(folder: &Path, hook: &str) -> Self {
        let (work, programs) = (folder.join("work"), folder.join("bin"));
        fs::create_dir_all(work.join("src")).unwrap();
        fs::create_dir_all(&programs).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tabiya"), programs.join("tabiya")).unwrap();
        let it = Self { work, programs };
        it.git(&["init", "--quiet", "--bare", "../remote.git"]);
        it.git(&["init", "--quiet"]);
        it.git(&["remote", "add", "origin", "../remote.git"]);
        let manifest = "[package]\nname = \"my-engine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                        [workspace]\n";
        it.write("Cargo.toml", manifest);
        it.write(".gitignore", "target\n");
        it.write("fixed.epd", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1 ;D1 8\n");
        it.write(".git/hooks/pre-push", hook);
        let hook = it.work.join(".git/hooks/pre-push");
        fs::set_permissions(hook, fs::Permissions::from_mode(0o755)).unwrap();
        it
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.work.join(file), text).unwrap();
    }

    /// A command of git, with neither the user's settings nor those of cargo that runs this test.
    fn run(&self, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let cargo = Path::new(env!("CARGO")).parent().expect("cargo is in a folder");
        let path = format!("{}:{}:{path}", self.programs.display(), cargo.display());
        let mut git = Command::new("git");
        git.args(arguments).current_dir(&self.work).env("PATH", path);
        git.envs(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"].map(|name| (name, "/dev/null")));
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "author").env(format!("GIT_{who}_EMAIL"), "a@b.c");
        }
        git.env("CARGO_TARGET_DIR", self.work.join("target")).env_remove("RUSTFLAGS");
        git.output().expect("git runs")
    }

    fn git(&self, arguments: &[&str]) -> Output {
        let output = self.run(arguments);
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
        output
    }

    /// Commits an engine and pushes it.
    fn push(&self, engine: &str) -> Output {
        self.write("src/main.rs", engine);
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "An engine"]);
        self.run(&["push", "origin", "HEAD:main"])
    }
}

#[test]
fn the_hook_lets_right_engines_pass() {
    let page = crate::read("docs/compare-ci.md");
    if Command::new("git").arg("--version").output().is_err() {
        return missing("git");
    }
    let hook = block(&page, "```sh\n");
    assert!(hook.starts_with("#!/bin/sh\n") && hook.contains("my-engine"), "{hook}");
    let repository = Repository::new(&directory("compare-hook"), &hook);

    let right = repository.push(ENGINE);
    assert!(right.status.success(), "{right:?}");
    let text = said(&right);
    assert_eq!(text.matches("No difference in ").count(), 2, "{text}");

    // An old bug is back, and a new one is found by the ladder. The engine lacks a move only at the
    // root, so no rule is to blame.
    for (text, class) in [("g1f3", "list-wrong"), ("e2e4", "list-wrong")] {
        let wrong = ENGINE.replace("= None", &format!("= Some({text:?})"));
        let pushed = repository.push(&wrong);
        assert!(!pushed.status.success(), "{text}: {pushed:?}");
        let said = said(&pushed);
        assert!(said.contains(&format!("1. {class}: ")), "{text}: {said}");
    }
    let log = repository.git(&["log", "--oneline", "origin/main"]);
    assert_eq!(String::from_utf8_lossy(&log.stdout).lines().count(), 1, "{log:?}");
}
