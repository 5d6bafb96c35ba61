//! What all formats hold.

use tabiya::{Color, Move, Position};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// Black wins.
    BlackWins,
    /// A draw.
    Draw,
    /// White wins.
    WhiteWins,
}

impl GameResult {
    /// −1, 0 or 1 from a side's point of view.
    pub fn for_side(self, side: Color) -> i8 {
        let white = self as i8 - 1;
        if side == Color::White { white } else { -white }
    }

    /// The result with these points, −1, 0 or 1, from a side's point of view.
    pub fn from_side(points: i64, side: Color) -> Option<Self> {
        match if side == Color::White { points } else { points.checked_neg()? } {
            -1 => Some(Self::BlackWins),
            0 => Some(Self::Draw),
            1 => Some(Self::WhiteWins),
            _ => None,
        }
    }
}

/// A position with the move that was played, its score, and the result of its game.
///
/// What a format doesn't hold is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// The move played, legal in the position.
    pub mv: Option<Move>,
    /// The score in the file's own units, mostly hundredths of a pawn, from the point of view of the side to move.
    pub score: Option<i16>,
    /// The result of the game.
    pub result: Option<GameResult>,
    /// The plies since the start of the game.
    pub ply: u16,
}

impl Default for Record {
    /// The start of a game, without a move, a score or a result.
    fn default() -> Self {
        Self { position: Position::START, mv: None, score: None, result: None, ply: 0 }
    }
}

impl Record {
    /// Does `next` continue the game of this record: is it the position after the move, with its counters?
    pub fn continues_with(&self, next: &Self) -> bool {
        let counters = |it: &Position| (it.halfmove_clock(), it.fullmove_number());
        self.result == next.result
            && self.ply.checked_add(1) == Some(next.ply)
            && self.mv.is_some_and(|mv| {
                let after = self.position.play(mv);
                after == next.position && counters(&after) == counters(&next.position)
            })
    }

    /// The plies that the position's move number says.
    pub fn ply_of(position: &Position) -> u16 {
        let moves = position.fullmove_number().saturating_sub(1);
        moves.saturating_mul(2).saturating_add(u16::from(position.turn() == Color::Black))
    }
}
