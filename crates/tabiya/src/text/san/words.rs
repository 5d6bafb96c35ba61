//! Numbers, plurals and lists in the sentences about moves.

use core::fmt;

use crate::role::Role;

/// A small number as a word.
pub(super) struct Number(pub(super) usize);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 11] =
            ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        match WORDS.get(self.0) {
            Some(word) => f.write_str(word),
            None => write!(f, "{}", self.0),
        }
    }
}

/// The plural of a role.
pub(super) struct Several(pub(super) Role);

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0)
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) struct Or<'a, T>(pub(super) &'a [T]);

impl<T: fmt::Display> fmt::Display for Or<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            let before = match self.0.len() - index {
                _ if index == 0 => "",
                1 => " or ",
                _ => ", ",
            };
            write!(f, "{before}{item}")?;
        }
        Ok(())
    }
}
