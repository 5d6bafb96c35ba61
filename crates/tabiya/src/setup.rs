//! A board with everything else that FEN says, playable or not.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, Wing};
use crate::color::Color;
use crate::movegen::legality::en_passant_victim;
use crate::role::Role;
use crate::square::{File, Rank, Square};

/// What a board editor holds: any men anywhere, and the state of a game beside them.
///
/// A setup may be unfinished. [`Position::from_setup`](crate::Position::from_setup) accepts those
/// that can be played on.
///
/// ```
/// use tabiya::{Position, Setup};
/// let empty = Setup::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
/// assert!(Position::from_setup(&empty).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// The rooks with which castling is still allowed.
    pub castling: CastlingRights,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The square that a pawn has just passed with a double push, whether or not it can be
    /// captured there.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move, from 1, one more after each move of Black.
    pub fullmoves: u16,
}

impl Setup {
    /// A board without men, White to move.
    pub const EMPTY: Self = Self {
        board: Board::EMPTY,
        turn: Color::White,
        castling: CastlingRights::NONE,
        mode: CastlingMode::Standard,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// The start of a game.
    pub const START: Self =
        Self { board: Board::START, castling: CastlingRights::START, ..Self::EMPTY };

    /// Do all castling rights belong to kings on the e-file and rooks in the corners?
    pub fn has_standard_castling(&self) -> bool {
        self.castling.rooks().iter().all(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            let corner = matches!(rook.file(), File::A | File::H);
            corner && self.board.king(color).is_some_and(|king| king.file() == File::E)
        })
    }

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
        let mut wings = [[None; 2]; 2];
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
            let taken = &mut wings[color as usize][Wing::of(king, rook) as usize];
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

    /// The same setup seen from the other side, with the colours changed.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            board: self.board.mirrored(),
            turn: !self.turn,
            castling: self.castling.rooks().flip_ranks().iter().collect(),
            en_passant: self.en_passant.map(Square::flip_ranks),
            ..*self
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::START
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
            Self::TooManyPromoted { color, pawns, promoted } => write!(
                f,
                "{color} has {promoted} promoted men and {pawns} pawns, more than eight together"
            ),
            Self::TooManyCheckers { found } => write!(f, "{found} men give check"),
            Self::CheckersInLine { first, last } => {
                write!(f, "the men on {first} and {last} give check along one line")
            }
        }
    }
}
