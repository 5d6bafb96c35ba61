//! Setups that are playable, but cannot arise in a game.

use core::fmt;

use super::Setup;
use super::last_move;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;
use crate::text::noun;

/// Something that no game can lead to, although the setup is playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Impossible {
    /// A side has more promoted pieces than it has missing pawns.
    TooManyPromoted {
        /// The side.
        color: Color,
        /// The number of its pawns.
        pawns: u32,
        /// The number of pieces beyond those that a side has at the start.
        promoted: u32,
    },
    /// More than two pieces give check.
    TooManyCheckers {
        /// The number of checkers.
        found: u32,
    },
    /// Two pieces give check from both ends of one line through the king.
    CheckersInLine {
        /// One of them.
        first: Square,
        /// The other.
        last: Square,
    },
    /// Two pieces give check, and no last move can have led to both checks.
    Checkers {
        /// One of them.
        first: Square,
        /// The other.
        last: Square,
    },
    /// A piece gives check, and no last move can have led to that check.
    Checker {
        /// The piece.
        checker: Square,
    },
    /// According to the en-passant square the last move was a double push, but the check is older.
    CheckBeforeDoublePush {
        /// The piece that gives check.
        checker: Square,
    },
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooManyPromoted { color, pawns, promoted } => {
                let pieces = noun(promoted as usize, "piece", "pieces");
                let pawns_noun = noun(pawns as usize, "pawn", "pawns");
                write!(f, "{color} has {promoted} promoted {pieces} and {pawns} {pawns_noun}, ")?;
                f.write_str("more than eight together")
            }
            Self::TooManyCheckers { found } => write!(f, "{found} pieces give check"),
            Self::CheckersInLine { first, last } => {
                write!(f, "the pieces on {first} and {last} give check along one line")
            }
            Self::Checkers { first, last } => {
                write!(f, "no move can give check from {first} and {last} at once")
            }
            Self::Checker { checker } => {
                write!(f, "no move can have given the check from {checker}")
            }
            Self::CheckBeforeDoublePush { checker } => {
                write!(f, "the check from {checker} is older than the double push")
            }
        }
    }
}

impl Setup {
    /// The properties of a playable setup to which no game can lead.
    ///
    /// An empty result does not prove that a game can lead to the setup.
    ///
    /// ```
    /// use tabiya::{Impossible, Setup};
    /// let setup = Setup::from_fen("QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1").unwrap();
    /// assert!(setup.impossibilities().any(|it| matches!(it, Impossible::TooManyPromoted { .. })));
    /// ```
    #[doc(alias = "is_reachable")]
    pub fn impossibilities(&self) -> impl Iterator<Item = Impossible> + '_ {
        let promoted = Color::ALL.into_iter().filter_map(|color| self.too_many_promoted(color));
        promoted.chain(self.impossible_checkers())
    }

    /// Each piece beyond those at the start was once a pawn.
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
        let checkers = self.board.attackers_of(!self.turn, king);
        if checkers.len() > 2 {
            return Some(Impossible::TooManyCheckers { found: checkers.len() });
        }
        let (first, last) = (checkers.first()?, checkers.last()?);
        if first != last && attacks::line(first, last).has(king) {
            return Some(Impossible::CheckersInLine { first, last });
        }
        if let Some(square) = self.en_passant {
            let older = last_move::checkers_before_double_push(&self.board, king, square);
            return older.first().map(|checker| Impossible::CheckBeforeDoublePush { checker });
        }
        if last_move::exists(&self.board, king, self.turn) {
            return None;
        }
        Some(match first == last {
            true => Impossible::Checker { checker: first },
            false => Impossible::Checkers { first, last },
        })
    }
}
