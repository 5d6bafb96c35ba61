//! Games in other formats.

use std::fmt::Write as _;

use clap::ValueEnum;
use serde::Serialize;
use tabiya::epd::{EpdWriter, Operation};
use tabiya::{Move, Position};
use tabiya_pgn::{GameTree, NodeId, Reader, Replay, Tag, Text, Token, WriteOptions, Writer};

use super::game::Played;
use super::outline;
use super::work::{PIECE, Pieces};
use crate::output::json::Object;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// One FEN per line: the position before the first move and after each move; an empty line
    /// between games
    Fen,
    /// One EPD per line: the same positions, each with its counters (hmvc, fmvn) and the move that
    /// was played (sm)
    Epd,
    /// One game per line: moves in UCI
    Uci,
    /// One game per line: moves in standard algebraic notation
    San,
    /// One game per line: a JSON object with tags, moves, comments and variations
    Json,
    /// PGN in the standard's export format, moves as in the file
    Pgn,
    /// The tree of moves as text: variations are indented below the move that they replace. A
    /// diagram stands where the glyph $220 asks for it
    Tree,
    /// PGN without variations: each line from the start to its end is a game of its own
    Lines,
}

impl Format {
    /// Does the format contain variations?
    pub(super) const fn has_variations(self) -> bool {
        matches!(self, Self::Json | Self::Pgn | Self::Tree | Self::Lines)
    }

    /// Can a tree that is no game of a file be written?
    pub(super) const fn is_tree(self) -> bool {
        matches!(self, Self::Pgn | Self::Tree | Self::Lines)
    }

    /// The text between two games.
    pub(super) const fn separator(self) -> &'static str {
        if matches!(self, Self::Fen) { "\n" } else { "" }
    }
}

/// Writes a game, which has these bytes. The error says why this format cannot represent the game;
/// then nothing is written, or in the format [`Format::Lines`] its other lines.
pub(super) fn write(
    format: Format,
    game: &Played,
    number: u64,
    bytes: &[u8],
    pieces: &mut Pieces<'_>,
) -> Result<(), String> {
    let mut text = String::new();
    let out = pieces.output();
    match format {
        Format::Fen => {
            for position in &game.positions {
                line(&mut text, position.fen());
            }
        }
        Format::Epd => {
            let moves = game.moves.iter().map(Some).chain([None]);
            for (position, mv) in game.positions.iter().zip(moves) {
                epd(&mut text, position, mv.copied()).map_err(|error| error.to_string())?;
                text.push('\n');
            }
        }
        Format::Uci => {
            let moves = game.moves.iter().zip(&game.positions);
            join(&mut text, moves.map(|(&mv, position)| position.uci(mv).text()));
        }
        Format::San => {
            let moves = game.moves.iter().zip(&game.positions);
            join(&mut text, moves.map(|(&mv, position)| position.san(mv).text()));
        }
        Format::Json => {
            let object = json(game, number, bytes);
            let document = crate::output::json::text(&object).map_err(|error| error.to_string())?;
            line(&mut text, document);
        }
        Format::Pgn => {
            let mut writer = Writer::new(&mut *out);
            for token in Reader::from_bytes(bytes) {
                let token = token.map_err(|error| error.to_string())?;
                let written = match token {
                    // The standard forbids tabs and other control characters in tags.
                    Token::Tag(tag) if tag.value.0.iter().any(u8::is_ascii_control) => {
                        let space = |&byte: &u8| if byte.is_ascii_control() { b' ' } else { byte };
                        let value: Vec<u8> = tag.value.0.iter().map(space).collect();
                        writer.token(&Token::Tag(Tag { value: Text(&value), ..tag }))
                    }
                    token => writer.token(&token),
                };
                written.map_err(|error| error.to_string())?;
            }
        }
        Format::Tree => {
            // It ends early only if the rest is not wanted.
            let _ = outline::write(&tree(bytes)?, &mut |line| {
                pieces.output().extend_from_slice(line.as_bytes());
                if pieces.go_on() { Ok(()) } else { Err(()) }
            });
            return Ok(());
        }
        Format::Lines => {
            let tree = tree(bytes)?;
            let (mut written, mut result) = (0, Ok(()));
            for end in tree.ends() {
                // Other games are written whole, so that nothing that was read is lost.
                if written >= PIECE && pieces.cut_if_stopped() {
                    break;
                }
                let out = pieces.output();
                let before = out.len();
                // The first error is enough.
                result = result.and(write_line(&tree, end, out));
                written += out.len() - before;
                if !pieces.go_on() {
                    break;
                }
            }
            return result;
        }
    }
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// A game of a chunk, which has been read before.
pub(super) fn tree(bytes: &[u8]) -> Result<GameTree, String> {
    let read = GameTree::read(&mut Reader::from_bytes(bytes));
    match read.map_err(|error| error.to_string())? {
        Some(tree) => match tree.problems() {
            [] => Ok(tree),
            [problem, ..] => Err(problem.cause.to_string()),
        },
        None => Err("there is no game".to_owned()),
    }
}

/// Writes a tree as PGN, or nothing if there is an error.
pub(super) fn write_pgn(tree: &GameTree, out: &mut Vec<u8>) -> Result<(), String> {
    let before = out.len();
    let written = tree.write(&mut Writer::new(&mut *out), &WriteOptions::default());
    written.map_err(|error| {
        out.truncate(before);
        error.to_string()
    })
}

/// Writes the line that ends here as a game.
pub(super) fn write_line(tree: &GameTree, end: NodeId, out: &mut Vec<u8>) -> Result<(), String> {
    write_pgn(&tree.line(end), out)
}

fn line(text: &mut String, words: impl std::fmt::Display) {
    let _ = writeln!(text, "{words}");
}

fn join(text: &mut String, words: impl Iterator<Item = tabiya::MoveText>) {
    let begin = text.len();
    for word in words {
        if text.len() > begin {
            text.push(' ');
        }
        text.push_str(&word);
    }
    text.push('\n');
}

fn epd(text: &mut String, position: &Position, mv: Option<Move>) -> std::fmt::Result {
    let mut writer = EpdWriter::new(text, position)?;
    writer.operation(&Operation::HalfmoveClock(position.halfmove_clock()))?;
    writer.operation(&Operation::FullmoveNumber(position.fullmove_number()))?;
    match mv {
        Some(mv) => writer.moves("sm", &[mv]),
        None => Ok(()),
    }
}

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

fn json<'a>(game: &'a Played, number: u64, bytes: &[u8]) -> Game<'a> {
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
