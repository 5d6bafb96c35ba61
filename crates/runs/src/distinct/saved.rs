//! The file that keeps the results, so that a later run continues.
//!
//! The file begins with its name and version, and consists of records. A record is a tag of four
//! bytes, the length of its contents (64 bits), a CRC-32, the contents, and another CRC-32. Numbers
//! have their lowest byte first. The first checksum covers the tag and the length, the second the
//! contents. Records are only appended, and each is on the disk before counting continues:
//!
//! * `head`: JSON about the count, once, at the beginning;
//! * `tree`: the facts and the bits of a ply of the tree;
//! * `pass`: what one pass through the last ply found.
//!
//! If the file ends inside its last record, the program or the machine stopped while writing it, so
//! the record is removed. Any other error is damage.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use tabiya::{CastlingMode, Position};

use super::bits::Bits;
use super::fingerprint::SHARES;
use super::tree::{ChunkBits, PlyFacts, read_words, write_words};
use super::{DistinctError, Storage};
use crate::checkpoint::place::Place;
use crate::output_file::{refuse_folder, refuse_read_only};
use tabiya_perft::Seed;

/// The name of the format and its version.
const MAGIC: [u8; 16] = *b"tabiya-distinct1";
/// The greatest length of a header.
const MAX_HEAD: u64 = 4096;

/// The description of the count in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// The FEN of the root, in the notation of Chess960 if the root uses it.
    pub(super) root: String,
    pub(super) chess960: bool,
    /// The seed of the fingerprints.
    pub(super) seed: String,
    /// The ply of the tree's roots.
    pub(super) roots_ply: u32,
}

impl Head {
    pub(super) fn new(root: &Position, seed: Seed, roots_ply: u32) -> Self {
        Self {
            root: root.fen().to_string(),
            chess960: root.castling_mode() == CastlingMode::Chess960,
            seed: seed.to_string(),
            roots_ply,
        }
    }

    /// The position at the root; `None` if it cannot be read.
    pub(super) fn root(&self) -> Option<Position> {
        let root = Position::from_fen(&self.root).ok()?;
        let mode = if self.chess960 { CastlingMode::Chess960 } else { root.castling_mode() };
        root.with_castling_mode(mode).ok()
    }
}

/// The result of some passes through a ply, starting with the first share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// The shares that were counted: from 0 up to this number, exclusive.
    pub(super) shares: u64,
    pub(super) facts: PlyFacts,
}

impl Passed {
    /// Have all shares been counted?
    pub(super) const fn is_complete(&self) -> bool {
        self.shares == SHARES
    }
}

/// An open checkpoint.
#[derive(Debug)]
pub(super) struct Saved {
    path: PathBuf,
    place: Place,
    file: File,
    /// Is the file only read? If so, another process may be appending to it.
    is_read_only: bool,
}

/// A record that was read.
pub(super) enum Record {
    Tree {
        ply: u32,
        facts: PlyFacts,
        bits: ChunkBits,
    },
    /// The results of all passes up to this one.
    Pass {
        ply: u32,
        passed: Passed,
    },
}

/// The contents of a record, without the bits of a tree.
pub(super) enum Known {
    Tree { ply: u32, facts: PlyFacts },
    Pass { ply: u32, passed: Passed },
}

impl Saved {
    /// Opens a file to continue it, and reads its header. `None` if it does not exist, or contains
    /// nothing yet.
    pub(super) fn open(path: &Path) -> Result<Option<(Self, Head)>, DistinctError> {
        match fs::metadata(path) {
            Ok(found) => {
                Self::expect_file(path, &found)?;
                refuse_read_only(&found).map_err(|source| failed(path, source))?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed(path, source)),
        }
        let file = File::options().read(true).write(true).open(path);
        let mut saved = Self::lock(path, file.map_err(|source| failed(path, source))?)?;
        Ok(saved.begin()?.map(|head| (saved, head)))
    }

    /// Opens a file for reading. `None` if it contains nothing yet.
    pub(super) fn open_to_read(path: &Path) -> Result<Option<(Self, Head)>, DistinctError> {
        let failed = |source| failed(path, source);
        Self::expect_file(path, &fs::metadata(path).map_err(failed)?)?;
        let file = File::open(path).map_err(failed)?;
        let place = Place::of(path, &file).map_err(failed)?;
        let mut saved = Self { path: path.into(), place, file, is_read_only: true };
        Ok(saved.begin()?.map(|head| (saved, head)))
    }

    /// Returns an error if this is not a regular file. Opening a pipe would wait for a writer.
    fn expect_file(path: &Path, found: &Metadata) -> Result<(), DistinctError> {
        refuse_folder(found).map_err(|source| failed(path, source))?;
        if found.is_file() {
            return Ok(());
        }
        Err(DistinctError::ForeignCheckpoint { path: path.into() })
    }

    /// Reads the header. `None` if the file contains nothing yet.
    fn begin(&mut self) -> Result<Option<Head>, DistinctError> {
        let mut magic = Vec::new();
        let read = (&self.file).take(16).read_to_end(&mut magic);
        read.map_err(|source| failed(&self.path, source))?;
        if magic != MAGIC[..magic.len()] {
            return Err(self.foreign());
        }
        if magic.len() < MAGIC.len() {
            return Ok(None);
        }
        let Some(mut record) = self.next_record()? else { return Ok(None) };
        if record.tag != *b"head" || record.left > MAX_HEAD {
            return Err(self.damaged());
        }
        let mut text = Vec::new();
        (&mut record).take(MAX_HEAD).read_to_end(&mut text).map_err(|error| self.failed(error))?;
        self.check(record)?;
        serde_json::from_slice(&text).map(Some).map_err(|_| self.damaged())
    }

    /// Creates a file, or takes one that contains nothing yet.
    pub(super) fn create(path: &Path, head: &Head) -> Result<Self, DistinctError> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut saved = Self::lock(path, file.map_err(|source| failed(path, source))?)?;
        if saved.begin()?.is_some() {
            // Another process has created the checkpoint since this one looked for it.
            return Err(DistinctError::CheckpointInUse { path: path.into() });
        }
        let text = serde_json::to_vec(head).map_err(|error| saved.failed(error.into()))?;
        let begin = || -> io::Result<()> {
            saved.file.set_len(0)?;
            (&saved.file).seek(SeekFrom::Start(0))?;
            (&saved.file).write_all(&MAGIC)
        };
        begin().map_err(|error| saved.failed(error))?;
        saved.append(*b"head", text.len() as u64, |output| output.write_all(&text))?;
        Ok(saved)
    }

    fn lock(path: &Path, file: File) -> Result<Self, DistinctError> {
        match file.try_lock() {
            Ok(()) => {
                let place = Place::of(path, &file).map_err(|source| failed(path, source))?;
                Ok(Self { path: path.into(), place, file, is_read_only: false })
            }
            Err(TryLockError::WouldBlock) => {
                Err(DistinctError::CheckpointInUse { path: path.into() })
            }
            Err(TryLockError::Error(source)) => Err(failed(path, source)),
        }
    }

    /// The next record, or `None` at the end.
    pub(super) fn read(
        &mut self,
        in_file: impl Fn(u64) -> bool,
        storage: &Storage,
    ) -> Result<Option<Record>, DistinctError> {
        let Some(mut record) = self.next_record()? else { return Ok(None) };
        let found = match &record.tag {
            b"tree" => {
                let length = record.left;
                let (ply, facts) = read_facts(&mut record).map_err(|error| self.failed(error))?;
                let chunks = read_number(&mut record).map_err(|error| self.failed(error))?;
                // Each chunk stores at least its length.
                if chunks > length / 8 {
                    return Err(self.damaged());
                }
                let bits = ChunkBits::new(chunks as usize, in_file(length), storage)?;
                for chunk in 0..bits.len() {
                    let words = read_number(&mut record).map_err(|error| self.failed(error))?;
                    if words > record.left / 8 {
                        return Err(self.damaged());
                    }
                    let words = read_words(&mut record, words as usize);
                    let words = words.map_err(|error| self.failed(error))?;
                    bits.store(chunk, Bits::from_words(words), storage)?;
                }
                Record::Tree { ply, facts, bits }
            }
            b"pass" => {
                let (ply, facts) = read_facts(&mut record).map_err(|error| self.failed(error))?;
                let shares = read_number(&mut record).map_err(|error| self.failed(error))?;
                Record::Pass { ply, passed: Passed { shares, facts } }
            }
            _ => return Err(self.damaged()),
        };
        self.check(record)?;
        Ok(Some(found))
    }

    /// The next record without the bits of the tree, or `None` at the end.
    pub(super) fn next_facts(&mut self) -> Result<Option<Known>, DistinctError> {
        let Some(mut record) = self.next_record()? else { return Ok(None) };
        let failed = |error| self.failed(error);
        let (ply, facts) = read_facts(&mut record).map_err(failed)?;
        let known = match &record.tag {
            b"tree" => {
                io::copy(&mut record, &mut io::sink()).map_err(failed)?;
                Known::Tree { ply, facts }
            }
            b"pass" => {
                let shares = read_number(&mut record).map_err(failed)?;
                Known::Pass { ply, passed: Passed { shares, facts } }
            }
            _ => return Err(self.damaged()),
        };
        self.check(record)?;
        Ok(Some(known))
    }

    /// Appends a ply of the tree.
    pub(super) fn write_tree(
        &mut self,
        ply: u32,
        facts: &PlyFacts,
        bits: &ChunkBits,
        storage: &Storage,
    ) -> Result<(), DistinctError> {
        let mut words = 0;
        for chunk in 0..bits.len() {
            words += bits.load(chunk, storage)?.words().len() as u64;
        }
        let length = FACTS + 8 * (1 + bits.len() as u64 + words);
        let mut unreadable = None;
        self.append(*b"tree", length, |output| {
            write_facts(output, ply, facts)?;
            output.write_all(&(bits.len() as u64).to_le_bytes())?;
            for chunk in 0..bits.len() {
                let bits = match bits.load(chunk, storage) {
                    Ok(bits) => bits,
                    Err(error) => {
                        unreadable = Some(error);
                        return Err(ErrorKind::Other.into());
                    }
                };
                output.write_all(&(bits.words().len() as u64).to_le_bytes())?;
                write_words(output, bits.words())?;
            }
            Ok(())
        })
        .map_err(|error| unreadable.unwrap_or(error))
    }

    /// Appends the results of all passes up to the last one.
    pub(super) fn write_pass(&mut self, ply: u32, passed: &Passed) -> Result<(), DistinctError> {
        self.append(*b"pass", FACTS + 8, |output| {
            write_facts(output, ply, &passed.facts)?;
            output.write_all(&passed.shares.to_le_bytes())
        })
    }

    fn append(
        &mut self,
        tag: [u8; 4],
        length: u64,
        contents: impl FnOnce(&mut Summed<BufWriter<&File>>) -> io::Result<()>,
    ) -> Result<(), DistinctError> {
        if !self.place.is_kept() {
            return Err(DistinctError::MovedCheckpoint { path: self.path.clone() });
        }
        let append = || {
            let mut output = BufWriter::new(&self.file);
            output.write_all(&record_head(tag, length))?;
            let mut output = Summed { inner: output, hasher: Hasher::new() };
            contents(&mut output)?;
            let Summed { inner: mut output, hasher } = output;
            output.write_all(&hasher.finalize().to_le_bytes())?;
            output.flush()?;
            drop(output);
            self.file.sync_data()
        };
        append().map_err(|error| self.failed(error))
    }

    /// Starts to read the next record, or returns `None` at the end of the file. Removes a record
    /// that was not written completely.
    fn next_record(&mut self) -> Result<Option<RecordContents>, DistinctError> {
        let begin = || -> io::Result<Option<RecordContents>> {
            let mut file = &self.file;
            let start = file.stream_position()?;
            let rest = file.metadata()?.len() - start;
            let mut head = [0; HEAD];
            if rest >= OVERHEAD {
                file.read_exact(&mut head)?;
            }
            let [a, b, c, d, length @ .., _, _, _, _] = head;
            let (tag, left) = ([a, b, c, d], u64::from_le_bytes(length));
            // After a power loss, there may be zeros in place of the data.
            let is_begun = rest >= OVERHEAD && head != [0; HEAD];
            if is_begun && head != record_head(tag, left) {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if !is_begun || left > rest - OVERHEAD {
                if !self.is_read_only {
                    file.set_len(start)?;
                    file.seek(SeekFrom::Start(start))?;
                }
                return Ok(None);
            }
            let input = BufReader::new(file.try_clone()?);
            let end = start + OVERHEAD + left;
            Ok(Some(RecordContents { tag, left, end, input, hasher: Hasher::new() }))
        };
        begin().map_err(|error| self.failed(error))
    }

    /// Finishes reading a record: checks that all of it has been read, and that its checksum is
    /// right.
    fn check(&self, record: RecordContents) -> Result<(), DistinctError> {
        let RecordContents { left, end, mut input, hasher, .. } = record;
        let mut sum = [0; 4];
        input.read_exact(&mut sum).map_err(|error| self.failed(error))?;
        if left > 0 || u32::from_le_bytes(sum) != hasher.finalize() {
            return Err(self.damaged());
        }
        (&self.file).seek(SeekFrom::Start(end)).map_err(|error| self.failed(error))?;
        Ok(())
    }

    pub(super) fn damaged(&self) -> DistinctError {
        DistinctError::DamagedCheckpoint { path: self.path.clone() }
    }

    fn foreign(&self) -> DistinctError {
        DistinctError::ForeignCheckpoint { path: self.path.clone() }
    }

    /// The error for a count that differs from the requested one.
    pub(super) fn other(&self, what: &'static str, found: &str, wanted: &str) -> DistinctError {
        let (found, wanted) = (found.into(), wanted.into());
        DistinctError::OtherCheckpoint { path: self.path.clone(), what, found, wanted }
    }

    fn failed(&self, source: io::Error) -> DistinctError {
        match source.kind() {
            ErrorKind::UnexpectedEof => self.damaged(),
            _ => failed(&self.path, source),
        }
    }
}

fn failed(path: &Path, source: io::Error) -> DistinctError {
    DistinctError::Checkpoint { path: path.into(), source }
}

/// The contents of a record.
struct RecordContents {
    tag: [u8; 4],
    /// The number of bytes that have not been read.
    left: u64,
    /// The end of the record in the file, with its checksum.
    end: u64,
    input: BufReader<File>,
    hasher: Hasher,
}

impl Read for RecordContents {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.input.read(&mut bytes[..len])?;
        self.hasher.update(&bytes[..read]);
        self.left -= read as u64;
        Ok(read)
    }
}

/// Adds the written bytes to a checksum.
struct Summed<W> {
    inner: W,
    hasher: Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The bytes of a record before its contents.
const HEAD: usize = 16;
/// The bytes of a record in addition to its contents.
const OVERHEAD: u64 = HEAD as u64 + 4;

/// The beginning of a record: its tag, the length of its contents, and their checksum.
fn record_head(tag: [u8; 4], length: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&tag);
    head[4..12].copy_from_slice(&length.to_le_bytes());
    let sum = crc32fast::hash(&head[..12]);
    head[12..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// The bytes of a ply and its facts.
const FACTS: u64 = 8 + 8 + 8 + 16;

fn write_facts(output: &mut impl Write, ply: u32, facts: &PlyFacts) -> io::Result<()> {
    output.write_all(&u64::from(ply).to_le_bytes())?;
    output.write_all(&facts.nodes.to_le_bytes())?;
    output.write_all(&facts.moves.to_le_bytes())?;
    output.write_all(&facts.sum.to_le_bytes())
}

fn read_facts(input: &mut impl Read) -> io::Result<(u32, PlyFacts)> {
    let ply = u32::try_from(read_number(input)?).unwrap_or(u32::MAX);
    let (nodes, moves) = (read_number(input)?, read_number(input)?);
    let (low, high) = (read_number(input)?, read_number(input)?);
    Ok((ply, PlyFacts { nodes, moves, sum: u128::from(high) << 64 | u128::from(low) }))
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
