//! A game as a JSON object.

use serde::Serialize;
use tabiya::Position;
use tabiya_pgn::{GameTree, NodeId};

use super::game::{Kind, Played, Problem};
use crate::output::json::Object;

/// The output of `tabiya pgn --to json` for each game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Game<'a> {
    /// The number of the game in its file, from 1.
    game: u64,
    /// The tags, in the order of the file.
    tags: Vec<TagJson<'a>>,
    /// The position before the first move, in FEN.
    fen: String,
    /// The result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2` or `*`.
    result: &'static str,
    /// The opening: the last position that has a name. Null if there is none.
    opening: Option<OpeningJson>,
    /// The comments before the first move.
    comments: Vec<&'a str>,
    /// The numeric annotation glyphs before the first move: they are about the start position.
    nags: Vec<u8>,
    /// The moves of the main line.
    moves: Vec<Node<'a>>,
    /// The errors. Each ends its line, the main line or a variation, and the rest of the line is in a
    /// comment.
    errors: Vec<ProblemJson<'a>>,
}

impl Object for Game<'_> {
    const SCHEMA: &'static str = "tabiya-pgn-game/1";
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TagJson<'a> {
    /// The name.
    name: &'a str,
    /// The value.
    value: &'a str,
}

/// An error or a remark.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ProblemJson<'a> {
    /// The kind.
    kind: &'static str,
    /// The line in the file, from 1.
    line: u64,
    /// The column in the line, in bytes from 1.
    column: u64,
    /// The byte in the file, from 0.
    byte: u64,
    /// The game in the file, from 1. Null between games.
    game: Option<u64>,
    /// The ply in the main line or variation, from 1. Null if it's not about a move.
    ply: Option<u32>,
    /// The error or the remark.
    message: &'a str,
}

impl<'a> From<&'a Problem> for ProblemJson<'a> {
    fn from(problem: &'a Problem) -> Self {
        let &Problem { kind, place, game, ply, ref message } = problem;
        let (Kind::Error(kind) | Kind::Remark(kind)) = kind;
        Self { kind, line: place.line, column: place.column, byte: place.byte, game, ply, message }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OpeningJson {
    /// The code in the Encyclopaedia of Chess Openings.
    eco: &'static str,
    /// The name.
    name: &'static str,
}

/// A move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Node<'a> {
    /// The move in standard algebraic notation. `--` for a null move.
    san: String,
    /// The move in UCI. `0000` for a null move.
    uci: String,
    /// Numeric annotation glyphs.
    nags: Vec<u8>,
    /// The comments after the move, with their commands.
    comments: Vec<&'a str>,
    /// The seconds that the player has left, from the command `clk`. Null if there is none.
    clock_seconds: Option<f64>,
    /// Variations in place of this move.
    variations: Vec<Line<'a>>,
}

/// A variation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Line<'a> {
    /// The comments before its first move.
    comments: Vec<&'a str>,
    /// Its moves.
    moves: Vec<Node<'a>>,
}

/// The object of a game with this number, as this tree.
pub(super) fn of<'a>(game: &'a Played, number: u64, tree: &'a GameTree) -> Game<'a> {
    let root = NodeId::ROOT;
    Game {
        game: number,
        tags: tree.tags().map(|(name, value)| TagJson { name, value }).collect(),
        fen: tree.start().fen().to_string(),
        result: tree.result().as_str(),
        opening: game.opening().map(|it| OpeningJson { eco: it.eco(), name: it.name() }),
        comments: tree.comments(root).collect(),
        nags: tree.nags(root).map(|nag| nag.0).collect(),
        moves: line(tree, tree.next(root), tree.start()),
        errors: game.errors().map(ProblemJson::from).collect(),
    }
}

/// The line that begins with this move. It calls itself for variations: PGN limits their depth.
fn line<'t>(tree: &'t GameTree, first: Option<NodeId>, before: &Position) -> Vec<Node<'t>> {
    let mut before = before.clone();
    let mut moves = Vec::new();
    let mut next = first;
    while let Some(id) = next {
        let (san, uci) = match tree.mv(id) {
            Some(mv) => (before.san(mv).to_string(), before.uci(mv).to_string()),
            None => ("--".to_owned(), "0000".to_owned()),
        };
        // Only the main continuation lists its siblings.
        let parent = tree.parent(id).filter(|_| tree.is_main_continuation(id));
        let others = parent.into_iter().flat_map(|parent| tree.children(parent).skip(1));
        let variation = |first| Line {
            comments: tree.comments_before(first).collect(),
            moves: line(tree, Some(first), &before),
        };
        moves.push(Node {
            san,
            uci,
            nags: tree.nags(id).map(|nag| nag.0).collect(),
            comments: tree.comments(id).collect(),
            clock_seconds: tree.clock(id).map(|time| time.as_secs_f64()),
            variations: others.map(variation).collect(),
        });
        before = tree.position_after(&before, id);
        next = tree.next(id);
    }
    moves
}
