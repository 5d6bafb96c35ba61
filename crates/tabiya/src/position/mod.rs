//! A playable position, and how to get one.

mod in_place;
mod moves;
mod play;

pub use in_place::Undo;
pub use play::IllegalMove;

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights};
use crate::color::Color;
use crate::movegen::safety::can_capture_en_passant;
use crate::role::{Piece, Role};
use crate::setup::{PositionError, Setup};
use crate::square::Square;
use crate::text::fen::EnPassantMode;
use crate::zobrist;

/// A playable position.
///
/// Every value satisfies [`Setup::validate`], so generating moves and playing the generated moves
/// never fail.
///
/// Two positions are equal if they are the same for play: the same pieces, side to move, castling
/// rights and *legal* en-passant capture. Move counters and castling notation do not matter. Equal
/// positions have equal [keys](Self::key).
///
/// ```
/// use tabiya::Position;
/// let mut position = Position::START;
/// for text in ["e2e4", "e7e5", "g1f3"] {
///     position = position.play(position.parse_uci(text).unwrap());
/// }
/// assert_eq!(
///     position.fen().to_string(),
///     "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
/// );
/// assert_eq!(position.count_legal(), 29);
/// ```
#[doc(alias("Chess", "game state", "chessboard", "Board"))]
#[derive(Clone)]
pub struct Position {
    board: Board,
    key: u64,
    castling: CastlingRights,
    halfmove_clock: u16,
    fullmove_number: u16,
    turn: Color,
    /// The square on which a capture en passant is legal.
    en_passant: Option<Square>,
    /// The square that the last move crossed with a double push, even if no capture is legal.
    double_push_square: Option<Square>,
    castling_mode: CastlingMode,
}

impl Position {
    /// The start of a game.
    #[doc(alias("startpos", "new", "default"))]
    pub const START: Self = Self {
        board: Board::START,
        key: zobrist::of_position(
            zobrist::of_pieces(&Board::START),
            Color::White,
            CastlingRights::START,
            None,
        ),
        castling: CastlingRights::START,
        halfmove_clock: 0,
        fullmove_number: 1,
        turn: Color::White,
        en_passant: None,
        double_push_square: None,
        castling_mode: CastlingMode::Standard,
    };

    /// The position of a playable setup.
    ///
    /// # Errors
    /// [`PositionError`] if the setup is not playable, see [`Setup::validate`].
    #[doc(alias("from_board", "validate"))]
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.validate()?;
        Ok(Self::of_playable(setup, zobrist::of_pieces(&setup.board)))
    }

    /// The position of a setup that is playable, with the key of its pieces.
    #[inline(always)]
    pub(crate) fn of_playable(setup: &Setup, pieces: u64) -> Self {
        let en_passant =
            setup.en_passant.filter(|&to| can_capture_en_passant(&setup.board, setup.turn, to));
        Self {
            board: setup.board,
            key: zobrist::of_position(pieces, setup.turn, setup.castling, en_passant),
            castling: setup.castling,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            turn: setup.turn,
            en_passant,
            double_push_square: setup.en_passant,
            castling_mode: setup.castling_mode,
        }
    }

    /// The setup of this position, with an en-passant square only if a capture there is legal.
    #[doc(alias = "edit")]
    pub fn to_setup(&self) -> Setup {
        self.to_setup_with(EnPassantMode::Legal)
    }

    /// The setup of this position, with the en-passant square according to the mode.
    pub fn to_setup_with(&self, mode: EnPassantMode) -> Setup {
        let en_passant = self.en_passant_with(mode);
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            castling_mode: self.castling_mode,
            en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The en-passant square according to the mode.
    pub(crate) fn en_passant_with(&self, mode: EnPassantMode) -> Option<Square> {
        match mode {
            EnPassantMode::Always => self.double_push_square,
            EnPassantMode::PseudoLegal => self.double_push_square.filter(|&to| {
                attacks::pawn(!self.turn, to).meets(self.board.pieces(self.turn, Role::Pawn))
            }),
            EnPassantMode::Legal => self.en_passant,
        }
    }

    /// The same position with another notation of castling.
    ///
    /// # Errors
    /// [`PositionError::CastlingNotStandard`] if the rights cannot be written in the notation of
    /// standard chess.
    ///
    /// ```
    /// use tabiya::{CastlingMode, Position};
    /// let chess960 = Position::START.with_castling_mode(CastlingMode::Chess960).unwrap();
    /// assert_eq!(chess960, Position::START);
    /// assert!(chess960.fen().to_string().contains(" HAha "));
    /// ```
    pub fn with_castling_mode(self, mode: CastlingMode) -> Result<Self, PositionError> {
        let changed = Self { castling_mode: mode, ..self };
        changed.to_setup().validate_mode()?;
        Ok(changed)
    }

    /// The same position with ranks and colours exchanged.
    ///
    /// It has the same moves, mirrored, which makes it useful for tests.
    #[doc(alias("flip", "swap colors"))]
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let setup = self.to_setup_with(EnPassantMode::Always).mirrored();
        Self::from_setup(&setup).expect("the mirror of a playable position is playable")
    }

    /// The pieces.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[doc(alias("side_to_move", "stm", "active_color", "to_move"))]
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The rooks that still have the right to castle.
    #[doc(alias("castles", "castle_rights"))]
    #[inline(always)]
    pub const fn castling_rights(&self) -> CastlingRights {
        self.castling
    }

    /// The notation of castling.
    #[inline(always)]
    pub const fn castling_mode(&self) -> CastlingMode {
        self.castling_mode
    }

    /// The square on which a capture en passant is legal.
    #[doc(alias("ep_square", "legal_ep_square"))]
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The square that the last move crossed with a double push, whether or not a capture there is
    /// legal.
    #[inline(always)]
    pub(crate) const fn double_push_square(&self) -> Option<Square> {
        self.double_push_square
    }

    /// The number of plies since the last capture or pawn move.
    #[doc(alias("halfmoves", "fifty move rule", "rule50", "ply"))]
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current move. It begins at 1 and increases after each move of Black.
    #[doc(alias("fullmoves", "move number"))]
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key, updated with every move.
    ///
    /// Equal positions have equal keys; an en-passant square without a legal capture makes no
    /// difference. Different positions can have equal keys, too: the chance is about 2^-64 for two
    /// positions that were not chosen for it. The keys are the same in every build and on every
    /// machine, and in all releases with the same minor version.
    ///
    /// ```
    /// use tabiya::Position;
    /// let play = |moves: &[&str]| {
    ///     moves.iter().fold(Position::START, |position, text| {
    ///         position.play(position.parse_uci(text).unwrap())
    ///     })
    /// };
    /// assert_eq!(play(&["g1f3", "d7d5", "d2d4"]).key(), play(&["d2d4", "d7d5", "g1f3"]).key());
    /// ```
    #[doc(alias("hash", "zobrist", "get_hash", "zobrist_hash", "transposition table"))]
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from the whole position; always equal to [`key`](Self::key).
    pub fn key_from_scratch(&self) -> u64 {
        let pieces = zobrist::of_pieces(&self.board);
        zobrist::of_position(pieces, self.turn, self.castling, self.en_passant)
    }

    /// The piece on a square.
    #[doc(alias = "piece_at")]
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board.piece_on(square)
    }

    /// The square of a side's king.
    #[doc(alias("king_square", "king_of"))]
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.pieces(color, Role::King).first_unchecked()
    }

    /// The pieces of both colours that attack a square.
    #[doc(alias("attackers", "is_attacked", "is_square_attacked", "attacks_to"))]
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.board.attackers_to(square)
    }

    /// The pieces that give check to the side to move.
    #[doc(alias = "attackers of the king")]
    pub fn checkers(&self) -> Bitboard {
        self.board.attackers_of(!self.turn, self.king(self.turn))
    }

    /// Is the side to move in check?
    #[doc(alias("in_check", "is_in_check", "checkers"))]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Is the side to move in check, with no legal move?
    ///
    /// ```
    /// let mate = tabiya::Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert!(mate.is_checkmate() && !mate.is_stalemate());
    /// ```
    #[doc(alias("mate", "is_mate", "status", "game over"))]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Is the side to move not in check, but without a legal move?
    #[doc(alias("status", "draw"))]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::START
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
