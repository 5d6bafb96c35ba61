//! Magic multiplication: the relevant blockers, multiplied, give the index of the attack set.
//!
//! The multiplication is shown as the sum that it is, and its bits are traced to the blockers.

use tabiya::attacks::{self, Magic, MagicEntry};
use tabiya::{Bitboard, Role, Square};

use super::step::{Recorder, Trace, equation, halves, in_words, input, made, mask, removed};

pub(super) fn record(recorder: &mut Recorder, slider: Role) {
    for half in halves(slider) {
        look_up(recorder, half);
    }
}

fn look_up(recorder: &mut Recorder, slider: Role) {
    let (square, occupied) = (recorder.square, recorder.occupied);
    let name = slider.name();
    let table = name.to_uppercase();
    // The attack set is known without the table, so a page need not download the table.
    let (entry, attacks) = match slider {
        Role::Rook => (Magic::rook_entry(square), attacks::rook(square, occupied)),
        _ => (Magic::bishop_entry(square), attacks::bishop(square, occupied)),
    };
    recorder.part = name;
    relevant(recorder, &table, name, entry.mask);
    let blockers = occupied & entry.mask;
    let own = |blocker: Square| Trace { blocker, squares: blocker.bitboard() };
    recorder.trace(blockers.iter().map(own).collect());

    let sum = multiply(recorder, blockers, entry);
    let product = sum.bits();
    let bits = entry.mask.len() as usize;
    let index = product.0 >> entry.shift;
    let top = Bitboard(!0 << entry.shift);
    recorder.add_number(
        "index",
        (index, format!("index = product >> {} = {index}", entry.shift)),
        [input("product", product), mask("top", top)],
        format!(
            "The top {bits} bits of the product, one for each relevant square, are the index: \
             {index:0bits$b} in binary, {index}. Other blockers may have the same index only if they \
             leave the same attacks."
        ),
    );
    recorder.trace(sum.traces(blockers, top));

    let place = entry.index(occupied);
    let from = entry.start;
    recorder.add_attacks(
        name,
        (attacks, equation(name, &format!("{table}_ATTACKS[{from} + {index}]"), attacks)),
        [],
        format!(
            "The sets of {square} begin at place {from} of the table. Place {place} has the attacks: \
             {}.",
            in_words(attacks)
        ),
    );
}

/// The multiplication, as a sum of copies of the multiplier: one for each blocker.
fn multiply(recorder: &mut Recorder, blockers: Bitboard, entry: MagicEntry) -> Sum {
    let multiplier = Bitboard(entry.multiplier);
    let product = Bitboard(blockers.0.wrapping_mul(entry.multiplier));
    recorder.add(
        "multiply",
        equation("product", &format!("blockers * {:#018x}", entry.multiplier), product),
        [input("blockers", blockers), input("multiplier", multiplier), made("product", product)],
        format!(
            "The magic number of {}, found by trial and error. {}",
            recorder.square,
            match blockers.is_empty() {
                true => "Without blockers, the product is 0.",
                false =>
                    "The product is a sum: each blocker adds a copy of it, shifted by the number of \
                     the blocker's square.",
            }
        ),
    );
    let mut sum = Sum([Bitboard::EMPTY; 64]);
    for blocker in blockers {
        let (before, places) = (sum.bits(), blocker as u8);
        let copy = Bitboard(entry.multiplier << places);
        let met = sum.add(copy, blocker);
        recorder.add(
            "copy",
            [
                equation("copy", &format!("multiplier << {places}"), copy),
                equation("sum", "before + copy", sum.bits()),
            ]
            .join("\n"),
            [
                input("multiplier", multiplier),
                input("before", before),
                made("copy", copy),
                removed("met", met),
                made("sum", sum.bits()),
            ],
            format!(
                "{blocker} is square number {places}, so its copy is shifted by {places} places. {}",
                match (before.is_empty(), met.len()) {
                    (true, _) => "It is the first.".to_owned(),
                    (_, 0) => "It meets no other bit.".to_owned(),
                    _ => format!("On {}, two bits meet and carry into the next place.", in_words(met)),
                }
            ),
        );
        recorder.trace(sum.traces(blockers, Bitboard::FULL));
    }
    sum
}

/// A sum of copies: for each of its bits that is 1, the blockers whose copies made it.
struct Sum([Bitboard; 64]);

impl Sum {
    fn bits(&self) -> Bitboard {
        Square::ALL.into_iter().filter(|&place| self.0[place as usize].any()).collect()
    }

    /// The places of `within` that each blocker has made.
    fn traces(&self, blockers: Bitboard, within: Bitboard) -> Vec<Trace> {
        let has = |blocker| move |&place: &Square| self.0[place as usize].has(blocker);
        let trace =
            |blocker| Trace { blocker, squares: within.iter().filter(has(blocker)).collect() };
        blockers.iter().map(trace).collect()
    }

    /// Adds a copy as two half adders do for each place. Returns the places that carry.
    fn add(&mut self, copy: Bitboard, blocker: Square) -> Bitboard {
        let mut carried = Bitboard::EMPTY;
        let mut met = Bitboard::EMPTY;
        for place in Square::ALL {
            let added = if copy.has(place) { blocker.bitboard() } else { Bitboard::EMPTY };
            let (kept, first) = meet(self.0[place as usize], added);
            // If the first two have met, the place is free for what was carried.
            let (kept, second) = meet(kept, carried);
            self.0[place as usize] = kept;
            carried = first | second;
            if carried.any() {
                met |= place.bitboard();
            }
        }
        met
    }
}

/// Two bits of a place make one of the next: the blockers of what stays, and of what is carried.
fn meet(a: Bitboard, b: Bitboard) -> (Bitboard, Bitboard) {
    match a.any() && b.any() {
        true => (Bitboard::EMPTY, a | b),
        false => (a | b, Bitboard::EMPTY),
    }
}

/// The first two steps, which magic and PEXT share: the mask, and the blockers under it.
pub(super) fn relevant(recorder: &mut Recorder, table: &str, name: &str, squares: Bitboard) {
    let (square, occupied) = (recorder.square, recorder.occupied);
    recorder.add(
        "mask",
        equation("mask", &format!("{table}_MASK[{square}]"), squares),
        [input("slider", recorder.slider()), mask("mask", squares)],
        format!(
            "The squares on which a blocker changes what a {name} on {square} attacks. The last square \
             of a ray is not one of them, because nothing lies behind it."
        ),
    );
    let blockers = occupied & squares;
    recorder.add(
        "blockers",
        equation("blockers", "occupied & mask", blockers),
        [input("occupied", occupied), mask("mask", squares), made("blockers", blockers)],
        format!("The relevant blockers: {}.", in_words(blockers)),
    );
}
