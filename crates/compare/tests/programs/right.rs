//! Without a fault, the program is right: it gives the published counts through every protocol.

use tabiya_suites::{RULES, RULES_CHESS960, STANDARD};

use crate::program::{End, dialogue, list};

/// The questions of a suite with at most this many leaf nodes: FEN, depth and count.
pub(crate) fn questions(suite: &str, most: u64) -> Vec<(&str, u32, u64)> {
    let mut questions = Vec::new();
    for line in suite.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (fen, counts) = line.split_once(" ;").expect("a FEN and counts");
        for count in counts.split(" ;") {
            let (depth, nodes) = count.split_once(' ').expect("a depth and a count");
            let depth = depth[1..].parse().expect("a depth");
            questions.push((fen, depth, nodes.trim().parse().expect("a count")));
        }
    }
    questions.retain(|&(.., nodes)| nodes <= most);
    questions
}

/// Asks over UCI, and compares all totals.
fn agrees(arguments: &[&str], chess960: bool, questions: &[(&str, u32, u64)]) {
    let mut commands = format!("uci\nsetoption name UCI_Chess960 value {chess960}\n");
    for (fen, depth, _) in questions {
        commands += &format!("position fen {fen}\ngo perft {depth}\n");
    }
    let (text, end) = dialogue(arguments, &(commands + "quit\n"));
    assert_eq!(end, End::Exit(true));
    let totals: Vec<u64> = text
        .lines()
        .filter_map(|line| line.strip_prefix("Nodes searched: "))
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert_eq!(totals.len(), questions.len());
    for (&(fen, depth, nodes), total) in questions.iter().zip(totals) {
        assert_eq!(total, nodes, "{fen} at depth {depth}, {arguments:?}");
    }
}

#[test]
fn the_standard_positions() {
    let questions = questions(STANDARD.text, 5_000_000);
    assert!(questions.iter().any(|&(_, depth, _)| depth == 5) && questions.len() > 20);
    agrees(&[], false, &questions);
}

#[test]
fn the_rules_one_by_one() {
    let questions = questions(RULES.text, 20_000);
    assert!(questions.len() > 600);
    agrees(&[], false, &questions);
    agrees(&["--hash"], false, &questions);
}

#[test]
fn chess960() {
    let questions = questions(RULES_CHESS960.text, 200_000);
    assert!(questions.len() > 100);
    agrees(&[], true, &questions);
    agrees(&["--hash"], true, &questions);
}

#[test]
fn scripts() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let ask = |arguments: &[&str]| dialogue(arguments, "").0;
    assert_eq!(ask(&["--protocol", "total", "3", fen]), "97862\n");
    assert_eq!(ask(&["--protocol", "total", "2", fen, "e1g1"]), "2059\n");
    let divide = ask(&["--protocol", "perftree", "2", fen]);
    assert!(divide.contains("e1g1 43\n") && divide.ends_with("\n\n2039\n"), "{divide}");
    assert_eq!(divide.lines().count(), 50);
    let moves = ask(&["--protocol", "moves", fen]);
    assert_eq!(moves.lines().count(), 48);
    assert!(moves.lines().any(|line| line == "e1c1"), "{moves}");
}

#[test]
fn lists_are_long_enough() {
    let faults = list("--list");
    assert!(faults.len() >= 40);
    let oddities = list("--list-oddities");
    assert!(oddities.len() >= 15);
    for list in [faults, oddities] {
        let mut names: Vec<_> = list.into_iter().map(|(name, _)| name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "a name stands twice");
    }
}
