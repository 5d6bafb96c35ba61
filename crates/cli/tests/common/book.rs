//! A small opening book, for several test targets.

use tabiya::Position;
use tabiya::polyglot::Entry;

/// A book with three moves for the start position and one after 1. e4 e5.
pub(crate) fn small() -> Vec<u8> {
    let start = Position::START;
    let entry = |position: &Position, text: &str, weight| {
        Entry::new(position, position.parse_uci(text).unwrap(), weight)
    };
    let play = |position: &Position, text: &str| position.play(position.parse_uci(text).unwrap());
    let open = play(&play(&start, "e2e4"), "e7e5");
    let mut entries = vec![
        entry(&start, "g1f3", 15),
        entry(&start, "e2e4", 60),
        entry(&start, "d2d4", 45),
        entry(&open, "g1f3", 1),
    ];
    entries.sort_by_key(|entry| entry.key);
    entries.into_iter().flat_map(Entry::to_bytes).collect()
}
