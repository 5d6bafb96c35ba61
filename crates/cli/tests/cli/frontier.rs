//! `tabiya frontier`, and the distinct positions and categories of `tabiya perft`.

use crate::program::{command, directory, fine, json, mistaken, run};

#[test]
fn a_frontier_is_written_and_read() {
    let folder = directory("frontier");
    let path = folder.join("start-3.zst");
    let path = path.to_str().unwrap();
    let text = fine(&["frontier", "3", "--output", path, "--memory", "64M"]);
    assert!(text.starts_with("memory: at most 64 MiB"), "{text}");
    assert!(text.contains("5,362 positions, 8,902 games"), "{text}");
    // No other file remains.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);

    let positions = fine(&["frontier", "--read", path]);
    assert_eq!(positions.lines().count(), 5362);
    let games = positions.lines().map(|line| line.split('\t').next().unwrap());
    assert_eq!(games.map(|number| number.parse::<u64>().unwrap()).sum::<u64>(), 8902);
    assert!(
        positions.lines().all(|line| line.ends_with(" b KQkq - 0 2") || !line.contains(" KQkq - "))
    );
    assert_eq!(fine(&["frontier", "--read", path, "--limit", "2"]).lines().count(), 2);
    let header = json(&["frontier", "--read", path, "--header"]);
    assert_eq!(header["frontier"]["schema"], "tabiya-frontier/2");
    assert_eq!(header["frontier"]["positions"], 5362);
    assert_eq!(header["frontier"]["games"], "8902");

    let bytes = std::fs::read(path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() - 9]).unwrap();
    let error = run(&["frontier", "--read", path]);
    assert_eq!(error.code, Some(2));
    assert!(error.err.contains("damaged or truncated"), "{error:?}");
}

#[test]
fn one_position_is_in_the_singular() {
    let path = directory("frontier-one").join("start-0.zst");
    let text = fine(&["frontier", "0", "--output", path.to_str().unwrap(), "--memory", "64M"]);
    assert!(text.contains("\n1 position, 1 game, "), "{text}");
}

#[test]
fn frontier_arguments_that_contradict_each_other_are_refused() {
    let folder = directory("frontier-errors");
    let nowhere = folder.join("no-such-folder").join("file");
    let error = mistaken(&["frontier", "--read", nowhere.to_str().unwrap()]);
    assert!(error.contains("no-such-folder"), "{error}");
    for arguments in [&["frontier"][..], &["frontier", "3"], &["frontier", "3", "--read", "x"]] {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
    let output = folder.join("out");
    let output = output.to_str().unwrap();
    let error = mistaken(&["frontier", "3", "--output", output, "--memory", "1M"]);
    assert!(error.contains("at least 64 MiB"), "{error}");
    let error = run(&["frontier", "1", "--output", nowhere.to_str().unwrap()]);
    assert_eq!(error.code, Some(2));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn distinct_positions_are_counted() {
    let text = fine(&["perft", "4", "--distinct", "--memory", "64M", "--expect", "72078"]);
    assert!(text.starts_with("memory: at most 64 MiB"), "{text}");
    assert!(text.contains("\n  4    72,078\n"), "{text}");
    // The first plies need no keys.
    assert!(!fine(&["perft", "3", "--distinct"]).contains("probability"));
    assert_eq!(run(&["perft", "2", "--distinct", "--expect", "20"]).code, Some(1));
    assert!(mistaken(&["perft", "2", "--memory", "64M"]).contains("--distinct"));

    let output = command().args(["perft", "3", "--distinct", "--json"]).output().unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["complete"], &value["positions"]), (&true.into(), &"5362".into()));
    assert_eq!(value["by_ply"][2], "400");
    let text = String::from_utf8(output.stderr).unwrap();
    let size = text.strip_prefix("memory: at most ").and_then(|text| text.split(' ').next());
    // It is less where less memory is available.
    assert!(size.is_some_and(|size| (64..=1024).contains(&size.parse::<u32>().unwrap())), "{text}");
}

#[test]
fn a_count_of_distinct_positions_continues_from_its_checkpoint() {
    let file = directory("distinct-checkpoint").join("start");
    let name = file.to_str().unwrap();
    let count = ["perft", "--distinct", "--memory", "64M", "--checkpoint", name];
    let seed = format!("\nseed of the keys: {:064x}\n", 7);
    let text = fine(&[&count[..], &["5", "--seed", "7", "--expect", "822518"]].concat());
    assert!(text.contains("\nprobability of a wrong count: at most "), "{text}");
    assert!(text.contains(&seed), "{text}");
    let bytes = std::fs::read(&file).unwrap();
    // Nothing is left to count, and the seed is the one in the file.
    assert!(fine(&[&count[..], &["5"]].concat()).contains(&seed));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert!(fine(&[&count[..], &["6", "--expect", "9417681"]].concat()).contains(&seed));

    let refused = |arguments: &[&str], message: &str| {
        let end = run(&[&count[..], arguments].concat());
        assert_eq!(end.code, Some(2), "{end:?}");
        assert!(end.err.contains(message), "{end:?}");
    };
    refused(&["5", "--seed", "8"], "belongs to another count: its seed is");
    refused(&["5", "--position", "kiwipete"], "belongs to another count: its position is");
    refused(&["5", "--split", "2"], "--distinct");
    refused(&["5", "--verify-share", "5%"], "--distinct");
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    refused(&["5"], "the checkpoint is damaged\nhint: ");
    std::fs::write(&file, "another file").unwrap();
    refused(&["5"], "is not a checkpoint of distinct positions\nhint: ");
}

/// The error comes at the start, and not when the memory is full.
#[test]
fn a_directory_for_temporary_files_that_does_not_exist_is_refused() {
    let folder = directory("no-temp");
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    let (missing, output) = (folder.join("missing"), folder.join("out.zst"));
    let (missing, file, output) =
        (missing.to_str().unwrap(), file.to_str().unwrap(), output.to_str().unwrap());
    for call in [&["perft", "2", "--distinct"][..], &["frontier", "2", "--output", output]] {
        let error = mistaken(&[call, &["--temp", missing]].concat());
        assert!(
            error.starts_with(&format!("error: --temp: {missing} does not exist\n")),
            "{error}"
        );
        let error = mistaken(&[call, &["--temp", file]].concat());
        assert!(
            error.starts_with(&format!("error: --temp: {file} is not a directory\n")),
            "{error}"
        );
    }
}

/// The header gives the position.
#[test]
fn a_frontier_that_is_read_takes_no_position() {
    let file = directory("frontier-position").join("file");
    let file = file.to_str().unwrap();
    fine(&["frontier", "2", "--output", file]);
    for [option, value] in [
        ["--position", "kiwipete"],
        ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"],
        ["--moves", "e2e4"],
    ] {
        let error = mistaken(&["frontier", "--read", file, option, value]);
        assert!(error.contains("cannot be used with"), "{option}: {error}");
    }
    mistaken(&["frontier", "--read", file, "--chess960"]);
}

/// Ctrl-C stops the work and leaves no file.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_frontier_leaves_nothing() {
    use std::process::Stdio;
    use std::time::Duration;

    let folder = directory("frontier-interrupted");
    let output = folder.join("out.zst");
    let temp = format!("--temp={}", folder.display());
    let mut child = command()
        .args(["frontier", "9", "--memory=64M", "--output", output.to_str().unwrap(), &temp])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The time is enough to begin, and far too short to finish on any machine.
    crate::program::wait_until_it_works(&child, Duration::from_millis(700));
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_short_count_of_distinct_positions_says_that_it_needed_no_checkpoint() {
    let file = directory("distinct-short").join("file");
    let call = ["perft", "3", "--distinct", "--memory", "64M", "--checkpoint"];
    let call = [&call[..], &[file.to_str().unwrap()]].concat();
    let note = format!("no checkpoint was needed, so {} was not written\n", file.display());
    assert!(fine(&call).ends_with(&note), "{}", fine(&call));
    let end = run(&[&call[..], &["--json"]].concat());
    assert!(end.code == Some(0) && end.err.ends_with(&note), "{end:?}");
    assert!(!file.exists());
}

#[test]
fn categories_are_counted_in_both_conventions() {
    let row = |text: &str, name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap().split_whitespace().skip(1).map(str::to_owned).collect()
    };
    let text = fine(&["perft", "4", "--categories"]);
    assert_eq!(row(&text, "nodes"), ["20", "400", "8,902", "197,281"]);
    assert_eq!(row(&text, "captures"), ["0", "0", "34", "1,576"]);
    assert_eq!(row(&text, "checks"), ["0", "0", "12", "469"]);
    assert!(text.contains("convention: checks include mates"), "{text}");
    let text = fine(&["perft", "4", "--categories", "--checks", "exclude-mates"]);
    assert_eq!(row(&text, "checks"), ["0", "0", "12", "461"]);
    assert!(text.contains("convention: checks exclude mates"), "{text}");

    let value = json(&["perft", "4", "--categories", "--position", "kiwipete", "--json"]);
    assert_eq!(value["convention"], "mates_included");
    assert_eq!(value["categories"]["promotions"], "15172");
    assert_eq!(value["categories"]["discovered"], "42");
    let call = ["perft", "4", "--categories", "--position", "kiwipete", "--hash", "4"];
    let with_table = json(&[&call[..], &["--json"]].concat());
    assert_eq!(with_table["categories"], value["categories"]);
    assert!(with_table["table"]["look_ups"].as_u64() > Some(0) && value["table"].is_null());
    assert!(fine(&call).contains("probability of a wrong count: at most "));
    assert_eq!(run(&["perft", "2", "--distinct", "--hash", "4"]).code, Some(2));
    assert_eq!(run(&["perft", "2", "--categories", "--expect", "401"]).code, Some(1));
    assert_eq!(run(&["perft", "2", "--checks", "exclude-mates"]).code, Some(2));
}
