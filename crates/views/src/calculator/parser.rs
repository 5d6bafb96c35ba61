//! Reads an expression and finds the values of its parts on the way.

use std::collections::BTreeMap;
use std::ops::Range;

use tabiya::Bitboard;

use super::error::{CalculatorErrorKind as Kind, MAX_DEPTH, MAX_LENGTH, Problem};
use super::function::Function;
use super::lexer::{self, Token};
use super::names;
use super::step::{CalculatedStep, ValueKind};
use crate::{Scene, spelling};

/// Operators with two operands. Those of a higher level bind tighter.
const LEVELS: [(&str, u8); 8] =
    [("|", 1), ("^", 2), ("&", 3), ("<<", 4), (">>", 4), ("+", 5), ("-", 5), ("*", 6)];

pub(super) struct Parser<'t> {
    input: &'t str,
    names: &'t BTreeMap<String, Bitboard>,
    scene: &'t Scene,
    /// The place after the current token.
    at: usize,
    /// The end of the token before the current one.
    end: usize,
    token: Token<'t>,
    /// The place of the current token.
    start: usize,
    depth: usize,
    steps: Vec<CalculatedStep>,
}

type Parsed<T> = Result<T, Problem>;

impl<'t> Parser<'t> {
    pub(super) fn new(
        input: &'t str,
        names: &'t BTreeMap<String, Bitboard>,
        scene: &'t Scene,
    ) -> Parsed<Self> {
        if input.len() > MAX_LENGTH {
            let mut start = MAX_LENGTH;
            while !input.is_char_boundary(start) {
                start -= 1;
            }
            return Err(Problem::new(Kind::TooLong, start..input.len()));
        }
        let mut parser = Self {
            input,
            names,
            scene,
            at: 0,
            end: 0,
            token: Token::End,
            start: 0,
            depth: 0,
            steps: Vec::new(),
        };
        parser.advance_to(0)?;
        Ok(parser)
    }

    /// All steps of the expression.
    pub(super) fn run(mut self) -> Parsed<Vec<CalculatedStep>> {
        if self.token == Token::End {
            return Err(Problem::new(Kind::Empty, 0..self.input.len()));
        }
        self.binary(1)?;
        match self.token {
            Token::End => Ok(self.steps),
            Token::Sign(")") => Err(self.problem(Kind::Unopened)),
            _ => Err(self.problem(Kind::Operator(self.input[self.start..self.at].to_owned()))),
        }
    }

    fn problem(&self, kind: Kind) -> Problem {
        Problem::new(kind, self.start..self.at)
    }

    /// Makes the token at a place, or after the spaces there, the current one.
    fn advance_to(&mut self, place: usize) -> Parsed<()> {
        let rest = &self.input[place..];
        let spaces = rest.len() - rest.trim_start().len();
        self.end = place;
        self.start = place + spaces;
        self.token = lexer::token(&self.input[self.start..], self.start)?;
        self.at = self.start
            + match self.token {
                Token::Words(text) | Token::Digits(text) => text.len(),
                Token::Sign(sign) => sign.len(),
                Token::End => 0,
            };
        Ok(())
    }

    fn advance(&mut self) -> Parsed<()> {
        self.advance_to(self.at)
    }

    /// Operators of a level or a tighter one, from left to right. The value is the index of a step.
    fn binary(&mut self, level: u8) -> Parsed<usize> {
        let start = self.start;
        let mut left = self.unary()?;
        loop {
            let Token::Sign(sign) = self.token else { return Ok(left) };
            let operator = LEVELS.iter().find(|(operator, _)| *operator == sign);
            let Some(&(operator, binding)) = operator.filter(|(_, binding)| *binding >= level)
            else {
                return Ok(left);
            };
            self.advance()?;
            // The right operand takes only operators that bind tighter. There are few levels, so
            // this is not deep.
            let right = self.binary(binding + 1)?;
            let (a, b) = (&self.steps[left], &self.steps[right]);
            let value = apply(operator, a.value, b.value)
                .map_err(|kind| Problem::new(kind, b.span.clone()))?;
            let kind = kind(operator, a.kind, b.kind);
            left = self.push(start, operator, vec![left, right], value, kind);
        }
    }

    fn unary(&mut self) -> Parsed<usize> {
        let Token::Sign(sign @ ("~" | "!" | "-")) = self.token else { return self.value() };
        let start = self.start;
        self.enter()?;
        self.advance()?;
        let operand = self.unary()?;
        self.depth -= 1;
        let a = &self.steps[operand];
        let (value, kind) = match sign {
            "-" => (a.value.wrapping_neg(), a.kind),
            _ => (!a.value, ValueKind::Set),
        };
        Ok(self.push(start, sign, vec![operand], value, kind))
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.problem(Kind::TooDeep)) } else { Ok(()) }
    }

    /// A number, a name, a function or an expression in parentheses.
    fn value(&mut self) -> Parsed<usize> {
        let start = self.start;
        match self.token {
            Token::Digits(text) => {
                let Some((value, is_decimal)) = lexer::number(text) else {
                    return Err(self.problem(Kind::Number(text.to_owned())));
                };
                self.advance()?;
                let kind = if is_decimal { ValueKind::Number } else { ValueKind::Set };
                Ok(self.push(start, "number", Vec::new(), value, kind))
            }
            Token::Words(text) => {
                if !text.contains('-') && self.input[self.at..].trim_start().starts_with('(') {
                    return self.call(text);
                }
                let (name, (operation, squares)) =
                    names::find(text, self.start, self.names, self.scene)?;
                self.advance_to(self.start + name.len())?;
                Ok(self.push(start, operation, Vec::new(), squares.0, ValueKind::Set))
            }
            Token::Sign("(") => {
                self.enter()?;
                self.advance()?;
                let inner = self.binary(1)?;
                self.close()?;
                self.depth -= 1;
                Ok(inner)
            }
            Token::Sign(")" | ",") | Token::End => Err(self.missing("a value")),
            Token::Sign(_) => Err(self.missing("a value before this operator")),
        }
    }

    /// A function: `name(a)` or `name(a, b)`.
    fn call(&mut self, text: &'t str) -> Parsed<usize> {
        let Some(function) = Function::find(text) else {
            let names = Function::ALL.iter().map(|function| function.name());
            let nearest = || spelling::nearest(text, names).map(|it| format!("did you mean {it}?"));
            let hint = names::layer_form(text).or_else(nearest);
            return Err(Problem { hint, ..self.problem(Kind::Function(text.to_owned())) });
        };
        let start = self.start;
        self.enter()?;
        self.advance()?;
        self.advance()?;
        let mut operands = Vec::new();
        if self.token != Token::Sign(")") {
            operands.push(self.binary(1)?);
            while self.token == Token::Sign(",") {
                self.advance()?;
                operands.push(self.binary(1)?);
            }
        }
        self.close()?;
        self.depth -= 1;
        let values: Vec<u64> = operands.iter().map(|&operand| self.steps[operand].value).collect();
        let value = function.apply(&values).map_err(|kind| Problem::new(kind, start..self.end))?;
        Ok(self.push(start, function.name(), operands, value, function.kind()))
    }

    fn close(&mut self) -> Parsed<()> {
        match self.token {
            Token::Sign(")") => self.advance(),
            Token::End => Err(self.missing("a closing parenthesis")),
            _ => Err(self.problem(Kind::Operator(self.input[self.start..self.at].to_owned()))),
        }
    }

    fn missing(&self, what: &'static str) -> Problem {
        self.problem(Kind::Missing(what))
    }

    /// Adds a step that reaches from a place to the end of the token before the current one.
    fn push(
        &mut self,
        start: usize,
        operation: &'static str,
        operands: Vec<usize>,
        value: u64,
        kind: ValueKind,
    ) -> usize {
        let span: Range<usize> = start..self.end;
        let text = self.input[span.clone()].to_owned();
        self.steps.push(CalculatedStep { text, span, operation, operands, value, kind });
        self.steps.len() - 1
    }
}

fn apply(operator: &str, a: u64, b: u64) -> Result<u64, Kind> {
    let places = || u32::try_from(b).ok().filter(|b| *b < 64).ok_or(Kind::Shift(b));
    Ok(match operator {
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "<<" => a << places()?,
        ">>" => a >> places()?,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        _ => a.wrapping_mul(b),
    })
}

/// Numbers give a number, and a set gives a set. A shift to the left always gives a set, as in
/// `1 << first(a)`; a shift to the right gives a set only if the shifted value is one.
const fn kind(operator: &str, a: ValueKind, b: ValueKind) -> ValueKind {
    match (operator.as_bytes(), a, b) {
        (b"<<", ..) | (_, ValueKind::Set, _) => ValueKind::Set,
        (b">>", ..) => ValueKind::Number,
        (_, _, ValueKind::Set) => ValueKind::Set,
        _ => ValueKind::Number,
    }
}
