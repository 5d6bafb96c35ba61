//! The moves of any board: without kings, with several, with pawns on the first rank.
//!
//! The generator is that of positions; only what it takes for granted is arranged here. The rules,
//! beyond those of chess:
//!
//! * Each king may move, and each may be captured. The opponent may be in check.
//! * A pawn on its own first rank may advance by one or two squares, and can't be captured en
//!   passant afterwards. A pawn on its last rank has no moves.
//! * Castling rights and an en-passant square that mean nothing allow nothing. See
//!   [`Setup::cleaned`].

use core::convert::Infallible;
use core::ops::ControlFlow;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::{PositionError, Setup};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingMode, CastlingRights, CastlingSide};
use crate::color::Color;
use crate::movegen::{Generator, Legal, Legality, PseudoLegal, Restriction, Sink, Visitor};
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::role::Role;
use crate::square::{File, Square};
use crate::text::fen::EnPassantMode;

/// Moves on any board. They don't need a playable setup.
impl Setup {
    /// Passes every pseudo-legal move of the side to move to a function.
    ///
    /// The board can be any: kings may be missing, or there may be several, and pawns may be on
    /// the first or last rank. Each king may move and be captured. A pawn on its own first rank
    /// may advance by one or two squares; on its last rank it has no moves. Castling is allowed
    /// only to a side's sole king on the back rank, and en passant only if a double push can have
    /// crossed the square. For a playable setup the moves are those of
    /// [`PseudoLegal`](crate::movegen::PseudoLegal).
    ///
    /// ```
    /// use tabiya::Setup;
    /// let setup = Setup::from_fen("8/8/8/8/8/8/8/N7 w - - 0 1").unwrap();
    /// let mut moves = 0;
    /// setup.for_each_pseudo_legal(|_| moves += 1);
    /// assert_eq!(moves, 2);
    /// ```
    #[doc(alias("generate_moves", "without kings", "pseudo-legal"))]
    pub fn for_each_pseudo_legal(&self, mut f: impl FnMut(Move)) {
        self.generate(&mut f);
    }

    /// Every pseudo-legal move of the side to move, on any board; see
    /// [`for_each_pseudo_legal`](Self::for_each_pseudo_legal).
    ///
    /// ```
    /// use tabiya::Setup;
    /// let setup = Setup::from_fen("8/8/8/8/8/8/8/Q7 w - - 0 1").unwrap();
    /// assert_eq!(setup.pseudo_legal_moves().len(), 21);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_pseudo_legal(|mv| moves.push(mv));
        moves
    }

    /// The legal moves of a side with at most one king. Without a king, nothing can leave it in
    /// check, so all pseudo-legal moves are legal.
    ///
    /// # Errors
    /// [`PositionError::Kings`] if the side to move has several kings. For these,
    /// [`keeps_safe`](Self::keeps_safe) says which moves keep one of them safe.
    ///
    /// ```
    /// use tabiya::Setup;
    /// // The knight is pinned, and Black has no king.
    /// let setup = Setup::from_fen("4r3/8/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
    /// assert_eq!(setup.pseudo_legal_moves().len(), 10);
    /// assert_eq!(setup.legal_moves().unwrap().len(), 4);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn legal_moves(&self) -> Result<Vec<Move>, PositionError> {
        let kings = self.board.pieces(self.turn, Role::King);
        if kings.has_many() {
            return Err(PositionError::Kings { color: self.turn, found: kings.len() });
        }
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| self.allows(mv));
        Ok(moves)
    }

    /// Is a king of the side to move safe after a pseudo-legal move? `king` is its square before
    /// the move.
    ///
    /// It's tried on the board.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Setup, Square};
    /// let setup = Setup::from_fen("4r3/8/8/8/8/8/4N3/K3K3 w - - 0 1").unwrap();
    /// let jump = Move::new(Square::E2, Square::C3, MoveKind::Quiet);
    /// assert!(setup.keeps_safe(Square::A1, jump));
    /// assert!(!setup.keeps_safe(Square::E1, jump));
    /// ```
    pub fn keeps_safe(&self, king: Square, mv: Move) -> bool {
        let king = if mv.from() == king { mv.to() } else { king };
        self.as_position().play(mv).board().attackers_of(!self.turn, king).is_empty()
    }

    /// The setup after a pseudo-legal move of this setup.
    ///
    /// Only castling rights that can still be used remain, and an en-passant square follows only a
    /// double push from the second rank. A captured king is gone. Other moves can't cause
    /// undefined behaviour, but the board may be wrong.
    ///
    /// ```
    /// use tabiya::Setup;
    /// let setup = Setup::from_fen("8/8/8/8/8/8/k7/Q7 w - - 0 1").unwrap();
    /// let capture = setup.pseudo_legal_moves().into_iter().find(|mv| mv.is_capture()).unwrap();
    /// assert_eq!(setup.play(capture).fen().to_string(), "8/8/8/8/8/8/Q7/8 b - - 0 1");
    /// ```
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        self.as_position().play(mv).to_setup_with(EnPassantMode::Always).cleaned()
    }

    /// The key of any board. That of a playable setup is the [key](Position::key) of its position.
    ///
    /// ```
    /// use tabiya::{Position, Setup};
    /// assert_eq!(Setup::START.key(), Position::START.key());
    /// assert_ne!(Setup::EMPTY.key(), Setup::EMPTY.play_null().key());
    /// ```
    #[doc(alias("hash", "zobrist"))]
    pub fn key(&self) -> u64 {
        self.as_position().key_from_scratch()
    }

    /// The setup after passing the turn. It may be in check.
    ///
    /// ```
    /// use tabiya::{Color, Setup};
    /// let passed = Setup::START.play_null();
    /// assert_eq!((passed.turn, passed.halfmove_clock), (Color::Black, 1));
    /// ```
    #[doc(alias("null_move", "pass"))]
    #[must_use]
    pub fn play_null(&self) -> Self {
        Self {
            turn: !self.turn,
            en_passant: None,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self
                .fullmove_number
                .saturating_add(u16::from(self.turn == Color::Black)),
            ..self.cleaned()
        }
    }
}

impl MoveList {
    /// Every pseudo-legal move of a setup, without a heap; see
    /// [`Setup::for_each_pseudo_legal`].
    ///
    /// # Errors
    /// [`PositionError::TooManyPieces`] if the side to move has more than 16 pieces, since a list
    /// might not hold its moves. A `Vec` does: see `Setup::pseudo_legal_moves`.
    ///
    /// ```
    /// use tabiya::{MoveList, Setup};
    /// let rook = Setup::from_fen("8/8/8/8/8/8/8/R7 w - - 0 1").unwrap();
    /// assert_eq!(MoveList::of_setup(&rook).unwrap().len(), 14);
    /// ```
    pub fn of_setup(setup: &Setup) -> Result<Self, PositionError> {
        let pieces = setup.board.color(setup.turn).len();
        if pieces > 16 {
            return Err(PositionError::TooManyPieces { color: setup.turn, found: pieces });
        }
        let mut list = Self::new();
        setup.for_each_pseudo_legal(|mv| {
            let added = list.push(mv);
            debug_assert!(added.is_ok(), "there are at most as many moves as places");
        });
        Ok(list)
    }
}

impl Setup {
    /// One copy of the generator serves all callers: it's large.
    #[inline(never)]
    fn generate(&self, f: &mut dyn FnMut(Move)) {
        let (us, position) = (self.turn, self.as_position());
        let (own, enemies) = (self.board.color(us), self.board.color(!us));
        let kings = self.board.pieces(us, Role::King);
        let mut sink = Visitor::new(|mv| {
            f(mv);
            ControlFlow::<Infallible>::Continue(())
        });
        // The generator knows one king. It's the one that may castle, if any.
        let first = self.castling_king(us).or(kings.first());
        let (facts, restriction) = match first {
            Some(king) => {
                let mut facts = Legality::of_king(&self.board, us, king);
                // Only here can a king give check.
                facts.checkers |= attacks::king(king) & self.board.pieces(!us, Role::King);
                (facts, Restriction::UNRESTRICTED)
            }
            None => {
                let others = Restriction::UNRESTRICTED.roles(&Role::ALL[..Role::King as usize]);
                (Legality::unrestricted(Square::A1), others)
            }
        };
        Generator::with_facts(&position, facts)
            .with_restriction(restriction)
            .generate::<PseudoLegal<Legal>>(&mut sink);
        for king in kings.iter().filter(|&king| Some(king) != first) {
            sink.piece(Role::King, king, attacks::king(king) - own, enemies);
        }
    }

    /// Does a pseudo-legal move leave the sole king safe? Without a king, or with several, there's
    /// nothing to keep safe.
    pub(crate) fn allows(&self, mv: Move) -> bool {
        self.board.king(self.turn).is_none_or(|king| self.keeps_safe(king, mv))
    }

    /// The same as a position, which may not be playable, and has no key. Only what needs neither a
    /// sole king nor the key may use it: pseudo-legal generation, playing a move, writing it.
    pub(crate) fn as_position(&self) -> Position {
        Position::of_playable(&self.cleaned(), 0)
    }

    /// The same without castling rights that can't be used, and without an en-passant square that
    /// no double push can have crossed.
    ///
    /// Castling needs a side's sole king on the back rank and a rook of the side on the right's
    /// square, in the places of standard chess if the notation is. If several rooks on one side of
    /// the king have a right, the outermost keeps it.
    ///
    /// ```
    /// use tabiya::{Setup, Square};
    /// let mut setup = Setup::START;
    /// setup.board.set(Square::H1, None);
    /// assert!(setup.cleaned().fen().to_string().ends_with(" w Qkq - 0 1"));
    /// ```
    #[must_use]
    pub fn cleaned(&self) -> Self {
        Self {
            castling: Color::ALL.into_iter().flat_map(|color| self.usable_rights(color)).collect(),
            en_passant: self.en_passant.filter(|&to| self.validate_en_passant(to).is_ok()),
            ..self.clone()
        }
    }

    /// The rooks of a side with which its king may castle sometime.
    fn usable_rights(&self, color: Color) -> impl Iterator<Item = Square> {
        let is_standard = self.castling_mode == CastlingMode::Standard;
        let king = self.castling_king(color).filter(|king| !is_standard || king.file() == File::E);
        let places = if is_standard { CastlingRights::START.rooks() } else { Bitboard::FULL };
        let rooks = self.castling.of(color) & self.board.pieces(color, Role::Rook) & places;
        let outermost = [(CastlingSide::Queen, rooks.first()), (CastlingSide::King, rooks.last())];
        outermost.into_iter().filter_map(move |(side, rook)| {
            rook.filter(|&rook| king.is_some_and(|king| CastlingSide::of(king, rook) == side))
        })
    }

    /// A side's king on its back rank, if there is exactly one.
    fn castling_king(&self, color: Color) -> Option<Square> {
        let kings = self.board.pieces(color, Role::King) & color.back_rank().bitboard();
        if kings.has_many() { None } else { kings.first() }
    }
}
