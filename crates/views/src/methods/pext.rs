//! PEXT: the relevant blockers, packed, are the index. The table's sets are packed as well.
//!
//! The library's own table exists only where the instructions do. Here its entry is made in the
//! same way, by packing an attack set.

use tabiya::attacks::{self, Magic, relevant};
use tabiya::{Bitboard, Role};

use super::magic;
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
    // Both tables have a run of the same length for each square, so the runs begin at the same
    // places.
    let (squares, lines, attacks, start) = match slider {
        Role::Rook => (
            relevant::rook(square),
            attacks::rook_rays(square),
            attacks::rook(square, occupied),
            Magic::rook_entry(square).start,
        ),
        _ => (
            relevant::bishop(square),
            attacks::bishop_rays(square),
            attacks::bishop(square, occupied),
            Magic::bishop_entry(square).start,
        ),
    };
    recorder.part = name;
    magic::relevant(recorder, &table, name, squares);

    let index = occupied.gather(squares);
    let bits = squares.len() as usize;
    recorder.add_number(
        "extract",
        (index, format!("index = pext(occupied, mask) = {index}")),
        [input("occupied", occupied), mask("mask", squares), made("index", Bitboard(index))],
        format!(
            "pext gathers the bits of the occupancy under the mask into the low bits, from a1 on: \
             {index:0bits$b} in binary, so the index is {index}."
        ),
    );

    let packed = attacks.gather(lines);
    recorder.add_number(
        "look-up",
        (packed, format!("packed = {table}_PACKED[{start} + {index}] = {packed:#06x}")),
        [made("packed", Bitboard(packed))],
        format!(
            "The table has the attacks in 16 bits: one bit for each of the {} squares that a {name} on \
             {square} attacks on an empty board.",
            lines.len()
        ),
    );

    recorder.add_attacks(
        name,
        (attacks, equation(name, "pdep(packed, lines)", Bitboard::scatter(packed, lines))),
        [input("packed", Bitboard(packed)), mask("lines", lines)],
        format!(
            "pdep spreads the packed bits over the lines of the {name}. Attacked: {}.",
            in_words(attacks)
        ),
    );
}
