//! What most of a file consists of: moves and comments, with numbers of moves between them.
//!
//! Many bytes are looked at together, so the lengths of words are found without branches that a CPU
//! could not predict. Whatever is not plain is left to [`movetext`](super::movetext), which reads the
//! same tokens byte by byte.

#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod swar;

#[cfg(target_arch = "x86_64")]
use sse2::Block;
#[cfg(not(target_arch = "x86_64"))]
use swar::Block;

use super::{Lexer, Span, State};

/// Comments of more blocks are left to a search that begins more slowly.
const COMMENT_BLOCKS: usize = 64 / Block::WIDTH;

/// A plain token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Move(Span),
    /// A comment in braces.
    Comment(Span),
}

impl Lexer {
    /// The next token, if it is a move or a comment and plain.
    #[inline(always)]
    pub(crate) fn plain_token(&mut self, buffer: &[u8], at: &mut usize) -> Option<Plain> {
        if self.state != State::Movetext || self.newlines != 0 {
            return None;
        }
        let text = block(buffer, *at)?;
        let skipped = text.not_numbers().trailing_zeros() as usize;
        let pos = *at + skipped;
        let first = *buffer.get(pos)?;
        let token = if (first | 0x20).wrapping_sub(b'a') < 26 {
            let stops = text.not_words() >> skipped;
            let len = stops.trailing_zeros() as usize;
            // With 32, there is no end in this block.
            let end = pos + len;
            let next = *buffer.get(end)?;
            // `e8(Q)` and `exd6e.p.` go on.
            if len == 32 || next == b'(' || next == b'.' {
                return None;
            }
            self.has_moves = true;
            *at = end;
            Plain::Move((pos, end))
        } else if first == b'{' {
            let end = closing_brace(buffer, pos + 1)?;
            *at = end + 1;
            Plain::Comment((pos + 1, end))
        } else {
            return None;
        };
        self.token_at = pos;
        Some(token)
    }
}

#[inline(always)]
fn block(buffer: &[u8], at: usize) -> Option<Block> {
    buffer.get(at..)?.first_chunk().map(Block::new)
}

/// The offset of the next closing brace, if it is not far.
#[inline(always)]
fn closing_brace(buffer: &[u8], begin: usize) -> Option<usize> {
    let mut at = begin;
    for _ in 0..COMMENT_BLOCKS {
        let braces = block(buffer, at)?.braces();
        if braces != 0 {
            return Some(at + braces.trailing_zeros() as usize);
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
