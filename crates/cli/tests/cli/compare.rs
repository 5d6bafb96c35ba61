//! `tabiya compare` from the user's view: text, JSON, exit codes, the second opinion, Ctrl-C, and
//! no process left behind.
//!
//! The program under test is tabiya behind a filter that removes lines from its answers. It needs a
//! shell.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, command, directory, missing, run, wait_until_it_works};

/// Loses a move of lists, and no counts below it, so no rule is wrong. The first question already shows
/// this.
const KNIGHT: &str = r#"exec "$0" uci | grep --line-buffered -v '^\(g1f3\|Nodes\)'"#;

/// The arguments before the program, then the program.
fn call<'a>(arguments: &[&'a str], script: &'a str) -> Vec<&'a str> {
    let program = ["--", "sh", "-c", script, env!("CARGO_BIN_EXE_tabiya")];
    [&["compare"], arguments, &program].concat()
}

fn compare(arguments: &[&str], script: &str) -> Run {
    run(&call(arguments, script))
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn a_finding_in_words() {
    let end = compare(&["--first"], KNIGHT);
    assert_eq!((end.code, end.err.as_str()), (Some(1), ""), "{end:?}");
    for text in [
        "knight-missing",
        "A legal move of a knight is not generated",
        "g1f3 is legal: the knight on g1",
        "\n   8  .  .",
        "printf 'position fen ",
    ] {
        assert!(end.out.contains(text), "{text}: {}", end.out);
    }
}

#[test]
fn a_finding_in_json() {
    let end = compare(&["--first", "--json"], KNIGHT);
    assert_eq!((end.code, end.err.as_str()), (Some(1), ""), "{end:?}");
    let report = json(&end);
    assert_eq!(report["schema"], "tabiya-compare/1");
    assert_eq!(report["verdict"], "differs");
    assert_eq!(report["protocol"], "uci");
    assert!(report["asked"].as_u64() > Some(1) && report["seconds"].as_f64() > Some(0.0));
    let finding = &report["findings"][0];
    assert_eq!(finding["class"], "knight-missing");
    assert_eq!(finding["missing"], serde_json::json!(["g1f3"]));
    for name in ["moves", "extra", "duplicated"] {
        assert_eq!(finding[name], serde_json::json!([]), "{name}");
    }
    assert_eq!(finding["start"], finding["fen"]);
    assert_eq!(finding["depth"], 1);
    assert_eq!(finding["expected"].as_u64(), finding["got"].as_u64().map(|got| got + 1));
    let reason = finding["reasons"]["g1f3"].as_str().expect("a reason");
    assert!(reason.starts_with("g1f3 is legal"), "{reason}");
    assert_eq!(finding["consequences"], serde_json::json!([]));
    let ladder = &report["ladder"];
    assert_eq!((&ladder["complete"], &ladder["questions"]), (&false.into(), &report["asked"]));
    assert!(ladder["positions"].as_u64() > Some(0), "{ladder}");
    assert!(ladder["rules_not_reached"].as_array().is_some_and(|it| it.len() > 100), "{ladder}");
    // The two kings and the knight.
    let shrunk = &finding["shrunk"];
    let fen = shrunk["fen"].as_str().expect("a FEN");
    let pieces = fen.split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).count();
    assert_eq!(pieces, 3, "{fen}");
    assert_eq!(shrunk["depth"], 1);

    // The command reproduces the bug: its output lacks the move.
    let command = shrunk["command"].as_str().expect("a command");
    let output = Command::new("sh").args(["-c", command]).output().expect("a shell");
    let printed = String::from_utf8(output.stdout).expect("ASCII");
    assert!(printed.contains("g1h3: 1\n") && !printed.contains("g1f3"), "$ {command}\n{printed}");
}

#[test]
fn the_line_for_a_suite_can_be_pasted() {
    let report = json(&compare(&["--first", "--json"], KNIGHT));
    let line = report["findings"][0]["shrunk"]["suite"].as_str().expect("a line").to_owned();
    let suite = directory("compare-paste").join("fixed.epd");
    fs::write(&suite, line + "\n").unwrap();
    let suite = suite.to_str().unwrap();
    let again = compare(&["--suite", suite, "--json"], KNIGHT);
    assert_eq!(json(&again)["findings"][0]["class"], "list-wrong", "{again:?}");
    assert_eq!(compare(&["--suite", suite], r#"exec "$0" uci"#).code, Some(0));
    // The counts in the suite line are right.
    assert_eq!(run(&["suite", suite]).code, Some(0));
}

#[test]
fn the_log_has_the_whole_dialogue() {
    let log = directory("compare-log").join("dialogue.txt");
    let script = format!("echo 'table of 16 MB' >&2; {KNIGHT}");
    let end = compare(&["--first", "--log", log.to_str().unwrap()], &script);
    assert_eq!((end.code, end.err.as_str()), (Some(1), ""), "{end:?}");
    let log = fs::read_to_string(log).unwrap();
    let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for text in [
        "$ sh -c ",
        "> uci\n",
        "< uciok\n",
        start,
        "> go perft 1\n",
        "< g1h3: 1\n",
        "table of 16 MB",
    ] {
        assert!(log.contains(text), "{text}: {log}");
    }
    assert!(!log.contains("g1f3: 1"), "{log}");
}

#[test]
fn what_cannot_be_tested_has_its_own_code() {
    for script in ["exit 0", "exit 3", "cat", "echo hello", "kill -9 $$"] {
        let end = compare(&["--json", "--limit", "1"], script);
        assert_eq!(end.code, Some(2), "{script}: {end:?}");
        assert_eq!(json(&end)["verdict"], "untestable", "{script}: {end:?}");
        let end = compare(&["--limit", "1"], script);
        assert_eq!(end.code, Some(2), "{script}: {end:?}");
        assert!(end.err.contains("could not be tested"), "{script}: {end:?}");
    }
    let end = run(&["compare", "--", "/no/such/program"]);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.err.contains("/no/such/program"), "{end:?}");
}

#[test]
fn a_second_opinion_that_disagrees_is_loud() {
    // A second engine with the same bug.
    let folder = directory("compare-oracle");
    let oracle = folder.join("oracle.sh");
    let script = KNIGHT.replace("$0", env!("CARGO_BIN_EXE_tabiya"));
    fs::write(&oracle, script).unwrap();
    let oracle = format!("sh {}", oracle.display());
    let end = compare(&["--first", "--oracle", &oracle], KNIGHT);
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(end.out.contains("DISAGREES"), "{end:?}");
    let report = json(&compare(&["--first", "--json", "--oracle", &oracle], KNIGHT));
    let opinion = &report["findings"][0]["oracle"];
    assert!(opinion.to_string().contains("DISAGREES"), "{report}");
}

fn stockfish() -> Option<&'static str> {
    let names = ["stockfish", "/usr/games/stockfish"];
    names.into_iter().find(|name| Command::new(name).arg("quit").output().is_ok())
}

/// Stockfish writes castling in another way in Chess960.
#[test]
fn castling_in_both_modes_of_an_engine() {
    let Some(stockfish) = stockfish() else { return missing("stockfish") };
    let suite = directory("compare-modes").join("suite.epd");
    let (chess960, standard) = ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for text in [
        format!("{chess960}\n{standard} moves e1g1\n"),
        format!("{standard}\n{chess960} moves g1h1\n"),
        format!("{chess960} moves g1h1\n{standard}\n{standard} moves e1g1\n"),
    ] {
        fs::write(&suite, &text).unwrap();
        let suite = suite.to_str().unwrap();
        let end = run(&["compare", "--limit", "120", "--suite", suite, "--", stockfish]);
        assert_eq!(end.code, Some(0), "{text}: {end:?}");
    }
}

#[test]
fn stockfish_has_the_same_opinion() {
    let Some(stockfish) = stockfish() else { return missing("stockfish") };
    let report =
        json(&compare(&["--first", "--json", "--limit", "120", "--oracle", stockfish], KNIGHT));
    let opinion = report["findings"][0]["oracle"].to_string();
    assert!(opinion.contains("agrees") && !opinion.contains("DISAGREES"), "{opinion}");
}

#[test]
fn an_oracle_that_does_not_start_is_a_mistake() {
    let end = compare(&["--oracle", "/no/such/engine"], KNIGHT);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.err.contains("/no/such/engine"), "{end:?}");
}

/// The command of a program that reads nothing and says nothing.
fn silent(name: &str) -> String {
    let script = directory(name).join("silent.sh");
    fs::write(&script, "exec sleep 100000").unwrap();
    format!("sh {}", script.display())
}

#[test]
fn the_budget_ends_waiting_for_an_oracle() {
    let oracle = silent("compare-silent-oracle");
    let end = compare(&["--limit", "100000", "--time", "1", "--oracle", &oracle], KNIGHT);
    assert_eq!((end.code, end.out.as_str()), (Some(2), ""), "{end:?}");
    assert!(end.err.contains("the second opinion: it had not answered"), "{end:?}");
}

#[test]
fn ctrl_c_ends_waiting_for_the_first_answer() {
    let program = silent("compare-silent");
    let long = ["--limit", "100000", "--time", "100000"];
    let oracle = [&["--oracle", &program][..], &long].concat();
    let json = [&["--json"][..], &long].concat();
    let oracle_json = [&["--json"][..], &oracle].concat();
    let of_oracle = [call(&oracle, KNIGHT), call(&oracle_json, KNIGHT)];
    for words in [call(&long, &program), call(&json, &program)].into_iter().chain(of_oracle) {
        let mut compare = command();
        compare.args(&words).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = compare.spawn().expect("the program starts");
        wait_until_it_works(&child, Duration::ZERO);
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        let end = Run::from(child.wait_with_output().unwrap());
        assert_eq!(end.code, Some(130), "{words:?}: {end:?}");
        let said = if words.contains(&"--json") { &end.out } else { &end.err };
        assert!(said.contains("it had not answered when the hunt ended"), "{end:?}");
    }
}

/// A program that prints all the time is never silent, but the hunt must not wait for it.
#[test]
fn a_program_that_prints_without_end_cannot_be_tested() {
    for script in ["yes", "yes readyok", "yes uciok", "while :; do echo uciok; done", "yes ''"] {
        let end = compare(&["--time", "100000", "--limit", "1"], script);
        assert_eq!((end.code, end.out.as_str()), (Some(2), ""), "{script}: {end:?}");
        assert!(end.err.contains("could not be tested"), "{script}: {end:?}");
    }
    // This program answers for a while, and then prints garbage.
    let script = "echo uciok; echo readyok; yes";
    let end = compare(&["--time", "100000", "--limit", "1"], script);
    assert_eq!(end.code, Some(2), "{end:?}");
}

/// Like some engines, this program is ready while another process counts, here for 0.4 seconds.
#[test]
fn an_engine_that_is_ready_before_it_has_counted_is_waited_for() {
    let script = r#"
        while read -r line; do case $line in
            uci) echo uciok;;
            isready) echo readyok;;
            position*) position=$line;;
            go*) (sleep 0.4; printf '%s\n' "$position" "$line" quit | "$0" uci) & ;;
            quit) exit;;
        esac; done"#;
    let call = ["--time", "60", "--json", "--position", "kiwipete", "--depth", "2"];
    let end = compare(&call, script);
    assert_eq!((end.code, &json(&end)["verdict"]), (Some(0), &"agrees".into()), "{end:?}");
    assert_eq!(json(&end)["protocol"], "uci", "{end:?}");
}

/// The findings are printed, and the error comes last.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let end = compare(&["--first", "--log", "/dev/full"], KNIGHT);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.out.contains("knight-missing"), "{end:?}");
    assert_eq!(
        end.err,
        "error: /dev/full cannot be written: No space left on device (os error 28)\n"
    );
    let end = compare(&["--first", "--json", "--log", "/dev/full"], KNIGHT);
    assert_eq!((end.code, &json(&end)["verdict"]), (Some(2), &"differs".into()), "{end:?}");
    let end = compare(&["--log", "/dev/full"], "exit 0");
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.err.contains("could not be tested") && end.err.contains("/dev/full"), "{end:?}");
}

/// Without the line, the answer would be another one.
#[test]
fn an_answer_that_cannot_be_read_ends_the_hunt_with_advice() {
    let engine = |form: &str| format!(r#""$0" uci | sed -u -E 's/^(e1d1|e2e4): (.*)/{form}/'"#);
    let kiwipete = ["--position", "kiwipete", "--depth", "1"];
    for form in [r"\1 - \2", r"move \1 nodes \2", r"\1: \2,000"] {
        // The first question of all shows the line, or the first one of the hunt.
        for call in [&kiwipete[..], &[]] {
            let end = compare(call, &engine(form));
            assert_eq!(end.code, Some(2), "{form}: {end:?}");
            let all = format!("{}{}", end.out, end.err);
            assert!(all.contains("could not be tested: line "), "{form}: {end:?}");
            assert!(all.contains("can't be read: `"), "{form}: {end:?}");
            assert!(all.contains("\n    print(\"total\", total)\n"), "{form}: {end:?}");
        }
    }
    let report = json(&compare(&["--json"], &engine(r"\1 - \2")));
    assert_eq!(report["verdict"], "untestable");
    let error = report["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("`e2e4 - 1`: expected ") && error.contains("for move, count"),
        "{error}"
    );
}

#[test]
fn what_an_engine_speaks_is_told_with_advice() {
    let engine = |answers: &str| {
        format!("while read -r line; do case $line in {answers} quit) exit;; esac; done")
    };
    let uci = "uci) echo uciok;; isready) echo readyok;;";
    let xboard = "protover*) echo 'feature setboard=1';;";
    for (answers, what, advice) in [
        (format!("{uci} *) echo \"Unknown command: $line\";;"), "UCI without perft", "go perft N"),
        (format!("{uci} go*) echo bestmove e2e4;;"), "UCI without perft", "go perft N"),
        ("uci) echo uciok;;".to_owned(), "but not `isready`", "readyok"),
        (
            format!("{xboard} uci|isready) echo \"Illegal move: $line\";;"),
            "XBoard",
            "setboard {fen}",
        ),
    ] {
        let end = compare(&["--limit", "1"], &engine(&answers));
        assert_eq!((end.code, end.out.as_str()), (Some(2), ""), "{answers}: {end:?}");
        assert!(end.err.contains(what) && end.err.contains(advice), "{answers}: {end:?}");
        let report = json(&compare(&["--limit", "1", "--json"], &engine(&answers)));
        let error = report["error"].as_str().unwrap_or_default();
        assert!(error.contains(what) && error.contains(advice), "{answers}: {report}");
    }
}

/// The start has ten seconds, whatever the limit of an answer is.
#[test]
fn a_program_that_starts_slowly_is_waited_for() {
    let call = ["--limit", "1", "--position", "kiwipete", "--depth", "1"];
    let end = compare(&call, r#"sleep 3; exec "$0" uci"#);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
}

#[test]
fn the_whole_ladder_is_asked_whatever_time_it_takes() {
    let end = compare(&["--complete", "--json"], r#"exec "$0" uci"#);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert_eq!(json(&end)["ladder"]["complete"], true, "{end:?}");
    let end = compare(&["--complete", "--time", "9"], "exit");
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.err.contains("cannot be used with"), "{end:?}");
}

/// It hangs for ever at its sixth question, and a new process answers that one, whatever time it takes: the
/// limit is long for one that answers.
#[test]
fn a_hang_is_no_finding_if_a_new_process_answers() {
    let script = r#"n=0; while read -r line; do
        case $line in go*) n=$((n + 1)); test $n -le 5 || exec sleep 100000;; esac
        echo "$line"
        done | "$0" uci"#;
    let suite = directory("compare-repeated").join("suite.epd");
    let positions: String =
        (1..=8).map(|clock| format!("4k3/8/8/8/8/8/8/4K3 w - - {clock} 9\n")).collect();
    fs::write(&suite, positions).unwrap();
    let call =
        ["--limit", "10", "--time", "600", "--depth", "1", "--suite", suite.to_str().unwrap()];
    let end = compare(&call, script);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert!(end.out.starts_with("No difference in "), "{end:?}");
    let told =
        "1 answer had to be asked again, in a new process: --limit gives the program more time.\n";
    assert!(end.out.contains(told), "{end:?}");
}

/// A script that removes itself at its 20th question, as one that is built anew during the hunt.
/// Its answers go through a filter.
struct Vanishing {
    program: PathBuf,
    answers: PathBuf,
    script: String,
}

impl Vanishing {
    fn new(name: &str, filter: &str) -> Self {
        let folder = directory(name);
        let (program, answers) = (folder.join("program"), folder.join("answers"));
        let script = format!(
            "#!/bin/sh\necho >> {1}\ntest $(wc -l < {1}) -le 20 || rm {0}\n{2} perft --divide \"$@\" | {3}\n",
            program.display(),
            answers.display(),
            env!("CARGO_BIN_EXE_tabiya"),
            filter,
        );
        Self { program, answers, script }
    }

    /// Compares, and returns the end and all that was printed.
    fn compare(&self, format: &str) -> (Run, String) {
        fs::write(&self.program, &self.script).unwrap();
        fs::set_permissions(&self.program, PermissionsExt::from_mode(0o755)).unwrap();
        fs::write(&self.answers, "").unwrap();
        let path = self.program.to_str().unwrap();
        let end = run(&["compare", "--format", format, "--protocol", "perftree", "--", path]);
        let all = format!("{}{}", end.out, end.err);
        let why = format!("the program cannot be started: {path}");
        assert!(all.contains(&why) && all.contains(" answers"), "{all}");
        assert!(!all.contains("--time"), "{all}");
        (end, all)
    }
}

#[test]
fn a_program_that_vanishes_cannot_be_tested() {
    let program = Vanishing::new("compare-vanishing", "cat");
    for format in ["text", "json", "github"] {
        let (end, all) = program.compare(format);
        assert_eq!(end.code, Some(2), "{end:?}");
        assert!(!all.contains("No difference"), "{all}");
        let error = "\n::error title=tabiya::The program could not be tested: ";
        assert_eq!(all.contains(error), format == "github", "{all}");
    }
}

#[test]
fn a_program_that_vanishes_after_a_finding_is_told() {
    let program = Vanishing::new("compare-vanishing-late", "grep -v '^g1f3\\|^Nodes'");
    for format in ["text", "json"] {
        let (end, all) = program.compare(format);
        assert_eq!(end.code, Some(1), "{end:?}");
        assert!(all.contains("knight-missing"), "{all}");
        let told = "The program could not be tested to the end: the program cannot be started";
        assert_eq!(all.contains(told), format == "text", "{all}");
    }
}

/// `No difference` alone would say that all depths were asked for.
#[test]
fn depths_that_would_take_too_long_are_told() {
    let call = ["--position", "kiwipete", "--depth", "12", "--time", "5"];
    let end = compare(&call, r#"exec "$0" uci"#);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert!(end.out.starts_with("No difference in "), "{end:?}");
    // The program may be slow on a busy machine.
    assert!(end.out.contains(": --time gives "), "{end:?}");
}

/// A program of three processes. Each writes its number to the file, and the last of them is slow.
fn recorded(file: &Path) -> String {
    let file = file.display();
    let part = |work: &str| format!("sh -c 'echo $$ >> {file}; {work}' $0");
    format!(
        "echo $$ >> {file}; {} | {} | {}",
        part("while read -r line; do sleep 0.02; echo \"$line\"; done"),
        part("exec \"$0\" uci"),
        part("exec grep --line-buffered -v \"^g1f3\""),
    )
}

/// Waits until a condition holds.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(300), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A running hunt with its own folder. It has received several answers.
struct Running {
    child: Child,
    processes: PathBuf,
}

impl Running {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = directory(name);
        let (processes, log) = (folder.join("processes"), folder.join("log"));
        let script = recorded(&processes);
        let arguments = [&["--log", log.to_str().unwrap()], arguments].concat();
        let mut compare = command();
        compare.args(call(&arguments, &script)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = compare.spawn().expect("the program starts");
        let answers = || fs::read_to_string(&log).unwrap_or_default().matches("readyok").count();
        wait_for("a few answers", || answers() >= 8 || child.try_wait().unwrap().is_some());
        Self { child, processes }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for the end of the hunt. No process may remain.
    fn end(self) -> Run {
        let output = self.child.wait_with_output().expect("a child of this test");
        let numbers = fs::read_to_string(&self.processes).expect("the numbers of the processes");
        assert!(numbers.lines().count() >= 4, "{numbers}");
        for id in numbers.lines() {
            wait_for(&format!("process {id} outlives tabiya"), || !is_running(id));
        }
        output.into()
    }
}

/// Is a process running? A process that has ended and waits for its parent is not.
fn is_running(id: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", id]).output();
    let Ok(output) = output else {
        // If there is no `ps`, use `/proc`.
        let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
        return !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'));
    };
    let state = String::from_utf8_lossy(&output.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

#[test]
fn ctrl_c_prints_the_findings_so_far() {
    for (name, json_too) in [("compare-stop", false), ("compare-stop-json", true)] {
        let running = Running::start(name, if json_too { &["--json"] } else { &[] });
        running.signal("INT");
        let asked = Instant::now();
        let end = running.end();
        assert!(asked.elapsed() < Duration::from_secs(120), "{end:?}");
        assert_eq!((end.code, end.err.as_str()), (Some(130), ""), "{end:?}");
        if json_too {
            assert_eq!(json(&end)["findings"][0]["class"], "list-wrong", "{end:?}");
        } else {
            assert!(end.out.contains("list-wrong"), "{end:?}");
        }
    }
}

/// `timeout` stops a hunt as Ctrl-C does, and every process of the program ends.
#[test]
fn sigterm_prints_the_findings_so_far() {
    let running = Running::start("compare-term", &["--json"]);
    running.signal("TERM");
    let end = running.end();
    assert_eq!((end.code, end.err.as_str()), (Some(130), ""), "{end:?}");
    let report = json(&end);
    assert_eq!(report["findings"][0]["class"], "list-wrong", "{end:?}");
    assert_eq!(report["ladder"]["complete"], false, "{end:?}");
}

/// `nohup` lets a program ignore the end of its terminal.
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let folder = directory("compare-nohup");
    let log = folder.join("log");
    let words = [
        &["compare", "--time", "4", "--log", log.to_str().unwrap(), "--json"][..],
        &["--", env!("CARGO_BIN_EXE_tabiya"), "uci"],
    ]
    .concat();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tabiya")]).args(words);
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell");
    wait_for("an answer", || fs::read_to_string(&log).unwrap_or_default().contains("readyok"));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "HUP", &id]).status().unwrap().success());
    let end = Run::from(child.wait_with_output().unwrap());
    assert_eq!(end.code, Some(0), "{end:?}");
}

#[test]
fn what_was_found_is_saved_once_and_asked_again() {
    let suite = directory("compare-save").join("fixed.epd");
    let suite = suite.to_str().unwrap();
    for _ in 0..2 {
        assert_eq!(compare(&["--first", "--save", suite], KNIGHT).code, Some(1));
        let text = fs::read_to_string(suite).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.starts_with("# knight-missing: "), "{text}");
        assert!(text.contains(" w - - 0 1 ;D1 "), "{text}");
    }
    let again = json(&compare(&["--suite", suite, "--json"], KNIGHT));
    // The counts below it are right, so it isn't the generator that lacks the move.
    assert_eq!(again["findings"][0]["class"], "list-wrong", "{again}");
    assert_eq!(compare(&["--suite", suite], r#"exec "$0" uci"#).code, Some(0));
    assert_eq!(run(&["suite", suite]).code, Some(0));
}

/// What `--suite` reads, `--save` knows.
#[test]
fn a_suite_with_ends_of_lines_of_windows_grows() {
    let suite = directory("compare-save-ends").join("fixed.epd");
    let name = suite.to_str().unwrap();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5";
    for before in [format!("{kings}\r\n# a comment\r\n"), format!("\u{feff}{kings}\r\n")] {
        fs::write(&suite, &before).unwrap();
        assert_eq!(compare(&["--first", "--save", name], KNIGHT).code, Some(1), "{before:?}");
        let text = fs::read_to_string(&suite).unwrap();
        let saved = text.strip_prefix(&before).expect("it grows").trim().lines().last().unwrap();
        // What is there already is not saved again.
        let known = format!("{kings}\r\n{saved}\r\n");
        fs::write(&suite, &known).unwrap();
        assert_eq!(compare(&["--first", "--save", name], KNIGHT).code, Some(1), "{before:?}");
        assert_eq!(fs::read_to_string(&suite).unwrap(), known);
    }
}

/// An engine that counts on a thread is ready before it prints its answer.
#[test]
fn a_total_in_two_lines_after_readyok_is_read_to_its_end() {
    let script = r#"
        ask() {
            printf '%s\ngo perft %s\nquit\n' "$position" "$depth" | "$0" uci |
                sed 's/^Nodes searched: \(.*\)/&\n\1 nodes in 3 ms/'
            depth=
        }
        while read -r line; do case $line in
            uci) echo uciok;;
            isready) echo readyok; [ -z "$depth" ] || ask;;
            position*) position=$line;;
            go*) depth=${line##* };;
            quit) exit;;
        esac; done"#;
    let end = compare(&["--position", "kiwipete", "--depth", "2", "--time", "600"], script);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
}

/// Without arguments it fails, as most scripts do.
#[test]
fn what_a_script_prints_is_told_if_it_is_not_understood() {
    let script = r#"[ $# -gt 0 ] || { echo 'no depth' >&2; exit 1; }; echo 'Found many positions'"#;
    let end = compare(&["--json"], script);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert_eq!(json(&end)["error"], "the answer cannot be read: Found many positions", "{end:?}");
}

/// The limit is the same as for a script.
#[test]
fn a_long_answer_is_read_and_a_longer_one_is_told_as_one() {
    let script = |lines: u32| {
        format!(
            r#""$0" uci | while read -r line; do
                case $line in Nodes*) yes 'debug: a move was made on the board' | head -n {lines};; esac
                echo "$line"
            done"#
        )
    };
    let call = ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--depth", "1", "--time", "600"];
    let end = compare(&call, &script(8_000));
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
    let end = compare(&[&call[..], &["--json"]].concat(), &script(40_000));
    assert_eq!(end.code, Some(2), "{end:?}");
    let error = json(&end)["error"].as_str().unwrap_or_default().to_owned();
    assert!(error.contains("it is longer than 1 MiB"), "{error}");
}

/// A build tool may leave a server that keeps the output of the program open.
#[test]
fn a_program_that_has_ended_is_not_waited_for() {
    let script = r#"sleep 600 &
        printf 'position fen %s\ngo perft %s\nquit\n' "$2" "$1" | "$0" uci"#;
    let call = ["--protocol", "perftree", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"];
    let end = compare(&[&call[..], &["--depth", "1", "--limit", "600"]].concat(), script);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
}

#[test]
fn a_count_with_many_digits_is_printed_as_it_is() {
    let count = "340282366920938463463374607431768211455";
    let script = format!(r#""$0" uci | sed -u 's/^\([a-h].*\): .*/\1: {count}/'"#);
    let call = ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--depth", "1", "--first"];
    let end = compare(&call, &script);
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(end.out.contains(&format!("{count} instead of 5\n")), "{end:?}");
    let end = compare(&[&call[..], &["--json"]].concat(), &script);
    assert!(end.out.contains(&format!(r#""got":{count}"#)), "{end:?}");
}

#[test]
fn a_file_that_cannot_grow_is_refused_before_the_first_question() {
    let folder = directory("compare-save-nowhere");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let missing = folder.join("none/fixed.epd");
    let reasons = [(pipe, "not a regular file"), (folder.clone(), "not a regular file")];
    for (path, why) in reasons.into_iter().chain([(missing, "No such file or directory")]) {
        let end = compare(&["--save", path.to_str().unwrap()], "exit 1");
        assert_eq!((end.code, end.out.as_str()), (Some(2), ""), "{end:?}");
        assert!(end.err.contains(why), "{end:?}");
    }
}

/// A program that waits two seconds before each answer.
const SLOW: &str = r#"
    while read -r line; do case $line in
        uci) echo uciok;;
        isready) echo readyok;;
        position*) position=$line;;
        go*) sleep 2; printf '%s\n' "$position" "$line" quit | "$0" uci;;
        quit) exit;;
    esac; done"#;

#[test]
fn a_slow_program_is_waited_for_and_its_speed_is_told() {
    // Its answers take longer than the limit for one.
    let call = ["--time", "9", "--limit", "1", "--position", "startpos", "--depth", "4"];
    let end = compare(&call, SLOW);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
    assert!(end.out.starts_with("No difference in "), "{end:?}");
    let line = end.out.lines().last().unwrap_or_default();
    let speed = line.strip_prefix("The program counts about ").unwrap_or_default();
    let (speed, rest) = speed.split_once(' ').unwrap_or_default();
    assert_eq!(rest, "leaf nodes a second: --time gives it more time.", "{end:?}");
    // Two seconds for 400 leaf nodes, at least.
    assert!(speed.parse::<u32>().is_ok_and(|speed| (1..=200).contains(&speed)), "{end:?}");
}

/// The program forgets the moves after the FEN, which no position alone shows.
const FORGETS_MOVES: &str = r#"sed -u 's/ moves .*//' | "$0" uci"#;

#[test]
fn bugs_that_show_only_after_moves_are_saved_with_them() {
    let suite = directory("compare-save-moves").join("fixed.epd");
    let suite = suite.to_str().unwrap();
    let end = compare(&["--first", "--save", suite], FORGETS_MOVES);
    assert_eq!(end.code, Some(1), "{end:?}");
    let text = fs::read_to_string(suite).unwrap();
    assert!(text.lines().nth(1).is_some_and(|line| line.contains(" moves ")), "{text}");
    let again = compare(&["--suite", suite], FORGETS_MOVES);
    assert_eq!(again.code, Some(1), "{text}{again:?}");
    let fixed = compare(&["--suite", suite], r#"exec "$0" uci"#);
    assert_eq!(fixed.code, Some(0), "{text}{fixed:?}");
    // Its counts are those after the moves.
    let counted = run(&["suite", suite]);
    assert_eq!(counted.code, Some(0), "{text}{counted:?}");
}

#[test]
fn suites_have_epd_and_lines_that_cannot_be_read() {
    let folder = directory("compare-epd");
    let suite = folder.join("mixed.epd");
    let epd = "8/8/p4p1p/3k1p1P/1P1p4/3K4/5PP1/8 w - - bm Kd2; id \"E E T 1\";\n\
               4k3/8/8/3Pp3/8/8/8/4K3 w - e6 bm dxe6;\n";
    fs::write(&suite, epd).unwrap();
    let call = ["--depth", "1", "--json", "--suite", suite.to_str().unwrap()];
    let end = compare(&call, r#"exec "$0" uci"#);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
    assert_eq!(json(&end)["ladder"]["positions"], 2, "{end:?}");
    fs::write(&suite, format!("\u{feff}{epd}")).unwrap();
    let end = compare(&call, r#"exec "$0" uci"#);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
    assert_eq!(json(&end)["ladder"]["positions"], 2, "{end:?}");
    let bad = "4k3/8/8/8/8/8/8/4K4 w - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e3 ;D1 5\n";
    fs::write(&suite, format!("{bad}{epd}")).unwrap();
    let end = compare(&call, r#"exec "$0" uci"#);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert_eq!(json(&end)["ladder"]["positions"], 2, "{end:?}");
    for text in ["mixed.epd:1: ", "mixed.epd:2: ", "e1e3"] {
        assert!(end.err.contains(text), "{text}: {end:?}");
    }
}

/// The program is asked about every line, and after the moves of a line.
#[test]
fn lines_and_blanks_of_a_suite_may_be_of_any_kind() {
    let suite = directory("compare-lines").join("mixed.epd");
    let call = ["--depth", "1", "--json", "--suite", suite.to_str().unwrap()];
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let positions = |text: &str| {
        fs::write(&suite, text).unwrap();
        let end = compare(&call, FORGETS_MOVES);
        (end.code, json(&end)["ladder"]["positions"].as_u64().unwrap_or_default(), end.err)
    };
    let other = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for text in [format!("{kings}\r\n{other}"), format!("# {kings}\n{kings}\n{other}\r\n\n#")] {
        assert_eq!(positions(&text), (Some(0), 2, String::new()), "{text:?}");
    }
    // The program forgets the moves, so it agrees if it is asked without them.
    for moves in
        [" moves e1e2", "\tmoves e1e2", " moves\te1e2", "  Moves  e1e2;", " moves e1e2 ;D1 5"]
    {
        let (code, _, err) = positions(&format!("{kings}{moves}\n"));
        assert_eq!((code, err.as_str()), (Some(1), ""), "{moves:?}");
    }
    for moves in [" moves", " moves;", " moves ;D1 5", "\tMOVES\t;"] {
        let (code, asked, err) = positions(&format!("{kings}{moves}\n{other}\n"));
        assert_eq!((code, asked), (Some(2), 1), "{moves:?}: {err}");
        assert!(err.contains("mixed.epd:1: there are no moves after "), "{moves:?}: {err}");
    }
}

#[test]
fn a_divide_that_cannot_be_read_has_no_missing_moves() {
    let total = r#"printf 'position fen %s\ngo perft %s\nquit\n' "$2 moves $3" "$1" | "$0" uci |
        grep Nodes"#;
    for lines in ["echo twenty", ":"] {
        let script = format!("{lines}; {total}");
        let end = compare(&["--protocol", "perftree", "--first"], &script);
        assert_eq!(end.code, Some(1), "{end:?}");
        assert!(end.out.contains("the answer cannot be read: "), "{end:?}");
        assert!(end.out.contains("no move") && !end.out.contains("-missing"), "{end:?}");
    }
}

/// The moves would be played in none of the positions.
#[test]
fn moves_and_a_suite_exclude_each_other() {
    let end = compare(&["--suite", "some.epd", "--moves", "e2e4"], r#"exec "$0" uci"#);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert!(end.err.contains("--moves") && end.err.contains("cannot be used with"), "{end:?}");
}

#[test]
fn annotations_for_github() {
    let end = compare(&["--first", "--format", "github"], KNIGHT);
    assert_eq!((end.code, end.err.as_str()), (Some(1), ""), "{end:?}");
    assert!(end.out.contains("1. knight-missing: "), "{end:?}");
    let annotation = end.out.lines().find(|line| line.starts_with("::error ")).expect("one");
    assert!(annotation.starts_with("::error title=tabiya%3A knight-missing::"));
    assert!(annotation.contains("%0Ag1f3 is legal: "), "{annotation}");
    let end = compare(&["--format", "github", "--depth", "1"], r#"exec "$0" uci"#);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert!(end.out.contains("\n::notice title=tabiya::No difference in "), "{end:?}");
    let end = compare(&["--format", "github", "--limit", "1"], "exit 3");
    assert!(
        end.out.starts_with("::error title=tabiya::the program could not be tested"),
        "{end:?}"
    );
    assert_eq!(compare(&["--format", "github", "--json"], KNIGHT).code, Some(2));
}

/// Otherwise, `No difference` would be a lie: with the moves, the count is that of another position.
#[test]
fn a_script_that_ignores_its_moves_cannot_be_tested_by_totals() {
    let script = r#"printf 'position fen %s\ngo perft %s\n' "$2" "$1" | "$0" uci | sed -n 's/Nodes searched: //p'"#;
    for protocol in [&["--protocol", "total"][..], &[]] {
        let end = compare(&[protocol, &["--json"]].concat(), script);
        assert_eq!(end.code, Some(2), "{end:?}");
        let error = json(&end)["error"].as_str().unwrap_or_default().to_owned();
        assert!(error.contains("ignores the moves in its third argument"), "{error}");
    }
    let end = compare(&["--protocol", "total", "--json"], "exit 0");
    assert_eq!(json(&end)["error"], "the program ended before it had answered", "{end:?}");
    // A command that says that it takes no moves is tested without them.
    let mut words = call(&["--protocol", "total", "--depth", "1", "--json"], script);
    words.extend(["{depth}", "{fen}"]);
    let end = run(&words);
    assert_eq!(end.code, Some(0), "{end:?}");
}

#[test]
fn a_script_that_prints_nothing_cannot_be_tested() {
    for protocol in ["total", "moves"] {
        let end = compare(&["--protocol", protocol, "--json"], "exit 0");
        assert_eq!(end.code, Some(2), "{end:?}");
        let error = json(&end)["error"].as_str().unwrap_or_default().to_owned();
        assert!(error.contains("ended before it had answered"), "{error}");
    }
}

#[test]
fn a_line_without_end_is_told() {
    let script = r#"while read -r line; do case $line in
        uci) echo uciok;; isready) echo readyok;;
        go*) head -c 3000000 /dev/zero | tr '\0' a; echo;; quit) exit;;
    esac; done"#;
    let end = compare(&["--json"], script);
    assert_eq!(end.code, Some(2), "{end:?}");
    assert_eq!(
        json(&end)["error"],
        "the answer cannot be read: it is longer than 1 MiB",
        "{end:?}"
    );
}

#[test]
fn the_budget_ends_a_hunt() {
    // On a busy machine, it takes longer to find something.
    let end = ["3", "12", "48"].into_iter().find_map(|seconds| {
        let end = Running::start("compare-budget", &["--time", seconds, "--json"]).end();
        (end.code == Some(1)).then_some(end)
    });
    assert_eq!(json(&end.expect("a difference is found"))["verdict"], "differs");
}

#[test]
fn two_signals_end_it_at_once() {
    let running = Running::start("compare-twice", &[]);
    running.signal("INT");
    std::thread::sleep(Duration::from_millis(600));
    // The first signal may already have ended it.
    let _ = Command::new("kill").args(["-s", "INT", &running.child.id().to_string()]).status();
    assert_eq!(running.end().code, Some(130));
}

/// On Linux, the system kills the program when its parent ends. Elsewhere, its standard input ends.
#[test]
fn nothing_outlives_a_killed_hunt() {
    let running = Running::start("compare-killed", &[]);
    running.signal("KILL");
    assert_eq!(running.end().code, None);
}
