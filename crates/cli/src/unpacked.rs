//! Files of games or records, compressed or not.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use tabiya_runs::ZstdReader;

use crate::input::open_watched;
use crate::interrupt::Interrupt;

/// The number of bytes read from a file, before decompression.
pub(crate) type Passed = Arc<AtomicU64>;

/// Opens a text file, or standard input for `-`. The contents, and not the name, decide how it is
/// decompressed.
pub(crate) fn open(
    path: &Path,
    passed: &Passed,
    watch: &Interrupt,
) -> io::Result<Box<dyn Read + Send>> {
    unpacked(opened(path, passed, watch)?)
}

/// Opens a file, or standard input for `-`. The name decides how it is decompressed, since the first
/// bytes of a binary file can be any.
pub(crate) fn open_named(
    path: &Path,
    passed: &Passed,
    watch: &Interrupt,
) -> io::Result<Box<dyn Read + Send>> {
    let input = opened(path, passed, watch)?;
    match Form::of(path) {
        Some(form) => Ok(form.unpacked(input)),
        None => Ok(Box::new(input)),
    }
}

fn opened(
    path: &Path,
    passed: &Passed,
    watch: &Interrupt,
) -> io::Result<impl BufRead + Send + use<>> {
    let file = open_watched(path, watch)?;
    let counted = Counted { inner: file, passed: Arc::clone(passed) };
    Ok(BufReader::with_capacity(1 << 18, counted))
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Gzip,
    Bzip2,
    Zstd,
}

impl Form {
    /// The form that a file's name says.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gz" => Some(Self::Gzip),
            "bz2" => Some(Self::Bzip2),
            "zst" => Some(Self::Zstd),
            _ => None,
        }
    }

    fn unpacked(self, input: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Self::Gzip => Box::new(Packed { inner: MultiGzDecoder::new(input), form: "gzip" }),
            Self::Bzip2 => Box::new(Packed { inner: MultiBzDecoder::new(input), form: "bzip2" }),
            Self::Zstd => Box::new(Packed { inner: ZstdReader::new(input), form: "zstd" }),
        }
    }
}

/// The length of a file, if it is known.
pub(crate) fn length(path: &Path) -> Option<u64> {
    let is_file = |data: &std::fs::Metadata| data.is_file();
    if path == Path::new("-") {
        return None;
    }
    std::fs::metadata(path).ok().filter(is_file).map(|data| data.len())
}

/// Compression formats that need another program.
const OTHER_FORMS: [(&[u8], &str); 4] = [
    (b"\xfd7zXZ\0", "it is packed with xz, which is not supported; use xzcat FILE | tabiya pgn -"),
    (b"PK\x03\x04", "it is a zip archive; unpack it first, or use unzip -p FILE | tabiya pgn -"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive; unpack it first"),
    (b"Rar!\x1a\x07", "it is a RAR archive; unpack it first"),
];

/// The most bytes that tell how a file is compressed.
const MAGIC: usize = 6;

fn unpacked(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    // A pipe may give its first bytes one by one.
    let mut begin = Vec::with_capacity(MAGIC);
    (&mut input).take(MAGIC as u64).read_to_end(&mut begin)?;
    let input = Cursor::new(begin.clone()).chain(input);
    if let Some((_, message)) = OTHER_FORMS.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, *message));
    }
    let unpacked: Box<dyn Read + Send> = match begin[..] {
        [0x1f, 0x8b, ..] => Form::Gzip.unpacked(input),
        [b'B', b'Z', b'h', ..] => Form::Bzip2.unpacked(input),
        // A zstd frame, or a skippable one.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Form::Zstd.unpacked(input)
        }
        _ => Box::new(input),
    };
    Ok(Box::new(NoTar { inner: unpacked, begin: Vec::new() }))
}

/// Contents that are refused if they are a tar archive. It is recognised while it is read, because a
/// pipe may give its first games long before the others.
struct NoTar<R> {
    inner: R,
    /// The first bytes, up to the mark.
    begin: Vec<u8>,
}

/// The mark of a tar archive. Zeros follow the name of a file before it.
const TAR: &[u8] = b"ustar";
/// The offset of the mark.
const TAR_AT: usize = 257;

impl<R: Read> Read for NoTar<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        let missing = TAR_AT + TAR.len() - self.begin.len();
        if missing > 0 {
            self.begin.extend_from_slice(&buffer[..len.min(missing)]);
            if self.begin.ends_with(TAR) && len >= missing && self.begin.contains(&0) {
                let message =
                    "it is a tar archive; unpack it first, or use tar xOf FILE | tabiya pgn -";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(len)
    }
}

/// A compressed file. Its errors say whether it is truncated or damaged.
struct Packed<R> {
    inner: R,
    form: &'static str,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            let form = self.form;
            let message = match error.kind() {
                io::ErrorKind::Interrupted => return error,
                io::ErrorKind::UnexpectedEof => {
                    format!("the file is cut short: its {form} data has no end")
                }
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                    format!("the {form} data is damaged: {error}")
                }
                // For example, an error of the disk.
                _ => return error,
            };
            io::Error::new(error.kind(), message)
        })
    }
}

/// Counts the bytes that are read.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that differ, so that they do not compress to a few bytes.
    fn games() -> Vec<u8> {
        let mut text = String::new();
        let mut state = 1u64;
        for game in 0..4000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text +=
                &format!("[Event \"{game}\"]\n[Site \"{state:x}\"]\n\n1. e4 e5 {{{state}}} *\n\n");
        }
        text.into_bytes()
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let level = flate2::Compression::default();
        flate2::read::GzEncoder::new(text, level).read_to_end(&mut packed).unwrap();
        packed
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let level = bzip2::Compression::default();
        bzip2::read::BzEncoder::new(text, level).read_to_end(&mut packed).unwrap();
        packed
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    type Pack = fn(&[u8]) -> Vec<u8>;
    const FORMS: [(&str, Pack); 3] = [("gzip", gzip), ("bzip2", bzip2), ("zstd", zstd)];

    /// The bytes that can be read, and the error after them.
    fn read(packed: &[u8]) -> (Vec<u8>, Option<io::Error>) {
        let mut text = Vec::new();
        let error = match unpacked(Cursor::new(packed.to_vec())) {
            Ok(mut input) => input.read_to_end(&mut text).err(),
            Err(error) => Some(error),
        };
        (text, error)
    }

    #[test]
    fn every_form_is_unpacked_also_in_several_parts() {
        let text = games();
        for (form, pack) in FORMS {
            assert_eq!(read(&pack(&text)).0, text, "{form}");
            let (begin, end) = text.split_at(1234);
            let (found, error) = read(&[pack(begin), pack(b""), pack(end)].concat());
            assert!(error.is_none(), "{form}: {error:?}");
            assert_eq!(found, text, "{form}");
        }
        assert_eq!(read(&text).0, text);
    }

    #[test]
    fn what_is_cut_short_is_read_up_to_there_and_said_to_be_cut() {
        let text = games();
        for (form, pack) in FORMS {
            let packed = pack(&text);
            // Truncate the second of two parts.
            let packed = [pack(b"% first\n"), packed].concat();
            let whole = [&b"% first\n"[..], &text].concat();
            for missing in [1, 2, 3, 4, 5, 7, 9, 20, packed.len() / 3, packed.len() / 2] {
                let (found, error) = read(&packed[..packed.len() - missing]);
                let error = error.map(|error| error.to_string());
                let expected = format!("the file is cut short: its {form} data has no end");
                assert_eq!(error.as_deref(), Some(expected.as_str()), "{missing}");
                assert!(whole.starts_with(&found), "{form} {missing}");
                // At most one block is lost: 900 kB of bzip2 or 128 KiB of zstd.
                let is_long = match form {
                    "gzip" => found.len() + missing * 10 + 1000 > whole.len(),
                    "bzip2" => found.len() >= 8,
                    _ => found.len() + missing * 10 + (1 << 17) > whole.len(),
                };
                assert!(is_long, "{form} {missing}: {} of {}", found.len(), whole.len());
            }
        }
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let text = games();
        for (form, pack) in FORMS {
            let packed = pack(&text[..20_000]);
            let mut state = 7u64;
            let mut errors = 0;
            for _ in 0..300 {
                let mut damaged = packed.clone();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = (state >> 33) as usize % damaged.len();
                damaged[at] ^= 1 << (state >> 29 & 7);
                let (found, error) = read(&damaged);
                errors += usize::from(error.is_some());
                // Some bits of a header have no meaning.
                assert!(error.is_some() || found == text[..20_000] || at < 20, "{form}: byte {at}");
            }
            assert!(errors > 250, "{form}: {errors}");
        }
    }

    #[test]
    fn other_bytes_after_the_data_are_an_error_once_the_data_is_read() {
        let text = games();
        for (form, pack) in FORMS {
            let (found, error) = read(&[&pack(&text)[..], b"garbage and more"].concat());
            assert_eq!(found, text, "{form}");
            let error = error.unwrap().to_string();
            assert!(error.starts_with(&format!("the {form} data is damaged: ")), "{error}");
        }
    }

    #[test]
    fn other_archives_are_named() {
        for (begin, name) in [
            (&b"\xfd7zXZ\0\0\x04"[..], "xz"),
            (b"PK\x03\x04\x14\0", "zip"),
            (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
            (b"Rar!\x1a\x07\0", "RAR"),
        ] {
            let (_, error) = read(begin);
            let error = error.unwrap().to_string();
            assert!(error.contains(name), "{error}");
        }
        // A tar archive, compressed or not. Without zeros it is text.
        let mut tar = games();
        tar[TAR_AT..][..TAR.len()].copy_from_slice(TAR);
        assert!(read(&tar).1.is_none());
        tar[20..TAR_AT].fill(0);
        for packed in [&tar, &gzip(&tar), &bzip2(&tar), &zstd(&tar)] {
            let error = read(packed).1.unwrap().to_string();
            assert!(error.contains("tar archive"), "{error}");
        }
    }
}
