//! The grammar of filters, and what their words mean:
//!
//! ```text
//! any   = all { "or" all }
//! all   = not { "and" not }
//! not   = "not" not | "(" any ")" | flag | "result" equal result | "turn" equal side
//!       | number comparison number
//! number = [ "-" ] digits | name | "abs" "(" number ")"
//! ```

use std::ops::Range;

use tabiya::{CastlingMode, Color, Move, Role};

use super::FilterError;
use crate::record::{GameResult, Record};

/// Does it hold for a record?
pub(super) type Condition = dyn Fn(&Record) -> bool + Send + Sync;
/// A number of a record; `None` if it doesn't have it.
type Number = dyn Fn(&Record) -> Option<i64> + Send + Sync;

/// What names and signs mean.
type Names<T, const N: usize> = [(&'static str, T); N];

const FLAGS: Names<fn(&Record) -> bool, 8> = [
    ("check", |it| it.position.is_check()),
    ("capture", |it| it.mv.is_some_and(Move::is_capture)),
    ("promotion", |it| it.mv.is_some_and(Move::is_promotion)),
    ("castling", |it| it.mv.is_some_and(|mv| mv.castling().is_some())),
    ("chess960", |it| it.position.castling_mode() == CastlingMode::Chess960),
    ("has_move", |it| it.mv.is_some()),
    ("has_score", |it| it.score.is_some()),
    ("has_result", |it| it.result.is_some()),
];

const NUMBERS: Names<fn(&Record) -> Option<i64>, 5> = [
    ("score", |it| it.score.map(i64::from)),
    ("ply", |it| Some(it.ply.into())),
    ("clock", |it| Some(it.position.halfmove_clock().into())),
    ("pieces", |it| Some(it.position.board().occupied().len().into())),
    ("material", |it| {
        let value = |(role, value)| value * i64::from(it.position.board().role(role).len());
        Some(VALUES.into_iter().map(value).sum())
    }),
];

const VALUES: [(Role, i64); 5] =
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];

const COMPARISONS: Names<fn(&i64, &i64) -> bool, 6> = [
    ("==", i64::eq),
    ("!=", i64::ne),
    ("<=", i64::le),
    (">=", i64::ge),
    ("<", i64::lt),
    (">", i64::gt),
];

const RESULTS: Names<GameResult, 3> = [
    ("white", GameResult::WhiteWins),
    ("draw", GameResult::Draw),
    ("black", GameResult::BlackWins),
];

const SIDES: Names<Color, 2> = [("white", Color::White), ("black", Color::Black)];

/// The most conditions in each other, so that the stack is bounded.
const MAX_DEPTH: usize = 100;

pub(super) fn parse(text: &str) -> Result<Box<Condition>, FilterError> {
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
    fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let (_, found) = table.iter().find(|(name, _)| *name == self.token())?;
        self.advance();
        Some(*found)
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

    fn any(&mut self) -> Result<Box<Condition>, FilterError> {
        let mut conditions = vec![self.all()?];
        while self.takes("or") {
            conditions.push(self.all()?);
        }
        Ok(Box::new(move |it| conditions.iter().any(|condition| condition(it))))
    }

    fn all(&mut self) -> Result<Box<Condition>, FilterError> {
        let mut conditions = vec![self.not()?];
        while self.takes("and") {
            conditions.push(self.not()?);
        }
        Ok(Box::new(move |it| conditions.iter().all(|condition| condition(it))))
    }

    fn not(&mut self) -> Result<Box<Condition>, FilterError> {
        self.deeper(Self::condition)
    }

    fn condition(&mut self) -> Result<Box<Condition>, FilterError> {
        if self.takes("not") {
            let condition = self.not()?;
            return Ok(Box::new(move |it| !condition(it)));
        }
        if self.takes("(") {
            let condition = self.any()?;
            self.close()?;
            return Ok(condition);
        }
        if let Some(flag) = self.one_of(&FLAGS) {
            return Ok(Box::new(flag));
        }
        if self.takes("result") {
            let (is_equal, wanted) = self.equality(&RESULTS, "white, draw or black")?;
            let is_wanted = move |result| (result == wanted) == is_equal;
            return Ok(Box::new(move |it| it.result.is_some_and(is_wanted)));
        }
        if self.takes("turn") {
            let (is_equal, side) = self.equality(&SIDES, "white or black")?;
            return Ok(Box::new(move |it| (it.position.turn() == side) == is_equal));
        }
        let one = self.number(&conditions())?;
        let comparison = self.one_of(&COMPARISONS);
        let comparison = comparison.ok_or_else(|| self.expected("==, !=, <, <=, > or >="))?;
        let other = self.number("a number, score, ply, clock, pieces, material or abs(…)")?;
        Ok(Box::new(move |it| {
            one(it).zip(other(it)).is_some_and(|(one, other)| comparison(&one, &other))
        }))
    }

    /// Is it `==` and not `!=`, and what follows it?
    fn equality<T: Copy>(
        &mut self,
        names: &[(&str, T)],
        expected: &str,
    ) -> Result<(bool, T), FilterError> {
        let is_equal = self.one_of(&[("==", true), ("!=", false)]);
        let is_equal = is_equal.ok_or_else(|| self.expected("== or !="))?;
        Ok((is_equal, self.one_of(names).ok_or_else(|| self.expected(expected))?))
    }

    fn number(&mut self, what: &str) -> Result<Box<Number>, FilterError> {
        if let Some(number) = self.one_of(&NUMBERS) {
            return Ok(Box::new(number));
        }
        if self.token() == "abs" {
            self.advance();
            if !self.takes("(") {
                return Err(self.expected("\"(\""));
            }
            let number = self.deeper(|parser| parser.number("a number or the name of one"))?;
            self.close()?;
            return Ok(Box::new(move |it| number(it).map(i64::abs)));
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
        Ok(Box::new(move |_| Some(number.into())))
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
