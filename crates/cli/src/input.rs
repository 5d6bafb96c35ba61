//! Input that is read as a whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A larger file is refused: it is the wrong file, or it has no end.
const MAX_MEBIBYTES: u64 = 256;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, MAX_MEBIBYTES)
}

/// The same with another limit.
pub(crate) fn read_up_to(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        read_all(io::stdin().lock(), mebibytes)
    } else {
        read_all(File::open(path)?, mebibytes)
    }
}

fn read_all(input: impl Read, mebibytes: u64) -> io::Result<Vec<u8>> {
    let max = mebibytes << 20;
    let mut bytes = Vec::new();
    if input.take(max + 1).read_to_end(&mut bytes)? as u64 > max {
        return Err(io::Error::other(format!("it is larger than {mebibytes} MiB")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_without_end_is_refused() {
        let error = read_all(io::repeat(0), MAX_MEBIBYTES).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 256 MiB");
        assert_eq!(read_all(&b"abc"[..], 1).unwrap(), b"abc");
    }
}
