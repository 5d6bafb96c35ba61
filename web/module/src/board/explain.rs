//! Why a move is not legal, with the squares that show it.

use serde::Serialize;
#[cfg(feature = "explorer")]
use tabiya::Explanation;
use tabiya::{Bitboard, Detail, PlacedPiece, Position, Square, attacks};
use tabiya_views::explain::{self as answers, MoveAnswer};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[cfg(feature = "games")]
use crate::arguments::{move_text, position_of};
use crate::error::{Failure, js};

/// A reason why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The name for programs, such as `pinned`. It keeps its meaning.
    pub name: &'static str,
    /// The reason as a clause of a sentence.
    pub sentence: String,
    /// The pieces and squares that the reason names.
    pub squares: u64,
    /// The relevant line: from the attacker to the king, or to the square that it attacks.
    pub line: u64,
}

/// The answer to "is this move legal?", and the reasons if it is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The move in question.
    pub text: String,
    /// Is it legal?
    pub legal: bool,
    /// The legal move in UCI.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// The legal move in standard algebraic notation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Every reason why the move is not legal. Empty if it is legal.
    pub reasons: Vec<Reason>,
    /// Legal moves that may have been meant, in standard algebraic notation.
    pub instead: Vec<String>,
    /// The answer as a sentence.
    pub sentence: String,
}

/// Says whether a move is legal in a position, and gives every reason if it is not. The move may be
/// in any notation.
///
/// Throws an `InputError` if the text is not a move in any notation.
#[cfg(feature = "games")]
#[wasm_bindgen]
pub fn explain(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
) -> Result<Ts<Answer>, Failure> {
    let position = position_of(position)?;
    explained(&position, &move_text(&position, asked)?)
}

pub(crate) fn explained(position: &Position, text: &str) -> Result<Ts<Answer>, Failure> {
    js(answer(position, text)?)
}

fn answer(position: &Position, text: &str) -> Result<Answer, Failure> {
    let explained = answers::explain(position, text)?;
    let MoveAnswer { text, legal, uci, san, instead, .. } = MoveAnswer::new(position, &explained);
    let clauses = explained.clauses();
    let reasons = clauses.iter().map(|clause| {
        let (squares, line) =
            clause.reason.map_or_else(Default::default, |it| shown(position, &it));
        Reason {
            name: clause.name,
            sentence: clause.sentence.clone(),
            squares: squares.0,
            line: line.0,
        }
    });
    let reasons = reasons.collect();
    Ok(Answer { text, legal, uci, san, reasons, instead, sentence: explained.to_string() })
}

/// The reasons of an explanation, with their squares.
#[cfg(feature = "explorer")]
pub(crate) fn reasons(position: &Position, explanation: &Explanation) -> Vec<Reason> {
    let reason = |it: &tabiya::Reason| {
        let (squares, line) = shown(position, it);
        Reason { name: it.name(), sentence: it.to_string(), squares: squares.0, line: line.0 }
    };
    explanation.reasons().iter().map(reason).collect()
}

/// The squares that a reason names, and the line from the attacker to its target.
fn shown(position: &Position, reason: &tabiya::Reason) -> (Bitboard, Bitboard) {
    let mut squares = Bitboard::EMPTY;
    let mut attackers: Vec<PlacedPiece> = Vec::new();
    let mut attacked = None;
    for (name, detail) in reason.details() {
        match detail {
            Detail::Square(square) => {
                squares |= square.bitboard();
                attacked = Some(square);
            }
            Detail::Piece(piece) => {
                squares |= piece.square.bitboard();
                if matches!(name, "by" | "checker" | "first" | "second") {
                    attackers.push(piece);
                }
            }
            _ => {}
        }
    }
    let target = attacked.unwrap_or_else(|| position.king(position.turn()));
    let lines = attackers.iter().map(|attacker| line(attacker.square, target));
    (squares, lines.fold(Bitboard::EMPTY, |all, line| all | line))
}

/// The squares from an attacker to its target, including both.
fn line(attacker: Square, target: Square) -> Bitboard {
    attacks::between(attacker, target) | attacker.bitboard() | target.bitboard()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::position;

    fn asked(fen: &str, text: &str) -> Result<Answer, Failure> {
        answer(&position(fen, "")?, text)
    }

    #[test]
    fn a_reason_shows_the_line_that_matters() {
        let answer = asked("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "Bd3").unwrap();
        assert!(!answer.legal);
        let reason = &answer.reasons[0];
        assert_eq!(reason.name, "pinned");
        assert_eq!(Bitboard(reason.line), tabiya::File::E.bitboard());
    }

    #[test]
    fn a_legal_move_has_no_reasons() {
        let answer = asked("startpos", "e4").unwrap();
        assert_eq!((answer.uci.as_deref(), answer.reasons.len()), (Some("e2e4"), 0));
        assert_eq!(asked("startpos", "e9").unwrap_err().start, 1);
    }
}
