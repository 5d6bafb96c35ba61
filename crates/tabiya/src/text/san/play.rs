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

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use crate::Position;

    /// All moves but castling, promotions and captures en passant are played the short way.
    #[test]
    fn most_moves_are_played_the_short_way() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            // A knight may go to the square of the capture en passant.
            "4k3/8/8/8/3pP1n1/8/8/4K3 b - e3 0 1",
            "4k3/8/8/3Pp1N1/8/8/8/4K3 w - e6 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                let text = position.san(mv).to_string();
                let mut after = Position::START;
                let played = position.play_plain_san(text.as_bytes(), &mut after);
                let is_rare =
                    mv.castling().is_some() || mv.promotion().is_some() || mv.is_en_passant();
                assert_eq!(played, (!is_rare).then_some(mv), "{fen} {text}");
                if !is_rare {
                    assert_eq!(after, position.play(mv), "{fen} {text}");
                }
            }
        }
    }
}
