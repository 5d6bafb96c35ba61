//! `tabiya show`: the board, what belongs to it, and bitboards drawn upon it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tabiya::{Bitboard, Color, Square};

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::layers::{self, Layer};
use crate::output::board::{self, Diagram, Glyphs};
use crate::output::svg::Picture;
use crate::output::{self, json, style};
use crate::position::{PositionArgs, Scene};
use crate::values::Suggested;

/// Show a position: the board, what belongs to it, and bitboards of the generator
///
/// Positions that cannot be played on are shown, too, with the reason why; so is what no game can
/// bring about.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help())]
pub(crate) struct Args {
    /// Draw these bitboards, each on a board of its own; the list is below
    #[arg(long, value_name = "LAYER", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = Suggested(layers::names()), hide_possible_values = true)]
    layer: Vec<String>,

    /// Write a picture to this file instead, or to standard output for "-"
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw men with letters instead of chess symbols
    #[arg(long)]
    ascii: bool,

    /// Print a JSON object
    #[arg(long, conflicts_with_all = ["svg", "ascii"])]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
}

fn help() -> String {
    format!(
        "{}\n\
         Examples:
  tabiya show --position kiwipete
  tabiya show --moves e2e4,e7e5 --layer attacks:white attacks:black
  tabiya show --fen '4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1' --layer checkers pinned pin-lines
  tabiya show --position cpw4 --layer king-danger --svg king-danger.svg",
        layers::help()
    )
}

const SCHEMA: &str = "tabiya-show/1";

/// The position as JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    turn: &'static str,
    /// The rooks with which castling is still allowed.
    castling: Vec<String>,
    en_passant: Option<String>,
    /// Why it cannot be played on; the fields after this one are then null.
    unplayable: Option<String>,
    checkers: Option<Vec<String>>,
    key: Option<String>,
    legal_moves: Option<usize>,
    /// What no game can bring about.
    impossible: Vec<String>,
    layers: Vec<LayerAnswer>,
}

#[derive(Serialize)]
struct LayerAnswer {
    name: String,
    /// The set in hexadecimal, a1 in the lowest bit.
    bits: String,
    squares: Vec<String>,
    /// Why the set is empty, if that needs saying.
    note: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let scene = args.position.scene()?;
    let layers = args.layers(&scene)?;
    if args.json {
        json::write(out, SCHEMA, &answer(&scene, &layers))?;
        return Ok(Outcome::Fine);
    }
    let diagrams = diagrams(&scene, &layers);
    if let Some(path) = &args.svg {
        let description = describe(&scene, &layers);
        let picture = Picture { diagrams: &diagrams, description }.to_string();
        write_file(path, &picture, out)?;
        return Ok(Outcome::Fine);
    }
    let glyphs = if args.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
    board::write(out, &diagrams, glyphs, output::width())?;
    for (layer, _) in &layers {
        if let Some(note) = layer.note() {
            writeln!(out, "{}: {note}", layer.text())?;
        }
    }
    if layers.is_empty() {
        writeln!(out)?;
        write_facts(&scene, out)?;
    }
    Ok(Outcome::Fine)
}

impl Args {
    /// The layers with their sets.
    fn layers(&self, scene: &Scene) -> Result<Vec<(Layer, Bitboard)>, Diagnostic> {
        let read = |text: &String| {
            let layer = Layer::parse(text)?;
            let squares = layer.squares(scene)?;
            Ok((layer, squares))
        };
        self.layer
            .iter()
            .map(|text| {
                read(text).map_err(|error: layers::LayerError| {
                    let span = error.span();
                    let is_name = span.start == 0 && !text.is_empty();
                    let diagnostic = Diagnostic::new(error).at(text, span);
                    if is_name {
                        diagnostic.hint("`tabiya show --help` lists the layers")
                    } else {
                        diagnostic
                    }
                })
            })
            .collect()
    }
}

/// A board for each layer, or one alone.
fn diagrams(scene: &Scene, layers: &[(Layer, Bitboard)]) -> Vec<Diagram> {
    let board = scene.setup.board;
    if layers.is_empty() {
        return vec![Diagram { title: None, board, marked: Bitboard::EMPTY }];
    }
    let drawn = |(layer, marked): &(Layer, Bitboard)| {
        let title = Some(layer.text().to_owned());
        Diagram { title, board, marked: *marked }
    };
    layers.iter().map(drawn).collect()
}

/// The picture in words.
fn describe(scene: &Scene, layers: &[(Layer, Bitboard)]) -> String {
    let mut text = format!("Chess board: {}", scene.setup.fen());
    for (layer, squares) in layers {
        text += &format!("; {}: {}", layer.text(), names(*squares).join(" "));
        if let Some(note) = layer.note() {
            text += &note;
        }
    }
    text
}

fn write_file(path: &Path, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(out.write_all(text.as_bytes())?);
    }
    fs::write(path, text).map_err(|error| Failure::File { path: path.to_owned(), error })
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

fn list(squares: Bitboard) -> String {
    if squares.is_empty() { "none".to_owned() } else { names(squares).join(" ") }
}

/// Who may castle with which rooks.
fn castling(scene: &Scene) -> String {
    let side = |color: Color| {
        // The king's side first.
        let rooks = scene.setup.castling.of(color).iter().rev();
        let rooks: Vec<String> = rooks.map(|rook| rook.to_string()).collect();
        (!rooks.is_empty()).then(|| format!("{color} with {}", rooks.join(" and ")))
    };
    let sides: Vec<String> = Color::ALL.into_iter().filter_map(side).collect();
    if sides.is_empty() { "none".to_owned() } else { sides.join(", ") }
}

fn write_facts(scene: &Scene, out: &mut dyn Write) -> Result<(), Failure> {
    let setup = &scene.setup;
    let (aside, aside_end) = style::ends(style::ASIDE);
    let mut fact = |name: &str, text: String| {
        writeln!(out, "{aside}{name:<13}{aside_end} {text}").map_err(Failure::from)
    };
    fact("FEN", setup.fen().to_string())?;
    fact("side to move", setup.turn.to_string())?;
    fact("castling", castling(scene))?;
    let en_passant = |square: Option<Square>| square.map_or("none".to_owned(), |it| it.to_string());
    match &scene.position {
        Ok(position) => {
            let legal = position.en_passant();
            let passed = match setup.en_passant {
                Some(passed) if legal.is_none() => format!(" (no capture on {passed} is legal)"),
                _ => String::new(),
            };
            fact("en passant", en_passant(legal) + &passed)?;
            fact("checkers", list(position.checkers()))?;
            fact("key", format!("{:#018x}", position.key()))?;
            let moves = match position.count_legal() {
                0 if position.is_check() => "none: checkmate".to_owned(),
                0 => "none: stalemate".to_owned(),
                count => count.to_string(),
            };
            fact("legal moves", moves)?;
        }
        Err(error) => {
            fact("en passant", en_passant(setup.en_passant))?;
            fact("not playable", error.to_string())?;
        }
    }
    for impossible in setup.impossibilities() {
        fact("impossible", impossible.to_string())?;
    }
    Ok(())
}

fn answer(scene: &Scene, layers: &[(Layer, Bitboard)]) -> Answer {
    let setup = &scene.setup;
    let position = scene.position.as_ref().ok();
    Answer {
        fen: setup.fen().to_string(),
        turn: setup.turn.name(),
        castling: names(setup.castling.rooks()),
        en_passant: position
            .map_or(setup.en_passant, |position| position.en_passant())
            .map(|square| square.to_string()),
        unplayable: scene.position.as_ref().err().map(ToString::to_string),
        checkers: position.map(|position| names(position.checkers())),
        key: position.map(|position| format!("{:#018x}", position.key())),
        legal_moves: position.map(|position| position.count_legal()),
        impossible: setup.impossibilities().map(|it| it.to_string()).collect(),
        layers: layers
            .iter()
            .map(|(layer, squares)| LayerAnswer {
                name: layer.text().to_owned(),
                bits: format!("{:#018x}", squares.0),
                squares: names(*squares),
                note: layer.note(),
            })
            .collect(),
    }
}
