//! Text in an encoding that the file does not name.

use std::borrow::Cow;
use std::fmt;
use std::str::Utf8Error;

/// A part of a file as bytes, which can be decoded to text.
///
/// PGN files do not name their encoding. It is UTF-8 or, in older files, Latin-1. Nothing is
/// checked or copied until it is requested.
///
/// ```
/// use tabiya_pgn::Text;
///
/// assert_eq!(Text(b"Gr\xc3\xbcnfeld").decode(), "Grünfeld");
/// // Not UTF-8, so it is Latin-1.
/// assert_eq!(Text(b"Gr\xfcnfeld").decode(), "Grünfeld");
/// assert!(Text(b"Gr\xfcnfeld").to_str().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// The bytes.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, if it is UTF-8.
    ///
    /// # Errors
    /// The bytes are not UTF-8.
    pub const fn to_str(self) -> Result<&'a str, Utf8Error> {
        str::from_utf8(self.0)
    }

    /// The text: UTF-8, or else Latin-1.
    pub fn decode(self) -> Cow<'a, str> {
        match self.to_str() {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.0.iter().copied().map(char::from).collect()),
        }
    }
}

/// Does the line end with the first byte of this text, which is a line feed or a carriage return?
/// `None` if more has to be read to know this.
///
/// A carriage return ends the lines of old Macintosh files. Before a line feed it does not count,
/// and neither do two of them, which remain if line ends are converted twice.
#[inline]
pub(crate) fn ends_line(text: &[u8], is_end: bool) -> Option<bool> {
    match text {
        [b'\r', b'\n', ..] | [b'\r', b'\r', b'\n', ..] => Some(false),
        [b'\r'] | [b'\r', b'\r'] if !is_end => None,
        _ => Some(true),
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decode())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

impl AsRef<[u8]> for Text<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}
