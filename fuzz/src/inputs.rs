//! Inputs that the fuzzer has found, in a file for each target: the first ones to reach some code.
//!
//! Each line is an input. Everything except printable ASCII is escaped as in Rust.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file with the inputs of a target.
pub fn file(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs").join(format!("{target}.txt"))
}

/// The inputs of a target.
///
/// # Errors
/// There is no such file, or a line is not escaped correctly.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let path = file(target);
    let text = fs::read_to_string(&path)?;
    let lines = text.lines().zip(1..);
    let inputs = lines.map(|(line, number)| {
        let place = || io::Error::other(format!("{}: line {number}", path.display()));
        unescaped(line).ok_or_else(place)
    });
    inputs.collect()
}

/// Writes the inputs of a target to its file: each once, the shortest first.
///
/// # Errors
/// The file cannot be written.
pub fn write(target: &str, mut inputs: Vec<Vec<u8>>) -> io::Result<()> {
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    inputs.dedup();
    let lines: String = inputs.iter().map(|input| format!("{}\n", input.escape_ascii())).collect();
    fs::write(file(target), lines)
}

/// Reverses `escape_ascii`.
fn unescaped(line: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'r' => b'\r',
                b'n' => b'\n',
                b'x' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    (16 * digit()? + digit()?) as u8
                }
                sign @ (b'\\' | b'\'' | b'"') => sign,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_is_escaped_and_read_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(super::unescaped(&all.escape_ascii().to_string()), Some(all));
        assert_eq!(super::unescaped("\\"), None);
        assert_eq!(super::unescaped("\\x4"), None);
    }
}
