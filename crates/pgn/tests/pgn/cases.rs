//! The games of the table, whole and in pieces.

use std::fmt::Write as _;

use tabiya::Position;
use tabiya_pgn::{
    GameTree, Input, NodeId, ProblemCause, Reader, ReplayCause, WriteOptions, clock_text,
};

use crate::pieces::Pieces;
use crate::table::{CASES, Case};
use crate::tree::assert_kept;

/// A game as the table shows it, without its tags.
fn game(tree: &GameTree) -> String {
    let mut options = WriteOptions::default();
    (options.width, options.sort_tags) = (usize::MAX, false);
    let mut text = tree.to_pgn(&options).unwrap();
    if tree.tags().next().is_some() {
        text = text.split_once("\n\n").unwrap().1.to_owned();
    }
    for problem in tree.problems() {
        let message = problem.cause.to_string();
        text = text.replace(&format!("{{{message}; not read:"), "{!");
        text = text.replace(&format!("{{{message}}}"), "{!}");
    }
    let mut text = text.trim().replace('\n', "\\n");
    if tree.start() != &Position::START {
        let _ = write!(text, " @ {}", tree.start().fen());
    }
    for problem in tree.problems() {
        let cause = match &problem.cause {
            ProblemCause::Text(kind) => format!("{kind:?}"),
            ProblemCause::Replay(error) => match error.cause() {
                ReplayCause::Move(_) => "Move".to_owned(),
                ReplayCause::NullInCheck => "Null".to_owned(),
                ReplayCause::Number { .. } => "Number".to_owned(),
                _ => "Start".to_owned(),
            },
            other => panic!("{other}"),
        };
        let _ = write!(text, " ! {} {cause}", problem.place);
    }
    for (kind, number) in tree.remarks() {
        let _ = write!(text, " ~ {number} {kind}");
    }
    for node in tree.main_line(NodeId::ROOT) {
        let mut facts = Vec::new();
        facts.extend(tree.clock(node).map(|time| format!("clk={}", clock_text(time))));
        facts.extend(tree.elapsed(node).map(|time| format!("emt={}", clock_text(time))));
        facts.extend(tree.eval(node).map(|eval| format!("eval={eval}")));
        if !facts.is_empty() {
            let _ = write!(text, " % {} {}", tree.ply(node), facts.join(" "));
        }
    }
    text
}

fn games<I: Input>(reader: Reader<I>) -> Vec<GameTree> {
    reader.trees().map(Result::unwrap).collect()
}

/// The tags before the movetext of a game in the table, and the rest.
fn tags(mut text: &str) -> (Vec<(&str, &str)>, &str) {
    let mut tags = Vec::new();
    while let Some(tag) = text.strip_prefix('[') {
        let (name, rest) = tag.split_once(" \"").expect("a tag has a value");
        let (value, rest) = rest.split_once("\"] ").expect("a tag has an end");
        tags.push((name, value));
        text = rest;
    }
    (tags, text)
}

#[test]
fn every_file_has_the_games_of_the_table() {
    let mut wrong = Vec::new();
    for Case { line, text, games: expected } in CASES.iter() {
        let trees = games(Reader::from_bytes(text));
        let expected: Vec<_> = expected.split(" || ").map(tags).collect();
        let shown: Vec<String> = trees.iter().map(game).collect();
        if shown != expected.iter().map(|game| game.1).collect::<Vec<_>>() {
            wrong.push(format!("{line}\n  found {}", shown.join(" || ")));
            continue;
        }
        for (tree, (tags, _)) in trees.iter().zip(&expected) {
            tags.iter()
                .for_each(|(name, value)| assert_eq!(tree.tag(name), Some(*value), "{line}"));
            assert_kept(tree);
        }
        for len in [1, 2, 3, 7, 40] {
            assert_eq!(games(Reader::new(Pieces(text, len))), trees, "{line}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(CASES.len() > 200);
}
