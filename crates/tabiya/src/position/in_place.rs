//! Making and unmaking moves in place, including null moves.

use super::Position;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::movegen::safety::en_passant_victim;
use crate::moves::Move;
use crate::role::Role;
use crate::square::Square;
use crate::zobrist;

/// The information that [`Position::unmake`] needs in addition to the move.
#[doc(alias("StateInfo", "unmake information", "history"))]
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    key: u64,
    castling: CastlingRights,
    halfmove_clock: u16,
    fullmove_number: u16,
    captured: Option<Role>,
    en_passant: Option<Square>,
    double_push_square: Option<Square>,
}

impl Undo {
    /// The role of the captured piece.
    pub const fn captured(&self) -> Option<Role> {
        self.captured
    }
}

impl Position {
    /// Makes a move in place. Pass the result to [`unmake`](Self::unmake) to take it back.
    ///
    /// The move must be a legal move of this position, as for [`play`](Self::play). It saves no
    /// time: building the new position with `play` is as fast, and nothing has to be taken back.
    /// `make` is for programs that make and unmake moves on a single position.
    ///
    /// ```
    /// use tabiya::Position;
    /// let mut position = Position::START;
    /// let mv = position.parse_uci("g1f3").unwrap();
    /// let undo = position.make(mv);
    /// position.unmake(mv, undo);
    /// assert_eq!(position, Position::START);
    /// ```
    #[doc(alias("make_move", "do_move", "push", "apply"))]
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let before = self.undo();
        let captured = if mv.is_capture() { self.board.role_on(victim_of(mv)) } else { None };
        *self = self.play(mv);
        Undo { captured, ..before }
    }

    /// Takes back the last move made.
    ///
    /// The arguments must be that move and the result of making it. Others cannot cause undefined
    /// behaviour, but the position may be wrong.
    #[doc(alias("undo", "undo_move", "unmake_move", "pop", "take back"))]
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        let us = !self.turn;
        let (from, to) = (mv.from(), mv.to());
        self.board = match mv.castling() {
            Some(side) => {
                let rook = undo.castling.rook(us, side, from);
                let targets = [side.king_target(us), side.rook_target(us)];
                rook.map_or(self.board, |rook| self.board.after_castling(us, targets, [from, rook]))
            }
            None => {
                let board = self.board.after(to, from, Bitboard::EMPTY);
                if mv.is_promotion() { board.with_role(from, Role::Pawn) } else { board }
            }
        };
        if let Some(role) = undo.captured {
            self.board.set(victim_of(mv), Some(role.of(!us)));
        }
        self.restore(&undo);
    }

    /// The position after a null move, which passes the turn; `None` in check.
    ///
    /// A null move is neither a pawn move nor a capture, so the halfmove clock increases. To find
    /// repetitions, add the position with [`History::push_null`](crate::History::push_null).
    ///
    /// ```
    /// use tabiya::{Color, Position};
    /// let passed = Position::START.play_null().unwrap();
    /// assert_eq!((passed.turn(), passed.halfmove_clock()), (Color::Black, 1));
    /// ```
    #[doc(alias("null_move", "pass", "swap_turn"))]
    pub fn play_null(&self) -> Option<Self> {
        let mut after = self.clone();
        after.make_null().map(|_| after)
    }

    /// Makes a null move in place. In check it returns `None` and changes nothing.
    #[doc(alias("null_move", "do_null_move", "pass"))]
    pub fn make_null(&mut self) -> Option<Undo> {
        if self.is_check() {
            return None;
        }
        let before = self.undo();
        *self = Self {
            key: self.key_without_en_passant() ^ zobrist::turn(),
            turn: !self.turn,
            en_passant: None,
            double_push_square: None,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self
                .fullmove_number
                .saturating_add(u16::from(self.turn == Color::Black)),
            ..*self
        };
        Some(before)
    }

    /// Takes back a null move.
    #[doc(alias = "undo_null_move")]
    pub fn unmake_null(&mut self, undo: Undo) {
        self.restore(&undo);
    }

    #[inline(always)]
    const fn undo(&self) -> Undo {
        Undo {
            key: self.key,
            castling: self.castling,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            captured: None,
            en_passant: self.en_passant,
            double_push_square: self.double_push_square,
        }
    }

    /// Restores the side to move and everything that is not on the board.
    #[inline(always)]
    fn restore(&mut self, undo: &Undo) {
        self.turn = !self.turn;
        self.key = undo.key;
        self.castling = undo.castling;
        self.halfmove_clock = undo.halfmove_clock;
        self.fullmove_number = undo.fullmove_number;
        self.en_passant = undo.en_passant;
        self.double_push_square = undo.double_push_square;
    }
}

/// The square of the piece that a capture removes.
#[inline(always)]
fn victim_of(capture: Move) -> Square {
    if capture.is_en_passant() { en_passant_victim(capture.to()) } else { capture.to() }
}
