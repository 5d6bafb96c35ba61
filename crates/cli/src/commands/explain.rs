//! `tabiya explain`: says whether moves are legal, and if not, why.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use tabiya::UciMove;
use tabiya_views::InputError;
use tabiya_views::explain::{DetailValue, MoveAnswer, MoveTextError, ReasonAnswer, answer};

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::output::json;
use crate::position::{PositionOptions, is_name};

const EXAMPLES: &str = "\
Examples:
  tabiya explain e4 Nd4 e2e5
  tabiya explain --fen '4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1' e2d3 e1d1
  tabiya explain --fen '4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1' e1g1 --json
  tabiya explain e2e4 --check && echo legal";

/// Say why moves are legal or not, for players and engine authors
///
/// Every reason is told. If an argument is not a move, or if several pieces can make it, the
/// program prints an error, and the exit code is 2. The other moves are still explained.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The moves to explain, in any notation, each played from the same position
    ///
    /// A move may be written in standard algebraic notation (Nf3, exd5, O-O), in long algebraic
    /// notation (Ng1-f3) or in UCI (g1f3), with castling by the square where the king lands or as
    /// the king taking its own rook. Its number and a sign of evaluation are skipped (1.e4, e4+-).
    #[arg(value_name = "MOVE", required = true)]
    asked: Vec<String>,

    /// End with exit code 1 if a move is not legal
    #[arg(long)]
    check: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionOptions,
}

/// The output of `tabiya explain --json`: whether moves are legal, and if not, why.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct AnswerJson {
    /// The position, in FEN.
    fen: String,
    /// Each move that was asked about, in the order of the call.
    moves: Vec<MoveJson>,
}

impl json::Object for AnswerJson {
    const SCHEMA: &'static str = "tabiya-explain/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveJson {
    /// The move that was asked about. If the text is not a move, the text.
    #[serde(rename = "move")]
    text: String,
    /// Is the move legal?
    legal: bool,
    /// The legal move as the position writes it: castling may be asked about in either notation.
    /// Null if the move is not legal.
    uci: Option<String>,
    /// The legal move in standard algebraic notation. Null if the move is not legal.
    san: Option<String>,
    /// Every reason why the move is not legal, at most 16. Empty if it is legal.
    reasons: Vec<ReasonJson>,
    /// The number of further reasons.
    omitted: usize,
    /// Legal moves that may have been meant, in standard algebraic notation.
    instead: Vec<String>,
    /// Why the text is not a move; the exit code is then 2. Null if it is a move.
    error: Option<ErrorJson>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ReasonJson {
    /// The name of the reason. A name keeps its meaning; new ones may be added.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = tabiya::Reason::NAMES)))]
    name: &'static str,
    /// The reason as a clause of a sentence, in English.
    sentence: String,
    /// The piece that would move. Null if the move gives its square, as in UCI.
    piece: Option<DetailJson>,
    /// The facts behind the reason. The names depend on the reason.
    details: BTreeMap<&'static str, DetailJson>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum DetailJson {
    /// A square, a colour, a role, a side of castling, a line, a move or a kind of move.
    Text(String),
    /// A rank, from 1 to 8.
    Rank(#[cfg_attr(feature = "schema", schemars(range(min = 1, max = 8)))] u8),
    /// A piece on the board.
    Piece {
        /// The role, such as `rook`.
        role: &'static str,
        /// The colour, `white` or `black`.
        color: Option<&'static str>,
        /// The square.
        square: String,
    },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorJson {
    /// The error.
    message: String,
    /// The start of the wrong part of the text, in bytes from 0.
    start: usize,
    /// The end of the wrong part, in bytes from 0. The byte at this place does not belong to it.
    end: usize,
    /// A suggestion. Null if there is none.
    hint: Option<String>,
}

impl From<MoveAnswer> for MoveJson {
    fn from(answer: MoveAnswer) -> Self {
        Self {
            text: answer.text,
            legal: answer.legal,
            uci: answer.uci,
            san: answer.san,
            reasons: answer.reasons.into_iter().map(ReasonJson::from).collect(),
            omitted: answer.omitted,
            instead: answer.instead,
            error: None,
        }
    }
}

impl From<ReasonAnswer> for ReasonJson {
    fn from(ReasonAnswer { name, sentence, piece, details }: ReasonAnswer) -> Self {
        let details = details.into_iter().map(|(name, detail)| (name, detail.into()));
        Self { name, sentence, piece: piece.map(DetailJson::from), details: details.collect() }
    }
}

impl From<MoveTextError> for MoveJson {
    fn from(error: MoveTextError) -> Self {
        let (message, span) = (error.to_string(), error.span());
        Self {
            text: error.input().to_owned(),
            legal: false,
            uci: None,
            san: None,
            reasons: Vec::new(),
            omitted: 0,
            instead: Vec::new(),
            error: Some(ErrorJson {
                message,
                start: span.start,
                end: span.end,
                hint: error.hint(),
            }),
        }
    }
}

impl From<DetailValue> for DetailJson {
    fn from(detail: DetailValue) -> Self {
        match detail {
            DetailValue::Text(text) => Self::Text(text),
            DetailValue::Number(rank) => Self::Rank(rank),
            DetailValue::Piece { role, color, square } => Self::Piece { role, color, square },
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    args.expect_moves()?;
    let position = args.position.read()?.position()?;
    let answers: Vec<_> = args.asked.iter().map(|text| answer(&position, text)).collect();
    let outcome = args.outcome(&answers);
    if args.json {
        let moves = answers.into_iter().map(|answer| match answer {
            Ok(answer) => MoveJson::from(answer),
            Err(error) => MoveJson::from(error),
        });
        let object = AnswerJson { fen: position.fen().to_string(), moves: moves.collect() };
        json::write(out, &object)?;
        return Ok(outcome);
    }
    for answer in &answers {
        match answer {
            Ok(answer) => write_text(answer, out)?,
            Err(error) => {
                // This keeps the order of the moves if both streams go to a terminal.
                out.flush()?;
                let _ = write!(anstream::stderr(), "{}", Diagnostic::from_input(error));
            }
        }
    }
    Ok(outcome)
}

impl Args {
    /// The arguments are moves, so the position needs an option.
    fn expect_moves(&self) -> Result<(), Diagnostic> {
        let is_position = |text: &&String| is_name(text) || text.matches('/').count() > 1;
        let Some(text) = self.asked.iter().find(is_position) else { return Ok(()) };
        let error = Diagnostic::new("this is a position, and the arguments of explain are moves");
        let error = error.at(text, 0..text.len());
        Err(error.hint("--fen 'FEN' or --position NAME gives the position"))
    }

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

/// Writes an answer. A single reason follows the move on its line; several have a line each.
fn write_text(answer: &MoveAnswer, out: &mut dyn Write) -> Result<(), Failure> {
    let text = &answer.text;
    match (&answer.uci, &answer.reasons[..]) {
        (Some(uci), _) if uci == text => writeln!(out, "{text} is legal")?,
        (Some(uci), _) if text.parse::<UciMove>().is_ok() => {
            writeln!(out, "{text} is legal; here it is written {uci}")?;
        }
        // The move was given in algebraic notation.
        (Some(_), _) => match answer.san.as_ref().filter(|&san| san != text) {
            None => writeln!(out, "{text} is legal")?,
            Some(san) => writeln!(out, "{text} is legal; the standard form is {san}")?,
        },
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
        0 => {}
        1 => writeln!(out, "  - and one more reason")?,
        more => writeln!(out, "  - and {more} more reasons")?,
    }
    match &answer.instead[..] {
        [] => Ok(()),
        [one] => Ok(writeln!(out, "  {one} would be legal")?),
        several => Ok(writeln!(out, "  {} would be legal", several.join(" and "))?),
    }
}
