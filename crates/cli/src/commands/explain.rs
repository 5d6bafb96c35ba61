//! `tabiya explain`: whether moves are legal, and if not, why.

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tabiya::{Board, CastlingSide, Detail, Explanation, Position, Reason};

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::output::json;
use crate::position::PositionArgs;

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
    ///
    /// Castling may be written either way, as king takes rook or by the square where the king
    /// lands.
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
    /// The legal move to the letter: castling in the position's notation.
    uci: Option<String>,
    /// None if the move is legal.
    reasons: Vec<ReasonAnswer>,
    /// How many more reasons there are.
    omitted: usize,
}

#[derive(Serialize)]
struct ReasonAnswer {
    name: &'static str,
    sentence: String,
    /// What it speaks of, in fields that depend on the reason.
    details: Map<String, Value>,
}

impl ReasonAnswer {
    fn new(reason: &Reason, board: &Board) -> Self {
        let named = |(name, detail)| (String::from(name), value(detail, board));
        Self {
            name: reason.name(),
            sentence: reason.to_string(),
            details: reason.details().map(named).collect(),
        }
    }
}

/// A detail; men come with their colours.
fn value(detail: Detail, board: &Board) -> Value {
    match detail {
        Detail::Square(square) => square.to_string().into(),
        Detail::Piece(man) => {
            let color = board.piece_on(man.square).map(|piece| piece.color.name());
            json!({ "role": man.role.name(), "color": color, "square": man.square.to_string() })
        }
        Detail::Color(color) => color.name().into(),
        Detail::Role(role) => role.name().into(),
        Detail::Rank(rank) => (rank as u8 + 1).into(),
        Detail::CastlingSide(CastlingSide::King) => "king".into(),
        Detail::CastlingSide(CastlingSide::Queen) => "queen".into(),
        Detail::Line(line) => line.to_string().into(),
        Detail::Move(text) => text.to_string().into(),
        Detail::Kind(kind) => kind.name().into(),
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let explained = args.asked.iter().map(|text| explain(&position, text));
    let explained = explained.collect::<Result<Vec<_>, _>>()?;
    if args.json {
        let moves = explained.iter().map(|explanation| answer(&position, explanation)).collect();
        json::write(out, SCHEMA, &Answer { fen: position.fen().to_string(), moves })?;
    } else {
        for explanation in &explained {
            write_text(&position, explanation, out)?;
        }
    }
    let all_legal = explained.iter().all(Explanation::is_legal);
    Ok(if args.check && !all_legal { Outcome::Failed } else { Outcome::Fine })
}

fn explain(position: &Position, text: &str) -> Result<Explanation, Diagnostic> {
    position.explain_uci(text).map_err(|error| {
        let begin = error.offset().min(text.len());
        Diagnostic::new(error).at(text, begin..text.len())
    })
}

/// One reason stands in the same line, several each in its own.
fn write_text(
    position: &Position,
    explanation: &Explanation,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let reasons = explanation.reasons();
    if let Some(uci) = explanation.legal().map(|mv| position.uci(mv))
        && uci != explanation.text()
    {
        return Ok(writeln!(out, "{explanation}, and written {uci} here")?);
    }
    if reasons.len() < 2 {
        return Ok(writeln!(out, "{explanation}")?);
    }
    writeln!(out, "{} is not legal:", explanation.text())?;
    for reason in reasons {
        writeln!(out, "  - {reason}")?;
    }
    match explanation.omitted() {
        0 => Ok(()),
        1 => Ok(writeln!(out, "  - and one more reason")?),
        more => Ok(writeln!(out, "  - and {more} more reasons")?),
    }
}

fn answer(position: &Position, explanation: &Explanation) -> MoveAnswer {
    MoveAnswer {
        text: explanation.text().to_string(),
        legal: explanation.is_legal(),
        uci: explanation.legal().map(|mv| position.uci(mv).to_string()),
        reasons: explanation
            .reasons()
            .iter()
            .map(|reason| ReasonAnswer::new(reason, position.board()))
            .collect(),
        omitted: explanation.omitted(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::{MoveKind, Role};

    /// Reasons that no text of a move can have.
    #[test]
    fn reasons_of_moves_that_are_no_texts() {
        let board = Position::START.board();
        let written = |reason| serde_json::to_value(ReasonAnswer::new(&reason, board)).unwrap();
        assert_eq!(
            written(Reason::OtherKind { given: MoveKind::EnPassant, here: MoveKind::DoublePush }),
            json!({
                "name": "other-kind",
                "sentence": "it is a double push here, not a capture en passant",
                "details": { "given": "en-passant", "here": "double-push" },
            }),
        );
        assert_eq!(
            written(Reason::PromotionRole { role: Role::King }),
            json!({
                "name": "promotion-role",
                "sentence": "a pawn does not become a king",
                "details": { "role": "king" },
            }),
        );
    }
}
