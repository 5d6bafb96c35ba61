//! From a game that cannot be read on to the next one.
//!
//! The text is not reliable, because its braces may be the error. So only lines are examined. A game
//! begins at a line that begins with a tag, or with `1.` after an empty line.

use super::tags::begins_tag;
use super::{Lexer, State, Step, is_first_move};
use crate::text::ends_line;

/// The number of bytes of a line that are examined.
const LOOK_AHEAD: usize = 256;

impl Lexer {
    /// Skips text. Returns `None` at the start of the next game.
    pub(super) fn skip(&mut self, buffer: &[u8], at: &mut usize, is_end: bool) -> Option<Step> {
        loop {
            let found = memchr::memchr2(b'\n', b'\r', &buffer[*at..]);
            self.count(*at, found.map_or(buffer.len(), |len| *at + len));
            let Some(len) = found else {
                *at = buffer.len();
                return Some(if is_end { Step::End } else { Step::More });
            };
            // If the buffer ends, reading continues at this line end.
            *at += len;
            match ends_line(&buffer[*at..], is_end) {
                None => return Some(Step::More),
                Some(false) => {
                    *at += 1;
                    continue;
                }
                Some(true) => {}
            }
            let below = &buffer[*at + 1..];
            let below = &below[..below.len().min(LOOK_AHEAD)];
            let may_grow = below.len() < LOOK_AHEAD && !is_end;
            let blanks = below.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let line = &below[blanks..];
            let is_tag = match line.first() {
                Some(b'[') => begins_tag(line),
                Some(_) => Some(false),
                None => None,
            };
            if may_grow && (is_tag.is_none() || line.len() < 4) {
                return Some(Step::More);
            }
            *at += 1;
            let is_empty = matches!(line.first(), None | Some(b'\n' | b'\r'));
            if is_tag == Some(true) || (self.newlines > 0 && is_first_move(line)) {
                self.newlines = 0;
                self.state = State::Between;
                return None;
            }
            self.newlines = u32::from(is_empty);
        }
    }
}
