//! Copies, comparison and pickling.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods, PyInt, PyList, PyString};
use tabiya::{Board, CastlingMode, Color, Move, Role, Setup, Square};

use super::state::State;
use super::{Entry, PyBoard, mode};
use crate::color;

/// The pieces of White and Black by role, side to move, castling rights, en-passant square,
/// counters, and the flag for the notation of castling in Chess960.
type Fields = ([u64; 6], [u64; 2], bool, u64, Option<u8>, u16, u16, bool);

/// The pieces by role, those of White and Black, side to move, castling rights, and the square of a
/// legal capture en passant.
type TranspositionKey = (u64, u64, u64, u64, u64, u64, u64, u64, bool, u64, Option<u8>);

/// A pushed move, and the fields of the board after it, unless they follow from the move.
type Step = (Option<u16>, Option<Fields>);

fn fields(setup: &Setup) -> Fields {
    (
        Role::ALL.map(|role| setup.board.role(role).0),
        Color::ALL.map(|color| setup.board.color(color).0),
        color::to_bool(setup.turn),
        setup.castling.rooks().0,
        setup.en_passant.map(|square| square as u8),
        setup.halfmove_clock,
        setup.fullmove_number,
        setup.castling_mode == CastlingMode::Chess960,
    )
}

/// # Errors
/// `ValueError`: these are not the fields of a board.
fn setup(
    (roles, colors, turn, castling, en_passant, halfmoves, number, chess960): Fields,
) -> PyResult<Setup> {
    let mut board = Board::EMPTY;
    for (role, squares) in Role::ALL.into_iter().zip(roles) {
        for square in tabiya::Bitboard(squares) {
            let color =
                if colors[0] & square.bitboard().0 != 0 { Color::White } else { Color::Black };
            board.set(square, Some(role.of(color)));
        }
    }
    let en_passant = en_passant.map(|index| Square::from_index(index).ok_or_else(damaged));
    Ok(Setup {
        board,
        turn: color::from_bool(turn),
        castling: tabiya::Bitboard(castling).iter().collect(),
        castling_mode: mode(chess960),
        en_passant: en_passant.transpose()?,
        halfmove_clock: halfmoves,
        fullmove_number: number,
    })
}

fn damaged() -> PyErr {
    PyValueError::new_err("this is not the state of a board")
}

impl PyBoard {
    /// The same board with at most the last `moves` moves.
    fn last(&self, moves: usize) -> Self {
        let first = self.stack.len().saturating_sub(moves);
        Self { state: self.state.clone(), stack: self.stack[first..].to_vec() }
    }

    /// The states of the board after each of the pushed moves.
    fn states(&self) -> impl Iterator<Item = &State> {
        let later = self.stack.iter().skip(1).map(|entry| &entry.before);
        later.chain((!self.stack.is_empty()).then_some(&*self.state))
    }
}

#[pymethods]
impl PyBoard {
    /// A copy. With ``stack=False`` it has no history; with a number, at most that many of the last
    /// moves.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push_san("e4")
    /// Move.from_uci('e2e4')
    /// >>> copy = board.copy()
    /// >>> copy.pop()
    /// Move.from_uci('e2e4')
    /// >>> board == copy, len(board.move_stack)
    /// (False, 1)
    #[pyo3(signature = (*, stack=Moves::All))]
    #[pyo3(text_signature = "($self, *, stack=True)")]
    fn copy<'py>(slf: &Bound<'py, Self>, stack: Moves) -> PyResult<Bound<'py, Self>> {
        let board = slf.try_borrow()?;
        let copy = match stack {
            Moves::All => board.last(usize::MAX),
            Moves::Last(moves) => board.last(moves),
        };
        drop(board);
        copy.instance(&slf.get_type())
    }

    // These two ask the class of the user, whose copies may have more.

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("copy")
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        memo: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copy = slf.call_method0("copy")?;
        memo.set_item(slf.as_ptr() as usize, &copy)?;
        Ok(copy)
    }

    /// The board before the first of the pushed moves, without history.
    fn root<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let board = slf.try_borrow()?;
        let state = board.stack.first().map_or(&*board.state, |entry| &entry.before).clone();
        drop(board);
        Self::with(state).instance(&slf.get_type())
    }

    /// Two boards are equal if the pieces, the side to move, the castling rights, the legal capture
    /// en passant and the counters are the same. Their histories may differ.
    fn __eq__(&self, other: &Self) -> bool {
        let (ours, theirs) = (&self.state, &other.state);
        ours.board() == theirs.board()
            && ours.turn() == theirs.turn()
            && ours.clean_castling() == theirs.clean_castling()
            && ours.legal_en_passant() == theirs.legal_en_passant()
            && ours.halfmove_clock() == theirs.halfmove_clock()
            && ours.fullmove_number() == theirs.fullmove_number()
    }

    /// What makes two boards the same for repetitions: the pieces, the side to move, the castling
    /// rights and the legal capture en passant. It can be hashed; so can ``position``, which is
    /// faster.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> before = board._transposition_key()
    /// >>> for text in ["Nf3", "Nf6", "Ng1", "Ng8"]:
    /// ...     move = board.push_san(text)
    /// >>> board._transposition_key() == before
    /// True
    fn _transposition_key(&self) -> TranspositionKey {
        let board = self.state.board();
        let [p, n, b, r, q, k] = Role::ALL.map(|role| board.role(role).0);
        let [white, black] = Color::ALL.map(|color| board.color(color).0);
        let turn = color::to_bool(self.state.turn());
        let castling = self.state.clean_castling().rooks().0;
        let en_passant = self.state.legal_en_passant().map(|square| square as u8);
        (p, n, b, r, q, k, white, black, turn, castling, en_passant)
    }

    /// For pickling: as ``object`` does it, also for the protocols 0 and 1, which ``object`` refuses
    /// for classes that are not written in Python.
    #[pyo3(signature = (protocol, /))]
    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i64) -> PyResult<Bound<'py, PyAny>> {
        slf.py().get_type::<PyAny>().call_method1("__reduce_ex__", (slf, protocol.max(2)))
    }

    /// For pickling: the attributes of a user's subclass, the first board, and the moves.
    fn __getstate__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Fields, Bound<'py, PyList>)> {
        let py = slf.py();
        let attributes = attributes(slf.as_any())?;
        let board = slf.try_borrow()?;
        let first = board.stack.first().map_or(&*board.state, |entry| &entry.before);
        let steps = PyList::empty(py);
        for (entry, state) in board.stack.iter().zip(board.states()) {
            let told = fields(&entry.before.after(entry.mv).setup());
            let held = fields(&state.setup());
            let step: Step = (entry.mv.map(Move::bits), (told != held).then_some(held));
            steps.append(step)?;
        }
        Ok((attributes, fields(&first.setup()), steps))
    }

    fn __setstate__(
        slf: &Bound<'_, Self>,
        state: (Attributes<'_>, Fields, Bound<'_, PyList>),
    ) -> PyResult<()> {
        let (attributes, first, steps) = state;
        let mut state = State::new(setup(first)?);
        let mut stack = Vec::with_capacity(steps.len());
        for step in steps {
            let (bits, held): Step = step.extract()?;
            let mv = bits.map(|bits| Move::from_bits(bits).ok_or_else(damaged)).transpose()?;
            if mv.is_some_and(|mv| !state.legal_moves().contains(&mv)) {
                return Err(damaged());
            }
            let next = match held {
                Some(fields) => State::new(setup(fields)?),
                None => state.after(mv),
            };
            stack.push(Entry { before: std::mem::replace(&mut state, next), mv });
        }
        *slf.try_borrow_mut()? = Self { state: Box::new(state), stack };
        let (dict, slots) = match attributes {
            Attributes::Dict(dict) => (dict, None),
            Attributes::Both(dict, slots) => (dict, slots),
        };
        if let Some(dict) = dict {
            slf.getattr("__dict__")?.cast_into::<PyDict>()?.update(dict.as_mapping())?;
        }
        // Setting an attribute may change the dictionary.
        for item in slots.iter().flat_map(|slots| slots.items()) {
            let (name, value): (Bound<'_, PyString>, Bound<'_, PyAny>) = item.extract()?;
            slf.setattr(name, value)?;
        }
        Ok(())
    }
}

/// The attributes of an object of a user's class: `None`, a dictionary, or a pair of one and of
/// those in `__slots__`.
pub(super) fn attributes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.py().get_type::<PyAny>().call_method1("__getstate__", (object,))
}

/// The same, from a pickle.
#[derive(FromPyObject)]
enum Attributes<'py> {
    Dict(Option<Bound<'py, PyDict>>),
    Both(Option<Bound<'py, PyDict>>, Option<Bound<'py, PyDict>>),
}

/// The number of moves to copy.
enum Moves {
    All,
    Last(usize),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Moves {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(all) = object.extract::<bool>() {
            return Ok(if all { Self::All } else { Self::Last(0) });
        }
        let moves: i64 = object.cast::<PyInt>()?.extract()?;
        Ok(Self::Last(usize::try_from(moves).unwrap_or(0)))
    }
}
