//! The movetext.

use memchr::memchr;

use super::block::Block;
use super::class::{Class, class, is_in_word};
use super::{Lexer, RawToken, State, Step, is_first_move, space_of_several_bytes, window};
use crate::error::ErrorKind;
use crate::token::{Nag, Termination};
use crate::{MAX_DEPTH, MAX_TOKEN};

impl Lexer {
    /// The next token of the movetext.
    #[inline]
    pub(super) fn movetext<B: Block, const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Step {
        let mut pos = *at;
        // Returns a token that ends here, or skips it.
        macro_rules! token {
            ($token:expr, $begin:expr, $end:expr) => {{
                self.newlines = 0;
                *at = $end;
                if !QUIET {
                    self.token_at = $begin;
                    return Step::Token($token);
                }
                pos = $end;
            }};
        }
        macro_rules! fail {
            ($kind:expr, $place:expr) => {{
                *at = $place;
                self.token_at = $place;
                return Step::Error($kind, $place);
            }};
        }
        macro_rules! more {
            () => {{
                *at = pos;
                return Step::More;
            }};
        }
        loop {
            if QUIET && self.newlines == 0 {
                self.plain_end = self.limit;
                while self.plain_token::<B>(buffer, &mut pos).is_some() {}
            }
            let Some(&byte) = buffer.get(pos) else {
                *at = pos;
                return self.end_of_buffer(pos, is_end);
            };
            if pos >= self.limit {
                fail!(ErrorKind::GameTooLong, pos);
            }
            match class(byte) {
                Class::Space => pos += 1,
                Class::Newline => match self.newline(buffer, pos, is_end) {
                    Ok(next) => pos = next,
                    Err(step) => {
                        *at = pos;
                        return step;
                    }
                },
                Class::Letter => {
                    let mut end = word_end(buffer, pos + 1);
                    match buffer.get(end) {
                        Some(b' ' | b'\n') => {}
                        None if !is_end && end - pos <= MAX_TOKEN => more!(),
                        _ => match odd_word_end(buffer, pos, end, is_end) {
                            Some(longer) => end = longer,
                            None => more!(),
                        },
                    }
                    if end - pos > MAX_TOKEN {
                        fail!(ErrorKind::TooLong, pos);
                    }
                    if &buffer[pos..end] == b"e.p." {
                        // The move before it says so already.
                        pos = end;
                        continue;
                    }
                    self.has_moves = true;
                    token!(RawToken::Move((pos, end)), pos, end);
                }
                Class::Digit => {
                    let mut end = pos + 1;
                    while buffer.get(end).is_some_and(u8::is_ascii_digit) {
                        end += 1;
                    }
                    if end - pos > MAX_TOKEN {
                        fail!(ErrorKind::TooLong, pos);
                    }
                    match buffer.get(end) {
                        None if !is_end => more!(),
                        Some(b'-' | b'/') => {
                            end = word_end(buffer, end);
                            if end == buffer.len() && !is_end && end - pos <= MAX_TOKEN {
                                more!();
                            }
                            if end - pos > MAX_TOKEN {
                                fail!(ErrorKind::TooLong, pos);
                            }
                            match Termination::from_bytes(&buffer[pos..end]) {
                                // A variation has no result.
                                Some(_) if self.depth > 0 => pos = end,
                                Some(result) => {
                                    self.state = State::Ended;
                                    token!(RawToken::Result(result), pos, end);
                                    return self.end_game(pos);
                                }
                                None => {
                                    self.has_moves = true;
                                    token!(RawToken::Move((pos, end)), pos, end);
                                }
                            }
                        }
                        next => {
                            // The next game of a file without tags and results.
                            let may_begin = self.newlines >= 2 && self.has_moves && self.depth == 0;
                            if may_begin && next == Some(&b'.') {
                                if buffer.len() < pos + 4 && !is_end {
                                    more!();
                                }
                                if is_first_move(&buffer[pos..]) {
                                    *at = pos;
                                    return self.end_game(pos);
                                }
                            }
                            if &buffer[pos..end] == b"0000" && next != Some(&b'.') {
                                // UCI's null move.
                                self.has_moves = true;
                                token!(RawToken::Move((pos, end)), pos, end);
                                continue;
                            }
                            pos = end;
                        }
                    }
                }
                Class::Brace => {
                    let begin = pos + 1;
                    let from = begin.max(self.brace_free);
                    let window = window(buffer, begin);
                    let searched = window.get(from - begin..).unwrap_or_default();
                    let found = memchr(b'}', searched);
                    self.count(0, found.unwrap_or(searched.len()));
                    match found {
                        Some(len) => {
                            let text = (begin, from + len);
                            let comment = RawToken::Comment { text, is_line: false };
                            token!(comment, pos, from + len + 1);
                        }
                        None => {
                            self.brace_free = self.brace_free.max(begin + window.len());
                            if window.len() > MAX_TOKEN {
                                fail!(ErrorKind::TooLong, pos);
                            }
                            if is_end {
                                fail!(ErrorKind::CommentNotClosed, pos);
                            }
                            more!();
                        }
                    }
                }
                Class::Mark => {
                    let nag = match (byte, buffer.get(pos + 1)) {
                        (_, None) if !is_end => more!(),
                        (b'!', Some(b'!')) => Nag::BRILLIANT,
                        (b'!', Some(b'?')) => Nag::SPECULATIVE,
                        (b'?', Some(b'?')) => Nag::BLUNDER,
                        (b'?', Some(b'!')) => Nag::DUBIOUS,
                        (b'!', _) => Nag::GOOD,
                        _ => Nag::MISTAKE,
                    };
                    let len = if nag <= Nag::MISTAKE { 1 } else { 2 };
                    token!(RawToken::Nag(nag), pos, pos + len);
                }
                Class::Dollar => {
                    let mut end = pos + 1;
                    let mut number = 0u32;
                    while let Some(digit) = buffer.get(end).filter(|byte| byte.is_ascii_digit()) {
                        number = (10 * number + u32::from(digit - b'0')).min(1000);
                        end += 1;
                    }
                    if end - pos > MAX_TOKEN {
                        fail!(ErrorKind::TooLong, pos);
                    }
                    if end == buffer.len() && !is_end {
                        more!();
                    }
                    match u8::try_from(number) {
                        Ok(number) if end > pos + 1 => {
                            token!(RawToken::Nag(Nag(number)), pos, end);
                        }
                        _ => fail!(ErrorKind::Nag, pos),
                    }
                }
                Class::Open => {
                    if self.depth == MAX_DEPTH {
                        fail!(ErrorKind::TooDeep, pos);
                    }
                    self.depth += 1;
                    token!(RawToken::VariationStart, pos, pos + 1);
                }
                Class::Close => {
                    if self.depth == 0 {
                        fail!(ErrorKind::VariationNotOpened, pos);
                    }
                    self.depth -= 1;
                    token!(RawToken::VariationEnd, pos, pos + 1);
                }
                Class::Star => {
                    if self.depth > 0 {
                        pos += 1;
                        continue;
                    }
                    self.state = State::Ended;
                    token!(RawToken::Result(Termination::Unknown), pos, pos + 1);
                    return self.end_game(pos);
                }
                Class::Bracket => {
                    *at = pos;
                    if self.depth > 0 {
                        fail!(ErrorKind::VariationNotClosed, pos);
                    }
                    if !self.has_moves && (self.tags == 0 || self.newlines < 2) {
                        // There were comments before or between the tags.
                        (self.state, self.is_after_comment) = (State::Tags, true);
                        // So this tag is not plain.
                        self.newlines = self.newlines.max(1);
                        return self.other::<B, QUIET>(buffer, at, is_end);
                    }
                    return self.end_game(pos);
                }
                Class::Semicolon => match self.line_end(buffer, pos, is_end) {
                    Ok(end) => {
                        let text_end = end - usize::from(buffer[pos..end].ends_with(b"\r"));
                        let comment =
                            RawToken::Comment { text: (pos + 1, text_end), is_line: true };
                        token!(comment, pos, end);
                    }
                    Err(step) => {
                        *at = pos;
                        return step;
                    }
                },
                Class::Other => match rare(&buffer[pos..], is_end) {
                    Rare::More => more!(),
                    Rare::Space(len) => pos += len,
                    Rare::Nag(nag, len) => token!(RawToken::Nag(nag), pos, pos + len),
                    Rare::Move(len) => {
                        self.has_moves = true;
                        token!(RawToken::Move((pos, pos + len)), pos, pos + len);
                    }
                    Rare::Draw(len) if self.depth > 0 => pos += len,
                    Rare::Draw(len) => {
                        self.state = State::Ended;
                        token!(RawToken::Result(Termination::Draw), pos, pos + len);
                        return self.end_game(pos);
                    }
                    Rare::TooLong => fail!(ErrorKind::TooLong, pos),
                    Rare::Wrong if byte == b'}' => fail!(ErrorKind::BraceNotOpened, pos),
                    Rare::Wrong => fail!(ErrorKind::Byte(byte), pos),
                },
            }
        }
    }

    #[cold]
    fn end_of_buffer(&mut self, at: usize, is_end: bool) -> Step {
        match is_end {
            false => Step::More,
            true if self.depth > 0 => {
                self.token_at = at;
                Step::Error(ErrorKind::VariationNotClosed, at)
            }
            true => self.end_game(at),
        }
    }
}

/// Where the word ends.
#[inline(always)]
fn word_end(buffer: &[u8], from: usize) -> usize {
    let mut end = from;
    while let Some(&byte) = buffer.get(end)
        && is_in_word(byte)
    {
        end += 1;
    }
    end
}

/// The end of a word that may continue with a promotion in parentheses, as in `e8(Q)`, or with
/// `e.p.`. `None` if this is not known yet.
#[inline]
fn odd_word_end(buffer: &[u8], begin: usize, end: usize, is_end: bool) -> Option<usize> {
    let rest = &buffer[end..];
    match rest {
        // The signs of check may follow.
        [b'(', ..] if rest.len() < 5 && !is_end => None,
        [b'(', b'N' | b'B' | b'R' | b'Q' | b'n' | b'b' | b'r' | b'q', b')', ..] => {
            Some(end + 3 + marks(&rest[3..]))
        }
        [b'.', b'p', b'.', ..] if buffer[begin..end].ends_with(b"e") => Some(end + 3),
        [b'.'] | [b'.', _] if !is_end => None,
        _ => Some(end),
    }
}

/// The signs of check after a promotion in parentheses.
fn marks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b'+' | b'#')).take(2).count()
}

/// What is rare in the movetext.
enum Rare {
    More,
    Space(usize),
    Nag(Nag, usize),
    Move(usize),
    Draw(usize),
    TooLong,
    Wrong,
}

/// Signs that stand for glyphs. Of two that begin alike, the longer comes first.
const SIGNS: [(&[u8], u8); 16] = [
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+=", 14),
    (b"=+", 15),
    (b"+-", 18),
    (b"-+", 19),
    (b"=", 10),
    (b"~", 13),
    ("±".as_bytes(), 16),
    ("∓".as_bytes(), 17),
    ("⩲".as_bytes(), 14),
    ("⩱".as_bytes(), 15),
    ("∞".as_bytes(), 13),
    ("□".as_bytes(), 7),
];

const DRAWS: [&[u8]; 2] = ["½-½".as_bytes(), b"\xbd-\xbd"];

#[cold]
fn rare(text: &[u8], is_end: bool) -> Rare {
    /// No sign is longer.
    const LONGEST: usize = 6;
    if text.len() < LONGEST && !is_end {
        return Rare::More;
    }
    if let Some(draw) = DRAWS.iter().find(|draw| text.starts_with(draw)) {
        return Rare::Draw(draw.len());
    }
    if let Some(len @ 1..) = (text[0] >= 0x80).then(|| space_of_several_bytes(text, true)).flatten()
    {
        return Rare::Space(len);
    }
    // A null move, or a move that begins with a figurine.
    let first = match text {
        [b'-', b'-', ..] => 2,
        [0xe2, 0x99, 0x94..=0x9f, ..] => 3,
        _ => 0,
    };
    if first > 0 {
        let end = word_end(text, first);
        return match () {
            () if end > MAX_TOKEN => Rare::TooLong,
            () if end == text.len() && !is_end => Rare::More,
            () => Rare::Move(end),
        };
    }
    match SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        Some(&(sign, number)) => Rare::Nag(Nag(number), sign.len()),
        None => Rare::Wrong,
    }
}
