//! What the harness asks of a move generator.

/// A move generator that can count the leaves of a game tree.
pub(crate) trait Engine {
    /// Short name, as `--engines` takes it and as the reports show it.
    fn name(&self) -> &'static str;

    /// Counts the leaves `depth` plies below the position, as fast as the generator can
    /// while every leaf is still counted by generating (bulk counting, no transposition table
    /// unless the engine's name says so).
    ///
    /// The harness times the whole call, so the reading of the FEN is in the figure: some
    /// microseconds against some hundred milliseconds.
    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String>;
}
