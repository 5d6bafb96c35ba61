//! Hyperbola quintessence: o^(o-2r) along files and diagonals, and a table for ranks.

use tabiya::{Bitboard, Direction, Role, attacks};

use super::step::{Recorder, equation, halves, in_words, input, made, mask};

pub(super) fn record(recorder: &mut Recorder, slider: Role) {
    for half in halves(slider) {
        if half == Role::Rook {
            across(recorder, "file", Direction::North);
            rank(recorder);
        } else {
            across(recorder, "diagonal", Direction::NorthEast);
            across(recorder, "anti-diagonal", Direction::NorthWest);
        }
    }
}

/// A line that has one square on each rank, so that a byte swap mirrors it.
fn across(recorder: &mut Recorder, name: &'static str, direction: Direction) {
    let (square, occupied, slider) = (recorder.square, recorder.occupied, recorder.slider());
    recorder.part = name;

    let line = attacks::through(square, direction);
    let table = name.to_uppercase().replace('-', "_");
    recorder.add(
        "line",
        equation("line", &format!("{table}[{square}]"), line),
        [input("slider", slider), mask("line", line)],
        format!("The {name} through {square}, without {square} itself: {}.", in_words(line)),
    );

    let blockers = occupied & line;
    recorder.add(
        "blockers",
        equation("blockers", "occupied & line", blockers),
        [input("occupied", occupied), mask("line", line), made("blockers", blockers)],
        format!(
            "On the {name}: {}. This is o - r, because the line leaves out the slider.",
            in_words(blockers)
        ),
    );

    let up = Bitboard(blockers.0.wrapping_sub(slider.0));
    recorder.add(
        "subtract",
        equation("up", "blockers - slider", up),
        [input("blockers", blockers), input("slider", slider), made("up", up)],
        match (blockers & attacks::ray(square, direction)).first() {
            Some(first) => format!(
                "o - 2r: the subtraction borrows from {first}, the first blocker above: its bit is \
                 cleared, and every bit from {square} up to it is set."
            ),
            None => "o - 2r: with no blocker above on the line, the borrow runs off the board."
                .to_owned(),
        },
    );

    let mirrored = blockers.flip_ranks();
    let mirrored_slider = slider.flip_ranks();
    recorder.add(
        "mirror",
        [
            equation("mirrored", "byteswap(blockers)", mirrored),
            equation("mirrored_slider", "byteswap(slider)", mirrored_slider),
        ]
        .join("\n"),
        [
            input("blockers", blockers),
            input("slider", slider),
            made("mirrored", mirrored),
            made("mirrored_slider", mirrored_slider),
        ],
        format!(
            "A byte swap exchanges the ranks. What was below {square} now has the higher bits."
        ),
    );

    let down = Bitboard(mirrored.0.wrapping_sub(mirrored_slider.0));
    recorder.add(
        "subtract-mirrored",
        equation("down", "mirrored - mirrored_slider", down),
        [
            input("mirrored", mirrored),
            input("mirrored_slider", mirrored_slider),
            made("down", down),
        ],
        "The same subtraction on the mirrored board.".to_owned(),
    );

    let back = down.flip_ranks();
    recorder.add(
        "mirror-back",
        equation("back", "byteswap(down)", back),
        [input("down", down), made("back", back)],
        "A second byte swap puts the ranks back in their places.".to_owned(),
    );

    let open = (up ^ back) & line;
    recorder.add_attacks(
        "open",
        (open, equation("open", "(up ^ back) & line", open)),
        [input("up", up), input("back", back), mask("line", line)],
        attacked(name, open),
    );
}

/// A rank lies in one byte, which a byte swap does not mirror: its attacks are looked up.
fn rank(recorder: &mut Recorder) {
    let (square, occupied) = (recorder.square, recorder.occupied);
    recorder.part = "rank";

    let first = square as u32 & 56;
    let inner = occupied.0 >> (first + 1) & 63;
    let squares = Bitboard(63 << (first + 1));
    recorder.add_number(
        "inner",
        (inner, format!("inner = occupied >> {} & 63 = {inner}", first + 1)),
        [
            input("occupied", occupied),
            mask("squares", squares),
            made("blockers", occupied & squares),
        ],
        format!(
            "A rank is one byte, which a byte swap does not mirror. So the six inner squares of \
             rank {} become a number: {inner}, or {inner:06b} in binary with the b-file last.",
            square.rank(),
        ),
    );

    let row = attacks::first_rank(inner as u8, square.file());
    recorder.add_number(
        "look-up",
        (row.into(), format!("row = FIRST_RANK[{inner}][{}] = {row:#04x}", square.file())),
        [made("row", Bitboard(row.into()))],
        format!(
            "The table has the attacks of a slider on the {}-file of the first rank with these \
             blockers.",
            square.file()
        ),
    );

    let open = Bitboard(u64::from(row) << first);
    recorder.add_attacks(
        "open",
        (open, equation("open", &format!("row << {first}"), open)),
        [input("row", Bitboard(row.into()))],
        attacked("rank", open),
    );
}

fn attacked(name: &str, open: Bitboard) -> String {
    format!("Attacked on the {name}: {}.", in_words(open))
}
