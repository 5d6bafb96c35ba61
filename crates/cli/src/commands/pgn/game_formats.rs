//! Games in other formats.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use clap::ValueEnum;
use tabiya::epd::{EpdWriter, Operation};
use tabiya::san::PieceLetters;
use tabiya::{Move, MoveText, Position};
use tabiya_pgn::{
    EditError, GameProblem, GameTree, NodeId, Placement, Reader, Tag, Text, Token, WriteError,
    WriteOptions, Writer,
};

use super::game::Played;
use super::{game_json, game_text};
use crate::output::json;

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

/// Parts of games that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Strip {
    /// Comments, with the clocks in them
    Comments,
    /// Variations
    Variations,
    /// Glyphs: !, ?, $10 and so on
    Glyphs,
}

/// How games are written.
#[derive(Debug)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) strip: Vec<Strip>,
    /// Do tags name the opening?
    pub(super) adds_opening: bool,
    /// Those of the games.
    pub(super) letters: Option<PieceLetters>,
}

/// Why a game was not written, or not all of it.
#[derive(Debug)]
pub(super) enum Unwritten {
    /// The format cannot represent it.
    Game(String),
    /// The output does not take it.
    Output(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<WriteError> for Unwritten {
    fn from(error: WriteError) -> Self {
        Self::Game(error.to_string())
    }
}

impl From<EditError> for Unwritten {
    fn from(error: EditError) -> Self {
        Self::Game(error.to_string())
    }
}

impl Style {
    /// Writes a game, which has these bytes. Each write to `out` is a whole game, line of a game or
    /// line of text.
    pub(super) fn write(
        &self,
        game: &Played,
        number: u64,
        bytes: &[u8],
        out: &mut dyn Write,
    ) -> Result<(), Unwritten> {
        let text = match self.format {
            Format::Fen => fen(game).expect("a string takes any text"),
            Format::Epd => epd(game).expect("a string takes any text"),
            Format::Uci => line(game, "0000", |position, mv| position.uci(mv).text()),
            Format::San => line(game, "--", |position, mv| position.san(mv).text()),
            Format::Json => {
                let tree = self.tree(game, bytes)?;
                let object = game_json::of(game, number, &tree);
                json::text(&object).map_err(io::Error::from)? + "\n"
            }
            Format::Pgn if self.copies() && !game.is_broken() => {
                return Ok(out.write_all(&copied(bytes)?)?);
            }
            format => return write_tree(format, &self.tree(game, bytes)?, out),
        };
        Ok(out.write_all(text.as_bytes())?)
    }

    /// Are moves and notes written as in the file?
    const fn copies(&self) -> bool {
        self.strip.is_empty() && !self.adds_opening && self.letters.is_none()
    }

    /// A game, which has these bytes, as it is written or merged.
    pub(super) fn tree(&self, game: &Played, bytes: &[u8]) -> Result<GameTree, Unwritten> {
        let read = GameTree::read(&mut Reader::from_bytes(bytes).with_letters(self.letters));
        let mut tree =
            read.map_err(|error| Unwritten::Game(error.to_string()))?.unwrap_or_default();
        let problems = tree.problems().to_vec();
        if self.strip.contains(&Strip::Variations) {
            let line = std::iter::once(NodeId::ROOT).chain(tree.main_line(NodeId::ROOT));
            let others: Vec<_> = line.flat_map(|id| tree.children(id).skip(1)).collect();
            others.into_iter().for_each(|id| tree.delete(id));
        }
        let ids: Vec<_> = if self.strip.is_empty() { Vec::new() } else { tree.all().collect() };
        for id in ids {
            if self.strip.contains(&Strip::Comments) {
                tree.remove_comments(id, Placement::Before);
                tree.remove_comments(id, Placement::After);
            }
            if self.strip.contains(&Strip::Glyphs) {
                let nags: Vec<_> = tree.nags(id).collect();
                nags.into_iter().for_each(|nag| tree.remove_nag(id, nag));
            }
        }
        if self.strip.contains(&Strip::Comments) {
            // Where a line isn't whole, this is said all the same.
            for GameProblem { node, cause, .. } in problems {
                if tree.contains(node) {
                    tree.add_comment(node, Placement::After, &cause.to_string())?;
                }
            }
        }
        if let Some(opening) = game.opening().filter(|_| self.adds_opening) {
            tree.set_tag("ECO", opening.eco())?;
            tree.set_tag("Opening", opening.name())?;
        }
        Ok(tree)
    }
}

/// Writes a tree, from a file or merged. Of [`Format::Lines`], only lines that can be written come out.
pub(super) fn write_tree(
    format: Format,
    tree: &GameTree,
    out: &mut dyn Write,
) -> Result<(), Unwritten> {
    match format {
        Format::Tree => Ok(game_text::write(tree, out)?),
        Format::Lines => {
            let mut first_error = Ok(());
            for (number, end) in (1..).zip(tree.ends()) {
                match write_pgn(&tree.line(end), out) {
                    Err(Unwritten::Game(why)) if first_error.is_ok() => {
                        first_error = Err(Unwritten::Game(format!("line {number}: {why}")));
                    }
                    Err(Unwritten::Game(_)) => {}
                    written => written?,
                }
            }
            first_error
        }
        _ => write_pgn(tree, out),
    }
}

fn write_pgn(tree: &GameTree, out: &mut dyn Write) -> Result<(), Unwritten> {
    let mut text = Vec::new();
    tree.write(&mut Writer::new(&mut text), &WriteOptions::default())?;
    Ok(out.write_all(&text)?)
}

/// A game in the export format, with the moves as they are.
fn copied(bytes: &[u8]) -> Result<Vec<u8>, Unwritten> {
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text);
    for token in Reader::from_bytes(bytes) {
        match token.map_err(|error| Unwritten::Game(error.to_string()))? {
            // The standard forbids tabs and other control characters in tags.
            Token::Tag(tag) if tag.raw_value.0.iter().any(u8::is_ascii_control) => {
                let space = |&byte: &u8| if byte.is_ascii_control() { b' ' } else { byte };
                let value: Vec<u8> = tag.raw_value.0.iter().map(space).collect();
                writer.token(&Token::Tag(Tag { raw_value: Text(&value), ..tag }))?;
            }
            token => writer.token(&token)?,
        }
    }
    Ok(text)
}

/// The moves in one line.
fn line(game: &Played, null: &str, name: impl Fn(&Position, Move) -> MoveText) -> String {
    let mut text = String::new();
    for (&mv, position) in game.moves.iter().zip(&game.positions) {
        if !text.is_empty() {
            text.push(' ');
        }
        match mv {
            Some(mv) => text.push_str(&name(position, mv)),
            None => text.push_str(null),
        }
    }
    text + "\n"
}

fn fen(game: &Played) -> Result<String, fmt::Error> {
    let mut text = String::new();
    for position in &game.positions {
        writeln!(text, "{}", position.fen())?;
    }
    Ok(text)
}

/// The positions, each with its counters and the move that was played.
fn epd(game: &Played) -> Result<String, fmt::Error> {
    let mut text = String::new();
    let moves = game.moves.iter().copied().chain([None]);
    for (position, mv) in game.positions.iter().zip(moves) {
        let mut writer = EpdWriter::new(&mut text, position)?;
        writer.operation(&Operation::HalfmoveClock(position.halfmove_clock()))?;
        writer.operation(&Operation::FullmoveNumber(position.fullmove_number()))?;
        if let Some(mv) = mv {
            writer.moves("sm", &[mv])?;
        }
        text.push('\n');
    }
    Ok(text)
}
