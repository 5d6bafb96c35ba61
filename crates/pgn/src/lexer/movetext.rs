//! The movetext.

use memchr::memchr;

use super::block::Block;
use super::class::{Class, class, is_in_word};
use super::tags::{begins_name, begins_tag};
use super::{Lexer, RawToken, Span, State, Step, is_first_move, space_of_several_bytes, window};
use crate::error::ErrorKind;
use crate::token::{Nag, Termination};
use crate::{MAX_DEPTH, MAX_TOKEN};

/// The next thing in the movetext, with the place where it ends.
pub(super) enum Element {
    /// White space.
    Space(usize),
    /// A word without meaning, such as the number of a move.
    Nothing(usize),
    Move(usize),
    Nag(Nag, usize),
    Comment {
        text: Span,
        is_line: bool,
        end: usize,
    },
    VariationStart,
    VariationEnd,
    Result(Termination, usize),
    /// The first tag or the first move of the next game.
    NextGame,
    /// A tag after a comment that stands before the tags.
    Tag,
    Error(ErrorKind),
    /// The buffer ends too early.
    More,
    /// The result of another step of the lexer.
    Step(Step),
}

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
                (*at, self.token_at) = (pos, pos);
                return Step::Error(ErrorKind::GameTooLong, pos);
            }
            let found = self.find(buffer, pos, byte, is_end);
            let (token, end) = match found {
                Element::Space(end) => {
                    pos = end;
                    continue;
                }
                Element::Nothing(end) => {
                    (self.newlines, pos) = (0, end);
                    continue;
                }
                Element::Move(end) => {
                    self.has_moves = true;
                    (RawToken::Move((pos, end)), end)
                }
                Element::Nag(nag, end) => (RawToken::Nag(nag), end),
                Element::Comment { text, is_line, end } => {
                    (RawToken::Comment { text, is_line }, end)
                }
                Element::VariationStart => {
                    self.depth += 1;
                    // It may begin with the number of the first move.
                    self.has_moves = false;
                    (RawToken::VariationStart, pos + 1)
                }
                Element::VariationEnd => {
                    self.depth -= 1;
                    self.has_moves = true;
                    (RawToken::VariationEnd, pos + 1)
                }
                // A variation has no result.
                Element::Result(_, end) if self.depth > 0 => {
                    // But if the variation is not closed, the next game may follow.
                    (self.newlines, self.has_moves, pos) = (0, true, end);
                    continue;
                }
                Element::Result(result, end) => {
                    self.state = State::Ended { result, is_last: false };
                    if QUIET {
                        *at = end;
                        return self.remark::<QUIET>(buffer, at, is_end, (result, false));
                    }
                    (RawToken::Result(result), end)
                }
                Element::NextGame => {
                    *at = pos;
                    return self.end_game(pos);
                }
                Element::Tag => {
                    *at = pos;
                    return self.other::<B, QUIET>(buffer, at, is_end);
                }
                Element::Error(kind) => {
                    (*at, self.token_at) = (pos, pos);
                    return Step::Error(kind, pos);
                }
                Element::More => {
                    *at = pos;
                    return Step::More;
                }
                Element::Step(step) => {
                    *at = pos;
                    return step;
                }
            };
            // After an empty line the next game may begin, also behind a comment.
            let may_begin = self.newlines >= 2 && self.has_moves;
            if !(may_begin && matches!(token, RawToken::Comment { .. })) {
                self.newlines = 0;
            }
            *at = end;
            if !QUIET {
                self.token_at = pos;
                return Step::Token(token);
            }
            pos = end;
        }
    }

    /// Finds the thing that begins with this byte.
    #[inline(always)]
    pub(super) fn find(&mut self, buffer: &[u8], pos: usize, byte: u8, is_end: bool) -> Element {
        match class(byte) {
            Class::Space => Element::Space(pos + 1),
            Class::Newline => match self.newline(buffer, pos, is_end) {
                Ok(next) => Element::Space(next),
                Err(step) => Element::Step(step),
            },
            Class::Letter => word(buffer, pos, is_end),
            Class::Digit => self.number(buffer, pos, is_end),
            Class::Brace => self.comment(buffer, pos, is_end),
            Class::Mark => mark(buffer, pos, is_end),
            Class::Dollar => glyph(buffer, pos, is_end),
            Class::Open if self.depth == MAX_DEPTH => Element::Error(ErrorKind::TooDeep),
            Class::Open => Element::VariationStart,
            Class::Close if self.depth == 0 => Element::Error(ErrorKind::VariationNotOpened),
            Class::Close => Element::VariationEnd,
            Class::Star => Element::Result(Termination::Unknown, pos + 1),
            Class::Bracket => self.bracket(buffer, pos, is_end),
            Class::Semicolon => self.line_comment(buffer, pos, is_end),
            Class::Other => rare(buffer, pos, is_end),
        }
    }

    /// A comment from a semicolon to the end of the line.
    #[inline(always)]
    fn line_comment(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Element {
        match self.line_end(buffer, pos, is_end) {
            Ok(end) => Element::Comment { text: (pos + 1, end), is_line: true, end },
            Err(step) => Element::Step(step),
        }
    }

    /// A word that begins with a digit: a number, a result, or castling as old programs write it.
    #[inline(always)]
    fn number(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Element {
        let mut end = pos + 1;
        while buffer.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        if end - pos > MAX_TOKEN {
            return Element::Error(ErrorKind::TooLong);
        }
        match buffer.get(end) {
            None if !is_end => return Element::More,
            Some(b'-' | b'/') => {}
            Some(b'+' | b'#') if is_castling_in_zeros(&buffer[pos..end]) => {}
            // `0.00` is an evaluation, not a move number with castling behind it. `05.00` has a move number.
            Some(b'.') if buffer[pos..end].iter().all(|&digit| digit == b'0') => {
                return fraction(buffer, pos, end + 1, is_end);
            }
            next => return self.plain_number(buffer, pos, end, next.copied(), is_end),
        }
        end = word_end(buffer, end);
        if end == buffer.len() && !is_end && end - pos <= MAX_TOKEN {
            return Element::More;
        }
        if end - pos > MAX_TOKEN {
            return Element::Error(ErrorKind::TooLong);
        }
        match Termination::from_bytes(&buffer[pos..end]) {
            Some(result) => Element::Result(result, end),
            None => Element::Move(end),
        }
    }

    /// A number that consists of digits alone: a move number or a move.
    #[inline(always)]
    fn plain_number(
        &mut self,
        buffer: &[u8],
        pos: usize,
        end: usize,
        next: Option<u8>,
        is_end: bool,
    ) -> Element {
        // The next game of a file without tags and results.
        let may_begin = self.newlines >= 2 && self.has_moves;
        if may_begin && next == Some(b'.') {
            if buffer.len() < pos + 4 && !is_end {
                return Element::More;
            }
            if is_first_move(&buffer[pos..]) {
                return self.next_game();
            }
        }
        let goes_on = next.is_some_and(|byte| byte == b'.' || byte.is_ascii_alphanumeric());
        // A number may be a heading before a game, such as a year, or a rating in parentheses.
        let is_in_game = self.tags > 0 || self.has_moves;
        match &buffer[pos..end] {
            word if !goes_on && is_castling_in_zeros(word) => Element::Move(end),
            b"0000" if !goes_on => Element::Move(end),
            word if !goes_on && is_in_game && is_between_squares(word) => Element::Move(end),
            _ => Element::Nothing(end),
        }
    }

    /// A comment in braces.
    #[inline(always)]
    fn comment(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Element {
        let begin = pos + 1;
        let from = begin.max(self.brace_free);
        let window = window(buffer, begin);
        let searched = window.get(from - begin..).unwrap_or_default();
        let found = memchr(b'}', searched);
        self.count(0, found.unwrap_or(searched.len()));
        if let Some(len) = found {
            let end = from + len;
            return Element::Comment { text: (begin, end), is_line: false, end: end + 1 };
        }
        self.brace_free = self.brace_free.max(begin + window.len());
        match () {
            // Both are one error, because the input may be a part that ends before the brace.
            () if window.len() > MAX_TOKEN || is_end => Element::Error(ErrorKind::CommentNotClosed),
            () => Element::More,
        }
    }

    /// A bracket, which begins a tag: of the next game, or of this one if there were comments
    /// before or between the tags. Among the moves it may be something else, such as `[%clk 0:01:00]`,
    /// `[Diagram]` or a footnote, which is an error of this game, unless it begins like a tag or
    /// stands behind an empty line.
    #[cold]
    fn bracket(&mut self, buffer: &[u8], pos: usize, is_end: bool) -> Element {
        let is_among_moves = self.depth > 0 || (self.has_moves && self.newlines < 2);
        let is_of_this_game = !self.has_moves && (self.tags == 0 || self.newlines < 2);
        let text = window(buffer, pos);
        let may_be_tag = match self.newlines {
            _ if is_among_moves => begins_tag(text),
            0 => begins_name(text),
            _ => Some(true),
        };
        match may_be_tag {
            Some(true) => {}
            None if !is_end && buffer.len() - pos <= MAX_TOKEN => return Element::More,
            _ => return Element::Error(ErrorKind::Byte(b'[')),
        }
        if self.depth > 0 || !is_of_this_game {
            return self.next_game();
        }
        (self.state, self.is_after_comment) = (State::Tags, true);
        // With this, the tag is not plain.
        self.newlines = self.newlines.max(1);
        Element::Tag
    }

    /// The start of the next game. All variations of this one must have ended.
    #[cold]
    fn next_game(&self) -> Element {
        match self.depth {
            0 => Element::NextGame,
            _ => Element::Error(ErrorKind::VariationNotClosed),
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

/// The digits behind the dot of a zero.
#[cold]
fn fraction(buffer: &[u8], pos: usize, from: usize, is_end: bool) -> Element {
    let rest = &buffer[from..];
    let end = from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match () {
        () if end - pos > MAX_TOKEN => Element::Error(ErrorKind::TooLong),
        () if end == buffer.len() && !is_end => Element::More,
        () => Element::Nothing(end),
    }
}

/// Is the word a move in the digits of correspondence chess, where `5254` is e2e4, and `17281` is a
/// promotion? Replaying it is an error.
fn is_between_squares(word: &[u8]) -> bool {
    let (squares, role) = word.split_at_checked(4).unwrap_or_default();
    !squares.is_empty()
        && squares.iter().all(|digit| matches!(digit, b'1'..=b'8'))
        && matches!(role, [] | [b'1'..=b'4'])
}

/// Is the word castling, written in zeros without hyphens?
fn is_castling_in_zeros(word: &[u8]) -> bool {
    matches!(word, b"00" | b"000")
}

/// A word that begins with a letter: a move, or the mark of a capture en passant.
#[inline(always)]
fn word(buffer: &[u8], pos: usize, is_end: bool) -> Element {
    let mut end = word_end(buffer, pos + 1);
    match buffer.get(end) {
        Some(b' ' | b'\n') => {}
        None if !is_end && end - pos <= MAX_TOKEN => return Element::More,
        _ => match odd_word_end(buffer, pos, end, is_end) {
            Some(longer) => end = longer,
            None => return Element::More,
        },
    }
    match &buffer[pos..end] {
        word if word.len() > MAX_TOKEN => Element::Error(ErrorKind::TooLong),
        // The move before it already says that.
        [b'e', b'.', b'p', b'.', signs @ ..] if marks(signs) == signs.len() => {
            Element::Nothing(end)
        }
        _ => Element::Move(end),
    }
}

/// Marks of good and bad moves.
#[inline(always)]
fn mark(buffer: &[u8], pos: usize, is_end: bool) -> Element {
    let nag = match (buffer[pos], buffer.get(pos + 1)) {
        (_, None) if !is_end => return Element::More,
        (b'!', Some(b'!')) => Nag::BRILLIANT,
        (b'!', Some(b'?')) => Nag::SPECULATIVE,
        (b'?', Some(b'?')) => Nag::BLUNDER,
        (b'?', Some(b'!')) => Nag::DUBIOUS,
        (b'!', _) => Nag::GOOD,
        _ => Nag::MISTAKE,
    };
    Element::Nag(nag, pos + if nag <= Nag::MISTAKE { 1 } else { 2 })
}

/// The number of a glyph, after a dollar sign.
#[inline(always)]
fn glyph(buffer: &[u8], pos: usize, is_end: bool) -> Element {
    let mut end = pos + 1;
    let mut number = 0u32;
    while let Some(digit) = buffer.get(end).filter(|byte| byte.is_ascii_digit()) {
        number = (10 * number + u32::from(digit - b'0')).min(1000);
        end += 1;
    }
    match u8::try_from(number) {
        _ if end - pos > MAX_TOKEN => Element::Error(ErrorKind::TooLong),
        _ if end == buffer.len() && !is_end => Element::More,
        Ok(number) if end > pos + 1 => Element::Nag(Nag(number), end),
        _ => Element::Error(ErrorKind::Nag),
    }
}

/// The end of the word.
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
        // The signs of check may follow here, too.
        [b'.', b'p', b'.', signs @ ..] if buffer[begin..end].ends_with(b"e") => {
            if signs.len() < 2 && !is_end { None } else { Some(end + 3 + marks(signs)) }
        }
        [b'.'] | [b'.', _] if !is_end => None,
        _ => Some(end),
    }
}

/// The signs of check after a promotion in parentheses, or after `e.p.`.
fn marks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b'+' | b'#')).take(2).count()
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

/// White space of several bytes, a sign for a glyph, a figurine, a draw, a null move.
#[cold]
fn rare(buffer: &[u8], pos: usize, is_end: bool) -> Element {
    /// No sign is longer.
    const LONGEST: usize = 6;
    let text = &buffer[pos..];
    if text.len() < LONGEST && !is_end {
        return Element::More;
    }
    if let Some(draw) = DRAWS.iter().find(|draw| text.starts_with(draw)) {
        return Element::Result(Termination::Draw, pos + draw.len());
    }
    if let Some(len @ 1..) = (text[0] >= 0x80).then(|| space_of_several_bytes(text, true)).flatten()
    {
        return Element::Space(pos + len);
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
            () if end > MAX_TOKEN => Element::Error(ErrorKind::TooLong),
            () if end == text.len() && !is_end => Element::More,
            () => Element::Move(pos + end),
        };
    }
    match SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        Some(&(sign, number)) => Element::Nag(Nag(number), pos + sign.len()),
        None if text[0] == b'}' => Element::Error(ErrorKind::BraceNotOpened),
        None => Element::Error(ErrorKind::Byte(text[0])),
    }
}
