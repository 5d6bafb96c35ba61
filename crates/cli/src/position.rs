//! The position that a command works on, given on the command line.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabiya::{Move, Position};
use tabiya_views::{InputError, PositionText, PositionTextError, Scene, Start};

pub(crate) use tabiya_views::StandardPosition;

use crate::failure::Diagnostic;

/// The position to work on, as written on the command line.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Position (the start of a game, unless given)")]
pub(crate) struct PositionArgs {
    /// A position in FEN, X-FEN or Shredder-FEN; the two counters may be missing; "-" reads it from
    /// standard input
    #[arg(long, value_name = "FEN", conflicts_with = "position", value_parser = crate::values::fen)]
    fen: Option<String>,

    /// One of the standard perft positions, or a start position of Chess960: chess960:518, or
    /// chess960:518,0 with numbers for White and Black
    #[arg(long, value_name = "NAME", value_parser = NamedPositions)]
    position: Option<Named>,

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
    /// The same arguments with a FEN and moves from elsewhere.
    pub(crate) fn overridden(self, fen: Option<String>, moves: Option<String>) -> Self {
        Self { fen: fen.or(self.fen), moves: moves.or(self.moves), ..self }
    }

    /// Does an argument name a position?
    pub(crate) const fn is_given(&self) -> bool {
        self.fen.is_some() || self.position.is_some() || self.moves.is_some()
    }

    /// Is Chess960 notation requested?
    pub(crate) const fn is_chess960(&self) -> bool {
        self.chess960
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
        PositionText {
            start: match (&self.fen, &self.position) {
                (Some(fen), _) => Start::Fen(fen),
                (None, Some(Named::Standard(standard))) => Start::Standard(*standard),
                (None, Some(Named::Chess960(text))) => Start::Chess960(text),
                (None, None) => Start::default(),
            },
            moves: self.moves.as_deref().unwrap_or_default(),
            chess960: self.chess960,
        }
    }
}

/// A named position.
#[derive(Clone, Debug)]
enum Named {
    Standard(StandardPosition),
    /// A start position of Chess960, in the user's text.
    Chess960(String),
}

/// Reads the name of a standard position, or takes the number of a start position of Chess960,
/// which is parsed later.
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
    type Value = Named;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Named, clap::Error> {
        if let Some(Start::Chess960(text)) = value.to_str().map(Start::read) {
            return Ok(Named::Chess960(text.to_owned()));
        }
        PossibleValuesParser::new(names())
            .try_map(|name| name.parse().map(Named::Standard))
            .parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// The error in a position, with hints for the command line.
fn diagnostic(error: &PositionTextError) -> Diagnostic {
    if let Ok(name) = error.input().parse::<StandardPosition>() {
        Diagnostic::from_input(error).hint(format_args!("that is a name: --position {name}"))
    } else if error.is_one_word() && error.hint().is_some() {
        Diagnostic::from_input(error).hint("a FEN has spaces: put it in quotes")
    } else {
        Diagnostic::from_input(error)
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
