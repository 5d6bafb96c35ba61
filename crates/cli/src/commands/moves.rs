//! `tabiya moves`: the moves of a position, all or some of them.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use tabiya::movegen::{Evasions, Legal, PseudoLegal, QuietChecks, Restriction};
use tabiya::{Bitboard, Move, Notation, Position, PositionError, Role, Setup, Square, UciMove};
use tabiya_views::Scene;

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::output::json;
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Examples:
  tabiya moves
  tabiya moves kiwipete --kind captures
  tabiya moves --moves '1. e4 e5 2. Nf3' --notation san
  tabiya moves chess960:0 --notation lan
  tabiya moves kiwipete --from e5,e2 --json
  tabiya moves 4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 --role knight --pseudo-legal";

/// List the moves of a position, for scripts and tests
///
/// Each has a line. Moves are written in UCI, unless --notation selects another notation. Castling
/// counts as a move of the king to the square where it lands, and in Chess960 notation also to the
/// square of the rook. A promotion counts as a move of the pawn.
///
/// A position that is not playable has moves as well, and standard error says why it is not. Without
/// a king all its moves are legal. With several, --pseudo-legal lists the moves. A pawn on its own
/// first rank may advance by one or two squares.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only moves of this kind
    #[arg(long, value_enum, default_value_t = KindArg::Legal)]
    kind: KindArg,

    /// Also list moves that leave the king of the side to move in check
    #[arg(long)]
    pseudo_legal: bool,

    /// Only moves from these squares, separated by commas; may be repeated
    #[arg(long, value_name = "SQUARE", value_delimiter = ',', value_parser = crate::values::square)]
    from: Vec<Square>,

    /// Only moves to these squares, separated by commas; may be repeated
    #[arg(long, value_name = "SQUARE", value_delimiter = ',', value_parser = crate::values::square)]
    to: Vec<Square>,

    /// Only moves of these pieces, separated by commas; may be repeated
    #[arg(long, value_name = "ROLE", value_delimiter = ',', value_parser = role())]
    role: Vec<Role>,

    /// How moves are written
    #[arg(long, value_enum, default_value_t = NotationArg::Uci)]
    notation: NotationArg,

    /// Print only the number of moves
    #[arg(long, conflicts_with_all = ["json", "notation"])]
    count: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
}

/// A notation of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NotationArg {
    /// Two squares, as engines write moves: g1f3
    Uci,
    /// Standard algebraic notation: Nf3
    San,
    /// Long algebraic notation: Ng1-f3
    Lan,
}

impl NotationArg {
    const fn notation(self) -> Notation {
        match self {
            Self::Uci => Notation::Uci,
            Self::San => Notation::San,
            Self::Lan => Notation::Lan,
        }
    }
}

/// A kind of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// Every legal move
    Legal,
    /// Captures, including en passant, and promotions to a queen
    Captures,
    /// All non-captures, including castling, and promotions to other pieces, capturing or not
    Quiets,
    /// Quiets that give check; of promotions, only those to a knight that gives check directly
    QuietChecks,
    /// Moves out of check; none if the king is not in check
    Evasions,
    /// Captures and quiets together
    NonEvasions,
}

impl KindArg {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The moves of this kind, in the order of the library's generator for it.
    ///
    /// Most kinds are some of the moves of a larger one, in the same order. A generator for each
    /// kind would be a tenth of the program.
    fn list(self, pseudo_legal: bool, position: &Position, within: &Restriction) -> Vec<Move> {
        let generator = position.generator().with_restriction(*within);
        let list = match (self, pseudo_legal) {
            (Self::QuietChecks, false) => generator.list::<QuietChecks>(),
            (Self::QuietChecks, true) => generator.list::<PseudoLegal<QuietChecks>>(),
            (Self::Evasions, true) => generator.list::<PseudoLegal<Evasions>>(),
            (_, false) => generator.list::<Legal>(),
            (_, true) => generator.list::<PseudoLegal<Legal>>(),
        };
        let mut moves = list.to_vec();
        // The kind of a promotion does not depend on whether it captures.
        let is_capture = |mv: &Move| match mv.promotion() {
            Some(role) => role == Role::Queen,
            None => mv.is_capture(),
        };
        match self {
            Self::Captures => moves.retain(is_capture),
            Self::Quiets => moves.retain(|mv| !is_capture(mv)),
            Self::Evasions if !position.is_check() => moves.clear(),
            Self::Evasions | Self::Legal | Self::NonEvasions | Self::QuietChecks => {}
        }
        moves
    }
}

/// Reads the name of a role.
fn role() -> impl TypedValueParser<Value = Role> {
    let named = |name: String| Role::ALL.into_iter().find(|role| role.name() == name);
    PossibleValuesParser::new(Role::ALL.map(Role::name)).try_map(move |name| {
        // The parser has already checked that the name exists.
        named(name).ok_or("there is no such role")
    })
}

/// The output of `tabiya moves --json`: the moves of a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The kind of moves, as given to `--kind`.
    kind: String,
    /// Are moves included that leave the king of the side to move in check?
    pseudo_legal: bool,
    /// The notation of the moves: `uci`, `san` or `lan`, as given to `--notation`.
    notation: &'static str,
    /// Why the position is not playable. Null if it is playable.
    unplayable: Option<String>,
    /// The moves.
    moves: Vec<String>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-moves/1";
}

impl Args {
    /// The requested moves of a position.
    fn list(&self, position: &Position) -> Vec<Move> {
        let mut within = Restriction::UNRESTRICTED;
        if !self.from.is_empty() {
            within = within.from(self.from.iter().copied().collect::<Bitboard>());
        }
        if !self.role.is_empty() {
            within = within.roles(&self.role);
        }
        let mut moves = self.kind.list(self.pseudo_legal, position, &within);
        moves.retain(|&mv| self.goes_there(mv, position.uci(mv)));
        moves
    }

    /// The requested moves of a setup that is not playable, because of `error`.
    fn list_of_setup(&self, setup: &Setup, error: &PositionError) -> Result<Vec<Move>, Diagnostic> {
        if self.kind != KindArg::Legal {
            let kind = self.kind.name();
            let text = format_args!("--kind {kind} needs a playable position, but {error}");
            return Err(Diagnostic::new(text).hint("without --kind, all its moves are listed"));
        }
        let mut moves = if self.pseudo_legal {
            setup.pseudo_legal_moves()
        } else {
            setup.legal_moves().map_err(|several| {
                let text = format_args!("no move is legal or illegal, since {several}");
                Diagnostic::new(text).hint("--pseudo-legal lists the moves")
            })?
        };
        moves.retain(|&mv| {
            let role = setup.board.role_on(mv.from());
            (self.from.is_empty() || self.from.contains(&mv.from()))
                && (self.role.is_empty() || role.is_some_and(|role| self.role.contains(&role)))
                && self.goes_there(mv, setup.uci(mv))
        });
        Ok(moves)
    }

    /// Does a move go to one of the requested squares? Castling matches both the king's target
    /// square and the target square that is written.
    fn goes_there(&self, mv: Move, written: UciMove) -> bool {
        self.to.is_empty() || [mv.to(), written.to].iter().any(|to| self.to.contains(to))
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let Scene { setup, position, .. } = args.position.read()?.scene()?;
    let list = match &position {
        Ok(position) => args.list(position),
        Err(error) => args.list_of_setup(&setup, error)?,
    };
    let unplayable = position.as_ref().err().map(ToString::to_string);
    if let Some(reason) = unplayable.as_ref().filter(|_| !args.json) {
        let _ = writeln!(anstream::stderr(), "not playable: {reason}");
    }
    if args.count {
        writeln!(out, "{}", list.len())?;
        return Ok(Outcome::Fine);
    }
    let notation = args.notation.notation();
    let moves = list.iter().map(|&mv| match &position {
        Ok(position) => position.move_text(mv, notation).to_string(),
        Err(_) => setup.move_text(mv, notation).to_string(),
    });
    if args.json {
        let answer = Answer {
            fen: position.as_ref().map_or(setup.fen(), Position::fen).to_string(),
            kind: args.kind.name(),
            pseudo_legal: args.pseudo_legal,
            notation: notation.name(),
            unplayable,
            moves: moves.collect(),
        };
        json::write(out, &answer)?;
    } else {
        for text in moves {
            writeln!(out, "{text}")?;
        }
    }
    Ok(Outcome::Fine)
}
