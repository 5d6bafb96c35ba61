//! Playing a move: the position after it.

use core::fmt;
use core::hint::select_unpredictable;

use super::Position;
use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::{Black, Color, Side, White};
use crate::explain::Refusal;
use crate::movegen::safety::{can_capture_en_passant, en_passant_victim};
use crate::movegen::{Legal, Sink};
use crate::moves::{Move, MoveKind};
use crate::role::Role;
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// The position after a move.
    ///
    /// The move must be a legal move of this position. Other moves cannot cause undefined
    /// behaviour, but the resulting position may not be playable (it may lack a king, for example),
    /// and its methods may panic. For moves from other sources use [`try_play`](Self::try_play).
    #[doc(alias("make_move", "make_move_new", "do_move", "play_unchecked", "apply", "push"))]
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        match self.turn {
            Color::White => self.after::<White>(mv),
            Color::Black => self.after::<Black>(mv),
        }
    }

    /// The position after a legal move, like [`play`](Self::play), for moves in an order that a CPU
    /// can't predict, such as those of games in a file: it has fewer branches. For the moves of a
    /// generator it's slower.
    ///
    /// ```
    /// use tabiya::Position;
    /// let mv = Position::START.parse_uci("e2e4").unwrap();
    /// assert_eq!(Position::START.replay(mv), Position::START.play(mv));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn replay(&self, mv: Move) -> Self {
        let (role, kind) = (self.board.role_on_occupied(mv.from()), mv.kind());
        if !matches!(kind, MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture) {
            return self.play(mv);
        }
        match self.turn {
            Color::White => self.after_unpredictable::<White>(role, mv.from(), mv.to(), kind),
            Color::Black => self.after_unpredictable::<Black>(role, mv.from(), mv.to(), kind),
        }
    }

    /// Plays each legal move, and passes the move and the position after it to a function, in no
    /// particular order.
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
        self.generator()
            .with_sliders(sliders)
            .generate::<Legal>(&mut Children { position: self, visit });
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
        match self.turn {
            Color::White => self.key_after_plain::<White>(mv),
            Color::Black => self.key_after_plain::<Black>(mv),
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
    #[doc(alias("make_legal", "play_checked", "play"))]
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(IllegalMove { mv, refusal: self.refuse_move(mv) })
        }
    }

    /// The position after a move of `S`, the side to move.
    #[inline(always)]
    fn after<S: Side>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_plain() {
            return self.after_plain::<S>(self.board.role_on_occupied(from), mv);
        }
        if let Some(side) = mv.castling() {
            return self.after_castling::<S>(from, side);
        }
        let role = self.board.role_on_occupied(from);
        if mv.kind() == MoveKind::DoublePush {
            let en_passant = self.en_passant_after::<S>(true, from, to);
            let after = self.moved::<S>(role, from, to, false, 0);
            return after.with_double_push(Some(crossed(from, to)), en_passant);
        }
        if mv.is_en_passant() {
            let square = en_passant_victim(to);
            let after = self.moved::<S>(role, from, to, true, self.victim_key::<S>(square));
            return Self { board: self.board.after(from, to, square.bitboard()), ..after };
        }
        let mut after = self.after_plain::<S>(role, mv);
        if let Some(promoted) = mv.promotion() {
            let us = S::COLOR;
            after.board = after.board.with_role(to, promoted);
            after.key ^= zobrist::piece(us, role, to) ^ zobrist::piece(us, promoted, to);
        }
        after
    }

    /// The position after a plain move of `S`. Most moves are plain, and they need the fewest
    /// tests.
    ///
    /// The captured piece is looked up only if there is one, because the moves of a generator come
    /// in an order that a CPU can predict. With [`after_unpredictable`](Self::after_unpredictable)
    /// instead, making all children of a position is slower.
    #[inline(always)]
    fn after_plain<S: Side>(&self, role: Role, mv: Move) -> Self {
        let victim = if mv.is_capture() { self.victim_key::<S>(mv.to()) } else { 0 };
        self.moved::<S>(role, mv.from(), mv.to(), mv.is_capture(), victim)
    }

    /// The position after a quiet move, a double push or a capture of `S` by a piece whose role is
    /// known.
    ///
    /// It has no branch that depends on the role or on the kind of move: the moves in a file come
    /// in an order that a CPU cannot predict.
    #[inline(always)]
    pub(crate) fn after_unpredictable<S: Side>(
        &self,
        role: Role,
        from: Square,
        to: Square,
        kind: MoveKind,
    ) -> Self {
        let is_capture = kind == MoveKind::Capture;
        let is_double = kind == MoveKind::DoublePush;
        let victim = select_unpredictable(is_capture, self.victim_key::<S>(to), 0);
        let double_push_square = select_unpredictable(is_double, Some(crossed(from, to)), None);
        let en_passant = self.en_passant_after::<S>(is_double, from, to);
        let after = self.moved::<S>(role, from, to, is_capture, victim);
        after.with_double_push(double_push_square, en_passant)
    }

    /// The position after a piece of `S` has gone from one square to another, capturing any piece
    /// there. `victim` is the captured piece's part of the key.
    ///
    /// The new position is built field by field from values. A copy that is changed afterwards
    /// would be read back while it is still being written.
    #[inline(always)]
    fn moved<S: Side>(
        &self,
        role: Role,
        from: Square,
        to: Square,
        is_capture: bool,
        victim: u64,
    ) -> Self {
        let quiet = (role != Role::Pawn) & !is_capture;
        let clock = self.halfmove_clock.saturating_add(1);
        let (key, lost) = self.key_of_moved::<S>(role, from, to, victim);
        Self {
            board: self.board.after(from, to, Bitboard::EMPTY),
            key,
            castling: self.castling.without(lost),
            halfmove_clock: if quiet { clock } else { 0 },
            fullmove_number: self.fullmove_number_after::<S>(),
            turn: S::Them::COLOR,
            en_passant: None,
            double_push_square: None,
            castling_mode: self.castling_mode,
        }
    }

    /// The key after such a move, and the castling rights that are lost with it.
    #[inline(always)]
    fn key_of_moved<S: Side>(
        &self,
        role: Role,
        from: Square,
        to: Square,
        victim: u64,
    ) -> (u64, Bitboard) {
        let mut key = self.key_without_en_passant() ^ zobrist::turn() ^ victim;
        key ^= zobrist::piece(S::COLOR, role, from) ^ zobrist::piece(S::COLOR, role, to);
        let squares = from.bitboard() | to.bitboard();
        let lost = self.castling.lost_by::<S>(squares, role == Role::King);
        (key ^ rights_key(lost), lost)
    }

    /// The key after a plain move of `S`.
    #[inline(always)]
    fn key_after_plain<S: Side>(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let victim = if mv.is_capture() { self.victim_key::<S>(to) } else { 0 };
        self.key_of_moved::<S>(self.board.role_on_occupied(from), from, to, victim).0
    }

    /// The part of the key of the opponent's piece on a square.
    #[inline(always)]
    fn victim_key<S: Side>(&self, square: Square) -> u64 {
        zobrist::piece(S::Them::COLOR, self.board.role_on_occupied(square), square)
    }

    /// This position with the square that a double push has crossed, and with the en-passant
    /// square, which is the same one if the pawn may be captured there.
    #[inline(always)]
    fn with_double_push(self, crossed: Option<Square>, en_passant: Option<Square>) -> Self {
        Self {
            key: self.key ^ en_passant.map_or(0, zobrist::en_passant),
            en_passant,
            double_push_square: crossed,
            ..self
        }
    }

    /// The square on which the opponent may capture en passant after a move of `S`.
    #[inline(always)]
    fn en_passant_after<S: Side>(
        &self,
        is_double_push: bool,
        from: Square,
        to: Square,
    ) -> Option<Square> {
        let crossed = crossed(from, to);
        let able = attacks::pawn(S::COLOR, crossed) & self.board.pieces(S::Them::COLOR, Role::Pawn);
        // One condition, so that no branch depends on the kind of move.
        let is_possible = is_double_push & able.any();
        (is_possible && self.allows_capture_of::<S>(from, to)).then_some(crossed)
    }

    /// Will the opponent have a legal capture of a pawn of `S` that is pushed by two squares?
    #[cold]
    fn allows_capture_of<S: Side>(&self, from: Square, to: Square) -> bool {
        let board = self.board.after(from, to, Bitboard::EMPTY);
        can_capture_en_passant(&board, S::Them::COLOR, crossed(from, to))
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

    /// The position after castling with the rook that has the right on this side.
    fn after_castling<S: Side>(&self, king: Square, side: CastlingSide) -> Self {
        let us = S::COLOR;
        let lost = self.castling.lost_by::<S>(Bitboard::EMPTY, true);
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

    /// One loop, because separate loops for quiet moves and captures are slower.
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        for to in targets {
            let kind = if captures.has(to) { MoveKind::Capture } else { MoveKind::Quiet };
            self.add(role, Move::new(from, to, kind));
        }
    }
}

/// The square between those of a double push.
#[inline(always)]
fn crossed(from: Square, to: Square) -> Square {
    Square::from_low_bits((from as u8 + to as u8) / 2)
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
    /// Why it is not legal.
    pub refusal: Refusal,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl core::error::Error for IllegalMove {}
