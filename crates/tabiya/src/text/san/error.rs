//! An error in a move in standard algebraic notation.

use core::fmt;
use core::ops::Range;

use super::San;
use super::leniency::Leniency;
use super::words::{Number, Or, Several};
use crate::color::Color;
use crate::explain::{PlacedPiece, Reason, Reasons};
use crate::role::Role;
use crate::square::{File, Rank, Square};

/// The error for a string that is not a move, or whose move is not possible in a position.
///
/// ```
/// use tabiya::Position;
/// use tabiya::san::SanCause;
/// let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").unwrap();
/// let error = position.parse_san("Nd2").unwrap_err();
/// assert_eq!(error.to_string(), "two knights can reach d2: Nbd2 or Nfd2");
/// assert!(matches!(error.cause(), SanCause::Ambiguous { .. }));
/// assert_eq!(error.choices().len(), 2);
///
/// let position = Position::from_fen("4k3/1b6/8/8/8/5N2/8/7K w - - 0 1").unwrap();
/// assert_eq!(
///     position.parse_san("Ne5").unwrap_err().to_string(),
///     "Ne5 is not legal: the knight on f3 is pinned on the diagonal h1-a8 by the bishop on b7",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanError {
    start: u32,
    end: u32,
    cause: SanCause,
    choices: Few<San, 4>,
}

/// The cause of an error in a move in standard algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SanCause {
    /// There is no move in the text.
    Empty,
    /// No move begins with this character.
    Beginning,
    /// Castling is written with two or three letters.
    Castling,
    /// A file is not followed by a rank.
    Rank {
        /// The file.
        file: File,
    },
    /// There is no target square.
    NoTarget,
    /// A pawn's capture does not name the file of the pawn.
    PawnFile,
    /// The role of a promotion is missing, or no pawn promotes to it.
    Promotion,
    /// A promotion in parentheses does not end.
    Parenthesis,
    /// A piece that is not a pawn has a promotion.
    PromotionOfPiece,
    /// There is more text after the move.
    Trailing,
    /// It is a null move, which is not a legal move. See [`San::is_null`].
    Null,
    /// More than one piece can move there. [`SanError::choices`] has the moves.
    Ambiguous {
        /// The move that was read.
        san: San,
        /// The role of the pieces.
        role: Role,
        /// The target.
        to: Square,
        /// The number of moves.
        found: u8,
    },
    /// The side to move has no such piece on the squares that the text allows.
    NoPiece {
        /// The move that was read.
        san: San,
        /// The piece.
        piece: MissingPiece,
    },
    /// The move is not legal.
    Illegal {
        /// The move that was read.
        san: San,
        /// The pieces that the move could mean and why they cannot move there. Pieces that are
        /// closer to being able to move there come first.
        candidates: Reasons<SanCandidate, 8>,
    },
    /// The move is legal, but the text differs from the standard, and reading is strict.
    NotStrict {
        /// The first deviation; [`Position::parse_san_reporting`] lists all of them.
        ///
        /// [`Position::parse_san_reporting`]: crate::Position::parse_san_reporting
        leniency: Leniency,
        /// The move as the standard requires it.
        expected: San,
    },
}

/// A piece that a move needs and that is not there. `Display` writes it as a clause.
///
/// ```
/// use tabiya::{Position, san::SanCause};
/// let error = Position::START.parse_san("Nef3").unwrap_err();
/// let SanCause::NoPiece { piece, .. } = error.cause() else { panic!() };
/// assert_eq!(piece.to_string(), "White has no knight on the e-file");
/// assert_eq!(
///     error.to_string(),
///     "Nef3 is not legal: White has no knight on the e-file; Nf3 is legal",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MissingPiece {
    /// The side to move.
    pub color: Color,
    /// The role of the piece.
    pub role: Role,
    /// The file on which it should stand, if that matters.
    pub file: Option<File>,
    /// The rank on which it should stand, if that matters.
    pub rank: Option<Rank>,
}

impl fmt::Display for MissingPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no {}", self.color, self.role)?;
        match (self.file, self.rank) {
            (Some(file), Some(rank)) => write!(f, " on {file}{rank}"),
            (Some(file), None) => write!(f, " on the {file}-file"),
            (None, Some(rank)) => write!(f, " on rank {rank}"),
            (None, None) => Ok(()),
        }
    }
}

/// A piece that a move could mean, and a reason why it cannot move there. A piece with several
/// reasons has several entries.
///
/// ```
/// use tabiya::{Position, Square};
/// let position = Position::from_fen("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1").unwrap();
/// let error = position.parse_san("Nd3").unwrap_err();
/// let [candidate] = error.candidates() else { panic!("there is one knight") };
/// assert_eq!(candidate.piece.square, Square::F2);
/// assert_eq!(candidate.reason.name(), "pinned");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SanCandidate {
    /// The piece, of the side to move.
    pub piece: PlacedPiece,
    /// The reason why it cannot move there.
    pub reason: Reason,
}

/// The first few of some items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Few<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// No items. The filler takes the unused places.
    const fn new(filler: T) -> Self {
        Self { len: 0, items: [filler; N] }
    }

    /// Adds an item, if there is room.
    const fn push(&mut self, item: T) {
        if (self.len as usize) < N {
            self.items[self.len as usize] = item;
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl SanError {
    #[cold]
    pub(super) const fn new(cause: SanCause) -> Self {
        Self { start: 0, end: 0, cause, choices: Few::new(San::NULL) }
    }

    /// An error at a place of the text.
    #[cold]
    pub(super) const fn at(span: Range<usize>, cause: SanCause) -> Self {
        Self { start: place(span.start), end: place(span.end), ..Self::new(cause) }
    }

    /// The same error about a whole text, unless it has a place already.
    pub(super) const fn in_text(self, text: &str) -> Self {
        if self.is_about_text() { self } else { Self { end: place(text.len()), ..self } }
    }

    pub(super) const fn add_choice(&mut self, choice: San) {
        self.choices.push(choice);
    }

    /// The cause of the error.
    pub const fn cause(&self) -> SanCause {
        self.cause
    }

    /// The place of the error in the text, in bytes: the whole text if the move is not possible in
    /// the position. It is empty at the end of the text if something is missing, and for errors of
    /// [`Position::find_san`](crate::Position::find_san), which sees no text.
    pub const fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Is the text wrong in every position?
    ///
    /// ```
    /// use tabiya::Position;
    /// assert!(Position::START.parse_san("Nf9").unwrap_err().is_about_text());
    /// assert!(!Position::START.parse_san("Nf4").unwrap_err().is_about_text());
    /// ```
    pub const fn is_about_text(&self) -> bool {
        !matches!(
            self.cause,
            SanCause::Null
                | SanCause::Ambiguous { .. }
                | SanCause::NoPiece { .. }
                | SanCause::Illegal { .. }
                | SanCause::NotStrict { .. }
        )
    }

    /// Legal moves that may have been meant, at most four: those between which the text does not
    /// decide, or those of the same role to the same target. Check signs are left out.
    pub fn choices(&self) -> &[San] {
        self.choices.as_slice()
    }

    /// The pieces that the move could mean and why they cannot move there, at most eight; at least
    /// one if the cause is [`SanCause::Illegal`], which has them.
    pub fn candidates(&self) -> &[SanCandidate] {
        match &self.cause {
            SanCause::Illegal { candidates, .. } => candidates.as_slice(),
            _ => &[],
        }
    }
}

impl Reasons<SanCandidate, 8> {
    /// Adds a candidate, unless it says the same as another one.
    pub(super) fn add(&mut self, candidate: SanCandidate) {
        // One reason may be the same for several pieces.
        let is_known = |known: &SanCandidate| {
            known.reason == candidate.reason
                && (known.piece == candidate.piece || !names_no_piece(candidate.reason))
        };
        if !self.as_slice().iter().any(is_known) {
            self.push(candidate);
        }
    }
}

/// A place in a text. No move is written in four gigabytes.
const fn place(at: usize) -> u32 {
    if at > u32::MAX as usize { u32::MAX } else { at as u32 }
}

/// Does the sentence of the reason depend on the moving piece without naming it?
const fn names_no_piece(reason: Reason) -> bool {
    matches!(reason, Reason::Blocked { .. } | Reason::CheckRemains { .. })
}

/// A clause.
impl fmt::Display for SanCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { piece, reason } = self;
        if names_no_piece(*reason) {
            write!(f, "{piece} cannot go there, because ")?;
        }
        reason.fmt(f)
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            SanCause::Empty => f.write_str("there is no move"),
            SanCause::Beginning => {
                f.write_str("expected a piece (K, Q, R, B or N), a file from a to h, or O-O")
            }
            SanCause::Castling => f.write_str("castling is written O-O or O-O-O"),
            SanCause::Rank { file } => {
                write!(f, "expected a rank from 1 to 8 after the file {file}")
            }
            SanCause::NoTarget => f.write_str("the target square is missing, such as e4"),
            SanCause::PawnFile => {
                f.write_str("a pawn's capture begins with the pawn's file, such as exd5")
            }
            SanCause::Promotion => f.write_str("a pawn promotes to N, B, R or Q"),
            SanCause::Parenthesis => f.write_str("the parenthesis of the promotion is not closed"),
            SanCause::PromotionOfPiece => f.write_str("only a pawn promotes"),
            SanCause::Trailing => f.write_str("the move should end here"),
            SanCause::Null => f.write_str("a null move is not a legal move"),
            SanCause::Ambiguous { role, to, found, .. } => {
                let (number, roles) = (Number(found.into()), Several(role));
                write!(f, "{number} {roles} can reach {to}: {}", Or(self.choices()))
            }
            SanCause::NoPiece { san, piece } => {
                write!(f, "{san} is not legal: {piece}")?;
                self.write_choices(f)
            }
            SanCause::Illegal { san, candidates } => {
                write!(f, "{san} is not legal: {candidates}")?;
                self.write_choices(f)
            }
            SanCause::NotStrict { leniency, expected } => {
                write!(f, "in strict SAN, the move is {expected}: {leniency}")
            }
        }
    }
}

impl SanError {
    fn write_choices(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choices() {
            [] => Ok(()),
            [choice] => write!(f, "; {choice} is legal"),
            choices => write!(f, "; {} would be legal", Or(choices)),
        }
    }
}

impl fmt::Debug for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SanError")
            .field("span", &self.span())
            .field("cause", &self.cause)
            .field("choices", &self.choices())
            .finish()
    }
}

impl core::error::Error for SanError {}

// A result that may hold an error should stay small.
const _: () = assert!(size_of::<SanError>() < 128);

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn places_beyond_four_gigabytes_are_the_largest() {
        assert_eq!([7, 1 << 32].map(place), [7, u32::MAX]);
    }
}
