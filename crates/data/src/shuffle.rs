//! Random orders of more rows than memory holds.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tabiya::SplitMix64;

/// The length of a row: a record as [`Format::Packed`](crate::Format::Packed) writes it.
const ROW: usize = 40;

/// Rows in a random order, each order with the same chance.
///
/// Every row gets a random number of 64 bits, no number twice, and the rows are sorted by these. So the order depends on
/// the seed and the order of the rows before, and on nothing else. Rows that don't fit into memory are divided
/// into files by the first bits of their numbers, and each is sorted alone; one that is still too large is divided
/// again.
#[derive(Debug)]
pub struct Shuffle {
    numbers: SplitMix64,
    rows: Rows,
}

/// A row and its number.
type Numbered = (u64, [u8; ROW]);

/// The size of a row and its number.
const SIZE: usize = size_of::<Numbered>();

/// The number of bits by which files are divided.
const BITS: u32 = 7;

/// Rows in memory, or divided into files.
#[derive(Debug)]
struct Rows {
    /// The number of rows that memory holds.
    capacity: usize,
    folder: PathBuf,
    /// The number of bits by which these rows are already divided.
    depth: u32,
    held: Vec<Numbered>,
    files: Vec<BufWriter<File>>,
}

impl Shuffle {
    /// Begins. Temporary files come into the folder, and `memory` is in bytes, for the rows alone.
    pub fn new(seed: u64, memory: usize, folder: &Path) -> Self {
        let capacity = (memory / SIZE).max(1);
        let rows = Rows::new(capacity, folder.to_owned(), 0);
        Self { numbers: SplitMix64::new(seed).part(0), rows }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// A temporary file can't be written.
    ///
    /// # Panics
    /// The bytes aren't whole rows of 40 bytes.
    pub fn push(&mut self, rows: &[u8]) -> io::Result<()> {
        let (rows, rest) = rows.as_chunks::<ROW>();
        assert!(rest.is_empty(), "only whole rows");
        rows.iter().try_for_each(|row| self.rows.push((self.numbers.number(), *row)))
    }

    /// All rows in their new order, in parts that fit into memory.
    ///
    /// ```
    /// use tabiya_data::Shuffle;
    /// let mut shuffle = Shuffle::new(7, 1 << 20, &std::env::temp_dir());
    /// (0..5u8).try_for_each(|row| shuffle.push(&[row; 40]))?;
    /// let rows: Vec<u8> = shuffle.finish()?.collect::<Result<Vec<_>, _>>()?.concat();
    /// assert_eq!(rows.len(), 5 * 40);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// A temporary file can't be written; for the parts, it can't be read.
    pub fn finish(self) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>> + Send> {
        let Rows { capacity, folder, .. } = &self.rows;
        let (capacity, folder) = (*capacity, folder.clone());
        Ok(Shuffled { parts: self.rows.finish()?, capacity, folder, sorted: Vec::new() })
    }
}

impl Rows {
    fn new(capacity: usize, folder: PathBuf, depth: u32) -> Self {
        Self { capacity, folder, depth, held: Vec::new(), files: Vec::new() }
    }

    fn push(&mut self, row: Numbered) -> io::Result<()> {
        if self.held.len() == self.capacity && self.files.is_empty() {
            let file =
                |_| Ok(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(&self.folder)?));
            self.files = (0..1 << BITS).map(file).collect::<io::Result<_>>()?;
            for row in std::mem::take(&mut self.held) {
                self.write(row)?;
            }
        }
        if !self.files.is_empty() {
            return self.write(row);
        }
        self.held.push(row);
        Ok(())
    }

    fn write(&mut self, (number, row): Numbered) -> io::Result<()> {
        let file = &mut self.files[(number << self.depth >> (64 - BITS)) as usize];
        file.write_all(&number.to_ne_bytes())?;
        file.write_all(&row)
    }

    /// The parts, the last one first.
    fn finish(self) -> io::Result<Vec<Part>> {
        if self.files.is_empty() {
            return Ok(vec![Part::Held(self.held)]);
        }
        let depth = self.depth + BITS;
        let part = |file: BufWriter<File>| {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(Part::File(file, depth))
        };
        self.files.into_iter().rev().map(part).collect()
    }
}

/// Rows that aren't in order yet.
enum Part {
    Held(Vec<Numbered>),
    /// A file, and the number of bits by which its rows are divided from others.
    File(File, u32),
}

/// The parts of all rows, as they come in order.
struct Shuffled {
    /// The parts that are left, the last one first.
    parts: Vec<Part>,
    capacity: usize,
    folder: PathBuf,
    /// Rows in order, backwards.
    sorted: Vec<Numbered>,
}

/// The number of rows that are given out at a time.
const GIVEN: usize = 1 << 14;

impl Iterator for Shuffled {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        while self.sorted.is_empty() {
            match self.parts.pop()? {
                Part::Held(mut rows) => {
                    rows.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
                    self.sorted = rows;
                }
                Part::File(file, depth) => match self.read(file, depth) {
                    Ok(parts) => self.parts.extend(parts),
                    Err(error) => return Some(Err(error)),
                },
            }
        }
        let rest = self.sorted.len().saturating_sub(GIVEN);
        let rows = self.sorted.drain(rest..).rev().flat_map(|(_, row)| row);
        Some(Ok(rows.collect()))
    }
}

impl Shuffled {
    /// Reads a file of rows, and divides it if it's too large.
    fn read(&self, file: File, depth: u32) -> io::Result<Vec<Part>> {
        let len = file.metadata()?.len() / SIZE as u64;
        let mut rows = Rows::new(self.capacity, self.folder.clone(), depth);
        let mut file = BufReader::with_capacity(1 << 18, file);
        let (mut number, mut row) = ([0; 8], [0; ROW]);
        for _ in 0..len {
            file.read_exact(&mut number)?;
            file.read_exact(&mut row)?;
            rows.push((u64::from_ne_bytes(number), row))?;
        }
        rows.finish()
    }
}
