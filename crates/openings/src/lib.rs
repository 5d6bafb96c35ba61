//! The names of chess openings by position.
//!
//! Moves may be transposed: what counts is the position. The names are those of
//! [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings), in the public domain.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_openings::Opening;
//!
//! let mut positions = vec![Position::START];
//! for san in ["e4", "c5", "Nf3", "a6", "h3", "h6"] {
//!     let position = positions.last().unwrap();
//!     positions.push(position.play(position.parse_san(san)?));
//! }
//! // The last position that has a name.
//! let opening = Opening::of_line(&positions).unwrap();
//! assert_eq!(opening.to_string(), "B28 Sicilian Defense: O'Kelly Variation");
//! # Ok::<(), tabiya::SanError>(())
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

use core::fmt;

use tabiya::Position;
use tabiya::packed::PackedIdentity;

/// The positions, in the order of their bytes.
///
/// Each is a packed identity, and the offset of its line in [`NAMES`], in three bytes with the lowest
/// first.
static POSITIONS: &[u8] = include_bytes!("positions.bin");

/// A line for each opening: three characters of the ECO code, then the name.
static NAMES: &str = include_str!("names.txt");

/// The number of bytes of a position and its offset.
const RECORD: usize = PackedIdentity::BYTES + 3;

/// A named opening.
///
/// ```
/// use tabiya::Position;
/// use tabiya_openings::Opening;
///
/// let position = Position::START.play(Position::START.parse_san("e4").unwrap());
/// let opening = Opening::at(&position).unwrap();
/// assert_eq!((opening.eco(), opening.name()), ("B00", "King's Pawn Game"));
/// assert_eq!(Opening::at(&Position::START), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opening {
    /// The offset of its line in [`NAMES`].
    line: u32,
}

impl Opening {
    /// The opening with this position.
    pub fn at(position: &Position) -> Option<Self> {
        // Only positions with most of the pieces have names.
        if position.board().occupied().len() < FEWEST_PIECES {
            return None;
        }
        let wanted = PackedIdentity::of(position).to_bytes();
        let records = POSITIONS.as_chunks::<RECORD>().0;
        let index = records.binary_search_by(|record| record[..wanted.len()].cmp(&wanted)).ok()?;
        let [low, middle, high] = *records[index].last_chunk()?;
        Some(Self { line: u32::from_le_bytes([low, middle, high, 0]) })
    }

    /// The opening of the last position in a line of play that has a name.
    pub fn of_line(positions: &[Position]) -> Option<Self> {
        // A named position has been reached by at most this number of moves in the data, but it may
        // be reached by more in a game, so all are tried.
        positions.iter().rev().find_map(Self::at)
    }

    /// The code in the Encyclopaedia of Chess Openings, such as `B90`.
    pub fn eco(self) -> &'static str {
        &NAMES[self.line as usize..][..3]
    }

    /// The name in English, such as `Sicilian Defense: Najdorf Variation`.
    pub fn name(self) -> &'static str {
        let rest = &NAMES[self.line as usize + 3..];
        rest.split('\n').next().unwrap_or(rest)
    }

    /// All openings, by their codes and names. Several of them may have the same name.
    ///
    /// ```
    /// use tabiya_openings::Opening;
    /// assert!(Opening::all().count() > 3000);
    /// assert!(Opening::all().any(|opening| opening.name() == "Bongcloud Attack"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let begins = NAMES.match_indices('\n').map(|(at, _)| at + 1);
        let begins = core::iter::once(0).chain(begins).filter(|&begin| begin < NAMES.len());
        begins.map(|begin| Self { line: begin as u32 })
    }
}

/// No named position has fewer pieces, kings and pawns included. A test compares this with the data.
const FEWEST_PIECES: u32 = 20;

/// Code and name.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco(), self.name())
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
