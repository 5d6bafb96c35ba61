//! The moves of a board: sets that follow the board, and generators.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use tabiya::movegen::{Legal, NonEvasions, PseudoLegal};
use tabiya::{Bitboard, File, Move, MoveList, Notation, Position, Role, UciMove};

use super::state::{Rules, State};
use super::{PyBoard, unplayable};
use crate::bitboard::BitboardArg;
use crate::classes;
use crate::errors::{self, raise};
use crate::moves::{self, MoveArg, MoveObject, PyMove};

/// All squares.
const ALL: BitboardArg = BitboardArg(Bitboard::FULL);

/// The pseudo-legal moves: the pieces move by their rules, but may leave the king in check.
/// Castling moves are legal.
pub(super) fn pseudo_legal(position: &Position) -> MoveList {
    let mut list = MoveList::of::<PseudoLegal<NonEvasions>>(position);
    let generator = position.generator();
    list.retain(|mv| mv.castling().is_none() || generator.contains::<Legal>(mv));
    list
}

/// The objects of moves of a board.
fn objects<'py>(py: Python<'py>, state: &State, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    match state.rules() {
        Rules::Position(position) => moves::list(py, position, moves),
        Rules::Setup(_) => {
            let objects = moves.iter().map(|&mv| state.object(py, mv));
            PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
        }
    }
}

/// An iterator over some of the moves of a board, from squares of one set to squares of another.
/// The target of castling is the square of the rook.
fn iterator<'py>(
    py: Python<'py>,
    state: &State,
    mut moves: Vec<Move>,
    (from, to): (BitboardArg, BitboardArg),
    keep: impl Fn(Move) -> bool,
) -> PyResult<Bound<'py, PyIterator>> {
    let target = |mv: Move| state.castling_rook(mv).unwrap_or(mv.to());
    moves.retain(|&mv| from.0.has(mv.from()) && to.0.has(target(mv)) && keep(mv));
    objects(py, state, &moves)?.try_iter()
}

/// The legal move for a move of UCI, in either notation of castling.
#[inline]
fn find(state: &State, uci: UciMove) -> Option<Move> {
    let found = match state.rules() {
        Rules::Position(position) => position.find_uci(uci),
        Rules::Setup(_) => state.legal_moves().into_iter().find(|&mv| state.uci(mv) == uci),
    };
    found.or_else(|| other_castling(state, uci))
}

/// The castling move that is written in the notation that the board does not use.
#[cold]
fn other_castling(state: &State, uci: UciMove) -> Option<Move> {
    let own_kings = state.board().pieces(state.turn(), Role::King);
    if !own_kings.has(uci.from) || state.clean_castling().is_empty() {
        return None;
    }
    let is_meant = |mv: &Move| {
        // From the e-file, the king moves two squares, so its own target means castling.
        let is_standard = state.uci(*mv).to != mv.to() && uci.from.file() == File::E;
        let rook = state.castling_rook(*mv).filter(|_| mv.from() == uci.from);
        rook.is_some_and(|rook| uci.to == rook || is_standard && uci.to == mv.to())
    };
    state.legal_moves().into_iter().find(is_meant).filter(|_| uci.promotion.is_none())
}

/// The legal move for an argument; `None` for a null move.
///
/// # Errors
/// `MoveError`.
#[inline]
pub(super) fn resolve(py: Python<'_>, state: &State, mv: &MoveArg<'_>) -> PyResult<Option<Move>> {
    match mv {
        MoveArg::Move(object) => match object.get().uci {
            None => Ok(None),
            Some(uci) => match find(state, uci) {
                Some(mv) => Ok(Some(mv)),
                None => Err(illegal(py, state, uci)),
            },
        },
        MoveArg::Text(text) => read(py, state, text.to_str()?),
    }
}

/// The move is not legal, and the reasons.
#[cold]
pub(super) fn illegal(py: Python<'_>, state: &State, uci: UciMove) -> PyErr {
    let (text, fen) = (uci.to_string(), state.setup().fen().to_string());
    let reason = match state.rules() {
        Rules::Position(position) => position.explain(uci).to_string(),
        Rules::Setup(_) => format!("{text} is not legal: {}", unplayable::NO_REASON),
    };
    let length = text.len();
    raise!(py, IllegalMoveError, (reason, text, 0, length, fen))
}

/// The texts of a null move, as python-chess reads them.
const NULL_TEXTS: [&str; 4] = ["--", "Z0", "0000", "@@@@"];

/// Reads a move in any notation; `None` for a null move.
///
/// # Errors
/// `MoveError`.
pub(super) fn read(py: Python<'_>, state: &State, text: &str) -> PyResult<Option<Move>> {
    if text.trim().len() < text.len() {
        let start = text.chars().take_while(|letter| !letter.is_whitespace()).count();
        let (end, fen) = (text.chars().count(), state.setup().fen().to_string());
        let reason = "the text of a move has no white space around it";
        return Err(raise!(py, InvalidMoveError, (reason, text, start, end, fen)));
    }
    let position = match (state.rules(), text.parse()) {
        (Rules::Position(position), _) => position,
        (Rules::Setup(_), _) if NULL_TEXTS.contains(&text) => return Ok(None),
        (Rules::Setup(_), Ok(uci)) => {
            return find(state, uci).map(Some).ok_or_else(|| illegal(py, state, uci));
        }
        (Rules::Setup(setup), Err(_)) => return unplayable::read(py, setup, text).map(Some),
    };
    match position.parse_move(text) {
        Ok(mv) => Ok(Some(mv)),
        Err(_) if NULL_TEXTS.contains(&text) => Ok(None),
        Err(error) => match text.parse().ok().and_then(|uci| other_castling(state, uci)) {
            Some(mv) => Ok(Some(mv)),
            None => Err(errors::notation(py, position, text, &error)),
        },
    }
}

impl PyBoard {
    /// The legal move for a move of UCI, in either notation of castling.
    pub(super) fn find(&self, mv: PyMove) -> Option<Move> {
        find(&self.state, mv.uci?)
    }

    /// The legal move for a move of UCI, if it is in the notation of the board. As in python-chess,
    /// castling may be the king taking its own rook on any board.
    fn find_listed(&self, mv: PyMove) -> Option<Move> {
        let uci = mv.uci?;
        let takes_own_rook = self.state.board().color(self.state.turn()).has(uci.to);
        self.find(mv).filter(|&found| takes_own_rook || self.state.uci(found) == uci)
    }

    /// The pseudo-legal move for a move of UCI, under the same rule.
    fn find_pseudo_legal(&self, mv: PyMove) -> Option<Move> {
        let uci = mv.uci?;
        let mut moves = self.state.pseudo_legal_moves().into_iter();
        moves.find(|&mv| self.state.uci(mv) == uci).or_else(|| self.find_listed(mv))
    }

    /// Is there a pawn that can capture en passant, even if that leaves the king in check?
    pub(super) fn has_pseudo_legal_en_passant(&self) -> bool {
        self.state.pseudo_legal_moves().into_iter().any(Move::is_en_passant)
    }
}

#[pymethods]
impl PyBoard {
    /// The legal moves, as a set that follows the board: it can be iterated over, counted, and
    /// asked for a move.
    ///
    /// An iteration covers the moves at the moment when it begins, so moves can be pushed and
    /// popped meanwhile. Their order is that of the generator, which differs from that of
    /// python-chess.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
    /// >>> sorted(move.uci() for move in board.legal_moves)
    /// ['a1a2', 'a1b1', 'a1b2']
    /// >>> board.legal_moves.count(), bool(board.legal_moves)
    /// (3, True)
    #[getter]
    const fn legal_moves(slf: Py<Self>) -> LegalMoveGenerator {
        LegalMoveGenerator(slf)
    }

    /// The pseudo-legal moves, as a set that follows the board. They may leave the king in check.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("k7/8/8/8/8/8/1r6/K7 w - - 0 1")
    /// >>> board.pseudo_legal_moves.count(), board.legal_moves.count()
    /// (3, 1)
    #[getter]
    const fn pseudo_legal_moves(slf: Py<Self>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator(slf)
    }

    /// Is a move legal? ``None`` is not. Castling is written as the board lists it, or as the king
    /// taking its own rook.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().is_legal(tabiya.Move.from_uci("e2e5"))
    /// False
    #[pyo3(signature = (r#move))]
    fn is_legal(&self, r#move: Option<MoveObject>) -> bool {
        r#move.is_some_and(|it| self.find_listed(it.0).is_some())
    }

    /// Is a move pseudo-legal? It may leave the king in check.
    #[pyo3(signature = (r#move))]
    fn is_pseudo_legal(&self, r#move: Option<MoveObject>) -> bool {
        r#move.is_some_and(|it| self.find_pseudo_legal(it.0).is_some())
    }

    /// Does a pseudo-legal move leave its own king in check?
    fn is_into_check(&self, r#move: MoveObject) -> bool {
        self.find(r#move.0).is_none() && self.find_pseudo_legal(r#move.0).is_some()
    }

    /// Is there a legal capture en passant?
    fn has_legal_en_passant(&self) -> bool {
        self.state.legal_en_passant().is_some()
    }

    /// Is there a pseudo-legal capture en passant? It may leave the king in check.
    #[pyo3(name = "has_pseudo_legal_en_passant")]
    fn is_en_passant_pseudo_legal(&self) -> bool {
        self.has_pseudo_legal_en_passant()
    }
}

/// Methods that iterate over some of the moves, from squares of one set to squares of another.
macro_rules! generators {
    ($($(#[$doc:meta])* $name:ident: $list:expr, if $keep:expr;)*) => {
        #[pymethods]
        impl PyBoard {
            $(
                $(#[$doc])*
                #[pyo3(
                    signature = (from_mask=ALL, to_mask=ALL),
                    text_signature =
                        "($self, from_mask=0xffffffffffffffff, to_mask=0xffffffffffffffff)"
                )]
                fn $name<'py>(
                    &self,
                    py: Python<'py>,
                    from_mask: BitboardArg,
                    to_mask: BitboardArg,
                ) -> PyResult<Bound<'py, PyIterator>> {
                    iterator(py, &self.state, $list(&self.state), (from_mask, to_mask), $keep)
                }
            )*
        }
    };
}

generators! {
    /// An iterator over the legal moves from squares of one set to squares of another.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> sorted(map(str, board.generate_legal_moves(from_mask=tabiya.BB_G1)))
    /// ['g1f3', 'g1h3']
    generate_legal_moves: State::legal_moves, if |_| true;
    /// An iterator over the legal captures, including those en passant.
    generate_legal_captures: State::legal_moves, if Move::is_capture;
    /// An iterator over the legal captures en passant.
    generate_legal_ep: State::legal_moves, if Move::is_en_passant;
    /// An iterator over the castling moves.
    generate_castling_moves: State::legal_moves, if |mv: Move| mv.castling().is_some();
    /// An iterator over the pseudo-legal moves from squares of one set to squares of another.
    generate_pseudo_legal_moves: State::pseudo_legal_moves, if |_| true;
    /// An iterator over the pseudo-legal captures, including those en passant.
    generate_pseudo_legal_captures: State::pseudo_legal_moves, if Move::is_capture;
    /// An iterator over the pseudo-legal captures en passant.
    generate_pseudo_legal_ep: State::pseudo_legal_moves, if Move::is_en_passant;
}

/// Legal moves in SAN, others in UCI.
fn texts(state: &State, moves: &[Move]) -> String {
    let legal = state.legal_moves();
    let text = |&mv: &Move| {
        let notation = if legal.contains(&mv) { Notation::San } else { Notation::Uci };
        state.text(Some(mv), notation)
    };
    moves.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The legal moves of a board.
#[pyclass(module = "tabiya", frozen)]
struct LegalMoveGenerator(Py<PyBoard>);

/// The pseudo-legal moves of a board.
#[pyclass(module = "tabiya", frozen)]
struct PseudoLegalMoveGenerator(Py<PyBoard>);

#[pymethods]
impl LegalMoveGenerator {
    /// The board.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<PyBoard> {
        self.0.clone_ref(py)
    }

    // The board may be of a class of the user, and hold this set.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    /// The number of moves.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        let board = self.0.try_borrow(py)?;
        Ok(match board.state.position() {
            Some(position) => position.count_legal(),
            None => board.state.legal_moves().len(),
        })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.try_borrow(py)?.state.has_legal_move())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        // Making a list may start Python's garbage collector, so the board must not be borrowed
        // during it.
        let state = State::clone(&self.0.try_borrow(py)?.state);
        match state.rules() {
            Rules::Position(position) => moves::list(py, position, &position.legal_moves())?,
            Rules::Setup(_) => objects(py, &state, &state.legal_moves())?,
        }
        .try_iter()
    }

    fn __contains__(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        Ok(self.0.try_borrow(py)?.is_legal(r#move))
    }

    fn __repr__(slf: PyRef<'_, Self>) -> PyResult<String> {
        let py = slf.py();
        let board = slf.0.try_borrow(py)?;
        let texts = texts(&board.state, &board.state.legal_moves());
        Ok(format!("<LegalMoveGenerator at {:#x} ({texts})>", slf.as_ptr() as usize))
    }
}

#[pymethods]
impl PseudoLegalMoveGenerator {
    /// The board.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<PyBoard> {
        self.0.clone_ref(py)
    }

    // The board may be of a class of the user, and hold this set.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    /// The number of moves.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.try_borrow(py)?.state.pseudo_legal_moves().len())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.count(py)? > 0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let state = State::clone(&self.0.try_borrow(py)?.state);
        objects(py, &state, &state.pseudo_legal_moves())?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        Ok(self.0.try_borrow(py)?.is_pseudo_legal(r#move))
    }

    fn __repr__(slf: PyRef<'_, Self>) -> PyResult<String> {
        let py = slf.py();
        let board = slf.0.try_borrow(py)?;
        let texts = texts(&board.state, &board.state.pseudo_legal_moves());
        Ok(format!("<PseudoLegalMoveGenerator at {:#x} ({texts})>", slf.as_ptr() as usize))
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<LegalMoveGenerator>(module)?;
    classes::add::<PseudoLegalMoveGenerator>(module)
}
