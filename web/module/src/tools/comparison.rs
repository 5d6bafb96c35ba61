//! A pasted divide compared with the right one.

use serde::{Deserialize, Serialize};
use tabiya::{Move, Position};
use tabiya_compare::{Above, Asked, compare_divide};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::position;
use crate::error::{Failure, js, rust};

/// A question that a user has asked a program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct DivideQuestion {
    /// The position before the moves: a FEN, or a name such as `kiwipete`.
    pub start: String,
    /// The moves from that position to the position of the question.
    pub moves: String,
    /// The depth.
    pub depth: u32,
    /// The number of moves that the program was told to play. It got the position before them as a
    /// FEN.
    pub played: u32,
    /// The program's answer one ply above, before the last of the moves.
    #[tsify(optional)]
    #[serde(default)]
    pub above: Option<AboveCount>,
}

/// The count of a move in a divide one ply above.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct AboveCount {
    /// The program's count.
    pub count: u128,
    /// Were most counts of that divide wrong?
    pub most_wrong: bool,
}

/// The right count of a legal move.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct RightCount {
    /// The move in UCI.
    pub uci: String,
    /// The number of leaf nodes below it.
    pub count: u128,
}

/// The right counts of legal moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
pub struct RightCounts(pub Vec<RightCount>);

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
pub struct DivideComparison(#[tsify(type = "Comparison")] tabiya_compare::Comparison);

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A pasted divide compared with the right one. */
export interface Comparison {
    /** Whether everything that can be compared is right. */
    outcome: "agrees" | "differs" | "unreadable";
    /** The legal moves, followed by the other listed moves. */
    moves: ComparedMove[];
    /** The right total, unless the count of a move is not known yet. */
    rightTotal?: bigint;
    /** The total that the text gives. */
    printedTotal?: bigint;
    /** The sum of the counts in the text, unless lines are missing. */
    sum?: bigint;
    /** The classes of the bug, if the answer shows them. */
    diagnoses: Diagnosis[];
    /** The moves to examine one ply deeper, the smallest difference first. */
    descend: string[];
    /** Are most of the counts wrong? */
    mostWrong: boolean;
    /** Remarks on the text as a whole. */
    remarks: Remark[];
    /** The number of unread lines. */
    unreadCount: number;
    /** The line that can't be read, and what was expected. If there is one, nothing is compared. */
    unread: { number: number; text: string; expected: string }[];
    /** The number of moves that are left out because the text has too many. */
    leftOut: number;
}

/** A move of a divide: the right count and the one in the text. */
export interface ComparedMove {
    /** The move in UCI, or as the text writes it if it is not a UCI move. */
    uci: string;
    /** The move in standard algebraic notation, if it is legal. */
    san?: string;
    /** The move in the text's notation, if it is listed. */
    written?: string;
    state: "same" | "differs" | "missing" | "illegal" | "twice" | "uncounted" | "unknown";
    /** The right count; 0 for an illegal move. */
    right?: bigint;
    /** The count in the text. */
    theirs?: bigint;
    /** The count in the text minus the right one. */
    difference?: bigint;
    /** The name of the class of the bug. */
    class?: string;
    /** Why the move is illegal, or why it is legal. */
    reason?: string;
}

/** A kind of bug that gives exactly what the text says, or a part of it. */
export interface Diagnosis {
    /** The name of the class, such as `en-passant-pin-rank`. */
    class: string;
    /** A description of the bug, in one line. */
    description: string;
    /** A hint where to look in the code. */
    hint: string;
    /** The illegal moves that are listed. */
    extra: string[];
    /** The legal moves that are not listed. */
    missing: string[];
    /** The moves that are listed more than once. */
    duplicated: string[];
    /** Why these moves are illegal, or why they are legal. */
    reasons: string[];
    /** The relevant squares. */
    squares: bigint;
    /** A further fact, and the other classes that fit. */
    note?: string;
}

/** A remark on a pasted text. */
export interface Remark {
    kind: "totalOnly" | "movesOnly" | "incomplete" | "otherPosition" | "totalUnlikeSum";
    text: string;
}
"#;

/// Compares the text that a program printed with the right counts. A count is missing if it is not
/// known yet.
#[wasm_bindgen(js_name = compareDivide)]
pub fn compare(
    question: &Ts<DivideQuestion>,
    right: &Ts<RightCounts>,
    text: &str,
) -> Result<Ts<DivideComparison>, Failure> {
    js(compared(&rust(question)?, &rust(right)?.0, text)?)
}

/// The FEN for a program. It has the en-passant square if a pawn could capture there, legally or
/// not.
#[wasm_bindgen(js_name = questionFen)]
pub fn question_fen(start: &str, moves: &str) -> Result<String, Failure> {
    Ok(Asked::of_fen(position(start, moves)?, 1).fen())
}

fn compared(
    question: &DivideQuestion,
    right: &[RightCount],
    text: &str,
) -> Result<DivideComparison, Failure> {
    let (asked, here) = asked(question)?;
    let right: Vec<(Move, u128)> =
        right.iter().filter_map(|it| Some((here.parse_uci(&it.uci).ok()?, it.count))).collect();
    Ok(DivideComparison(compare_divide(&asked, &right, text)))
}

/// The question, and its position.
fn asked(question: &DivideQuestion) -> Result<(Asked, Position), Failure> {
    let DivideQuestion { start, moves, depth, played, above } = question;
    let text = tabiya_views::PositionText { moves, ..tabiya_views::PositionText::new(start) };
    let game = text.game()?;
    let (positions, moves) = (game.positions(), game.moves());
    let first = moves.len().saturating_sub(*played as usize);
    let above = above.as_ref().zip(moves.last()).map(|(above, &mv)| Above {
        position: positions[moves.len() - 1].clone(),
        mv,
        count: above.count,
        most_wrong: above.most_wrong,
    });
    let (start, moves) = (positions[first].clone(), moves[first..].to_vec());
    Ok((Asked { start, moves, depth: *depth, above }, game.position().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(moves: &str, played: u32) -> DivideQuestion {
        let (start, moves) = ("startpos".to_owned(), moves.to_owned());
        DivideQuestion { start, moves, depth: 1, played, above: None }
    }

    #[test]
    fn the_last_moves_are_those_that_the_program_plays() {
        let (asked, here) = asked(&question("e4 e5 Nf3", 2)).unwrap();
        assert_eq!((asked.moves.len(), asked.position()), (2, here));
        assert!(asked.fen().contains(" b "));
        assert_eq!(question_fen("startpos", "e4").unwrap().split(' ').nth(3), Some("-"));
    }

    #[test]
    fn what_comes_out_has_the_names_that_typescript_sees() {
        let right = [RightCount { uci: "e2e4".to_owned(), count: 1 }];
        let compared = compared(&question("", 0), &right, "e2e4: 2").unwrap();
        let json = serde_json::to_value(&compared).unwrap();
        let types = include_str!("comparison.rs");
        for name in [
            "outcome",
            "moves",
            "rightTotal",
            "printedTotal",
            "sum",
            "diagnoses",
            "descend",
            "mostWrong",
            "remarks",
            "unreadCount",
            "unread",
            "leftOut",
        ] {
            assert!(json.get(name).is_some(), "{name}");
            let is_declared = |mark| types.contains(&format!("    {name}{mark}: "));
            assert!(is_declared("") || is_declared("?"), "{name}");
        }
        assert_eq!(json["outcome"], "differs");
    }
}
