//! What errors about a user's text have in common.

use std::error::Error;
use std::ops::Range;

/// An error about a text that a user wrote: the text, the place in it, and what would help.
///
/// The error itself says what is wrong. With the text and the place, a front end can draw a
/// caret below the part that is wrong, or select it in an input field.
///
/// ```
/// use tabiya_frontend::{InputError, Layer};
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

    /// What would help, if there is anything to say beside the error.
    fn hint(&self) -> Option<String> {
        None
    }
}
