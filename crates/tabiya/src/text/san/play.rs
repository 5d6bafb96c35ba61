//! Playing the move that text in standard algebraic notation means.

use super::read::PlainText;
use super::{San, SanError};
use crate::color::{Black, Color, Side, White};
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;

impl Position {
    /// Reads a legal move in standard algebraic notation, and writes the position after it into
    /// `after`. This is the fastest way to replay a game: two positions that take turns are never
    /// copied.
    ///
    /// The text is read as by [`San::from_ascii`], and the move is the one that
    /// [`find_san`](Self::find_san) finds. If there is no legal move, `after` does not change.
    ///
    /// # Errors
    /// [`SanError`] as for these two.
    ///
    /// ```
    /// use tabiya::Position;
    /// let [mut first, mut second] = [Position::START, Position::START];
    /// Position::START.play_san(b"e4", &mut first)?;
    /// first.play_san(b"c5", &mut second)?;
    /// second.play_san(b"Nf3", &mut first)?;
    /// assert_eq!(
    ///     first.fen().to_string(),
    ///     "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    /// );
    /// assert!(first.play_san(b"Ke6", &mut second).is_err());
    /// # Ok::<(), tabiya::SanError>(())
    /// ```
    #[doc(alias("push_san", "replay"))]
    #[inline]
    pub fn play_san(&self, text: &[u8], after: &mut Self) -> Result<Move, SanError> {
        match self.play_plain_san(text, after) {
            Some(mv) => Ok(mv),
            None => self.play_other_san(text, after),
        }
    }

    /// Plays most moves of most files.
    fn play_plain_san(&self, text: &[u8], after: &mut Self) -> Option<Move> {
        let plain = PlainText::read(text)?;
        match self.turn() {
            Color::White => self.play_plain_text::<White>(&plain, after),
            Color::Black => self.play_plain_text::<Black>(&plain, after),
        }
    }

    #[inline(always)]
    fn play_plain_text<S: Side>(&self, plain: &PlainText, after: &mut Self) -> Option<Move> {
        let &PlainText { role, origins, to } = plain;
        // A single condition. With two, the compiler would branch on pawn or piece and duplicate
        // all the code that follows.
        if (role == Role::Pawn) & (Some(to) == self.en_passant()) {
            return None;
        }
        let (from, kind) = self.find_plain::<S>(role, origins, to)?;
        let from = from.first_unchecked();
        *after = self.after_unpredictable::<S>(role, from, to, kind);
        Some(Move::new(from, to, kind))
    }

    #[cold]
    fn play_other_san(&self, text: &[u8], after: &mut Self) -> Result<Move, SanError> {
        let mv = self.find_san(&San::from_ascii(text)?)?;
        *after = self.play(mv);
        Ok(mv)
    }
}
