//! Shifts: a step in a direction moves all bits by the same number of places. A mask drops the
//! squares of the file from which a step would wrap round the edge.

use tabiya::{Bitboard, Color, Direction, File, Piece, Role};

use Direction::{East, North, South, West};

use super::step::{
    NamedSet, Recorder, direction_name, directions, equation, in_words, input, made, mask, removed,
    shift_text,
};

pub(super) fn record(recorder: &mut Recorder, piece: Piece) {
    recorder.part = piece.role.name();
    match piece.role {
        Role::Pawn => pawn(recorder, piece.color),
        Role::Knight => knight(recorder),
        Role::King => king(recorder),
        slider => {
            for direction in directions(slider) {
                slide(recorder, direction);
            }
        }
    }
}

type Set = (&'static str, Bitboard);

fn start(recorder: &mut Recorder, role: Role) -> Set {
    let (name, square, set) = (role.name(), recorder.square, recorder.slider());
    recorder.add(
        "start",
        equation(name, &format!("1 << {}", square as u8), set),
        [made(name, set)],
        format!("The {name} on {square}, square number {}, is one bit.", square as u8),
    );
    (name, set)
}

/// One step of a knight, a king or a pawn.
fn shift(recorder: &mut Recorder, from: Set, direction: Direction, name: &'static str) -> Set {
    let to = from.1.shift(direction);
    let (expression, mut sets) = shifted(from, direction);
    let caption = caption(from.1, direction, to);
    sets.push(made(name, to));
    recorder.add("shift", equation(name, &expression, to), sets, caption);
    (name, to)
}

/// The expression of a shift with its mask, and the sets in it. The squares that the mask drops are
/// shown at the places to which they would wrap.
fn shifted((name, from): Set, direction: Direction) -> (String, Vec<NamedSet>) {
    let (mask_name, edge) = match direction.files() {
        1 => ("~file-h", File::H.bitboard()),
        -1 => ("~file-a", File::A.bitboard()),
        _ => return (shift_text(name, 1, direction), vec![input(name, from)]),
    };
    let expression = shift_text(&format!("({name} & {mask_name})"), 1, direction);
    (
        expression,
        vec![
            input(name, from),
            mask(mask_name, !edge),
            removed("wrapped", wrapped(from & edge, direction)),
        ],
    )
}

/// The squares to which a shift without a mask would move those of an edge.
fn wrapped(edge: Bitboard, direction: Direction) -> Bitboard {
    let places = direction.offset().unsigned_abs();
    Bitboard(if direction.is_rising() { edge.0 << places } else { edge.0 >> places })
}

fn caption(from: Bitboard, direction: Direction, to: Bitboard) -> String {
    let name = direction_name(direction);
    let edge = match direction.files() {
        1 => File::H.bitboard(),
        -1 => File::A.bitboard(),
        _ => Bitboard::EMPTY,
    };
    let wrong = wrapped(from & edge, direction);
    let arrival = match to.is_empty() {
        true => format!("Nothing arrives to the {name}"),
        false => format!("One step to the {name}: {}", in_words(to)),
    };
    if wrong.any() {
        let separator = if to.is_empty() { ":" } else { "." };
        let the = if to.is_empty() { "the" } else { "The" };
        return format!(
            "{arrival}{separator} {the} mask drops what would wrap round to {}.",
            in_words(wrong)
        );
    }
    format!("{arrival}.")
}

/// A union of two sets.
fn union(recorder: &mut Recorder, a: Set, b: Set, name: &'static str) -> Set {
    let both = a.1 | b.1;
    recorder.add(
        "union",
        equation(name, &format!("{} | {}", a.0, b.0), both),
        [input(a.0, a.1), input(b.0, b.1), made(name, both)],
        format!("Both together: {}.", in_words(both)),
    );
    (name, both)
}

fn pawn(recorder: &mut Recorder, color: Color) {
    let pawn = start(recorder, Role::Pawn);
    let east = shift(recorder, pawn, East, "east");
    let west = shift(recorder, pawn, West, "west");
    let row = union(recorder, east, west, "row");
    let forward = color.forward();
    let (expression, sets) = shifted(row, forward);
    let open = row.1.shift(forward);
    recorder.add_attacks(
        "forward",
        (open, equation("forward", &expression, open)),
        sets,
        format!(
            "A {} pawn captures one rank to the {}: {}.",
            color.name(),
            direction_name(forward),
            in_words(open)
        ),
    );
}

fn king(recorder: &mut Recorder) {
    let king = start(recorder, Role::King);
    let east = shift(recorder, king, East, "east");
    let west = shift(recorder, king, West, "west");
    let sides = union(recorder, east, west, "sides");
    let row = union(recorder, king, sides, "row");
    let north = shift(recorder, row, North, "north");
    let south = shift(recorder, row, South, "south");
    let ranks = union(recorder, north, south, "ranks");
    let open = sides.1 | ranks.1;
    recorder.add_attacks(
        "around",
        (open, equation("around", "sides | ranks", open)),
        [input("sides", sides.1), input("ranks", ranks.1)],
        format!("The squares round the king: {}.", in_words(open)),
    );
}

fn knight(recorder: &mut Recorder) {
    let knight = start(recorder, Role::Knight);
    let east = shift(recorder, knight, East, "east");
    let west = shift(recorder, knight, West, "west");
    let one_file = union(recorder, east, west, "one_file");
    let east_2 = shift(recorder, east, East, "east_2");
    let west_2 = shift(recorder, west, West, "west_2");
    let two_files = union(recorder, east_2, west_2, "two_files");
    let north_2 = two_ranks(recorder, one_file, North, "north_2");
    let south_2 = two_ranks(recorder, one_file, South, "south_2");
    let tall = union(recorder, north_2, south_2, "tall");
    let north = shift(recorder, two_files, North, "north");
    let south = shift(recorder, two_files, South, "south");
    let wide = union(recorder, north, south, "wide");
    let open = tall.1 | wide.1;
    recorder.add_attacks(
        "jumps",
        (open, equation("jumps", "tall | wide", open)),
        [input("tall", tall.1), input("wide", wide.1)],
        format!("All jumps of the knight: {}.", in_words(open)),
    );
}

/// Two steps at once. Ranks need no mask, because squares that leave the board are shifted out of
/// the word.
fn two_ranks(recorder: &mut Recorder, from: Set, direction: Direction, name: &'static str) -> Set {
    let to = from.1.shift(direction).shift(direction);
    recorder.add(
        "shift",
        equation(name, &shift_text(from.0, 2, direction), to),
        [input(from.0, from.1), made(name, to)],
        format!("Two ranks to the {}: {}.", direction_name(direction), in_words(to)),
    );
    (name, to)
}

/// A slider goes one square at a time until it meets a piece or leaves the board.
fn slide(recorder: &mut Recorder, direction: Direction) {
    let (name, occupied) = (direction_name(direction), recorder.occupied);
    recorder.part = name;
    let mut at = recorder.slider();
    loop {
        let next = at.shift(direction);
        let from = at.first().unwrap_or(recorder.square);
        let (expression, mut sets) = shifted(("at", at), direction);
        sets.push(input("occupied", occupied));
        let caption = match next.first() {
            None => format!(
                "The step to the {name} from {from} leaves the board, so this ray is complete."
            ),
            Some(to) if next.meets(occupied) => {
                format!("{to} is attacked. A piece stands there, so this ray is complete.")
            }
            Some(to) => format!("{to} is attacked and empty, so the ray goes on."),
        };
        recorder.add_attacks("next", (next, equation("next", &expression, next)), sets, caption);
        if next.is_empty() || next.meets(occupied) {
            return;
        }
        at = next;
    }
}
