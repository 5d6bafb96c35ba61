//! `tabiya perft --checkpoint` and `tabiya status`.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::program::{command, directory, fine, mistaken, run};

#[test]
fn a_finished_run_prints_its_result_first() {
    let file = directory("long-run").join("start-5");
    let file = file.to_str().unwrap();
    let call = ["perft", "5", "--checkpoint", file, "--verify-share", "10%", "--expect", "4865609"];
    let first = fine(&call);
    assert!(first.starts_with("nodes        4,865,609\n"), "{first}");
    assert!(first.contains("verified "), "{first}");
    // The second time, nothing is left to do.
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
    std::fs::write(&text, "hello").unwrap();
    let error = mistaken(&["status", &text]);
    assert!(error.contains("not a checkpoint"), "{error}");
    let mut damaged = std::fs::read(&file).unwrap();
    let len = damaged.len();
    damaged[64..len / 2].fill(0xa5);
    std::fs::write(&file, damaged).unwrap();
    let error = mistaken(&["status", &file]);
    assert!(error.contains("damaged") && !error.contains("panicked"), "{error}");
}

/// `status` works during a run, and after the run was killed.
#[test]
fn status_shows_a_run_that_goes_on_and_one_that_was_killed() {
    let file = directory("long-run-status").join("start-8");
    let file = file.to_str().unwrap();
    // So many units that writing them takes some time on every machine.
    let call = ["perft", "8", "--checkpoint", file, "--isa", "portable", "--threads", "1"];
    let mut child = command().args(call).args(["--split", "4"]).spawn().unwrap();
    let seen = (0..600).find_map(|_| {
        thread::sleep(Duration::from_millis(50));
        let run = run(&["status", file, "--json"]);
        let value: Value = serde_json::from_str(&run.out).ok()?;
        (value["done"].as_u64()? > 0).then_some(value)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let seen = seen.expect("there is a status soon");
    assert_eq!(seen["running"]["process"], child.id());
    assert!(seen["running"]["seconds"].as_f64().unwrap() >= 0.0);
    let value: Value = serde_json::from_str(&fine(&["status", file, "--json"])).unwrap();
    assert!(value["done"].as_u64() >= seen["done"].as_u64());
    assert_eq!(value["running"], Value::Null);
    let text = fine(&["status", file]);
    assert!(text.contains("no process is running"), "{text}");
    assert!(text.contains("of about "), "{text}");
}
