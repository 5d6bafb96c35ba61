//! `tabiya tables`: what Syzygy tables say about a position and its moves.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use tabiya::Position;
use tabiya_syzygy::{Dtz, FiftyMoves, Folder, Material, RootMove, TableError, Tables, Wdl};

use crate::failure::{Diagnostic, Failure};
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::table::{Column, Table};
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Exit codes:
  0    the tables have the position
  2    they don't, or a file is missing or damaged

Examples:
  tabiya tables --folder 3-4-5 '8/8/8/3k4/8/8/8/N3K3 w - - 0 1'
  tabiya tables --folder 3-4-5 --folder 6-wdl --fifty-moves ignore 8/8/8/3k4/8/8/8/N3K3 w - - 0 1
  tabiya tables --folder 3-4-5 '8/8/8/3k4/8/8/8/N3K3 w - - 0 1' --json";

/// Look a position up in Syzygy tables: result, distance, moves, and the best line
///
/// The best moves come first. A distance is the number of plies to the next capture, pawn move or
/// mate with best play, positive for the side that wins; beyond 100 it's the fifty-move rule that
/// counts. Many tables count moves and not plies: then the real distance may be a ply more, and a +
/// says so.
///
/// The line ends with the first capture, pawn move or mate. A drawn position has none.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A folder with tables, files named like KRPvKR.rtbw and KRPvKR.rtbz; may be repeated
    #[arg(long, value_name = "DIR", required = true)]
    folder: Vec<PathBuf>,

    /// What the fifty-move rule means for the ranks
    #[arg(long, value_enum, default_value_t = RuleArg::Apply)]
    fifty_moves: RuleArg,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
}

/// The fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleArg {
    /// It applies; the clock is that of the FEN
    Apply,
    /// It applies, and a position has been repeated since the last capture or pawn move
    ApplyAfterRepetition,
    /// It doesn't apply, as in correspondence chess
    Ignore,
}

impl RuleArg {
    const fn rule(self) -> FiftyMoves {
        match self {
            Self::Apply => FiftyMoves::Apply,
            Self::ApplyAfterRepetition => FiftyMoves::ApplyAfterRepetition,
            Self::Ignore => FiftyMoves::Ignore,
        }
    }
}

/// The output of `tabiya tables --json`: what Syzygy tables say about a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The name of the position's table, such as `KRPvKR`.
    table: String,
    /// The result for the side to move from a clock of zero: `win`, `cursed-win`, `draw`,
    /// `blessed-loss` or `loss`.
    result: &'static str,
    /// The distance to zeroing in plies, from a clock of zero: positive in a win, negative in a loss.
    distance: i32,
    /// May the distance be one ply more?
    rounded: bool,
    /// The legal moves, the best first.
    moves: Vec<MoveAnswer>,
    /// Best play up to the first capture, pawn move or mate, in UCI.
    line: Vec<String>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-tables/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveAnswer {
    /// The move, in UCI.
    #[serde(rename = "move")]
    uci: String,
    /// The move, in standard algebraic notation.
    san: String,
    /// The result for the side to move, with the clock of the FEN.
    result: &'static str,
    /// The distance to zeroing in plies, with this move counted.
    distance: i32,
    /// May the distance be one ply more?
    rounded: bool,
    /// The rank, as Fathom has it: 1000 for moves that surely win, -1000 for those that surely lose.
    rank: i32,
}

impl MoveAnswer {
    fn new(position: &Position, found: &RootMove) -> Self {
        Self {
            uci: position.uci(found.mv).to_string(),
            san: position.san(found.mv).to_string(),
            result: found.wdl.name(),
            distance: found.dtz.plies(),
            rounded: found.dtz.is_rounded(),
            rank: found.rank,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.read()?.position()?;
    let tables = args.open()?;
    let rule = args.fifty_moves.rule();
    let look_up = || {
        let (wdl, dtz) = (tables.wdl(&position)?, tables.dtz(&position)?);
        let moves = tables.root_moves(&position, rule)?;
        Ok((wdl, dtz, moves, tables.line(&position, rule)?))
    };
    let (wdl, dtz, moves, line) = look_up().map_err(|error| refused(&tables, &position, error))?;
    let mut after = position.clone();
    let mut uci = Vec::new();
    let mut san = Vec::new();
    for mv in line {
        uci.push(after.uci(mv).to_string());
        san.push(after.san(mv).to_string());
        after = after.play(mv);
    }
    let answer = Answer {
        fen: position.fen().to_string(),
        table: Material::of(position.board()).to_string(),
        result: wdl.name(),
        distance: dtz.plies(),
        rounded: dtz.is_rounded(),
        moves: moves.iter().map(|found| MoveAnswer::new(&position, found)).collect(),
        line: uci,
    };
    if args.json {
        json::write(out, &answer)?;
    } else {
        write_answer(&answer, wdl, dtz, &san, out)?;
    }
    Ok(Outcome::Fine)
}

impl Args {
    fn open(&self) -> Result<Tables<Folder>, Diagnostic> {
        let mut folder = Folder::default();
        for path in &self.folder {
            folder = folder
                .and(path)
                .map_err(|error| Diagnostic::new(format_args!("{}: {error}", path.display())))?;
        }
        let tables = Tables::new(folder);
        if tables.pieces() == 0 {
            return Err(Diagnostic::new("the folder has no tables")
                .hint("their files have names like KRPvKR.rtbw and KRPvKR.rtbz"));
        }
        Ok(tables)
    }
}

/// Why the position isn't found, and what to fetch.
fn refused(tables: &Tables<Folder>, position: &Position, error: TableError) -> Diagnostic {
    let diagnostic = Diagnostic::new(error);
    let TableError::Missing(_) = error else { return diagnostic };
    let missing = tables.missing(Material::of(position.board())).unwrap_or_default();
    let names: Vec<String> = missing.iter().rev().take(8).map(ToString::to_string).collect();
    let more = if missing.len() > names.len() { ", …" } else { "" };
    let (count, names) = (missing.len(), names.join(", "));
    diagnostic
        .hint(format_args!("play from here needs {count} files that aren't there: {names}{more}"))
}

fn write_answer(
    answer: &Answer,
    wdl: Wdl,
    dtz: Dtz,
    line: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "table      {}", answer.table)?;
    writeln!(out, "result     {}", wdl.name())?;
    writeln!(out, "distance   {}", distance(dtz.plies(), dtz.is_rounded()))?;
    if !line.is_empty() {
        writeln!(out, "line       {}", line.join(" "))?;
    }
    if answer.moves.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let table = Table([
        Column::left("move", 5),
        Column::left("SAN", 7),
        Column::left("result", 12),
        Column::right("distance", 8),
        Column::right("rank", 5),
    ]);
    table.head(out)?;
    for MoveAnswer { uci, san, result, distance: plies, rounded, rank } in &answer.moves {
        let distance = distance(*plies, *rounded);
        table.row(out, [uci, san, result, &distance, &rank.to_string()])?;
    }
    Ok(())
}

/// A number of plies, with a sign that it may be one more.
fn distance(plies: i32, rounded: bool) -> String {
    format!("{plies}{}", if rounded { "+" } else { "" })
}
