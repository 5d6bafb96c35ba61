//! Playing a move: the position after it.

use core::fmt;
use core::hint::select_unpredictable;

use super::Position;
use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::{Black, Color, Side, White};
use crate::explain::Explanation;
use crate::movegen::legality::{can_capture_en_passant, en_passant_victim};
use crate::movegen::{Legal, Sink};
use crate::moves::{Move, MoveKind};
use crate::role::Role;
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// The position after a move.
    ///
    /// The move must be a legal move of this position. Other moves cannot cause undefined behaviour,
    /// but the resulting position may not be playable (it may lack a king, for example), and its
    /// methods may panic. For moves from other sources use [`try_play`](Self::try_play).
    #[doc(alias("make_move", "make_move_new", "do_move", "play_unchecked", "apply", "push"))]
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        match self.turn {
            Color::White => self.after::<White>(mv),
            Color::Black => self.after::<Black>(mv),
        }
    }

    /// Plays each legal move, and passes it on with the position after it, in no particular order.
    ///
    /// No other way through a tree is as fast: no moves are listed, and the generator knows which
    /// piece moves. To put the moves in order or to stop early, [list](Self::legal_moves) them and
    /// [`play`](Self::play) one after the other.
    ///
    /// ```
    /// use tabiya::Position;
    ///
    /// fn perft(position: &Position, depth: u32) -> u64 {
    ///     if depth == 1 {
    ///         return position.count_legal() as u64;
    ///     }
    ///     let mut leaf_nodes = 0;
    ///     position.for_each_child(|_, child| leaf_nodes += perft(child, depth - 1));
    ///     leaf_nodes
    /// }
    /// assert_eq!(perft(&Position::START, 4), 197_281);
    /// ```
    #[doc(alias("children", "successors", "perft", "tree", "generate_moves"))]
    pub fn for_each_child(&self, visit: impl FnMut(Move, &Self)) {
        self.for_each_child_with(DefaultSliders::default(), visit);
    }

    /// The same with the given slider method. It is inlined, so that it can be compiled for the CPU
    /// features of the method.
    #[inline(always)]
    pub fn for_each_child_with<L: Sliders>(&self, sliders: L, visit: impl FnMut(Move, &Self)) {
        self.generate_with::<Legal, _, _>(sliders, &mut Children { position: self, visit });
    }

    /// The [key](Self::key) of the position after a legal move, without playing it.
    ///
    /// It is exact for every move. Use it to load an entry of a table while the move is played.
    ///
    /// ```
    /// use tabiya::Position;
    /// let mv = Position::START.parse_uci("e2e4").unwrap();
    /// assert_eq!(Position::START.key_after(mv), Position::START.play(mv).key());
    /// ```
    #[doc(alias("prefetch", "hash_after", "key_after_move"))]
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Move) -> u64 {
        if !mv.is_plain() {
            return self.play(mv).key;
        }
        let role = self.board.role_on_occupied(mv.from());
        match self.turn {
            Color::White => self.plain_key::<White>(mv, role).0,
            Color::Black => self.plain_key::<Black>(mv, role).0,
        }
    }

    /// The position after a move from any source.
    ///
    /// # Errors
    /// [`IllegalMove`] with every reason if the move is not legal here.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Position, Square};
    /// let mv = Move::new(Square::A1, Square::A3, MoveKind::Quiet);
    /// assert_eq!(
    ///     Position::START.try_play(mv).unwrap_err().to_string(),
    ///     "a1a3 is not legal: the pawn on a2 is in the way",
    /// );
    /// ```
    #[doc(alias("make_legal", "play_checked"))]
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(IllegalMove { mv, explanation: self.explain_move(mv) })
        }
    }

    /// The position after a move of `S`, the side to move.
    ///
    /// The new position is built from values, field by field, instead of changing a copy. A changed
    /// copy would be read back while it is still being written.
    #[inline(always)]
    fn after<S: Side>(&self, mv: Move) -> Self {
        if mv.is_plain() {
            return self.after_plain::<S>(self.board.role_on_occupied(mv.from()), mv);
        }
        let (from, to) = (mv.from(), mv.to());
        let (us, them) = (S::COLOR, S::Them::COLOR);
        if let Some(side) = mv.castling() {
            return self.after_castling::<S>(from, side);
        }
        let role = self.board.role_on_occupied(from);
        let role_after = mv.promotion().unwrap_or(role);
        let mut key = self.key_without_en_passant() ^ zobrist::turn();
        key ^= zobrist::piece(us, role, from) ^ zobrist::piece(us, role_after, to);
        let mut victim = Bitboard::EMPTY;
        if mv.is_capture() {
            let square = victim_of(mv);
            victim = square.bitboard();
            key ^= zobrist::piece(them, self.board.role_on_occupied(square), square);
        }
        let lost =
            self.castling.touched_by::<S>(from.bitboard() | to.bitboard(), role == Role::King);
        key ^= rights_key(lost);
        let (mut double_push_square, mut en_passant) = (None, None);
        if mv.kind() == MoveKind::DoublePush {
            double_push_square = Some(Square::from_low_bits((from as u8 + to as u8) / 2));
            en_passant = double_push_square.filter(|&to| self.allows_en_passant::<S>(mv, to));
            key ^= en_passant.map_or(0, zobrist::en_passant);
        }
        let quiet = role != Role::Pawn && !mv.is_capture();
        let mut board = self.board.after(from, to, victim);
        if let Some(role) = mv.promotion() {
            board = board.with_role(to, role);
        }
        Self {
            board,
            key,
            castling: self.castling.without(lost),
            halfmove_clock: if quiet { self.halfmove_clock.saturating_add(1) } else { 0 },
            fullmove_number: self.fullmove_number_after::<S>(),
            turn: them,
            en_passant,
            double_push_square,
            castling_mode: self.castling_mode,
        }
    }

    /// The position after a plain move of `S`: most moves are, and they need the fewest tests.
    #[inline(always)]
    fn after_plain<S: Side>(&self, role: Role, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let quiet = role != Role::Pawn && !mv.is_capture();
        let (key, lost) = self.plain_key::<S>(mv, role);
        Self {
            board: self.board.after(from, to, Bitboard::EMPTY),
            key,
            castling: self.castling.without(lost),
            halfmove_clock: if quiet { self.halfmove_clock.saturating_add(1) } else { 0 },
            fullmove_number: self.fullmove_number_after::<S>(),
            turn: S::Them::COLOR,
            en_passant: None,
            double_push_square: None,
            castling_mode: self.castling_mode,
        }
    }

    /// The position after a quiet move, a double push or a capture of `S` by a piece whose role is
    /// known. `from` contains one square.
    ///
    /// It has no branch that depends on the role or on the kind of move: moves that are read from a
    /// file do not come in an order that a CPU could predict.
    #[inline(always)]
    pub(crate) fn after_known<S: Side>(
        &self,
        role: Role,
        from: Bitboard,
        to: Square,
        kind: MoveKind,
    ) -> Self {
        let (us, them) = (S::COLOR, S::Them::COLOR);
        let origin = from.first_unchecked();
        let is_capture = kind == MoveKind::Capture;
        let is_double = kind == MoveKind::DoublePush;
        let mut key = self.key_without_en_passant() ^ zobrist::turn();
        key ^= zobrist::piece(us, role, origin) ^ zobrist::piece(us, role, to);
        let victim = zobrist::piece(them, self.board.role_on_occupied(to), to);
        key ^= select_unpredictable(is_capture, victim, 0);
        let lost = self.castling.touched_by::<S>(from | to.bitboard(), role == Role::King);
        key ^= rights_key(lost);

        let crossed = Square::from_low_bits((origin as u8 + to as u8) / 2);
        let able = attacks::pawn(us, crossed) & self.board.pieces(them, Role::Pawn);
        let mut en_passant = None;
        if is_double & able.any() && self.allows_capture_of::<S>(from, to, crossed) {
            en_passant = Some(crossed);
            key ^= zobrist::en_passant(crossed);
        }
        let quiet = (role != Role::Pawn) & !is_capture;
        let clock = self.halfmove_clock.saturating_add(1);
        Self {
            board: self.board.after_role(us, role, from, to.bitboard()),
            key,
            castling: self.castling.without(lost),
            halfmove_clock: select_unpredictable(quiet, clock, 0),
            fullmove_number: self.fullmove_number_after::<S>(),
            turn: them,
            en_passant,
            double_push_square: select_unpredictable(is_double, Some(crossed), None),
            castling_mode: self.castling_mode,
        }
    }

    /// Will the opponent have a legal capture on the square that a pawn of `S` has crossed?
    #[cold]
    fn allows_capture_of<S: Side>(&self, from: Bitboard, to: Square, crossed: Square) -> bool {
        let board = self.board.after_role(S::COLOR, Role::Pawn, from, to.bitboard());
        can_capture_en_passant(&board, S::Them::COLOR, crossed)
    }

    /// The key after a plain move of `S`, and the castling rights that are lost with it.
    #[inline(always)]
    fn plain_key<S: Side>(&self, mv: Move, role: Role) -> (u64, Bitboard) {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key_without_en_passant() ^ zobrist::turn();
        key ^= zobrist::piece(S::COLOR, role, from) ^ zobrist::piece(S::COLOR, role, to);
        if mv.is_capture() {
            key ^= zobrist::piece(S::Them::COLOR, self.board.role_on_occupied(to), to);
        }
        let squares = from.bitboard() | to.bitboard();
        let lost = self.castling.touched_by::<S>(squares, role == Role::King);
        (key ^ rights_key(lost), lost)
    }

    /// The key without the part of the en-passant square.
    #[inline(always)]
    pub(super) fn key_without_en_passant(&self) -> u64 {
        self.key ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    /// The fullmove number after a move of `S`.
    #[inline(always)]
    fn fullmove_number_after<S: Side>(&self) -> u16 {
        self.fullmove_number.saturating_add(u16::from(S::COLOR == Color::Black))
    }

    /// Will the opponent have a legal capture on the square that a double push of `S` crosses?
    #[inline(always)]
    fn allows_en_passant<S: Side>(&self, push: Move, double_push_square: Square) -> bool {
        let able = attacks::pawn(S::COLOR, double_push_square)
            & self.board.pieces(S::Them::COLOR, Role::Pawn);
        able.any() && {
            let (from, to) = (push.from(), push.to());
            let board = self.board.after(from, to, Bitboard::EMPTY);
            can_capture_en_passant(&board, S::Them::COLOR, double_push_square)
        }
    }

    /// The position after castling with the rook that has the right on this side.
    fn after_castling<S: Side>(&self, king: Square, side: CastlingSide) -> Self {
        let us = S::COLOR;
        let lost = self.castling.touched_by::<S>(Bitboard::EMPTY, true);
        let mut after = Self {
            key: self.key_without_en_passant() ^ zobrist::turn() ^ rights_key(lost),
            castling: self.castling.without(lost),
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self.fullmove_number_after::<S>(),
            turn: S::Them::COLOR,
            en_passant: None,
            double_push_square: None,
            ..*self
        };
        if let Some(rook) = self.castling.rook(us, side, king) {
            let targets = [side.king_target(us), side.rook_target(us)];
            after.board = self.board.after_castling(us, [king, rook], targets);
            after.key ^= zobrist::piece(us, Role::King, king)
                ^ zobrist::piece(us, Role::King, side.king_target(us))
                ^ zobrist::piece(us, Role::Rook, rook)
                ^ zobrist::piece(us, Role::Rook, side.rook_target(us));
        }
        after
    }
}

/// Plays each move.
struct Children<'a, F> {
    position: &'a Position,
    visit: F,
}

impl<F: FnMut(Move, &Position)> Sink for Children<'_, F> {
    #[inline(always)]
    fn add(&mut self, role: Role, mv: Move) {
        let position = self.position;
        let child = match (mv.is_plain(), position.turn) {
            (true, Color::White) => position.after_plain::<White>(role, mv),
            (true, Color::Black) => position.after_plain::<Black>(role, mv),
            (false, _) => position.play(mv),
        };
        (self.visit)(mv, &child);
    }

    /// In one loop: two, for quiet moves and captures, are slower.
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        for to in targets {
            let kind = if captures.has(to) { MoveKind::Capture } else { MoveKind::Quiet };
            self.add(role, Move::new(from, to, kind));
        }
    }
}

/// The square of the piece that a capture removes.
#[inline(always)]
pub(super) fn victim_of(capture: Move) -> Square {
    if capture.is_en_passant() { en_passant_victim(capture.to()) } else { capture.to() }
}

/// The part of the key for castling rights.
#[inline(always)]
fn rights_key(rooks: Bitboard) -> u64 {
    rooks.iter().fold(0, |key, rook| key ^ zobrist::castling(rook))
}

/// The error for a move that is not legal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The reasons why it is not legal.
    pub explanation: Explanation,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.explanation.fmt(f)
    }
}

impl core::error::Error for IllegalMove {}
