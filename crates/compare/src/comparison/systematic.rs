//! Counting errors that the numbers alone show.

use tabiya::{Move, Position};

use super::{Above, ComparedMove, MoveState, Subject};
use crate::case::Case;
use crate::class::Class;
use crate::{classify, models, truth};

/// The largest count that models are tried on, because they count one more ply.
const MOST_LEAVES: u128 = 30_000;
/// The most leaf nodes that are counted to test whether the counts are those of another depth.
const MOST_IN_ALL: u128 = 4_000_000;
/// Fewer wrong counts, or counts to depth 1, fit a wrong model too easily.
const FEWEST: usize = 4;
/// The least number of moves that a position usually has.
const FEW_MOVES: u128 = 12;

/// Does a model of this class change most counts?
const fn is_general(class: Class) -> bool {
    matches!(class, Class::CountingInteriorNodes | Class::CountingDepth)
}

/// The class of the counting error that explains a count, if the count is small.
fn by_count(position: &Position, depth: u32, right: u128, got: u128) -> Option<Class> {
    if right > MOST_LEAVES || got == right {
        return None;
    }
    classify::by_count(position, depth, right, got)
}

/// The class of a count that is wrong although the position by itself is counted right.
pub(super) fn by_count_above(
    position: &Position,
    depth: u32,
    right: u128,
    above: &Above,
) -> Option<Class> {
    let got = above.count;
    by_count(position, depth, right, got)
        .filter(|&class| above.most_wrong || !is_general(class))
        .or_else(|| {
            let is_pseudo = right <= MOST_LEAVES && models::pseudo_leaves(position, depth) == got;
            is_pseudo.then_some(Class::CountingLeaf)
        })
}

/// A counting error that explains every wrong count that is small enough to test. It must be an
/// error that changes most counts: other errors are easier to find one ply deeper.
pub(super) fn of_counts(subject: &Subject<'_>, rows: &[ComparedMove]) -> Option<Case> {
    let depth = subject.asked.depth;
    let wrong = wrong_counts(subject, rows);
    if depth < 3 || wrong.len() < FEWEST || wrong.len() * 2 <= rows.len() {
        return None;
    }
    let got = Some(subject.divide.sum());
    if let Some(other) = other_depth(subject, &wrong) {
        let note = format!("the counts are those of depth {other}, not of depth {depth}");
        return Some(subject.case(Class::CountingDepth, got).with_note(note));
    }
    let mut classes = wrong
        .iter()
        .filter(|it| it.1 <= MOST_LEAVES)
        .take(6)
        .map(|&(mv, right, got)| by_count(&subject.here.play(mv), depth - 1, right, got));
    let first = classes.next()??;
    let is_same = classes.all(|it| it == Some(first));
    (is_general(first) && is_same).then(|| subject.case(first, got))
}

/// The moves with a wrong count, with the right count and the program's. The smallest right count
/// comes first.
fn wrong_counts(subject: &Subject<'_>, rows: &[ComparedMove]) -> Vec<(Move, u128, u128)> {
    let moves = subject.here.legal_moves();
    // The rows begin with the legal moves, in the same order.
    let mut wrong: Vec<(Move, u128, u128)> = moves
        .into_iter()
        .zip(rows)
        .filter(|(_, row)| row.state == MoveState::Differs)
        .filter_map(|(mv, row)| Some((mv, row.right?, row.theirs?)))
        .collect();
    wrong.sort_by_key(|it| it.1);
    wrong
}

/// The other depth that explains all counts that are small enough to test.
fn other_depth(subject: &Subject<'_>, wrong: &[(Move, u128, u128)]) -> Option<u32> {
    let depth = subject.asked.depth;
    [depth - 1, depth + 1].into_iter().find(|&other| {
        let (mut tested, mut leaves) = (0, 0);
        for &(mv, right, theirs) in wrong {
            // This estimates how long counting to the other depth takes.
            let cost =
                if other > depth { theirs.max(right * FEW_MOVES) } else { right / FEW_MOVES };
            leaves += cost;
            if leaves > MOST_IN_ALL {
                break;
            }
            if truth::perft(&subject.here.play(mv), other - 1) != theirs {
                return false;
            }
            tested += 1;
        }
        tested > 0
    })
}

/// A counting error that explains a total without a divide.
pub(super) fn of_total(subject: &Subject<'_>) -> Option<Case> {
    let (right, got) = (subject.right_total?, subject.divide.total?);
    if got == right {
        return subject.played();
    }
    let depth = subject.asked.depth;
    if right == 0 {
        return Some(subject.case(Class::EndStalemate, Some(got)));
    }
    let is_below = depth > 1
        && right / FEW_MOVES <= MOST_IN_ALL
        && truth::perft(subject.here, depth - 1) == got;
    if is_below {
        let note = format!("the count is that of depth {}, not of depth {depth}", depth - 1);
        return Some(subject.case(Class::CountingDepth, Some(got)).with_note(note));
    }
    let class = by_count(subject.here, depth, right, got)?;
    // For errors that show only in some positions, a divide tells more.
    let is_general = matches!(
        class,
        Class::CountingInteriorNodes | Class::CountingDepth | Class::CountingOverflow
    );
    is_general.then(|| subject.case(class, Some(got)))
}
