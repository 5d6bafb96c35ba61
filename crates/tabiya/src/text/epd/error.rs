//! An error in a line of EPD, and its place.

use core::fmt;
use core::ops::Range;

use crate::text::fen::FenError;

/// The error for a string that is not a line of EPD.
///
/// ```
/// use tabiya::epd::{Epd, EpdCause};
/// let line = "4k3/8/8/8/8/8/8/4K3 w - - acd deep;";
/// let error = Epd::read(line).unwrap_err();
/// assert_eq!(&line[error.span()], "deep");
/// assert_eq!(error.cause(), EpdCause::NotANumber);
/// assert_eq!(error.to_string(), "expected a whole number");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpdError {
    start: usize,
    end: usize,
    cause: EpdCause,
}

/// The cause of an error in a line of EPD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EpdCause {
    /// The position is wrong.
    Position(FenError),
    /// An operation does not begin with a name.
    Opcode,
    /// A quoted text has no end.
    Unclosed,
    /// The operation needs an operand.
    NoOperand,
    /// The operation takes only one operand.
    SecondOperand,
    /// The operand is not a whole number, or it is too large for this operation.
    NotANumber,
}

impl EpdError {
    pub(super) const fn new(span: Range<usize>, cause: EpdCause) -> Self {
        Self { start: span.start, end: span.end, cause }
    }

    /// The place of the error in the line, in bytes. It is empty if something is missing.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The cause of the error.
    pub const fn cause(&self) -> EpdCause {
        self.cause
    }
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.cause {
            EpdCause::Position(error) => return error.fmt(f),
            EpdCause::Opcode => "expected the name of an operation, such as bm",
            EpdCause::Unclosed => "the closing quotation mark is missing",
            EpdCause::NoOperand => "the operation needs an operand",
            EpdCause::SecondOperand => "the operation takes only one operand",
            EpdCause::NotANumber => "expected a whole number",
        })
    }
}

impl core::error::Error for EpdError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.cause {
            EpdCause::Position(error) => Some(error),
            _ => None,
        }
    }
}
