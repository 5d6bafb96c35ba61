//! The class of a divide whose moves are right, but whose numbers are wrong.

use tabiya::Position;

use crate::class::Class;
use crate::generator::Divide;
use crate::models::Model;
use crate::truth;

/// The class of a list of moves at depth 1, if some move is not counted as one.
pub(crate) fn wrong_ones(here: &Position, divide: &Divide) -> Option<Class> {
    if divide.moves.iter().all(|(_, count)| count.is_none_or(|it| it == 1)) {
        None
    } else if divide.sum() == truth::perft(here, 2) {
        Some(Class::CountingDepth)
    } else {
        Some(Class::CountingInteriorNodes)
    }
}

/// Is the number that of a counter with too few bits?
pub(crate) fn overflows(right: u128, told: u128) -> bool {
    [8, 16, 31, 32].iter().any(|bits| right >> bits > 0 && told == right & ((1 << bits) - 1))
}

/// The class of a total that is not the sum of the divide, if the numbers show it.
pub(crate) fn total_class(divide: &Divide, entries_are_right: bool) -> Class {
    let (sum, total) = (divide.sum(), divide.total.unwrap_or(0));
    if overflows(sum, total) {
        Class::CountingOverflow
    } else if entries_are_right && sum.checked_add(1) == Some(total) {
        Class::CountingInteriorNodes
    } else {
        Class::CountingTotal
    }
}

/// The class of the counting error that explains a count.
pub(crate) fn by_count(position: &Position, depth: u32, right: u128, got: u128) -> Option<Class> {
    let model = Model::explaining(position, depth, right, got)?;
    // Pseudo-legal counts have their own test, because every count below a position must fit.
    (model != Model::PseudoLeaves).then(|| model.class())
}
