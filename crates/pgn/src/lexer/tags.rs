//! Tags: `[Name "Value"]`.

use memchr::{memchr, memchr3};

use super::found::Found;
use super::{Lexer, RawToken, State, Step, window};
use crate::error::ErrorKind;
use crate::token::{RemarkKind, Tag};
use crate::{MAX_TAGS, MAX_TOKEN, Termination};

/// The result of reading a tag.
enum Parsed {
    Tag(RawToken, usize),
    More,
    TooLong,
    /// It has no end in its line, which ends here.
    Malformed(usize),
}

impl Lexer {
    /// The next tag. `None` before the first token that is not a tag.
    pub(super) fn tags<const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Option<Step> {
        loop {
            let begin = *at;
            if begin == buffer.len() {
                return Some(if is_end { self.end_game(begin) } else { Step::More });
            }
            if begin >= self.limit {
                return self.fail(ErrorKind::GameTooLong, begin);
            }
            let (token, end) = match self.find(buffer, begin, is_end) {
                Found::Space(end) => {
                    *at = end;
                    continue;
                }
                Found::More => return Some(Step::More),
                Found::Token(RawToken::Remark(RemarkKind::Tag, span), end) => {
                    (RawToken::Remark(RemarkKind::Tag, span), end)
                }
                Found::Tag => match self.tag(buffer, begin, is_end) {
                    Ok(found) => found,
                    Err(step) => return step,
                },
                _ => {
                    self.state = State::Movetext;
                    return None;
                }
            };
            if let Some(step) = self.emit::<QUIET>(token, begin, at, end) {
                return Some(step);
            }
        }
    }

    /// The tag that begins at an offset, or else a remark, and the offset after it.
    fn tag(
        &mut self,
        buffer: &[u8],
        begin: usize,
        is_end: bool,
    ) -> Result<(RawToken, usize), Option<Step>> {
        let mut looked = 0;
        let parsed = parse(buffer, begin, is_end, &mut looked);
        self.count(0, looked);
        let (token, end) = match parsed {
            Parsed::Tag(token, end) => (token, end),
            Parsed::More => return Err(Some(Step::More)),
            Parsed::TooLong => return Err(self.fail(ErrorKind::TooLong, begin)),
            Parsed::Malformed(end) => {
                let bracket = memchr(b']', &buffer[begin..end]);
                let end = bracket.map_or(end, |len| begin + len + 1);
                return Ok((RawToken::Remark(RemarkKind::Tag, (begin, end)), end));
            }
        };
        let RawToken::Tag { name, value } = token else { return Ok((token, end)) };
        let (name, value) = (&buffer[name.0..name.1], &buffer[value.0..value.1]);
        let is_first = name == b"Event" || number(name) == self.first_tag;
        if self.tags > 0 && self.has_gap && is_first {
            // The game before has neither moves nor a result.
            return Err(Some(self.end_game(begin)));
        }
        if self.tags == MAX_TAGS {
            return Err(self.fail(ErrorKind::TooManyTags, begin));
        }
        self.keep(name, value);
        Ok((token, end))
    }

    /// Keeps what the lexer has to know of a tag.
    #[inline(always)]
    pub(super) fn keep(&mut self, name: &[u8], value: &[u8]) {
        if self.tags == 0 {
            self.first_tag = number(name);
        }
        self.tags += 1;
        self.has_gap = false;
        if name == b"Result" && self.result.is_none() {
            self.result = Termination::from_bytes(value);
        }
    }
}

/// A number for a name, from its length and all of its bytes. Two names of one game with the same
/// number would be a rare accident. The method is that of the Rust compiler's own tables, FxHash.
#[inline]
fn number(name: &[u8]) -> u64 {
    let mix = |number: u64, bytes: u64| {
        (number.rotate_left(5) ^ bytes).wrapping_mul(0x517c_c1b7_2722_0a95)
    };
    let (whole, rest) = name.as_chunks();
    let number = whole.iter().map(|&bytes| u64::from_le_bytes(bytes)).fold(name.len() as u64, mix);
    mix(number, rest.iter().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte)))
}

/// Reads the tag that begins with the bracket at this offset, and sets `looked` to the place up to
/// which it has read.
fn parse(buffer: &[u8], begin: usize, is_end: bool, looked: &mut usize) -> Parsed {
    let window = window(buffer, begin);
    let is_whole = window.len() > MAX_TOKEN;
    // The text ends here, before the end of the tag.
    let cut = || match () {
        () if is_whole => Parsed::TooLong,
        () if is_end => Parsed::Malformed(begin + window.len()),
        () => Parsed::More,
    };
    // The name and the quotation mark have been seen.
    let name = spaces_end(window, 1);
    let mut name_end = name;
    while window.get(name_end).is_some_and(|&byte| Tag::is_in_name(byte)) {
        name_end += 1;
    }
    let value = spaces_end(window, name_end) + 1;
    let mut pos = value;
    loop {
        let Some(len) = window.get(pos..).and_then(|rest| memchr3(b'"', b'\n', b'\r', rest)) else {
            *looked = window.len();
            return cut();
        };
        let end = pos + len;
        *looked = end;
        if window[end] != b'"' {
            return Parsed::Malformed(begin + end);
        }
        pos = end + 1;
        let backslashes = window[value..end].iter().rev().take_while(|&&byte| byte == b'\\');
        let is_escaped = backslashes.count() % 2 == 1;
        // A quotation mark without an escape is part of the value, unless the tag ends after it.
        let bracket = spaces_end(window, pos);
        match window.get(bracket) {
            None => return cut(),
            Some(b']') => {
                if is_escaped {
                    // The backslash is the last letter of the value if the line ends with the tag, as
                    // where nothing is escaped: a path, or a letter of two bytes such as Shift-JIS has.
                    match window.get(spaces_end(window, bracket + 1)) {
                        Some(b'\n' | b'\r') => {}
                        None if is_end && !is_whole => {}
                        None => return cut(),
                        Some(_) => continue,
                    }
                }
                let span = |from, to| (begin + from, begin + to);
                let token = RawToken::Tag { name: span(name, name_end), value: span(value, end) };
                return Parsed::Tag(token, begin + bracket + 1);
            }
            Some(_) => {}
        }
    }
}

/// Does a text begin with a bracket, a name and a quotation mark? `None` if it ends before that is known.
pub(super) fn begins_tag(text: &[u8]) -> Option<bool> {
    let name = spaces_end(text, 1);
    let end = name + text.get(name..)?.iter().take_while(|&&byte| Tag::is_in_name(byte)).count();
    let mark = text.get(spaces_end(text, end))?;
    Some(end > name && *mark == b'"')
}

/// The offset after spaces. A carriage return is none: it ends the line of the tag, or a line feed
/// after it does.
#[inline]
fn spaces_end(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}
