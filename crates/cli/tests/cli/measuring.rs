//! `tabiya estimate` and `tabiya bench`.

use crate::program::{directory, fine, json, mistaken};

#[test]
fn an_estimate_has_an_interval_that_holds_the_number() {
    let call = ["estimate", "7", "--samples", "2000", "--seed", "1"];
    let value = json(&[&call[..], &["--json"]].concat());
    let number = |name: &str| value["estimate"][name].as_f64().unwrap();
    assert!((number("nodes") / 3_195_901_860.0 - 1.0).abs() < 0.01, "{value}");
    assert!(number("low") < number("nodes") && number("nodes") < number("high"));
    assert_eq!((number("samples"), number("confidence")), (2000.0, 0.95));
    assert_eq!((&value["seed"], &value["complete"]), (&1.into(), &true.into()));
    let text = fine(&call);
    for part in ["nodes     3,", " ± 0.", "interval  3,", "(95 %)", "2,000 subtrees", "72,078"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_ne!(
        json(&["estimate", "7", "--samples", "2000", "--json"])["estimate"],
        value["estimate"]
    );
}

/// With 100 samples, the uncertainty of perft to depth 20 is about a quarter of the number.
#[test]
fn an_estimate_has_only_the_digits_that_its_interval_supports() {
    let text = fine(&["estimate", "20", "--samples", "100"]);
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!((words[0], words[2], words[4]), ("nodes", "±", "%"), "{text}");
    let digits = |number: &str| number.split('e').next().unwrap().replace('.', "").len();
    assert!(words[1].contains('e') && digits(words[1]) <= 3, "{text}");
    assert!(digits(words[3]) <= 2, "{text}");
    assert!(digits(words[6]) <= 3 && digits(words[8]) <= 3, "{text}");
    let number: f64 = words[1].parse().unwrap();
    let value = json(&["estimate", "20", "--samples", "100", "--json"]);
    let exact = value["estimate"]["nodes"].as_f64().unwrap();
    assert!((number / exact - 1.0).abs() < 0.05, "{text}: {exact}");
}

#[test]
fn small_numbers_are_counted_exactly() {
    let text = fine(&["estimate", "5"]);
    assert!(text.starts_with("nodes     4,865,609, counted exactly\n"), "{text}");
    assert_eq!(
        json(&["estimate", "4", "--position", "kiwipete", "--json"])["estimate"]["nodes"],
        4085603.0
    );
}

#[test]
fn an_estimate_takes_about_the_time_that_it_is_given() {
    let value = json(&["estimate", "9", "--seconds", "2", "--json"]);
    let number = |field: &str| value["estimate"][field].as_f64().unwrap();
    let off = (number("nodes") - 2_439_530_234_167.0).abs();
    // A busy machine draws fewer samples in the time.
    assert!(off < 5.0 * number("standard_error"), "{value}");
    assert!(value["seconds"].as_f64().unwrap() < 300.0, "{value}");
    mistaken(&["estimate", "9", "--seconds", "-1"]);
    mistaken(&["estimate", "9", "--seconds", "nan"]);
    assert!(mistaken(&["estimate", "9", "--samples", "31"]).contains("at least 32"));
    assert!(mistaken(&["estimate", "255", "--samples", "32"]).contains("too many for an estimate"));
    mistaken(&["estimate", "9", "--seconds", "1", "--samples", "5"]);
}

#[test]
fn a_bench_counts_equal_depths_and_compares_with_an_older_one() {
    let call = ["bench", "--seconds", "0.5", "--threads", "2", "--hash", "4"];
    let text = fine(&[&call[..], &["--json"]].concat());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "tabiya-bench/1");
    for field in ["cpu", "arch", "os", "isa", "hardware_threads", "memory_bytes"] {
        assert!(!value["machine"][field].is_null(), "{field}");
    }
    let results = value["results"].as_array().unwrap();
    assert_eq!(results.len(), 12, "three positions, one or two threads, with a table or not");
    for position in ["start", "kiwipete", "middlegame"] {
        let same = results.iter().filter(|result| result["position"] == position);
        let depths: Vec<_> = same.map(|result| result["depth"].as_u64().unwrap()).collect();
        assert!(depths.len() == 4 && depths.iter().all(|&depth| depth == depths[0]), "{depths:?}");
    }
    let start = results.iter().find(|r| r["position"] == "start" && r["depth"] == 4);
    assert!(start.is_none_or(|start| start["nodes"] == "197281"), "{start:?}");
    let tables = results.iter().filter(|r| r["table_bytes"].as_u64().unwrap() > 0);
    assert_eq!(tables.clone().count(), 6);
    assert!(tables.clone().all(|r| r["labels"].as_array().unwrap().contains(&"table".into())));
    let folder = directory("bench");
    let old = folder.join("old.json");
    std::fs::write(&old, &text).unwrap();
    let text = fine(&[&call[..], &["--compare", old.to_str().unwrap()]].concat());
    assert!(text.starts_with("machine   "), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" x")).count(), 12, "{text}");
    assert!(text.contains("\nbefore    "), "{text}");
    assert!(text.contains("bulk, factoring, table"), "{text}");
    // The depths are those of the older report, even if there is time for more.
    let deeper = ["bench", "--seconds", "3", "--threads", "2", "--hash", "4", "--json"];
    let new = json(&[&deeper[..], &["--compare", old.to_str().unwrap()]].concat());
    for result in new["results"].as_array().unwrap() {
        assert_eq!(result["before"]["depth"], result["depth"], "{result}");
    }
    let mut without_speed: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&old).unwrap()).expect("the older report");
    without_speed["results"][0]["nps"] = 0.into();
    for wrong in ["", "{}", "{\"schema\":2}", "[1]", &without_speed.to_string()] {
        std::fs::write(&old, wrong).unwrap();
        let error = mistaken(&["bench", "--compare", old.to_str().unwrap()]);
        assert!(error.contains("cannot compare with"), "{error}");
    }
    mistaken(&["bench", "--seconds", "-1"]);
}
