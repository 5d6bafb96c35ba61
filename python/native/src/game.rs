//! `Game`: a position with its history.

use std::collections::HashSet;

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyList, PyMappingProxy, PySlice, PySliceMethods, PyString};
use tabiya::{CastlingMode, Game, GameResult, Move, PackedPosition, Position};
use tabiya_pgn::{Place, Played, Reader, Replay, Termination, Token, WriteError, Writer};

use crate::classes;
use crate::errors::{self, raise};
use crate::moves::{MoveArg, PyMove};
use crate::outcome;
use crate::plain_picture;
use crate::position::PyPosition;
use crate::position_arg::{PositionArg, position_of};
use crate::signals;

/// A game: the start position, the moves that were played, and all positions between them.
///
/// Unlike a position, it knows how often a position has occurred. ``len`` is the number of plies; a
/// game is a sequence of its moves. Games are equal if they have the same start and the same moves;
/// tags and move counters do not matter. A game can change, so it has no hash.
///
/// A game has no null moves: passing the turn is not legal. ``push`` refuses ``Move.null()``, and a
/// PGN with a null move in the main line is an error.
///
/// ``fen`` is a FEN or a ``Position``. Raises ``FenError``.
///
/// >>> import tabiya
/// >>> game = tabiya.Game()
/// >>> for text in ["f3", "e5", "g4", "Qh4#"]:
/// ...     move = game.push(text)
/// >>> game.outcome()
/// Outcome(termination=<Termination.CHECKMATE: 'checkmate'>, winner=False)
/// >>> game.pop()
/// Move.from_uci('d8h4')
/// >>> len(game), game.outcome()
/// (3, None)
#[pyclass(name = "Game", module = "tabiya", sequence)]
#[derive(Clone)]
pub(crate) struct PyGame {
    game: Game,
    /// The tags in their order.
    tags: Vec<(String, String)>,
}

impl From<Game> for PyGame {
    fn from(game: Game) -> Self {
        Self { game, tags: Vec::new() }
    }
}

/// A PGN as text or bytes.
enum PgnArg {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for PgnArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return errors::unicode(&text).map(Self::Text);
        }
        object.extract().map(Self::Bytes).map_err(|_| {
            let kind = object.get_type();
            PyTypeError::new_err(format!("expected a PGN as str or bytes, not {kind}"))
        })
    }
}

impl PyGame {
    /// All positions, from the start.
    pub(crate) fn line(&self) -> &[Position] {
        self.game.positions()
    }

    /// The last position and the move that led to it.
    fn last(&self) -> Option<(&Position, Move)> {
        let mv = *self.game.moves().last()?;
        Some((&self.game.positions()[self.game.moves().len() - 1], mv))
    }

    /// The result: that of the rules, else that of the tags.
    fn termination(&self) -> Termination {
        match self.game.outcome().map(|outcome| outcome.result()) {
            Some(GameResult::WhiteWins) => Termination::WhiteWins,
            Some(GameResult::BlackWins) => Termination::BlackWins,
            Some(GameResult::Draw) => Termination::Draw,
            None => stated(&self.tags).unwrap_or(Termination::Unknown),
        }
    }

    /// The moves with their numbers, at most this number of plies.
    fn movetext(&self, plies: usize) -> String {
        let mut text = String::new();
        let moves = self.game.positions().iter().zip(self.game.moves());
        for (index, (position, &mv)) in moves.take(plies).enumerate() {
            match position.turn() {
                tabiya::Color::White => text += &format!("{}. ", position.fullmove_number()),
                tabiya::Color::Black if index == 0 => {
                    text += &format!("{}... ", position.fullmove_number());
                }
                tabiya::Color::Black => {}
            }
            text += &format!("{} ", position.san(mv));
        }
        if self.game.moves().len() > plies {
            text += "... ";
        }
        text
    }

    fn move_object<'py>(&self, py: Python<'py>, index: usize) -> PyResult<&'static Py<PyMove>> {
        PyMove::of(py, &self.game.positions()[index], self.game.moves()[index])
    }

    fn write(&self, tags: &[(String, String)], result: Termination) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(Vec::new());
        writer.begin_game();
        let start = self.game.start();
        let is_usual = *start == Position::START
            && start.fen().to_string() == Position::START.fen().to_string()
            && start.castling_mode() == CastlingMode::Standard;
        if !is_usual {
            writer.tag("FEN", &start.fen().to_string())?;
            writer.tag("SetUp", "1")?;
            if start.castling_mode() == CastlingMode::Chess960 {
                writer.tag("Variant", "Chess960")?;
            }
        }
        for (name, value) in tags {
            // The game itself determines these tags.
            if !["FEN", "SetUp", "Variant", "Result"].contains(&name.as_str()) {
                writer.tag(name, value)?;
            }
        }
        for (position, &mv) in self.game.positions().iter().zip(self.game.moves()) {
            writer.mv(&position.san(mv).to_string())?;
        }
        writer.end_game(result)?;
        writer.finish()
    }
}

/// The names and values of tags.
fn tag_list(tags: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let items = tags.call_method0("items")?.try_iter()?.map(|item| {
        let (name, value): (String, Bound<'_, PyAny>) = item?.extract()?;
        PyResult::Ok((name, value.str()?.to_str()?.to_owned()))
    });
    items.collect()
}

/// The result according to the first tag `Result`; `None` if it is missing or says something else.
fn stated(tags: &[(String, String)]) -> Option<Termination> {
    let (_, value) = tags.iter().find(|(name, _)| name == "Result")?;
    Termination::from_bytes(value.as_bytes())
}

/// The first game of a PGN.
fn from_pgn(py: Python<'_>, bytes: &[u8]) -> PyResult<PyGame> {
    let error = |reason: String, place: Place, ply: Option<u32>| {
        let arguments = (
            reason,
            None::<&str>,
            place.line,
            place.column,
            place.byte,
            1,
            ply.filter(|&it| it > 0),
        );
        raise!(py, PgnError, arguments)
    };
    let mut reader = Reader::from_bytes(bytes);
    let mut replay = Replay::new();
    let mut tags = Vec::new();
    let mut game: Option<Game> = None;
    let mut tokens = 0;
    while let Some(token) = Iterator::next(&mut reader) {
        tokens += 1;
        signals::pause_at(py, tokens)?;
        let ply = replay.ply();
        let token = token.map_err(|it| error(it.kind().to_string(), it.place(), Some(ply)))?;
        // Variations are skipped token by token: a single one may take seconds.
        if reader.depth() > 0 || token == Token::VariationEnd {
            continue;
        }
        let played = replay.play(&token).map_err(|it| {
            let place = if it.is_number() { reader.note_place() } else { reader.place() };
            error(it.to_string(), place, Some(it.ply()))
        })?;
        match token {
            Token::GameStart => continue,
            Token::Tag(tag) => {
                tags.push((tag.name.decode().into_owned(), tag.printable_value().into_owned()));
                // A game that began with a comment before this tag did not know the start position.
                game = None;
                continue;
            }
            // Before the game.
            Token::Remark(_) if reader.game() == 0 => continue,
            Token::Move(_) if played == Played::Null => {
                let reason = "a Game can't hold a null move; tabiya.pgn can".to_owned();
                return Err(error(reason, reader.place(), Some(replay.ply())));
            }
            _ => {}
        }
        // The tags have been read, so the start position is known.
        let game = game.get_or_insert_with(|| Game::from_position(replay.before().clone()));
        match token {
            Token::Move(_) => {
                // The replay has checked the move.
                let pushed = played.mv().map_or(Ok(()), |mv| game.push(mv));
                pushed.map_err(|it| error(it.to_string(), reader.place(), Some(replay.ply())))?;
            }
            Token::Result(marker) => {
                let of_tag = stated(&tags);
                tags.retain(|(name, _)| name != "Result");
                let result = Termination::of_game(Some(marker), of_tag);
                tags.push(("Result".to_owned(), result.to_string()));
            }
            Token::GameEnd => break,
            _ => {}
        }
    }
    match game {
        Some(game) => Ok(PyGame { game, tags }),
        None => Err(error("there is no game".to_owned(), reader.end(), None)),
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (fen=None, chess960=false), text_signature = "(fen=START, chess960=False)")]
    fn new(py: Python<'_>, fen: Option<PositionArg<'_>>, chess960: bool) -> PyResult<Self> {
        Ok(Game::from_position(position_of(py, fen.as_ref(), chess960)?).into())
    }

    /// The first game of a PGN, which is text or bytes. Variations and comments are skipped.
    ///
    /// Its tags are in ``tags``; ``Result`` is the result after the moves, but if that is ``*``, it
    /// stays what the first such tag says. Bytes are UTF-8 or, if they are not, Latin-1.
    ///
    /// Raises ``PgnError`` if the game cannot be read, or if a move is not legal.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game.from_pgn('[White "Fool"]\n\n1. f3 e5 (1... c5) 2. g4 Qh4# 0-1')
    /// >>> game.sans(), game.tags["White"], game.result()
    /// (['f3', 'e5', 'g4', 'Qh4#'], 'Fool', '0-1')
    #[staticmethod]
    #[pyo3(name = "from_pgn")]
    fn read_pgn(py: Python<'_>, pgn: PgnArg) -> PyResult<Self> {
        match pgn {
            PgnArg::Text(text) => from_pgn(py, text.as_bytes()),
            PgnArg::Bytes(bytes) => from_pgn(py, &bytes),
        }
    }

    /// Plays a move, which is a ``Move`` or a text in any notation, and returns the ``Move``.
    ///
    /// A drawn game may continue, for example in an analysis.
    ///
    /// Raises ``MoveError`` if the move is not legal or is a null move. The game is then unchanged.
    #[pyo3(signature = (r#move, /))]
    fn push(&mut self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<&'static Py<PyMove>> {
        let mv = r#move.legal(py, self.game.position())?;
        let object = PyMove::of(py, self.game.position(), mv)?;
        // The move is legal, so this error does not occur.
        self.game.push(mv).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(object)
    }

    /// Takes back the last move and returns it.
    ///
    /// Raises ``IndexError`` at the start of the game.
    fn pop(&mut self, py: Python<'_>) -> PyResult<&'static Py<PyMove>> {
        let Some(mv) = self.game.pop() else {
            return Err(PyIndexError::new_err("there is no move to take back"));
        };
        PyMove::of(py, self.game.position(), mv)
    }

    /// The current position.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::of(self.game.position().clone())
    }

    /// The start position.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::of(self.game.start().clone())
    }

    /// The moves that were played, as a list of ``Move``.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<&'static Py<PyMove>>> {
        (0..self.game.moves().len()).map(|index| self.move_object(py, index)).collect()
    }

    /// The start position, and the position after each move, as a list of ``Position``.
    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        self.game.positions().iter().cloned().map(PyPosition::of).collect()
    }

    /// The tags of the game, by name; of a tag that it has twice, the first. The mapping cannot be
    /// changed; set the attribute to change them.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game()
    /// >>> game.tags = {"White": "Morphy"}
    /// >>> dict(game.tags)
    /// {'White': 'Morphy'}
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.tags {
            if !tags.contains(name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(PyMappingProxy::new(py, tags.as_mapping()))
    }

    #[setter]
    fn set_tags(slf: &Bound<'_, Self>, tags: &Bound<'_, PyAny>) -> PyResult<()> {
        // Making a text of a value may look at the game.
        let tags = tag_list(tags)?;
        slf.try_borrow_mut()?.tags = tags;
        Ok(())
    }

    /// The outcome of the game without a claim, as an ``Outcome``; ``None`` if it goes on.
    ///
    /// The game ends by checkmate, stalemate, insufficient material, the seventy-five-move rule, or
    /// the fifth occurrence of a position.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game()
    /// >>> for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * 4:
    /// ...     move = game.push(text)
    /// >>> game.outcome().termination.value
    /// 'fivefold-repetition'
    fn outcome<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // The call runs Python code, so the game must not be borrowed during it.
        let outcome = slf.try_borrow()?.game.outcome();
        outcome.map(|it| outcome::to_python(slf.py(), it)).transpose()
    }

    /// The draw that the side to move may claim now, as an ``Outcome``: by the fifty-move rule, or
    /// by the third occurrence of the position. ``None`` if there is none, or if the game is over.
    ///
    /// With a move: the draw that the side to move may claim by announcing that move.
    ///
    /// Raises ``MoveError`` if the move is not legal.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game()
    /// >>> for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
    /// ...     move = game.push(text)
    /// >>> game.claim(), game.claim("Ng8").termination.value
    /// (None, 'threefold-repetition')
    #[pyo3(signature = (r#move=None, /))]
    fn claim<'py>(
        slf: &Bound<'py, Self>,
        r#move: Option<MoveArg<'_>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let this = slf.try_borrow()?;
        let claim = match r#move {
            None => this.game.claim(),
            Some(mv) => {
                let mv = mv.legal(py, this.game.position())?;
                let claim = this.game.claim_by(mv);
                claim.map_err(|error| PyValueError::new_err(error.to_string()))?
            }
        };
        // The call runs Python code.
        drop(this);
        claim.map(|it| outcome::to_python(py, it)).transpose()
    }

    /// The number of times that the current position has occurred, including now.
    fn occurrences(&self) -> usize {
        self.game.occurrences()
    }

    /// ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``: by the rules of the game, otherwise by the tag
    /// ``Result``.
    fn result(&self) -> &'static str {
        self.termination().as_str()
    }

    /// The moves in standard algebraic notation.
    fn sans(&self) -> Vec<String> {
        let moves = self.game.positions().iter().zip(self.game.moves());
        moves.map(|(position, &mv)| position.san(mv).to_string()).collect()
    }

    /// The moves in UCI.
    fn ucis(&self) -> Vec<String> {
        let moves = self.game.positions().iter().zip(self.game.moves());
        moves.map(|(position, &mv)| position.uci(mv).to_string()).collect()
    }

    /// The game in PGN: the tags, the moves in lines of fewer than 80 characters, and the result.
    ///
    /// ``tags`` replace tags of the game with the same names. The tags ``FEN``, ``SetUp`` and
    /// ``Variant`` follow from the start position, and ``Result`` from ``result``, which is
    /// ``result()`` unless it is given.
    ///
    /// Raises ``ValueError`` if a tag cannot be written, or if the result is not one.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game()
    /// >>> move = game.push("e4")
    /// >>> print(game.pgn(tags={"White": "Morphy"}, result="1-0").splitlines()[-2])
    /// 1. e4 1-0
    #[pyo3(signature = (*, tags=None, result=None))]
    fn pgn<'py>(
        slf: &Bound<'py, Self>,
        tags: Option<&Bound<'_, PyAny>>,
        result: Option<&str>,
    ) -> PyResult<Bound<'py, PyString>> {
        let given = result.map(|text| {
            Termination::from_bytes(text.as_bytes()).ok_or_else(|| {
                let expected = "expected 1-0, 0-1, 1/2-1/2 or * as result";
                PyValueError::new_err(format!("{expected}, not {text:?}"))
            })
        });
        let given = given.transpose()?;
        // Making a text of a value may play moves.
        let tags = tags.map(tag_list).transpose()?;
        let this = slf.try_borrow()?;
        let result = given.unwrap_or_else(|| this.termination());
        let mut all = this.tags.clone();
        if let Some(tags) = tags {
            let replaced: HashSet<&String> = tags.iter().map(|(name, _)| name).collect();
            all.retain(|(name, _)| !replaced.contains(name));
            all.extend(tags);
        }
        let bytes = this.write(&all, result).map_err(|error| {
            PyValueError::new_err(format!("the game cannot be written: {error}"))
        })?;
        PyString::from_bytes(slf.py(), &bytes)
    }

    /// A copy, which changes independently.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.game.moves().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.moves(py)?)?.try_iter()?.into_any())
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let len = self.game.moves().len();
        if let Ok(slice) = index.cast::<PySlice>() {
            let place = slice.indices(len as isize)?;
            let indices = (0..place.slicelength as isize).map(|it| place.start + it * place.step);
            let moves = indices.map(|it| self.move_object(py, it.unsigned_abs()));
            return Ok(PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let wanted: isize = index.extract()?;
        let place = if wanted < 0 { wanted + len as isize } else { wanted };
        let place = usize::try_from(place).ok().filter(|&place| place < len).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no move {wanted} in a game of {len} plies"))
        })?;
        Ok(self.move_object(py, place)?.bind(py).clone().into_any())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
    }

    fn __repr__(&self) -> String {
        let start = self.game.start();
        let start = match *start == Position::START {
            true => String::new(),
            false => format!(" from {}", start.fen()),
        };
        format!("<Game{start}: {}{}>", self.movetext(10), self.result())
    }

    fn _repr_svg_(&self) -> String {
        match self.last() {
            Some((before, mv)) => plain_picture::svg_after(self.game.position(), before.uci(mv)),
            None => plain_picture::svg_of(self.game.position()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let py = slf.py();
        let this = slf.try_borrow()?;
        let start = PackedPosition::of(this.game.start()).to_bytes();
        let plies = this.game.moves();
        let moves = PyBytes::new_with(py, 2 * plies.len(), |bytes| {
            for (bytes, mv) in bytes.as_chunks_mut().0.iter_mut().zip(plies) {
                *bytes = mv.bits().to_be_bytes();
            }
            Ok(())
        })?;
        let arguments = (PyBytes::new(py, &start), moves, this.tags.clone());
        Ok((py.get_type::<Self>().getattr("_unpickled")?, arguments))
    }

    /// The game with this packed start position, these moves and these tags.
    #[staticmethod]
    #[pyo3(signature = (start, moves, tags, /))]
    fn _unpickled(start: &[u8], moves: &[u8], tags: Vec<(String, String)>) -> PyResult<Self> {
        let wrong = || PyValueError::new_err("the bytes are not a pickled game");
        let start = start.try_into().map_err(|_| wrong())?;
        let start = PackedPosition::from_bytes(start).unpack().map_err(|_| wrong())?;
        let mut game = Game::from_position(start);
        let (moves, rest) = moves.as_chunks();
        if !rest.is_empty() {
            return Err(wrong());
        }
        for &bits in moves {
            let mv = Move::from_bits(u16::from_be_bytes(bits)).ok_or_else(wrong)?;
            game.push(mv).map_err(|_| wrong())?;
        }
        Ok(Self { game, tags })
    }
}

/// The arguments of `_unpickled`.
type Pickled<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<(String, String)>);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyGame>(module)
}
