//! The formats by name.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::str::FromStr;

use crate::formats::Capabilities;

/// A format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Games of Stockfish's and Leela's public sets, in chunks.
    Binpack,
    /// Rows of 40 bytes: a packed position, move, score, ply and result.
    Packed,
    /// Games of the crate `viriformat`: a position, then moves with scores.
    Viriformat,
    /// Rows of 32 bytes of the crate `bulletformat`: a position from the side to move's view, score and result.
    Bulletformat,
    /// Stockfish's text: six lines for each record.
    Plain,
    /// Lines `FEN | score | result`.
    Text,
    /// Comma-separated values.
    Csv,
    /// EPD with scores.
    Epd,
    /// Games with evaluations. It can only be read.
    Pgn,
}

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The move.
    Move,
    /// The score.
    Score,
    /// The result.
    Result,
    /// The plies since the start.
    Ply,
    /// Castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// The plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
    /// Whether the side to move is White or Black.
    Turn,
    /// Chess960.
    Chess960,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 10] = [
        Self::Move,
        Self::Score,
        Self::Result,
        Self::Ply,
        Self::Castling,
        Self::EnPassant,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
        Self::Turn,
        Self::Chess960,
    ];
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Move => "moves",
            Self::Score => "scores",
            Self::Result => "results",
            Self::Ply => "plies",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant squares",
            Self::HalfmoveClock => "halfmove clocks",
            Self::FullmoveNumber => "move numbers",
            Self::Turn => "the side to move",
            Self::Chess960 => "Chess960",
        })
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Binpack,
        Self::Packed,
        Self::Viriformat,
        Self::Bulletformat,
        Self::Plain,
        Self::Text,
        Self::Csv,
        Self::Epd,
        Self::Pgn,
    ];

    /// The name, as `--from` and `--to` take it.
    pub fn name(self) -> &'static str {
        self.capabilities().name
    }

    /// The extensions of its files, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        self.capabilities().extensions
    }

    /// The format of a file, by its extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|it| it.extensions().contains(&extension.as_str()))
    }

    /// The fields that it holds.
    pub fn holds(self, field: Field) -> bool {
        !self.capabilities().lacks.contains(&field)
    }

    /// What a conversion to another format loses.
    pub fn lost_in(self, other: Self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |&it| self.holds(it) && !other.holds(it))
    }

    fn capabilities(self) -> &'static Capabilities {
        crate::formats::capabilities(self)
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or(UnknownFormat)
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No format has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl Display for UnknownFormat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Format::ALL.iter().map(|it| it.name()).collect();
        write!(f, "no such format; the formats are {}", names.join(", "))
    }
}

impl Error for UnknownFormat {}
