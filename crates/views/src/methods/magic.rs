//! Magic multiplication: the relevant blockers, multiplied, give the index of the attack set.

use tabiya::attacks::{self, Magic};
use tabiya::{Bitboard, Role};

use super::step::{Recorder, equation, halves, in_words, input, made, mask};

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
    let multiplier = Bitboard(entry.multiplier);
    let product = Bitboard(blockers.0.wrapping_mul(entry.multiplier));
    recorder.add(
        "multiply",
        equation("product", &format!("blockers * {:#018x}", entry.multiplier), product),
        [input("blockers", blockers), input("multiplier", multiplier), made("product", product)],
        format!(
            "A multiplication adds up copies of the blockers, each shifted by a bit of the multiplier \
             of {square}. It was found by trial and error: it brings the blockers into the top {} bits.",
            entry.mask.len()
        ),
    );

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
