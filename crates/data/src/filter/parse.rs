//! The grammar of filters:
//!
//! ```text
//! any   = all { "or" all }
//! all   = not { "and" not }
//! not   = "not" not | "(" any ")" | flag | "result" equal result | "turn" equal side
//!       | number comparison number
//! number = [ "-" ] digits | name | "abs" "(" number ")"
//! ```

use std::ops::Range;

use tabiya::Color;

use super::{Comparison, Condition, FilterError, Flag, Number};
use crate::record::GameResult;

const FLAGS: [(&str, Flag); 8] = [
    ("check", Flag::Check),
    ("capture", Flag::Capture),
    ("promotion", Flag::Promotion),
    ("castling", Flag::Castling),
    ("chess960", Flag::Chess960),
    ("has_move", Flag::HasMove),
    ("has_score", Flag::HasScore),
    ("has_result", Flag::HasResult),
];

const NUMBERS: [(&str, Number); 5] = [
    ("score", Number::Score),
    ("ply", Number::Ply),
    ("clock", Number::Clock),
    ("pieces", Number::Pieces),
    ("material", Number::Material),
];

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Different),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

const RESULTS: [(&str, GameResult); 3] = [
    ("white", GameResult::WhiteWins),
    ("draw", GameResult::Draw),
    ("black", GameResult::BlackWins),
];

const SIDES: [(&str, Color); 2] = [("white", Color::White), ("black", Color::Black)];

/// The most conditions in each other, so that the stack is bounded.
const MAX_DEPTH: usize = 100;

pub(super) fn parse(text: &str) -> Result<Condition, FilterError> {
    let mut parser = Parser { text, token: 0..0, depth: 0 };
    parser.advance();
    let condition = parser.any()?;
    match parser.token() {
        "" => Ok(condition),
        _ => Err(parser.expected("\"and\", \"or\" or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The next token; empty at the end.
    token: Range<usize>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn token(&self) -> &'a str {
        &self.text[self.token.clone()]
    }

    fn advance(&mut self) {
        let rest = &self.text[self.token.end..];
        let begin = self.text.len() - rest.trim_start().len();
        let rest = &self.text[begin..];
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let sign = COMPARISONS.iter().find(|(sign, _)| rest.starts_with(sign));
        let len = match (word, sign) {
            (0, Some((sign, _))) => sign.len(),
            (0, None) => rest.chars().next().map_or(0, char::len_utf8),
            (word, _) => word,
        };
        self.token = begin..begin + len;
    }

    /// Takes the token if it's this one.
    fn takes(&mut self, token: &str) -> bool {
        let is_it = self.token() == token;
        if is_it {
            self.advance();
        }
        is_it
    }

    /// Takes the token if it's one of these.
    fn one_of<T: Clone>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let (_, found) = table.iter().find(|(name, _)| *name == self.token())?;
        self.advance();
        Some(found.clone())
    }

    fn expected(&self, what: &str) -> FilterError {
        let message = match self.token() {
            "" => format!("the filter ends where {what} is expected"),
            token => format!("expected {what}, found {token:?}"),
        };
        FilterError { message, span: self.token.clone() }
    }

    fn close(&mut self) -> Result<(), FilterError> {
        if self.takes(")") { Ok(()) } else { Err(self.expected("\")\"")) }
    }

    fn any(&mut self) -> Result<Condition, FilterError> {
        let mut condition = self.all()?;
        while self.takes("or") {
            condition = Condition::Or(Box::new(condition), Box::new(self.all()?));
        }
        Ok(condition)
    }

    fn all(&mut self) -> Result<Condition, FilterError> {
        let mut condition = self.not()?;
        while self.takes("and") {
            condition = Condition::And(Box::new(condition), Box::new(self.not()?));
        }
        Ok(condition)
    }

    fn not(&mut self) -> Result<Condition, FilterError> {
        self.deeper(|parser| {
            if parser.takes("not") {
                return Ok(Condition::Not(Box::new(parser.not()?)));
            }
            if parser.takes("(") {
                let condition = parser.any()?;
                parser.close()?;
                return Ok(condition);
            }
            if let Some(flag) = parser.one_of(&FLAGS) {
                return Ok(Condition::Flag(flag));
            }
            if parser.takes("result") {
                let is_equal = parser.equality()?;
                let result = parser.one_of(&RESULTS);
                let result = result.ok_or_else(|| parser.expected("white, draw or black"))?;
                return Ok(Condition::Result(is_equal, result));
            }
            if parser.takes("turn") {
                let is_equal = parser.equality()?;
                let side = parser.one_of(&SIDES);
                let side = side.ok_or_else(|| parser.expected("white or black"))?;
                return Ok(Condition::Turn(is_equal, side));
            }
            let one = parser.number(&conditions())?;
            let comparison = parser.one_of(&COMPARISONS);
            let comparison = comparison.ok_or_else(|| parser.expected("==, !=, <, <=, > or >="))?;
            let other = parser.number("a number, score, ply, clock, pieces, material or abs(…)")?;
            Ok(Condition::Number(one, comparison, other))
        })
    }

    /// Does `==` follow, and not `!=`?
    fn equality(&mut self) -> Result<bool, FilterError> {
        self.one_of(&[("==", true), ("!=", false)]).ok_or_else(|| self.expected("== or !="))
    }

    fn number(&mut self, what: &str) -> Result<Number, FilterError> {
        if let Some(number) = self.one_of(&NUMBERS) {
            return Ok(number);
        }
        if self.token() == "abs" {
            return self.deeper(|parser| {
                parser.advance();
                if !parser.takes("(") {
                    return Err(parser.expected("\"(\""));
                }
                let number = parser.number("a number or the name of one")?;
                parser.close()?;
                Ok(Number::Abs(Box::new(number)))
            });
        }
        let begin = self.token.start;
        let sign = if self.takes("-") { "-" } else { "" };
        let digits = self.token();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.expected(if sign.is_empty() { what } else { "a number" }));
        }
        // All numbers of records are smaller, and `abs` can't overflow.
        let number = format!("{sign}{digits}").parse::<i32>().map_err(|_| FilterError {
            message: "numbers go from -2147483648 to 2147483647".to_owned(),
            span: begin..self.token.end,
        })?;
        self.advance();
        Ok(Number::Constant(number.into()))
    }

    fn deeper<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, FilterError>,
    ) -> Result<T, FilterError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} conditions in each other");
            return Err(FilterError { message, span: self.token.clone() });
        }
        let result = parse(self)?;
        self.depth -= 1;
        Ok(result)
    }
}

/// The names with which a condition may begin.
fn conditions() -> String {
    let flags = FLAGS.iter().map(|(name, _)| *name);
    let numbers = NUMBERS.iter().map(|(name, _)| *name);
    let names: Vec<_> = flags.chain(numbers).collect();
    format!("a condition ({}, result, turn, abs(…), not)", names.join(", "))
}
