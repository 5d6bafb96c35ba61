//! Sorted records as a sequence of zstd frames.
//!
//! Neighbouring records are similar, so only what changes is stored (*front coding*). A record is
//! a mask with one bit for each of its bytes, the first byte's lowest, and then the bytes whose bits
//! are set: those that differ from the record before. Before the first record, all bytes are 0. So
//! a fast encoder compresses about as well as a slow one does without front coding.
//!
//! The coded records are cut into frames of one block each. Every frame has a checksum.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::mem;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, FrameCompressor, MatchGeneratorDriver};

use super::record::Record;

/// The largest block of a frame.
const BLOCK: usize = 128 << 10;
/// No record has more bytes.
const MAX_BYTES: usize = 32;

/// Writes sorted records.
pub(crate) struct RecordWriter<W, R> {
    output: W,
    /// Coded records that are not written yet.
    coded: Vec<u8>,
    last: [u8; MAX_BYTES],
    compressor: FrameCompressor<Cursor<Vec<u8>>, Vec<u8>, MatchGeneratorDriver>,
    frame: Vec<u8>,
    records: PhantomData<R>,
}

impl<W: Write, R: Record> RecordWriter<W, R> {
    /// How many bytes the mask has.
    const MASK: usize = R::BYTES / 8;

    pub(crate) fn new(output: W) -> Self {
        const { assert!(R::BYTES <= MAX_BYTES && R::BYTES.is_multiple_of(8)) };
        Self {
            output,
            coded: Vec::with_capacity(BLOCK),
            last: [0; MAX_BYTES],
            compressor: FrameCompressor::new(CompressionLevel::Fastest),
            frame: Vec::new(),
            records: PhantomData,
        }
    }

    pub(crate) fn write(&mut self, record: &R) -> io::Result<()> {
        if self.coded.len() + Self::MASK + R::BYTES > BLOCK {
            self.write_frame()?;
        }
        let mut bytes = [0; MAX_BYTES];
        record.write(&mut bytes[..R::BYTES]);
        let mask = self.coded.len();
        self.coded.resize(mask + Self::MASK, 0);
        for (place, (&byte, last)) in bytes.iter().zip(&mut self.last).enumerate() {
            if byte != *last {
                self.coded[mask + place / 8] |= 1 << (place % 8);
                self.coded.push(byte);
                *last = byte;
            }
        }
        Ok(())
    }

    fn write_frame(&mut self) -> io::Result<()> {
        if self.coded.is_empty() {
            return Ok(());
        }
        // The compressor panics if its output cannot be written, so the output is memory.
        self.compressor.set_source(Cursor::new(mem::take(&mut self.coded)));
        self.compressor.set_drain(mem::take(&mut self.frame));
        self.compressor.compress();
        self.coded = self.compressor.take_source().unwrap_or_default().into_inner();
        self.coded.clear();
        self.frame = self.compressor.take_drain().unwrap_or_default();
        self.output.write_all(&self.frame)?;
        self.frame.clear();
        Ok(())
    }

    /// Writes what is left and returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write_frame()?;
        Ok(self.output)
    }
}

/// How records are stored in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// By what changes from record to record.
    FrontCoded,
    /// All bytes of each record.
    Plain,
}

/// Reads sorted records.
///
/// Damage is reported as [`ErrorKind::InvalidData`], and a file that is cut off inside of a record as
/// [`ErrorKind::UnexpectedEof`].
pub(crate) struct RecordReader<I: Read, R> {
    frames: BufReader<FrameReader<BufReader<I>>>,
    layout: Layout,
    last: [u8; MAX_BYTES],
    records: PhantomData<R>,
}

impl<I: Read, R: Record> RecordReader<I, R> {
    const MASK: usize = R::BYTES / 8;

    pub(crate) fn new(input: I, layout: Layout) -> Self {
        let frames = FrameReader {
            input: BufReader::new(input),
            decoder: FrameDecoder::new(),
            inside: false,
        };
        let frames = BufReader::new(frames);
        Self { frames, layout, last: [0; MAX_BYTES], records: PhantomData }
    }

    /// The next record, which must be there.
    pub(crate) fn next(&mut self) -> io::Result<R> {
        let mut mask = [0xff; MAX_BYTES / 8];
        if self.layout == Layout::FrontCoded {
            self.frames.read_exact(&mut mask[..Self::MASK])?;
        }
        let mut changed = [0; MAX_BYTES];
        let count = mask[..Self::MASK].iter().map(|bits| bits.count_ones() as usize).sum();
        self.frames.read_exact(&mut changed[..count])?;
        let mut changed = changed.into_iter();
        for (place, last) in self.last[..R::BYTES].iter_mut().enumerate() {
            if mask[place / 8] & 1 << (place % 8) != 0 {
                *last = changed.next().unwrap_or_default();
            }
        }
        Ok(R::read(&self.last[..R::BYTES]))
    }

    /// Is this the end, with all checksums right?
    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.frames.fill_buf()?.is_empty())
    }
}

/// Decompresses frames, one after the other, and verifies their checksums.
struct FrameReader<I> {
    input: I,
    decoder: FrameDecoder,
    /// Has a frame begun whose end was not verified yet?
    inside: bool,
}

impl<I: BufRead> Read for FrameReader<I> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(bytes);
            }
            if self.inside && self.decoder.is_finished() {
                let stored = self.decoder.get_checksum_from_data();
                if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a checksum is wrong"));
                }
                self.inside = false;
            }
            if self.inside {
                let strategy = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.input, strategy).map_err(decoding_error)?;
            } else {
                if self.input.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.decoder.reset(&mut self.input).map_err(decoding_error)?;
                self.inside = true;
            }
        }
    }
}

/// The system's error, if it is one, or damage.
fn decoding_error(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(this) = cause {
        if let Some(error) = this.downcast_ref::<io::Error>() {
            return io::Error::new(error.kind(), error.to_string());
        }
        cause = this.source();
    }
    io::Error::new(ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distinct::CountedPosition;
    use crate::packed::PackedPosition;
    use crate::random::SplitMix;

    /// Records in ascending order, with similar neighbours.
    fn records(count: usize) -> Vec<CountedPosition> {
        let mut random = SplitMix::new(count as u64);
        let mut bytes = [0; PackedPosition::BYTES];
        let mut record = || {
            let place = random.below(PackedPosition::BYTES);
            bytes[place] = random.below(256) as u8;
            let packed = PackedPosition::from_bytes(bytes);
            CountedPosition { packed, multiplicity: random.below(1000) as u64 }
        };
        let mut records: Vec<_> = (0..count).map(|_| record()).collect();
        records.sort_unstable();
        records
    }

    fn written(records: &[CountedPosition]) -> Vec<u8> {
        let mut writer = RecordWriter::new(Vec::new());
        for record in records {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn records_of_any_number_are_read_back() {
        for count in [0, 1, 2, 1000, 30_000] {
            let records = records(count);
            let bytes = written(&records);
            let mut reader =
                RecordReader::<_, CountedPosition>::new(&bytes[..], Layout::FrontCoded);
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
        let mut random = SplitMix::new(7);
        let mut errors = 0;
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let place = random.below(bytes.len());
            damaged[place] ^= 1 << random.below(8);
            if random.below(4) == 0 {
                damaged.truncate(place);
            }
            let mut reader =
                RecordReader::<_, CountedPosition>::new(&damaged[..], Layout::FrontCoded);
            let found: io::Result<Vec<_>> = records.iter().map(|_| reader.next()).collect();
            match found.and_then(|found| Ok((found, reader.is_at_end()?))) {
                Ok((found, true)) => assert_eq!(found, records),
                _ => errors += 1,
            }
        }
        assert!(errors > 1900, "{errors}");
    }

    /// An input that fails with an error of the system is not a damaged one.
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
            let mut reader = RecordReader::<_, CountedPosition>::new(input, Layout::FrontCoded);
            let error = (0..1000).find_map(|_| reader.next().err()).unwrap();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "after {cut} bytes");
        }
    }
}
