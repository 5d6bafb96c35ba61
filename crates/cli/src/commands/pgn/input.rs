//! Files of games, also compressed ones.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How many bytes of a file are read, as it lies on the disk.
pub(super) type Passed = Arc<AtomicU64>;

/// Opens a file, or standard input for `-`. What it contains decides how it is unpacked, not its
/// name.
pub(super) fn open(path: &Path, passed: &Passed) -> io::Result<Box<dyn Read + Send>> {
    let file: Box<dyn Read + Send> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let counted = Counted { inner: file, passed: Arc::clone(passed) };
    unpacked(BufReader::with_capacity(1 << 18, counted))
}

/// The length of a file, if it is known.
pub(super) fn length(path: &Path) -> Option<u64> {
    let is_file = |data: &std::fs::Metadata| data.is_file();
    if path == Path::new("-") {
        return None;
    }
    std::fs::metadata(path).ok().filter(is_file).map(|data| data.len())
}

fn unpacked(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let begin = loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    Ok(match begin {
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(input)),
        [b'B', b'Z', b'h', ..] => Box::new(bzip2::bufread::MultiBzDecoder::new(input)),
        // A frame, or one that is to be skipped.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Box::new(Zstd { input, decoder: FrameDecoder::new(), is_inside: false })
        }
        _ => Box::new(input),
    })
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    passed: Passed,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.passed.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// Unpacks zstd: any number of frames.
struct Zstd<R> {
    input: R,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// Frames may ask for more, but those of files do not.
        const MAX_WINDOW: u64 = 1 << 31;
        /// Bytes that are unpacked at a time.
        const STEP: usize = 1 << 17;
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.is_inside && self.decoder.is_finished() {
                let stored = self.decoder.get_checksum_from_data();
                if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
                    let message = "the zstd data is damaged: a checksum is wrong";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                self.is_inside = false;
            }
            if self.is_inside {
                let strategy = BlockDecodingStrategy::UptoBytes(STEP);
                self.decoder.decode_blocks(&mut self.input, strategy).map_err(damaged)?;
                continue;
            }
            if self.input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.decoder.set_max_window_size(MAX_WINDOW);
            match self.decoder.reset(&mut self.input) {
                Ok(()) => self.is_inside = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = (&mut self.input).take(length.into());
                    io::copy(&mut { skipped }, &mut io::sink())?;
                }
                Err(error) => return Err(damaged(error)),
            }
        }
    }
}

fn damaged(error: FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the zstd data is damaged: {error}"))
}
