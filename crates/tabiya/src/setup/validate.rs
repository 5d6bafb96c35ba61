//! Which setups can be played on, and why the others cannot.

use core::fmt;

use super::Setup;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
use crate::movegen::legality::en_passant_victim;
use crate::role::Role;
use crate::square::{Rank, Square};

impl Setup {
    /// Can the position be played on?
    ///
    /// # Errors
    /// The first [`PositionError`] found, if not.
    pub fn validate(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            self.validate_men(color)?;
        }
        let pawns = self.board.role(Role::Pawn);
        let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (pawns & ends).first() {
            return Err(PositionError::PawnOnEnd { square });
        }
        let waiting = !self.turn;
        if let Some(king) = self.board.king(waiting) {
            let attackers = self.board.attackers_to(king) & self.board.color(self.turn);
            if let Some(attacker) = attackers.first() {
                return Err(PositionError::OpponentInCheck { king, attacker });
            }
        }
        self.validate_castling()?;
        self.en_passant.map_or(Ok(()), |square| self.validate_en_passant(square))
    }

    fn validate_men(&self, color: Color) -> Result<(), PositionError> {
        let kings = self.board.pieces(color, Role::King).len();
        if kings != 1 {
            return Err(PositionError::Kings { color, found: kings });
        }
        let men = self.board.color(color).len();
        if men > 16 {
            return Err(PositionError::TooManyMen { color, found: men });
        }
        Ok(())
    }

    fn validate_castling(&self) -> Result<(), PositionError> {
        let mut sides = [[None; 2]; 2];
        for rook in self.castling.rooks() {
            let color = match rook.rank() {
                Rank::First => Color::White,
                Rank::Eighth => Color::Black,
                _ => return Err(PositionError::CastlingRook { rook }),
            };
            if !self.board.pieces(color, Role::Rook).has(rook) {
                return Err(PositionError::CastlingRook { rook });
            }
            let king = self.board.king(color).filter(|king| king.rank() == color.back_rank());
            let Some(king) = king else { return Err(PositionError::CastlingKing { color }) };
            let taken = &mut sides[color as usize][CastlingSide::of(king, rook) as usize];
            if let Some(other) = taken.replace(rook) {
                return Err(PositionError::CastlingTwice { rook, other });
            }
        }
        self.validate_mode()
    }

    /// Can the castling rights be written as the mode asks for?
    pub(crate) fn validate_mode(&self) -> Result<(), PositionError> {
        if self.mode == CastlingMode::Standard && !self.has_standard_castling() {
            return Err(PositionError::CastlingNotStandard);
        }
        Ok(())
    }

    /// Could a double push just have passed the square?
    fn validate_en_passant(&self, square: Square) -> Result<(), PositionError> {
        let pusher = !self.turn;
        let error = |cause| Err(PositionError::EnPassant { square, cause });
        if square.rank() != pusher.double_push_rank() {
            return error(EnPassantCause::Rank);
        }
        let victim = en_passant_victim(square);
        if !self.board.pieces(pusher, Role::Pawn).has(victim) {
            return error(EnPassantCause::NoPawn { expected: victim });
        }
        let origin = Square::new(square.file(), pusher.pawn_rank());
        let passed = square.bitboard() | origin.bitboard();
        match (self.board.occupied() & passed).first() {
            Some(blocker) => error(EnPassantCause::Blocked { blocker }),
            None => Ok(()),
        }
    }
}

/// Why a setup cannot be played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// A side has no king, or several.
    Kings {
        /// Which side.
        color: Color,
        /// How many kings it has.
        found: u32,
    },
    /// A side has more than 16 men.
    TooManyMen {
        /// Which side.
        color: Color,
        /// How many men it has.
        found: u32,
    },
    /// A pawn stands on the first or last rank.
    PawnOnEnd {
        /// Where.
        square: Square,
    },
    /// The king of the side that is *not* to move could be captured.
    OpponentInCheck {
        /// The king's square.
        king: Square,
        /// The square of a man that attacks it.
        attacker: Square,
    },
    /// A castling right names a square without a rook of that side on its back rank.
    CastlingRook {
        /// The square.
        rook: Square,
    },
    /// A side has a castling right, but its king has left the back rank.
    CastlingKing {
        /// Which side.
        color: Color,
    },
    /// Two rooks on the same side of the king have a castling right.
    CastlingTwice {
        /// One of them.
        rook: Square,
        /// The other.
        other: Square,
    },
    /// Castling is to be written as in standard chess, but a king with a right is not on the
    /// e-file, or a rook not in a corner.
    CastlingNotStandard,
    /// No double push can have passed the en-passant square.
    EnPassant {
        /// The square.
        square: Square,
        /// Why not.
        cause: EnPassantCause,
    },
}

/// Why no double push can have passed an en-passant square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassantCause {
    /// It is on a rank that the opponent's double pushes do not pass.
    Rank,
    /// The pawn that should have passed is not there.
    NoPawn {
        /// Where it should be.
        expected: Square,
    },
    /// The square itself or the one before it is occupied.
    Blocked {
        /// Which.
        blocker: Square,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { color, found: 0 } => write!(f, "{color} has no king"),
            Self::Kings { color, found } => write!(f, "{color} has {found} kings"),
            Self::TooManyMen { color, found } => {
                write!(f, "{color} has {found} men, more than 16")
            }
            Self::PawnOnEnd { square } => {
                write!(f, "a pawn on {square}, where no pawn can stand")
            }
            Self::OpponentInCheck { king, attacker } => write!(
                f,
                "the king on {king} could be captured from {attacker}: the side that is not to \
                 move is in check"
            ),
            Self::CastlingRook { rook } => {
                write!(f, "a castling right for {rook}, but its rook is not there")
            }
            Self::CastlingKing { color } => {
                write!(f, "{color} has a castling right, but the king has left the back rank")
            }
            Self::CastlingTwice { rook, other } => {
                write!(f, "castling rights for {other} and {rook}, both on one side of the king")
            }
            Self::CastlingNotStandard => f.write_str(
                "castling rights as only Chess960 has them: a king off the e-file or a rook off \
                 its corner",
            ),
            Self::EnPassant { square, cause } => {
                write!(f, "no double push can have passed {square}: ")?;
                match cause {
                    EnPassantCause::Rank => f.write_str("it is on the wrong rank"),
                    EnPassantCause::NoPawn { expected } => {
                        write!(f, "there is no pawn on {expected}")
                    }
                    EnPassantCause::Blocked { blocker } => write!(f, "{blocker} is occupied"),
                }
            }
        }
    }
}

impl core::error::Error for PositionError {}
