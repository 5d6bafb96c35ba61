//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! Text is read in two steps. [`San`] holds the contents of the text and needs no position. A
//! position then finds the move that is meant. It looks only at the pieces of one role that reach
//! the target, and then at pins and checks. Other moves are not generated.
//!
//! Reading is lenient by default. Each [`Leniency`] has a name, so that a program can report or
//! refuse it.

mod error;
mod leniency;
#[cfg(feature = "alloc")]
mod letters;
mod play;
mod read;
mod refuse;
mod resolve;
mod words;
mod write;

pub use error::{MissingPiece, SanCandidate, SanCause, SanError};
pub use leniency::{Leniencies, Leniency};
#[cfg(feature = "alloc")]
pub use letters::{PieceLetters, PieceLettersError};
pub use write::{Figurines, Lan};

use core::fmt;
use core::str::FromStr;

use crate::castling::CastlingSide;
use crate::role::Role;
use crate::square::{File, Rank, Square};

/// The contents of the text of a move in standard algebraic notation. The move that is meant
/// depends on the position, see [`Position::find_san`](crate::Position::find_san).
///
/// ```
/// use tabiya::san::{San, SanAction, SanMark};
/// use tabiya::{File, Role, Square};
/// let san: San = "Nbd7+".parse().unwrap();
/// assert_eq!(san.mark, Some(SanMark::Check));
/// let SanAction::Piece(piece) = san.action else { panic!("it is not castling") };
/// assert_eq!((piece.role, piece.to), (Role::Knight, Square::D7));
/// assert_eq!((piece.file, piece.rank), (Some(File::B), None));
/// assert_eq!(san.to_string(), "Nbd7+");
/// ```
#[doc(alias("algebraic", "pgn move", "SanPlus"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct San {
    /// The moving piece or pieces.
    pub action: SanAction,
    /// The sign of check or checkmate at the end.
    pub mark: Option<SanMark>,
}

/// The piece or pieces that a move in standard algebraic notation moves.
///
/// ```
/// use tabiya::{CastlingSide, san::{San, SanAction}};
/// let castle: San = "0-0-0".parse().unwrap();
/// assert_eq!(castle.action, SanAction::Castle(CastlingSide::Queen));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SanAction {
    /// One piece, to a square.
    Piece(SanPiece),
    /// King and rook.
    Castle(CastlingSide),
    /// Nothing: a null move, which some programs write as `--` or `Z0`. It is not a legal move; see
    /// [`Position::play_null`](crate::Position::play_null).
    Null,
}

/// The move of one piece in standard algebraic notation.
///
/// ```
/// use tabiya::san::{San, SanAction, SanPiece};
/// use tabiya::{File, Role, Square};
/// let piece = SanPiece {
///     role: Role::Pawn,
///     file: Some(File::E),
///     rank: None,
///     is_capture: true,
///     to: Square::D8,
///     promotion: Some(Role::Queen),
/// };
/// let san = San { action: SanAction::Piece(piece), mark: None };
/// assert_eq!(san.to_string(), "exd8=Q");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SanPiece {
    /// The role of the moving piece.
    pub role: Role,
    /// The file on which it stands, if the text says so. A pawn's capture always does.
    pub file: Option<File>,
    /// The rank on which it stands, if the text says so.
    pub rank: Option<Rank>,
    /// Is there a sign of capture?
    pub is_capture: bool,
    /// The target.
    pub to: Square,
    /// The role to which a pawn promotes.
    pub promotion: Option<Role>,
}

/// The sign at the end of a move in standard algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SanMark {
    /// `+`: the move gives check.
    Check,
    /// `#`: the move is checkmate.
    Checkmate,
}

impl SanMark {
    /// The sign, `+` or `#`.
    ///
    /// ```
    /// assert_eq!(tabiya::san::SanMark::Checkmate.sign(), '#');
    /// ```
    pub const fn sign(self) -> char {
        match self {
            Self::Check => '+',
            Self::Checkmate => '#',
        }
    }
}

impl San {
    const NULL: Self = Self { action: SanAction::Null, mark: None };

    /// Reads the text of a move, as people and programs write it. Deviations from the standard are
    /// not reported; [`read`](Self::read) reports them.
    ///
    /// The text may be UTF-8: figurines are understood. It must contain one move and nothing else
    /// but white space.
    ///
    /// # Errors
    /// [`SanError`] gives the error and its place.
    ///
    /// ```
    /// use tabiya::san::San;
    /// assert_eq!(San::from_ascii(b"0-0+!?").unwrap().to_string(), "O-O+");
    /// let error = San::from_ascii(b"Nf9").unwrap_err();
    /// assert_eq!(error.span(), 2..3);
    /// assert_eq!(error.to_string(), "expected a rank from 1 to 8 after the file f");
    /// ```
    // Without inlining, the result would be written to memory in parts and read back as a whole,
    // which CPUs do slowly.
    #[inline(always)]
    pub fn from_ascii(text: &[u8]) -> Result<Self, SanError> {
        match read::read_plain(text) {
            Some(san) => Ok(san),
            None => Self::read(text).map(|(san, _)| san),
        }
    }

    /// Reads the text of a move, and reports each [`Leniency`] that can be found without a
    /// position.
    ///
    /// # Errors
    /// [`SanError`] gives the error and its place.
    ///
    /// ```
    /// use tabiya::san::{Leniency, San};
    /// let (san, leniencies) = San::read(b"e8(Q)").unwrap();
    /// assert_eq!(san.to_string(), "e8=Q");
    /// assert!(leniencies.iter().eq([Leniency::PromotionSign]));
    /// ```
    #[inline]
    pub fn read(text: &[u8]) -> Result<(Self, Leniencies), SanError> {
        read::read(text)
    }

    /// Is it a null move?
    ///
    /// ```
    /// use tabiya::san::San;
    /// assert!("--".parse::<San>().unwrap().is_null());
    /// ```
    pub const fn is_null(&self) -> bool {
        matches!(self.action, SanAction::Null)
    }
}

/// Reads like [`San::from_ascii`].
impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::from_ascii(text.as_bytes())
    }
}

/// Writes the move as the PGN standard does.
impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}
