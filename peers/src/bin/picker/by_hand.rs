//! A picker on tabiya, as an engine's author would write it: the lists, the facts and the exchange
//! evaluation of the library, and stages of their own.

use tabiya::movegen::{Captures, Legal, Quiets};
use tabiya::order::{MvvLva, ScoredList, ScoredMove, Scorer, see_ge};
use tabiya::{Move, Position, Role};

use crate::{Contestant, History, Moves};

pub(crate) struct ByHand(pub(crate) Vec<Position>);

impl Contestant for ByHand {
    fn name(&self) -> &'static str {
        "tabiya, by hand"
    }

    #[inline(never)]
    fn run(&self, history: &History, limit: usize) -> Moves {
        let mut moves = Moves::default();
        for position in &self.0 {
            pick(position, history, limit, &mut moves);
        }
        moves
    }
}

/// Takes the moves of a position in their order. This stands for the loop over a node's moves.
fn pick(position: &Position, history: &History, mut limit: usize, moves: &mut Moves) {
    let generator = position.generator();
    let quiet = |_: &Position, role: Role, mv: Move| history[role as usize][mv.to() as usize];
    let mut list = ScoredList::new();
    if generator.facts().is_check() {
        let evasion = |position: &Position, role: Role, mv: Move| match mv.is_capture()
            || mv.is_promotion()
        {
            true => (1 << 30) + MvvLva::DEFAULT.score(position, role, mv),
            false => quiet(position, role, mv),
        };
        list.refill_with::<Legal>(&generator, &evasion);
        while limit > 0 && list.pop_best().is_some() {
            moves.evasions += 1;
            limit -= 1;
        }
        return;
    }

    let mut bad = 0;
    list.refill_with::<Captures>(&generator, &MvvLva::DEFAULT);
    while let Some(ScoredMove { mv, .. }) = list.pop_best() {
        if !see_ge(position, mv, 0) {
            bad += 1;
            continue;
        }
        moves.good_captures += 1;
        limit -= 1;
        if limit == 0 {
            return;
        }
    }
    list.refill_with::<Quiets>(&generator, &quiet);
    while list.pop_best().is_some() {
        moves.quiets += 1;
        limit -= 1;
        if limit == 0 {
            return;
        }
    }
    moves.bad_captures += bad.min(limit) as u64;
}
