//! Values of arguments. Each function reads one kind of value; its error says what it expects.
//! `mistake` shows where the wrong value is.

use std::io::BufRead;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use tabiya::Square;
use tabiya_perft::table::HashSize;
use tabiya_perft::{MAX_DEPTH, Seed, SeedError};

/// A number of plies.
pub(crate) fn depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("expected a number of plies from 0 to {MAX_DEPTH}, such as 6"))
}

/// The most threads: more would be useless, and each costs memory.
pub(crate) const MAX_THREADS: usize = 1024;

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MAX_THREADS);
    count.ok_or_else(|| format!("expected a number of threads from 1 to {MAX_THREADS}, such as 4"))
}

/// A whole number.
pub(crate) fn number(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number from 0 to 2^64 - 1, such as 1000")
}

/// A number of subtrees to sample.
pub(crate) fn samples(text: &str) -> Result<u64, String> {
    let min = tabiya_perft::MIN_SAMPLES;
    let samples = text.parse().ok().filter(|samples| *samples >= min);
    samples.ok_or_else(|| format!("expected a number of subtrees, at least {min}, such as 5000"))
}

/// The seed of a table.
pub(crate) fn seed(text: &str) -> Result<Seed, SeedError> {
    text.parse()
}

/// A number of leaf nodes or positions.
pub(crate) fn count(text: &str) -> Result<u128, &'static str> {
    text.parse().map_err(|_| "expected a whole number without commas, such as 119060324")
}

/// A time in seconds.
pub(crate) fn time(text: &str) -> Result<Duration, &'static str> {
    const YEAR: f64 = 31_557_600.0;
    let seconds = text.parse().ok().filter(|seconds| (0.0..=YEAR).contains(seconds));
    let wanted = "expected a number of seconds, at most one year, such as 2.5";
    seconds.map(Duration::from_secs_f64).ok_or(wanted)
}

/// A number from 0 to 1, or a percentage.
pub(crate) fn share(text: &str) -> Result<f64, &'static str> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    let share = number.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or("expected a share from 0% to 100%, such as 1%, or from 0 to 1, such as 0.01")
}

/// A square of the board.
pub(crate) fn square(text: &str) -> Result<Square, &'static str> {
    text.parse().map_err(|_| "expected a letter from a to h and a digit from 1 to 8, such as e4")
}

/// A number of bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = text[digits.len()..].trim().to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "k" => Some(10),
        "" | "m" => Some(20),
        "g" => Some(30),
        "t" => Some(40),
        _ => None,
    };
    let (Some(shift), Ok(count)) = (shift, digits.parse::<u64>()) else {
        return Err(
            "expected a whole number of MiB, such as 512, or with a unit K, M, G or T, such as 2G",
        );
    };
    count.checked_mul(1 << shift).ok_or("the size is larger than 2^64 bytes")
}

/// The size of a hash table.
pub(crate) fn hash_size(text: &str) -> Result<HashSize, &'static str> {
    if text == "auto" {
        return Ok(HashSize::Auto);
    }
    match bytes(text).map(NonZeroU64::new) {
        Ok(Some(bytes)) => Ok(HashSize::Bytes(bytes)),
        _ => Err(
            "expected a whole number of MiB, such as 512, or with a unit K, M, G or T, such as 2G, \
             or auto",
        ),
    }
}

/// The name of a file that is written and read again, so it cannot be a stream.
pub(crate) fn file_to_keep() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Err("expected the name of a file, and - is a stream; ./- names a file");
        }
        Ok(path)
    })
}

/// The first line, without its line end.
///
/// What follows the line is left for others: a book, for example.
pub(crate) fn first_line(input: impl BufRead) -> Result<String, String> {
    /// The greatest length of a FEN. It also ends input that has no line ends.
    const MAX_BYTES: u64 = 1 << 16;
    let mut line = String::new();
    input
        .take(MAX_BYTES)
        .read_line(&mut line)
        .map_err(|error| format!("standard input cannot be read: {error}"))?;
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() {
        return Err("standard input has no FEN in its first line".to_owned());
    }
    Ok(line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_is_the_first_line_of_the_input() {
        let mut input = &b"\xef\xbb\xbf8/8 w - -\r\nmore"[..];
        assert_eq!(first_line(&mut input).unwrap(), "8/8 w - -");
        assert_eq!(input, b"more");
        for wrong in [&b""[..], b"\n8/8 w - -", b"\xff\xff"] {
            assert!(first_line(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(
            first_line(std::io::BufReader::new(std::io::repeat(b'8'))).unwrap().len(),
            1 << 16
        );
    }

    #[test]
    fn sizes_have_units() {
        let sizes = [("512", 512 << 20), ("64M", 64 << 20), ("2GiB", 2 << 30), ("1 kb", 1 << 10)];
        for (text, size) in sizes {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "9999999999T", "1X", "٣"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert_eq!(hash_size("2G"), Ok(HashSize::mebibytes(2048)));
        assert!(hash_size("0").is_err() && hash_size("Auto").is_err());
    }

    #[test]
    fn shares_are_percentages_or_fractions() {
        for (text, expected) in [("1%", 0.01), ("0.5", 0.5), ("100 %", 1.0)] {
            assert_eq!(share(text), Ok(expected));
        }
        for wrong in ["", "%", "101%", "-1%", "nan", "NaN%", "1.5", "x"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_finite_and_not_negative() {
        assert_eq!(time("2.5"), Ok(Duration::from_millis(2500)));
        for wrong in ["", "-1", "nan", "inf", "1e300", "2s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_out_of_bounds_are_refused() {
        assert_eq!(depth("0"), Ok(0));
        assert!(depth("256").is_err() && depth("4294967296").is_err() && depth("6.0").is_err());
        assert!(threads("0").is_err() && threads("1025").is_err());
        assert!(seed("-1").is_err() && seed("7").is_ok());
        assert!(square("e9").is_err() && square("e44").is_err());
    }
}
