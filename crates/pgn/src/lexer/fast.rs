//! A fast way to read most of a file: moves and comments, with move numbers between them, and tags.
//!
//! Many bytes are examined together, so the lengths of words are found without branches that a CPU
//! could not predict. [`movetext`](super::movetext) and [`tags`](super::tags) read everything else,
//! and the same tokens, byte by byte.

use super::block::{Block, Places};
use super::{Lexer, RawToken, Span};
use crate::MAX_TAGS;

/// The end of a longer text is found by a search that takes longer to start.
const LONGEST: usize = 64;

/// A plain token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// With the digits, dots and spaces before it, whose number is `at`.
    Move { whole: Span, at: u8 },
    /// A comment in braces after a space.
    Comment(Span),
}

impl From<Plain> for RawToken {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Move { whole, at } => Self::Move { whole, at },
            Plain::Comment(text) => Self::Comment { text, is_line: false },
        }
    }
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
            (self.token_at, self.note_at) = (begin - 1, begin - 1);
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
        // `e8(Q)` and `exd6e.p.` go on, and so may a word before a character that is not ASCII.
        if matches!(*buffer.get(end)?, b'(' | b'.' | 0x80..) || end > self.plain_end {
            return None;
        }
        // It ends with a square, or with one and a sign of check. Others are for the slow way.
        let square = end - usize::from(matches!(buffer[end - 1], b'+' | b'#'));
        if !(2..=5).contains(&(square - pos))
            || !is_square([buffer[square - 2], buffer[square - 1]])
        {
            return None;
        }
        // Between a space and the move there may be a number.
        let begin = *at + usize::from(buffer[*at] == b' ');
        if begin < pos && !buffer[begin].is_ascii_digit() {
            return None;
        }
        self.has_moves = true;
        self.token_at = pos;
        *at = end;
        Some(Plain::Move { whole: (begin, end), at: (pos - begin) as u8 })
    }

    /// The next tag, if it is plain and on this line or the next one: its name and its value.
    #[inline(always)]
    pub(super) fn plain_tag<B: Block>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
    ) -> Option<(Span, Span)> {
        if self.newlines != 0 || self.has_gap {
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
        self.keep(&buffer[pos + 1..name_end], &buffer[value..end]);
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

/// Are these a file and a rank? One comparison for both.
#[inline(always)]
const fn is_square(bytes: [u8; 2]) -> bool {
    u16::from_le_bytes(bytes).wrapping_sub(u16::from_le_bytes(*b"a1")) & 0xf8f8 == 0
}

/// The slow way gives the same tokens, so no other test notices which way is taken.
#[cfg(test)]
mod tests {
    use super::super::block::{Native, Swar};
    use super::*;

    /// The token at an offset, the offset after it, and the place of the token.
    fn token<B: Block>(text: &str, at: usize, plain_end: usize) -> Option<(Plain, usize, usize)> {
        let mut lexer = Lexer { plain_end, ..Lexer::new(0, false) };
        let mut end = at;
        let plain = lexer.plain_token::<B>(text.as_bytes(), &mut end)?;
        Some((plain, end, lexer.token_at))
    }

    fn check_tokens<B: Block>() {
        // Each text goes on for a block or more.
        let rest = " e4".repeat(40);
        let plain = |text: &str, at, limit| token::<B>(&format!("{text}{rest}"), at, limit);
        for (text, at, begin, mv, end) in [
            ("12. Nf3", 3, 4, 4, 7),
            (" 12.Nf3", 0, 1, 4, 7),
            (" e4+", 0, 1, 1, 4),
            ("xx 3. Na3", 2, 3, 6, 9),
            ("a6", 0, 0, 0, 2),
            ("1...a6", 0, 0, 4, 6),
            ("1.2.a6", 0, 0, 4, 6),
        ] {
            let whole = (begin, end);
            let expected = Some((Plain::Move { whole, at: (mv - begin) as u8 }, end, mv));
            assert_eq!(plain(text, at, usize::MAX), expected, "{text}");
            assert_eq!(plain(text, at, end), expected, "{text} at the limit");
            assert_eq!(plain(text, at, end - 1), None, "{text} beyond the limit");
        }
        let others = [
            "e8(Q)",
            "exd6e.p.",
            " 0000",
            " $1",
            " {no end",
            "O-O",
            "word",
            "Table5",
            "e4+-",
            "e4=",
            "e4\u{2013}e5",
            "e9",
        ];
        for text in others {
            assert_eq!(plain(text, 0, usize::MAX), None, "{text}");
        }
        let comment = |len: usize, limit| {
            let text = format!("e4 e5 {{{}}}", "x".repeat(len));
            plain(&text, 5, limit).map(|(plain, end, at)| {
                assert_eq!((plain, end, at), (Plain::Comment((7, 7 + len)), 8 + len, 6));
            })
        };
        for len in [0, 1, 20, LONGEST - 1] {
            assert_eq!(comment(len, usize::MAX), Some(()), "{len}");
            assert_eq!(comment(len, 8 + len), Some(()), "{len} at the limit");
            assert_eq!(comment(len, 7 + len), None, "{len} beyond the limit");
        }
        assert_eq!(comment(LONGEST, usize::MAX), None);
    }

    fn check_tags<B: Block>() {
        let tag = |text: &str, limit: usize, tags: u32, newlines: u32| {
            let mut lexer = Lexer { limit, tags, newlines, ..Lexer::new(0, false) };
            let mut at = 1;
            let text = format!("]{text}\n[Site \"?\"]{}", "\n".repeat(40));
            let (name, value) = lexer.plain_tag::<B>(text.as_bytes(), &mut at)?;
            assert_eq!((lexer.tags, &text[lexer.token_at..name.0]), (tags + 1, "["));
            Some((text[name.0..name.1].to_owned(), text[value.0..value.1].to_owned(), at))
        };
        for (text, value) in [("\n[Event \"a b\"]", "a b"), ("[Event \"\"]", "")] {
            let end = text.len() + 1;
            let expected = Some(("Event".to_owned(), value.to_owned(), end));
            assert_eq!(tag(text, usize::MAX, 0, 0), expected, "{text}");
            assert_eq!(tag(text, end, 0, 0), expected, "{text} at the limit");
            assert_eq!(tag(text, end - 1, 0, 0), None, "{text} beyond the limit");
            assert_eq!(tag(text, usize::MAX, MAX_TAGS, 0), None, "{text} after too many");
            assert_eq!(tag(text, usize::MAX, 0, 1), None, "{text} after a line");
        }
        for text in
            ["[ \"a\"]", "[A\"a\"]", "[A \"a\\\"\"]", "[A \"a\" ]", "\n\n[A \"a\"]", "A \"a\"]"]
        {
            assert_eq!(tag(text, usize::MAX, 0, 0), None, "{text}");
        }
    }

    #[test]
    fn usual_tokens_are_plain() {
        check_tokens::<Swar>();
        check_tokens::<Native>();
        check_tags::<Swar>();
        check_tags::<Native>();
    }
}
