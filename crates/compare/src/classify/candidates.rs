//! The classes that can explain a count at depth 1. Each comes with the number of its moves that a
//! wrong generator could list or leave out.

use std::collections::BTreeMap;

use tabiya::{Move, Position, Role, Square, UciMove};

use super::extra::extra;
use super::missing::missing;
use crate::class::Class;

/// The number of illegal moves of each class that a wrong generator could list.
pub(crate) fn extra_candidates(position: &Position) -> BTreeMap<Class, u128> {
    let mut found = BTreeMap::new();
    let last_rank = (!position.turn()).back_rank();
    for from in position.board().color(position.turn()) {
        for to in Square::ALL {
            let is_pawn = position.board().role_on(from) == Some(Role::Pawn);
            let promotion = (is_pawn && to.rank() == last_rank).then_some(Role::Queen);
            let uci = UciMove { from, to, promotion };
            if from == to || position.find_uci(uci).is_some() {
                continue;
            }
            let class = extra(position, uci);
            let count = if promotion.is_some() { 4 } else { 1 };
            *found.entry(class).or_insert(0) += count;
        }
    }
    let promotions = position.legal_moves().into_iter().filter(|mv| mv.is_promotion()).count();
    if promotions > 0 {
        found.insert(Class::PromotionDuplicated, promotions as u128);
    }
    found
}

/// The number of legal moves of each class that a wrong generator could leave out.
pub(crate) fn missing_candidates(position: &Position) -> BTreeMap<Class, u128> {
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let mut found = BTreeMap::new();
    for &mv in &moves {
        *found.entry(missing(position, mv, &moves)).or_insert(0) += 1;
    }
    let promotions = moves.iter().filter(|mv| mv.is_promotion()).count() as u128;
    if promotions > 0 {
        // All promotions except those to a queen.
        found.insert(Class::PromotionRole, promotions / 4 * 3);
    }
    found
}
