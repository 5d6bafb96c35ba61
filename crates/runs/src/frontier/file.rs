//! The file that contains a frontier.

use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use tabiya::{CastlingMode, FenError, Position};

use crate::ZstdReader;
use crate::distinct::{CountedPosition, Layout, RecordReader, RecordWriter, ZstdWriter};

/// The name of the format and its version.
const SCHEMA: &str = "tabiya-frontier/2";
/// The previous version, which had plain records.
const SCHEMA_1: &str = "tabiya-frontier/1";
/// The first bytes of a zstd frame that decompressors skip.
const SKIPPABLE: [u8; 4] = 0x184d_2a50_u32.to_le_bytes();
/// The size of the header, which is filled with spaces.
const HEADER: usize = 504;

/// The header of a frontier file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrontierHeader {
    /// The format: `tabiya-frontier/2`, or `tabiya-frontier/1` for an older file.
    pub schema: String,
    /// The FEN of the root.
    pub root: String,
    /// Does the root use Chess960 castling notation?
    pub chess960: bool,
    /// Plies from the root to each position.
    pub ply: u32,
    /// The number of positions.
    pub positions: u64,
    /// The sum of the multiplicities, which is the perft of `ply`. In decimal digits, as it may not
    /// fit into a number of JSON.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9]+$")))]
    pub games: String,
    /// The size of a record in bytes.
    pub record: usize,
}

impl FrontierHeader {
    /// The root position.
    ///
    /// # Errors
    /// [`FenError`] if it is not a legal position.
    pub fn root_position(&self) -> Result<Position, FenError> {
        let root = Position::from_fen(&self.root)?;
        if self.chess960 {
            // The notation of Chess960 can write every position.
            return Ok(root.clone().with_castling_mode(CastlingMode::Chess960).unwrap_or(root));
        }
        Ok(root)
    }
}

/// Writes a frontier file.
pub(super) struct FrontierWriter<W: Write + Seek> {
    records: RecordWriter<ZstdWriter<W>>,
    positions: u64,
    games: u128,
}

impl<W: Write + Seek> FrontierWriter<W> {
    pub(super) fn new(mut output: W) -> io::Result<Self> {
        output.write_all(&frame(b""))?;
        Ok(Self { records: RecordWriter::new(ZstdWriter::new(output)), positions: 0, games: 0 })
    }

    pub(super) fn write(&mut self, record: &CountedPosition) -> io::Result<()> {
        self.positions += 1;
        self.games += u128::from(record.multiplicity);
        self.records.write(record)
    }

    pub(super) fn finish(self, root: &Position, ply: u32) -> io::Result<FrontierHeader> {
        let mut output = self.records.finish()?.finish()?;
        let header = FrontierHeader {
            schema: SCHEMA.into(),
            root: root.fen().to_string(),
            chess960: root.castling_mode() == CastlingMode::Chess960,
            ply,
            positions: self.positions,
            games: self.games.to_string(),
            record: CountedPosition::BYTES,
        };
        output.seek(SeekFrom::Start(0))?;
        output.write_all(&frame(&serde_json::to_vec(&header)?))?;
        output.flush()?;
        Ok(header)
    }
}

/// A frame that decompressors skip, with at most [`HEADER`] bytes of text.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = SKIPPABLE.to_vec();
    frame.extend((HEADER as u32).to_le_bytes());
    frame.extend_from_slice(text);
    frame.resize(8 + HEADER, b' ');
    frame
}

/// Reads a frontier file: the positions in order, each with its multiplicity.
///
/// # The format
///
/// A file is a sequence of zstd frames (RFC 8878).
///
/// 1. A *skippable* frame, 512 bytes with its own header: a line of JSON, filled up with spaces.
///    It has the fields of [`FrontierHeader`].
/// 2. Compressed frames, each with a checksum. `zstd -d` unpacks them. They contain the records in
///    ascending order, every position once.
///
/// A record has 32 bytes. The first 24 are a [packed](tabiya::packed::PackedIdentity) position, the
/// other 8 its multiplicity, the most significant byte first. Only the bytes that differ from the
/// previous record are stored. First comes a mask of 4 bytes: bit `i % 8` of byte `i / 8` says
/// whether byte `i` differs. Then come these bytes in order. Before the first record, all bytes are
/// 0. In Python:
///
/// ```python
/// record = bytearray(32)
/// while mask := int.from_bytes(unpacked.read(4), "little"):
///     for i in range(32):
///         if mask >> i & 1:
///             record[i] = unpacked.read(1)[0]
///     print(record[:24].hex(), int.from_bytes(record[24:], "big"))
/// ```
///
/// Files of the previous version, `tabiya-frontier/1`, can also be read. They have one compressed
/// frame, with all 32 bytes of each record.
///
/// Reading ends with an error if the records are damaged, truncated, out of order, or do not agree
/// with the header.
///
/// ```
/// use std::io::Cursor;
/// use tabiya::Position;
/// use tabiya_runs::{DistinctOptions, FrontierFile, write_frontier};
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
    records: RecordReader<ZstdReader<BufReader<R>>>,
    read: u64,
    sum: u128,
    last: Option<CountedPosition>,
    ended: bool,
}

impl<R: Read> FrontierFile<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`FrontierFileError`] if the file does not begin with the header of a frontier file.
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
        let layout = match header.schema.as_str() {
            SCHEMA if header.record == CountedPosition::BYTES => Layout::FrontCoded,
            SCHEMA_1 if header.record == CountedPosition::BYTES => Layout::Plain,
            _ => return Err(FrontierFileError::Version { found: header.schema }),
        };
        let root = header.root_position()?;
        let games = header.games.parse().map_err(|_| FrontierFileError::NotAFrontier)?;
        let records = RecordReader::new(ZstdReader::new(BufReader::new(file)), layout);
        let (read, sum, last, ended) = (0, 0, None, false);
        Ok(Self { header, root, games, records, read, sum, last, ended })
    }

    /// The header of the file.
    pub const fn header(&self) -> &FrontierHeader {
        &self.header
    }

    fn next_entry(&mut self) -> Result<Option<(Position, u64)>, FrontierFileError> {
        if self.read == self.header.positions {
            let at_end = self.records.is_at_end().map_err(FrontierFileError::of_records)?;
            let agrees = at_end && self.sum == self.games;
            return if agrees { Ok(None) } else { Err(FrontierFileError::Damaged) };
        }
        let record = self.records.next().map_err(FrontierFileError::of_records)?;
        let ascends = self.last.is_none_or(|last| last.packed < record.packed);
        let position = record.unpack(&self.root, self.header.ply);
        let (true, Ok(position)) = (ascends, position) else {
            return Err(FrontierFileError::Damaged);
        };
        self.read += 1;
        self.sum += u128::from(record.multiplicity);
        self.last = Some(record);
        Ok(Some((position, record.multiplicity)))
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

/// An error of reading a frontier file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierFileError {
    /// The file does not begin like a frontier file.
    #[error("the file is not a frontier file")]
    NotAFrontier,
    /// The file was not written completely.
    #[error("the frontier file is incomplete")]
    Unfinished,
    /// The file has another version of the format.
    #[error(
        "the file has the format {found:?}, but this version reads {SCHEMA:?} and {SCHEMA_1:?}"
    )]
    Version {
        /// The version in the file.
        found: String,
    },
    /// The root is not a legal position.
    #[error("the root of the frontier is not a legal position: {0}")]
    Root(#[from] FenError),
    /// The records are damaged or truncated.
    #[error("the frontier file is damaged or truncated")]
    Damaged,
    /// The system cannot read the file.
    #[error(transparent)]
    Read(io::Error),
}

impl FrontierFileError {
    /// The error if a record cannot be read.
    fn of_records(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData => Self::Damaged,
            _ => Self::Read(error),
        }
    }
}
