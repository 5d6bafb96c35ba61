//! `tabiya explain`: why moves are legal or not.

use std::io::Write;

use serde::Serialize;
use tabiya::{Explanation, UciError, UciMove};

use crate::Outcome;
use crate::args::PositionArgs;
use crate::failure::{Diagnostic, Failure};
use crate::output::json;

const EXAMPLES: &str = "\
Examples:
  tabiya explain e2e5
  tabiya explain --fen '4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1' e2d3 e1d1
  tabiya explain --fen '4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1' e1g1 --json
  tabiya explain e2e4 --check && echo legal";

/// Say whether moves are legal, and if not, every reason why
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The moves to explain, in UCI, each by itself in the position
    #[arg(value_name = "MOVE", required = true)]
    asked: Vec<String>,

    /// End with exit code 1 if a move is not legal
    #[arg(long)]
    check: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
}

const SCHEMA: &str = "tabiya-explain/1";

/// The explanations as JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    text: String,
    legal: bool,
    /// Sentences; none if the move is legal.
    reasons: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let moves = args.asked.iter().map(|text| read(text)).collect::<Result<Vec<_>, _>>()?;
    let explained: Vec<Explanation> =
        moves.into_iter().map(|text| position.explain(text)).collect();
    if args.json {
        let fen = position.fen().to_string();
        json::write(out, SCHEMA, &Answer { fen, moves: explained.iter().map(answer).collect() })?;
    } else {
        for explanation in &explained {
            write_text(explanation, out)?;
        }
    }
    let all_legal = explained.iter().all(Explanation::is_legal);
    Ok(if args.check && !all_legal { Outcome::Failed } else { Outcome::Fine })
}

fn read(text: &str) -> Result<UciMove, Diagnostic> {
    text.parse().map_err(|error: UciError| {
        let begin = error.offset().min(text.len());
        Diagnostic::new(error).at(text, begin..text.len())
    })
}

/// One reason stands in the same line, several each in its own.
fn write_text(explanation: &Explanation, out: &mut dyn Write) -> Result<(), Failure> {
    let reasons = explanation.reasons();
    if reasons.len() < 2 {
        return Ok(writeln!(out, "{explanation}")?);
    }
    writeln!(out, "{} is not legal:", explanation.text())?;
    for reason in reasons {
        writeln!(out, "  - {reason}")?;
    }
    match explanation.omitted() {
        0 => Ok(()),
        more => Ok(writeln!(out, "  - and {more} more reasons")?),
    }
}

fn answer(explanation: &Explanation) -> MoveAnswer {
    MoveAnswer {
        text: explanation.text().to_string(),
        legal: explanation.is_legal(),
        reasons: explanation.reasons().iter().map(ToString::to_string).collect(),
    }
}
