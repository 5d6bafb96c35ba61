//! Text in operations, which may contain escapes.

use core::fmt;
use core::str::Chars;

/// Text in an operation. Escapes are decoded when it is read: `\"`, `\\`, `\n`, `\r` and `\t`.
///
/// `Display` writes the decoded text. Two values are equal if their decoded text is equal.
///
/// ```
/// use tabiya::epd::{Epd, Operation};
/// let line = r#"4k3/8/8/8/8/8/8/4K3 w - - id "say \"hello\"; go";"#;
/// let epd = Epd::read(line).unwrap();
/// let Some(Operation::Id(id)) = epd.operations().next() else { panic!() };
/// assert_eq!(id, *"say \"hello\"; go");
/// assert_eq!(id.to_string().len(), 15);
/// ```
#[derive(Clone, Copy)]
pub struct Text<'a> {
    raw: &'a str,
    is_escaped: bool,
}

impl<'a> Text<'a> {
    /// Text without escapes: a backslash is a backslash.
    pub const fn new(text: &'a str) -> Self {
        Self { raw: text, is_escaped: false }
    }

    /// The text between two quotes.
    pub(super) const fn escaped(raw: &'a str) -> Self {
        Self { raw, is_escaped: true }
    }

    /// The decoded characters.
    pub fn chars(&self) -> Characters<'a> {
        Characters { rest: self.raw.chars(), is_escaped: self.is_escaped }
    }

    /// The text, if nothing in it has to be decoded.
    ///
    /// ```
    /// assert_eq!(tabiya::epd::Text::new("WAC.001").as_str(), Some("WAC.001"));
    /// ```
    pub fn as_str(&self) -> Option<&'a str> {
        (!self.is_escaped || !self.raw.contains('\\')).then_some(self.raw)
    }

    /// Writes the text in quotes, with escapes.
    pub(super) fn write_quoted(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_char('"')?;
        for letter in self.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                letter => f.write_char(letter)?,
            }
        }
        f.write_char('"')
    }
}

/// The characters of a [`Text`], decoded.
#[derive(Clone, Debug)]
pub struct Characters<'a> {
    rest: Chars<'a>,
    is_escaped: bool,
}

impl Iterator for Characters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        if !self.is_escaped || letter != '\\' {
            return Some(letter);
        }
        // An unknown escape stands for its character, and a backslash at the end for itself.
        Some(match self.rest.next() {
            None => '\\',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(letter) => letter,
        })
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.chars().eq(other.chars())
    }
}

impl Eq for Text<'_> {}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.chars().eq(other.chars())
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|letter| fmt::Write::write_char(f, letter))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_quoted(f)
    }
}
