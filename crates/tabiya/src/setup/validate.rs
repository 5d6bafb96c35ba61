//! The rules that make a setup playable.

use core::fmt;

use super::Setup;
use crate::attacks::Hyperbola;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
use crate::movegen::safety::en_passant_victim;
use crate::role::Role;
use crate::square::{Rank, Square};

impl Setup {
    /// Checks that the setup is playable.
    ///
    /// # Errors
    /// The first [`PositionError`] found, if it is not.
    ///
    /// ```
    /// use tabiya::{Color, PositionError, Setup};
    /// assert_eq!(Setup::START.validate(), Ok(()));
    /// let error = Setup::EMPTY.validate().unwrap_err();
    /// assert_eq!(error, PositionError::Kings { color: Color::White, found: 0 });
    /// assert_eq!(error.to_string(), "White has no king");
    /// ```
    pub fn validate(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            self.validate_pieces(color)?;
        }
        let pawns = self.board.role(Role::Pawn);
        let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (pawns & back_ranks).first() {
            return Err(PositionError::PawnOnBackRank { square });
        }
        let opponent = !self.turn;
        if let Some(king) = self.board.king(opponent) {
            let attackers =
                self.board.attackers_with(Hyperbola, self.turn, king, self.board.occupied());
            if let Some(attacker) = attackers.first() {
                return Err(PositionError::OpponentInCheck { king, attacker });
            }
        }
        self.validate_castling()?;
        self.en_passant.map_or(Ok(()), |square| self.validate_en_passant(square))
    }

    fn validate_pieces(&self, color: Color) -> Result<(), PositionError> {
        let kings = self.board.pieces(color, Role::King).len();
        if kings != 1 {
            return Err(PositionError::Kings { color, found: kings });
        }
        let pieces = self.board.color(color).len();
        if pieces > 16 {
            return Err(PositionError::TooManyPieces { color, found: pieces });
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
            let entry = &mut sides[color as usize][CastlingSide::of(king, rook) as usize];
            if let Some(other) = entry.replace(rook) {
                return Err(PositionError::CastlingTwice { rook, other });
            }
        }
        self.validate_mode()
    }

    /// Checks that the castling rights can be written in the notation of the mode.
    pub(crate) fn validate_mode(&self) -> Result<(), PositionError> {
        if self.castling_mode == CastlingMode::Standard && !self.has_standard_castling() {
            return Err(PositionError::CastlingNotStandard);
        }
        Ok(())
    }

    /// Checks that a double push can just have crossed the square.
    pub(super) fn validate_en_passant(&self, square: Square) -> Result<(), PositionError> {
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
        let vacated = square.bitboard() | origin.bitboard();
        match (self.board.occupied() & vacated).first() {
            Some(blocker) => error(EnPassantCause::Blocked { blocker }),
            None => Ok(()),
        }
    }
}

/// The reason why a setup is not playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// A side does not have exactly one king.
    Kings {
        /// The side.
        color: Color,
        /// The number of its kings.
        found: u32,
    },
    /// A side has more than 16 pieces.
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of its pieces.
        found: u32,
    },
    /// A pawn stands on the first or eighth rank.
    PawnOnBackRank {
        /// The pawn's square.
        square: Square,
    },
    /// The king of the side that is *not* to move could be captured.
    OpponentInCheck {
        /// The king's square.
        king: Square,
        /// The square of a piece that attacks it.
        attacker: Square,
    },
    /// There is a castling right for a square, but no rook stands there on its own back rank.
    CastlingRook {
        /// The square.
        rook: Square,
    },
    /// A side has a castling right, but its king has left the back rank.
    CastlingKing {
        /// The side.
        color: Color,
    },
    /// Two rooks on the same side of the king have a castling right.
    CastlingTwice {
        /// One of them.
        rook: Square,
        /// The other.
        other: Square,
    },
    /// The notation is that of standard chess, but a king with a castling right is not on the
    /// e-file, or its rook is not in a corner.
    CastlingNotStandard,
    /// No double push can have crossed the en-passant square.
    EnPassant {
        /// The square.
        square: Square,
        /// The reason.
        cause: EnPassantCause,
    },
}

/// The reason why no double push can have crossed an en-passant square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnPassantCause {
    /// It is not on the rank that the opponent's double pushes cross.
    Rank,
    /// The pawn that should have crossed it is missing.
    NoPawn {
        /// The square where it should be.
        expected: Square,
    },
    /// The square itself or the pawn's origin is occupied.
    Blocked {
        /// The occupied square.
        blocker: Square,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { color, found: 0 } => write!(f, "{color} has no king"),
            Self::Kings { color, found } => write!(f, "{color} has {found} kings"),
            Self::TooManyPieces { color, found } => {
                write!(f, "{color} has {found} pieces, more than 16")
            }
            Self::PawnOnBackRank { square } => {
                write!(f, "there is a pawn on {square}, but no pawn can stand on rank 1 or 8")
            }
            Self::OpponentInCheck { king, attacker } => write!(
                f,
                "the side that is not to move is in check: its king on {king} is attacked from \
                 {attacker}"
            ),
            Self::CastlingRook { rook } => {
                write!(f, "there is a castling right for {rook}, but no rook of that side is there")
            }
            Self::CastlingKing { color } => {
                write!(f, "{color} has a castling right, but its king is not on the back rank")
            }
            Self::CastlingTwice { rook, other } => {
                write!(f, "the rooks on {other} and {rook} have castling rights on the same side")
            }
            Self::CastlingNotStandard => f.write_str(
                "these castling rights exist only in Chess960: in standard chess the king stands on \
                 the e-file and the rook in a corner",
            ),
            Self::EnPassant { square, cause } => {
                write!(f, "no double push can have crossed {square}: ")?;
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
