//! Moves that a caller gives, and legal moves.

use std::ops::Range;

use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString};
use tabiya::attacks::{MethodVisitor, Sliders};
use tabiya::movegen::Legal;
use tabiya::{Move, Notation, NotationError, Position, Role, UciMove};

use super::PyBatch;
use super::encoding::{Encoding, Lc0, Orientation};
use super::read::{OnError, Reading};
use super::reason::Reason;
use super::rows;
use super::write::{self, Lines};
use crate::arrays::{self, Output};
use crate::board::PyBoard;
use crate::errors::raise;
use crate::moves::PyMove;
use crate::position::PyPosition;
use crate::threads::{BLOCK, ThreadsArg, Work};
use crate::{signals, sizes, tensor};

/// The meaning of the numbers of moves.
#[derive(Clone, Copy)]
pub(super) struct Numbering {
    pub(super) encoding: Encoding,
    pub(super) orientation: Orientation,
}

/// Moves that a caller gives: `uint16` as in `Move::bits`, numbers of an encoding, or objects.
pub(super) enum Moves<'py> {
    Bits(PyReadonlyArrayDyn<'py, u16>),
    Numbers(PyReadonlyArrayDyn<'py, i64>, Numbering),
    Objects(Vec<Bound<'py, PyAny>>),
}

impl<'py> Moves<'py> {
    /// The moves of an object.
    ///
    /// # Errors
    /// `TypeError` or `ValueError`: it does not hold moves in one dimension. Or as [`Encoding::check`].
    pub(super) fn new(
        object: &Bound<'py, PyAny>,
        encoding: Option<Encoding>,
        orientation: Orientation,
    ) -> PyResult<Self> {
        let numbering = encoding.map(|encoding| {
            encoding.check(orientation).map(|()| Numbering { encoding, orientation })
        });
        let numbering = numbering.transpose()?;
        if object.is_instance_of::<PyString>() {
            let text = "moves: expected a list or an array of moves, not a single text";
            return Err(PyTypeError::new_err(text));
        }
        let tensor =
            tensor::is_tensor(object)?.then(|| tensor::array("moves", object)).transpose()?;
        let array = match &tensor {
            Some(array) => Ok(array),
            None => object.cast::<PyUntypedArray>(),
        };
        if let (Ok(array), None) = (&array, numbering) {
            if arrays::is::<u16>(&array.dtype()) {
                return Ok(Self::Bits(arrays::input("moves", one_dimension(array)?)?));
            }
            if matches!(array.dtype().kind(), b'i' | b'u') {
                let text = "moves: expected uint16 as in legal_moves(); for numbers of an \
                            encoding, say which: encoding=\"uci\" or encoding=\"az\"";
                return Err(PyTypeError::new_err(text));
            }
        }
        let items = match &array {
            Ok(array) if !matches!(array.dtype().kind(), b'O' | b'U' | b'T') => None,
            Ok(array) => Some(one_dimension(array)?.call_method0("tolist")?.try_iter()?),
            Err(_) => Some(object.try_iter()?),
        };
        let objects = match items {
            None => None,
            Some(items) => Some(sizes::collect(object.py(), items)?),
        };
        match (objects, numbering) {
            (Some(objects), None) => Ok(Self::Objects(objects)),
            (Some(objects), Some(_)) if objects.iter().any(is_move) => Ok(Self::Objects(objects)),
            (Some(objects), Some(numbering)) => {
                let list = PyList::new(object.py(), objects)?;
                Ok(Self::Numbers(arrays::input("moves", &list)?, numbering))
            }
            (None, Some(numbering)) => {
                let array = one_dimension(array?)?;
                Ok(Self::Numbers(arrays::input("moves", array)?, numbering))
            }
            (None, None) => {
                let kind = object.getattr("dtype")?;
                let text = format!("moves: expected moves or uint16, not an array of {kind}");
                Err(PyTypeError::new_err(text))
            }
        }
    }

    /// The moves in a form that threads can share.
    ///
    /// # Errors
    /// `ValueError`: an array is not contiguous.
    pub(super) fn view(&self) -> PyResult<MovesView<'_>> {
        Ok(match self {
            Self::Bits(values) => MovesView::Bits(values.as_slice()?),
            Self::Numbers(values, numbering) => MovesView::Numbers(values.as_slice()?, *numbering),
            Self::Objects(objects) => MovesView::Wishes(objects.iter().map(Wish::of).collect()),
        })
    }
}

fn is_move(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>() || object.is_instance_of::<PyMove>()
}

/// The array, if it has one dimension.
fn one_dimension<'a, 'py>(
    array: &'a Bound<'py, PyUntypedArray>,
) -> PyResult<&'a Bound<'py, PyAny>> {
    if array.ndim() == 1 {
        return Ok(array.as_any());
    }
    let found = array.ndim();
    Err(PyValueError::new_err(format!("moves: expected one dimension, not {found}")))
}

/// A move that a caller gives as an object.
pub(super) enum Wish<'a> {
    Uci(UciMove),
    Null,
    Text(&'a str),
    Bad(&'a Py<PyAny>),
}

impl<'a> Wish<'a> {
    fn of(object: &'a Bound<'_, PyAny>) -> Self {
        if let Ok(mv) = object.cast::<PyMove>() {
            return mv.get().uci.map_or(Self::Null, Self::Uci);
        }
        let text = object.cast::<PyString>().ok().and_then(|text| text.to_str().ok());
        text.map_or(Self::Bad(object.as_unbound()), Self::Text)
    }
}

/// Why an object is neither a move nor its text.
fn why_no_move(object: &Bound<'_, PyAny>) -> String {
    if let Ok(text) = object.cast::<PyString>() {
        return text.to_str().map_or_else(|error| error.to_string(), str::to_owned);
    }
    let is_number = object.is_instance_of::<PyInt>();
    let advice = if is_number { "; give numbers as a NumPy array of uint16" } else { "" };
    format!("expected a move or its text, not {}{advice}", object.get_type())
}

/// Moves that threads can share.
pub(super) enum MovesView<'a> {
    Bits(&'a [u16]),
    Numbers(&'a [i64], Numbering),
    Wishes(Vec<Wish<'a>>),
}

impl<'a> MovesView<'a> {
    /// The number of moves.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bits(bits) => bits.len(),
            Self::Numbers(numbers, _) => numbers.len(),
            Self::Wishes(wishes) => wishes.len(),
        }
    }

    /// Do the moves share memory with other values?
    fn share_memory<T>(&self, values: &[T]) -> bool {
        match self {
            Self::Bits(bits) => arrays::share_memory(bits, values),
            Self::Numbers(numbers, _) => arrays::share_memory(numbers, values),
            Self::Wishes(_) => false,
        }
    }

    /// The legal move of a position with this number in the list; `None` for a null move.
    ///
    /// # Errors
    /// The reason why there is none.
    fn resolve(
        &self,
        tables: &Tables,
        number: usize,
        position: &Position,
    ) -> Result<Option<Move>, Reason<'a>> {
        match self {
            Self::Bits(bits) => {
                let bits = bits.get(number).copied().ok_or("there is no move")?;
                let mv = Move::from_bits(bits).ok_or_else(|| {
                    format!(
                        "{bits:#06x} is not a move: no kind of move has the number {}",
                        bits >> 12
                    )
                })?;
                if position.is_legal(mv) {
                    Ok(Some(mv))
                } else {
                    Err(position.explain_move(mv).to_string().into())
                }
            }
            Self::Numbers(numbers, numbering) => {
                let index = numbers.get(number).copied().ok_or("there is no move")?;
                let uci = tables.decode(index, *numbering, position)?;
                Ok(Some(legal(position, uci)?))
            }
            Self::Wishes(wishes) => match wishes.get(number).ok_or("there is no move")? {
                Wish::Uci(uci) => Ok(Some(legal(position, *uci)?)),
                Wish::Null => Ok(None),
                Wish::Text(text) => {
                    position.parse_move(text).map(Some).map_err(|error| error.to_string().into())
                }
                Wish::Bad(object) => Err(Reason::Object(object, why_no_move)),
            },
        }
    }

    /// The same, but a null move is an error.
    fn resolve_legal(
        &self,
        tables: &Tables,
        number: usize,
        position: &Position,
    ) -> Result<Move, Reason<'a>> {
        let mv = self.resolve(tables, number, position)?;
        mv.ok_or_else(|| NotationError::Null { len: 4 }.to_string().into())
    }

    /// A move as text, for messages.
    fn show(&self, number: usize) -> String {
        match self {
            Self::Bits(bits) => {
                let bits = bits.get(number).copied().unwrap_or_default();
                Move::from_bits(bits).map_or_else(|| format!("{bits:#06x}"), |mv| mv.to_string())
            }
            Self::Numbers(numbers, _) => {
                numbers.get(number).map_or_else(String::new, i64::to_string)
            }
            Self::Wishes(wishes) => match wishes.get(number) {
                Some(Wish::Uci(uci)) => uci.to_string(),
                Some(Wish::Null) => "0000".to_owned(),
                Some(Wish::Text(text)) => (*text).to_owned(),
                Some(Wish::Bad(_)) | None => String::new(),
            },
        }
    }

    /// The table that decodes the moves.
    fn tables(&self) -> Tables {
        match self {
            Self::Numbers(_, numbering) => Tables(numbering.encoding.table()),
            Self::Bits(_) | Self::Wishes(_) => Tables(Vec::new()),
        }
    }
}

fn legal(position: &Position, uci: UciMove) -> Result<Move, String> {
    if let Some(mv) = position.find_uci(uci) {
        return Ok(mv);
    }
    position.explain(uci).verdict().map_err(|refusal| refusal.to_string())
}

/// The moves of an encoding by number.
struct Tables(Vec<Option<UciMove>>);

impl Tables {
    /// The move with a number.
    fn decode(
        &self,
        index: i64,
        numbering: Numbering,
        position: &Position,
    ) -> Result<UciMove, String> {
        let place = usize::try_from(index).ok().filter(|&index| index < self.0.len());
        let Some(place) = place else {
            return Err(format!("expected a number below {}, not {index}", self.0.len()));
        };
        let Some(mut mv) = self.0[place] else {
            return Err(format!("the move with the number {index} leads off the board"));
        };
        if numbering.orientation.flip(position.turn()) != 0 {
            (mv.from, mv.to) = (mv.from.flip_ranks(), mv.to.flip_ranks());
        }
        let to_last_rank = mv.to.rank() == (!position.turn()).back_rank();
        let is_pawn = || position.board().role_on(mv.from) == Some(Role::Pawn);
        if numbering.encoding == Encoding::Az && mv.promotion.is_none() && to_last_rank && is_pawn()
        {
            mv.promotion = Some(Role::Queen);
        }
        if numbering.encoding == Encoding::Lc0 { Lc0::read(position, mv) } else { Ok(mv) }
    }
}

/// The moves of each position: one, or any number by offsets.
pub(super) struct Spans<'a> {
    offsets: Option<&'a [i64]>,
}

impl<'a> Spans<'a> {
    /// # Errors
    /// `ValueError`: the number of moves is not that of the positions, or the offsets do not ascend
    /// from 0 to the number of moves.
    pub(super) fn new(
        offsets: Option<&'a [i64]>,
        positions: usize,
        moves: usize,
    ) -> PyResult<Self> {
        let Some(numbers) = offsets else {
            if moves == positions {
                return Ok(Self { offsets });
            }
            return Err(PyValueError::new_err(format!(
                "moves: expected one for each of {positions} positions, not {moves}; with several \
                 for each, give offsets="
            )));
        };
        let error = |text: String| Err(PyValueError::new_err(format!("offsets: {text}")));
        if numbers.len() != positions + 1 {
            return error(format!("expected {} numbers, not {}", positions + 1, numbers.len()));
        }
        if let Some(row) = numbers.windows(2).position(|pair| pair[0] > pair[1]) {
            return error(format!("expected ascending numbers, but number {} descends", row + 1));
        }
        if (numbers[0], numbers[positions]) != (0, moves as i64) {
            let (first, last) = (numbers[0], numbers[positions]);
            return error(format!("expected 0 to {moves}, not {first} to {last}"));
        }
        Ok(Self { offsets })
    }

    /// The moves of a position.
    fn of(&self, row: usize) -> Range<usize> {
        match self.offsets {
            None => row..row + 1,
            // They have been checked.
            Some(offsets) => offsets[row] as usize..offsets[row + 1] as usize,
        }
    }
}

/// The offsets that a caller gives.
pub(super) fn offsets<'py>(
    offsets: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<PyReadonlyArrayDyn<'py, i64>>> {
    offsets.map(|offsets| arrays::input("offsets", offsets)).transpose()
}

/// Moves that a caller gives, with their positions.
pub(super) struct Request<'a> {
    positions: &'a [Position],
    moves: MovesView<'a>,
    spans: Spans<'a>,
    tables: Tables,
}

/// A bad row: the number of the position, that of the move, and the reason.
type Bad<'a> = (usize, usize, Reason<'a>);

impl<'a> Request<'a> {
    /// # Errors
    /// As [`Spans::new`].
    pub(super) fn new(
        positions: &'a [Position],
        moves: &'a Moves<'_>,
        offsets: Option<&'a PyReadonlyArrayDyn<'_, i64>>,
    ) -> PyResult<Self> {
        let moves = moves.view()?;
        let offsets = offsets.map(|offsets| offsets.as_slice()).transpose()?;
        let spans = Spans::new(offsets, positions.len(), moves.len())?;
        let tables = moves.tables();
        Ok(Self { positions, moves, spans, tables })
    }

    /// An array with a value for each move.
    ///
    /// # Errors
    /// `BatchError`: a move is not legal. Or `out` cannot be written to.
    pub(super) fn values<'py, T: Element + Send>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
        value: impl Fn(&Position, Move) -> Result<T, String> + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.moves.len();
        let work = Work::on(moves.max(self.positions.len()), threads)?;
        let mut output = Output::new(py, out, &[moves])?;
        let mut rest = output.values()?;
        if self.moves.share_memory(rest)
            || self.spans.offsets.is_some_and(|offsets| arrays::share_memory(offsets, rest))
        {
            let text = "out: the array shares memory with moves or offsets";
            return Err(PyValueError::new_err(text));
        }
        let mut jobs = Vec::with_capacity(self.positions.len().div_ceil(BLOCK));
        for rows in blocks(self.positions.len()) {
            let (first, last) = (self.spans.of(rows.start), self.spans.of(rows.end - 1));
            let split = rest.split_at_mut_checked(last.end.wrapping_sub(first.start));
            let (values, others) = split.ok_or_else(|| {
                PyValueError::new_err("offsets: the numbers have changed during the call")
            })?;
            jobs.push((rows, values));
            rest = others;
        }
        let errors =
            work.map(py, jobs.into_iter(), |(rows, values): (Range<usize>, &mut [T])| {
                let mut values = values.iter_mut();
                self.each(rows, |position, mv| {
                    let value = value(position, mv)?;
                    if let Some(place) = values.next() {
                        *place = value;
                    }
                    Ok(())
                })
            })?;
        self.raise_first(py, errors)?;
        Ok(output.finish())
    }

    /// A list with a text for each move.
    ///
    /// # Errors
    /// `BatchError`: a move is not legal.
    pub(super) fn texts<'py>(
        &self,
        py: Python<'py>,
        notation: Notation,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyList>> {
        let work = Work::on(self.moves.len().max(self.positions.len()), threads)?;
        let results = work.map(py, blocks(self.positions.len()), |rows| {
            let mut lines = Lines::default();
            let bad = self.each(rows, |position, mv| {
                lines.push(&position.move_text(mv, notation));
                Ok(())
            });
            (lines, bad)
        })?;
        let (lines, errors): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        self.raise_first(py, errors)?;
        write::list(py, &lines)
    }

    /// Passes the legal moves of some rows to a function, up to the first that is not legal.
    fn each(
        &self,
        rows: Range<usize>,
        mut take: impl FnMut(&Position, Move) -> Result<(), String>,
    ) -> Option<Bad<'a>> {
        for row in rows {
            let position = &self.positions[row];
            for number in self.spans.of(row) {
                let taken = self
                    .moves
                    .resolve_legal(&self.tables, number, position)
                    .and_then(|mv| Ok(take(position, mv)?));
                if let Err(reason) = taken {
                    return Some((row, number, reason));
                }
            }
        }
        None
    }

    fn raise_first(&self, py: Python<'_>, errors: Vec<Option<Bad<'_>>>) -> PyResult<()> {
        match errors.into_iter().flatten().next() {
            None => Ok(()),
            Some((row, number, reason)) => {
                Err(raise!(py, BatchError, (reason.words(py), row, self.moves.show(number))))
            }
        }
    }

    /// The positions after the moves, one move for each position.
    ///
    /// # Errors
    /// `BatchError`: a move is not legal, unless bad rows are to be masked.
    pub(super) fn play<'py>(
        &self,
        py: Python<'py>,
        threads: ThreadsArg,
        on_error: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.positions.len();
        let mut reading = Reading::new(py, rows, &Position::START, on_error, threads)?;
        let read = |row: usize, (): &mut (), place: &mut Position| {
            let position = &self.positions[row];
            *place = match self.moves.resolve(&self.tables, row, position)? {
                Some(mv) => position.play(mv),
                None => {
                    position.play_null().ok_or("the side to move is in check, so it cannot pass")?
                }
            };
            Ok(())
        };
        reading.read(py, rows, read, |row| self.moves.show(row))?;
        reading.batch(py)
    }
}

/// The rows of each block.
fn blocks(rows: usize) -> impl ExactSizeIterator<Item = Range<usize>> + Send {
    (0..rows).step_by(BLOCK).map(move |start| start..rows.min(start + BLOCK))
}

/// The legal moves of all positions, one after the other, and the offset of the first move of each
/// position.
pub(super) struct Ragged {
    bits: Vec<u16>,
    offsets: Vec<i64>,
}

/// The legal moves of a block, for any slider method.
struct Block<'a> {
    positions: &'a [Position],
    bits: Vec<u16>,
    ends: Vec<usize>,
}

impl MethodVisitor for Block<'_> {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        for position in self.positions {
            let moves = position.generator().with_sliders(sliders).list::<Legal>();
            self.bits.extend(moves.iter().map(|mv| mv.bits()));
            self.ends.push(self.bits.len());
        }
    }
}

impl Ragged {
    pub(super) fn of(
        py: Python<'_>,
        positions: &[Position],
        threads: ThreadsArg,
    ) -> PyResult<Self> {
        let work = Work::on(positions.len(), threads)?;
        let blocks = work.map(py, positions.chunks(BLOCK), |positions| {
            let mut block = Block {
                positions,
                bits: Vec::with_capacity(40 * positions.len()),
                ends: Vec::with_capacity(positions.len()),
            };
            rows::with_sliders(&mut block);
            (block.bits, block.ends)
        })?;
        let mut all = Self {
            bits: Vec::with_capacity(blocks.iter().map(|(bits, _)| bits.len()).sum()),
            offsets: Vec::with_capacity(positions.len() + 1),
        };
        all.offsets.push(0);
        for (bits, ends) in blocks {
            signals::pause(py)?;
            let start = all.bits.len();
            all.offsets.extend(ends.into_iter().map(|end| (start + end) as i64));
            all.bits.extend_from_slice(&bits);
        }
        Ok(all)
    }

    /// The two arrays: new ones, or those of the caller, the first of which may be too long.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub(super) fn into_arrays<'py>(
        self,
        py: Python<'py>,
        out: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let Some((moves, offsets)) = out else {
            let moves = PyArray1::from_vec(py, self.bits).into_any();
            return Ok((moves, PyArray1::from_vec(py, self.offsets).into_any()));
        };
        let room = moves.len()?;
        let count = self.bits.len();
        if room < count {
            return Err(PyValueError::new_err(format!(
                "out: there are {count} legal moves, but the array has room for {room}"
            )));
        }
        let part = pyo3::types::PySlice::new(py, 0, count as isize, 1);
        let mut moves = Output::<u16>::new(py, Some(&moves.get_item(part)?), &[count])?;
        let mut offsets = Output::<i64>::new(py, Some(&offsets), &[self.offsets.len()])?;
        if arrays::share_memory(moves.values()?, offsets.values()?) {
            return Err(PyValueError::new_err("out: the two arrays share memory"));
        }
        moves.values()?.copy_from_slice(&self.bits);
        offsets.values()?.copy_from_slice(&self.offsets);
        Ok((moves.finish(), offsets.finish()))
    }

    /// The texts of all moves.
    ///
    /// # Errors
    /// Only those of Python.
    pub(super) fn texts<'py>(
        &self,
        py: Python<'py>,
        positions: &[Position],
        notation: Notation,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyList>> {
        let work = Work::on(self.bits.len().max(positions.len()), threads)?;
        let spans = Spans { offsets: Some(&self.offsets) };
        let lines = work.map(py, blocks(positions.len()), |rows| {
            let mut lines = Lines::default();
            for row in rows {
                let moves = &self.bits[spans.of(row)];
                for mv in moves.iter().filter_map(|&bits| Move::from_bits(bits)) {
                    lines.push(&positions[row].move_text(mv, notation));
                }
            }
            lines
        })?;
        write::list(py, &lines)
    }
}

/// A batch of positions that a caller gives one by one, as positions or on boards.
pub(super) fn collect(positions: &Bound<'_, PyAny>) -> PyResult<PyBatch> {
    let py = positions.py();
    let position = |(row, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let item = item?;
        if let Ok(position) = item.cast::<PyPosition>() {
            return Ok(position.get().position().clone());
        }
        let board = item.cast::<PyBoard>().map_err(|_| {
            let kind = item.get_type();
            PyTypeError::new_err(format!("row {row}: expected a Position or a Board, not {kind}"))
        })?;
        let found = board.try_borrow()?.position(py);
        found.map(|found| found.position().clone()).map_err(|error| {
            match error.value(py).getattr("args").and_then(|it| it.extract()) {
                Ok((reason, fen)) => {
                    let (reason, fen): (String, String) = (reason, fen);
                    raise!(py, BatchError, (reason, row, fen))
                }
                Err(_) => error,
            }
        })
    };
    let items = positions.try_iter()?.enumerate();
    sizes::collect(py, items.map(position)).map(PyBatch::new)
}
