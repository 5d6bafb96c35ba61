//! The plain walk over the library's public API: a list at interior nodes, a count above the
//! leaves. Every other counter is tested against it.

use tabiya::Position;

/// The number of legal games of `depth` half-moves from a position, by the plain walk.
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
