//! Reading and writing EPD: a position and operations with values.

use std::fmt::Write as _;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use tabiya::Notation;
use tabiya::epd::{Epd, Operand, Operation};

use super::state::State;
use super::{PyBoard, fen, legal, mode};
use crate::errors::{self, raise};
use crate::moves::{MoveArg, PyMove};
use crate::signals;

/// A position to put before operations so that they can be read. Their moves are resolved later, in
/// the board's own position.
const PLACEHOLDER: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

/// The first four fields of an EPD, and the operations. As in python-chess, there may be dashes
/// before the operations, and the last quotation mark may be missing.
fn split(epd: &str) -> (String, String) {
    let mut rest = epd.trim();
    let mut fields = Vec::new();
    while fields.len() < 4 && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        fields.push(field.trim_end_matches(';'));
        rest = after.trim_start();
    }
    while let Some(after) = rest.strip_prefix('-')
        && after.chars().next().is_none_or(char::is_whitespace)
    {
        rest = after.trim_start();
    }
    let mut rest = rest.to_owned();
    let (mut is_quoted, mut is_escaped) = (false, false);
    for letter in rest.chars() {
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
    }
    if is_quoted {
        rest.push('"');
    }
    (fields.join(" "), rest)
}

impl PyBoard {
    /// Reads an EPD into this board.
    fn read_epd<'py>(&mut self, py: Python<'py>, epd: &str) -> PyResult<Bound<'py, PyDict>> {
        let (text, rest) = split(epd);
        let mut state = fen::read(py, &text, self.state.mode())?;
        let line = format!("{PLACEHOLDER} {rest}");
        let read = Epd::read(&line).map_err(|error| {
            raise!(py, FenError, (error.to_string(), epd, epd.chars().count(), epd.chars().count()))
        })?;
        let operations = PyDict::new(py);
        let board = Self::with(state.clone());
        // The operations may follow a whole FEN.
        let mut counters = state.setup();
        counters.halfmove_clock = read.position().halfmove_clock();
        counters.fullmove_number = read.position().fullmove_number();
        for operation in read.operations() {
            let value = match operation {
                Operation::BestMoves(moves) | Operation::AvoidMoves(moves) => {
                    let texts = moves.texts().map(|text| board.value_move(py, text));
                    PyList::new(py, texts.collect::<PyResult<Vec<_>>>()?)?.into_any()
                }
                Operation::PrincipalVariation(moves) => board.line(py, moves.texts())?.into_any(),
                Operation::Id(text) => text.to_string().into_pyobject(py)?.into_any(),
                Operation::Comment { text, .. } => text.to_string().into_pyobject(py)?.into_any(),
                Operation::Evaluation(number) => number.into_pyobject(py)?.into_any(),
                Operation::AnalysisDepth(number) | Operation::DirectMate(number) => {
                    number.into_pyobject(py)?.into_any()
                }
                Operation::AnalysisNodes(number) | Operation::AnalysisSeconds(number) => {
                    number.into_pyobject(py)?.into_any()
                }
                Operation::Perft { nodes, .. } => nodes.to_string().parse::<u64>().map_or_else(
                    |_| py.get_type::<PyInt>().call1((nodes.to_string(),)),
                    |nodes| Ok(nodes.into_pyobject(py)?.into_any()),
                )?,
                Operation::HalfmoveClock(number) | Operation::FullmoveNumber(number) => {
                    number.into_pyobject(py)?.into_any()
                }
                Operation::Other { operands, .. } => {
                    let list: Vec<_> = operands.iter().collect();
                    match &list[..] {
                        [] => py.None().into_bound(py),
                        [Operand::Quoted(text)] => text.to_string().into_pyobject(py)?.into_any(),
                        [Operand::Word(word)] => board.value(py, word)?,
                        _ => operands.as_str().into_pyobject(py)?.into_any(),
                    }
                }
                _ => py.None().into_bound(py),
            };
            operations.set_item(opcode(&operation), value)?;
        }
        if counters != state.setup() {
            state = State::new(counters);
        }
        *self.state = state;
        self.stack.clear();
        Ok(operations)
    }

    /// A value without quotes: a number, or a move.
    fn value<'py>(&self, py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(number) = word.parse::<i64>() {
            return Ok(number.into_pyobject(py)?.into_any());
        }
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() {
            // It has more than 64 bits.
            return py.get_type::<PyInt>().call1((word,));
        }
        let is_number = digits.starts_with(|letter: char| letter == '.' || letter.is_ascii_digit());
        if let (true, Ok(number)) = (is_number, word.parse::<f64>())
            && number.is_finite()
        {
            return Ok(PyFloat::new(py, number).into_any());
        }
        Ok(self.value_move(py, word)?.bind(py).clone().into_any())
    }

    fn value_move(&self, py: Python<'_>, text: &str) -> PyResult<&'static Py<PyMove>> {
        match self.read_move(py, text)? {
            Some(mv) => self.state.object(py, mv),
            None => PyMove::NULL.object(py),
        }
    }

    /// The moves of a line, each played before the next is read.
    fn line<'py, 'a>(
        &self,
        py: Python<'py>,
        texts: impl Iterator<Item = &'a str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut board = Self::with(State::clone(&self.state));
        let moves = PyList::empty(py);
        for text in texts {
            let mv = board.read_move(py, text)?;
            moves.append(board.value_move(py, text)?)?;
            board.push_move(mv);
        }
        Ok(moves)
    }

    /// The text of a value.
    fn operand(&self, py: Python<'_>, opcode: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = value.cast::<PyString>() {
            let text = text.to_str()?.replace('\\', "\\\\").replace('"', "\\\"");
            let text = text.replace(['\r', '\n'], " ");
            return Ok(format!(" \"{text}\""));
        }
        if let Ok(number) = value.cast::<PyFloat>()
            && !number.value().is_finite()
        {
            let text = format!("{opcode}: expected a finite number, not {value}");
            return Err(PyValueError::new_err(text));
        }
        if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
            return Ok(format!(" {}", value.str()?));
        }
        if let Ok(mv) = value.cast::<PyMove>() {
            return self.san_of(py, &MoveArg::Move(mv.clone()));
        }
        let mut board = Self::with(State::clone(&self.state));
        let mut texts = Vec::new();
        for (number, mv) in value.try_iter()?.enumerate() {
            let mv = mv?.extract::<MoveArg<'_>>()?;
            texts.push(board.san_of(py, &mv)?);
            if opcode == "pv" {
                let mv = legal::resolve(py, &board.state, &mv)?;
                board.push_move(mv);
            }
            // The moves may never end.
            signals::pause_at(py, number)?;
        }
        if opcode != "pv" {
            texts.sort_unstable();
        }
        Ok(texts.concat())
    }

    fn san_of(&self, py: Python<'_>, mv: &MoveArg<'_>) -> PyResult<String> {
        let mv = legal::resolve(py, &self.state, mv)?;
        Ok(format!(" {}", self.state.text(mv, Notation::San)))
    }
}

/// The text would be read as other operations if the name of one had such characters.
///
/// # Errors
/// `ValueError`.
fn check_opcode(opcode: &str) -> PyResult<()> {
    let is_wrong = |letter: char| letter.is_whitespace() || letter == ';' || letter == '"';
    if opcode.is_empty() || opcode == "-" || opcode.contains(is_wrong) {
        let found = errors::quoted(opcode);
        let text = format!("expected the name of an operation of EPD, not {found}");
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// The name of an operation, with its number.
fn opcode(operation: &Operation<'_>) -> String {
    match operation {
        Operation::Comment { number, .. } => format!("c{number}"),
        Operation::Perft { depth, .. } => format!("D{depth}"),
        other => other.opcode().to_owned(),
    }
}

#[pymethods]
impl PyBoard {
    /// The board as EPD: the first four fields of FEN, and operations.
    ///
    /// The values of operations are ``None``, text, numbers, moves, or several moves. The moves of
    /// ``pv`` are a line; others are written in alphabetical order.
    ///
    /// Raises ``MoveError`` if a move is not legal, and ``ValueError`` if the name of an operation
    /// cannot be written, or a number is not finite.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.epd(hmvc=board.halfmove_clock, id="start", bm=[board.parse_san("e4")])
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; id "start"; bm e4;'
    #[pyo3(signature = (*, shredder=false, en_passant="legal", promoted=None, **operations))]
    fn epd(
        slf: &Bound<'_, Self>,
        shredder: bool,
        en_passant: &str,
        promoted: Option<bool>,
        operations: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let _ = promoted;
        let py = slf.py();
        // Iterating over the values may run Python code, so the board must not be borrowed during
        // it.
        let board = Self::with(State::clone(&slf.try_borrow()?.state));
        let mut text = board.position_text(shredder, en_passant)?;
        for (opcode, value) in operations.into_iter().flatten() {
            let opcode: String = opcode.extract()?;
            check_opcode(&opcode)?;
            let operand = match value.is_none() {
                true => String::new(),
                false => board.operand(py, &opcode, &value)?,
            };
            let written = write!(text, " {opcode}{operand};");
            debug_assert!(written.is_ok(), "a string takes all text");
        }
        Ok(text)
    }

    /// Sets the board to an EPD, drops the moves, and returns the operations by name.
    ///
    /// Raises ``FenError`` or ``MoveError``.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.set_epd('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castling"; acd 3;')
    /// {'bm': [Move.from_uci('e1g1')], 'id': 'castling', 'acd': 3}
    fn set_epd<'py>(&mut self, py: Python<'py>, epd: &str) -> PyResult<Bound<'py, PyDict>> {
        self.read_epd(py, epd)
    }

    /// A board with an EPD, and the operations by name.
    #[classmethod]
    #[pyo3(signature = (epd, *, chess960=false))]
    fn from_epd<'py>(
        class: &Bound<'py, PyType>,
        epd: &str,
        chess960: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = class.py();
        let mut board = Self::with(State::empty(mode(chess960)));
        let operations = board.read_epd(py, epd)?;
        (board.instance(class)?, operations).into_pyobject(py)
    }
}
