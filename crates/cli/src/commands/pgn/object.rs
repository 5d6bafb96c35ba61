//! A game as a JSON object.

use serde::Serialize;
use tabiya_pgn::{Reader, Replay, Text, Token};

use super::game::Played;
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
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// The comments before the first move.
    comments: Vec<String>,
    /// The numeric annotation glyphs before the first move: they are about the start position.
    nags: Vec<u8>,
    /// The moves of the main line.
    moves: Vec<Node>,
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

/// A move.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Node {
    /// The move in standard algebraic notation.
    san: String,
    /// The move in UCI. `0000` for a null move in a variation.
    uci: String,
    /// Numeric annotation glyphs.
    nags: Vec<u8>,
    /// The comments after the move, with their commands.
    comments: Vec<String>,
    /// The seconds that the player has left, from the command `clk`. Null if there is none.
    clock_seconds: Option<f64>,
    /// Variations in place of this move.
    variations: Vec<Line>,
}

/// A variation.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Line {
    /// The comments before its first move.
    comments: Vec<String>,
    /// Its moves.
    moves: Vec<Node>,
}

/// A line that is being read, with what stands before its first move.
#[derive(Default)]
struct Open {
    line: Line,
    nags: Vec<u8>,
    variations: Vec<Line>,
}

impl Open {
    fn add(&mut self, mut node: Node) {
        // A variation before the first move has the same start as that.
        node.variations.append(&mut self.variations);
        self.line.moves.push(node);
    }

    /// The whole line. If it consists of variations alone, the first one with a move is the line.
    fn close(&mut self) -> Line {
        let mut line = std::mem::take(&mut self.line);
        for variation in std::mem::take(&mut self.variations) {
            match line.moves.first_mut() {
                Some(node) => node.variations.push(variation),
                None => {
                    line.comments.extend(variation.comments);
                    line.moves = variation.moves;
                }
            }
        }
        line
    }
}

/// The object of a game, which has these bytes.
pub(super) fn of<'a>(game: &'a Played, number: u64, bytes: &[u8]) -> Game<'a> {
    // The main line, and the variations around the current place.
    let mut lines = vec![Open::default()];
    let mut replay = Replay::new();
    // The game was read before, so there are no errors.
    for token in Reader::from_bytes(bytes).map_while(Result::ok) {
        let Ok(played) = replay.play(&token) else { break };
        let last = lines.len() - 1;
        let open = &mut lines[last];
        match token {
            Token::Move(_) => {
                let before = replay.before();
                let (san, uci) = match played {
                    Some(mv) => (before.san(mv).to_string(), before.uci(mv).to_string()),
                    None => ("--".to_owned(), "0000".to_owned()),
                };
                // Glyphs before the first move of the game are about the start position.
                let nags = if last > 0 { std::mem::take(&mut open.nags) } else { Vec::new() };
                open.add(Node { san, uci, nags, ..Node::default() });
            }
            Token::Nag(nag) => match open.line.moves.last_mut() {
                Some(node) => node.nags.push(nag.0),
                None => open.nags.push(nag.0),
            },
            Token::Comment(comment) => {
                let text = Text(&comment.unwrapped()).decode().trim().to_owned();
                match open.line.moves.last_mut() {
                    Some(node) => {
                        let clock = comment.clock().map(|time| time.as_secs_f64());
                        node.clock_seconds = node.clock_seconds.or(clock);
                        node.comments.push(text);
                    }
                    None => open.line.comments.push(text),
                }
            }
            Token::VariationStart => lines.push(Open::default()),
            Token::VariationEnd => {
                let Some(mut inner) = lines.pop() else { break };
                let line = inner.close();
                let Some(outer) = lines.last_mut() else { break };
                // Without a move, the glyphs of the variation belong to the move before it.
                match outer.line.moves.last_mut() {
                    Some(node) => {
                        node.nags.append(&mut inner.nags);
                        node.variations.push(line);
                    }
                    None => {
                        outer.nags.append(&mut inner.nags);
                        outer.variations.push(line);
                    }
                }
            }
            _ => {}
        }
    }
    let mut open = lines.into_iter().next().unwrap_or_default();
    let main = open.close();
    Game {
        game: number,
        tags: game.tags.iter().map(|(name, value)| TagJson { name, value }).collect(),
        fen: game.start().fen().to_string(),
        result: game.result.as_str(),
        comments: main.comments,
        nags: open.nags,
        moves: main.moves,
    }
}
