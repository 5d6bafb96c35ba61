//! Errors of expressions.

use std::ops::Range;

use crate::InputError;

/// The longest expression, in bytes.
pub const MAX_LENGTH: usize = 2_000;

/// The largest depth of nested parentheses, functions and signs.
pub const MAX_DEPTH: usize = 64;

/// The reason why an expression has no value.
///
/// ```
/// use std::collections::BTreeMap;
/// use tabiya::Position;
/// use tabiya_views::{InputError, calculator::{CalculatorErrorKind, calculate}};
/// let error = calculate("e4 << 64", &BTreeMap::new(), &Position::START.into()).unwrap_err();
/// assert_eq!(error.kind(), &CalculatorErrorKind::Shift(64));
/// assert_eq!(&error.input()[error.span()], "64");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problem.kind)]
pub struct CalculatorError {
    input: String,
    problem: Problem,
}

/// The kind of an error in an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalculatorErrorKind {
    /// There is no expression.
    #[error("there is no expression")]
    Empty,
    /// The expression is too long.
    #[error("the expression is longer than {MAX_LENGTH} bytes")]
    TooLong,
    /// Parentheses, functions and signs are nested too deeply.
    #[error("more than {MAX_DEPTH} parentheses, functions and signs are nested")]
    TooDeep,
    /// A character that no expression contains.
    #[error("{0:?} has no meaning here")]
    Character(char),
    /// A number that cannot be read, or that has more than 64 bits.
    #[error("{0} is not a number of at most 64 bits")]
    Number(String),
    /// A name without a meaning.
    #[error("there is no name {0:?}")]
    Name(String),
    /// There is no function of this name.
    #[error("there is no function {0:?}")]
    Function(String),
    /// A layer that has the wrong argument, or that the scene does not have.
    #[error("{0}")]
    Layer(String),
    /// Something else should stand here.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// An operator or the end should stand here.
    #[error("an operator is missing before {0:?}")]
    Operator(String),
    /// A function with too few or too many values.
    #[error("the function {name} takes {wanted}, not {given}")]
    Arguments {
        /// The function.
        name: &'static str,
        /// The number of values that it takes, in words.
        wanted: &'static str,
        /// The number of values that it was given.
        given: usize,
    },
    /// A closing parenthesis without an opening one.
    #[error("this parenthesis closes nothing")]
    Unopened,
    /// A shift by fewer than 0 or more than 63 places. The number is that of 64 bits, in which a
    /// negative number has the highest bit.
    #[error("{}", shift(*.0))]
    Shift(u64),
    /// The first or last square of a set that has none.
    #[error("the empty set has no {0} square")]
    NoSquare(&'static str),
}

/// The message about a shift. A small negative number was written, not one of twenty digits.
fn shift(places: u64) -> String {
    match places.cast_signed() {
        negative @ -65_535..0 => format!("a shift by {negative} is less than 0 places"),
        _ => format!("a shift by {places} is more than 63 places"),
    }
}

/// An error, its place, and a hint at what was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) kind: CalculatorErrorKind,
    pub(super) span: Range<usize>,
    pub(super) hint: Option<String>,
}

impl Problem {
    pub(super) const fn new(kind: CalculatorErrorKind, span: Range<usize>) -> Self {
        Self { kind, span, hint: None }
    }
}

impl CalculatorError {
    pub(super) fn new(input: &str, problem: Problem) -> Self {
        Self { input: input.to_owned(), problem }
    }

    /// The kind of the error.
    pub const fn kind(&self) -> &CalculatorErrorKind {
        &self.problem.kind
    }
}

impl InputError for CalculatorError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        self.problem.span.clone()
    }

    fn hint(&self) -> Option<String> {
        self.problem.hint.clone()
    }
}
