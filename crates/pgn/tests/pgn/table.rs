//! The table of files and their games. The tests of the forms in the crate include this file, too.

use std::sync::LazyLock;

/// A line, the bytes of its text, and the games that are expected.
pub(crate) struct Case {
    pub(crate) line: &'static str,
    pub(crate) text: Vec<u8>,
    pub(crate) games: &'static str,
}

/// The cases.
pub(crate) static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let lines = include_str!("../languages/cases.txt").lines();
    let cases = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let (text, games) = line.split_once(" => ").expect("a case has two parts");
        Case { line, text: bytes(text), games }
    });
    cases.collect()
});

/// The bytes for a text with `\n`, `\r` and `\xNN`.
fn bytes(text: &str) -> Vec<u8> {
    let text = text.replace("\\n", "\n").replace("\\r", "\r");
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits follow \\x"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
