//! Moves as text.

use pyo3::prelude::*;
use tabiya::{CastlingMode, CastlingSide, Color, File, Move, Notation, Role, Square, UciMove};

use super::state::State;
use super::{PyBoard, legal};
use crate::moves::{MoveArg, MoveObject, PyMove};
use crate::piece;
use crate::signals;
use crate::square::SquareArg;

impl PyBoard {
    /// Reads a move in any notation; `None` for a null move.
    ///
    /// # Errors
    /// `MoveError`.
    pub(super) fn read_move(&self, py: Python<'_>, text: &str) -> PyResult<Option<Move>> {
        legal::read(py, &self.state, text)
    }

    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<&'static Py<PyMove>> {
        match self.read_move(py, text)? {
            Some(mv) => self.state.object(py, mv),
            None => PyMove::NULL.object(py),
        }
    }

    /// Reads a move and pushes it.
    fn push_text(slf: &Bound<'_, Self>, text: &str) -> PyResult<&'static Py<PyMove>> {
        let py = slf.py();
        if slf.get_type().is(py.get_type::<Self>()) {
            let mut board = slf.try_borrow_mut()?;
            let mv = board.read_move(py, text)?;
            board.push_move(mv);
            drop(board);
            let board = slf.try_borrow()?;
            return board
                .stack
                .last()
                .map_or_else(|| PyMove::NULL.object(py), |entry| Self::object(py, entry));
        }
        // A user's subclass may have a `push` of its own.
        let mv = slf.try_borrow()?.parse(py, text)?;
        slf.call_method1("push", (mv,))?;
        Ok(mv)
    }
}

#[pymethods]
impl PyBoard {
    /// A legal move in standard algebraic notation; the null move is ``--``.
    ///
    /// Raises ``MoveError`` if the move is not legal.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().san(tabiya.Move.from_uci("g1f3"))
    /// 'Nf3'
    fn san(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<String> {
        Ok(self.state.text(legal::resolve(py, &self.state, &r#move)?, Notation::San))
    }

    /// A legal move in long algebraic notation, such as ``Ng1-f3``; the null move is ``--``.
    fn lan(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<String> {
        Ok(self.state.text(legal::resolve(py, &self.state, &r#move)?, Notation::Lan))
    }

    /// A legal move in standard algebraic notation. The move is pushed.
    fn san_and_push(slf: &Bound<'_, Self>, r#move: MoveArg<'_>) -> PyResult<String> {
        let py = slf.py();
        let (san, object) = {
            let board = slf.try_borrow()?;
            let mv = legal::resolve(py, &board.state, &r#move)?;
            let object = match mv {
                Some(mv) => board.state.object(py, mv)?,
                None => PyMove::NULL.object(py)?,
            };
            (board.state.text(mv, Notation::San), object)
        };
        slf.call_method1("push", (object,))?;
        Ok(san)
    }

    /// A line of moves in standard algebraic notation, with the numbers of the moves.
    ///
    /// Raises ``MoveError`` if one of the moves is not legal.
    ///
    /// >>> import tabiya
    /// >>> moves = [tabiya.Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
    /// >>> tabiya.Board().variation_san(moves)
    /// '1. e4 e5 2. Nf3'
    fn variation_san(slf: &Bound<'_, Self>, variation: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = slf.py();
        // The moves may come from a generator that changes the board.
        let mut state = State::clone(&slf.try_borrow()?.state);
        let mut line = String::new();
        for (ply, mv) in variation.try_iter()?.enumerate() {
            let mv = legal::resolve(py, &state, &mv?.extract()?)?;
            let space = if ply == 0 { "" } else { " " };
            let number = match state.turn() {
                Color::White => format!("{}. ", state.fullmove_number()),
                Color::Black if ply == 0 => format!("{}...", state.fullmove_number()),
                Color::Black => String::new(),
            };
            let san = state.text(mv, Notation::San);
            // The moves may never end.
            line += &format!("{space}{number}{san}");
            signals::pause_at(py, ply)?;
            state = state.after(mv);
        }
        Ok(line)
    }

    /// The legal move for a text, in standard algebraic or any other notation. ``--``, ``Z0``,
    /// ``0000`` and ``@@@@`` are the null move.
    ///
    /// Raises ``InvalidMoveError``, ``AmbiguousMoveError`` or ``IllegalMoveError``.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().parse_san("Nf3")
    /// Move.from_uci('g1f3')
    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<&'static Py<PyMove>> {
        self.parse(py, san)
    }

    /// Reads a move in standard algebraic notation, pushes it, and returns it.
    ///
    /// Raises ``InvalidMoveError``, ``AmbiguousMoveError`` or ``IllegalMoveError``.
    fn push_san(slf: &Bound<'_, Self>, san: &str) -> PyResult<&'static Py<PyMove>> {
        Self::push_text(slf, san)
    }

    /// A move in UCI. Castling is written in the notation of the board, or with ``chess960`` in
    /// that of Chess960 (``True``) or of standard chess (``False``).
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    /// >>> castling = tabiya.Move.from_uci("e1g1")
    /// >>> board.uci(castling), board.uci(castling, chess960=True)
    /// ('e1g1', 'e1h1')
    #[pyo3(signature = (r#move, *, chess960=None))]
    fn uci(&self, r#move: MoveObject, chess960: Option<bool>) -> String {
        let castling = self.find(r#move.0).and_then(|mv| Some((mv, mv.castling()?)));
        let Some((mv, side)) = castling else { return r#move.0.text() };
        let is_chess960 = chess960.unwrap_or(self.state.mode() == CastlingMode::Chess960);
        let rook = self.state.castling_rook(mv);
        // Castling that exists only in Chess960 has only that notation.
        let is_standard =
            |rook: Square| mv.from().file() == File::E && rook.file() == side.standard_rook_file();
        let to = rook.filter(|&rook| is_chess960 || !is_standard(rook)).unwrap_or(mv.to());
        UciMove { from: mv.from(), to, promotion: None }.to_string()
    }

    /// The legal move for a text in UCI, in the board's notation of castling.
    ///
    /// Raises ``InvalidMoveError`` or ``IllegalMoveError``.
    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<&'static Py<PyMove>> {
        self.parse(py, uci)
    }

    /// Reads a move in UCI, pushes it, and returns it.
    ///
    /// Raises ``InvalidMoveError`` or ``IllegalMoveError``.
    fn push_uci(slf: &Bound<'_, Self>, uci: &str) -> PyResult<&'static Py<PyMove>> {
        Self::push_text(slf, uci)
    }

    /// A move as in XBoard's protocol: UCI, but in Chess960 castling is ``O-O`` or ``O-O-O``, and
    /// the null move is ``@@@@``.
    #[pyo3(signature = (r#move, chess960=None))]
    fn xboard(&self, r#move: MoveObject, chess960: Option<bool>) -> String {
        let is_chess960 = chess960.unwrap_or(self.state.mode() == CastlingMode::Chess960);
        let castling = self.find(r#move.0).and_then(Move::castling).filter(|_| is_chess960);
        match castling {
            Some(CastlingSide::King) => "O-O".to_owned(),
            Some(CastlingSide::Queen) => "O-O-O".to_owned(),
            None => r#move.0.xboard_text(),
        }
    }

    /// The legal move for a text of XBoard's protocol.
    fn parse_xboard(&self, py: Python<'_>, xboard: &str) -> PyResult<&'static Py<PyMove>> {
        self.parse(py, xboard)
    }

    /// Reads a move of XBoard's protocol, pushes it, and returns it.
    fn push_xboard(slf: &Bound<'_, Self>, san: &str) -> PyResult<&'static Py<PyMove>> {
        Self::push_text(slf, san)
    }

    // The module `polyglot` of python-chess calls it.
    /// Castling from the e-file, given as the king taking its own rook, in the notation of standard
    /// chess, unless ``chess960``; other moves unchanged.
    #[pyo3(signature = (chess960, from_square, to_square, promotion=None, drop=None))]
    fn _from_chess960(
        &self,
        py: Python<'_>,
        chess960: bool,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<i64>,
        drop: Option<i64>,
    ) -> PyResult<&'static Py<PyMove>> {
        let (from, mut to) = (from_square.0, to_square.0);
        let is_king = self.state.board().role(Role::King).has(from);
        let is_e_file = matches!(from, Square::E1 | Square::E8);
        if !chess960 && promotion.is_none() && is_king && is_e_file && from.rank() == to.rank() {
            to = match to.file() {
                File::H => Square::new(File::G, to.rank()),
                File::A => Square::new(File::C, to.rank()),
                _ => to,
            };
        }
        PyMove::new(py, SquareArg(from), SquareArg(to), promotion, drop)
    }

    /// The legal move between two squares. A pawn promotes to a queen unless ``promotion`` says
    /// otherwise.
    ///
    /// Raises ``IllegalMoveError``.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    /// >>> board.find_move(tabiya.A7, tabiya.A8)
    /// Move.from_uci('a7a8q')
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn find_move(
        &self,
        py: Python<'_>,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<i64>,
    ) -> PyResult<&'static Py<PyMove>> {
        let (from, to) = (from_square.0, to_square.0);
        let given = promotion.map(piece::role).transpose()?;
        let promotes = self.state.board().role(Role::Pawn).has(from)
            && to.rank() == (!self.state.turn()).back_rank();
        let promotion = given.or(promotes.then_some(Role::Queen));
        let uci = UciMove { from, to, promotion };
        match self.find(PyMove { uci: Some(uci) }) {
            Some(mv) => self.state.object(py, mv),
            None => Err(legal::illegal(py, &self.state, uci)),
        }
    }
}
