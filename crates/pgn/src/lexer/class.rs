//! The classes of bytes in the movetext, by the token that a byte can begin.

/// The class of a byte, by the token that it can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// White space, and the dots of move numbers.
    Space,
    Newline,
    /// A move.
    Letter,
    /// A number, a result, or castling with zeros.
    Digit,
    Brace,
    Dollar,
    Open,
    Close,
    /// `!` or `?`.
    Mark,
    Star,
    Bracket,
    Semicolon,
    /// A sign such as `+-`, and everything that is rare or wrong.
    Other,
}

/// DOS ended text files with this byte (Ctrl-Z), and files that were joined have it in the middle.
pub(super) const END_OF_FILE: u8 = 0x1a;

static CLASSES: [Class; 256] = classes();

/// Is it part of a word: a move, a result?
static IN_WORD: [bool; 256] = words();

/// Is it part of the name of a tag?
static IN_NAME: [bool; 256] = names();

#[inline(always)]
pub(super) fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

#[inline(always)]
pub(super) fn is_in_word(byte: u8) -> bool {
    IN_WORD[usize::from(byte)]
}

#[inline(always)]
pub(super) fn is_in_name(byte: u8) -> bool {
    IN_NAME[usize::from(byte)]
}

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | 0x0b | 0x0c | END_OF_FILE | b'.' => Class::Space,
            b'\n' | b'\r' => Class::Newline,
            b'A'..=b'Z' | b'a'..=b'z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'{' => Class::Brace,
            b'$' => Class::Dollar,
            b'(' => Class::Open,
            b')' => Class::Close,
            b'!' | b'?' => Class::Mark,
            b'*' => Class::Star,
            b'[' => Class::Bracket,
            b';' => Class::Semicolon,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

/// A word extends to white space or a sign that begins something else. The reader of moves decides
/// whether it is a move.
const fn words() -> [bool; 256] {
    let mut words = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        words[byte] = matches!(byte as u8, b'#'..=b'z')
            && !matches!(byte as u8, b'(' | b')' | b'*' | b'?' | b'.' | b'$' | b';' | b'[');
        byte += 1;
    }
    words
}

const fn names() -> [bool; 256] {
    let mut names = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        names[byte] = matches!(byte as u8,
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9'
            | b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        byte += 1;
    }
    names
}
