//! The parts of an expression, with their values.

use std::ops::Range;

use tabiya::Bitboard;

/// A part of an expression and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalculatedStep {
    /// The part as it was written.
    pub text: String,
    /// Its place in the expression, in bytes.
    pub span: Range<usize>,
    /// The operation: the operator, such as `&`, the name of the function, or one of `name`,
    /// `square`, `constant`, `layer` and `number`.
    pub operation: &'static str,
    /// The parts on which it is done, as indices of earlier steps.
    pub operands: Vec<usize>,
    /// The value: 64 bits.
    pub value: u64,
    /// The form in which to show the value.
    pub kind: ValueKind,
}

impl CalculatedStep {
    /// The value as a set of squares.
    pub const fn squares(&self) -> Bitboard {
        Bitboard(self.value)
    }
}

/// The form in which a value is best shown. Every value is 64 bits, and operators take values of
/// any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// As squares on a board.
    Set,
    /// As a number.
    Number,
    /// As the square with this number.
    Square,
}

impl ValueKind {
    /// The name for programs, such as `set`.
    ///
    /// ```
    /// use tabiya_views::calculator::ValueKind;
    /// assert_eq!(ValueKind::Number.name(), "number");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Number => "number",
            Self::Square => "square",
        }
    }
}
