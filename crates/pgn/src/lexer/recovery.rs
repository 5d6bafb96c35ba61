//! From a broken game to the next one.
//!
//! The text of a broken game is not reliable, because its braces and parentheses may be the error.
//! So only lines are examined. A game begins at a line that begins like a tag, or after an empty
//! line at `1.`, or at a bracket of a malformed tag. Lines may be indented, and those with nothing but
//! a comment are passed; a comment of several lines ends at an empty line at the latest.

use super::class::{END_OF_FILE, is_in_name};
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
    /// A bracket: a malformed tag.
    Bracket,
    /// Words in brackets, and an empty line below them: `[Round 2]`. Among tags, it is one of them.
    Heading,
    FirstMove,
    /// A comment after a semicolon.
    Comment,
    /// A comment in braces, or a part of one.
    Braced,
    /// It changes nothing.
    Escaped,
    Other,
}

/// The place in a line that begins in a comment in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// In another line, or behind other text.
    None,
    Open,
    /// Behind the comment.
    Closed,
}

/// What is known of the rest of a broken game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    /// Is a tag broken, and not the moves?
    is_tag_broken: bool,
    /// Are tags still those of the broken game?
    in_tags: bool,
    comment: Comment,
    ending: Ending,
}

impl Rest {
    pub(super) const fn new(in_tags: bool) -> Self {
        Self { is_tag_broken: in_tags, in_tags, comment: Comment::None, ending: Ending::Other }
    }
}

/// The end of the text in a line so far, white space aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// There is no text.
    Nothing,
    Quote,
    /// A bracket behind a quotation mark or alone in its line: the end of a tag.
    Tag,
    Other,
}

impl Ending {
    /// The end after more of the line.
    fn with(self, text: &[u8]) -> Self {
        let text = text.trim_ascii_end();
        let Some((&last, before)) = text.split_last() else { return self };
        let may_end = match before.trim_ascii_end().last() {
            Some(&byte) => byte == b'"',
            None => matches!(self, Self::Nothing | Self::Quote),
        };
        match last {
            b'"' => Self::Quote,
            b']' if may_end => Self::Tag,
            _ => Self::Other,
        }
    }
}

impl Lexer {
    /// Skips the rest of a broken game. Returns `None` at the start of the next game.
    ///
    /// The lines of tags below a broken tag belong to the same game, up to the place where a new
    /// game would begin after a tag that is not broken. Text below tags that ends like a tag is the
    /// value of one, with line breaks in it, so further tags of the game follow.
    pub(super) fn recover(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
        mut rest: Rest,
    ) -> Option<Step> {
        loop {
            let found = self.find_newline(&buffer[*at..], is_end, &mut rest);
            self.state = State::Broken(rest);
            // If the buffer ends, reading continues at this line end.
            *at += match found {
                Ok(newline) => newline,
                Err(passed) => {
                    *at += passed;
                    return Some(if is_end { Step::End } else { Step::More });
                }
            };
            match ends_line(&buffer[*at..], is_end) {
                None => return Some(Step::More),
                Some(false) => {
                    *at += 1;
                    continue;
                }
                Some(true) => {}
            }
            rest.in_tags |= rest.is_tag_broken && rest.ending == Ending::Tag;
            let line = &buffer[*at + 1..];
            let in_comment = rest.comment == Comment::Open;
            let Some(kind) = kind(line, is_end, in_comment) else { return Some(Step::More) };
            if rest.comment == Comment::Closed {
                self.is_after_comment = true;
            }
            let after_empty = self.newlines >= 2;
            let begins = match kind {
                Line::Event => !rest.in_tags || after_empty || self.is_after_comment,
                Line::Tag => {
                    !rest.in_tags || self.newlines > 2 || (after_empty && self.has_name(line))
                }
                Line::Bracket => (!rest.in_tags && after_empty) || self.newlines > 2,
                Line::Heading => rest.in_tags && self.newlines > 2,
                Line::FirstMove => !rest.in_tags && after_empty,
                _ => false,
            };
            *at += 1;
            if begins {
                self.newlines = 0;
                return None;
            }
            match kind {
                Line::Escaped | Line::Braced => {}
                Line::Comment => self.is_after_comment = true,
                // The line end before the empty lines counts as well.
                Line::Empty => self.newlines = self.newlines.max(1).saturating_add(1),
                Line::Event | Line::Tag | Line::Bracket | Line::Heading => {
                    (self.newlines, self.is_after_comment) = (0, false);
                    self.keep_name(line);
                }
                // A first move below tags belongs to their game.
                Line::FirstMove | Line::Other => _ = self.pass_text(&mut rest),
            }
            rest.comment = match kind {
                Line::Braced => Comment::Open,
                Line::Escaped if in_comment => Comment::Open,
                _ => Comment::None,
            };
            self.state = State::Broken(rest);
            // The next search, for the end of the next line, starts at the start of that line.
        }
    }

    /// Keeps the name of the tag at the start of this text, to recognise a repeated tag. White space may
    /// come before it, and it may be malformed.
    pub(super) fn keep_name(&mut self, text: &[u8]) {
        if let Some(name) = name(text) {
            self.names.add(self.tags, name);
            self.tags = self.tags.saturating_add(1);
        }
    }

    /// Has the game had a tag with the name of the one at the start of this text?
    fn has_name(&self, text: &[u8]) -> bool {
        name(text).is_some_and(|name| self.names.contains(self.tags, name))
    }

    /// The offset of the next line feed or carriage return, or of the place up to which there is none.
    /// Comments in braces are passed.
    fn find_newline(&mut self, text: &[u8], is_end: bool, rest: &mut Rest) -> Result<usize, usize> {
        let mut at = 0;
        loop {
            let found = match rest.comment {
                Comment::None => memchr::memchr2(b'\n', b'\r', &text[at..]),
                Comment::Open => memchr::memchr3(b'\n', b'\r', b'}', &text[at..]),
                Comment::Closed => text[at..].iter().position(|&byte| !is_space(byte)),
            };
            let len = found.unwrap_or(text.len() - at);
            self.count(0, len);
            if rest.comment == Comment::None {
                rest.ending = rest.ending.with(&text[at..at + len]);
            }
            at += found.ok_or(text.len())?;
            rest.comment = match (rest.comment, text[at]) {
                (_, b'\n' | b'\r') => return Ok(at),
                (Comment::Open, _) => Comment::Closed,
                (Comment::Closed, b'{') => Comment::Open,
                (Comment::Closed, b';') => {
                    self.is_after_comment = true;
                    Comment::None
                }
                (Comment::Closed, 0x80..) => match space_of_several_bytes(&text[at..], is_end) {
                    None => return Err(at),
                    Some(0) => self.pass_text(rest),
                    Some(len) => {
                        at += len - 1;
                        Comment::Closed
                    }
                },
                _ => self.pass_text(rest),
            };
            at += 1;
        }
    }

    /// After text, no tags of the broken game follow, unless it ends like a tag. The rest of the
    /// line is no comment.
    const fn pass_text(&mut self, rest: &mut Rest) -> Comment {
        (self.newlines, self.is_after_comment) = (0, false);
        (rest.in_tags, rest.ending) = (false, Ending::Nothing);
        Comment::None
    }
}

/// The beginning of a line, or `None` if more has to be read.
fn kind(text: &[u8], is_end: bool, in_comment: bool) -> Option<Line> {
    let window = &text[..text.len().min(LOOK_AHEAD)];
    let may_grow = window.len() < LOOK_AHEAD && !is_end;
    let line = match first_line(window, !may_grow) {
        Some((line, _)) => line,
        None if may_grow => return None,
        None => window,
    };
    let line = without_space(line);
    let is_braced = in_comment || line.starts_with(b"{");
    Some(match line {
        [] => Line::Empty,
        [b'%', ..] => Line::Escaped,
        [b'[', ..] => match tag_name(line) {
            Some(b"Event") => Line::Event,
            Some(_) => Line::Tag,
            None if in_comment => Line::Braced,
            // A command of a comment that begins in another line.
            None if line.starts_with(b"[%") => Line::Other,
            None if are_words(line) && is_alone(window, may_grow)? => Line::Heading,
            None => Line::Bracket,
        },
        _ if is_braced => Line::Braced,
        [b';', ..] => Line::Comment,
        _ if is_first_move(line) => Line::FirstMove,
        _ => Line::Other,
    })
}

/// The first line of the text, if it ends there, and what follows it.
fn first_line(text: &[u8], is_end: bool) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr2(b'\n', b'\r', text)?;
    let mut next = end + 1;
    while !ends_line(&text[next - 1..], is_end)? {
        next += 1;
    }
    Some((&text[..end], &text[next..]))
}

/// Is this a pair of brackets with words, none of them quoted? Without some tags, the moves would
/// mean something else, so these are no words.
fn are_words(line: &[u8]) -> bool {
    // The typographic quotation marks of UTF-8 are among these characters.
    const PUNCTUATION: &[u8] = b"\xe2\x80";
    let is_quoted = memchr::memchr2(b'"', b'\'', line).is_some()
        || memchr::memmem::find(line, PUNCTUATION).is_some();
    let is_tag = name_and_value(line).is_some_and(|(name, _)| matches!(name, b"FEN" | b"Variant"));
    line.trim_ascii_end().ends_with(b"]") && !is_quoted && !is_tag
}

/// Is the line below the first one empty, or the first one the last? A line that does not end in the
/// text is not empty. `None` if more has to be read.
fn is_alone(text: &[u8], may_grow: bool) -> Option<bool> {
    let below = first_line(text, !may_grow).map_or(&[][..], |(_, below)| below);
    match first_line(below, !may_grow) {
        Some((line, _)) => Some(without_space(line).is_empty()),
        None if may_grow => None,
        None => Some(text.len() < LOOK_AHEAD && without_space(below).is_empty()),
    }
}

/// The name of the tag that begins the line. The value of `Event` need not begin with a quotation
/// mark: most games begin with this tag, and hardly any other line does.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let (name, value) = name_and_value(line)?;
    let is_tag = !name.is_empty() && value.starts_with(b"\"");
    (is_tag || name == b"Event").then_some(name)
}

/// The name in a line that begins like a tag, unless it is too far away.
fn name(text: &[u8]) -> Option<&[u8]> {
    let (name, _) = name_and_value(without_space(&text[..text.len().min(LOOK_AHEAD)]))?;
    (!name.is_empty()).then_some(name)
}

/// What follows a bracket: a name, which may be empty, and the text after it.
fn name_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.strip_prefix(b"[")?.trim_ascii_start();
    let len = inside.iter().take_while(|&&byte| is_in_name(byte)).count();
    let (name, value) = inside.split_at(len);
    Some((name, value.trim_ascii_start()))
}

/// White space within a line, of one byte.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | END_OF_FILE)
}

/// The text without the white space at its start, of any kind that the lexer knows.
fn without_space(mut text: &[u8]) -> &[u8] {
    while let Some(&byte) = text.first() {
        let len = match byte {
            0x80.. => space_of_several_bytes(text, true).unwrap_or(0),
            _ => usize::from(is_space(byte)),
        };
        if len == 0 {
            break;
        }
        text = &text[len..];
    }
    text
}
