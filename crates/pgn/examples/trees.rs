//! Trees of games, for scripts: writes them again, shows what they say, or tells whether two files
//! have equal trees.
//!
//! ```sh
//! cargo run --release -p tabiya-pgn --example trees -- write < games.pgn
//! cargo run --release -p tabiya-pgn --example trees -- show < games.pgn
//! cargo run --release -p tabiya-pgn --example trees -- compare one.pgn other.pgn
//! ```
//!
//! `show` prints a line for each tag, error and node. `python/tests/languages/trees.py` and
//! `web/npm/tests/languages/trees.mjs` print the same lines, so that a test can compare what the
//! languages read.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use tabiya::Position;
use tabiya_pgn::{Eval, GameTree, NodeId, Reader, WriteOptions};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = io::stdout().lock();
    match arguments[..] {
        ["write"] => {
            for tree in read(io::stdin())? {
                out.write_all(tree.to_pgn(&WriteOptions::default())?.as_bytes())?;
            }
        }
        ["show"] => {
            for tree in read(io::stdin())? {
                show(&tree, &mut out)?;
            }
        }
        ["compare", one, other] => {
            let (one, other) = (read(File::open(one)?)?, read(File::open(other)?)?);
            if one.len() != other.len() {
                writeln!(out, "one file has {} games, the other {}", one.len(), other.len())?;
                return Ok(ExitCode::FAILURE);
            }
            if let Some(index) = one.iter().zip(&other).position(|(one, other)| one != other) {
                writeln!(out, "game {} is not the same", index + 1)?;
                return Ok(ExitCode::FAILURE);
            }
        }
        _ => return Err("usage: trees write|show|compare ONE OTHER".into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// All games of a file.
fn read(input: impl Read) -> Result<Vec<GameTree>, tabiya_pgn::Error> {
    Reader::new(input).trees().collect()
}

/// Prints everything that a game says.
fn show(tree: &GameTree, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "game {} from {}", tree.result(), tree.start().fen())?;
    for (name, value) in tree.tags() {
        writeln!(out, "tag {name}={value}")?;
    }
    node(tree, NodeId::ROOT, "start", out)?;
    let mut walk = tree.walk(NodeId::ROOT);
    while let Some(id) = walk.next() {
        let san = san(tree, id, walk.before());
        node(tree, id, &san, out)?;
    }
    Ok(())
}

fn san(tree: &GameTree, id: NodeId, before: &Position) -> String {
    tree.mv(id).map_or_else(|| "--".to_owned(), |mv| before.san(mv).to_string())
}

/// The line of a node: its place, its move, and what stands at it.
fn node(tree: &GameTree, id: NodeId, san: &str, out: &mut impl Write) -> io::Result<()> {
    let list = |items: Vec<String>| if items.is_empty() { "-".to_owned() } else { items.join(",") };
    let time = |time: Option<Duration>| {
        time.map_or_else(|| "-".to_owned(), |time| time.as_millis().to_string())
    };
    let eval = tree.eval(id).map_or_else(
        || "-".to_owned(),
        |eval| {
            let score = match eval.score {
                Eval::Centipawns(centipawns) => centipawns.to_string(),
                Eval::Mate(mate) => format!("mate{mate}"),
            };
            let depth = eval.depth.map_or_else(String::new, |depth| format!("@{depth}"));
            score + &depth
        },
    );
    writeln!(
        out,
        "{} {san} nags={} clock={} elapsed={} eval={eval} marks={} [{}] [{}]",
        tree.ply(id),
        list(tree.nags(id).map(|nag| nag.0.to_string()).collect()),
        time(tree.clock(id)),
        time(tree.elapsed(id)),
        list(tree.marks(id).map(|mark| mark.to_string()).collect()),
        tree.comments_before(id).collect::<Vec<_>>().join(" "),
        tree.comments(id).collect::<Vec<_>>().join(" "),
    )
}
