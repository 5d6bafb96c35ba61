//! Games of text files as trees, for the module `tabiya.pgn`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, ErrorKind, Read};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use tabiya::san::{PieceLetters, PieceLettersError};
use tabiya::{CastlingMode, Color, Move, Rank, UciMove};
use tabiya_pgn::{
    Bytes, Chunk, Chunks, Comment, Eval, GameProblem, GameTree, NodeId, ProblemCause, Reader,
    Replay, Tag, Token,
};

use crate::classes;
use crate::color;
use crate::data::make;
use crate::moves::PyMove;

/// The lines of a file. Before each of them, a read fails: so no line is read that is not needed.
struct Lines<'a, 'py> {
    readline: &'a Bound<'py, PyAny>,
    /// All lines so far, and how much of them has been read.
    text: Vec<u8>,
    at: usize,
    /// The number of characters of all lines.
    characters: usize,
    /// Is the last line empty?
    is_empty: bool,
    /// Is the last brace an opening one?
    is_open: bool,
    /// Has the read before the next line failed?
    is_asked: bool,
}

impl Lines<'_, '_> {
    fn add(&mut self, line: &Bound<'_, PyAny>) -> PyResult<()> {
        let line = line.cast::<PyString>().map_err(|_| {
            let expected = "expected a file in text mode, such as open(path) or io.StringIO(text)";
            PyTypeError::new_err(expected)
        })?;
        self.characters += line.len()?;
        let (begin, has_ended) = (self.text.len(), self.text.ends_with(b"\n"));
        match line.to_str() {
            Ok(text) => self.text.extend_from_slice(text.as_bytes()),
            // Bytes that are not UTF-8, as Python keeps them in a text.
            Err(_) => {
                let bytes = line.call_method1("encode", ("utf-8", "surrogateescape"))?;
                self.text.extend_from_slice(bytes.cast::<PyBytes>()?.as_bytes());
            }
        }
        let added = &self.text[begin..];
        self.is_empty = has_ended && !added.is_empty() && added.trim_ascii().is_empty();
        let brace = added.iter().rfind(|byte| matches!(byte, b'{' | b'}'));
        self.is_open = brace.map_or(self.is_open, |&brace| brace == b'{');
        Ok(())
    }
}

impl Read for Lines<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.is_asked = !self.is_asked;
            if self.is_asked {
                // An empty line ends a game that has its result, unless a comment is open. An error that
                // may pass ends none.
                let is_end = self.is_empty && !self.is_open;
                return Err(if is_end { ErrorKind::Other } else { ErrorKind::WouldBlock }.into());
            }
            let line = self.readline.call0().map_err(io::Error::other)?;
            self.add(&line).map_err(io::Error::other)?;
        }
        let read = (&self.text[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

/// The next game of a file: its text, the text that was read after it, and the number of characters
/// before that text. `ahead` is such a text from the game before, and `letters` are those of the pieces.
///
/// # Errors
/// `ValueError`: these are no letters of pieces. Any exception of `readline`.
#[pyfunction]
fn next_game<'py>(
    readline: &Bound<'py, PyAny>,
    ahead: &Bound<'py, PyString>,
    letters: Option<&str>,
) -> PyResult<(Option<GameText>, Bound<'py, PyAny>, usize)> {
    let py = readline.py();
    let letters = letters.map(str::parse).transpose();
    let letters =
        letters.map_err(|error: PieceLettersError| PyValueError::new_err(error.to_string()))?;
    let mut lines = Lines {
        readline,
        text: Vec::new(),
        at: 0,
        characters: 0,
        is_empty: false,
        is_open: false,
        is_asked: false,
    };
    lines.add(ahead)?;
    let mut chunks = Chunks::new(&mut lines, 1);
    let game = loop {
        match chunks.next_games(1) {
            Ok(Some(game)) if chunks.games() > 0 => break Some(game),
            // It is what stands between games.
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(error) if error.get_ref().is_none() => py.check_signals()?,
            Err(error) => return Err(error.downcast::<PyErr>().unwrap_or_else(PyErr::from)),
        }
    };
    let Lines { text, characters, .. } = lines;
    let end = game.as_ref().map_or(text.len(), |game| game.start.byte as usize + game.bytes.len());
    let rest = text[end..].trim_ascii_start();
    let rest = PyBytes::new(py, rest).call_method1("decode", ("utf-8", "surrogateescape"))?;
    let read = characters - rest.len()?;
    Ok((game.map(|game| GameText { game, letters }), rest, read))
}

/// The text of a game.
#[pyclass(module = "tabiya", frozen)]
struct GameText {
    game: Chunk,
    letters: Option<PieceLetters>,
}

impl GameText {
    fn reader(&self) -> Reader<Bytes<'_>> {
        Reader::part(&self.game.bytes, self.game.start, 0).with_letters(self.letters)
    }
}

#[pymethods]
impl GameText {
    /// The tags. Of those with the same name, the first one counts.
    fn tags(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        let mut names = HashSet::new();
        let tokens = self.reader().map_while(|token| match token.ok()? {
            Token::Move(_) | Token::VariationStart | Token::Result(_) => None,
            Token::Tag(tag) => Some(Some(tag)),
            _ => Some(None),
        });
        let tags = tokens.flatten().filter(|tag| names.insert(tag.name));
        tags.map(|tag| (tag.name.decode(), tag.printable_value())).collect()
    }

    /// Adds the moves, comments and glyphs to a `Game`, as objects of the class `ChildNode`. Returns
    /// the result, and the errors with their nodes.
    ///
    /// # Errors
    /// `ValueError`: the text cannot be read.
    fn fill<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<(&'static str, NodeErrors<'py>)> {
        let py = game.py();
        let mut tree = GameTree::with_blanks();
        let read = py.detach(|| tree.read_next(&mut self.reader()));
        read.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((tree.result().as_str(), Tree(&tree).fill(game, class)?))
    }
}

/// The errors of a game, each with its node.
type NodeErrors<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// A tree on its way to Python.
struct Tree<'t>(&'t GameTree);

impl Tree<'_> {
    /// The move that leads to a node.
    fn mv(&self, py: Python<'_>, id: NodeId) -> PyResult<&'static Py<PyMove>> {
        let Some(mv) = self.0.mv(id) else { return PyMove::NULL.object(py) };
        match self.rook(mv) {
            Some(to) => {
                PyMove { uci: Some(UciMove { from: mv.from(), to, promotion: None }) }.object(py)
            }
            None => PyMove::of(py, self.0.start(), mv),
        }
    }

    /// The square of the rook that castles in Chess960. It is the same as at the start.
    fn rook(&self, mv: Move) -> Option<tabiya::Square> {
        let (start, side) = (self.0.start(), mv.castling()?);
        let color = if mv.from().rank() == Rank::First { Color::White } else { Color::Black };
        match start.castling_mode() {
            CastlingMode::Chess960 => start.castling_rights().rook(color, side, mv.from()),
            CastlingMode::Standard => None,
        }
    }

    fn fill<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<NodeErrors<'py>> {
        let py = game.py();
        let tree = self.0;
        let mut nodes: Vec<Option<Bound<'_, PyAny>>> = Vec::new();
        let mut ahead = vec![(NodeId::ROOT, game.clone())];
        while let Some((id, node)) = ahead.pop() {
            self.notes(id, &node)?;
            for child in tree.children(id) {
                ahead.push((child, class.call1((&node, self.mv(py, child)?))?));
            }
            nodes.resize(nodes.len().max(id.index() + 1), None);
            nodes[id.index()] = Some(node);
        }
        let errors = tree.problems().iter().map(|GameProblem { place, node, cause }| {
            let ply = match cause {
                ProblemCause::Replay(error) => Some(error.ply()).filter(|&ply| ply > 0),
                _ => None,
            };
            let message = cause.to_string();
            let arguments = (message, None::<&str>, place.line, place.column, place.byte, 0, ply);
            let node = nodes.get(node.index()).cloned().flatten();
            let error = make!(py, "tabiya.errors", "PgnError", arguments)?;
            Ok((node.unwrap_or_else(|| game.clone()), error))
        });
        errors.collect()
    }

    /// Sets the comments and the glyphs of a node.
    fn notes(&self, id: NodeId, node: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, tree) = (node.py(), self.0);
        let set = |name: &Bound<'_, PyString>, texts: &mut dyn Iterator<Item = &str>| {
            let mut texts = texts.map(|text| {
                // As in chess.pgn: one space after the brace, and one before.
                let text = text.strip_prefix(' ').unwrap_or(text);
                text.strip_suffix(' ').unwrap_or(text)
            });
            match (texts.next(), texts.next()) {
                (None, _) => Ok(()),
                (Some(text), None) => node.setattr(name, text),
                (Some(first), Some(second)) => {
                    let all: Vec<&str> = [first, second].into_iter().chain(texts).collect();
                    node.setattr(name, all.join(" "))
                }
            }
        };
        set(pyo3::intern!(py, "comment"), &mut tree.comments(id))?;
        set(pyo3::intern!(py, "starting_comment"), &mut tree.comments_before(id))?;
        let nags: Vec<u8> = tree.nags(id).map(|nag| nag.0).collect();
        if !nags.is_empty() {
            node.getattr(pyo3::intern!(py, "nags"))?
                .call_method1(pyo3::intern!(py, "update"), (PyList::new(py, nags)?,))?;
        }
        Ok(())
    }
}

/// Is the variant with this name Chess960? `None` if its rules are not those of chess.
#[pyfunction]
fn variant_is_chess960(name: &str) -> Option<bool> {
    let mut replay = Replay::new();
    let tag = Tag { name: b"Variant".into(), raw_value: name.into() };
    replay.play(&Token::Tag(tag)).ok()?;
    replay.play(&Token::GameEnd).ok()?;
    Some(replay.position().castling_mode() == CastlingMode::Chess960)
}

/// The times in a comment, `[%clk]` and `[%emt]`, in seconds, and the evaluation for White: hundredths of
/// a pawn or the moves to a mate, and the depth.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "it is taken apart at once")]
fn comment_facts(
    text: &str,
    white_moved: bool,
) -> (Option<f64>, Option<f64>, Option<(Option<i32>, Option<i32>, Option<u32>)>) {
    let comment = Comment::new(text.as_bytes());
    let mover = color::from_bool(white_moved);
    let eval = comment.eval_for(mover).map(|eval| match eval.score {
        Eval::Centipawns(centipawns) => (Some(centipawns), None, eval.depth),
        Eval::Mate(moves) => (None, Some(moves), eval.depth),
    });
    let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
    (seconds(comment.clock()), seconds(comment.elapsed()), eval)
}

/// The arrows and coloured squares of a comment: tail, head and the letter of the colour.
#[pyfunction]
fn comment_marks(text: &str) -> Vec<(u8, u8, char)> {
    let marks = Comment::new(text.as_bytes()).marks();
    marks.map(|mark| (mark.from as u8, mark.to as u8, mark.color.letter())).collect()
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<GameText>(module)?;
    module.add_function(wrap_pyfunction!(next_game, module)?)?;
    module.add_function(wrap_pyfunction!(variant_is_chess960, module)?)?;
    module.add_function(wrap_pyfunction!(comment_facts, module)?)?;
    module.add_function(wrap_pyfunction!(comment_marks, module)?)
}
