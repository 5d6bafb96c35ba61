//! From a broken game to the next one.
//!
//! The text of a broken game is not reliable, because its braces and parentheses may be the error.
//! So only lines are examined. A game begins at a line that begins like a tag, or at `1.` after an
//! empty line. Lines may be indented, and those with nothing but a comment are passed; a comment of
//! several lines ends at an empty line at the latest.

use super::class::{Class, END_OF_FILE, class, is_in_name};
use super::{Lexer, State, Step, is_first_move, space_of_several_bytes};
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
    /// Nothing but a comment, or the end of one.
    Comment,
    /// Nothing but a comment that goes on in the next line.
    CommentPart,
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
        mut in_comment: bool,
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
            let Some(kind) = kind(line, is_end, in_comment) else { return Some(Step::More) };
            let after_empty = self.newlines >= 2;
            let begins = match kind {
                Line::Event => !in_tags || after_empty || self.is_after_comment,
                Line::Tag => !in_tags || self.newlines > 2,
                Line::FirstMove => !in_tags && after_empty,
                _ => false,
            };
            *at += 1;
            if begins {
                self.newlines = 0;
                return None;
            }
            match kind {
                Line::Escaped | Line::CommentPart => {}
                Line::Comment => self.is_after_comment = true,
                // The line end before the empty lines counts as well.
                Line::Empty => self.newlines = self.newlines.max(1).saturating_add(1),
                _ => (self.newlines, self.is_after_comment) = (0, false),
            }
            // A first move below tags belongs to their game.
            if matches!(kind, Line::Other | Line::FirstMove) {
                in_tags = false;
            }
            in_comment = kind == Line::CommentPart || in_comment && kind == Line::Escaped;
            self.state = State::Broken { in_tags, in_comment };
            // The next search, for the end of the next line, starts at the start of that line.
        }
    }
}

/// The beginning of a line, or `None` if more has to be read.
fn kind(text: &[u8], is_end: bool, in_comment: bool) -> Option<Line> {
    let window = &text[..text.len().min(LOOK_AHEAD)];
    let line = match memchr::memchr2(b'\n', b'\r', window) {
        Some(end) => &window[..end],
        None if window.len() < LOOK_AHEAD && !is_end => return None,
        None => window,
    };
    let line = without_space(line).trim_ascii_end();
    let comment = match line {
        [] => return Some(Line::Empty),
        [b'%', ..] => return Some(Line::Escaped),
        [b';', ..] if !in_comment => return Some(Line::Comment),
        [b'{', text @ ..] => Some(text),
        _ => in_comment.then_some(line),
    };
    if let Some(name) = tag_name(line) {
        return Some(if name == b"Event" { Line::Event } else { Line::Tag });
    }
    let Some(comment) = comment else {
        return Some(if is_first_move(line) { Line::FirstMove } else { Line::Other });
    };
    Some(match memchr::memchr(b'}', comment) {
        None => Line::CommentPart,
        Some(end) if end + 1 == comment.len() => Line::Comment,
        Some(_) => Line::Other,
    })
}

/// The name of the tag that begins the line.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[")?.trim_ascii_start();
    let len = inside.iter().take_while(|&&byte| is_in_name(byte)).count();
    let is_tag = len > 0 && inside[len..].trim_ascii_start().starts_with(b"\"");
    is_tag.then(|| &inside[..len])
}

/// The text without the white space at its start, of any kind that the lexer knows.
fn without_space(mut text: &[u8]) -> &[u8] {
    while let Some(&byte) = text.first() {
        let len = match byte {
            END_OF_FILE => 1,
            0x80.. => space_of_several_bytes(text, true).unwrap_or(0),
            _ => usize::from(class(byte) == Class::Space),
        };
        if len == 0 {
            break;
        }
        text = &text[len..];
    }
    text
}
