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
/// Each is a packed identity, and the index of its opening, in two bytes with the lower one first.
static POSITIONS: &[u8] = include_bytes!("positions.bin");

/// A line for each opening: three characters of the ECO code, then the name.
static NAMES: &str = include_str!("names.txt");

/// The offset in [`NAMES`] of each line, in four bytes with the lowest first.
static STARTS: &[u8] = include_bytes!("starts.bin");

/// The number of bytes of a position and its index.
const RECORD: usize = PackedIdentity::BYTES + 2;

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
    /// The index of its line in [`NAMES`].
    index: u16,
}

impl Opening {
    /// The number of openings.
    pub const COUNT: usize = POSITIONS.len() / RECORD;

    /// The opening with this position.
    pub fn at(position: &Position) -> Option<Self> {
        // Only positions with most of the pieces have names.
        if position.board().occupied().len() < FEWEST_PIECES {
            return None;
        }
        let wanted = PackedIdentity::of(position).to_bytes();
        let records = POSITIONS.as_chunks::<RECORD>().0;
        let index = records.binary_search_by(|record| record[..wanted.len()].cmp(&wanted)).ok()?;
        Some(Self { index: u16::from_le_bytes(*records[index].last_chunk()?) })
    }

    /// The opening of the last position in a line of play that has a name.
    pub fn of_line(positions: &[Position]) -> Option<Self> {
        // A named position has been reached by at most this number of moves in the data, but it may
        // be reached by more in a game, so all are tried.
        positions.iter().rev().find_map(Self::at)
    }

    /// The code in the Encyclopaedia of Chess Openings, such as `B90`.
    pub fn eco(self) -> &'static str {
        &self.line()[..3]
    }

    /// The name in English, such as `Sicilian Defense: Najdorf Variation`.
    pub fn name(self) -> &'static str {
        &self.line()[3..]
    }

    fn line(self) -> &'static str {
        let rest = &NAMES[start(self.index())..];
        let end = if self.index() + 1 < Self::COUNT {
            start(self.index() + 1) - start(self.index())
        } else {
            rest.len()
        };
        // Without the line break.
        &rest[..end - 1]
    }

    /// Its place among [`all`](Self::all) openings, for tables of data about openings.
    ///
    /// The places may change with a new version of the data.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The opening at this place among all of them.
    ///
    /// ```
    /// use tabiya_openings::Opening;
    /// let opening = Opening::from_index(1000).unwrap();
    /// assert_eq!(opening.index(), 1000);
    /// assert_eq!(Opening::from_index(Opening::COUNT), None);
    /// ```
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self { index: index as u16 }) } else { None }
    }

    /// All openings, by their codes and names. Several of them may have the same name.
    ///
    /// ```
    /// use tabiya_openings::Opening;
    /// assert_eq!(Opening::all().count(), Opening::COUNT);
    /// assert!(Opening::all().any(|opening| opening.name() == "Bongcloud Attack"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }
}

/// The offset of a line in [`NAMES`].
fn start(index: usize) -> usize {
    u32::from_le_bytes(STARTS.as_chunks().0[index]) as usize
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
