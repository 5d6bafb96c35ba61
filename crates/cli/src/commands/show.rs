//! `tabiya show`: shows the board, its state, and bitboards drawn on it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use tabiya::{Bitboard, Color, Square};
use tabiya_runs::OutputFile;
use tabiya_views::layer::{LayerError, LayerErrorKind, LayerSquares};
use tabiya_views::svg::{Coordinates, Picture};
use tabiya_views::text::{self, Glyphs};
use tabiya_views::{Arrow, Diagram, InputError, Layer, Scene, squares_of_move};

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::layers::{self, LayerValues};
use crate::output::{self, board, json, style};
use crate::position::{Given, PositionArgs};

/// Show a position, for players, or the generator's bitboards, for engine authors
///
/// A position that is not playable is also shown, with the reason. Some of what cannot arise in a
/// game is reported: too many promoted pieces, and checks that no last move can have given. Other
/// impossible positions are shown without a remark.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help())]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Draw these bitboards, each on its own board; the list is below
    #[arg(long, value_name = "LAYER", num_args = 1.., value_parser = LayerValues)]
    #[arg(hide_possible_values = true)]
    layer: Vec<String>,

    /// Draw all bitboards on one board, each with a number and a colour
    #[arg(long, requires = "layer")]
    together: bool,

    /// Draw the board with Black at the bottom
    #[arg(long)]
    flip: bool,

    /// Draw pieces with letters instead of chess symbols
    #[arg(long, conflicts_with = "svg")]
    ascii: bool,

    /// Print a JSON object
    // The others require `svg`, but clap ignores that here, because `json` conflicts with it.
    #[arg(long, conflicts_with_all = ["svg", "ascii", "together", "flip"])]
    #[arg(conflicts_with_all = ["arrow", "last_move", "transparent", "coordinates", "size"])]
    json: bool,

    /// Write an SVG picture to this file, or to standard output for "-"
    #[arg(long, value_name = "FILE", help_heading = "Picture")]
    svg: Option<PathBuf>,

    /// Draw an arrow between two squares, such as e2e4 or e2e4:red; may be repeated
    ///
    /// Commas may separate several arrows. The colours are green (the default), red, blue, orange,
    /// purple and grey. An arrow from a square to itself is a ring.
    #[arg(long, value_name = "SQUARES", requires = "svg", help_heading = "Picture")]
    #[arg(value_delimiter = ',')]
    arrow: Vec<String>,

    /// Highlight the two squares of a move, such as e2e4, or the last one of --moves in any
    /// notation
    #[arg(long, value_name = "MOVE", requires = "svg", help_heading = "Picture")]
    last_move: Option<String>,

    /// Leave out the background, so that the page shows through
    #[arg(long, requires = "svg", help_heading = "Picture")]
    transparent: bool,

    /// Write the names of the ranks and the files beside the board, inside it, or not at all
    #[arg(long, value_name = "PLACE", requires = "svg", help_heading = "Picture")]
    #[arg(value_parser = coordinates())]
    coordinates: Option<Coordinates>,

    /// Make the picture this wide; the height follows from it
    #[arg(long, value_name = "PIXELS", requires = "svg", help_heading = "Picture")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,

    #[command(flatten)]
    position: PositionArgs,
}

/// Reads the place of the coordinates.
fn coordinates() -> impl TypedValueParser<Value = Coordinates> {
    let named = |name: String| Coordinates::ALL.into_iter().find(|place| place.name() == name);
    PossibleValuesParser::new(Coordinates::ALL.map(Coordinates::name)).try_map(move |name| {
        // The parser has already checked that the name exists.
        named(name).ok_or("there is no such place")
    })
}

fn help() -> String {
    format!(
        "{}\n\
         Examples:
  tabiya show kiwipete
  tabiya show --moves e2e4,e7e5 --layer attacks:white attacks:black
  tabiya show 4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1 --layer checkers pinned pin-lines
  tabiya show cpw4 --layer king-danger checkers --together --svg danger.svg
  tabiya show --moves '1. e4 e5' --last-move e5 --arrow g1f3,d2d4:blue --svg plan.svg",
        layers::help()
    )
}

/// The output of `tabiya show --json`: a position, and bitboards of the generator.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The side to move: `white` or `black`.
    turn: &'static str,
    /// The squares of the rooks that still have the right to castle.
    castling: Vec<String>,
    /// The target square of a legal en-passant capture. If the position is not playable, the square
    /// that was given. Null if there is none.
    en_passant: Option<String>,
    /// Why the position is not playable. Null if it is playable.
    unplayable: Option<String>,
    /// The squares of the pieces that give check. Null if the position is not playable.
    checkers: Option<Vec<String>>,
    /// The Zobrist key, in hexadecimal. Null if the position is not playable.
    key: Option<String>,
    /// The number of legal moves. Null if the side to move has several kings.
    legal_moves: Option<usize>,
    /// How the game has ended; only `--moves` tell of repetitions. Null if it goes on, or if the
    /// position is not playable.
    outcome: Option<OutcomeAnswer>,
    /// What cannot arise in a game, as sentences: too many promoted pieces, and checks that no last
    /// move can have given. An empty list does not prove that the position can arise.
    impossible: Vec<String>,
    /// The bitboards of `--layer`.
    layers: Vec<LayerAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-show/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OutcomeAnswer {
    /// The score: `1-0`, `0-1` or `1/2-1/2`.
    result: &'static str,
    /// The reason: `checkmate`, `stalemate`, `insufficient-material`, `seventy-five-moves` or
    /// `fivefold-repetition`.
    reason: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LayerAnswer {
    /// The layer, as given.
    name: String,
    /// The set of squares in hexadecimal, with a1 in the lowest bit.
    bits: String,
    /// The squares of the set.
    squares: Vec<String>,
    /// Why the set is empty, if that needs an explanation. Null otherwise.
    note: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    args.check_picture()?;
    let given = args.position.read()?;
    let scene = given.scene()?;
    let layers = args.layers(&scene)?;
    if args.json {
        json::write(out, &answer(&scene, layers))?;
        return Ok(Outcome::Fine);
    }
    let diagrams = args.diagrams(&given, &scene, &layers)?;
    if let Some(path) = &args.svg {
        let mut picture = Picture::new(diagrams, scene.setup.fen().to_string());
        picture.is_transparent = args.transparent;
        picture.coordinates = args.coordinates.unwrap_or_default();
        picture.width = args.size;
        write_file(path, &picture.to_string(), out)?;
        return Ok(Outcome::Fine);
    }
    let glyphs = if args.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
    board::write(out, &text::lines(&diagrams, glyphs, output::width()))?;
    for layer in &layers {
        if let Some(note) = &layer.note {
            writeln!(out, "{}: {note}", layer.name)?;
        }
    }
    if layers.is_empty() {
        writeln!(out)?;
        write_facts(&scene, out)?;
    }
    Ok(Outcome::Fine)
}

impl Args {
    /// Only SVG is written, so another extension is an error.
    fn check_picture(&self) -> Result<(), Diagnostic> {
        let Some(path) = self.svg.as_deref().filter(|path| *path != Path::new("-")) else {
            return Ok(());
        };
        let is_svg =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        if is_svg {
            return Ok(());
        }
        let text = format!("--svg {}", path.display());
        let end = text.len();
        let error =
            Diagnostic::new("the name of an SVG file ends in .svg; no other format is written");
        let hint = path.with_extension("svg");
        Err(error.at(&text, "--svg ".len()..end).hint(format_args!(
            "write {} and convert it, for example with rsvg-convert or inkscape",
            hint.display()
        )))
    }

    /// The layers with their squares.
    fn layers(&self, scene: &Scene) -> Result<Vec<LayerSquares>, Diagnostic> {
        let texts = self.layer.iter().flat_map(|list| Layer::split(list));
        let read = |text| Layer::parse(text)?.evaluate(scene);
        let layers: Result<Vec<_>, _> = texts.map(read).collect();
        let layers = layers.map_err(|error: LayerError| {
            let diagnostic = Diagnostic::from_input(&error);
            if *error.kind() != LayerErrorKind::Name {
                return diagnostic;
            }
            let near = error.hint().map_or(String::new(), |near| near + " ");
            diagnostic.hint(format_args!("{near}`tabiya show --help` lists the layers"))
        })?;
        if self.together && layers.len() > Diagram::MAX_LAYERS {
            let most = Diagram::MAX_LAYERS;
            return Err(Diagnostic::new(format_args!(
                "{} layers do not fit on one board: at most {most} can be told apart",
                layers.len()
            )));
        }
        Ok(layers)
    }

    /// A board for each layer, or one board for all layers.
    fn diagrams(
        &self,
        given: &Given,
        scene: &Scene,
        layers: &[LayerSquares],
    ) -> Result<Vec<Diagram>, Diagnostic> {
        let arrows = self.arrow.iter().map(|text| Arrow::parse(text)).collect::<Result<_, _>>();
        let last_move = self.last_move.as_deref().map(|text| highlight(given, text)).transpose();
        let base = Diagram {
            arrows: arrows.map_err(|error| Diagnostic::from_input(&error))?,
            last_move: last_move?,
            is_flipped: self.flip,
            ..Diagram::new(scene.setup.board)
        };
        let with = |layers: &[LayerSquares]| Diagram { layers: layers.to_vec(), ..base.clone() };
        Ok(if self.together || layers.is_empty() {
            vec![with(layers)]
        } else {
            layers.chunks(1).map(with).collect()
        })
    }
}

/// The two squares of a move. A move in algebraic notation must be the last one that was played.
fn highlight(given: &Given, text: &str) -> Result<(Square, Square), Diagnostic> {
    let error = match squares_of_move(text) {
        Ok(squares) => return Ok(squares),
        Err(error) => Diagnostic::from_input(&error),
    };
    let Some((before, last)) = given.last_move()? else { return Err(error) };
    if before.parse_move(text) == Ok(last) {
        return Ok((last.from(), last.to()));
    }
    let played = format_args!("the last of the moves is {}, not {text}", before.san(last));
    Err(Diagnostic::new(played).at(text, 0..text.len()))
}

fn write_file(path: &Path, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(out.write_all(text.as_bytes())?);
    }
    let written = OutputFile::at(path).and_then(|file| file.write(&mut text.as_bytes()));
    written.map_err(|error| Failure::File { path: path.to_owned(), error })?;
    Ok(())
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

fn list(squares: Bitboard) -> String {
    if squares.is_empty() { "none".to_owned() } else { names(squares).join(" ") }
}

/// The castling rights of each side, with the rooks.
fn castling(scene: &Scene) -> String {
    let side = |color: Color| {
        // The king side comes first.
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
            let without_capture = match setup.en_passant {
                Some(square) if legal.is_none() => format!(" (no capture on {square} is legal)"),
                _ => String::new(),
            };
            fact("en passant", en_passant(legal) + &without_capture)?;
            fact("checkers", list(position.checkers()))?;
            fact("key", format!("{:#018x}", position.key()))?;
            let moves = match position.count_legal() {
                0 if position.is_check() => "none: checkmate".to_owned(),
                0 => "none: stalemate".to_owned(),
                count => count.to_string(),
            };
            fact("legal moves", moves)?;
            if let Some(outcome) = scene.outcome {
                fact("game over", outcome.to_string())?;
            }
        }
        Err(error) => {
            fact("en passant", en_passant(setup.en_passant))?;
            fact("not playable", error.to_string())?;
            match setup.legal_moves() {
                Ok(moves) => fact("legal moves", moves.len().to_string())?,
                Err(_) => fact("pseudo-legal", setup.pseudo_legal_moves().len().to_string())?,
            }
        }
    }
    for impossible in setup.impossibilities() {
        fact("impossible", impossible.to_string())?;
    }
    Ok(())
}

fn answer(scene: &Scene, layers: Vec<LayerSquares>) -> Answer {
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
        legal_moves: position.map_or_else(
            || setup.legal_moves().ok().map(|moves| moves.len()),
            |position| Some(position.count_legal()),
        ),
        outcome: scene.outcome.map(|outcome| OutcomeAnswer {
            result: outcome.result().name(),
            reason: outcome.name(),
        }),
        impossible: setup.impossibilities().map(|it| it.to_string()).collect(),
        layers: layers
            .into_iter()
            .map(|layer| LayerAnswer {
                bits: format!("{:#018x}", layer.squares.0),
                squares: names(layer.squares),
                name: layer.name,
                note: layer.note,
            })
            .collect(),
    }
}
