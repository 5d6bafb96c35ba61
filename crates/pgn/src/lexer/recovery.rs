//! From a broken game to the next one.
//!
//! The text of a broken game is not reliable, because its braces and parentheses may be the error.
//! So only lines are examined. A game begins at a line that begins like a tag, or at `1.` after an
//! empty line. Lines may be indented, and those with nothing but a comment are passed.

use super::class::{END_OF_FILE, is_in_name};
use super::{Lexer, Step, is_first_move};
use crate::text::ends_line;

/// The number of bytes of a line that are examined.
const LOOK_AHEAD: usize = 256;

/// The beginning of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Empty,
    Event,
    Tag,
    FirstMove,
    /// Nothing but a comment.
    Comment,
    /// It changes nothing.
    Escaped,
    Other,
}

impl Lexer {
    /// Skips the rest of a broken game. Returns `None` at the start of the next game.
    ///
    /// The lines of tags below a broken tag belong to the same game, up to the place where a new
    /// game would begin after a tag that is not broken.
    pub(super) fn recover(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
        mut in_tags: bool,
    ) -> Option<Step> {
        loop {
            let rest = &buffer[*at..];
            let found = memchr::memchr2(b'\n', b'\r', rest);
            self.count(0, found.unwrap_or(rest.len()));
            let Some(newline) = found else {
                *at = buffer.len();
                return Some(if is_end { Step::End } else { Step::More });
            };
            // If the buffer ends, reading continues at this line end.
            *at += newline;
            match ends_line(&buffer[*at..], is_end) {
                None => return Some(Step::More),
                Some(false) => {
                    *at += 1;
                    continue;
                }
                Some(true) => {}
            }
            let line = &buffer[*at + 1..];
            let Some(kind) = kind(line, is_end) else { return Some(Step::More) };
            let after_empty = self.newlines >= 2;
            let begins = match kind {
                Line::Event => !in_tags || after_empty || self.is_after_comment,
                Line::Tag => !in_tags || self.newlines > 2,
                Line::FirstMove => !in_tags && after_empty,
                Line::Empty | Line::Comment | Line::Escaped | Line::Other => false,
            };
            *at += 1;
            if begins {
                self.newlines = 0;
                return None;
            }
            match kind {
                Line::Escaped => {}
                Line::Comment => self.is_after_comment = true,
                // The line end before the empty lines counts as well.
                Line::Empty => self.newlines = self.newlines.max(1).saturating_add(1),
                _ => (self.newlines, self.is_after_comment) = (0, false),
            }
            // A first move below tags belongs to their game.
            if matches!(kind, Line::Other | Line::FirstMove) {
                in_tags = false;
            }
            self.set_broken(in_tags);
            // The next search, for the end of the next line, starts at the start of that line.
        }
    }

    fn set_broken(&mut self, in_tags: bool) {
        self.state = super::State::Broken { in_tags };
    }
}

/// The beginning of a line, or `None` if more has to be read.
fn kind(text: &[u8], is_end: bool) -> Option<Line> {
    let window = &text[..text.len().min(LOOK_AHEAD)];
    let line = match memchr::memchr2(b'\n', b'\r', window) {
        Some(end) => &window[..end],
        None if window.len() < LOOK_AHEAD && !is_end => return None,
        None => window,
    };
    let line = line.strip_prefix(&[END_OF_FILE]).unwrap_or(line);
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = line.trim_ascii();
    match line {
        [] => return Some(Line::Empty),
        [b'%', ..] => return Some(Line::Escaped),
        [b';', ..] => return Some(Line::Comment),
        [b'{', text @ .., b'}'] if !text.contains(&b'}') => return Some(Line::Comment),
        _ => {}
    }
    if is_first_move(line) {
        return Some(Line::FirstMove);
    }
    let Some(inside) = line.strip_prefix(b"[") else { return Some(Line::Other) };
    let inside = inside.trim_ascii_start();
    let name = inside.iter().take_while(|&&byte| is_in_name(byte)).count();
    let is_tag = name > 0 && inside[name..].trim_ascii_start().starts_with(b"\"");
    Some(match is_tag {
        true if &inside[..name] == b"Event" => Line::Event,
        true => Line::Tag,
        false => Line::Other,
    })
}
