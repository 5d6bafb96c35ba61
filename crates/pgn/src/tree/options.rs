//! The parts of a game to write.

/// The parts of a game that are written. All of them by default.
///
/// ```
/// use tabiya_pgn::{GameTree, Reader, WriteOptions};
///
/// let pgn = b"1. e4 {[%clk 0:03:00] best by test} e5 $6 (1... c5) *";
/// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
/// let mut options = WriteOptions::default();
/// options.clocks = false;
/// options.variations = false;
/// assert!(tree.to_pgn(&options).unwrap().ends_with("\n1. e4 {best by test} 1... e5 $6 *\n\n"));
/// # Ok::<(), tabiya_pgn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each switches a part of a game on or off")]
pub struct WriteOptions {
    /// Comments.
    pub comments: bool,
    /// The times in comments, `[%clk]` and `[%emt]`.
    pub clocks: bool,
    /// Glyphs.
    pub nags: bool,
    /// Variations.
    pub variations: bool,
    /// The largest number of bytes in a line. Longer lines occur only in comments that cannot be
    /// broken.
    pub width: usize,
    /// The seven tags of the roster first, then the others sorted by name, as the export format
    /// demands. Otherwise the tags of the game as they are.
    pub sort_tags: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            comments: true,
            clocks: true,
            nags: true,
            variations: true,
            width: 79,
            sort_tags: true,
        }
    }
}
