//! Sorted records as a sequence of bytes.
//!
//! Neighbouring records are similar, so only the bytes that change are stored (*front coding*). A
//! record is a mask with one bit for each of its bytes, the first byte's bit lowest, followed by
//! the bytes whose bits are set. These are the bytes that differ from the previous record. Before
//! the first record, all bytes are 0. With front coding, a fast compressor packs the records about
//! as well as a slow one does without it.
//!
//! zstd compresses permanent files. Temporary files use lz4 (in [`runs`](super::runs)), which is
//! ten times as fast.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::mem;

use ruzstd::encoding::{CompressionLevel, FrameCompressor, MatchGeneratorDriver};

use super::record::CountedPosition;

const BYTES: usize = CountedPosition::BYTES;
/// A record is read and written in words of 8 bytes.
const WORDS: usize = BYTES / 8;
const _: () = assert!(BYTES.is_multiple_of(8));
/// The greatest length of a coded record: a byte of the mask for each word, and all its bytes.
const MAX_CODED: usize = WORDS + BYTES;
/// Records are coded in pieces of this size.
const PIECE: usize = 16 << 10;

/// Writes sorted records.
pub(crate) struct RecordWriter<W> {
    output: W,
    /// Coded records that are not written yet.
    coded: Vec<u8>,
    last: [u8; BYTES],
}

impl<W: Write> RecordWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        let coded = Vec::with_capacity(PIECE + MAX_CODED);
        Self { output, coded, last: [0; BYTES] }
    }

    pub(crate) fn write(&mut self, record: &CountedPosition) -> io::Result<()> {
        let bytes = record.to_bytes();
        let mut coded = [0; MAX_CODED];
        let mut len = WORDS;
        let pairs = bytes.as_chunks::<8>().0.iter().zip(self.last.as_chunks::<8>().0);
        for ((word, last), mask) in pairs.zip(0..) {
            let difference = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*last);
            let mut changed = nonzero_bytes(difference);
            coded[mask] = changed;
            while changed != 0 {
                coded[len] = word[changed.trailing_zeros() as usize];
                len += 1;
                changed &= changed - 1;
            }
        }
        self.last = bytes;
        self.coded.extend_from_slice(&coded[..len]);
        if self.coded.len() >= PIECE {
            self.output.write_all(&self.coded)?;
            self.coded.clear();
        }
        Ok(())
    }

    /// Writes the remaining records and returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.output.write_all(&self.coded)?;
        Ok(self.output)
    }
}

/// A bit for each byte of a word that is not 0.
const fn nonzero_bytes(word: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of each byte that is not 0, without carries between bytes.
    let highest = (((word & LOW) + LOW) | word) & !LOW;
    // The product moves the bit of byte i to bit 56 + i.
    ((highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The form in which records are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The bytes that change from record to record.
    FrontCoded,
    /// All bytes of each record.
    Plain,
}

/// Reads sorted records.
///
/// If the input ends inside a record, the error is [`ErrorKind::UnexpectedEof`].
pub(crate) struct RecordReader<I> {
    input: BufReader<I>,
    layout: Layout,
    last: [u8; BYTES],
}

impl<I: Read> RecordReader<I> {
    pub(crate) fn new(input: I, layout: Layout) -> Self {
        let input = BufReader::with_capacity(PIECE, input);
        Self { input, layout, last: [0; BYTES] }
    }

    /// The next record. The caller knows that there is one.
    pub(crate) fn next(&mut self) -> io::Result<CountedPosition> {
        if self.layout == Layout::Plain {
            self.input.read_exact(&mut self.last)?;
        } else if self.input.buffer().len() >= MAX_CODED {
            let len = decode(self.input.buffer(), &mut self.last);
            self.input.consume(len);
        } else {
            let mut coded = [0; MAX_CODED];
            let (mask, rest) = coded.split_at_mut(WORDS);
            self.input.read_exact(mask)?;
            let changed: u32 = mask.iter().map(|bits| bits.count_ones()).sum();
            self.input.read_exact(&mut rest[..changed as usize])?;
            decode(&coded, &mut self.last);
        }
        Ok(CountedPosition::from_bytes(&self.last))
    }

    /// Is this the end of the input?
    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.fill_buf()?.is_empty())
    }
}

/// Changes the last record to the next one. Returns the number of bytes of `coded` that were used.
/// `coded` has at least [`MAX_CODED`] bytes.
fn decode(coded: &[u8], last: &mut [u8; BYTES]) -> usize {
    let mut len = WORDS;
    for (word, &mask) in last.as_chunks_mut::<8>().0.iter_mut().zip(coded) {
        let mut changed = mask;
        while changed != 0 {
            word[changed.trailing_zeros() as usize] = coded[len];
            len += 1;
            changed &= changed - 1;
        }
    }
    len
}

/// The size of a frame before compression, which is also the size of the largest block.
const FRAME: usize = 128 << 10;

/// Compresses data into zstd frames of one block each, with checksums.
pub(crate) struct ZstdWriter<W> {
    output: W,
    /// The bytes that are not compressed yet.
    bytes: Vec<u8>,
    frame: Vec<u8>,
    compressor: FrameCompressor<Cursor<Vec<u8>>, Vec<u8>, MatchGeneratorDriver>,
}

impl<W: Write> ZstdWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        let compressor = FrameCompressor::new(CompressionLevel::Fastest);
        Self { output, bytes: Vec::with_capacity(FRAME), frame: Vec::new(), compressor }
    }

    fn write_frame(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        // The compressor panics if its output cannot be written, so it writes to memory.
        self.compressor.set_source(Cursor::new(mem::take(&mut self.bytes)));
        self.compressor.set_drain(mem::take(&mut self.frame));
        self.compressor.compress();
        self.bytes = self.compressor.take_source().unwrap_or_default().into_inner();
        self.bytes.clear();
        self.frame = self.compressor.take_drain().unwrap_or_default();
        self.output.write_all(&self.frame)?;
        self.frame.clear();
        Ok(())
    }

    /// Writes the last frame and returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write_frame()?;
        Ok(self.output)
    }
}

impl<W: Write> Write for ZstdWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() == FRAME {
            self.write_frame()?;
        }
        let len = bytes.len().min(FRAME - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_frame()?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ZstdReader;
    use crate::distinct::CountedPosition;
    use std::io::ErrorKind;
    use tabiya::SplitMix64;
    use tabiya::packed::PackedIdentity;

    /// Records in ascending order, with similar neighbours.
    fn records(count: usize) -> Vec<CountedPosition> {
        let mut random = SplitMix64::new(count as u64);
        let mut bytes = [0; PackedIdentity::BYTES];
        let mut record = || {
            let place = random.below(PackedIdentity::BYTES);
            bytes[place] = random.below(256) as u8;
            let packed = PackedIdentity::from_bytes(bytes);
            CountedPosition { packed, multiplicity: random.below(1000) as u64 }
        };
        let mut records: Vec<_> = (0..count).map(|_| record()).collect();
        records.sort_unstable();
        records
    }

    fn written(records: &[CountedPosition]) -> Vec<u8> {
        let mut writer = RecordWriter::new(ZstdWriter::new(Vec::new()));
        for record in records {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap().finish().unwrap()
    }

    fn reader<I: Read>(input: I) -> RecordReader<ZstdReader<BufReader<I>>> {
        RecordReader::new(ZstdReader::new(BufReader::new(input)), Layout::FrontCoded)
    }

    #[test]
    fn the_mask_of_a_word_has_its_nonzero_bytes() {
        for mask in 0..=255 {
            for byte in [1, 0x7f, 0x80, 0xff] {
                let bytes =
                    std::array::from_fn(|place| if mask >> place & 1 == 1 { byte } else { 0 });
                assert_eq!(nonzero_bytes(u64::from_le_bytes(bytes)), mask);
            }
        }
    }

    #[test]
    fn records_of_any_number_are_read_back() {
        for count in [0, 1, 2, 1000, 30_000] {
            let records = records(count);
            let bytes = written(&records);
            let mut reader = reader(&bytes[..]);
            for record in &records {
                assert_eq!(reader.next().unwrap(), *record);
            }
            assert!(reader.is_at_end().unwrap());
            let error = reader.next().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn damaged_frames_are_errors_or_give_the_same_records() {
        let records = records(2000);
        let bytes = written(&records);
        let mut random = SplitMix64::new(7);
        let mut errors = 0;
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let place = random.below(bytes.len());
            damaged[place] ^= 1 << random.below(8);
            if random.below(4) == 0 {
                damaged.truncate(place);
            }
            let mut reader = reader(&damaged[..]);
            let found: io::Result<Vec<_>> = records.iter().map(|_| reader.next()).collect();
            match found.and_then(|found| Ok((found, reader.is_at_end()?))) {
                Ok((found, true)) => assert_eq!(found, records),
                _ => errors += 1,
            }
        }
        assert!(errors > 1900, "{errors}");
    }

    /// A system error of the input is not reported as damage.
    #[test]
    fn errors_of_the_system_keep_their_kind() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(ErrorKind::PermissionDenied.into())
            }
        }
        let bytes = written(&records(1000));
        for cut in [0, 3, 100] {
            let input = bytes[..cut].chain(Failing);
            let mut reader = reader(input);
            let error = (0..1000).find_map(|_| reader.next().err()).unwrap();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "after {cut} bytes");
        }
    }
}
