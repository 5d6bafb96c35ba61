//! Comments and glyphs after the result of a game.
//!
//! Up to an empty line they belong to that game, and so does a second result if it is the same, or if
//! one of the two is an asterisk. After an empty line they belong to the next game, as its tags and
//! moves may follow. At the end of the input none follow, so there is no next game, and they belong
//! to the last one, if they end within the length of the largest token.
//!
//! So the end of a game is known only when something follows it, or the input ends.

use super::class::{Class, class};
use super::movetext::Element;
use super::{Lexer, RawToken, State, Step};
use crate::MAX_TOKEN;
use crate::error::ErrorKind;
use crate::token::Termination;

/// The next thing after the result.
enum Next {
    /// A comment or a glyph, with its start and its end.
    Remark(RawToken, usize, usize),
    /// A result, with its start and its end.
    Result(Termination, usize, usize),
    /// Anything else, or nothing near: the next game.
    Other,
    /// The end of the input.
    End,
    /// The buffer ends too early.
    More,
}

impl Lexer {
    /// The next comment or glyph of a game that has its result, or the end of the game.
    #[inline(never)]
    pub(super) fn remark<const QUIET: bool>(
        &mut self,
        buffer: &[u8],
        at: &mut usize,
        is_end: bool,
        (mut result, mut is_last): (Termination, bool),
    ) -> Step {
        loop {
            let (token, begin, end) = match self.next_remark(buffer, *at, is_end) {
                Next::Remark(token, begin, end) => (token, begin, end),
                Next::Result(again, begin, end) if self.is_of_this_game(result, again) => {
                    let is_new = again != result && again != Termination::Unknown;
                    // Repetitions count towards the length of the game.
                    if !is_new && begin < self.limit {
                        *at = end;
                        continue;
                    }
                    result = again;
                    (RawToken::Result(again), begin, end)
                }
                Next::Result(..) | Next::Other | Next::End => return self.end_game(*at),
                Next::More => return Step::More,
            };
            if self.newlines >= 2 && !is_last {
                // The comments are read again from here, so their closing braces are not passed.
                let brace_free = self.brace_free;
                let ends_input = self.ends_input(buffer, end, is_end, *at + MAX_TOKEN);
                self.brace_free = brace_free;
                match ends_input {
                    Some(true) => is_last = true,
                    Some(false) => return self.end_game(*at),
                    None => return Step::More,
                }
            }
            if begin >= self.limit {
                (*at, self.token_at) = (begin, begin);
                return Step::Error(ErrorKind::GameTooLong, begin);
            }
            self.state = State::Ended { result, is_last };
            (self.newlines, *at) = (0, end);
            if !QUIET {
                self.token_at = begin;
                return Step::Token(token);
            }
        }
    }

    /// Is a further result the same one, or is one of the two an asterisk? Without tags and moves, each
    /// result is a game.
    fn is_of_this_game(&self, result: Termination, again: Termination) -> bool {
        let agree = again == result || [result, again].contains(&Termination::Unknown);
        self.newlines < 2 && agree && (self.has_moves || self.tags > 0)
    }

    /// Do only comments and glyphs follow, up to the end of the input and not beyond this offset?
    fn ends_input(
        &mut self,
        buffer: &[u8],
        mut at: usize,
        is_end: bool,
        limit: usize,
    ) -> Option<bool> {
        while at <= limit {
            match self.next_remark(buffer, at, is_end) {
                Next::Remark(_, _, end) => at = end,
                Next::Result(..) | Next::Other => return Some(false),
                Next::End => return Some(true),
                Next::More => return None,
            }
        }
        Some(false)
    }

    /// Sets the number of line ends before it as well.
    fn next_remark(&mut self, buffer: &[u8], from: usize, is_end: bool) -> Next {
        self.newlines = 0;
        let mut pos = from;
        let next = loop {
            let Some(&byte) = buffer.get(pos) else {
                break if is_end { Next::End } else { Next::More };
            };
            let is_near = pos - from <= MAX_TOKEN;
            let may_be_remark =
                !matches!(class(byte), Class::Letter | Class::Open | Class::Close | Class::Bracket);
            if !is_near || !may_be_remark {
                break Next::Other;
            }
            match self.find(buffer, pos, byte, is_end) {
                Element::Space(end) => pos = end,
                Element::Comment { text, is_line, end } => {
                    break Next::Remark(RawToken::Comment { text, is_line }, pos, end);
                }
                Element::Nag(nag, end) => break Next::Remark(RawToken::Nag(nag), pos, end),
                Element::Result(result, end) => break Next::Result(result, pos, end),
                Element::More | Element::Step(Step::More) => break Next::More,
                // What cannot be read is an error of the next game.
                _ => break Next::Other,
            }
        };
        self.count(from, pos);
        next
    }
}
