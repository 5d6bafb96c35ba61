//! The kind of a move, legal or not, and its consequences.

use pyo3::prelude::*;
use tabiya::{Role, Square, attacks};

use super::{PyBoard, legal};
use crate::moves::{MoveArg, MoveObject, PyMove};

/// The two squares of a move; `None` for the null move.
fn squares(mv: PyMove) -> Option<(Square, Square)> {
    mv.uci.map(|uci| (uci.from, uci.to))
}

impl PyBoard {
    fn is_castling_from(&self, from: Square, to: Square) -> bool {
        let board = self.state.board();
        let files = (from.file() as u8).abs_diff(to.file() as u8);
        board.role(Role::King).has(from)
            && (files > 1 || board.pieces(self.state.turn(), Role::Rook).has(to))
    }

    fn is_zeroing_from(&self, from: Square, to: Square) -> bool {
        let board = self.state.board();
        let touched = from.bitboard() ^ to.bitboard();
        touched.meets(board.role(Role::Pawn) | board.color(!self.state.turn()))
    }
}

#[pymethods]
impl PyBoard {
    /// Is a move a capture, en passant or not?
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    /// >>> board.is_capture(tabiya.Move.from_uci("e5d6"))
    /// True
    fn is_capture(&self, r#move: MoveObject) -> bool {
        let opponent = self.state.board().color(!self.state.turn());
        let touches =
            |(from, to): (Square, Square)| opponent.meets(from.bitboard() ^ to.bitboard());
        squares(r#move.0).is_some_and(touches) || self.is_en_passant(r#move)
    }

    /// Is a move a capture en passant?
    fn is_en_passant(&self, r#move: MoveObject) -> bool {
        let Some((from, to)) = squares(r#move.0) else { return false };
        let board = self.state.board();
        self.state.en_passant() == Some(to)
            && board.role(Role::Pawn).has(from)
            && attacks::pawn(self.state.turn(), from).has(to)
            && !board.occupied().has(to)
    }

    /// Is a move castling, in either notation?
    fn is_castling(&self, r#move: MoveObject) -> bool {
        squares(r#move.0).is_some_and(|(from, to)| self.is_castling_from(from, to))
    }

    /// Is a move castling on the king side?
    fn is_kingside_castling(&self, r#move: MoveObject) -> bool {
        let is_so = |(from, to): (Square, Square)| {
            self.is_castling_from(from, to) && to.file() > from.file()
        };
        squares(r#move.0).is_some_and(is_so)
    }

    /// Is a move castling on the queen side?
    fn is_queenside_castling(&self, r#move: MoveObject) -> bool {
        let is_so = |(from, to): (Square, Square)| {
            self.is_castling_from(from, to) && to.file() < from.file()
        };
        squares(r#move.0).is_some_and(is_so)
    }

    /// Is a move a capture or a pawn move, which set the halfmove clock to zero?
    fn is_zeroing(&self, r#move: MoveObject) -> bool {
        squares(r#move.0).is_some_and(|(from, to)| self.is_zeroing_from(from, to))
    }

    /// Is a move irreversible: a capture, a pawn move, one that loses castling rights, or one that
    /// gives up a legal capture en passant?
    fn is_irreversible(&self, r#move: MoveObject) -> bool {
        if self.state.legal_en_passant().is_some() {
            return true;
        }
        let Some((from, to)) = squares(r#move.0) else { return false };
        let rights = self.state.clean_castling();
        let touched = from.bitboard() | to.bitboard();
        let board = self.state.board();
        let turn = self.state.turn();
        let moves_king = board.pieces(turn, Role::King).has(from);
        self.is_zeroing_from(from, to)
            || rights.rooks().meets(touched)
            || moves_king && rights.of(turn).any()
            || board.pieces(!turn, Role::King).has(to) && rights.of(!turn).any()
    }

    /// Does a legal move, or passing, give check?
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    /// >>> board.gives_check(tabiya.Move.from_uci("a1a8"))
    /// True
    fn gives_check(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<bool> {
        let mv = legal::resolve(py, &self.state, &r#move)?;
        Ok(match (self.state.position(), mv) {
            (Some(position), Some(mv)) => position.gives_check(mv),
            _ => self.state.after(mv).checkers().any(),
        })
    }
}
