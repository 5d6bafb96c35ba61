//! Remarks on a pasted text as a whole.

use serde::Serialize;

use super::{ComparedMove, MoveState, Subject, origin};

/// The kind of remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RemarkKind {
    /// The text has a total and no moves.
    TotalOnly,
    /// The text has moves and no counts.
    MovesOnly,
    /// Moves are missing, but the total includes them: lines were not copied.
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

pub(super) fn remarks(subject: &Subject<'_>, rows: &[ComparedMove]) -> Vec<Remark> {
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
    if is_incomplete(subject, rows) {
        remark(
            RemarkKind::Incomplete,
            "The total is right, and so is every count that is listed: the missing lines were not copied.",
        );
    }
    if subject.diff.extra.len() * 2 > divide.moves.len() || origin::is_of_other_position(subject) {
        remark(RemarkKind::OtherPosition, &of_other_position(subject));
    }
    let is_unlike = divide.total.is_some_and(|total| total != divide.sum());
    if divide.is_counted() && is_unlike && !is_incomplete(subject, rows) {
        remark(
            RemarkKind::TotalUnlikeSum,
            "The total is not the sum of the counts that are listed.",
        );
    }
    remarks
}

fn is_incomplete(subject: &Subject<'_>, rows: &[ComparedMove]) -> bool {
    let is_right = subject.divide.total.is_some() && subject.divide.total == subject.right_total;
    let has_counts = subject.divide.moves.iter().any(|(_, count)| count.is_some());
    is_right
        && has_counts
        && rows.iter().any(ComparedMove::is_missing)
        && rows.iter().all(|it| matches!(it.state, MoveState::Same | MoveState::Missing))
}

/// The text of the remark. It names the position if the moves belong to a known one.
fn of_other_position(subject: &Subject<'_>) -> String {
    match origin::elsewhere(subject) {
        Some(place) => format!("These are the moves of the {place}."),
        None => "Most of the moves are not legal here. Is this the divide of another position?"
            .to_owned(),
    }
}
