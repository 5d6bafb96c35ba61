//! Finding the starts and ends of tokens.
//!
//! The lexer works on a buffer and an offset in it. If the buffer ends within a token, it asks for
//! more and begins that token again. White space, move numbers and lines of broken games are not
//! read again, so only a token has to fit into the buffer.
//!
//! Time is linear: a byte is examined once, and again only if its token is begun again or after an
//! error. After an error, lines are searched for the next game. The offset up to which there is no
//! closing brace is kept, so the search for the end of a comment that is never closed is not
//! repeated.

mod block;
mod class;
mod fast;
mod movetext;
mod recovery;
mod remarks;
mod tags;

use class::END_OF_FILE;
use recovery::Rest;
use tags::Names;

use crate::error::ErrorKind;
use crate::text::ends_line;
use crate::token::{Nag, Termination};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use block::Sse2;
pub use block::{Block, ByteByByte, Native, Places, Swar};
pub(crate) use fast::Plain;

/// A part of the buffer: its start and its end.
pub(crate) type Span = (usize, usize);

/// A token whose text is in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawToken {
    GameStart,
    Tag { name: Span, value: Span },
    Move(Span),
    Comment { text: Span, is_line: bool },
    Nag(Nag),
    VariationStart,
    VariationEnd,
    Result(Termination),
    GameEnd,
}

/// The result of a step of the lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Token(RawToken),
    /// The buffer ends within a token.
    More,
    /// The game is broken at this offset. The rest of it will be skipped.
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
    Ended {
        result: Termination,
        /// Do only comments and glyphs follow, up to the end of the input?
        is_last: bool,
    },
    /// In a broken game.
    Broken(Rest),
    /// Nothing can be read.
    Unreadable,
}

/// The state of reading.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    state: State,
    /// The number of variations around the current place.
    depth: u32,
    tags: u32,
    /// The first tags of the game, to know one that comes again.
    names: Names,
    /// Are there comments after the last tag?
    is_after_comment: bool,
    /// Is there an empty line between the last tag and what follows it?
    is_after_gap: bool,
    has_moves: bool,
    /// The offset at which the game becomes too long. Between games there is none.
    limit: usize,
    /// The greatest offset at which a plain token may end: the limit, in the movetext after a
    /// token, and 0 elsewhere, where no token is plain. So the fast way needs only one test.
    plain_end: usize,
    /// Line ends since the last token, if the buffer ended there.
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
            depth: 0,
            tags: 0,
            names: Names::new(),
            is_after_comment: false,
            is_after_gap: false,
            has_moves: false,
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
        self.depth
    }

    /// Has a game begun that has not ended?
    pub(crate) const fn is_in_game(&self) -> bool {
        matches!(self.state, State::Tags | State::Movetext | State::Ended { .. })
    }

    /// Is only white space read, up to the next game?
    pub(crate) const fn is_between(&self) -> bool {
        matches!(self.state, State::Between)
    }

    /// Is the rest of a game, or of the input, skipped without a token up to the next game?
    pub(crate) const fn is_passing(&self) -> bool {
        matches!(self.state, State::Broken(_) | State::Unreadable)
    }

    /// Adjusts the offsets after the start of the buffer was dropped.
    pub(crate) fn drop(&mut self, len: usize) {
        self.brace_free = self.brace_free.saturating_sub(len);
        self.token_at = self.token_at.saturating_sub(len);
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
        let begin = *at;
        let step = self.other::<B, QUIET>(buffer, at, is_end);
        self.count(begin, *at);
        if let Step::Error(kind, _) = step {
            self.state = match (kind, self.state) {
                (ErrorKind::Utf16, _) => State::Unreadable,
                // The next game begins at this offset.
                (ErrorKind::VariationNotClosed, _) => State::Between,
                (_, state) => {
                    // An indented line with a percent sign may stand between tags.
                    let before_moves = state == State::Movetext && !self.has_moves;
                    let is_escape = kind == ErrorKind::Byte(b'%') && before_moves;
                    State::Broken(Rest::new(state == State::Tags || is_escape))
                }
            };
            (self.depth, self.newlines, self.limit) = (0, 0, usize::MAX);
            self.is_after_comment = false;
        }
        let may_be_plain = self.state == State::Movetext && self.newlines == 0;
        self.plain_end = if may_be_plain { self.limit } else { 0 };
        step
    }

    fn other<B: Block, const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
    ) -> Step {
        loop {
            match self.state {
                State::FileStart => {
                    if let Some(step) = self.file_start(buffer, at, is_end) {
                        return step;
                    }
                }
                State::Between => return self.between(buffer, at, is_end),
                State::Tags => match self.tags::<B, QUIET>(buffer, at, is_end) {
                    Some(step) => return step,
                    None => {
                        self.is_after_gap = self.newlines >= 2;
                        self.state = State::Movetext;
                    }
                },
                State::Movetext => return self.movetext::<B, QUIET>(buffer, at, is_end),
                State::Ended { result, is_last } => {
                    return self.remark::<QUIET>(buffer, at, is_end, (result, is_last));
                }
                State::Broken(rest) => match self.recover(buffer, at, is_end, rest) {
                    Some(step) => return step,
                    None => self.state = State::Between,
                },
                State::Unreadable => {
                    *at = buffer.len();
                    return if is_end { Step::End } else { Step::More };
                }
            }
        }
    }

    /// Skips a byte-order mark.
    fn file_start(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Option<Step> {
        let rest = &buffer[*at..];
        if rest.len() <= BYTE_ORDER_MARK.len() && !is_end {
            return Some(Step::More);
        }
        if rest.starts_with(&[0xff, 0xfe]) || rest.starts_with(&[0xfe, 0xff]) {
            self.state = State::Unreadable;
            return Some(Step::Error(ErrorKind::Utf16, *at));
        }
        if rest.starts_with(BYTE_ORDER_MARK) {
            *at += BYTE_ORDER_MARK.len();
        }
        if buffer.get(*at) == Some(&b'%') {
            match self.line_end(buffer, *at, is_end) {
                Ok(end) => *at = end,
                Err(step) => return Some(step),
            }
        }
        self.state = State::Between;
        None
    }

    /// Skips white space, and begins a game.
    fn between(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Step {
        match self.white_space(buffer, at, is_end) {
            Some(step) => step,
            None => {
                self.state = State::Tags;
                (self.depth, self.newlines) = (0, 0);
                (self.tags, self.has_moves) = (0, false);
                (self.is_after_comment, self.is_after_gap) = (false, false);
                self.token_at = *at;
                self.limit = at.saturating_add(crate::MAX_GAME);
                self.games += 1;
                Step::Token(RawToken::GameStart)
            }
        }
    }

    /// Skips white space and escaped lines. `None` before anything else.
    fn white_space(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Option<Step> {
        loop {
            let Some(&byte) = buffer.get(*at) else {
                return Some(if is_end { Step::End } else { Step::More });
            };
            if *at >= self.limit {
                self.token_at = *at;
                return Some(Step::Error(ErrorKind::GameTooLong, *at));
            }
            match byte {
                b'\n' | b'\r' => match self.newline(buffer, *at, is_end) {
                    Ok(next) => *at = next,
                    Err(step) => return Some(step),
                },
                b' ' | b'\t' | 0x0b | 0x0c | END_OF_FILE => *at += 1,
                0x80.. => match space_of_several_bytes(&buffer[*at..], is_end) {
                    None => return Some(Step::More),
                    Some(0) => return None,
                    Some(len) => *at += len,
                },
                _ => return None,
            }
        }
    }

    /// The offset after a line feed or a carriage return and, if that ends the line and the next
    /// line is escaped, after that line.
    #[inline]
    fn newline(&mut self, buffer: &[u8], at: usize, is_end: bool) -> Result<usize, Step> {
        match ends_line(&buffer[at..], is_end) {
            None => return Err(Step::More),
            Some(false) => return Ok(at + 1),
            Some(true) => {}
        }
        match buffer.get(at + 1) {
            Some(b'%') => {
                let end = self.line_end(buffer, at + 1, is_end)?;
                Ok(end)
            }
            None if !is_end => Err(Step::More),
            _ => {
                self.newlines = self.newlines.saturating_add(1);
                Ok(at + 1)
            }
        }
    }

    /// The offset of the end of this line, which must be shorter than the longest token.
    #[cold]
    fn line_end(&mut self, buffer: &[u8], at: usize, is_end: bool) -> Result<usize, Step> {
        let window = window(buffer, at);
        let found = memchr::memchr2(b'\n', b'\r', window);
        self.count(0, found.unwrap_or(window.len()));
        match found {
            Some(len) => Ok(at + len),
            None if window.len() > crate::MAX_TOKEN => {
                self.token_at = at;
                Err(Step::Error(ErrorKind::TooLong, at))
            }
            None if is_end => Ok(buffer.len()),
            None => Err(Step::More),
        }
    }

    /// Ends the game if it has its result, because the input after that cannot be read.
    pub(crate) fn end_whole_game(&mut self, at: usize) -> bool {
        let is_whole = matches!(self.state, State::Ended { .. });
        if is_whole {
            self.end_game(at);
        }
        is_whole
    }

    fn end_game(&mut self, at: usize) -> Step {
        self.state = State::Between;
        self.token_at = at;
        self.limit = usize::MAX;
        Step::Token(RawToken::GameEnd)
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

/// The length of a multi-byte white-space character at the start of the text, or 0. `None` if this
/// is not known yet.
fn space_of_several_bytes(text: &[u8], is_end: bool) -> Option<usize> {
    const SPACES: [&[u8]; 4] = [BYTE_ORDER_MARK, b"\xc2\xa0", b"\xe2\x80\x8b", b"\xe2\x80\xaf"];
    if let Some(space) = SPACES.iter().find(|space| text.starts_with(space)) {
        return Some(space.len());
    }
    // A space in Latin-1.
    if text[0] == 0xa0 {
        return Some(1);
    }
    let may_go_on = SPACES.iter().any(|space| space.starts_with(text));
    if may_go_on && !is_end { None } else { Some(0) }
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
