//! `tabiya estimate` and `tabiya bench`.

use crate::program::{fine, json, mistaken};

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
fn a_bench_counts_equal_depths_in_every_mode() {
    let call = ["bench", "--seconds", "0.5", "--threads", "2", "--hash", "4"];
    let value = json(&[&call[..], &["--json"]].concat());
    assert_eq!(value["schema"], "tabiya-bench/1");
    for field in ["cpu", "isa", "hardware_threads"] {
        assert!(!value["machine"][field].is_null(), "{field}");
    }
    let results = value["results"].as_array().unwrap();
    assert_eq!(results.len(), 12, "three positions, one or two threads, with a table or not");
    for position in ["start", "kiwipete", "middlegame"] {
        let same = || results.iter().filter(|result| result["position"] == position);
        assert_eq!(same().count(), 4);
        for field in ["depth", "nodes"] {
            assert!(same().all(|it| it[field] == same().next().unwrap()[field]), "{value}");
        }
    }
    let start = results.iter().find(|r| r["position"] == "start" && r["depth"] == 4);
    assert!(start.is_none_or(|start| start["nodes"] == "197281"), "{start:?}");
    let tables = results.iter().filter(|r| r["table_bytes"].as_u64().unwrap() > 0);
    assert_eq!(tables.count(), 6);
    assert_eq!(
        json(&["bench", "--seconds", "0", "--threads", "1", "--json"])["results"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
    let text = fine(&call);
    assert!(text.starts_with("machine   "), "{text}");
    for position in ["start ", "kiwipete ", "middlegame "] {
        assert_eq!(text.lines().filter(|line| line.starts_with(position)).count(), 4, "{text}");
    }
    mistaken(&["bench", "--seconds", "-1"]);
}
