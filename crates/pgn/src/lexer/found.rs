//! What the lexer finds in the movetext.

use super::{RawToken, Span};
use crate::error::ErrorKind;
use crate::token::RemarkKind;

/// What begins at an offset, with the offset after it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// White space, and the dots of move numbers.
    Space(usize),
    /// The number of a move, or digits that say nothing.
    Digits(usize),
    /// A word that adds nothing: `e.p.` after a space.
    Nothing(usize),
    Token(RawToken, usize),
    /// A bracket, a name and a quotation mark.
    Tag,
    /// `1.` after an empty line, and moves before it.
    NextGame,
    Error(ErrorKind),
    /// The buffer ends too early.
    More,
}

impl Found {
    pub(super) const fn remark(kind: RemarkKind, span: Span) -> Self {
        Self::Token(RawToken::Remark(kind, span), span.1)
    }
}
