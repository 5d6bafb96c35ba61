//! Editing: pieces on any squares, other start positions, and the errors of a board.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tabiya::{Bitboard, Board, Color, Impossible, Piece, Role, Setup, Square};

use super::PyBoard;
use super::state::{self, State};
use crate::bitboard::BitboardArg;
use crate::data::make;
use crate::piece::PyPiece;
use crate::square::SquareArg;

/// The errors that a board can have, by the numbers of `tabiya.Status`.
mod status {
    pub(super) const NO_KING: [u32; 2] = [1, 2];
    pub(super) const TOO_MANY_KINGS: u32 = 4;
    pub(super) const TOO_MANY_PAWNS: [u32; 2] = [8, 16];
    pub(super) const PAWNS_ON_BACKRANK: u32 = 32;
    pub(super) const TOO_MANY_PIECES: [u32; 2] = [64, 128];
    pub(super) const BAD_CASTLING_RIGHTS: u32 = 256;
    pub(super) const INVALID_EP_SQUARE: u32 = 512;
    pub(super) const OPPOSITE_CHECK: u32 = 1024;
    pub(super) const EMPTY: u32 = 2048;
    pub(super) const TOO_MANY_CHECKERS: u32 = 1 << 15;
    pub(super) const IMPOSSIBLE_CHECK: u32 = 1 << 16;
}

impl PyBoard {
    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.state.edit(|setup| setup.board.set(square, piece));
        self.stack.clear();
    }

    fn set_setup(&mut self, setup: Setup) {
        *self.state = State::new(setup);
        self.stack.clear();
    }

    /// The errors of the board, as the sum of the numbers of `tabiya.Status`.
    fn problems(&self) -> u32 {
        let setup = self.state.setup();
        let board = &setup.board;
        let mut problems = 0;
        let mut add = |is_so: bool, number: u32| problems |= if is_so { number } else { 0 };
        add(board.occupied().is_empty(), status::EMPTY);
        add(board.role(Role::King).len() > 2, status::TOO_MANY_KINGS);
        for (index, color) in Color::ALL.into_iter().enumerate() {
            let kings = board.pieces(color, Role::King);
            add(kings.is_empty(), status::NO_KING[index]);
            add(board.pieces(color, Role::Pawn).len() > 8, status::TOO_MANY_PAWNS[index]);
            add(board.color(color).len() > 16, status::TOO_MANY_PIECES[index]);
            let ranks = color.back_rank().bitboard() | (!color).back_rank().bitboard();
            add(board.pieces(color, Role::Pawn).meets(ranks), status::PAWNS_ON_BACKRANK);
        }
        add(self.state.castling() != self.state.clean_castling(), status::BAD_CASTLING_RIGHTS);
        let is_crossed = state::is_en_passant_possible(&setup);
        add(!is_crossed, status::INVALID_EP_SQUARE);
        let opposite = state::attackers_of_king(board, !setup.turn);
        add(opposite.any(), status::OPPOSITE_CHECK);
        for impossible in setup.impossibilities() {
            let too_many = matches!(impossible, Impossible::TooManyCheckers { .. });
            add(too_many, status::TOO_MANY_CHECKERS | status::IMPOSSIBLE_CHECK);
            // python-chess does not check the others, and some test positions have them.
            let is_check = match impossible {
                Impossible::CheckersInLine { .. } => true,
                Impossible::CheckBeforeDoublePush { .. } => is_crossed,
                _ => false,
            };
            add(is_check, status::IMPOSSIBLE_CHECK);
        }
        problems
    }
}

/// The start position of Chess960 with this number.
///
/// # Errors
/// `ValueError`.
fn chess960(number: i64) -> PyResult<Setup> {
    u16::try_from(number).ok().and_then(Setup::chess960).ok_or_else(|| {
        let message = format!("expected a number of Chess960 from 0 to 959, not {number}");
        PyValueError::new_err(message)
    })
}

#[pymethods]
impl PyBoard {
    /// Puts a piece on a square, or ``None``, and drops the moves. ``promoted`` is for variants and
    /// has no effect.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.set_piece_at(tabiya.E4, tabiya.Piece.from_symbol("Q"))
    /// >>> board.remove_piece_at(tabiya.D1)
    /// Piece.from_symbol('Q')
    /// >>> board.board_fen()
    /// 'rnbqkbnr/pppppppp/8/8/4Q3/8/PPPPPPPP/RNB1KBNR'
    #[pyo3(signature = (square, piece, promoted=false))]
    fn set_piece_at(&mut self, square: SquareArg, piece: Option<&PyPiece>, promoted: bool) {
        let _ = promoted;
        self.set(square.0, piece.map(|piece| piece.0));
    }

    /// Removes the piece from a square and returns it, or ``None``. The moves are dropped.
    fn remove_piece_at(
        &mut self,
        py: Python<'_>,
        square: SquareArg,
    ) -> PyResult<Option<&'static Py<PyPiece>>> {
        let piece = self.state.board().piece_on(square.0);
        self.set(square.0, None);
        piece.map(|piece| PyPiece(piece).object(py)).transpose()
    }

    /// Replaces all pieces by those of a mapping from squares to pieces, and drops the moves.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board.empty()
    /// >>> board.set_piece_map({tabiya.A1: tabiya.Piece(tabiya.KING, tabiya.WHITE)})
    /// >>> board.board_fen()
    /// '8/8/8/8/8/8/8/K7'
    fn set_piece_map(slf: &Bound<'_, Self>, pieces: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut board = Board::EMPTY;
        for item in pieces.call_method0("items")?.try_iter()? {
            let (square, piece): (SquareArg, PyPiece) = item?.extract()?;
            board.set(square.0, Some(piece.0));
        }
        let mut edited = slf.try_borrow_mut()?;
        edited.state.edit(|setup| setup.board = board);
        edited.stack.clear();
        Ok(())
    }

    /// Sets up the start of a game, and drops the moves.
    fn reset(&mut self) {
        self.set_setup(Setup { castling_mode: self.state.mode(), ..Setup::START });
    }

    /// Puts the pieces on their squares at the start of a game, and drops the moves.
    fn reset_board(&mut self) {
        self.state.edit(|setup| setup.board = Board::START);
        self.stack.clear();
    }

    /// Removes all pieces, castling rights and moves; White is to move.
    fn clear(&mut self) {
        self.set_setup(Setup { castling_mode: self.state.mode(), ..Setup::EMPTY });
    }

    /// Removes all pieces and drops the moves.
    fn clear_board(&mut self) {
        self.state.edit(|setup| setup.board = Board::EMPTY);
        self.stack.clear();
    }

    /// Sets up the start position of Chess960 with a number from 0 to 959, and drops the moves.
    ///
    /// Raises ``ValueError`` for other numbers.
    fn set_chess960_pos(&mut self, scharnagl: i64) -> PyResult<()> {
        self.set_setup(chess960(scharnagl)?);
        Ok(())
    }

    /// A board with the start position of Chess960 with a number from 0 to 959; 518 is that of
    /// standard chess.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board.from_chess960_pos(0).board_fen()
    /// 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR'
    #[classmethod]
    fn from_chess960_pos<'py>(
        class: &Bound<'py, PyType>,
        scharnagl: i64,
    ) -> PyResult<Bound<'py, Self>> {
        Self::with(State::new(chess960(scharnagl)?)).instance(class)
    }

    /// The number of the start position of Chess960, or ``None`` if the board is not one.
    ///
    /// The side to move, the castling rights and the counters can be ignored.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().chess960_pos()
    /// 518
    #[pyo3(signature = (*, ignore_turn=false, ignore_castling=false, ignore_counters=true))]
    fn chess960_pos(
        &self,
        ignore_turn: bool,
        ignore_castling: bool,
        ignore_counters: bool,
    ) -> Option<u16> {
        let mut setup = self.state.setup();
        if ignore_turn {
            setup.turn = Color::White;
        }
        setup.castling = if ignore_castling {
            let back_ranks =
                Color::White.back_rank().bitboard() | Color::Black.back_rank().bitboard();
            (setup.board.role(Role::Rook) & back_ranks).iter().collect()
        } else {
            self.state.clean_castling()
        };
        let is_first = setup.halfmove_clock == 0 && setup.fullmove_number == 1;
        let [white, black] = setup.chess960_numbers()?;
        (white == black && (ignore_counters || is_first)).then_some(white)
    }

    /// Exchanges ranks and colours in place, and drops the moves.
    fn apply_mirror(&mut self) {
        let setup = self.state.setup().mirrored();
        self.set_setup(setup);
    }

    /// A board with ranks and colours exchanged, without history.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("8/8/8/8/8/8/P6k/K7 w - - 0 1").mirror()
    /// Board('k7/p6K/8/8/8/8/8/8 b - - 0 1')
    fn mirror<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let mut board = Self::with(State::clone(&slf.try_borrow()?.state));
        board.apply_mirror();
        board.instance(&slf.get_type())
    }

    /// Applies a function to every set of squares, and drops the moves. The function gets a number
    /// of 64 bits and returns one: ``flip_vertical``, ``flip_horizontal`` and so on.
    fn apply_transform(slf: &Bound<'_, Self>, f: &Bound<'_, PyAny>) -> PyResult<()> {
        let setup = slf.try_borrow()?.state.setup();
        let moved = |set: Bitboard| -> PyResult<Bitboard> {
            Ok(f.call1((set.0,))?.extract::<BitboardArg>()?.0)
        };
        let mut board = Board::EMPTY;
        for color in Color::ALL {
            for role in Role::ALL {
                for square in moved(setup.board.pieces(color, role))? {
                    board.set(square, Some(role.of(color)));
                }
            }
        }
        let castling = moved(setup.castling.rooks())?.iter().collect();
        let en_passant = setup.en_passant.map(|square| moved(square.bitboard())).transpose()?;
        let en_passant = en_passant.and_then(Bitboard::last);
        slf.try_borrow_mut()?.set_setup(Setup { board, castling, en_passant, ..setup });
        Ok(())
    }

    /// A board with a function applied to every set of squares, without history.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("8/8/8/8/8/8/P6k/K7 w - - 0 1").transform(tabiya.flip_horizontal)
    /// Board('8/8/8/8/8/8/k6P/7K w - - 0 1')
    fn transform<'py>(slf: &Bound<'py, Self>, f: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let state = State::clone(&slf.try_borrow()?.state);
        let board = Self::with(state).instance(&slf.get_type())?;
        Self::apply_transform(&board, f)?;
        Ok(board)
    }

    /// The errors of the board, as a ``Status``: ``STATUS_VALID`` if there are none.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("8/8/8/8/8/8/8/K6P w - - 0 1")
    /// >>> board.status()
    /// <Status.NO_BLACK_KING|PAWNS_ON_BACKRANK: 34>
    fn status<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        // The call runs Python code, so the board must not be borrowed during it.
        let problems = slf.try_borrow()?.problems();
        make!(slf.py(), "tabiya.status", "Status", (problems,))
    }

    /// Is nothing wrong with the board? Some boards that can be played cannot arise in a game.
    fn is_valid(&self) -> bool {
        self.problems() == 0
    }
}
