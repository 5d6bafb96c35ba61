//! `tabiya explain`: whether moves are legal, and if not, why.

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tabiya_frontend::InputError;
use tabiya_frontend::explain::{DetailValue, MoveAnswer, MoveTextError, ReasonAnswer, answer};

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
///
/// If a text is not a move, an error says why, the other moves are still answered, and the exit
/// code is 2.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The moves to explain, in UCI, each played from the same position
    ///
    /// Castling may be written in either notation: by the square where the king lands, or as the
    /// king taking its own rook.
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
struct AnswerJson {
    fen: String,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    text: String,
    legal: bool,
    /// The legal move as the position writes it.
    uci: Option<String>,
    /// Empty if the move is legal.
    reasons: Vec<ReasonJson>,
    /// The number of further reasons.
    omitted: usize,
    /// Why the text is not a move.
    error: Option<ErrorJson>,
}

#[derive(Serialize)]
struct ReasonJson {
    name: &'static str,
    sentence: String,
    /// What the reason is about, in fields that depend on the reason.
    details: Map<String, Value>,
}

#[derive(Serialize)]
struct ErrorJson {
    message: String,
    /// The part of the text that is wrong, in bytes.
    start: usize,
    end: usize,
    hint: Option<String>,
}

impl From<MoveAnswer> for MoveJson {
    fn from(answer: MoveAnswer) -> Self {
        Self {
            text: answer.text,
            legal: answer.legal,
            uci: answer.uci,
            reasons: answer.reasons.into_iter().map(ReasonJson::from).collect(),
            omitted: answer.omitted,
            error: None,
        }
    }
}

impl From<ReasonAnswer> for ReasonJson {
    fn from(ReasonAnswer { name, sentence, details }: ReasonAnswer) -> Self {
        let details = details.into_iter().map(|(name, detail)| (name.to_owned(), value(detail)));
        Self { name, sentence, details: details.collect() }
    }
}

impl From<MoveTextError> for MoveJson {
    fn from(error: MoveTextError) -> Self {
        let (message, span) = (error.to_string(), error.span());
        Self {
            text: error.input().to_owned(),
            legal: false,
            uci: None,
            reasons: Vec::new(),
            omitted: 0,
            error: Some(ErrorJson {
                message,
                start: span.start,
                end: span.end,
                hint: error.hint(),
            }),
        }
    }
}

fn value(detail: DetailValue) -> Value {
    match detail {
        DetailValue::Text(text) => text.into(),
        DetailValue::Number(number) => number.into(),
        DetailValue::Piece { role, color, square } => {
            json!({ "role": role, "color": color, "square": square })
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let answers: Vec<_> = args.asked.iter().map(|text| answer(&position, text)).collect();
    let outcome = args.outcome(&answers);
    if args.json {
        let moves = answers.into_iter().map(|answer| match answer {
            Ok(answer) => MoveJson::from(answer),
            Err(error) => MoveJson::from(error),
        });
        let object = AnswerJson { fen: position.fen().to_string(), moves: moves.collect() };
        json::write(out, SCHEMA, &object)?;
        return Ok(outcome);
    }
    for answer in &answers {
        match answer {
            Ok(answer) => write_text(answer, out)?,
            Err(error) => {
                // Keeps the order of the moves if both streams go to a terminal.
                out.flush()?;
                let _ = write!(anstream::stderr(), "{}", Diagnostic::from_input(error));
            }
        }
    }
    Ok(outcome)
}

impl Args {
    fn outcome(&self, answers: &[Result<MoveAnswer, MoveTextError>]) -> Outcome {
        if answers.iter().any(Result::is_err) {
            Outcome::Mistaken
        } else if self.check && answers.iter().flatten().any(|answer| !answer.legal) {
            Outcome::Failed
        } else {
            Outcome::Fine
        }
    }
}

/// One reason stands in the line of the move, several each in its own line.
fn write_text(answer: &MoveAnswer, out: &mut dyn Write) -> Result<(), Failure> {
    let text = &answer.text;
    match (&answer.uci, &answer.reasons[..]) {
        (Some(uci), _) if uci != text => {
            writeln!(out, "{text} is legal, and written {uci} here")?;
        }
        (Some(_), _) => writeln!(out, "{text} is legal")?,
        (None, [reason]) if answer.omitted == 0 => {
            writeln!(out, "{text} is not legal: {}", reason.sentence)?;
        }
        (None, reasons) => {
            writeln!(out, "{text} is not legal:")?;
            for reason in reasons {
                writeln!(out, "  - {}", reason.sentence)?;
            }
        }
    }
    match answer.omitted {
        0 => Ok(()),
        1 => Ok(writeln!(out, "  - and one more reason")?),
        more => Ok(writeln!(out, "  - and {more} more reasons")?),
    }
}
