//! The state of a board: a playable position, or any setup that editing has produced.

use pyo3::prelude::*;
use tabiya::fen::EnPassantMode;
use tabiya::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, File, Move, Notation,
    Position, PositionError, Role, Setup, Square, UciMove, attacks,
};

use super::{legal, unplayable};
use crate::errors::raise;
use crate::moves::PyMove;

/// The corners: the squares of the rooks that may castle in standard chess.
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// The pieces and the other fields of a board.
#[derive(Clone)]
pub(super) enum State {
    /// A playable position that agrees with the fields exactly.
    Playable(Position),
    /// Anything else.
    Edited(Box<Edited>),
}

/// Fields that are not exactly those of a playable position.
#[derive(Clone)]
pub(super) struct Edited {
    setup: Setup,
    /// The position without meaningless castling rights and en-passant square, or the reason why it
    /// is not playable.
    position: Result<Position, PositionError>,
}

/// A board as the rules see it.
pub(super) enum Rules<'a> {
    Position(&'a Position),
    /// It is not playable.
    Setup(&'a Setup),
}

impl State {
    /// The state with these fields.
    pub(super) fn new(setup: Setup) -> Self {
        if let Ok(position) = Position::from_setup(&setup) {
            return Self::Playable(position);
        }
        let mut clean = Setup { castling: clean_castling(&setup), ..setup.clone() };
        let mut position = Position::from_setup(&clean);
        if matches!(position, Err(PositionError::EnPassant { .. })) {
            clean.en_passant = None;
            position = Position::from_setup(&clean);
        }
        Self::Edited(Box::new(Edited { setup, position }))
    }

    /// No pieces, with castling in this notation.
    pub(super) fn empty(mode: CastlingMode) -> Self {
        Self::new(Setup { castling_mode: mode, ..Setup::EMPTY })
    }

    /// The state of a position, with castling in this notation.
    pub(super) fn of(position: Position, mode: CastlingMode) -> Self {
        if position.castling_mode() == mode {
            return Self::Playable(position);
        }
        Self::new(Setup { castling_mode: mode, ..position.to_setup_with(EnPassantMode::Always) })
    }

    /// The position, if it is playable.
    #[inline]
    pub(super) fn position(&self) -> Option<&Position> {
        match self {
            Self::Playable(position) => Some(position),
            Self::Edited(edited) => edited.position.as_ref().ok(),
        }
    }

    /// The position, or what is there instead.
    #[inline]
    pub(super) fn rules(&self) -> Rules<'_> {
        match self {
            Self::Playable(position) => Rules::Position(position),
            Self::Edited(edited) => match &edited.position {
                Ok(position) => Rules::Position(position),
                Err(_) => Rules::Setup(&edited.setup),
            },
        }
    }

    /// The legal moves.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        match self.rules() {
            Rules::Position(position) => position.legal_moves().to_vec(),
            Rules::Setup(setup) => unplayable::legal(setup),
        }
    }

    /// The pseudo-legal moves. Castling moves are legal.
    pub(super) fn pseudo_legal_moves(&self) -> Vec<Move> {
        match self.rules() {
            Rules::Position(position) => legal::pseudo_legal(position).to_vec(),
            Rules::Setup(setup) => unplayable::pseudo_legal(setup),
        }
    }

    pub(super) fn has_legal_move(&self) -> bool {
        match self.rules() {
            Rules::Position(position) => position.has_legal_move(),
            Rules::Setup(setup) => !unplayable::legal(setup).is_empty(),
        }
    }

    /// The state after a legal move, or after passing.
    #[inline]
    pub(super) fn after(&self, mv: Option<Move>) -> Self {
        match (self.rules(), mv) {
            (Rules::Position(position), Some(mv)) => Self::Playable(position.play(mv)),
            (Rules::Position(position), None) => match position.play_null() {
                Some(after) => Self::Playable(after),
                // The opponent can capture the king.
                None => Self::new(self.setup().play_null()),
            },
            (Rules::Setup(setup), Some(mv)) => Self::new(setup.play(mv)),
            (Rules::Setup(setup), None) => Self::new(setup.play_null()),
        }
    }

    /// A move in UCI, in the board's notation of castling.
    pub(super) fn uci(&self, mv: Move) -> UciMove {
        match self.rules() {
            Rules::Position(position) => position.uci(mv),
            Rules::Setup(setup) => setup.uci(mv),
        }
    }

    /// A legal move in a notation; `--` for passing.
    pub(super) fn text(&self, mv: Option<Move>, notation: Notation) -> String {
        let Some(mv) = mv else { return "--".to_owned() };
        match self.rules() {
            Rules::Position(position) => position.move_text(mv, notation).to_string(),
            Rules::Setup(setup) => setup.move_text(mv, notation).to_string(),
        }
    }

    /// The rook with which a move castles.
    pub(super) fn castling_rook(&self, mv: Move) -> Option<Square> {
        let side = mv.castling()?;
        self.clean_castling().rook(self.turn(), side, mv.from())
    }

    /// The object of a legal or pseudo-legal move.
    #[inline]
    pub(super) fn object(&self, py: Python<'_>, mv: Move) -> PyResult<&'static Py<PyMove>> {
        match self.rules() {
            Rules::Position(position) => PyMove::of(py, position, mv),
            Rules::Setup(setup) => PyMove { uci: Some(setup.uci(mv)) }.object(py),
        }
    }

    /// Are two states the same for play? Counters do not matter.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self.rules(), other.rules()) {
            (Rules::Position(one), Rules::Position(other)) => {
                one.key() == other.key() && one == other
            }
            (Rules::Setup(one), Rules::Setup(two)) => {
                one.board == two.board
                    && one.turn == two.turn
                    && self.clean_castling() == other.clean_castling()
                    && self.legal_en_passant() == other.legal_en_passant()
            }
            _ => false,
        }
    }

    /// The position.
    ///
    /// # Errors
    /// `UnplayableError`: the position is not playable.
    #[inline]
    pub(super) fn playable(&self, py: Python<'_>) -> PyResult<&Position> {
        match self {
            Self::Playable(position) => Ok(position),
            Self::Edited(edited) => edited.position.as_ref().map_err(|error| {
                let fen = edited.setup.fen().to_string();
                raise!(py, UnplayableError, (error.to_string(), fen))
            }),
        }
    }

    /// All fields, with the en-passant square after every double push.
    pub(super) fn setup(&self) -> Setup {
        match self {
            Self::Playable(position) => position.to_setup_with(EnPassantMode::Always),
            Self::Edited(edited) => edited.setup.clone(),
        }
    }

    /// The pieces.
    #[inline]
    pub(super) fn board(&self) -> &Board {
        match self {
            Self::Playable(position) => position.board(),
            Self::Edited(edited) => &edited.setup.board,
        }
    }

    /// The side to move.
    #[inline]
    pub(super) fn turn(&self) -> Color {
        match self {
            Self::Playable(position) => position.turn(),
            Self::Edited(edited) => edited.setup.turn,
        }
    }

    /// The castling rights as they were set, even if they are meaningless.
    pub(super) fn castling(&self) -> CastlingRights {
        match self {
            Self::Playable(position) => position.castling_rights(),
            Self::Edited(edited) => edited.setup.castling,
        }
    }

    /// The castling rights of kings and rooks that are in their places.
    pub(super) fn clean_castling(&self) -> CastlingRights {
        match self {
            Self::Playable(position) => position.castling_rights(),
            Self::Edited(edited) => clean_castling(&edited.setup),
        }
    }

    /// The notation of castling.
    #[inline]
    pub(super) fn mode(&self) -> CastlingMode {
        match self {
            Self::Playable(position) => position.castling_mode(),
            Self::Edited(edited) => edited.setup.castling_mode,
        }
    }

    /// The number of plies since the last capture or pawn move.
    #[inline]
    pub(super) fn halfmove_clock(&self) -> u16 {
        match self {
            Self::Playable(position) => position.halfmove_clock(),
            Self::Edited(edited) => edited.setup.halfmove_clock,
        }
    }

    /// The number of the current move.
    #[inline]
    pub(super) fn fullmove_number(&self) -> u16 {
        match self {
            Self::Playable(position) => position.fullmove_number(),
            Self::Edited(edited) => edited.setup.fullmove_number,
        }
    }

    /// The square that the last double push crossed, or that was set.
    pub(super) fn en_passant(&self) -> Option<Square> {
        match self {
            Self::Playable(position) => position.to_setup_with(EnPassantMode::Always).en_passant,
            Self::Edited(edited) => edited.setup.en_passant,
        }
    }

    /// The square of a legal capture en passant, even if the position is not playable.
    pub(super) fn legal_en_passant(&self) -> Option<Square> {
        match self.position() {
            Some(position) => position.en_passant(),
            None => {
                let is_safe = |after: &Board| attackers_of_king(after, self.turn()).is_empty();
                self.en_passant().filter(|_| self.has_en_passant_capture(is_safe))
            }
        }
    }

    /// Can a pawn capture en passant so that the board after it passes `is_so`? The position need
    /// not be playable.
    pub(super) fn has_en_passant_capture(&self, is_so: impl Fn(&Board) -> bool) -> bool {
        let setup = self.setup();
        let (us, them) = (setup.turn, !setup.turn);
        let Some(square) = setup.en_passant.filter(|_| is_en_passant_possible(&setup)) else {
            return false;
        };
        let Some(captured) = square.step(them.forward()) else { return false };
        let pawns = attacks::pawn(them, square) & setup.board.pieces(us, Role::Pawn);
        pawns.iter().any(|from| {
            let mut after = setup.board;
            after.set(from, None);
            after.set(captured, None);
            after.set(square, Some(Role::Pawn.of(us)));
            is_so(&after)
        })
    }

    /// Applies a change to the fields.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.setup();
        change(&mut setup);
        *self = Self::new(setup);
    }

    /// The checkers of the king of the side to move.
    pub(super) fn checkers(&self) -> Bitboard {
        attackers_of_king(self.board(), self.turn())
    }
}

/// The opponent's pieces that attack the king of this side.
pub(super) fn attackers_of_king(board: &Board, color: Color) -> Bitboard {
    let attackers = |king| board.attackers_to(king) & board.color(!color);
    king(board, color).map_or(Bitboard::EMPTY, attackers)
}

/// The square of a side's king: the last one, if an edited board has several.
pub(super) fn king(board: &Board, color: Color) -> Option<Square> {
    board.pieces(color, Role::King).last()
}

/// The castling rights of kings and rooks that are in their places: in Chess960 at most one right
/// on each side of the king; otherwise only with the king on the e-file and rooks in the corners.
fn clean_castling(setup: &Setup) -> CastlingRights {
    let Setup { board, castling, castling_mode, .. } = setup;
    let mut clean = CastlingRights::NONE;
    for color in Color::ALL {
        let back_rank = color.back_rank().bitboard();
        let kings = board.pieces(color, Role::King) & back_rank;
        let Some(king) = kings.last() else { continue };
        let own = board.pieces(color, Role::Rook);
        let mut rooks = castling.of(color) & own;
        if *castling_mode == CastlingMode::Standard {
            rooks &= CORNERS;
            if king.file() != File::E {
                continue;
            }
        }
        for (rook, side) in
            [(rooks.first(), CastlingSide::Queen), (rooks.last(), CastlingSide::King)]
        {
            if let Some(rook) = rook.filter(|&rook| CastlingSide::of(king, rook) == side) {
                clean.add(rook);
            }
        }
    }
    clean
}

/// Can a double push just have crossed the en-passant square?
pub(super) fn is_en_passant_possible(setup: &Setup) -> bool {
    let Some(square) = setup.en_passant else { return true };
    let pusher = !setup.turn;
    let origin = Square::new(square.file(), pusher.pawn_rank());
    let pawn = square.step(pusher.forward());
    square.rank() == pusher.double_push_rank()
        && pawn.is_some_and(|pawn| setup.board.pieces(pusher, Role::Pawn).has(pawn))
        && !setup.board.occupied().meets(square.bitboard() | origin.bitboard())
}
