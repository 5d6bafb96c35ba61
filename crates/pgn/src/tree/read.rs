//! Games from files to trees.

use std::fmt::Write as _;

use tabiya::Move;
use tabiya::san::PieceLetters;

use super::GameTree;
use super::node::{End, NONE, NodeId};
use super::notes::{Full, Note};
use super::problem::{GameProblem, ProblemCause};
use crate::MAX_TOKEN;
use crate::comment::Comment;
use crate::error::Error;
use crate::place::Place;
use crate::reader::{Input, Reader};
use crate::replay::{Played, Replay, ReplayError};
use crate::text::Text;
use crate::token::{RemarkKind, Tag, Token};

impl GameTree {
    /// Reads the next game. `None` at the end of the input. Within a game, it reads the rest of that
    /// one, without the tags before.
    ///
    /// A broken game gives a tree with everything that is right, see
    /// [`problems`](Self::problems).
    ///
    /// # Errors
    /// The input cannot be read, or is written in UTF-16.
    pub fn read<I: Input>(reader: &mut Reader<I>) -> Result<Option<Self>, Error> {
        let mut tree = Self::new();
        Ok(tree.read_next(reader)?.then_some(tree))
    }

    /// Reads the next game in place of this one, into the same memory. `false` at the end of the
    /// input.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let mut reader = Reader::new(std::io::Cursor::new("1. e4 * 1. d4 d5 *"));
    /// let mut tree = GameTree::new();
    /// let mut moves = 0;
    /// while tree.read_next(&mut reader)? {
    ///     moves += tree.len() - 1;
    /// }
    /// assert_eq!(moves, 3);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn read_next<I: Input>(&mut self, reader: &mut Reader<I>) -> Result<bool, Error> {
        self.clear();
        let mut builder = Builder::new(self, reader.letters());
        loop {
            let (taken, is_end) = match reader.next_token() {
                Ok(Some(token)) => (builder.take(&token), matches!(token, Token::GameEnd)),
                Ok(None) => return Ok(false),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    builder.unreadable(&error);
                    continue;
                }
            };
            match taken {
                Ok(()) => {}
                Err(ProblemCause::Full) => {
                    builder.problem(reader.place(), ProblemCause::Full);
                    let _ = reader.skip_game();
                    builder.keep_rest();
                    return Ok(true);
                }
                Err(cause) => {
                    let is_number =
                        matches!(&cause, ProblemCause::Replay(error) if error.is_number());
                    let place = if is_number { reader.note_place() } else { reader.place() };
                    builder.problem(place, cause);
                }
            }
            if is_end {
                builder.keep_rest();
                return Ok(true);
            }
        }
    }
}

/// The games of a file as trees. See [`Reader::trees`].
#[derive(Debug)]
pub struct Trees<I> {
    reader: Reader<I>,
    is_over: bool,
}

impl<I: Input> Reader<I> {
    /// The games as trees. It needs memory for one game at a time, and ends after an error.
    ///
    /// ```
    /// use tabiya_pgn::Reader;
    ///
    /// let text = "[White \"Anand\"]\n\n1. e4 (1. d4) e5 *\n\n[White \"Polgar\"]\n\n1. c4 *\n";
    /// let games = Reader::new(text.as_bytes()).trees();
    /// let names: Result<Vec<_>, _> =
    ///     games.map(|game| game.map(|tree| tree.tag("White").unwrap().to_owned())).collect();
    /// assert_eq!(names?, ["Anand", "Polgar"]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub const fn trees(self) -> Trees<I> {
        Trees { reader: self, is_over: false }
    }
}

impl<I: Input> Iterator for Trees<I> {
    type Item = Result<GameTree, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = GameTree::read(&mut self.reader).transpose();
        self.is_over = !matches!(game, Some(Ok(_)));
        game
    }
}

/// Between an error and the rest of its line.
const NOT_READ: &str = "; not read:";

/// Builds a tree from the tokens of a game.
struct Builder<'t> {
    tree: &'t mut GameTree,
    replay: Replay,
    line: Line,
    /// The lines around the current variation.
    outer: Vec<Line>,
    /// The text of a line after an error, with the error.
    rest: Option<String>,
    /// The last remark, with its ply and the variations around it: an error after it may be its own.
    remark: Option<(u32, usize, String)>,
    /// Has a tag been read on which the start position may depend?
    start_may_change: bool,
}

/// A line of moves, up to the last one that was read.
#[derive(Clone, Copy)]
struct Line {
    at: NodeId,
    /// Is it a variation without moves?
    is_new: bool,
    /// The comments and glyphs before the first move of a variation: the last one of a list.
    notes: u32,
}

impl Line {
    const MAIN: Self = Self { at: NodeId::ROOT, is_new: false, notes: NONE };
}

impl From<Full> for ProblemCause {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

impl From<ReplayError> for ProblemCause {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

impl<'t> Builder<'t> {
    fn new(tree: &'t mut GameTree, letters: Option<PieceLetters>) -> Self {
        Self {
            tree,
            replay: Replay::new().with_letters(letters),
            line: Line::MAIN,
            outer: Vec::new(),
            rest: None,
            remark: None,
            start_may_change: false,
        }
    }

    fn problem(&mut self, place: Place, cause: ProblemCause) {
        self.tree.problems.push(GameProblem { place, node: self.line.at, cause });
    }

    /// The text of the file has an error.
    fn unreadable(&mut self, error: &Error) {
        let cause = ProblemCause::Text(*error.kind());
        let text = cause.to_string();
        self.problem(error.place(), cause);
        match &mut self.rest {
            Some(rest) => _ = write!(rest, " ({text})"),
            None => self.add_text(&text),
        }
    }

    /// An error has ended the line: this token and those after it are text.
    fn end_line(&mut self, token: &Token<'_>, error: &ReplayError) {
        let mut rest = format!("{error}{NOT_READ}");
        if let Some((ply, depth, remark)) = self.remark.take()
            && ply == error.kept()
            && depth == self.outer.len()
        {
            add_word(&mut rest, &remark);
        }
        // Moves after a comment that may have swallowed others are text, too.
        let path = self.tree.path(self.line.at);
        if let Some(&first) = path.get(error.kept() as usize)
            && let Some(parent) = self.tree.parent(first)
        {
            add_word(&mut rest, &self.tree.text_from(first));
            self.tree.nodes.delete_from(first);
            let nodes = &self.tree.nodes;
            let lost = self.tree.problems.iter_mut().filter(|it| !nodes.contains(it.node));
            lost.for_each(|it| it.node = parent);
            let begins = self.outer.last().map(|outer| self.variation_start(outer));
            self.line = Line { at: parent, is_new: begins == Some(parent), notes: NONE };
        }
        add_to_text(&mut rest, token);
        self.rest = Some(rest);
    }

    /// The text after an error is a comment at the end of its line.
    fn keep_rest(&mut self) {
        if let Some(rest) = self.rest.take() {
            let text = rest.trim_end_matches(NOT_READ);
            // A start that can't be played is an error again when the game has been written.
            if !self.tree.comments(self.line.at).any(|comment| comment.starts_with(text)) {
                self.add_text(text);
            }
        }
    }

    /// Adds text as comments: a game may have more than one can take.
    fn add_text(&mut self, text: &str) {
        let mut text = text;
        while !text.is_empty() {
            let longest = text.len().min(MAX_TOKEN / 2);
            let end = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(longest);
            let (part, rest) = text.split_at(end);
            let _ = self.comment(&Comment::new(part.as_bytes()));
            text = rest;
        }
    }

    /// Takes a token. After an error, the rest of the line is text.
    #[inline]
    fn take(&mut self, token: &Token<'_>) -> Result<(), ProblemCause> {
        let played = self.replay.play(token);
        if self.start_may_change && self.replay.has_begun() {
            self.start_may_change = false;
            // A game with moves has no more tags.
            self.tree.start = self.replay.before().clone();
        }
        if self.rest.is_some() {
            match played {
                Ok(Played::Skipped) => {
                    if let Some(rest) = &mut self.rest {
                        add_to_text(rest, token);
                    }
                    return Ok(());
                }
                _ if !matches!(token, Token::Result(_) | Token::Tag(_)) => self.keep_rest(),
                _ => {}
            }
        }
        match played {
            Ok(played) => self.keep(token, played.mv())?,
            Err(error) => {
                self.end_line(token, &error);
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Adds a token to the tree. `mv` is its move, if it has one.
    #[inline]
    fn keep(&mut self, token: &Token<'_>, mv: Option<Move>) -> Result<(), ProblemCause> {
        match token {
            Token::Move(_) => {
                let end = if self.line.is_new { End::Last } else { End::First };
                let id = self.tree.nodes.add(self.line.at, mv, end).ok_or(Full)?;
                self.tree.nodes.get_mut(id).notes = self.line.notes;
                self.line = Line { at: id, is_new: false, notes: NONE };
            }
            Token::Comment(comment) => self.comment(comment)?,
            // Before the first move of a variation, a glyph belongs to that move.
            Token::Nag(nag) if self.line.is_new => {
                self.tree.notes.add(&mut self.line.notes, Note::Nag(*nag))?;
            }
            Token::Nag(nag) => {
                let last = &mut self.tree.nodes.get_mut(self.line.at).notes;
                self.tree.notes.add(last, Note::Nag(*nag))?;
            }
            Token::VariationStart => {
                let at = self.variation_start(&self.line);
                self.outer.push(self.line);
                self.line = Line { at, is_new: true, notes: NONE };
            }
            Token::VariationEnd => {
                if let Some(line) = self.outer.pop() {
                    self.end_variation(line);
                }
            }
            Token::Tag(tag) => self.tag(tag),
            Token::Result(result) => self.tree.marker = Some(*result),
            // Counted only: the tree keeps no such words, so none is written. The last one is held
            // because an error after it may be its own.
            Token::Remark(remark) => {
                self.tree.remarks[remark.kind as usize] += 1;
                if remark.kind != RemarkKind::Tag {
                    let text = remark.text.to_string();
                    self.remark = Some((self.replay.ply(), self.outer.len(), text));
                }
            }
            Token::GameEnd => {
                self.tree.remarks[RemarkKind::Number as usize] = self.replay.wrong_numbers();
            }
            Token::GameStart => {}
        }
        Ok(())
    }

    /// The node from which a variation of the line starts. One before the first move of its line has
    /// the same start as that.
    fn variation_start(&self, line: &Line) -> NodeId {
        match self.tree.nodes.parent(line.at) {
            Some(parent) if !line.is_new => parent,
            _ => line.at,
        }
    }

    /// The current variation ends, and this line continues.
    fn end_variation(&mut self, line: Line) {
        let notes = std::mem::replace(&mut self.line, line).notes;
        if self.line.is_new {
            // This line still waits for the move that the notes stand before.
            self.tree.notes.append(&mut self.line.notes, notes);
        } else {
            let last = &mut self.tree.nodes.get_mut(self.line.at).notes;
            self.tree.notes.append_as_after(last, notes);
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) -> Result<(), Full> {
        let bytes = comment.unwrapped();
        let mut text = Text(bytes.trim_ascii()).decode();
        if text.is_empty() {
            return Ok(());
        }
        if self.tree.keeps_blanks {
            text = comment.text.decode();
        }
        if self.line.is_new {
            return self.tree.notes.add(&mut self.line.notes, Note::Before(&text));
        }
        let last = &mut self.tree.nodes.get_mut(self.line.at).notes;
        self.tree.notes.add(last, Note::After(&text))
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        self.tree.tags.push(&tag.name.decode(), &tag.printable_value());
        self.start_may_change |= matches!(tag.name.0, b"FEN" | b"Variant" | b"SetUp");
    }
}

/// Adds a token to the text after an error.
fn add_to_text(text: &mut String, token: &Token<'_>) {
    let word = match token {
        Token::Move(mv) => match mv.number() {
            Some(number) => format!("{number}. {mv}"),
            None => mv.to_string(),
        },
        Token::Comment(comment) => format!("({})", Text(&comment.unwrapped()).decode().trim()),
        Token::Nag(nag) => nag.to_string(),
        Token::VariationStart => "(".to_owned(),
        Token::VariationEnd => ")".to_owned(),
        Token::Remark(remark) => remark.text.to_string(),
        Token::GameStart | Token::Tag(_) | Token::Result(_) | Token::GameEnd => return,
    };
    add_word(text, &word);
}

fn add_word(text: &mut String, word: &str) {
    text.push(' ');
    // Within a comment, these would end it.
    text.push_str(&word.replace(['{', '}'], "|"));
}
