//! The moves of a comparison, one by one.

use serde::Serialize;
use tabiya::{Move, Position};

use crate::case::Diff;
use crate::divide::Divide;
use crate::finding::Finding;
use crate::truth::{self, Told};

/// The result of comparing a move of a divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MoveState {
    /// The count is right, or the move is listed without one.
    Same,
    /// The count is wrong.
    Differs,
    /// The move is legal, but not listed.
    Missing,
    /// The move is listed, but not legal.
    Illegal,
    /// The move is listed twice.
    Twice,
    /// The right count is not known yet.
    Uncounted,
    /// The text has no moves to compare.
    Unknown,
}

impl MoveState {
    /// Is this an error of the program?
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Differs | Self::Missing | Self::Illegal | Self::Twice)
    }
}

/// A move of a divide: the right count and the one in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedMove {
    /// The move in UCI, or as the text writes it if it is not a UCI move.
    pub uci: String,
    /// The move in SAN, if it is legal.
    pub san: Option<String>,
    /// The move in the text's notation, if it is listed.
    pub written: Option<String>,
    /// The result of the comparison.
    pub state: MoveState,
    /// The right count; 0 for an illegal move.
    pub right: Option<u128>,
    /// The count in the text.
    pub theirs: Option<u128>,
    /// The count in the text minus the right one.
    pub difference: Option<i128>,
    /// The name of the class, for a move that is missing, illegal or listed twice.
    pub class: Option<&'static str>,
    /// Why the move is illegal, or why it is legal.
    pub reason: Option<String>,
}

impl ComparedMove {
    pub(super) fn is_missing(&self) -> bool {
        self.state == MoveState::Missing
    }

    /// Removes the result, because there is nothing to compare with.
    pub(super) fn forget(&mut self) {
        self.state = MoveState::Unknown;
        self.class = None;
        self.reason = None;
    }
}

pub(super) fn rows(
    here: &Position,
    divide: &Divide,
    diff: &Diff,
    right_of: &dyn Fn(Move) -> Option<u128>,
) -> Vec<ComparedMove> {
    let told: Vec<(Told, &(String, Option<u128>))> =
        divide.moves.iter().map(|it| (truth::resolve(here, &it.0), it)).collect();
    let legal = here.legal_moves().into_iter().map(|mv| {
        let entry = told.iter().find(|(told, _)| *told == Told::Legal(mv)).map(|it| it.1);
        let (right, theirs) = (right_of(mv), entry.and_then(|it| it.1));
        let state = match (entry, right, theirs) {
            (None, ..) => MoveState::Missing,
            _ if diff.duplicated.contains(&mv) => MoveState::Twice,
            (_, None, _) => MoveState::Uncounted,
            (_, Some(right), Some(theirs)) if right != theirs => MoveState::Differs,
            _ => MoveState::Same,
        };
        ComparedMove {
            uci: here.uci(mv).to_string(),
            san: Some(here.san(mv).to_string()),
            written: entry.map(|it| it.0.clone()),
            state,
            right,
            theirs,
            difference: right.zip(theirs).map(|(right, theirs)| difference(right, theirs)),
            class: None,
            reason: None,
        }
    });
    let illegal = told.iter().filter(|(told, _)| !matches!(told, Told::Legal(_)));
    let illegal = illegal.map(|(told, (written, theirs))| ComparedMove {
        uci: told.text(),
        san: None,
        written: Some(written.clone()),
        state: MoveState::Illegal,
        right: Some(0),
        theirs: *theirs,
        difference: theirs.map(|it| difference(0, it)),
        class: None,
        reason: None,
    });
    legal.chain(illegal).collect()
}

fn difference(right: u128, theirs: u128) -> i128 {
    let size = i128::try_from(right.abs_diff(theirs)).unwrap_or(i128::MAX);
    if theirs < right { -size } else { size }
}

/// Adds the classes and reasons of the findings to the moves.
pub(super) fn explain(rows: &mut [ComparedMove], findings: &[Finding]) {
    for row in rows.iter_mut().filter(|it| it.state.is_wrong() && it.state != MoveState::Differs) {
        let guilty = findings.iter().find(|it| {
            let all = [&it.extra, &it.missing, &it.duplicated];
            all.into_iter().any(|moves| moves.contains(&row.uci))
        });
        if let Some(finding) = guilty {
            row.class = Some(finding.class.name());
            row.reason = finding.reasons.get(&row.uci).cloned();
        }
    }
}

/// The moves to examine: the smallest difference first, then the smallest count.
pub(super) fn descend(rows: &[ComparedMove], depth: u32) -> Vec<String> {
    if depth < 2 {
        return Vec::new();
    }
    let mut wrong: Vec<&ComparedMove> =
        rows.iter().filter(|it| it.state == MoveState::Differs).collect();
    wrong.sort_by_key(|it| (it.difference.map(i128::unsigned_abs), it.right));
    wrong.into_iter().map(|it| it.uci.clone()).collect()
}
