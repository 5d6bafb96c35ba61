//! Finding the starts and ends of tokens.
//!
//! The lexer works on a buffer and an offset in it. If the buffer ends within a token, it asks for
//! more and begins that token again. White space, move numbers and the rest of a game that cannot be
//! read are not read again, so only a token has to fit into the buffer.
//!
//! Every word has a token, so nearly nothing is an error here. After the few errors that are left, the
//! game is closed as if it had ended, and [`skip`] looks for the next one.
//!
//! Time is linear: a byte is examined once, and again only if its token is begun again. The offset up
//! to which there is no closing brace is kept, so the search for the end of a comment that is never
//! closed is not repeated.

mod block;
mod class;
mod fast;
mod found;
mod movetext;
mod skip;
mod tags;
mod word;

use found::Found;

use crate::error::ErrorKind;
use crate::text::ends_line;
use crate::token::RemarkKind;
use crate::{Nag, Termination};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use block::Sse2;
pub use block::{Block, ByteByByte, Native, Places, Swar};
pub(crate) use fast::Plain;
pub(crate) use word::{DASHES, goes_on};

/// A part of the buffer: its start and its end.
pub(crate) type Span = (usize, usize);

/// A token whose text is in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawToken {
    GameStart,
    Tag {
        name: Span,
        value: Span,
    },
    /// With the digits, dots and spaces before it, whose number is `at`.
    Move {
        whole: Span,
        at: u8,
    },
    Comment {
        text: Span,
        is_line: bool,
    },
    Nag(Nag),
    VariationStart,
    VariationEnd,
    Result(Termination),
    Remark(RemarkKind, Span),
    GameEnd,
}

/// The result of a step of the lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Token(RawToken),
    /// The buffer ends within a token.
    More,
    /// There is an error at this offset. Unless it is final, the game still ends with tokens.
    Error(ErrorKind, usize),
    /// The input ends.
    End,
}

/// The place of the lexer among the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the input.
    FileStart,
    /// Before a game.
    Between,
    /// Before the first token that is not a tag.
    Tags,
    Movetext,
    /// After the result.
    Ended,
    /// The game ends here, with all of its variations. Is the text after it skipped?
    Closing {
        is_lost: bool,
    },
    /// In text that belongs to no game, after an error.
    Lost,
    /// Nothing can be read.
    Unreadable,
}

/// The state of reading.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    state: State,
    /// The start of the last comment or remark in this line.
    pub(crate) note_at: usize,
    /// The same for the lines around the current variation.
    outer: Vec<usize>,
    tags: u32,
    /// The first tag of the game, as a number that stands for its name.
    first_tag: u64,
    /// The result in the tags.
    result: Option<Termination>,
    /// Has the game moves, or variations?
    has_moves: bool,
    /// Is there an empty line since the last tag?
    has_gap: bool,
    /// The offset at which the game becomes too long. Between games there is none.
    limit: usize,
    /// The greatest offset at which a plain token may end: the limit, in the movetext after a
    /// token, and 0 elsewhere, where no token is plain. So the fast way needs only one test.
    plain_end: usize,
    /// Line ends since the last token.
    newlines: u32,
    /// Before this offset, and from the current place on, there is no closing brace.
    brace_free: usize,
    /// The start of the last token.
    pub(crate) token_at: usize,
    /// The number of games that have begun.
    pub(crate) games: u64,
    /// The number of bytes examined, for the tests of linear time.
    #[cfg(test)]
    work: u64,
}

impl Lexer {
    /// A lexer at the start of a file, or of a part of it that begins at the border of a game.
    pub(crate) const fn new(games: u64, is_file_start: bool) -> Self {
        Self {
            state: if is_file_start { State::FileStart } else { State::Between },
            note_at: 0,
            outer: Vec::new(),
            tags: 0,
            first_tag: 0,
            result: None,
            has_moves: false,
            has_gap: false,
            limit: usize::MAX,
            plain_end: 0,
            newlines: 0,
            brace_free: 0,
            token_at: 0,
            games,
            #[cfg(test)]
            work: 0,
        }
    }

    /// The number of variations around the current place.
    pub(crate) const fn depth(&self) -> u32 {
        self.outer.len() as u32
    }

    /// Has a game begun that has not ended?
    pub(crate) const fn is_in_game(&self) -> bool {
        matches!(self.state, State::Tags | State::Movetext | State::Ended | State::Closing { .. })
    }

    /// Is it before a game?
    pub(crate) const fn is_between(&self) -> bool {
        matches!(self.state, State::Between)
    }

    /// Is text skipped without a token, up to the next game?
    pub(crate) const fn is_passing(&self) -> bool {
        matches!(self.state, State::Lost | State::Unreadable)
    }

    /// Adjusts the offsets after the start of the buffer was dropped.
    pub(crate) fn drop(&mut self, len: usize) {
        self.brace_free = self.brace_free.saturating_sub(len);
        self.token_at = self.token_at.saturating_sub(len);
        for note in self.outer.iter_mut().chain([&mut self.note_at]) {
            *note = note.saturating_sub(len);
        }
        self.plain_end = self.plain_end.saturating_sub(len);
        if self.limit != usize::MAX {
            self.limit = self.limit.saturating_sub(len);
        }
    }

    /// The next token of any kind from the offset on. With `QUIET`, only the starts and ends of
    /// games are tokens, and all others are skipped.
    #[inline(never)]
    pub(crate) fn step<B: Block, const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Step {
        // Most tags are plain, and returned without being copied.
        if self.state == State::Tags {
            while let Some((name, value)) = self.plain_tag::<B>(buffer, at) {
                if !QUIET {
                    return Step::Token(RawToken::Tag { name, value });
                }
            }
        }
        let begin = *at;
        let step = loop {
            let step = match self.state {
                State::FileStart => self.file_start(buffer, at, is_end),
                State::Between => self.between(buffer, at, is_end),
                State::Tags => self.tags::<QUIET>(buffer, at, is_end),
                State::Movetext => self.movetext::<B, QUIET>(buffer, at, is_end),
                State::Ended => self.ended::<QUIET>(buffer, at, is_end),
                State::Closing { is_lost } => self.closing::<QUIET>(*at, is_lost),
                State::Lost => self.skip(buffer, at, is_end),
                State::Unreadable => {
                    *at = buffer.len();
                    Some(if is_end { Step::End } else { Step::More })
                }
            };
            if let Some(step) = step {
                break step;
            }
        };
        self.count(begin, *at);
        let is_plain = self.state == State::Movetext && self.newlines == 0;
        self.plain_end = if is_plain { self.limit } else { 0 };
        step
    }

    /// An error at this offset. The game ends, and perhaps its text is in doubt.
    #[cold]
    fn fail(&mut self, kind: ErrorKind, at: usize) -> Option<Step> {
        self.state = match kind {
            ErrorKind::Utf16 => State::Unreadable,
            _ if !self.is_in_game() => State::Lost,
            _ => State::Closing { is_lost: kind != ErrorKind::VariationNotClosed },
        };
        self.token_at = at;
        Some(Step::Error(kind, at))
    }

    /// Skips a byte-order mark.
    fn file_start(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Option<Step> {
        let rest = &buffer[*at..];
        if rest.len() <= BYTE_ORDER_MARK.len() && !is_end {
            return Some(Step::More);
        }
        if rest.starts_with(&[0xff, 0xfe]) || rest.starts_with(&[0xfe, 0xff]) {
            return self.fail(ErrorKind::Utf16, *at);
        }
        if rest.starts_with(BYTE_ORDER_MARK) {
            *at += BYTE_ORDER_MARK.len();
        }
        if buffer.get(*at) == Some(&b'%') {
            match self.line_end(buffer, *at, is_end) {
                Ok(end) => *at = end,
                Err(Found::Error(kind)) => return self.fail(kind, *at),
                Err(_) => return Some(Step::More),
            }
        }
        self.state = State::Between;
        None
    }

    /// Skips what makes no game, and begins one.
    fn between(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Option<Step> {
        if *at == buffer.len() {
            return Some(if is_end { Step::End } else { Step::More });
        }
        let begin = *at;
        let (kind, end) = match self.find(buffer, begin, is_end) {
            Found::Token(RawToken::Remark(kind, _), end) if kind != RemarkKind::Tag => (kind, end),
            // A sign may be a letter of a heading, such as `D`.
            Found::Token(RawToken::Nag(_), end) if buffer[begin] != b'$' => {
                (RemarkKind::Glyph, end)
            }
            Found::Digits(end) if buffer[end - 1] == b'.' => return Some(self.begin_game(begin)),
            Found::Space(end) | Found::Digits(end) | Found::Nothing(end) => {
                *at = end;
                return None;
            }
            Found::More => return Some(Step::More),
            _ => return Some(self.begin_game(begin)),
        };
        self.emit::<false>(RawToken::Remark(kind, (begin, end)), begin, at, end)
    }

    fn begin_game(&mut self, at: usize) -> Step {
        self.state = State::Tags;
        (self.newlines, self.result) = (0, None);
        self.has_gap = false;
        self.token_at = at;
        self.limit = at.saturating_add(crate::MAX_GAME);
        self.games += 1;
        Step::Token(RawToken::GameStart)
    }

    /// Passes a token, and returns it unless it is quiet.
    #[inline(always)]
    fn emit<const QUIET: bool>(
        &mut self,
        token: RawToken,
        begin: usize,
        at: &mut usize,
        end: usize,
    ) -> Option<Step> {
        self.newlines = 0;
        *at = end;
        if QUIET {
            return None;
        }
        self.token_at = begin;
        if matches!(token, RawToken::Comment { .. } | RawToken::Remark(..)) {
            self.note_at = begin;
        }
        Some(Step::Token(token))
    }

    /// The offset after a line feed or a carriage return and, if that ends the line and the next
    /// line is escaped, after that line.
    #[inline]
    fn newline(&mut self, buffer: &[u8], at: usize, is_end: bool) -> Found {
        match ends_line(&buffer[at..], is_end) {
            None => return Found::More,
            Some(false) => return Found::Space(at + 1),
            Some(true) => {}
        }
        match buffer.get(at + 1) {
            Some(b'%') => match self.line_end(buffer, at + 1, is_end) {
                Ok(end) => Found::Space(end),
                Err(found) => found,
            },
            None if !is_end => Found::More,
            _ => {
                self.newlines = self.newlines.saturating_add(1);
                self.has_gap |= self.newlines >= 2;
                Found::Space(at + 1)
            }
        }
    }

    /// The offset of the end of this line, which must be shorter than the longest token.
    #[cold]
    fn line_end(&mut self, buffer: &[u8], at: usize, is_end: bool) -> Result<usize, Found> {
        let window = window(buffer, at);
        let found = memchr::memchr2(b'\n', b'\r', window);
        self.count(0, found.unwrap_or(window.len()));
        match found {
            Some(len) => Ok(at + len),
            None if window.len() > crate::MAX_TOKEN => Err(Found::Error(ErrorKind::TooLong)),
            None if is_end => Ok(buffer.len()),
            None => Err(Found::More),
        }
    }

    /// Ends the game if it has its result, because the input after that cannot be read.
    pub(crate) fn end_whole_game(&mut self, at: usize) -> bool {
        let is_whole = self.state == State::Ended;
        if is_whole {
            self.end_game(at);
        }
        is_whole
    }

    fn end_game(&mut self, at: usize) -> Step {
        self.state = State::Between;
        (self.tags, self.has_moves) = (0, false);
        self.token_at = at;
        self.limit = usize::MAX;
        Step::Token(RawToken::GameEnd)
    }

    /// Ends the variations and the game after an error.
    fn closing<const QUIET: bool>(&mut self, at: usize, is_lost: bool) -> Option<Step> {
        self.newlines = 0;
        if let Some(note) = self.outer.pop() {
            (self.note_at, self.token_at) = (note, at);
            return if QUIET { None } else { Some(Step::Token(RawToken::VariationEnd)) };
        }
        let end = self.end_game(at);
        if is_lost {
            self.state = State::Lost;
        }
        Some(end)
    }

    #[cfg(test)]
    fn count(&mut self, from: usize, to: usize) {
        self.work += (to - from) as u64;
    }

    #[cfg(not(test))]
    #[inline(always)]
    const fn count(&mut self, _: usize, _: usize) {}
}

/// Does the first move of White have this number? It could be a number of Black's move, `1...`.
fn is_first_move(text: &[u8]) -> bool {
    text.starts_with(b"1.") && !text.starts_with(b"1..") && !text.starts_with(b"1. .")
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The part of the buffer in which a token that begins at this offset must end.
#[inline]
fn window(buffer: &[u8], at: usize) -> &[u8] {
    &buffer[at..buffer.len().min(at + crate::MAX_TOKEN + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::CREDIT;

    /// The number of bytes examined, in a file and in a stream that comes in pieces.
    fn work(input: &[u8], piece: usize) -> u64 {
        let mut lexer = Lexer::new(0, true);
        let (mut begin, mut at, mut end, mut credit) = (0, 0, piece.min(input.len()), 0);
        loop {
            match lexer.step::<Native, false>(&input[begin..end], &mut at, end == input.len()) {
                Step::End => return lexer.work,
                Step::More => {
                    begin += at;
                    lexer.drop(at);
                    at = 0;
                    // As in a stream, bytes are examined again on the credit of those read.
                    while end < input.len() {
                        end = input.len().min(end + piece);
                        credit += CREDIT * piece;
                        if credit >= end - begin {
                            credit -= end - begin;
                            break;
                        }
                    }
                }
                Step::Token(_) | Step::Error(..) => {}
            }
        }
    }

    #[cfg_attr(miri, ignore = "it reads megabytes")]
    #[test]
    fn time_is_linear_whatever_the_input() {
        let pieces: [&[u8]; 27] = [
            b"{",
            b"{ \n[A \"\"]\n",
            b"1. e4 {\n\n[Event \"a\"]\n",
            b"(",
            b"[",
            b"[A \"",
            b"[A \"\n",
            b"[A \"\\\\",
            b"[A \" \"",
            b"[Event \"a\"]\n\n",
            b"%\n",
            b"%\r",
            b"\r",
            b"}\r",
            b"% ",
            b";",
            b"1",
            b"1.",
            b"N",
            b"$1",
            b"\n1. ) \n\n",
            b"*\n\n{}{}",
            b"*\n%\n\n{}",
            b"* {\n[A \"\"]\n",
            b"* $1\n\n;",
            b"\n) {x\n{y} {z}\n",
            b"\n[x]\n\n) \"  ]  ",
        ];
        // Emulated machines are slow.
        let is_short = std::env::var_os("TABIYA_SHORT_TESTS").is_some();
        let len = if is_short { 20_000 } else { 600_000 };
        for piece in pieces {
            for step in [1, 100, 1 << 20] {
                let input = piece.repeat(len / piece.len());
                let work = work(&input, step);
                let share = work as f64 / input.len() as f64;
                assert!(share < 12.0 + CREDIT as f64, "{}: {share}", piece.escape_ascii());
            }
        }
    }
}
