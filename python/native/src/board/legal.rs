//! The moves of a board: sets that follow the board, and generators.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use tabiya::movegen::{Legal, NonEvasions, PseudoLegal};
use tabiya::{Bitboard, File, Move, MoveList, Position, UciMove};

use super::PyBoard;
use crate::bitboard::BitboardArg;
use crate::classes;
use crate::errors::{self, raise};
use crate::moves::{self, MoveArg, MoveObject, PyMove};

/// All squares.
const ALL: BitboardArg = BitboardArg(Bitboard::FULL);

/// The pseudo-legal moves: the pieces move by their rules, but may leave the king in check.
/// Castling moves are legal.
fn pseudo_legal(position: &Position) -> MoveList {
    let mut list = MoveList::of::<PseudoLegal<NonEvasions>>(position);
    let generator = position.generator();
    list.retain(|mv| mv.castling().is_none() || generator.contains::<Legal>(mv));
    list
}

/// An iterator over some of the moves of a position, from squares of one set to squares of another.
/// The target of castling is the square of the rook.
fn iterator<'py>(
    py: Python<'py>,
    position: &Position,
    mut list: MoveList,
    (from, to): (BitboardArg, BitboardArg),
    keep: impl Fn(Move) -> bool,
) -> PyResult<Bound<'py, PyIterator>> {
    let rights = position.castling_rights();
    let target = |mv: Move| {
        let rook = mv.castling().and_then(|side| rights.rook(position.turn(), side, mv.from()));
        rook.unwrap_or(mv.to())
    };
    list.retain(|mv| from.0.has(mv.from()) && to.0.has(target(mv)) && keep(mv));
    moves::list(py, position, &list)?.try_iter()
}

/// The legal move for a move of UCI, in either notation of castling.
#[inline]
fn find(position: &Position, uci: UciMove) -> Option<Move> {
    position.find_uci(uci).or_else(|| other_castling(position, uci))
}

/// The castling move that is written in the notation that the position does not use.
#[cold]
fn other_castling(position: &Position, uci: UciMove) -> Option<Move> {
    let rights = position.castling_rights();
    if uci.from != position.king(position.turn()) || rights.is_empty() {
        return None;
    }
    let is_meant = |mv: &Move| {
        let rook = mv.castling().and_then(|side| rights.rook(position.turn(), side, mv.from()));
        // From the e-file, the king moves two squares, so its own target means castling.
        let is_standard = position.uci(*mv).to != mv.to() && uci.from.file() == File::E;
        rook.is_some_and(|rook| uci.to == rook || is_standard && uci.to == mv.to())
    };
    position.legal_moves().iter().copied().find(is_meant).filter(|_| uci.promotion.is_none())
}

/// The legal move for an argument; `None` for a null move.
///
/// # Errors
/// `MoveError`.
#[inline]
pub(super) fn resolve(
    py: Python<'_>,
    position: &Position,
    mv: &MoveArg<'_>,
) -> PyResult<Option<Move>> {
    match mv {
        MoveArg::Move(object) => match object.get().uci.map(|uci| find(position, uci)) {
            None => Ok(None),
            Some(Some(mv)) => Ok(Some(mv)),
            Some(None) => mv.resolve(py, position),
        },
        MoveArg::Text(text) => read(py, position, text.to_str()?),
    }
}

/// The texts of a null move, as python-chess reads them.
const NULL_TEXTS: [&str; 4] = ["--", "Z0", "0000", "@@@@"];

/// Reads a move in any notation; `None` for a null move.
///
/// # Errors
/// `MoveError`.
pub(super) fn read(py: Python<'_>, position: &Position, text: &str) -> PyResult<Option<Move>> {
    if text.trim().len() < text.len() {
        let start = text.chars().take_while(|letter| !letter.is_whitespace()).count();
        let (end, fen) = (text.chars().count(), position.fen().to_string());
        let reason = "the text of a move has no white space around it";
        return Err(raise!(py, InvalidMoveError, (reason, text, start, end, fen)));
    }
    match position.parse_move(text) {
        Ok(mv) => Ok(Some(mv)),
        Err(_) if NULL_TEXTS.contains(&text) => Ok(None),
        Err(error) => match text.parse().ok().and_then(|uci| other_castling(position, uci)) {
            Some(mv) => Ok(Some(mv)),
            None => Err(errors::notation(py, position, text, &error)),
        },
    }
}

impl PyBoard {
    /// The legal move for a move of UCI, in either notation of castling.
    pub(super) fn find(&self, mv: PyMove) -> Option<Move> {
        find(self.state.position()?, mv.uci?)
    }

    /// The legal move for a move of UCI, if it is in the notation of the board. As in python-chess,
    /// castling may be the king taking its own rook on any board.
    fn find_listed(&self, mv: PyMove) -> Option<Move> {
        let (position, uci) = (self.state.position()?, mv.uci?);
        let takes_own_rook = position.board().color(position.turn()).has(uci.to);
        self.find(mv).filter(|&found| takes_own_rook || position.uci(found) == uci)
    }

    /// The pseudo-legal move for a move of UCI, under the same rule.
    fn find_pseudo_legal(&self, mv: PyMove) -> Option<Move> {
        let (position, uci) = (self.state.position()?, mv.uci?);
        let list = pseudo_legal(position);
        list.iter().copied().find(|&mv| position.uci(mv) == uci).or_else(|| self.find_listed(mv))
    }

    /// Is there a pawn that can capture en passant, even if that leaves the king in check?
    pub(super) fn has_pseudo_legal_en_passant(&self) -> bool {
        match self.state.position() {
            Some(it) => pseudo_legal(it).iter().any(|mv| mv.is_en_passant()),
            None => self.state.has_en_passant_capture(|_| true),
        }
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
    fn is_legal(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        self.playable(py)?;
        Ok(r#move.is_some_and(|it| self.find_listed(it.0).is_some()))
    }

    /// Is a move pseudo-legal? It may leave the king in check.
    #[pyo3(signature = (r#move))]
    fn is_pseudo_legal(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        self.playable(py)?;
        Ok(r#move.is_some_and(|it| self.find_pseudo_legal(it.0).is_some()))
    }

    /// Does a pseudo-legal move leave its own king in check?
    fn is_into_check(&self, py: Python<'_>, r#move: MoveObject) -> PyResult<bool> {
        self.playable(py)?;
        Ok(self.find(r#move.0).is_none() && self.find_pseudo_legal(r#move.0).is_some())
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
                    let position = self.playable(py)?;
                    iterator(py, position, $list(position), (from_mask, to_mask), $keep)
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
    generate_legal_moves: Position::legal_moves, if |_| true;
    /// An iterator over the legal captures, including those en passant.
    generate_legal_captures: Position::legal_moves, if Move::is_capture;
    /// An iterator over the legal captures en passant.
    generate_legal_ep: Position::legal_moves, if Move::is_en_passant;
    /// An iterator over the castling moves.
    generate_castling_moves: Position::legal_moves, if |mv: Move| mv.castling().is_some();
    /// An iterator over the pseudo-legal moves from squares of one set to squares of another.
    generate_pseudo_legal_moves: pseudo_legal, if |_| true;
    /// An iterator over the pseudo-legal captures, including those en passant.
    generate_pseudo_legal_captures: pseudo_legal, if Move::is_capture;
    /// An iterator over the pseudo-legal captures en passant.
    generate_pseudo_legal_ep: pseudo_legal, if Move::is_en_passant;
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
        Ok(self.0.try_borrow(py)?.playable(py)?.count_legal())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.try_borrow(py)?.playable(py)?.has_legal_move())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        // Making a list may start Python's garbage collector, so the board must not be borrowed
        // during it.
        let position = self.0.try_borrow(py)?.playable(py)?.clone();
        moves::list(py, &position, &position.legal_moves())?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        self.0.try_borrow(py)?.is_legal(py, r#move)
    }

    fn __repr__(slf: PyRef<'_, Self>) -> PyResult<String> {
        let py = slf.py();
        let board = slf.0.try_borrow(py)?;
        let moves: Vec<_> = match board.playable(py) {
            Ok(position) => {
                let moves = position.legal_moves();
                moves.iter().map(|&mv| position.san(mv).to_string()).collect()
            }
            // The pieces are being set up.
            Err(_) => Vec::new(),
        };
        Ok(format!("<LegalMoveGenerator at {:#x} ({})>", slf.as_ptr() as usize, moves.join(", ")))
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
        Ok(pseudo_legal(self.0.try_borrow(py)?.playable(py)?).len())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.count(py)? > 0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let position = self.0.try_borrow(py)?.playable(py)?.clone();
        moves::list(py, &position, &pseudo_legal(&position))?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, r#move: Option<MoveObject>) -> PyResult<bool> {
        self.0.try_borrow(py)?.is_pseudo_legal(py, r#move)
    }

    fn __repr__(slf: PyRef<'_, Self>) -> PyResult<String> {
        let py = slf.py();
        let board = slf.0.try_borrow(py)?;
        let moves: Vec<_> = match board.playable(py) {
            Ok(position) => {
                let legal = position.generator();
                let text = |&mv: &Move| match legal.contains::<Legal>(mv) {
                    true => position.san(mv).to_string(),
                    false => position.uci(mv).to_string(),
                };
                pseudo_legal(position).iter().map(text).collect()
            }
            // The pieces are being set up.
            Err(_) => Vec::new(),
        };
        let address = slf.as_ptr() as usize;
        Ok(format!("<PseudoLegalMoveGenerator at {address:#x} ({})>", moves.join(", ")))
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<LegalMoveGenerator>(module)?;
    classes::add::<PseudoLegalMoveGenerator>(module)
}
