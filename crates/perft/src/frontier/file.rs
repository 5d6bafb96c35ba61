//! The file that a frontier is kept in.

use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use tabiya::{CastlingMode, FenError, Position};

use super::unpack;
use crate::distinct::{Counted, Record};

/// The name of the format and its version.
const SCHEMA: &str = "tabiya-frontier/1";
/// The first bytes of a zstd frame that decompressors skip.
const SKIPPABLE: [u8; 4] = 0x184d_2a50_u32.to_le_bytes();
/// The header's room, filled up with spaces.
const HEADER: usize = 504;
/// Default effort of zstd.
const LEVEL: i32 = 3;

/// What a frontier file says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontierHeader {
    /// The format: `tabiya-frontier/1`.
    pub schema: String,
    /// The position at the root, as FEN.
    pub root: String,
    /// Is castling written as in Chess960?
    pub chess960: bool,
    /// How many half-moves lead from the root to each position.
    pub ply: u32,
    /// How many positions there are.
    pub positions: u64,
    /// The sum of the multiplicities, the perft of `ply`, as decimal digits: it may not fit into
    /// the numbers of JSON.
    pub games: String,
    /// The bytes of a record.
    pub record: usize,
}

impl FrontierHeader {
    /// The root position.
    ///
    /// # Errors
    /// If it cannot be played on.
    pub fn root_position(&self) -> Result<Position, FenError> {
        let root = Position::from_fen(&self.root)?;
        if self.chess960 {
            // Every position can be written as in Chess960.
            return Ok(root.clone().with_mode(CastlingMode::Chess960).unwrap_or(root));
        }
        Ok(root)
    }
}

/// Writes a frontier file.
pub(super) struct FrontierWriter<W: Write + Seek> {
    encoder: zstd::Encoder<'static, W>,
    bytes: Vec<u8>,
    positions: u64,
    games: u128,
}

impl<W: Write + Seek> FrontierWriter<W> {
    pub(super) fn new(mut output: W) -> io::Result<Self> {
        output.write_all(&frame(b""))?;
        let mut encoder = zstd::Encoder::new(output, LEVEL)?;
        encoder.include_checksum(true)?;
        Ok(Self { encoder, bytes: Vec::new(), positions: 0, games: 0 })
    }

    pub(super) fn write(&mut self, record: &Counted) -> io::Result<()> {
        record.write(&mut self.bytes);
        self.positions += 1;
        self.games += u128::from(record.games);
        if self.bytes.len() >= 1 << 16 {
            self.encoder.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self, root: &Position, ply: u32) -> io::Result<FrontierHeader> {
        self.encoder.write_all(&self.bytes)?;
        let mut output = self.encoder.finish()?;
        let header = FrontierHeader {
            schema: SCHEMA.into(),
            root: root.fen().to_string(),
            chess960: root.mode() == CastlingMode::Chess960,
            ply,
            positions: self.positions,
            games: self.games.to_string(),
            record: Counted::BYTES,
        };
        output.seek(SeekFrom::Start(0))?;
        output.write_all(&frame(&serde_json::to_vec(&header)?))?;
        output.flush()?;
        Ok(header)
    }
}

/// A frame for decompressors to skip, with a text of at most [`HEADER`] bytes.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = SKIPPABLE.to_vec();
    frame.extend((HEADER as u32).to_le_bytes());
    frame.extend_from_slice(text);
    frame.resize(8 + HEADER, b' ');
    frame
}

/// A frontier file being read: the positions in order, each with its multiplicity.
///
/// # The format
///
/// A file is a sequence of zstd frames (RFC 8878), so `zstd -d` unpacks the records.
///
/// 1. A *skippable* frame, 512 bytes with its own header: a line of JSON, filled up with spaces.
///    It holds the fields of [`FrontierHeader`].
/// 2. A compressed frame with a checksum: the records, 32 bytes each, in ascending order of
///    their bytes, every position once. The first 24 bytes are a [packed](crate::PackedPosition)
///    position, the other 8 its multiplicity, the most significant byte first.
///
/// Reading ends with an error if the records are damaged, cut off, out of order, or do not agree
/// with the header.
///
/// ```
/// use std::io::Cursor;
/// use tabiya::Position;
/// use tabiya_perft::{write_frontier, DistinctOptions, FrontierFile};
///
/// let mut file = Cursor::new(Vec::new());
/// let header =
///     write_frontier(&Position::START, 3, &DistinctOptions::default(), &(), &mut file).unwrap();
/// assert_eq!((header.positions, header.games.as_str()), (5362, "8902"));
///
/// file.set_position(0);
/// let positions = FrontierFile::open(file).unwrap();
/// assert_eq!(positions.header(), &header);
/// let games = positions.map(|entry| entry.unwrap().1);
/// assert_eq!(games.sum::<u64>(), 8902);
/// ```
pub struct FrontierFile<R: Read> {
    header: FrontierHeader,
    root: Position,
    games: u128,
    records: zstd::Decoder<'static, BufReader<R>>,
    read: u64,
    sum: u128,
    last: Option<Counted>,
    ended: bool,
}

impl<R: Read> FrontierFile<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is not that of a frontier.
    pub fn open(mut file: R) -> Result<Self, FrontierFileError> {
        let mut start = [0; 8 + HEADER];
        file.read_exact(&mut start).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => FrontierFileError::NotAFrontier,
            _ => FrontierFileError::Read(error),
        })?;
        if start[..8] != frame(b"")[..8] {
            return Err(FrontierFileError::NotAFrontier);
        }
        let text = start[8..].trim_ascii();
        if text.is_empty() {
            return Err(FrontierFileError::Unfinished);
        }
        let header: FrontierHeader =
            serde_json::from_slice(text).map_err(|_| FrontierFileError::NotAFrontier)?;
        if header.schema != SCHEMA || header.record != Counted::BYTES {
            return Err(FrontierFileError::Version { found: header.schema });
        }
        let root = header.root_position().map_err(FrontierFileError::Root)?;
        let games = header.games.parse().map_err(|_| FrontierFileError::NotAFrontier)?;
        let records = zstd::Decoder::new(file).map_err(FrontierFileError::Read)?;
        let (read, sum, last, ended) = (0, 0, None, false);
        Ok(Self { header, root, games, records, read, sum, last, ended })
    }

    /// What the file says about itself.
    pub const fn header(&self) -> &FrontierHeader {
        &self.header
    }

    fn next_entry(&mut self) -> Result<Option<(Position, u64)>, FrontierFileError> {
        if self.read == self.header.positions {
            // The checksum is read with the end.
            let more = self.records.read(&mut [0]).map_err(FrontierFileError::of_records)?;
            let agrees = more == 0 && self.sum == self.games;
            return if agrees { Ok(None) } else { Err(FrontierFileError::Damaged) };
        }
        let mut bytes = [0; Counted::BYTES];
        self.records.read_exact(&mut bytes).map_err(FrontierFileError::of_records)?;
        let record = Counted::read(&bytes);
        let ascends = self.last.is_none_or(|last| last.packed < record.packed);
        let position = unpack(record.packed, &self.root, self.header.ply);
        let (true, Ok(position)) = (ascends, position) else {
            return Err(FrontierFileError::Damaged);
        };
        self.read += 1;
        self.sum += u128::from(record.games);
        self.last = Some(record);
        Ok(Some((position, record.games)))
    }
}

impl<R: Read> Iterator for FrontierFile<R> {
    type Item = Result<(Position, u64), FrontierFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.next_entry().transpose();
        self.ended = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl<R: Read> fmt::Debug for FrontierFile<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrontierFile")
            .field("header", &self.header)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

/// Why a file is no frontier.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrontierFileError {
    /// It does not begin like one.
    NotAFrontier,
    /// It was not written to its end.
    Unfinished,
    /// It is one of another version.
    Version {
        /// What it says it is.
        found: String,
    },
    /// The root cannot be played on.
    Root(FenError),
    /// The records are damaged or cut off.
    Damaged,
    /// The system could not read it.
    Read(io::Error),
}

impl FrontierFileError {
    /// What is wrong if the records cannot be read. zstd reports damage as `Other`.
    fn of_records(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::Other | ErrorKind::InvalidData => Self::Damaged,
            _ => Self::Read(error),
        }
    }
}

impl fmt::Display for FrontierFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFrontier => f.write_str("this is not a frontier file"),
            Self::Unfinished => f.write_str("this frontier file was not written to its end"),
            Self::Version { found } => {
                write!(f, "this file is of the format {found:?}, not {SCHEMA:?}")
            }
            Self::Root(error) => write!(f, "the root position of the frontier: {error}"),
            Self::Damaged => f.write_str("this frontier file is damaged or cut off"),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FrontierFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Root(error) => Some(error),
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}
