//! The movetext: which token begins with a byte, and what it does to the game.

use memchr::{memchr, memchr3};

use super::block::Block;
use super::class::{Class, class};
use super::found::Found;
use super::tags::begins_tag;
use super::{Lexer, RawToken, State, Step, is_first_move, window, word};
use crate::error::ErrorKind;
use crate::token::RemarkKind;
use crate::{MAX_DEPTH, MAX_TOKEN, Nag, Termination};

/// The digits before a move. If the buffer ends before the move, they are read again.
struct MoveNumber {
    begin: usize,
    /// The lexer's `newlines` before the digits.
    newlines: u32,
}

impl Lexer {
    /// The next token of the movetext. `None` where the tags go on after a comment.
    #[inline]
    pub(super) fn movetext<B: Block, const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Option<Step> {
        let mut number: Option<MoveNumber> = None;
        let step_begin = *at;
        let mut pos = step_begin;
        loop {
            // After a line end, most tokens are plain again, and `fast` reads those.
            let is_new = QUIET || pos > step_begin;
            if is_new && self.newlines < 2 && number.is_none() {
                self.plain_end = self.limit;
                while let Some(plain) = self.plain_token::<B>(buffer, &mut pos) {
                    self.newlines = 0;
                    *at = pos;
                    if !QUIET {
                        return Some(Step::Token(plain.into()));
                    }
                }
            }
            if pos == buffer.len() && is_end {
                *at = pos;
                return self.end_here(pos);
            }
            if pos >= self.limit {
                *at = pos;
                return self.fail(ErrorKind::GameTooLong, pos);
            }
            let found = match buffer.get(pos) {
                None => Found::More,
                Some(_) => match self.last_word(buffer, pos, is_end) {
                    Some(result) => result,
                    None => self.find(buffer, pos, is_end),
                },
            };
            if number.is_none() {
                *at = pos;
            }
            let (token, end) = match found {
                Found::Space(end) => {
                    // After an escaped line, or white space of several bytes, the digits before it
                    // are no number of the next move.
                    let is_odd = end > pos + 1 || !buffer[pos].is_ascii();
                    number = number.filter(|it| !is_odd && end - it.begin <= MAX_TOKEN);
                    pos = end;
                    continue;
                }
                Found::Digits(end) => {
                    number = number.filter(|it| end - it.begin <= MAX_TOKEN);
                    number = number.or(Some(MoveNumber { begin: pos, newlines: self.newlines }));
                    (self.newlines, pos) = (0, end);
                    continue;
                }
                Found::Nothing(end) => {
                    number = None;
                    (self.newlines, pos) = (0, end);
                    continue;
                }
                Found::Token(token, end) => (token, end),
                Found::More => {
                    if let Some(MoveNumber { newlines, .. }) = number {
                        self.newlines = newlines;
                    }
                    return Some(Step::More);
                }
                Found::Tag if !self.has_moves => {
                    (self.state, *at) = (State::Tags, pos);
                    return None;
                }
                Found::Tag | Found::NextGame => {
                    *at = pos;
                    return self.end_here(pos);
                }
                Found::Error(kind) => {
                    *at = pos;
                    return self.fail(kind, pos);
                }
            };
            let begin = pos;
            pos = end;
            let token = self.in_its_place(token, begin, end, number.take().map(|it| it.begin));
            self.has_moves |= matches!(token, RawToken::Move { .. } | RawToken::VariationStart);
            let is_result = matches!(token, RawToken::Result(_));
            if is_result {
                self.state = State::Ended;
            }
            let step = self.emit::<QUIET>(token, begin, at, end);
            if step.is_some() || is_result {
                return step;
            }
        }
    }

    /// What follows the result: comments, glyphs and remarks up to an empty line, and then the end.
    pub(super) fn ended<const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Option<Step> {
        let pos = *at;
        // What follows an empty line is no part of this game.
        if self.newlines >= 2 {
            return Some(self.end_game(pos));
        }
        if pos == buffer.len() {
            return Some(if is_end { self.end_game(pos) } else { Step::More });
        }
        let (token, end) = match self.find(buffer, pos, is_end) {
            // White space may be longer than any game.
            Found::Space(end) | Found::Nothing(end)
                if pos < self.limit.saturating_add(MAX_TOKEN) =>
            {
                *at = end;
                return None;
            }
            Found::More => return Some(Step::More),
            Found::Token(RawToken::Result(_), end) => {
                (RawToken::Remark(RemarkKind::Result, (pos, end)), end)
            }
            Found::Token(
                token @ (RawToken::Comment { .. } | RawToken::Nag(_) | RawToken::Remark(..)),
                end,
            ) => (token, end),
            _ => return Some(self.end_game(pos)),
        };
        if pos >= self.limit {
            return self.fail(ErrorKind::GameTooLong, pos);
        }
        self.emit::<QUIET>(token, pos, at, end)
    }

    /// A token with what is around it: the digits before a move, the level of a variation.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn in_its_place(
        &mut self,
        token: RawToken,
        begin: usize,
        end: usize,
        number: Option<usize>,
    ) -> RawToken {
        match token {
            RawToken::Move { .. } => {
                let whole = number.unwrap_or(begin);
                match u8::try_from(begin - whole) {
                    Ok(at) => RawToken::Move { whole: (whole, end), at },
                    Err(_) => token,
                }
            }
            RawToken::VariationStart => {
                self.outer.push(self.note_at);
                token
            }
            RawToken::VariationEnd => {
                self.note_at = self.outer.pop().unwrap_or(0);
                token
            }
            // A variation has no result.
            RawToken::Result(_) if self.depth() > 0 => {
                RawToken::Remark(RemarkKind::Result, (begin, end))
            }
            token => token,
        }
    }

    /// Finds what begins at this offset.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(super) fn find(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Found {
        let one = |token| Found::Token(token, pos + 1);
        match class(buffer[pos]) {
            Class::Space => Found::Space(pos + 1),
            Class::Newline => self.newline(buffer, pos, is_end),
            Class::Letter | Class::Other => word::word(buffer, pos, is_end),
            Class::Digit => self.digits(buffer, pos, is_end),
            Class::Brace => self.comment(buffer, pos, is_end),
            Class::Mark => mark(buffer, pos, is_end),
            Class::Dollar => glyph(buffer, pos, is_end),
            // A variation needs a move that it replaces.
            Class::Open if !self.has_moves => {
                Found::remark(RemarkKind::Parenthesis, (pos, pos + 1))
            }
            Class::Open if self.depth() == MAX_DEPTH => Found::Error(ErrorKind::TooDeep),
            Class::Open => one(RawToken::VariationStart),
            Class::Close if self.depth() == 0 => {
                Found::remark(RemarkKind::Parenthesis, (pos, pos + 1))
            }
            Class::Close => one(RawToken::VariationEnd),
            Class::Star => one(RawToken::Result(Termination::Unknown)),
            Class::Bracket => self.bracket(buffer, pos, is_end),
            Class::Semicolon => self.line_comment(buffer, pos, is_end),
        }
    }

    /// The result, if it is spelled like a move or a glyph and is the last word of a game whose tag
    /// `Result` means the same. `None` if it is something else.
    fn last_word(&self, buffer: &[u8], pos: usize, is_end: bool) -> Option<Found> {
        let result = self.result.filter(|&it| it != Termination::Unknown)?;
        if self.depth() > 0 || !matches!(class(buffer[pos]), Class::Digit | Class::Other) {
            return None;
        }
        let (_, len) = Termination::ambiguous(&buffer[pos..]).filter(|found| found.0 == result)?;
        let end = pos + len;
        let mut newlines = 0;
        let mut rest = window(buffer, end).iter();
        let is_last = loop {
            match rest.next() {
                None => break is_end || buffer.len() - end > MAX_TOKEN,
                Some(b'\n') if newlines == 1 => break true,
                Some(b'[') => break true,
                Some(b'\n') => newlines += 1,
                Some(b' ' | b'\t' | b'\r') => {}
                Some(_) => return None,
            }
        };
        Some(if is_last { Found::Token(RawToken::Result(result), end) } else { Found::More })
    }

    /// A comment from a semicolon to the end of the line.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn line_comment(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Found {
        match self.line_end(buffer, pos, is_end) {
            Ok(end) => Found::Token(RawToken::Comment { text: (pos + 1, end), is_line: true }, end),
            Err(found) => found,
        }
    }

    /// A word that begins with a digit: a number, a result, or a move as old programs write it.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn digits(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Found {
        let rest = &buffer[pos..];
        if !is_end && Termination::may_go_on(rest) {
            return Found::More;
        }
        if let Some((result, len)) = Termination::at_start(rest) {
            return Found::Token(RawToken::Result(result), pos + len);
        }
        let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = pos + len;
        if len > MAX_TOKEN {
            return Found::Error(ErrorKind::TooLong);
        }
        let digits = &rest[..len];
        match rest.get(len) {
            None if !is_end => Found::More,
            // `0.00` is an evaluation, not a number with castling after it.
            Some(b'.') if digits.iter().all(|&digit| digit == b'0') => {
                let fraction = rest[len + 1..].iter().take_while(|byte| byte.is_ascii_digit());
                let end = end + 1 + fraction.count();
                if end - pos > MAX_TOKEN {
                    Found::Error(ErrorKind::TooLong)
                } else if end == buffer.len() && !is_end {
                    Found::More
                } else {
                    Found::Digits(end)
                }
            }
            Some(b'.') => {
                if self.newlines >= 2 && self.has_moves {
                    // `1...` and `1. ...` are numbers of Black's move.
                    if rest.len() < 4 && !is_end {
                        return Found::More;
                    }
                    if is_first_move(rest) {
                        return Found::NextGame;
                    }
                }
                Found::Digits(end + 1)
            }
            Some(&byte) if byte.is_ascii_alphabetic() => Found::Digits(end),
            Some(0x80..) if rest.len() < len + 3 && !is_end => Found::More,
            Some(0x80..) if word::space_len(&rest[len..]) > 0 => Found::Digits(end),
            Some(&byte) if word::goes_on(byte) => word::word(buffer, pos, is_end),
            // Between games it may be a heading, such as a year.
            _ if word::is_move_in_digits(digits) && self.state != State::Between => {
                Found::Token(RawToken::Move { whole: (pos, end), at: 0 }, end)
            }
            _ => Found::Digits(end),
        }
    }

    /// A comment in braces.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn comment(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Found {
        let begin = pos + 1;
        let from = begin.max(self.brace_free);
        let window = window(buffer, begin);
        let searched = window.get(from - begin..).unwrap_or_default();
        let found = memchr(b'}', searched);
        self.count(0, found.unwrap_or(searched.len()));
        if let Some(len) = found {
            let end = from + len;
            return Found::Token(RawToken::Comment { text: (begin, end), is_line: false }, end + 1);
        }
        self.brace_free = self.brace_free.max(begin + window.len());
        // Both are one error, because the input may be a part that ends before the brace.
        if window.len() > MAX_TOKEN || is_end {
            Found::Error(ErrorKind::CommentNotClosed)
        } else {
            Found::More
        }
    }

    /// A bracket: of a tag, of a malformed tag up to the end of its line, or among the moves of a
    /// remark such as `[Diagram]`.
    #[cold]
    fn bracket(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Found {
        let text = window(buffer, pos);
        let may_grow = !is_end && text.len() <= MAX_TOKEN;
        match begins_tag(text) {
            Some(true) => return Found::Tag,
            None if may_grow => return Found::More,
            _ => {}
        }
        // Before the moves it is a malformed tag, up to the bracket or the end of the line.
        let is_tag = !self.has_moves && self.state != State::Ended;
        let kind = if is_tag { RemarkKind::Tag } else { RemarkKind::Bracket };
        let len = memchr3(b']', b'\n', b'\r', text);
        match len.map(|len| (text[len], len)) {
            None if may_grow => Found::More,
            None if text.len() > MAX_TOKEN && is_tag => Found::Error(ErrorKind::TooLong),
            Some((b']', len)) => Found::remark(kind, (pos, pos + len + 1)),
            _ if !is_tag => Found::remark(kind, (pos, pos + 1)),
            len => Found::remark(kind, (pos, pos + len.map_or(text.len(), |it| it.1))),
        }
    }

    /// Ends the game, whose variations must have ended.
    #[cold]
    fn end_here(&mut self, pos: usize) -> Option<Step> {
        match self.depth() {
            0 => Some(self.end_game(pos)),
            _ => self.fail(ErrorKind::VariationNotClosed, pos),
        }
    }
}

/// Marks of good and bad moves.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn mark(buffer: &[u8], pos: usize, is_end: bool) -> Found {
    let nag = match (buffer[pos], buffer.get(pos + 1)) {
        (_, None) if !is_end => return Found::More,
        (b'!', Some(b'!')) => Nag::BRILLIANT,
        (b'!', Some(b'?')) => Nag::SPECULATIVE,
        (b'?', Some(b'?')) => Nag::BLUNDER,
        (b'?', Some(b'!')) => Nag::DUBIOUS,
        (b'!', _) => Nag::GOOD,
        _ => Nag::MISTAKE,
    };
    Found::Token(RawToken::Nag(nag), pos + if nag <= Nag::MISTAKE { 1 } else { 2 })
}

/// The number of a glyph, after a dollar sign.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn glyph(buffer: &[u8], pos: usize, is_end: bool) -> Found {
    let mut end = pos + 1;
    let mut number = 0u32;
    while let Some(digit) = buffer.get(end).filter(|byte| byte.is_ascii_digit()) {
        number = (10 * number + u32::from(digit - b'0')).min(1000);
        end += 1;
    }
    match u8::try_from(number) {
        _ if end - pos > MAX_TOKEN => Found::Error(ErrorKind::TooLong),
        _ if end == buffer.len() && !is_end => Found::More,
        Ok(number) if end > pos + 1 => Found::Token(RawToken::Nag(Nag(number)), end),
        _ => Found::remark(RemarkKind::Glyph, (pos, end)),
    }
}
