//! The words and signs of an expression.

use super::error::{CalculatorErrorKind, Problem};

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Text that begins with a letter. It may contain hyphens, so it may be more than one name.
    Words(&'t str),
    /// Text that begins with a digit.
    Digits(&'t str),
    /// An operator, a parenthesis or a comma.
    Sign(&'static str),
    /// The end of the expression.
    End,
}

const SIGNS: [&str; 13] = ["<<", ">>", "&", "|", "^", "~", "!", "-", "+", "*", "(", ")", ","];

/// The token at the beginning of a text without spaces before it.
pub(super) fn token(rest: &str, start: usize) -> Result<Token<'_>, Problem> {
    let Some(first) = rest.chars().next() else { return Ok(Token::End) };
    let while_true = |condition: fn(u8) -> bool| {
        let end = rest.bytes().position(|byte| !condition(byte)).unwrap_or(rest.len());
        &rest[..end]
    };
    if first.is_ascii_alphabetic() || first == '_' {
        return Ok(Token::Words(while_true(|byte| is_word(byte) || matches!(byte, b'-' | b':'))));
    }
    if first.is_ascii_digit() {
        return Ok(Token::Digits(while_true(is_word)));
    }
    match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        Some(sign) => Ok(Token::Sign(sign)),
        None => {
            let span = start..start + first.len_utf8();
            Err(Problem::new(CalculatorErrorKind::Character(first), span))
        }
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number in decimal, hexadecimal (`0x`) or binary (`0b`), with underscores between its digits.
/// It is decimal if it has neither prefix.
pub(super) fn number(text: &str) -> Option<(u64, bool)> {
    let prefixed = |prefix| text.strip_prefix(prefix);
    let (digits, base) = match (prefixed("0x"), prefixed("0b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (text, 10),
    };
    let value = u64::from_str_radix(&digits.replace('_', ""), base).ok()?;
    Some((value, base == 10))
}
