//! Kogge-Stone fills: three rounds of doubling in each direction.

use tabiya::attacks::kogge_stone::{landing, round};
use tabiya::{Direction, Role};

use super::classical::ending;
use super::step::{
    Recorder, direction_name, directions, equation, in_words, input, made, mask, shift_text,
};

/// The names of the fill and of the free squares before each round, by the squares that a jump of
/// the round covers.
const ROUNDS: [(u32, [&str; 2], [&str; 2]); 3] = [
    (1, ["fill_1", "free_1"], ["fill_2", "free_2"]),
    (2, ["fill_2", "free_2"], ["fill_4", "free_4"]),
    (4, ["fill_4", "free_4"], ["fill_8", "free_8"]),
];

pub(super) fn record(recorder: &mut Recorder, slider: Role) {
    for direction in directions(slider) {
        along(recorder, direction);
    }
}

fn along(recorder: &mut Recorder, direction: Direction) {
    let name = direction_name(direction);
    let (square, occupied) = (recorder.square, recorder.occupied);
    recorder.part = name;

    let landing = landing(direction);
    let mut free = !occupied & landing;
    let mut filled = recorder.slider();
    recorder.add(
        "free",
        equation("free_1", "~occupied & landing", free),
        [input("occupied", occupied), mask("landing", landing), made("free_1", free)],
        format!(
            "The empty squares on which a step to the {name} can end. The edge at which a shift would \
             wrap round is left out.",
        ),
    );

    for (steps, [fill_name, free_name], [next_fill_name, next_free_name]) in ROUNDS {
        let [next, next_free] = round(filled, free, steps, direction);
        let fill_shift = shift_text(fill_name, steps, direction);
        let mut arithmetic =
            equation(next_fill_name, &format!("{fill_name} | {free_name} & {fill_shift}"), next);
        let mut sets =
            vec![input(fill_name, filled), mask(free_name, free), made(next_fill_name, next)];
        // The last round prepares no other.
        if steps < 4 {
            let free_shift = shift_text(free_name, steps, direction);
            let expression = format!("{free_name} & {free_shift}");
            arithmetic += &format!("\n{}", equation(next_free_name, &expression, next_free));
            sets.push(made(next_free_name, next_free));
        }
        let reached = next - filled;
        let caption = format!(
            "A jump of {steps}: {}{}.",
            match reached.is_empty() {
                true => "the fill does not grow".to_owned(),
                false => format!("the fill reaches {}", in_words(reached)),
            },
            match steps {
                1 => ". What stays free has a free square before it, so the next jump may take two",
                2 =>
                    ". What stays free has three free squares before it, so the next jump may take four",
                _ => "",
            },
        );
        recorder.add("round", arithmetic, sets, caption);
        (filled, free) = (next, next_free);
    }

    let open = filled.shift(direction);
    let function = name.replace('-', "_");
    recorder.add_attacks(
        "open",
        (open, equation("open", &format!("{function}(fill_8)"), open)),
        [input("fill_8", filled)],
        format!("One more step takes the blocker too. {}", ending(square, name, open)),
    );
}
