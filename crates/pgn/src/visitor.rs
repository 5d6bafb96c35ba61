//! Another way to read games: a call for each token.

use std::ops::ControlFlow;

use crate::comment::Comment;
use crate::error::Error;
use crate::reader::{Input, Reader};
use crate::token::{NumberedMove, Remark, Tag, Token};
use crate::{Nag, Termination};

/// The part of a game to skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Skip {
    /// Nothing.
    Nothing,
    /// The rest of this variation, or of this game in the main line.
    Rest,
}

/// A receiver of the tokens of games, with a method for each kind of token.
///
/// ```
/// use tabiya_pgn::{NumberedMove, Reader, Skip, Visitor};
///
/// #[derive(Default)]
/// struct Plies(u64);
///
/// impl Visitor for Plies {
///     fn move_text(&mut self, _: NumberedMove<'_>) {
///         self.0 += 1;
///     }
///
///     fn begin_variation(&mut self) -> Skip {
///         Skip::Rest
///     }
/// }
///
/// let mut reader = Reader::from_bytes(b"1. e4 (1. d4 d5) e5 * 1. c4 *");
/// let mut plies = Plies::default();
/// while reader.visit_game(&mut plies)? {}
/// assert_eq!(plies.0, 3);
/// # Ok::<(), tabiya_pgn::Error>(())
/// ```
#[allow(unused_variables, reason = "the names of the arguments are documentation")]
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag.
    fn tag(&mut self, tag: Tag<'_>) {}

    /// The tags have ended. Are the moves wanted?
    ///
    /// Comments and glyphs may stand between the tags, so those before the first move come before
    /// this call.
    fn end_tags(&mut self) -> Skip {
        Skip::Nothing
    }

    /// A move.
    fn move_text(&mut self, text: NumberedMove<'_>) {}

    /// A comment.
    fn comment(&mut self, comment: Comment<'_>) {}

    /// A glyph about the last move.
    fn nag(&mut self, nag: Nag) {}

    /// A variation in place of the last move begins. Is it wanted?
    fn begin_variation(&mut self) -> Skip {
        Skip::Nothing
    }

    /// A variation ends. It is not called for a variation that is skipped.
    fn end_variation(&mut self) {}

    /// The result.
    fn result(&mut self, result: Termination) {}

    /// A word without a meaning. It may come before the game begins.
    fn remark(&mut self, remark: Remark<'_>) {}

    /// The game ends. It is not called for a game that is skipped.
    fn end_game(&mut self) {}
}

impl<I: Input> Reader<I> {
    /// Reads the next game, and calls the visitor for each of its tokens. `false` at the end of the
    /// input. Within a game, it reads the rest of that one.
    ///
    /// # Errors
    /// As [`next_token`](Self::next_token). Call it again for the rest of the game.
    pub fn visit_game(&mut self, visitor: &mut impl Visitor) -> Result<bool, Error> {
        let mut in_tags = true;
        loop {
            let Some(token) = self.next_token()? else { return Ok(false) };
            let was_in_tags = in_tags;
            in_tags &= matches!(
                token,
                Token::GameStart
                    | Token::Tag(_)
                    | Token::Comment(_)
                    | Token::Nag(_)
                    | Token::Remark(_)
            );
            if was_in_tags && !in_tags && visitor.end_tags() == Skip::Rest {
                self.skip_game()?;
                return Ok(true);
            }
            let flow = call(token, visitor);
            match flow {
                ControlFlow::Continue(Skip::Nothing) => {}
                ControlFlow::Continue(Skip::Rest) => self.skip_variation()?,
                ControlFlow::Break(()) => return Ok(true),
            }
        }
    }
}

/// Calls the visitor. Returns a break at the end of the game.
#[inline]
fn call(token: Token<'_>, visitor: &mut impl Visitor) -> ControlFlow<(), Skip> {
    match token {
        Token::GameStart => visitor.begin_game(),
        Token::Tag(tag) => visitor.tag(tag),
        Token::Move(text) => visitor.move_text(text),
        Token::Comment(comment) => visitor.comment(comment),
        Token::Nag(nag) => visitor.nag(nag),
        Token::VariationStart => return ControlFlow::Continue(visitor.begin_variation()),
        Token::VariationEnd => visitor.end_variation(),
        Token::Result(result) => visitor.result(result),
        Token::Remark(remark) => visitor.remark(remark),
        Token::GameEnd => {
            visitor.end_game();
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(Skip::Nothing)
}
