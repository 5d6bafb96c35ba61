//! The position that a command works on, given on the command line.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabiya::{Move, Position};
use tabiya_views::{InputError, PositionText, PositionTextError, Scene, Start};

pub(crate) use tabiya_views::StandardPosition;

use crate::failure::Diagnostic;
use crate::values;

/// The position as an argument, or with options.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PositionArgs {
    /// The position: a FEN with or without quotes, a name such as kiwipete, or "-" for a FEN on
    /// standard input; moves to play may follow, unless it is a FEN without quotes
    #[arg(value_name = "POSITION")]
    words: Vec<String>,

    #[command(flatten)]
    options: PositionOptions,
}

/// The position with options only, for commands whose arguments are something else.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Position (the start of a game, unless given)")]
pub(crate) struct PositionOptions {
    /// A position in FEN, X-FEN or Shredder-FEN, whose two counters may be missing, also as it is
    /// pasted: as the tag [FEN "..."], or with underscores for spaces; a name; or "-" to read it
    /// from standard input
    #[arg(long, value_name = "FEN", conflicts_with = "position")]
    fen: Option<String>,

    /// One of the standard perft positions, or a start position of Chess960: chess960:518, or
    /// chess960:518,0 with numbers for White and Black
    #[arg(long, value_name = "NAME", value_parser = NamedPositions)]
    position: Option<String>,

    /// Moves to play first, in any notation, separated by commas or spaces: e2e4,e7e5 or
    /// "1. e4 e5 2. Nf3"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// Use Chess960 notation for castling: the king takes its own rook
    ///
    /// Positions with castling rights that only Chess960 has use it anyway.
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    /// What the arguments say. This may read standard input.
    pub(crate) fn read(&self) -> Result<Given, Diagnostic> {
        let Self { words, options } = self;
        let Some(first) = words.first() else { return options.read() };
        if options.fen.is_some() || options.position.is_some() {
            let option = if options.fen.is_some() { "--fen" } else { "--position" };
            let text = format_args!("the position is given twice: by {option}, and as {first:?}");
            return Err(Diagnostic::new(text).hint("a FEN after --fen has to be in quotes"));
        }
        // Without quotes, all words are one FEN.
        let is_whole = first == "-" || first.contains([' ', '_']) || is_name(first);
        let (start, moves) = words.split_at(if is_whole { 1 } else { words.len() });
        match &options.moves {
            Some(_) if !moves.is_empty() => {
                let text = format_args!("moves are given twice: by --moves, and as {:?}", moves[0]);
                Err(Diagnostic::new(text))
            }
            given => {
                let moves = given.clone().unwrap_or_else(|| moves.join(" "));
                Given::new(&start.join(" "), moves, options.chess960)
            }
        }
    }
}

impl PositionOptions {
    /// What the options say. This may read standard input.
    pub(crate) fn read(&self) -> Result<Given, Diagnostic> {
        let start = self.fen.as_deref().or(self.position.as_deref());
        let start = start.unwrap_or(StandardPosition::default().name());
        Given::new(start, self.moves.clone().unwrap_or_default(), self.chess960)
    }

    /// Does an option name a position?
    pub(crate) const fn is_given(&self) -> bool {
        self.fen.is_some() || self.position.is_some() || self.moves.is_some()
    }

    /// Is Chess960 notation requested?
    pub(crate) const fn is_chess960(&self) -> bool {
        self.chess960
    }
}

/// Is this the name of a position, and not a FEN?
pub(crate) fn is_name(text: &str) -> bool {
    !matches!(Start::read(text), Start::Fen(_))
}

/// The position that the command line gives.
pub(crate) struct Given {
    /// A name or a FEN.
    start: String,
    moves: String,
    chess960: bool,
}

impl Given {
    fn new(start: &str, moves: String, chess960: bool) -> Result<Self, Diagnostic> {
        let start = match start {
            "-" => values::first_line(std::io::stdin().lock()).map_err(Diagnostic::new)?,
            start => start.to_owned(),
        };
        Ok(Self { start, moves, chess960 })
    }

    /// The start position as it was given, or read from standard input.
    pub(crate) fn start(&self) -> &str {
        &self.start
    }

    /// The position, which must be playable.
    pub(crate) fn position(&self) -> Result<Position, Diagnostic> {
        self.text().position().map_err(|error| diagnostic(&error))
    }

    /// The position, or only the setup if it is not playable.
    pub(crate) fn scene(&self) -> Result<Scene, Diagnostic> {
        self.text().scene().map_err(|error| diagnostic(&error))
    }

    /// The last of the moves, and the position before it.
    pub(crate) fn last_move(&self) -> Result<Option<(Position, Move)>, Diagnostic> {
        self.text().last_move().map_err(|error| diagnostic(&error))
    }

    fn text(&self) -> PositionText<'_> {
        let Self { start, moves, chess960 } = self;
        PositionText { start: Start::read(start), moves, chess960: *chess960 }
    }
}

/// Accepts the name of a standard position, or the number of a start position of Chess960, which is
/// parsed later.
#[derive(Clone, Debug)]
struct NamedPositions;

/// The names that are listed and completed.
fn names() -> impl Iterator<Item = PossibleValue> {
    let standard = StandardPosition::ALL
        .into_iter()
        .map(|standard| PossibleValue::new(standard.name()).help(standard.description()));
    let chess960 = "chess960:518";
    let help = "the start position of Chess960 with this number, from 0 to 959";
    standard.chain([PossibleValue::new(chess960).help(help)])
}

impl TypedValueParser for NamedPositions {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        match value.to_str().map(Start::read) {
            Some(Start::Chess960(text)) => Ok(text.to_owned()),
            _ => PossibleValuesParser::new(names()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// The error in a position, with hints for the command line.
pub(crate) fn diagnostic(error: &PositionTextError) -> Diagnostic {
    let input = error.input();
    if !error.is_one_word() {
        Diagnostic::from_input(error)
    } else if input.contains('/') {
        Diagnostic::from_input(error)
            .hint("a FEN has several fields; after --fen, put it in quotes")
    } else {
        let names = StandardPosition::ALL.map(StandardPosition::name).join(", ");
        Diagnostic::new(format_args!("there is no position {input:?}"))
            .at(input, 0..input.len())
            .hint(format_args!("the names are {names}; a FEN has slashes between its ranks"))
    }
}

impl Diagnostic {
    /// Converts the error in an input, with its place and a hint.
    pub(crate) fn from_input(error: &impl InputError) -> Self {
        let diagnostic = Self::new(error).at(error.input(), error.span());
        match error.hint() {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}
