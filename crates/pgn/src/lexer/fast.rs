//! A fast way to read most of a file: moves and comments, with move numbers between them, and tags.
//!
//! Many bytes are examined together, so the lengths of words are found without branches that a CPU
//! could not predict. [`movetext`](super::movetext) and [`tags`](super::tags) read everything else,
//! and the same tokens, byte by byte.

use super::block::{Block, Places};
use super::{Lexer, Span};
use crate::MAX_TAGS;

/// The end of a longer text is found by a search that takes longer to start.
const LONGEST: usize = 64;

/// A plain token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Move(Span),
    /// A comment in braces after a space.
    Comment(Span),
}

impl Lexer {
    /// The next token, if it is a move or a comment and plain.
    #[inline(always)]
    pub(crate) fn plain_token<B: Block>(&mut self, buffer: &[u8], at: &mut usize) -> Option<Plain> {
        // The CPU predicts this branch, so nothing waits for the start of the comment to be found.
        if buffer.get(*at..*at + 2)? == b" {" {
            let begin = *at + 2;
            let end = find(buffer, begin, B::braces)?;
            if end >= self.plain_end {
                return None;
            }
            self.token_at = begin - 1;
            *at = end + 1;
            return Some(Plain::Comment((begin, end)));
        }
        let text = B::read(buffer, *at)?;
        // The start and the end of the move in this block. A move without both is not plain.
        let begin = text.not_numbers().first()?;
        let pos = *at + begin;
        let first = *buffer.get(pos)?;
        if (first | 0x20).wrapping_sub(b'a') >= 26 {
            return None;
        }
        let end = *at + text.not_words().first_from(begin)?;
        // `e8(Q)` and `exd6e.p.` continue. `0000` is a move that does not begin with a letter.
        if matches!(*buffer.get(end)?, b'(' | b'.') || end > self.plain_end {
            return None;
        }
        self.has_moves = true;
        self.token_at = pos;
        *at = end;
        Some(Plain::Move((pos, end)))
    }

    /// The next tag, if it is plain and on this line or the next one: its name and its value.
    #[inline(always)]
    pub(super) fn plain_tag<B: Block>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
    ) -> Option<(Span, Span)> {
        if self.newlines != 0 {
            return None;
        }
        let pos = *at + usize::from(*buffer.get(*at)? == b'\n');
        if *buffer.get(pos)? != b'[' {
            return None;
        }
        let name_end = find(buffer, pos + 1, B::not_letters)?;
        if name_end == pos + 1 || buffer.get(name_end..name_end + 2)? != b" \"" {
            return None;
        }
        let value = name_end + 2;
        let end = find(buffer, value, B::value_signs)?;
        // A quotation mark need not end the value.
        if buffer.get(end..end + 2)? != b"\"]" || end + 2 > self.limit || self.tags == MAX_TAGS {
            return None;
        }
        self.tags += 1;
        self.token_at = pos;
        *at = end + 2;
        Some(((pos + 1, name_end), (value, end)))
    }
}

/// The offset of the next byte that is wanted, if it is not far.
#[inline(always)]
fn find<B: Block>(buffer: &[u8], begin: usize, wanted: impl Fn(B) -> Places) -> Option<usize> {
    let mut at = begin;
    for _ in 0..LONGEST / B::WIDTH {
        if let Some(place) = wanted(B::read(buffer, at)?).first() {
            return Some(at + place);
        }
        at += B::WIDTH;
    }
    None
}
