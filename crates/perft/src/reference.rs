//! Perft in a few lines, which use only the library's move lists. All other counters are tested
//! against it.

use tabiya::Position;

/// Returns perft to depth `depth`. Makes every move except the last; the last legal moves are only
/// counted.
///
/// ```
/// use tabiya::Position;
/// assert_eq!(tabiya_perft::reference_perft(&Position::START, 3), 8902);
/// ```
pub fn reference_perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| reference_perft(&position.play(mv), depth - 1))
            .sum(),
    }
}
