//! A tree in which every distinct position of a ply occurs once.
//!
//! The nodes at some early ply, the *roots*, are kept as packed positions. Each later ply has one
//! bit for each legal move of the nodes before it: does the move lead to a node? If several moves
//! lead to the same position, only one has its bit set. So a position takes about three bits.
//! Walking through the tree finds the nodes again. This costs little, because every node has many
//! children.
//!
//! The order of the bits is that of the walk: depth first, the moves in the order of the generator.
//! The roots are divided into chunks, and each chunk has its own bits, so that threads can walk
//! through different chunks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya::CastlingMode;
use tabiya::packed::PackedIdentity;

use super::bits::Bits;
use super::{DistinctError, Storage};

/// The roots are divided into at most this many chunks.
const CHUNKS: usize = 4096;

/// The nodes up to some ply.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) mode: CastlingMode,
    pub(super) roots: Vec<PackedIdentity>,
    /// The plies after the roots.
    pub(super) plies: Vec<TreePly>,
}

/// The nodes at one ply.
#[derive(Debug)]
pub(super) struct TreePly {
    /// The moves of the previous ply's nodes that lead to a node.
    pub(super) bits: ChunkBits,
    pub(super) facts: PlyFacts,
}

/// Facts about the distinct positions at a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlyFacts {
    /// The number of positions.
    pub(super) nodes: u64,
    /// The number of moves of the positions at the previous ply.
    pub(super) moves: u64,
    /// The XOR of the fingerprints of all positions. If several moves lead to a node, it does not
    /// depend on which of them is marked.
    pub(super) sum: u128,
}

impl Tree {
    /// The number of chunks.
    pub(super) fn chunks(&self) -> usize {
        self.roots.len().div_ceil(self.chunk_len())
    }

    fn chunk_len(&self) -> usize {
        self.roots.len().div_ceil(CHUNKS).max(1)
    }

    /// The numbers of the roots in a chunk.
    pub(super) fn roots_of(&self, chunk: usize) -> Range<usize> {
        let len = self.chunk_len();
        chunk * len..((chunk + 1) * len).min(self.roots.len())
    }

    /// The bytes of memory that the tree uses.
    pub(super) fn memory(&self) -> u64 {
        let bits: u64 = self.plies.iter().map(|ply| ply.bits.memory()).sum();
        size_of_val(&self.roots[..]) as u64 + bits
    }
}

/// The bits of each chunk, in memory or in a temporary file.
#[derive(Debug)]
pub(super) struct ChunkBits {
    chunks: Vec<Mutex<Kept>>,
    file: Option<Mutex<BitsFile>>,
}

/// The place of a chunk's bits.
#[derive(Debug)]
enum Kept {
    Memory(Arc<Bits>),
    File { offset: u64, words: usize },
}

/// A temporary file of bits.
#[derive(Debug)]
struct BitsFile {
    file: File,
    /// The end of the written data.
    end: u64,
}

impl ChunkBits {
    /// Empty bits, for a number of chunks.
    pub(super) fn new(
        chunks: usize,
        in_file: bool,
        storage: &Storage,
    ) -> Result<Self, DistinctError> {
        let file = if in_file {
            Some(Mutex::new(BitsFile { file: storage.temporary_file()?, end: 0 }))
        } else {
            None
        };
        let chunks = (0..chunks).map(|_| Mutex::new(Kept::Memory(Arc::default()))).collect();
        Ok(Self { chunks, file })
    }

    /// The number of chunks.
    pub(super) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The bits of a chunk.
    pub(super) fn load(&self, chunk: usize, storage: &Storage) -> Result<Arc<Bits>, DistinctError> {
        match (&*lock(&self.chunks[chunk]), &self.file) {
            (Kept::Memory(bits), _) => Ok(Arc::clone(bits)),
            (&Kept::File { offset, words }, Some(file)) => {
                let bits = lock(file).read(offset, words);
                bits.map(Arc::new).map_err(|error| storage.failed(error))
            }
            (Kept::File { .. }, None) => Ok(Arc::default()),
        }
    }

    /// The bits of a chunk, to be changed and stored again.
    pub(super) fn take(&self, chunk: usize, storage: &Storage) -> Result<Bits, DistinctError> {
        if let Kept::Memory(bits) = &mut *lock(&self.chunks[chunk]) {
            return Ok(Arc::unwrap_or_clone(mem::take(bits)));
        }
        self.load(chunk, storage).map(Arc::unwrap_or_clone)
    }

    /// Stores the bits of a chunk. The number of bits may change only the first time.
    pub(super) fn store(
        &self,
        chunk: usize,
        bits: Bits,
        storage: &Storage,
    ) -> Result<(), DistinctError> {
        let mut kept = lock(&self.chunks[chunk]);
        let Some(file) = &self.file else {
            *kept = Kept::Memory(Arc::new(bits));
            return Ok(());
        };
        let mut file = lock(file);
        let offset = match *kept {
            Kept::File { offset, .. } => offset,
            Kept::Memory(_) => file.end,
        };
        let written = file.write(offset, bits.words()).map_err(|error| storage.failed(error))?;
        storage.wrote(written);
        *kept = Kept::File { offset, words: bits.words().len() };
        Ok(())
    }

    /// The bytes of memory in use.
    fn memory(&self) -> u64 {
        let bytes = |kept: &Kept| match kept {
            Kept::Memory(bits) => size_of_val(bits.words()) as u64,
            Kept::File { .. } => 0,
        };
        self.chunks.iter().map(|kept| bytes(&lock(kept)) + size_of::<Mutex<Kept>>() as u64).sum()
    }
}

impl BitsFile {
    fn read(&mut self, offset: u64, words: usize) -> io::Result<Bits> {
        self.file.seek(SeekFrom::Start(offset))?;
        read_words(&mut self.file, words).map(Bits::from_words)
    }

    fn write(&mut self, offset: u64, words: &[u64]) -> io::Result<u64> {
        self.file.seek(SeekFrom::Start(offset))?;
        let written = write_words(&mut self.file, words)?;
        self.end = self.end.max(offset + written);
        Ok(written)
    }
}

/// The number of words that are converted to bytes at once.
const PIECE: usize = 8192;

/// Reads words, the lowest byte first.
pub(super) fn read_words(input: &mut impl Read, count: usize) -> io::Result<Vec<u64>> {
    let mut words = Vec::new();
    let mut bytes = vec![0; 8 * PIECE.min(count)];
    while words.len() < count {
        let piece = &mut bytes[..8 * PIECE.min(count - words.len())];
        input.read_exact(piece)?;
        words.try_reserve(piece.len() / 8)?;
        words.extend(piece.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)));
    }
    Ok(words)
}

/// Writes words; returns the number of bytes.
pub(super) fn write_words(output: &mut impl Write, words: &[u64]) -> io::Result<u64> {
    let mut bytes = Vec::with_capacity(8 * PIECE.min(words.len()));
    for piece in words.chunks(PIECE) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|word| word.to_le_bytes()));
        output.write_all(&bytes)?;
    }
    Ok(size_of_val(words) as u64)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
