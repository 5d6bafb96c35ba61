//! Reading data that zstd has compressed.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Decompresses zstd: any number of frames, whose checksums are verified.
///
/// If an error occurs, the bytes before it are returned first. Damage is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) or [`UnexpectedEof`](io::ErrorKind::UnexpectedEof).
///
/// ```
/// use std::io::Read;
/// use tabiya_runs::ZstdReader;
///
/// let not_packed = b"1. e4 e5 *";
/// let error = ZstdReader::new(&not_packed[..]).read_to_end(&mut Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "what follows is not zstd");
/// ```
pub struct ZstdReader<R> {
    input: R,
    frames: Frames,
}

/// The state between two reads. It does not depend on the input's type, so the decoder is compiled
/// once for all inputs.
struct Frames {
    decoder: FrameDecoder,
    is_inside: bool,
    /// An error that is reported after the bytes before it have been read.
    failure: Option<io::Error>,
}

impl<R> fmt::Debug for ZstdReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_inside = self.frames.is_inside;
        f.debug_struct("ZstdReader").field("is_inside", &is_inside).finish_non_exhaustive()
    }
}

impl<R: BufRead> ZstdReader<R> {
    /// Reads from a source of compressed bytes.
    pub fn new(input: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self { input, frames: Frames { decoder, is_inside: false, failure: None } }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.frames.read(&mut self.input, buffer)
    }
}

/// The largest window. Frames may ask for more, but those of files do not.
const MAX_WINDOW: u64 = 1 << 31;
/// The number of bytes that are decompressed at a time.
const STEP: usize = 1 << 17;

impl Frames {
    fn read(&mut self, mut input: &mut dyn BufRead, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if let Some(failure) = &self.failure {
                // The error is kept, so that every later call returns it too.
                return Err(io::Error::new(failure.kind(), failure.to_string()));
            }
            if self.is_inside && self.decoder.is_finished() {
                let stored = self.decoder.get_checksum_from_data();
                if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
                    let message = "a checksum is wrong";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                self.is_inside = false;
            }
            if self.is_inside {
                let strategy = BlockDecodingStrategy::UptoBytes(STEP);
                if let Err(error) = self.decoder.decode_blocks(&mut input, strategy) {
                    self.end_early(cause(&error));
                }
                continue;
            }
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match self.decoder.reset(&mut input) {
                Ok(()) => self.is_inside = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => skip(input, length.into())?,
                Err(error) => return Err(cause(&error)),
            }
        }
    }

    /// Ends a frame that cannot be read completely. The decoder holds back a window of bytes for
    /// later blocks. An empty last block, with zeros for the checksum, makes it release them.
    fn end_early(&mut self, failure: io::Error) {
        const EMPTY_LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];
        let mut input: &mut dyn BufRead = &mut &EMPTY_LAST_BLOCK[..];
        let _ = self.decoder.decode_blocks(&mut input, BlockDecodingStrategy::All);
        self.failure = Some(failure);
    }
}

/// Skips a frame that has no data.
fn skip(input: &mut dyn BufRead, length: u64) -> io::Result<()> {
    let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
    if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// The error of the input if it has one, otherwise the error of the data.
fn cause(error: &FrameDecoderError) -> io::Error {
    let mut source: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = source {
        if let Some(input) = inner.downcast_ref::<io::Error>() {
            return io::Error::new(input.kind(), input.to_string());
        }
        source = inner.source();
    }
    let what = match error {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_)) => {
            "what follows is not zstd"
        }
        FrameDecoderError::ReadFrameHeaderError(_) | FrameDecoderError::FrameHeaderError(_) => {
            "the header of a frame is wrong"
        }
        FrameDecoderError::DictNotProvided { .. } => {
            "it needs a dictionary, which is not supported"
        }
        FrameDecoderError::WindowSizeTooBig { .. } => "it needs more than 2 GiB of memory",
        _ => "a block cannot be unpacked",
    };
    io::Error::new(io::ErrorKind::InvalidData, what)
}
