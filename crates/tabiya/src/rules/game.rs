//! A game from its start position, of any length.

use alloc::vec::Vec;
use core::fmt;

use super::history::History;
use super::outcome::Outcome;
use crate::moves::Move;
use crate::position::{IllegalMove, Position};

/// A game: the start position, the moves played, and all positions between them.
///
/// It knows what one position does not: the number of times a position has occurred. It compares
/// positions, not keys, so no repetition is reported by mistake.
///
/// Needs the feature `alloc`. Inside a search, use a [`History`].
///
/// ```
/// use tabiya::{Color, Game, Outcome};
/// let mut game = Game::new();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let mv = game.position().parse_uci(text).unwrap();
///     game.push(mv).unwrap();
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
/// game.pop();
/// assert_eq!((game.outcome(), game.moves().len()), (None, 3));
/// ```
#[doc(alias("Board", "move stack", "line"))]
#[derive(Clone, PartialEq, Eq)]
pub struct Game {
    /// One more than moves: the start, and the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Game {
    /// A game from the usual start position.
    pub fn new() -> Self {
        Self::from_position(Position::START)
    }

    /// A game from any position. Nothing is known about earlier moves.
    pub fn from_position(start: Position) -> Self {
        Self { positions: alloc::vec![start], moves: Vec::new() }
    }

    /// The position at the start of the game.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        // There is always the start.
        &self.positions[self.positions.len() - 1]
    }

    /// The moves that were played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The start position, and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Plays a move. A drawn game may continue, for example in an analysis.
    ///
    /// # Errors
    /// [`IllegalMove`] with every reason if the move is not legal. The game is then unchanged.
    ///
    /// ```
    /// use tabiya::{Game, Move, MoveKind, Square};
    /// let mut game = Game::new();
    /// let error = game.push(Move::new(Square::E2, Square::E5, MoveKind::Quiet)).unwrap_err();
    /// assert_eq!(error.to_string(), "e2e5 is not legal: a pawn on e2 cannot reach e5");
    /// ```
    #[doc(alias("play", "make_move"))]
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let after = self.position().try_play(mv)?;
        self.positions.push(after);
        self.moves.push(mv);
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start.
    #[doc(alias("undo", "take back", "unmake"))]
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The number of times the current position has occurred, including now.
    ///
    /// ```
    /// use tabiya::Game;
    /// let mut game = Game::new();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.push(game.position().parse_uci(text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.occurrences(), 2);
    /// ```
    #[doc(alias("repetition", "repetitions", "is_repetition"))]
    pub fn occurrences(&self) -> usize {
        let [before @ .., now] = &self.positions[..] else { return 0 };
        1 + occurrences(now, before)
    }

    /// The end of the game without a claim, or `None` if the game goes on.
    ///
    /// ```
    /// use tabiya::{Game, Outcome};
    /// let mut game = Game::new();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4) {
    ///     assert_eq!(game.outcome(), None);
    ///     game.push(game.position().parse_uci(text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.outcome(), Some(Outcome::FivefoldRepetition));
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome_with(self.occurrences())
    }

    /// The draw that the side to move may claim now.
    ///
    /// ```
    /// use tabiya::{Game, Outcome};
    /// let mut game = Game::new();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     assert_eq!(game.claim(), None);
    ///     game.push(game.position().parse_uci(text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.claim(), Some(Outcome::ThreefoldRepetition));
    /// // It is not over unless somebody claims.
    /// assert_eq!(game.outcome(), None);
    /// ```
    #[doc(alias("can_claim_draw", "can_claim_threefold_repetition"))]
    pub fn claim(&self) -> Option<Outcome> {
        self.position().claim_with(self.occurrences())
    }

    /// The draw that the side to move may claim by announcing this move. After the move, the
    /// position occurs for the third time (or more often), or fifty moves are completed. For a
    /// claim without a move, see [`claim`](Self::claim).
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal.
    ///
    /// ```
    /// use tabiya::{Game, Outcome};
    /// let mut game = Game::new();
    /// let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
    /// for text in &moves[..7] {
    ///     game.push(game.position().parse_uci(text).unwrap()).unwrap();
    /// }
    /// let last = game.position().parse_uci("f6g8").unwrap();
    /// assert_eq!(game.claim_by(last), Ok(Some(Outcome::ThreefoldRepetition)));
    /// ```
    pub fn claim_by(&self, mv: Move) -> Result<Option<Outcome>, IllegalMove> {
        let after = self.position().try_play(mv)?;
        Ok(after.claim_on_arrival(1 + occurrences(&after, &self.positions)))
    }

    /// The history for a search from the current position.
    ///
    /// ```
    /// use tabiya::{Game, History};
    /// let history: History<256> = Game::new().history();
    /// assert_eq!(history.occurrences(), 1);
    /// ```
    pub fn history<const N: usize>(&self) -> History<N> {
        let mut history = History::new(self.start());
        self.positions[1..].iter().for_each(|after| history.advance(after));
        history
    }
}

/// The number of earlier positions that are equal to `position`. Positions before the last capture
/// or pawn move cannot be equal, so they are not compared, unless the clock has stopped at its
/// largest number.
fn occurrences(position: &Position, before: &[Position]) -> usize {
    let reversible = match position.halfmove_clock() {
        u16::MAX => before.len(),
        plies => usize::from(plies),
    };
    // Different keys mean different positions, and comparing them is faster.
    let same = |earlier: &&Position| earlier.key() == position.key() && *earlier == position;
    before.iter().rev().take(reversible).filter(same).count()
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("start", self.start()).field("moves", &self.moves).finish()
    }
}
