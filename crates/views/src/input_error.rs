//! The common interface of errors about a user's text.

use std::error::Error;
use std::ops::Range;

/// An error about text from a user: the text, the place of the error, and a hint.
///
/// The error itself says what is wrong. With the text and the place, a front end can draw carets
/// below the wrong part, or select it in an input field.
///
/// ```
/// use tabiya_views::{InputError, Layer};
/// let error = Layer::parse("attacks:e9").unwrap_err();
/// assert_eq!(error.input(), "attacks:e9");
/// assert_eq!(&error.input()[error.span()], "e9");
/// ```
pub trait InputError: Error {
    /// The text as the user wrote it.
    fn input(&self) -> &str;

    /// The part of the text that is wrong, in bytes. It may be empty, such as at the end of a
    /// text in which something is missing. It always lies on the boundaries of characters.
    fn span(&self) -> Range<usize>;

    /// A hint, if there is one.
    fn hint(&self) -> Option<String> {
        None
    }
}
