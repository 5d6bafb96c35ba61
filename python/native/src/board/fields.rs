//! The fields of a board as attributes: pieces as bitboards, side to move, castling rights and so
//! on.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tabiya::{Bitboard, CastlingMode, CastlingSide, Color, Role};

use super::square_set::SquareSet;
use super::state::{State, king};
use super::{PyBoard, mode};
use crate::bitboard::BitboardArg;
use crate::color;
use crate::color::ColorArg;
use crate::piece::{self, PyPiece};
use crate::square::SquareArg;

/// A counter of FEN.
///
/// # Errors
/// `OverflowError`.
fn counter(value: i64, least: u16, name: &str) -> PyResult<u16> {
    u16::try_from(value).ok().filter(|&value| value >= least).ok_or_else(|| {
        PyOverflowError::new_err(format!(
            "expected a {name} from {least} to {}, not {value}",
            u16::MAX
        ))
    })
}

#[pymethods]
impl PyBoard {
    /// The variant in UCI.
    #[classattr]
    const fn uci_variant() -> &'static str {
        "chess"
    }

    /// The variant in XBoard's protocol.
    #[classattr]
    const fn xboard_variant() -> &'static str {
        "normal"
    }

    /// The start of a game, in FEN.
    #[classattr]
    const fn starting_fen() -> &'static str {
        super::START_FEN
    }

    /// The names of standard chess in the tag ``Variant`` of PGN.
    #[classattr]
    const fn aliases() -> [&'static str; 6] {
        ["Standard", "Chess", "Classical", "Normal", "Illegal", "From Position"]
    }

    /// ``True``: each side has one king.
    #[classattr]
    const fn one_king() -> bool {
        true
    }

    /// ``False``: kings may not stand side by side.
    #[classattr]
    const fn connected_kings() -> bool {
        false
    }

    /// ``False``: nobody has to capture.
    #[classattr]
    const fn captures_compulsory() -> bool {
        false
    }

    /// The suffix of Syzygy's tables of wins, draws and losses.
    #[classattr]
    const fn tbw_suffix() -> &'static str {
        ".rtbw"
    }

    /// The suffix of Syzygy's tables of distances.
    #[classattr]
    const fn tbz_suffix() -> &'static str {
        ".rtbz"
    }

    /// The bytes with which a table of wins, draws and losses begins.
    #[classattr]
    fn tbw_magic(py: Python<'_>) -> Bound<'_, PyBytes> {
        PyBytes::new(py, &[0x71, 0xe8, 0x23, 0x5d])
    }

    /// The bytes with which a table of distances begins.
    #[classattr]
    fn tbz_magic(py: Python<'_>) -> Bound<'_, PyBytes> {
        PyBytes::new(py, &[0xd7, 0x66, 0x0c, 0xa5])
    }

    /// ``None``: tables without pawns have the same suffix.
    #[classattr]
    const fn pawnless_tbw_suffix() -> Option<&'static str> {
        None
    }

    /// ``None``: tables without pawns have the same suffix.
    #[classattr]
    const fn pawnless_tbz_suffix() -> Option<&'static str> {
        None
    }

    /// ``None``: tables without pawns begin with the same bytes.
    #[classattr]
    const fn pawnless_tbw_magic() -> Option<&'static str> {
        None
    }

    /// ``None``: tables without pawns begin with the same bytes.
    #[classattr]
    const fn pawnless_tbz_magic() -> Option<&'static str> {
        None
    }

    /// The side to move: ``WHITE`` (``True``) or ``BLACK`` (``False``). It can be set.
    #[getter]
    fn turn(&self) -> bool {
        color::to_bool(self.state.turn())
    }

    #[setter]
    fn set_turn(&mut self, turn: ColorArg) {
        self.state.edit(|setup| setup.turn = turn.0);
    }

    /// The rooks that may castle, as a number of 64 bits. It can be set, even to rights without a
    /// king or a rook in place: ``clean_castling_rights()`` leaves these out.
    #[getter]
    fn castling_rights(&self) -> u64 {
        self.state.castling().rooks().0
    }

    #[setter]
    fn set_castling_rights(&mut self, castling_rights: BitboardArg) {
        self.state.edit(|setup| setup.castling = castling_rights.0.iter().collect());
    }

    /// The square that the last move crossed with a double push, even if no capture is possible
    /// there; ``None`` after other moves. It can be set.
    #[getter]
    fn ep_square(&self) -> Option<u8> {
        self.state.en_passant().map(|square| square as u8)
    }

    #[setter]
    fn set_ep_square(&mut self, ep_square: Option<SquareArg>) {
        self.state.edit(|setup| setup.en_passant = ep_square.map(|square| square.0));
    }

    /// The number of plies since the last capture or pawn move, up to 65535. It can be set.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock()
    }

    #[setter]
    fn set_halfmove_clock(&mut self, halfmove_clock: i64) -> PyResult<()> {
        let value = counter(halfmove_clock, 0, "halfmove clock")?;
        self.state.edit(|setup| setup.halfmove_clock = value);
        Ok(())
    }

    /// The number of the current move, up to 65535. It begins at 1 and increases after each move of
    /// Black. It can be set.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.state.fullmove_number()
    }

    #[setter]
    fn set_fullmove_number(&mut self, fullmove_number: i64) -> PyResult<()> {
        let value = counter(fullmove_number, 1, "fullmove number")?;
        self.state.edit(|setup| setup.fullmove_number = value);
        Ok(())
    }

    /// Is castling written as the king taking its own rook? It can be set.
    #[getter]
    fn chess960(&self) -> bool {
        self.state.mode() == CastlingMode::Chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: bool) {
        let castling_mode = mode(chess960);
        self.state.edit(|setup| setup.castling_mode = castling_mode);
    }

    /// The pawns of both sides, as a number of 64 bits.
    #[getter]
    fn pawns(&self) -> u64 {
        self.state.board().role(Role::Pawn).0
    }

    /// The knights of both sides, as a number of 64 bits.
    #[getter]
    fn knights(&self) -> u64 {
        self.state.board().role(Role::Knight).0
    }

    /// The bishops of both sides, as a number of 64 bits.
    #[getter]
    fn bishops(&self) -> u64 {
        self.state.board().role(Role::Bishop).0
    }

    /// The rooks of both sides, as a number of 64 bits.
    #[getter]
    fn rooks(&self) -> u64 {
        self.state.board().role(Role::Rook).0
    }

    /// The queens of both sides, as a number of 64 bits.
    #[getter]
    fn queens(&self) -> u64 {
        self.state.board().role(Role::Queen).0
    }

    /// The kings of both sides, as a number of 64 bits.
    #[getter]
    fn kings(&self) -> u64 {
        self.state.board().role(Role::King).0
    }

    /// The squares with a piece, as a number of 64 bits.
    #[getter]
    fn occupied(&self) -> u64 {
        self.state.board().occupied().0
    }

    /// The squares of each side's pieces, as numbers of 64 bits: ``occupied_co[WHITE]`` and
    /// ``occupied_co[BLACK]``.
    #[getter]
    fn occupied_co(&self) -> Vec<u64> {
        let board = self.state.board();
        vec![board.color(Color::Black).0, board.color(Color::White).0]
    }

    /// 0: pieces of variants that were pawns.
    #[getter]
    const fn promoted(&self) -> u64 {
        0
    }

    /// The piece on a square, or ``None``.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().piece_at(tabiya.G8)
    /// Piece.from_symbol('n')
    fn piece_at(
        &self,
        py: Python<'_>,
        square: SquareArg,
    ) -> PyResult<Option<&'static Py<PyPiece>>> {
        let piece = self.state.board().piece_on(square.0);
        piece.map(|piece| PyPiece(piece).object(py)).transpose()
    }

    /// The type of the piece on a square, from 1 (pawn) to 6 (king), or ``None``.
    fn piece_type_at(&self, square: SquareArg) -> Option<u8> {
        self.state.board().role_on(square.0).map(piece::number)
    }

    /// The colour of the piece on a square, or ``None``.
    fn color_at(&self, square: SquareArg) -> Option<bool> {
        self.state.board().color_on(square.0).map(color::to_bool)
    }

    /// The pieces by square, from h8 to a1, or those on the squares of ``mask``.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().piece_map(mask=tabiya.BB_E1 | tabiya.BB_E8)
    /// {60: Piece.from_symbol('k'), 4: Piece.from_symbol('K')}
    #[pyo3(
        signature = (*, mask=BitboardArg(Bitboard::FULL)),
        text_signature = "($self, *, mask=0xffffffffffffffff)"
    )]
    fn piece_map<'py>(&self, py: Python<'py>, mask: BitboardArg) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        let board = self.state.board();
        let mut squares = board.occupied() & mask.0;
        while let Some(square) = squares.last() {
            squares ^= square.bitboard();
            if let Some(piece) = board.piece_on(square) {
                pieces.set_item(square as u8, PyPiece(piece).object(py)?)?;
            }
        }
        Ok(pieces)
    }

    /// The squares of one type of piece of one side.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().pieces(tabiya.KNIGHT, tabiya.WHITE)
    /// SquareSet(0x0000_0000_0000_0042)
    fn pieces(&self, piece_type: i64, color: ColorArg) -> PyResult<SquareSet> {
        self.pieces_mask(piece_type, color).map(SquareSet::of)
    }

    /// The squares of one type of piece of one side, as a number of 64 bits.
    fn pieces_mask(&self, piece_type: i64, color: ColorArg) -> PyResult<u64> {
        let role = piece::role(piece_type)?;
        Ok(self.state.board().pieces(color.0, role).0)
    }

    /// The square of a side's king, or ``None``. If an edited board has several, the last one.
    fn king(&self, color: ColorArg) -> Option<u8> {
        king(self.state.board(), color.0).map(|square| square as u8)
    }

    /// The castling rights of kings and rooks that are in their places, as a number of 64 bits.
    fn clean_castling_rights(&self) -> u64 {
        self.state.clean_castling().rooks().0
    }

    /// Does a side have a castling right?
    fn has_castling_rights(&self, color: ColorArg) -> bool {
        self.state.clean_castling().of(color.0).any()
    }

    /// Does a side have the right to castle on the king side?
    fn has_kingside_castling_rights(&self, color: ColorArg) -> bool {
        self.has_right(color.0, CastlingSide::King)
    }

    /// Does a side have the right to castle on the queen side?
    fn has_queenside_castling_rights(&self, color: ColorArg) -> bool {
        self.has_right(color.0, CastlingSide::Queen)
    }

    /// Are there castling rights that exist only in Chess960?
    fn has_chess960_castling_rights(&self) -> bool {
        let mut setup = self.state.setup();
        setup.castling_mode = CastlingMode::Chess960;
        setup.castling = State::new(setup.clone()).clean_castling();
        !setup.has_standard_castling()
    }
}

impl PyBoard {
    fn has_right(&self, color: Color, side: CastlingSide) -> bool {
        let king = king(self.state.board(), color);
        let rights = self.state.clean_castling();
        king.is_some_and(|king| rights.rook(color, side, king).is_some())
    }
}
