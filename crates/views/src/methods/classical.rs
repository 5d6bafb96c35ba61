//! Classical rays: the ray up to its first blocker.

use tabiya::{Bitboard, Direction, Role, Square, attacks};

use super::step::{
    Recorder, direction_name, directions, equation, in_words, input, made, mask, removed,
};

pub(super) fn record(recorder: &mut Recorder, slider: Role) {
    for direction in directions(slider) {
        along(recorder, direction);
    }
}

fn along(recorder: &mut Recorder, direction: Direction) {
    let name = direction_name(direction);
    let (square, occupied) = (recorder.square, recorder.occupied);
    let table = name.to_uppercase().replace('-', "_");
    recorder.part = name;

    let ray = attacks::ray(square, direction);
    recorder.add(
        "ray",
        equation("ray", &format!("{table}[{square}]"), ray),
        [input("slider", recorder.slider()), mask("ray", ray)],
        format!("The ray from {square} to the {name}: {}.", in_words(ray)),
    );

    let blockers = ray & occupied;
    recorder.add(
        "blockers",
        equation("blockers", "ray & occupied", blockers),
        [mask("ray", ray), input("occupied", occupied), made("blockers", blockers)],
        match blockers.is_empty() {
            true => "No piece stands on the ray.".to_owned(),
            false => format!("The pieces on the ray: {}.", in_words(blockers)),
        },
    );

    // Without a blocker, the last square in the order of numbers takes its place.
    let (first, expression) = if direction.is_rising() {
        let first = (blockers | Square::H8.bitboard()).0.trailing_zeros();
        (first, "trailing_zeros(blockers | h8)")
    } else {
        let first = 63 - (blockers | Square::A1.bitboard()).0.leading_zeros();
        (first, "63 - leading_zeros(blockers | a1)")
    };
    let at = Square::ALL[first as usize & 63];
    recorder.add_number(
        "first",
        (first.into(), format!("first = {expression} = {first}")),
        [input("blockers", blockers), made("blocker", at.bitboard())],
        if blockers.is_empty() {
            format!(
                "Without a blocker, {at} takes its place: no ray to the {name} goes on from there."
            )
        } else {
            format!("The blocker nearest to the {name} is on {at}, square number {first}.")
        },
    );

    let behind = attacks::ray(at, direction);
    recorder.add(
        "behind",
        equation("behind", &format!("{table}[{at}]"), behind),
        [mask("ray", ray), input("blocker", at.bitboard()), removed("behind", behind)],
        match behind.is_empty() {
            true => format!("Nothing lies to the {name} of {at}."),
            false => format!("The ray from {at} is the part that it hides: {}.", in_words(behind)),
        },
    );

    let open = ray ^ behind;
    recorder.add_attacks(
        "open",
        (open, equation("open", "ray ^ behind", open)),
        [input("ray", ray), removed("behind", behind)],
        ending(square, name, open),
    );
}

/// The last caption of a direction.
pub(super) fn ending(square: Square, name: &str, open: Bitboard) -> String {
    match open.is_empty() {
        true => format!("To the {name} of {square} there is no square."),
        false => format!("Attacked to the {name}: {}.", in_words(open)),
    }
}
