//! `tabiya perft --checkpoint` and `tabiya status`.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya::Position;
use tabiya_perft::{Category, reference_categories};
use tabiya_runs::checkpoint::{Checkpoint, Job, UnitCategories, UnitResult};

use crate::program::{command, directory, fine, mistaken, run};

/// Longer than any wait except a hang, on any machine.
const HANG: Duration = Duration::from_secs(300);

#[test]
fn a_finished_run_prints_its_result_first() {
    let file = directory("long-run").join("start-5");
    let file = file.to_str().unwrap();
    let call = ["perft", "5", "--checkpoint", file, "--verify-share", "10%", "--expect", "4865609"];
    let first = fine(&call);
    assert!(first.starts_with("nodes        4,865,609\n"), "{first}");
    assert!(first.contains("verified "), "{first}");
    // On the second call, nothing is left to do.
    let second = fine(&[&call[..], &["--divide"]].concat());
    assert!(second.contains("e2e4   405,385  100.0 %\n"), "{second}");
    let text = fine(&["status", file]);
    assert!(text.starts_with("nodes        4,865,609\n"), "{text}");
    assert!(text.contains("(100.0 %)") && text.contains("e2e4   405,385"), "{text}");
    let wrong = run(&["perft", "5", "--checkpoint", file, "--expect", "1"]);
    assert_eq!(wrong.code, Some(1));
    let value: Value = serde_json::from_str(&fine(&["status", file, "--json"])).unwrap();
    assert_eq!((&value["complete"], &value["nodes"]), (&true.into(), &"4865609".into()));
    assert_eq!(value["moves"].as_array().unwrap().len(), 20);
    let value: Value =
        serde_json::from_str(&fine(&["perft", "5", "--checkpoint", file, "--json"])).unwrap();
    assert_eq!(value["done"], value["units"]);
}

#[test]
fn tables_instruction_sets_and_splits_do_not_change_the_count() {
    let folder = directory("long-run-tables");
    let more: [&[&str]; 3] = [
        &["--hash", "8", "--verify-share", "100%"],
        &["--isa", "portable", "--threads", "3"],
        &["--split", "1", "--hash", "1", "--verify-share", "0.5"],
    ];
    for (number, more) in more.into_iter().enumerate() {
        let file = folder.join(number.to_string());
        let call = ["perft", "4", "--position", "kiwipete", "--expect", "4085603", "--checkpoint"];
        fine(&[&call[..], &[file.to_str().unwrap()], more].concat());
    }
}

#[test]
fn wrong_files_and_arguments_are_refused() {
    let folder = directory("long-run-errors");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = path("start-4");
    fine(&["perft", "4", "--checkpoint", &file]);
    let error = mistaken(&["perft", "5", "--checkpoint", &file]);
    assert!(error.contains("its depth is 4, not 5"), "{error}");
    let error = mistaken(&["perft", "4", "--chess960", "--checkpoint", &file]);
    assert!(error.contains("castling notation"), "{error}");
    let error = mistaken(&["perft", "0", "--checkpoint", &path("none")]);
    assert!(error.contains("depth 0"), "{error}");
    let error = mistaken(&["perft", "4", "--split", "5", "--checkpoint", &path("none")]);
    assert!(error.contains("cannot be split after 5"), "{error}");
    mistaken(&["perft", "4", "--split", "2"]);
    mistaken(&["perft", "4", "--checkpoint", &file, "--verify-share", "101%"]);
    mistaken(&["status", &path("none")]);
    let text = path("text");
    fs::write(&text, "hello").unwrap();
    let error = mistaken(&["status", &text]);
    assert!(error.contains("not a checkpoint"), "{error}");
    let mut damaged = fs::read(&file).unwrap();
    let len = damaged.len();
    damaged[64..len / 2].fill(0xa5);
    fs::write(&file, damaged).unwrap();
    let error = mistaken(&["status", &file]);
    assert!(error.contains("damaged") && !error.contains("panicked"), "{error}");
}

/// `status` works during a run, and after the run has been killed.
#[test]
fn status_shows_a_run_that_goes_on_and_one_that_was_killed() {
    let file = directory("long-run-status").join("start-8");
    let file = file.to_str().unwrap();
    // The split gives so many units that writing them takes some time on every machine.
    let call = ["perft", "8", "--checkpoint", file, "--isa", "portable", "--threads", "1"];
    let mut child = command().args(call).args(["--split", "4"]).spawn().unwrap();
    let begin = Instant::now();
    let seen = loop {
        assert!(begin.elapsed() < HANG, "there is no status");
        thread::sleep(Duration::from_millis(50));
        let run = run(&["status", file, "--json"]);
        let value = serde_json::from_str::<Value>(&run.out).ok();
        if let Some(value) = value.filter(|value| value["done"].as_u64() > Some(0)) {
            break value;
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(seen["running"]["process"], child.id());
    assert!(seen["running"]["seconds"].as_f64().unwrap() >= 0.0);
    let value: Value = serde_json::from_str(&fine(&["status", file, "--json"])).unwrap();
    assert!(value["done"].as_u64() >= seen["done"].as_u64());
    assert_eq!(value["running"], Value::Null);
    let text = fine(&["status", file]);
    assert!(text.contains("no process is running"), "{text}");
    assert!(text.contains("of about "), "{text}");
}

/// Otherwise days of counting go into a file that has no name.
#[test]
#[cfg(unix)]
fn a_file_that_is_gone_ends_the_run() {
    for how in ["removed", "moved", "replaced"] {
        let folder = directory(&format!("long-run-{how}"));
        let (file, other) = (folder.join("start-9"), folder.join("other"));
        let name = file.to_str().unwrap();
        let call = ["perft", "9", "--checkpoint", name, "--isa", "portable", "--split", "4"];
        let child = command().args(call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.unwrap();
        let begin = Instant::now();
        while run(&["status", name, "--json"])
            .out
            .parse::<Value>()
            .ok()
            .is_none_or(|it| it["done"] == 0)
        {
            assert!(begin.elapsed() < HANG, "there is no status");
            thread::sleep(Duration::from_millis(50));
        }
        match how {
            "removed" => fs::remove_file(&file).unwrap(),
            _ => fs::rename(&file, &other).unwrap(),
        }
        if how == "replaced" {
            fs::write(&file, "something else").unwrap();
        }
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!(status.code(), Some(2), "{err}");
        assert!(err.contains("was moved, replaced or removed while it was open"), "{err}");
        assert!(out.contains("of about ") && !out.contains("to continue"), "{out}");
        if how == "replaced" {
            assert_eq!(fs::read_to_string(&file).unwrap(), "something else");
        }
        if ["moved", "replaced"].contains(&how) {
            let kept = object(&["status", other.to_str().unwrap()]);
            assert!(kept["done"].as_u64() > Some(0), "{kept}");
        }
    }
}

#[test]
fn a_unit_that_is_too_large_is_an_error_with_advice() {
    let file = directory("long-run-too-large").join("kings");
    let file = file.to_str().unwrap();
    let kings = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    let call = ["perft", "60", "--fen", kings, "--hash", "64", "--checkpoint", file];
    let error = mistaken(&call);
    assert!(error.contains("has 2^64 leaf nodes or more"), "{error}");
    assert!(error.contains("hint: begin a new file with a larger --split\n"), "{error}");
}

/// The object that a command prints.
fn object(call: &[&str]) -> Value {
    serde_json::from_str(&fine(&[call, &["--json"]].concat())).unwrap()
}

#[test]
fn a_long_run_by_category_finds_the_published_numbers() {
    let folder = directory("long-run-categories");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = path("kiwipete-4");
    let call = ["perft", "4", "--position", "kiwipete", "--categories", "--checkpoint", &file];
    let text = fine(&[&call[..], &["--verify-share", "5%", "--expect", "4085603"]].concat());
    assert!(text.starts_with("nodes        4,085,603\n"), "{text}");
    assert!(text.contains("\nverified "), "{text}");
    for line in [
        "captures                  757,163",
        "en_passant                  1,929",
        "castles                   128,013",
        "promotions                 15,172",
        "checks                     25,523",
        "discovered                     42",
        "double_checks                   6",
        "checkmates                     43",
        "convention: checks include mates",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}: {text}");
    }
    // Everything is known now, so the other convention does not need another count.
    let other = fine(&[&call[..], &["--checks", "exclude-mates"]].concat());
    assert!(other.contains("\nchecks                     25,480\n"), "{other}");
    assert!(other.contains("\nconvention: checks exclude mates\n"), "{other}");
    let status = fine(&["status", &file]);
    assert!(status.contains("\nchecks                     25,523\n"), "{status}");
    assert!(status.contains("\ne1g1 "), "{status}");

    // All ways of counting, in both conventions.
    let more: [&[&str]; 4] = [
        &[],
        &["--hash", "8", "--verify-share", "10%"],
        &["--split", "1", "--threads", "3", "--checks", "exclude-mates"],
        &["--split", "2", "--isa", "portable"],
    ];
    for (number, more) in more.into_iter().enumerate() {
        let file = path(&format!("start-5-{number}"));
        let call = ["perft", "5", "--categories"];
        let found = object(&[&call[..], &["--checkpoint", &file], more].concat());
        let checks =
            if found["convention"] == "mates_excluded" { "exclude-mates" } else { "include-mates" };
        assert_eq!(checks == "exclude-mates", more.contains(&checks), "{found}");
        let expected = object(&[&call[..], &["--checks", checks]].concat());
        for field in ["nodes", "categories", "convention", "complete"] {
            assert_eq!(found[field], expected[field], "{more:?}");
        }
        assert_eq!(found["categories"]["en_passant"], "258");
        let status = object(&["status", &file]);
        assert_eq!(
            (&status["convention"], &status["categories"]["checks"]),
            (&"mates_included".into(), &"27351".into())
        );
    }
}

#[test]
fn a_killed_run_by_category_ends_with_the_right_categories() {
    let file = directory("long-run-categories-killed").join("start-6");
    let file = file.to_str().unwrap();
    let call = ["perft", "6", "--categories", "--checkpoint", file, "--split", "3"];
    let begin = Instant::now();
    let mut done = 0;
    // On a fast machine, the count may end before it is killed. The first result is written at
    // once, so a part is kept even if the run is killed as soon as the file exists.
    for _ in 0..4 {
        let slow = ["--threads", "1", "--isa", "portable"];
        // Remove the status of a killed run. Opening the checkpoint while the run opens it could
        // keep the run from starting, so wait for the published status.
        let published = format!("{file}.status");
        let _ = fs::remove_file(&published);
        let mut child = command().args(call).args(slow).spawn().unwrap();
        let mut seen = None;
        while seen.is_none() && child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < HANG, "there is no status");
            thread::sleep(Duration::from_millis(5));
            if !fs::exists(&published).unwrap() {
                continue;
            }
            let run = run(&["status", file, "--json"]);
            let value = serde_json::from_str(&run.out).ok();
            // The status is published once a second.
            seen = value.filter(|it: &Value| it["done"].as_u64() > Some(done));
        }
        let _ = child.kill();
        child.wait().unwrap();
        let left = object(&["status", file]);
        let now = left["done"].as_u64().unwrap();
        assert!(now >= done && (now > done || left["complete"] == true), "{left}");
        let nodes = |value: &Value, field: &str| -> u64 {
            value.pointer(field).unwrap().as_str().unwrap().parse().unwrap()
        };
        if let Some(seen) = seen {
            assert!(now >= seen["done"].as_u64().unwrap(), "{seen} {left}");
            assert!(nodes(&left, "/categories/captures") >= nodes(&seen, "/categories/captures"));
        }
        assert!(nodes(&left, "/categories/captures") < nodes(&left, "/nodes"));
        done = now;
    }
    let found = object(&[&call[..], &["--verify-share", "2%", "--expect", "119060324"]].concat());
    assert_eq!(found["categories"]["captures"], "2812008");
    assert_eq!(found["categories"]["en_passant"], "5248");
    assert_eq!(found["categories"]["checks"], "809099");
    assert_eq!(found["categories"]["checkmates"], "10828");
    assert!(found["verified"].as_u64().unwrap() > 50, "{found}");
}

#[test]
fn the_kind_of_a_long_run_cannot_change() {
    let folder = directory("long-run-kinds");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (plain, by_category) = (path("plain"), path("categories"));
    fine(&["perft", "3", "--checkpoint", &plain]);
    fine(&["perft", "3", "--categories", "--checkpoint", &by_category]);
    let error = mistaken(&["perft", "3", "--categories", "--checkpoint", &plain]);
    assert!(error.contains("its count is of leaf nodes, not by category"), "{error}");
    assert!(error.contains("hint: name another file"), "{error}");
    let error = mistaken(&["perft", "3", "--checkpoint", &by_category]);
    assert!(error.contains("its count is by category, not of leaf nodes"), "{error}");
    // The last move must be in a unit.
    let none = path("none");
    let error = mistaken(&["perft", "1", "--categories", "--checkpoint", &none]);
    assert!(error.contains("a count by category to depth 1 cannot be split"), "{error}");
    let error = mistaken(&["perft", "3", "--categories", "--checkpoint", &none, "--split", "3"]);
    assert!(error.contains("only after 1 to 2"), "{error}");
    assert!(!std::path::Path::new(&none).exists());
    mistaken(&["perft", "3", "--categories", "--distinct", "--checkpoint", &none]);
    mistaken(&["perft", "3", "--checks", "exclude-mates", "--checkpoint", &plain]);
}

/// Writes a wrong result into the file, as a faulty computer would.
#[test]
fn a_disputed_category_stops_the_run_and_is_counted_again() {
    let file = directory("long-run-categories-disputed").join("start-4");
    let name = file.to_str().unwrap();
    let job = Job::new(Position::START, 4).and_then(|job| job.with_split(2)).unwrap();
    let checkpoint = Checkpoint::open_or_create(&file, &job.by_category().unwrap(), &()).unwrap();
    let unit = checkpoint.unit(7).unwrap();
    let right = reference_categories(&unit.position, unit.depth);
    let mut wrong = *UnitCategories::of(&right).unwrap().counts();
    wrong[Category::Checks as usize] += 1;
    let result = UnitResult {
        nodes: right.nodes.try_into().unwrap(),
        micros: 1000,
        counter: "faulty".to_owned(),
        categories: Some(UnitCategories::new(wrong)),
    };
    checkpoint.record_results(&[(7, result)]).unwrap();
    drop(checkpoint);
    let call = ["perft", "4", "--categories", "--checkpoint", name, "--verify-share", "100%"];
    let stopped = run(&call);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    let (bad, good) = (right[Category::Checks] + 1, right[Category::Checks]);
    let what = format!("was counted twice and has {bad} or {good} leaf nodes in checks: ");
    assert!(stopped.err.contains(&what), "{stopped:?}");
    assert!(stopped.err.contains("hint: the result was removed"), "{stopped:?}");
    let status = fine(&["status", name]);
    let evidence = format!("unit 7: checks {bad} by faulty, {good} by reference");
    assert!(status.contains(&evidence), "{status}");
    let found = object(&call);
    assert_eq!(found["nodes"], "197281");
    assert_eq!(found["categories"]["checks"], "469");
    assert_eq!(found["verified"], 400);
}
