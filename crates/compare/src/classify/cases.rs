//! The errors in a list, by class.

use std::collections::BTreeMap;

use tabiya::{Move, Position, UciMove};

use super::extra::extra;
use super::missing::missing;
use crate::case::{Case, Diff};
use crate::class::Class;
use crate::models;
use crate::reading::wrong_promotion;

/// A wrong move of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    /// An illegal move that is listed.
    Extra(UciMove),
    /// A legal move that is not listed.
    Missing(Move),
    /// A legal move that is listed more than once.
    Duplicated(Move),
}

/// The errors in a list, by class. `refine` may know a class better than one position shows.
pub(crate) fn cases(
    (start, path, depth): (&Position, &[Move], u32),
    diff: &Diff,
    expected: u128,
    refine: &mut dyn FnMut(Class, Wrong) -> Class,
) -> Vec<Case> {
    let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
    /// Moves of one class: extra, missing and duplicated.
    type Moves = (Vec<String>, Vec<Move>, Vec<Move>);
    let mut by_class: BTreeMap<Class, Moves> = BTreeMap::new();
    let ends = diff.got == 0 && expected > 0;
    if ends && (here.halfmove_clock() >= 100 || models::is_bare(here.board())) {
        let class =
            if models::is_bare(here.board()) { Class::EndBareKings } else { Class::EndFiftyMoves };
        by_class.insert(class, (Vec::new(), diff.missing.clone(), Vec::new()));
    } else {
        for told in &diff.extra {
            let class = match told.uci() {
                Some(uci) => refine(extra(&here, uci), Wrong::Extra(uci)),
                None if wrong_promotion(&told.text()) => Class::PromotionRole,
                None => Class::MoveExtra,
            };
            by_class.entry(class).or_default().0.push(told.text());
        }
        for &mv in &diff.missing {
            let class = missing(&here, mv, &diff.missing);
            let class = refine(class, Wrong::Missing(mv));
            // A push without a promotion has the same class as the promotions that it replaces.
            by_class.entry(class).or_default().1.push(mv);
        }
        for &mv in &diff.duplicated {
            let class =
                if mv.is_promotion() { Class::PromotionDuplicated } else { Class::DuplicatedMove };
            let class = refine(class, Wrong::Duplicated(mv));
            by_class.entry(class).or_default().2.push(mv);
        }
        // The moves of the other side stand in place of the right ones.
        if by_class.contains_key(&Class::WrongSide) {
            let all = std::mem::take(&mut by_class).into_values();
            let all = all.fold(Moves::default(), |mut all, (extra, missing, duplicated)| {
                all.0.extend(extra);
                all.1.extend(missing);
                all.2.extend(duplicated);
                all
            });
            by_class.insert(Class::WrongSide, all);
        }
    }
    by_class
        .into_iter()
        .map(|(class, (extra, missing, duplicated))| Case {
            extra,
            missing,
            duplicated,
            ..Case::of_count(class, (start, path, depth), expected, Some(diff.got))
        })
        .collect()
}
