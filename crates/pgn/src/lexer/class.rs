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

/// The class of a byte.
#[inline(always)]
pub(super) const fn class(byte: u8) -> Class {
    match byte {
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
    }
}

/// Is it part of a move or of a result? Such a word extends to white space or a sign that begins
/// something else.
#[inline(always)]
pub(super) const fn is_in_word(byte: u8) -> bool {
    matches!(byte, b'#'..=b'z')
        && !matches!(byte, b'(' | b')' | b'*' | b'?' | b'.' | b'$' | b';' | b'[')
}
