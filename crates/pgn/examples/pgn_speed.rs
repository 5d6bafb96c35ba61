//! Games read per second: tokens only, moves as SAN, every move checked, whole trees, trees with
//! the position at each node.
//!
//! `cargo run --release -p tabiya-pgn --example pgn_speed -- games.pgn [tokens]`

use std::time::Instant;

use tabiya::San;
use tabiya_pgn::{GameTree, NodeId, Reader, Replay, Token};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: speed FILE [WHAT]")?;
    let only = std::env::args().nth(2).unwrap_or_default();
    let pgn = std::fs::read(path)?;
    for (name, read) in [
        ("tokens", tokens as fn(&[u8]) -> u64),
        ("san", sans),
        ("skipped", skipped),
        ("checked", checked),
        ("trees", trees),
        ("walked", walked),
    ] {
        if !name.contains(&only) {
            continue;
        }
        let mut best = f64::INFINITY;
        let mut games = 0;
        for _ in 0..5 {
            let begin = Instant::now();
            games = read(&pgn);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        let rate = games as f64 / best;
        println!(
            "{name:8} {games} games, {rate:.0} games per second, {:.0} MB per second",
            pgn.len() as f64 / best / 1e6
        );
    }
    Ok(())
}

/// Tokens alone.
fn tokens(pgn: &[u8]) -> u64 {
    let mut reader = Reader::new(pgn);
    let (mut games, mut others) = (0, 0u64);
    loop {
        match reader.next_token() {
            Ok(Some(Token::GameEnd)) => games += 1,
            Ok(Some(_)) => others += 1,
            Ok(None) => break,
            Err(error) => println!("{error}"),
        }
    }
    std::hint::black_box(others);
    games
}

/// Reads each move as SAN, without a position.
fn sans(pgn: &[u8]) -> u64 {
    let mut reader = Reader::new(pgn);
    let (mut games, mut wrong) = (0, 0);
    while let Ok(Some(token)) = reader.next_token() {
        match token {
            Token::Move(text) => {
                wrong += u64::from(San::from_ascii(text.text().as_bytes()).is_err());
            }
            Token::GameEnd => games += 1,
            _ => {}
        }
    }
    assert_eq!(wrong, 0);
    games
}

fn skipped(pgn: &[u8]) -> u64 {
    let mut reader = Reader::new(pgn);
    let mut games = 0;
    while let Ok(Some(_)) = reader.next_token() {
        games += u64::from(reader.skip_game().is_ok());
    }
    games
}

/// Checks that every move of the main lines is legal.
fn checked(pgn: &[u8]) -> u64 {
    let mut reader = Reader::new(pgn);
    let mut replay = Replay::new();
    let mut games = 0;
    while let Ok(Some(token)) = reader.next_token() {
        if matches!(token, Token::VariationStart) {
            let _ = reader.skip_variation();
            continue;
        }
        if let Err(error) = replay.play(&token) {
            println!("{}: {error}", reader.place());
            let _ = reader.skip_game();
            continue;
        }
        games += u64::from(matches!(token, Token::GameEnd));
    }
    games
}

/// Each game as a tree, in the same memory.
fn trees(pgn: &[u8]) -> u64 {
    each_tree(pgn, |tree| {
        std::hint::black_box(tree.len());
    })
}

/// Each game as a tree, and the positions at all of its nodes.
fn walked(pgn: &[u8]) -> u64 {
    each_tree(pgn, |tree| {
        let mut walk = tree.walk(NodeId::ROOT);
        while walk.next().is_some() {
            std::hint::black_box(walk.after().key());
        }
    })
}

fn each_tree(pgn: &[u8], mut look: impl FnMut(&GameTree)) -> u64 {
    let mut reader = Reader::new(pgn);
    let mut tree = GameTree::new();
    let mut games = 0;
    while let Ok(true) = tree.read_next(&mut reader) {
        look(&tree);
        games += 1;
    }
    games
}
