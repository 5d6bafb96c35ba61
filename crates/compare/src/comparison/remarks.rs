//! Remarks on a pasted text as a whole.

use serde::Serialize;

use super::{ComparedMove, MoveState, Subject, origin};
use crate::divide::Divide;

/// The kind of remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RemarkKind {
    /// The text has a total and no moves.
    TotalOnly,
    /// The text has moves and no counts.
    MovesOnly,
    /// Lines were not copied: the total counts moves that the text lacks, or the text has no total
    /// and lacks most moves.
    Incomplete,
    /// Most moves belong to another position.
    OtherPosition,
    /// The total is not the sum of the counts.
    TotalUnlikeSum,
}

/// A remark on the text as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// The kind of remark.
    pub kind: RemarkKind,
    /// The remark, in a sentence.
    pub text: String,
}

pub(super) fn remarks(
    subject: &Subject<'_>,
    rows: &[ComparedMove],
    is_incomplete: bool,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut remark = |kind, text: &str| remarks.push(Remark { kind, text: text.to_owned() });
    let divide = subject.divide;
    let has_counts = divide.moves.iter().any(|(_, count)| count.is_some());
    if divide.moves.is_empty() {
        if divide.total.is_some() && subject.right_total != Some(0) {
            remark(
                RemarkKind::TotalOnly,
                "Only a total was found. The count of each move tells where the difference comes from.",
            );
        }
        return remarks;
    }
    if !has_counts && subject.asked.depth > 1 {
        remark(RemarkKind::MovesOnly, "The moves have no counts, so only the list is compared.");
    }
    if is_incomplete {
        remark(RemarkKind::Incomplete, &of_incomplete(subject, rows));
    }
    if subject.diff.extra.len() * 2 > divide.moves.len() || origin::is_of_other_position(subject) {
        remark(RemarkKind::OtherPosition, &of_other_position(subject));
    }
    let is_unlike = divide.total.is_some_and(|total| total != divide.sum());
    if divide.is_counted() && is_unlike && !is_incomplete {
        remark(
            RemarkKind::TotalUnlikeSum,
            "The total is not the sum of the counts that are listed.",
        );
    }
    remarks
}

/// Were lines of the answer not copied?
pub(super) fn is_incomplete(
    divide: &Divide,
    right_total: Option<u128>,
    rows: &[ComparedMove],
) -> bool {
    let missing = rows.iter().filter(|it| it.is_missing()).count();
    let is_right = |it: &ComparedMove| matches!(it.state, MoveState::Same | MoveState::Missing);
    let has_counts = divide.moves.iter().any(|(_, count)| count.is_some());
    match divide.total {
        _ if divide.moves.is_empty() => false,
        None => missing * 2 > rows.len(),
        total => missing > 0 && has_counts && total == right_total && rows.iter().all(is_right),
    }
}

fn of_incomplete(subject: &Subject<'_>, rows: &[ComparedMove]) -> String {
    if subject.divide.total.is_some() {
        return "The total is right, and so is every count that is listed: the missing lines were not copied."
            .to_owned();
    }
    let legal = rows.iter().filter(|it| it.san.is_some()).count();
    let listed = legal - rows.iter().filter(|it| it.is_missing()).count();
    let verb = if listed == 1 { "is" } else { "are" };
    format!(
        "Only {listed} of the {legal} legal moves {verb} in the text, and no total: copy the whole answer."
    )
}

/// The text of the remark. It names the position if the moves belong to a known one.
fn of_other_position(subject: &Subject<'_>) -> String {
    match origin::elsewhere(subject) {
        Some(place) => format!("These are the moves of the {place}."),
        None => "Most of the moves are not legal here. Is this the divide of another position?"
            .to_owned(),
    }
}
