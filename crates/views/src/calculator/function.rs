//! The functions of expressions.

use tabiya::{Bitboard, Direction};

use super::error::CalculatorErrorKind;
use super::step::ValueKind;

/// A function of expressions.
///
/// ```
/// use tabiya_views::calculator::Function;
/// let function = Function::find("popcount").unwrap();
/// assert_eq!(function.form(), "popcount(a)");
/// assert_eq!(function.description(), "the number of squares");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Function {
    name: &'static str,
    description: &'static str,
    kind: ValueKind,
    rule: Rule,
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    One(fn(u64) -> u64),
    /// The set must not be empty; else it has no "first" or no "last" square.
    Square(fn(u64) -> u32, &'static str),
    Two(fn(u64, u64) -> u64),
}

const fn set(name: &'static str, rule: fn(u64) -> u64, description: &'static str) -> Function {
    Function { name, description, kind: ValueKind::Set, rule: Rule::One(rule) }
}

const fn number(name: &'static str, rule: fn(u64) -> u64, description: &'static str) -> Function {
    Function { name, description, kind: ValueKind::Number, rule: Rule::One(rule) }
}

/// A step by one square.
macro_rules! step {
    ($name:literal, $direction:ident, $description:literal) => {
        set($name, |a| Bitboard(a).shift(Direction::$direction).0, $description)
    };
}

impl Function {
    /// All functions.
    pub const ALL: &'static [Self] = &[
        step!("north", North, "one step to the north; what leaves the board is dropped"),
        step!("north_east", NorthEast, "one step to the north-east, without wrapping round"),
        step!("east", East, "one step to the east, without wrapping round"),
        step!("south_east", SouthEast, "one step to the south-east, without wrapping round"),
        step!("south", South, "one step to the south; what leaves the board is dropped"),
        step!("south_west", SouthWest, "one step to the south-west, without wrapping round"),
        step!("west", West, "one step to the west, without wrapping round"),
        step!("north_west", NorthWest, "one step to the north-west, without wrapping round"),
        set("byteswap", u64::swap_bytes, "the ranks mirrored: a1 and a8 change places"),
        set("reverse", u64::reverse_bits, "all bits mirrored: a1 and h8 change places"),
        set(
            "mirror",
            |a| Bitboard(a).flip_files().0,
            "the files mirrored: a1 and h1 change places",
        ),
        number("popcount", |a| a.count_ones().into(), "the number of squares"),
        Self {
            name: "first",
            description: "the square with the smallest number",
            kind: ValueKind::Square,
            rule: Rule::Square(u64::trailing_zeros, "first"),
        },
        Self {
            name: "last",
            description: "the square with the largest number",
            kind: ValueKind::Square,
            rule: Rule::Square(|a| 63 - a.leading_zeros(), "last"),
        },
        set("lsb", |a| a & a.wrapping_neg(), "only the lowest bit: a & -a"),
        set(
            "msb",
            |a| if a == 0 { 0 } else { 1 << (63 - a.leading_zeros()) },
            "only the highest bit",
        ),
        set("without_lsb", |a| a & a.wrapping_sub(1), "all bits but the lowest: a & a - 1"),
        number(
            "trailing_zeros",
            |a| a.trailing_zeros().into(),
            "the zeros below the lowest bit; 64 for 0",
        ),
        number(
            "leading_zeros",
            |a| a.leading_zeros().into(),
            "the zeros above the highest bit; 64 for 0",
        ),
        Self {
            name: "pext",
            description: "the bits of a under the mask b, gathered into the low bits",
            kind: ValueKind::Number,
            rule: Rule::Two(|a, b| Bitboard(a).gather(Bitboard(b))),
        },
        Self {
            name: "pdep",
            description: "the low bits of a, spread over the squares of the mask b",
            kind: ValueKind::Set,
            rule: Rule::Two(|a, b| Bitboard::scatter(a, Bitboard(b)).0),
        },
    ];

    /// The function of a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.name == name)
    }

    /// Its name, such as `north_east`.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its form, such as `pext(a, b)`.
    pub fn form(self) -> String {
        let values = if self.takes() == 2 { "a, b" } else { "a" };
        format!("{}({values})", self.name)
    }

    /// Its result, in a few words.
    pub const fn description(self) -> &'static str {
        self.description
    }

    /// The number of values that it takes.
    pub const fn takes(self) -> usize {
        match self.rule {
            Rule::Two(_) => 2,
            Rule::One(_) | Rule::Square(..) => 1,
        }
    }

    pub(super) const fn kind(self) -> ValueKind {
        self.kind
    }

    /// The value of the function.
    pub(super) fn apply(self, values: &[u64]) -> Result<u64, CalculatorErrorKind> {
        match (self.rule, values) {
            (Rule::One(rule), &[a]) => Ok(rule(a)),
            (Rule::Square(_, which), &[0]) => Err(CalculatorErrorKind::NoSquare(which)),
            (Rule::Square(rule, _), &[a]) => Ok(rule(a).into()),
            (Rule::Two(rule), &[a, b]) => Ok(rule(a, b)),
            _ => Err(CalculatorErrorKind::Arguments {
                name: self.name,
                wanted: if self.takes() == 2 { "two values" } else { "one value" },
                given: values.len(),
            }),
        }
    }
}
