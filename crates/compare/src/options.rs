//! The options of a hunt.

use std::fmt;

use tabiya::{Move, Position};

use crate::generator::Generator;

/// The options of a hunt.
///
/// ```
/// use tabiya_compare::Options;
/// let options = Options { first: true, ..Options::default() };
/// assert_eq!(options.seed, 1);
/// ```
pub struct Options<'a> {
    /// The positions to ask about. If there are none, and no lines, the ladder is used.
    pub positions: Vec<Position>,
    /// Positions to ask about together with moves to play from them, for bugs that show only after
    /// moves. A program that plays no moves is asked about the last positions.
    pub lines: Vec<(Position, Vec<Move>)>,
    /// The greatest depth. `None` means the depth that the number of leaf nodes allows.
    pub depth: Option<u32>,
    /// End with the first finding.
    pub first: bool,
    /// Hunt in Chess960.
    pub chess960: bool,
    /// Also ask about positions that no game can reach.
    pub impossible: bool,
    /// The seed of the random games and placements.
    pub seed: u64,
    /// The number of questions after which the ladder ends. `None` means no limit.
    pub questions: Option<u64>,
    /// Is the budget spent? Called before each question.
    pub stop: &'a dyn Fn() -> bool,
    /// Is there time for a question with this many leaf nodes? If not, the step of the ladder is
    /// skipped.
    pub affords: &'a dyn Fn(u64) -> bool,
    /// Called with the progress of the hunt: the number of questions, the number of findings, and
    /// the next phase.
    pub progress: &'a dyn Fn(u64, usize, &str),
    /// A second generator that is asked about each finding.
    pub oracle: Option<&'a dyn Generator>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            lines: Vec::new(),
            depth: None,
            first: false,
            chess960: false,
            impossible: false,
            seed: 1,
            questions: None,
            stop: &|| false,
            affords: &|_| true,
            progress: &|_, _, _| {},
            oracle: None,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options")
            .field("positions", &self.positions.len())
            .field("lines", &self.lines.len())
            .field("depth", &self.depth)
            .field("first", &self.first)
            .field("chess960", &self.chess960)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
