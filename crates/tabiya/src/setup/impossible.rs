//! What can be played on though no game can bring it about.

use core::fmt;

use super::Setup;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;
use crate::text::noun;

/// What cannot arise in a game, though it can be played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Impossible {
    /// More pieces than pawns can have become.
    TooManyPromoted {
        /// Which side has them.
        color: Color,
        /// How many pawns it has.
        pawns: u32,
        /// How many pieces it has beyond those of the start.
        promoted: u32,
    },
    /// More than two men give check.
    TooManyCheckers {
        /// How many.
        found: u32,
    },
    /// Two men give check from the two ends of one line through the king.
    CheckersInLine {
        /// One of them.
        first: Square,
        /// The other.
        last: Square,
    },
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooManyPromoted { color, pawns, promoted } => {
                let men = noun(promoted as usize, "man", "men");
                let and = noun(pawns as usize, "pawn", "pawns");
                write!(f, "{color} has {promoted} promoted {men} and {pawns} {and}, ")?;
                f.write_str("more than eight together")
            }
            Self::TooManyCheckers { found } => write!(f, "{found} men give check"),
            Self::CheckersInLine { first, last } => {
                write!(f, "the men on {first} and {last} give check along one line")
            }
        }
    }
}

impl Setup {
    /// What is odd about a playable setup: things that no game can bring about.
    ///
    /// ```
    /// use tabiya::{Impossible, Setup};
    /// let setup = Setup::from_fen("QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1").unwrap();
    /// assert!(setup.impossibilities().any(|it| matches!(it, Impossible::TooManyPromoted { .. })));
    /// ```
    pub fn impossibilities(&self) -> impl Iterator<Item = Impossible> + '_ {
        let men = Color::ALL.into_iter().filter_map(|color| self.too_many_promoted(color));
        men.chain(self.impossible_checkers())
    }

    /// More pieces than the game began with need a pawn less each.
    fn too_many_promoted(&self, color: Color) -> Option<Impossible> {
        let count = |role| self.board.pieces(color, role).len();
        let bishops = self.board.pieces(color, Role::Bishop);
        let promoted = count(Role::Knight).saturating_sub(2)
            + (bishops & Bitboard::LIGHT).len().saturating_sub(1)
            + (bishops & Bitboard::DARK).len().saturating_sub(1)
            + count(Role::Rook).saturating_sub(2)
            + count(Role::Queen).saturating_sub(1);
        let pawns = count(Role::Pawn);
        (pawns + promoted > 8).then_some(Impossible::TooManyPromoted { color, pawns, promoted })
    }

    fn impossible_checkers(&self) -> Option<Impossible> {
        let king = self.board.king(self.turn)?;
        let checkers = self.board.attackers_to(king) & self.board.color(!self.turn);
        if checkers.len() > 2 {
            return Some(Impossible::TooManyCheckers { found: checkers.len() });
        }
        let (first, last) = (checkers.first()?, checkers.last()?);
        let same_line = first != last && attacks::line(first, last).has(king);
        same_line.then_some(Impossible::CheckersInLine { first, last })
    }
}
