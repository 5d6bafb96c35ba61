//! Files that are read whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No file is read that is larger: it is not what was meant, or has no end.
const MOST_MEBIBYTES: u64 = 256;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") { read_all(io::stdin().lock()) } else { read_all(File::open(path)?) }
}

fn read_all(input: impl Read) -> io::Result<Vec<u8>> {
    let most = MOST_MEBIBYTES << 20;
    let mut bytes = Vec::new();
    if input.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(io::Error::other(format!("it is larger than {MOST_MEBIBYTES} MiB")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let error = read_all(io::repeat(0)).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 256 MiB");
        assert_eq!(read_all(&b"abc"[..]).unwrap(), b"abc");
    }
}
