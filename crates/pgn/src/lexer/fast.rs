//! What most of a file consists of: moves and comments, with move numbers between them, and tags.
//!
//! Many bytes are looked at together, so the lengths of words are found without branches that a CPU
//! could not predict. Everything else is left to [`movetext`](super::movetext) and
//! [`tags`](super::tags), which read the same tokens byte by byte.

#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod swar;

#[cfg(target_arch = "x86_64")]
use sse2::Block;
#[cfg(not(target_arch = "x86_64"))]
use swar::Block;

use super::{Lexer, Span, State};

/// The end of a longer text is left to a search that takes longer to start.
const BLOCKS: usize = 64 / Block::WIDTH;

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
    pub(crate) fn plain_token(&mut self, buffer: &[u8], at: &mut usize) -> Option<Plain> {
        if self.state != State::Movetext || self.newlines != 0 {
            return None;
        }
        // A branch on this is predicted, so nothing waits until the start of the comment is found.
        if buffer.get(*at..*at + 2)? == b" {" {
            let begin = *at + 2;
            let end = find(buffer, begin, Block::braces)?;
            self.token_at = begin - 1;
            *at = end + 1;
            return Some(Plain::Comment((begin, end)));
        }
        let text = block(buffer, *at)?;
        let skipped = text.not_numbers().trailing_zeros() as usize;
        let pos = *at + skipped;
        let first = *buffer.get(pos)?;
        if (first | 0x20).wrapping_sub(b'a') >= 26 {
            return None;
        }
        let stops = text.not_words() >> skipped;
        let len = stops.trailing_zeros() as usize;
        // With 32, there is no end in this block.
        let end = pos + len;
        let next = *buffer.get(end)?;
        // `e8(Q)` and `exd6e.p.` continue.
        if len == 32 || next == b'(' || next == b'.' {
            return None;
        }
        self.has_moves = true;
        self.token_at = pos;
        *at = end;
        Some(Plain::Move((pos, end)))
    }

    /// The next tag, if it is plain and on this line or the next one: its name and its value.
    #[inline(always)]
    pub(super) fn plain_tag(&mut self, buffer: &[u8], at: &mut usize) -> Option<(Span, Span)> {
        if self.newlines != 0 {
            return None;
        }
        let pos = *at + usize::from(*buffer.get(*at)? == b'\n');
        if *buffer.get(pos)? != b'[' {
            return None;
        }
        let name_end = find(buffer, pos + 1, Block::not_letters)?;
        if name_end == pos + 1 || buffer.get(name_end..name_end + 2)? != b" \"" {
            return None;
        }
        let value = name_end + 2;
        let end = find(buffer, value, Block::value_signs)?;
        // Not every quotation mark ends a value.
        if buffer.get(end..end + 2)? != b"\"]" {
            return None;
        }
        self.has_tags = true;
        self.token_at = pos;
        *at = end + 2;
        Some(((pos + 1, name_end), (value, end)))
    }
}

#[inline(always)]
fn block(buffer: &[u8], at: usize) -> Option<Block> {
    buffer.get(at..)?.first_chunk().map(Block::new)
}

/// The offset of the next byte that is wanted, if it is not far.
#[inline(always)]
fn find(buffer: &[u8], begin: usize, wanted: impl Fn(Block) -> u32) -> Option<usize> {
    let mut at = begin;
    for _ in 0..BLOCKS {
        let found = wanted(block(buffer, at)?);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += Block::WIDTH;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::lexer::class::is_in_word;

    /// The bits of bytes that satisfy a condition.
    fn bits(bytes: &[u8], condition: impl Fn(u8) -> bool) -> u32 {
        bytes.iter().rev().fold(0, |bits, &byte| 2 * bits + u32::from(condition(byte)))
    }

    /// All pairs of bytes in some places of a text.
    fn for_each_pair<const N: usize>(text: [u8; N], test: impl Fn([u8; N])) {
        for first in 0..=255 {
            for second in 0..=255 {
                for (a, b) in [(0, 1), (2, 5), (N - 2, N - 1)] {
                    let mut bytes = text;
                    (bytes[a], bytes[b]) = (first, second);
                    test(bytes);
                }
            }
        }
    }

    macro_rules! judges_every_byte {
        ($block:ty, $text:expr) => {
            for_each_pair(*$text, |bytes| {
                let block = <$block>::new(&bytes);
                let is_number = |byte| matches!(byte, b'0'..=b'9' | b' ' | b'.');
                assert_eq!(block.not_numbers(), bits(&bytes, |byte| !is_number(byte)), "{bytes:?}");
                assert_eq!(block.not_words(), bits(&bytes, |byte| !is_in_word(byte)), "{bytes:?}");
                assert_eq!(block.braces(), bits(&bytes, |byte| byte == b'}'), "{bytes:?}");
                let letters = bits(&bytes, |byte| !byte.is_ascii_alphabetic());
                assert_eq!(block.not_letters(), letters, "{bytes:?}");
                let signs = bits(&bytes, |byte| matches!(byte, b'"' | b'\\' | b'\n'));
                assert_eq!(block.value_signs(), signs, "{bytes:?}");
            });
        };
    }

    #[test]
    fn numbers_judge_every_byte_as_the_tables_do() {
        judges_every_byte!(super::swar::Block, b" 12. Na3");
        judges_every_byte!(super::swar::Block, b"}}}}}}}}");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_judge_every_byte_as_the_tables_do() {
        judges_every_byte!(super::sse2::Block, b" 12... Nbxd2+ {[");
        judges_every_byte!(super::sse2::Block, b"}}}}}}}}}}}}}}}}");
    }
}
