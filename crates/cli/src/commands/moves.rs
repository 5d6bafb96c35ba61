//! `tabiya moves`: the moves of a position, all or some of them.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use tabiya::movegen::{
    Captures, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets, Restriction,
};
use tabiya::{Bitboard, Move, MoveList, Position, Role, Square};

use crate::Outcome;
use crate::failure::Failure;
use crate::output::json;
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Examples:
  tabiya moves
  tabiya moves --position kiwipete --kind captures
  tabiya moves --position kiwipete --from e5,e2 --json
  tabiya moves --fen '4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1' --role knight --pseudo-legal";

/// List the moves of a position, one per line
///
/// Moves are written in UCI. Castling counts as a move of the king to the square where it lands,
/// and in Chess960 notation also to the square of the rook. A promotion counts as a move of the
/// pawn.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only moves of this kind
    #[arg(long, value_enum, default_value_t = KindArg::Legal)]
    kind: KindArg,

    /// Also list moves that leave one's own king in check
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

    /// Print only the number of moves
    #[arg(long, conflicts_with = "json")]
    count: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
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
    /// Quiets that give check
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

    fn list(self, pseudo_legal: bool, position: &Position, within: &Restriction) -> MoveList {
        fn of<K: Kind>(pseudo_legal: bool, position: &Position, within: &Restriction) -> MoveList {
            if pseudo_legal {
                MoveList::within::<PseudoLegal<K>>(position, within)
            } else {
                MoveList::within::<K>(position, within)
            }
        }
        let list = match self {
            Self::Legal => of::<Legal>,
            Self::Captures => of::<Captures>,
            Self::Quiets => of::<Quiets>,
            Self::QuietChecks => of::<QuietChecks>,
            Self::Evasions => of::<Evasions>,
            Self::NonEvasions => of::<NonEvasions>,
        };
        list(pseudo_legal, position, within)
    }
}

/// Reads the name of a role.
fn role() -> impl TypedValueParser<Value = Role> {
    let named = |name: String| Role::ALL.into_iter().find(|role| role.name() == name);
    PossibleValuesParser::new(Role::ALL.map(Role::name)).try_map(move |name| {
        // The parser has found it among the names.
        named(name).ok_or("there is no such role")
    })
}

const SCHEMA: &str = "tabiya-moves/1";

/// The moves as JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    kind: String,
    pseudo_legal: bool,
    moves: Vec<String>,
}

impl Args {
    /// The moves that were asked for.
    fn list(&self, position: &Position) -> Vec<Move> {
        let mut within = Restriction::UNRESTRICTED;
        if !self.from.is_empty() {
            within = within.from(self.from.iter().copied().collect::<Bitboard>());
        }
        if !self.role.is_empty() {
            within = within.roles(&self.role);
        }
        let mut moves = self.kind.list(self.pseudo_legal, position, &within).to_vec();
        if !self.to.is_empty() {
            // Castling is found by the square where the king lands, and by the square that is
            // written.
            moves
                .retain(|&mv| [mv.to(), position.uci(mv).to].iter().any(|to| self.to.contains(to)));
        }
        moves
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let list = args.list(&position);
    if args.count {
        writeln!(out, "{}", list.len())?;
        return Ok(Outcome::Fine);
    }
    let moves = list.iter().map(|&mv| position.uci(mv).to_string());
    if args.json {
        let answer = Answer {
            fen: position.fen().to_string(),
            kind: args.kind.name(),
            pseudo_legal: args.pseudo_legal,
            moves: moves.collect(),
        };
        json::write(out, SCHEMA, &answer)?;
    } else {
        for text in moves {
            writeln!(out, "{text}")?;
        }
    }
    Ok(Outcome::Fine)
}
