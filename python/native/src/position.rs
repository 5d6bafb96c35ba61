//! `Position`: one position that never changes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tabiya::fen::{CastlingNotation, EnPassantMode, FenConvention};
use tabiya::movegen::{Captures, QuietChecks, Quiets};
use tabiya::{CastlingMode, Move, MoveList, PackedPosition, Position};

use crate::bitboard::PyBitboard;
use crate::classes;
use crate::color::ColorArg;
use crate::moves::{MoveArg, PyMove};
use crate::piece::PyPiece;
use crate::position_arg::{PositionArg, position_of};
use crate::square::SquareArg;
use crate::{arrays, color, errors, explain, moves, outcome, piece, plain_picture};

/// A playable position. It never changes: ``play`` returns the next one.
///
/// Two positions are equal if they are the same for play: the same pieces, side to move, castling
/// rights and *legal* capture en passant. The move counters do not matter. Equal positions have
/// equal hashes and keys.
///
/// It is that of a FEN, a ``Board`` or another ``Position``, and otherwise the start of a game.
/// With ``chess960``, castling is written as the king taking its own rook; a position whose castling
/// rights exist only in Chess960 is written like this in any case.
///
/// Raises ``FenError`` if the text is not the FEN of a playable position, and ``UnplayableError`` if
/// the board is not one.
///
/// >>> import tabiya
/// >>> position = tabiya.Position()
/// >>> len(position.legal_moves())
/// 20
/// >>> position.play("e4").play("c7c5").fen()
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
#[pyclass(name = "Position", module = "tabiya", frozen)]
pub(crate) struct PyPosition(Box<Position>);

impl PyPosition {
    pub(crate) fn of(position: Position) -> Self {
        Self(Box::new(position))
    }

    pub(crate) fn position(&self) -> &Position {
        &self.0
    }
}

/// The position in a FEN, with castling in the notation of Chess960 on request.
///
/// # Errors
/// `FenError`.
pub(crate) fn from_fen(py: Python<'_>, fen: &str, chess960: bool) -> PyResult<Position> {
    let position = Position::from_fen(fen).map_err(|error| errors::fen(py, fen, &error))?;
    if chess960 { in_chess960(position) } else { Ok(position) }
}

/// The same position with castling in the notation of Chess960.
pub(crate) fn in_chess960(position: Position) -> PyResult<Position> {
    position
        .with_castling_mode(CastlingMode::Chess960)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (fen=None, chess960=false), text_signature = "(fen=START, chess960=False)")]
    fn new(py: Python<'_>, fen: Option<PositionArg<'_>>, chess960: bool) -> PyResult<Self> {
        position_of(py, fen.as_ref(), chess960).map(Self::of)
    }

    // Text

    /// The FEN.
    ///
    /// ``en_passant`` says when it contains the en-passant square: ``"legal"`` (if a capture there
    /// is legal), ``"pseudo-legal"`` (even if it leaves the king in check) or ``"always"`` (after
    /// every double push). With ``shredder``, castling rights are the files of the rooks.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().play("e4").fen(en_passant="always")
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
    #[pyo3(signature = (*, en_passant="legal", shredder=false))]
    fn fen(&self, en_passant: &str, shredder: bool) -> PyResult<String> {
        let en_passant = match en_passant {
            "legal" => EnPassantMode::Legal,
            "pseudo-legal" => EnPassantMode::PseudoLegal,
            "always" => EnPassantMode::Always,
            other => {
                return Err(PyValueError::new_err(format!(
                    "expected \"legal\", \"pseudo-legal\" or \"always\", not {other:?}"
                )));
            }
        };
        let castling = shredder.then_some(CastlingNotation::Shredder);
        let convention = FenConvention { en_passant, castling, ..FenConvention::DEFAULT };
        Ok(self.0.fen_with(convention).to_string())
    }

    /// The legal move for a text in UCI, standard or long algebraic notation.
    ///
    /// Raises ``InvalidMoveError`` if the text is not a move, ``AmbiguousMoveError`` if several
    /// pieces can make it, and ``IllegalMoveError``, with every reason, if it is not legal.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().parse("Nf3")
    /// Move.from_uci('g1f3')
    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<&'static Py<PyMove>> {
        PyMove::of(py, &self.0, moves::parse(py, &self.0, text)?)
    }

    /// A legal move in standard algebraic notation.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().san(tabiya.Move.from_uci("g1f3"))
    /// 'Nf3'
    fn san(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<String> {
        Ok(self.0.san(r#move.legal(py, &self.0)?).to_string())
    }

    /// A legal move in long algebraic notation, such as ``Ng1-f3``.
    fn lan(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<String> {
        Ok(self.0.lan(r#move.legal(py, &self.0)?).to_string())
    }

    /// A legal move in UCI, with castling in the position's own notation.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").uci("O-O")
    /// 'e1g1'
    fn uci(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<String> {
        Ok(self.0.uci(r#move.legal(py, &self.0)?).to_string())
    }

    // Moves

    /// The legal moves, in the order of the generator.
    ///
    /// ``kind`` selects some of them: ``"captures"`` (with en passant and queen promotions),
    /// ``"quiets"`` (all others), ``"quiet-checks"`` (the quiets that give check).
    ///
    /// >>> import tabiya
    /// >>> position = tabiya.Position("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1")
    /// >>> [position.san(move) for move in position.legal_moves("captures")]
    /// ['exd5']
    /// >>> sorted(position.san(move) for move in position.legal_moves("quiet-checks"))
    /// ['Ra8+']
    #[pyo3(signature = (kind="legal"))]
    fn legal_moves<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyList>> {
        let list = match kind {
            "legal" => self.0.legal_moves(),
            "captures" => MoveList::of::<Captures>(&self.0),
            "quiets" => MoveList::of::<Quiets>(&self.0),
            "quiet-checks" => MoveList::of::<QuietChecks>(&self.0),
            other => {
                return Err(PyValueError::new_err(format!(
                    "expected \"legal\", \"captures\", \"quiets\" or \"quiet-checks\", not {other:?}"
                )));
            }
        };
        moves::list(py, &self.0, &list)
    }

    /// The number of legal moves. This is faster than making the list.
    fn count_legal(&self) -> usize {
        self.0.count_legal()
    }

    /// Is the move legal? The answer to a text that is not a move is ``False``.
    fn is_legal(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<bool> {
        match r#move.legal(py, &self.0) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The position after a legal move, which is a ``Move`` or a text in any notation.
    ///
    /// ``Move.null()`` passes the turn, which is not possible in check.
    ///
    /// Raises ``MoveError`` if the move is not legal, or if the text is not a move.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().play("d2d4") == tabiya.Position().play("d4")
    /// True
    fn play(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<Self> {
        match r#move.resolve(py, &self.0)? {
            Some(mv) => Ok(Self::of(self.0.play(mv))),
            None => match self.0.play_null() {
                Some(position) => Ok(Self::of(position)),
                None => Err(errors::null_in_check(py, &self.0)),
            },
        }
    }

    /// An ``Explanation`` of why a move is legal or not: a sentence, and each reason as data.
    ///
    /// Raises ``InvalidMoveError`` if the text is not a move, or if several pieces can make it.
    ///
    /// >>> import tabiya
    /// >>> print(tabiya.Position().explain("e2e5"))
    /// e2e5 is not legal: a pawn on e2 cannot reach e5
    /// >>> print(tabiya.Position().explain("1.e4"))
    /// e4 is legal
    fn explain<'py>(&self, py: Python<'py>, r#move: MoveArg<'py>) -> PyResult<Bound<'py, PyAny>> {
        explain::explain(py, &self.0, &r#move.text()?)
    }

    /// Does a legal move give check?
    fn gives_check(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<bool> {
        Ok(self.0.gives_check(r#move.legal(py, &self.0)?))
    }

    /// Is a legal move a capture, including en passant?
    fn is_capture(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<bool> {
        Ok(r#move.legal(py, &self.0)?.is_capture())
    }

    /// The material that a legal move gains in the exchange on its target square if both sides
    /// capture as long as it pays (static exchange evaluation), in centipawns.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").see("exd5")
    /// 100
    #[pyo3(signature = (r#move))]
    fn see(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<i32> {
        Ok(tabiya::order::see(&self.0, r#move.legal(py, &self.0)?))
    }

    /// A legal move as a number of 16 bits, as arrays hold it: the origin square in bits 0 to 5,
    /// the target square in bits 6 to 11, the kind in bits 12 to 15.
    ///
    /// >>> import tabiya
    /// >>> bits = tabiya.Position().move_bits("e2e4")
    /// >>> bits & 63, bits >> 6 & 63, bits >> 12
    /// (12, 28, 1)
    fn move_bits(&self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<u16> {
        Ok(r#move.legal(py, &self.0)?.bits())
    }

    /// The legal move with this number.
    ///
    /// Raises ``ValueError`` if there is none.
    fn move_from_bits(&self, py: Python<'_>, bits: u16) -> PyResult<&'static Py<PyMove>> {
        let mv = Move::from_bits(bits).filter(|&mv| self.0.is_legal(mv));
        let mv = mv.ok_or_else(|| {
            PyValueError::new_err(format!("{bits:#06x} is not a legal move of {}", self.0.fen()))
        })?;
        PyMove::of(py, &self.0, mv)
    }

    // State

    /// The side to move: ``WHITE`` (``True``) or ``BLACK`` (``False``).
    #[getter]
    fn turn(&self) -> bool {
        color::to_bool(self.0.turn())
    }

    /// A number of 64 bits that is the same for equal positions. It is the same in every run and on
    /// every machine.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// The key that opening books in the format of Polyglot use.
    #[getter]
    fn polyglot_key(&self) -> u64 {
        self.0.polyglot_key()
    }

    /// The squares of the rooks that may still castle.
    #[getter]
    fn castling_rights(&self) -> PyBitboard {
        PyBitboard(self.0.castling_rights().rooks())
    }

    /// Is castling written as the king taking its own rook?
    #[getter]
    fn chess960(&self) -> bool {
        self.0.castling_mode() == CastlingMode::Chess960
    }

    /// The square on which a capture en passant is legal, or ``None``.
    #[getter]
    fn en_passant(&self) -> Option<u8> {
        self.0.en_passant().map(|square| square as u8)
    }

    /// The number of plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.0.halfmove_clock()
    }

    /// The number of the move. It begins at 1 and increases after each move of Black.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.0.fullmove_number()
    }

    /// The outcome of the game, or ``None``: checkmate, stalemate, insufficient material or the
    /// seventy-five-move rule. Repetitions need a ``Game``.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.outcome().map(|outcome| outcome::to_python(py, outcome)).transpose()
    }

    /// Is the side to move in check?
    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// Is the side to move in check without a legal move?
    fn is_checkmate(&self) -> bool {
        self.0.is_checkmate()
    }

    /// Has the side to move no legal move, without being in check?
    fn is_stalemate(&self) -> bool {
        self.0.is_stalemate()
    }

    /// Has neither side enough material for a mate?
    fn is_insufficient_material(&self) -> bool {
        self.0.is_insufficient_material()
    }

    // Board

    /// The piece on a square, or ``None``.
    fn piece_at(&self, square: SquareArg) -> Option<PyPiece> {
        self.0.piece_on(square.0).map(PyPiece)
    }

    /// The pieces of a type and a colour.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().pieces(tabiya.KNIGHT, tabiya.WHITE).names()
    /// ['b1', 'g1']
    fn pieces(&self, piece_type: i64, color: ColorArg) -> PyResult<PyBitboard> {
        let role = piece::role(piece_type)?;
        Ok(PyBitboard(self.0.board().pieces(color.0, role)))
    }

    /// All occupied squares; with a colour, those of its pieces.
    #[pyo3(signature = (color=None))]
    fn occupied(&self, color: Option<ColorArg>) -> PyBitboard {
        let board = self.0.board();
        PyBitboard(color.map_or(board.occupied(), |color| board.color(color.0)))
    }

    /// The square of a king.
    fn king(&self, color: ColorArg) -> u8 {
        self.0.king(color.0) as u8
    }

    /// The pieces of a colour that attack a square.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().attackers(tabiya.WHITE, "f3").names()
    /// ['g1', 'e2', 'g2']
    fn attackers(&self, color: ColorArg, square: SquareArg) -> PyBitboard {
        let side = self.0.board().color(color.0);
        PyBitboard(self.0.attackers_to(square.0) & side)
    }

    /// The squares that the piece on a square attacks; none if the square is empty.
    fn attacks(&self, square: SquareArg) -> PyBitboard {
        PyBitboard(self.0.board().attacks_from(square.0))
    }

    /// The pieces that give check.
    fn checkers(&self) -> PyBitboard {
        PyBitboard(self.0.checkers())
    }

    /// The pieces of the side to move that are pinned to their king.
    fn pinned(&self) -> PyBitboard {
        PyBitboard(self.0.pinned())
    }

    /// The squares to which a pin confines the piece of the side to move on a square, including the
    /// pinner; all squares if it is not pinned.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").pin_line("e2").names()
    /// ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
    fn pin_line(&self, square: SquareArg) -> PyBitboard {
        PyBitboard(self.0.legality().pin_line(square.0))
    }

    /// The squares that the opponent attacks with the king of the side to move removed.
    fn king_danger(&self) -> PyBitboard {
        PyBitboard(self.0.generator().king_danger())
    }

    /// The position with the board turned upside down and the colours exchanged.
    fn mirrored(&self) -> Self {
        Self::of(self.0.mirrored())
    }

    // Storage

    /// The start position of Chess960 with a number from 0 to 959. With ``black``, the number of
    /// Black's arrangement, each side has its own arrangement.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position.from_chess960_number(0).fen()
    /// 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
    #[staticmethod]
    #[pyo3(signature = (number, black=None))]
    fn from_chess960_number(number: i64, black: Option<i64>) -> PyResult<Self> {
        let of = |number: i64| u16::try_from(number).ok();
        let [white, black] = [of(number), of(black.unwrap_or(number))];
        let position = white.zip(black).and_then(|(a, b)| Position::double_chess960(a, b));
        let position = position.ok_or_else(|| {
            PyValueError::new_err("the arrangements of Chess960 have numbers from 0 to 959")
        })?;
        Ok(Self::of(position))
    }

    /// The position in 32 bytes, with its counters.
    fn packed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &PackedPosition::of(&self.0).to_bytes())
    }

    /// The position from 32 bytes, which may be ``bytes`` or an array.
    ///
    /// Raises ``ValueError`` if they do not describe a playable position.
    #[staticmethod]
    fn from_packed(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = arrays::bytes("data", data)?;
        let data = data.as_slice()?;
        let bytes = data.try_into().map_err(|_| {
            PyValueError::new_err(format!("a packed position has 32 bytes, not {}", data.len()))
        })?;
        let position = PackedPosition::from_bytes(bytes).unpack();
        let position = position.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self::of(position))
    }

    fn __eq__(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }

    fn __hash__(&self) -> u64 {
        self.0.key()
    }

    fn __repr__(&self) -> String {
        self.0.fen().to_string()
    }

    fn _repr_svg_(&self) -> String {
        plain_picture::svg_of(&self.0)
    }

    fn __str__(&self) -> String {
        self.0.board().to_string().trim_end().to_owned()
    }

    const fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_packed")?, (self.packed(py),)))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyPosition>(module)
}
