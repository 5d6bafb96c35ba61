//! A calculator of bitboards: expressions over 64-bit sets, with the value of every part.
//!
//! # Values
//!
//! | form | examples | meaning |
//! |---|---|---|
//! | names of your own | `A`, `blockers` | the sets that the caller passes |
//! | squares | `e4` | one square |
//! | files and ranks | `file-e`, `rank-4` | eight squares |
//! | sets | `all`, `none`, `light`, `dark` | all squares, none, those of one colour |
//! | layers | `pinned`, `attacks:white`, `between:e1-e8` | the [layers](crate::layer) of the scene |
//! | numbers | `0xff`, `0b101`, `42`, `0x00ff_00ff` | 64 bits |
//!
//! Names may contain hyphens. The longest text that is a name counts, so `king-danger` is the
//! layer, and `pinned-checkers` is a subtraction. Spaces end a name. A name of your own counts
//! before anything else that is written in the same way.
//!
//! # Operators
//!
//! They bind as in Rust, from the tightest:
//!
//! | operators | meaning |
//! |---|---|
//! | `~a`, `!a`, `-a` | complement (in both spellings), negative number |
//! | `a * b` | product, without what exceeds 64 bits |
//! | `a + b`, `a - b` | sum and difference of numbers, wrapping round; `a & ~b` is the difference of sets |
//! | `a << n`, `a >> n` | shift by 0 to 63 places |
//! | `a & b` | intersection |
//! | `a ^ b` | the squares in one of the two |
//! | `a \| b` | union |
//!
//! Operators of one row are evaluated from left to right. Unlike in C, no comparison comes between
//! the rows.
//!
//! # Functions
//!
//! [`Function::ALL`] lists them: steps such as `north(a)`, which drop squares that leave the board,
//! `byteswap(a)`, `popcount(a)`, `first(a)`, `pext(a, mask)` and others.
//!
//! ```
//! use std::collections::BTreeMap;
//! use tabiya::{Position, Square};
//! use tabiya_views::calculator::{ValueKind, calculate};
//!
//! let scene = Position::START.into();
//! let names = BTreeMap::from([("A".to_owned(), Square::E4.bitboard())]);
//! let steps = calculate("north(A) | pawns & rank-2", &names, &scene).unwrap();
//! let texts: Vec<_> = steps.iter().map(|step| step.text.as_str()).collect();
//! assert_eq!(texts, ["A", "north(A)", "pawns", "rank-2", "pawns & rank-2", "north(A) | pawns & rank-2"]);
//! let last = steps.last().unwrap();
//! assert_eq!((last.value, last.kind), (0x0000_0010_0000_ff00, ValueKind::Set));
//! ```

mod error;
mod function;
mod lexer;
mod names;
mod parser;
mod step;

use std::collections::BTreeMap;

use tabiya::Bitboard;

pub use error::{CalculatorError, CalculatorErrorKind, MAX_DEPTH, MAX_LENGTH};
pub use function::Function;
pub use names::{NameError, check_name};
pub use step::{CalculatedStep, ValueKind};

use crate::Scene;
use parser::Parser;

/// The values of all parts of an expression, in the order in which they are found. The last one is
/// the whole expression.
///
/// # Errors
/// [`CalculatorError`] gives the part of the expression that cannot be read or has no value.
///
/// ```
/// use std::collections::BTreeMap;
/// use tabiya::Position;
/// use tabiya_views::{InputError, calculator::calculate};
/// let error = calculate("pined | e4", &BTreeMap::new(), &Position::START.into()).unwrap_err();
/// assert_eq!(error.to_string(), "there is no name \"pined\"");
/// assert_eq!(error.span(), 0..5);
/// assert_eq!(error.hint().as_deref(), Some("did you mean pinned?"));
/// ```
pub fn calculate(
    expression: &str,
    names: &BTreeMap<String, Bitboard>,
    scene: &Scene,
) -> Result<Vec<CalculatedStep>, CalculatorError> {
    Parser::new(expression, names, scene)
        .and_then(Parser::run)
        .map_err(|problem| CalculatorError::new(expression, problem))
}
