//! A position that can be played on, and playing on it.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::ControlFlow;
use core::str::FromStr;

use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, Wing};
use crate::color::{Black, Color, Side, White};
use crate::explain::Explanation;
use crate::movegen::legality::{en_passant_is_legal, en_passant_victim};
use crate::movegen::{
    self, Any, CheckFacts, Count, Everything, Kind, Legal, Legality, ListSink, Restriction, Sink,
    Visitor,
};
use crate::moves::{Move, MoveKind, MoveList};
use crate::role::{Piece, Role};
use crate::setup::{PositionError, Setup};
use crate::square::Square;
use crate::text::fen::{EnPassantMode, Fen, FenError};
use crate::zobrist;

/// A position that can be played on.
///
/// Every value satisfies [`Setup::validate`], so generating moves and playing the moves given
/// out never fails.
///
/// Two positions are equal if they are so for play: the same men, turn, castling rights and
/// *legal* capture en passant. The counters and the way of writing do not matter; their
/// [keys](Self::key) are then equal, too.
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
#[derive(Clone)]
pub struct Position {
    board: Board,
    key: u64,
    castling: CastlingRights,
    halfmoves: u16,
    fullmoves: u16,
    turn: Color,
    /// The square on which a capture en passant is legal.
    en_passant: Option<Square>,
    /// The square that the last move passed with a double push, capture or not: only for FEN.
    passed: Option<Square>,
    mode: CastlingMode,
}

/// What [`Position::unmake`] cannot find out by itself.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    key: u64,
    castling: CastlingRights,
    halfmoves: u16,
    fullmoves: u16,
    captured: Option<Role>,
    en_passant: Option<Square>,
    passed: Option<Square>,
}

impl Undo {
    /// The kind of man that the move took.
    pub const fn captured(&self) -> Option<Role> {
        self.captured
    }
}

/// What it is and how it came about.
impl Position {
    /// The start of a game.
    pub const START: Self = Self {
        board: Board::START,
        key: zobrist::from_scratch(&Board::START, Color::White, CastlingRights::START, None),
        castling: CastlingRights::START,
        halfmoves: 0,
        fullmoves: 1,
        turn: Color::White,
        en_passant: None,
        passed: None,
        mode: CastlingMode::Standard,
    };

    /// The position of a setup that can be played on.
    ///
    /// # Errors
    /// See [`Setup::validate`].
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        setup.validate()?;
        let mut position = Self {
            board: setup.board,
            key: 0,
            castling: setup.castling,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn,
            en_passant: None,
            passed: setup.en_passant,
            mode: setup.mode,
        };
        position.en_passant =
            setup.en_passant.filter(|&to| can_capture_on(&setup.board, setup.turn, to));
        position.key = position.key_from_scratch();
        Ok(position)
    }

    /// Reads FEN; see [`Setup::from_fen`] for what is accepted.
    ///
    /// # Errors
    /// [`FenError`] says which field is wrong, where and why, also if the setup cannot be played
    /// on.
    ///
    /// ```
    /// use tabiya::Position;
    /// let error = Position::from_fen("8/8/8/8/8/8/5kK1/8 w - - 0 1").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the king on f2 could be captured from g2: the side that is not to move is in check",
    /// );
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let setup = Setup::from_fen(fen)?;
        Self::from_setup(&setup).map_err(|error| FenError::unplayable(fen, error))
    }

    /// The setup of this position; an en-passant square stands in it only if a capture is legal.
    pub fn to_setup(&self) -> Setup {
        self.to_setup_with(EnPassantMode::Legal)
    }

    /// The setup of this position, with the en-passant square as asked for.
    pub fn to_setup_with(&self, mode: EnPassantMode) -> Setup {
        let en_passant = match mode {
            EnPassantMode::Always => self.passed,
            EnPassantMode::PseudoLegal => self.passed.filter(|&to| {
                attacks::pawn(!self.turn, to).meets(self.board.pieces(self.turn, Role::Pawn))
            }),
            EnPassantMode::Legal => self.en_passant,
        };
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            mode: self.mode,
            en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// The position as FEN, to be displayed.
    pub fn fen(&self) -> Fen {
        Fen::new(self.to_setup())
    }

    /// Writes castling in another way from now on.
    ///
    /// # Errors
    /// [`PositionError::CastlingNotStandard`] if the rights cannot be written as in standard
    /// chess.
    pub fn with_mode(self, mode: CastlingMode) -> Result<Self, PositionError> {
        let changed = Self { mode, ..self };
        changed.to_setup().validate_mode()?;
        Ok(changed)
    }

    /// The same position with board and colours turned round.
    ///
    /// It has the same moves, mirrored, which makes it a good test.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let setup = self.to_setup_with(EnPassantMode::Always).mirrored();
        Self::from_setup(&setup).expect("a mirror changes nothing that makes a position playable")
    }

    /// The men.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who is to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Who may still castle, with which rooks.
    #[inline(always)]
    pub const fn castling_rights(&self) -> CastlingRights {
        self.castling
    }

    /// How castling is written.
    #[inline(always)]
    pub const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The square on which a capture en passant is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The square that the last move passed with a double push, whether or not a capture there is
    /// legal.
    #[inline(always)]
    pub(crate) const fn passed(&self) -> Option<Square> {
        self.passed
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move, from 1.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The Zobrist key, kept up to date by every move.
    ///
    /// Equal positions have equal keys; a useless en-passant square makes no difference. The
    /// numbers behind it are the same in every build of this version.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key made anew from the position.
    pub fn key_from_scratch(&self) -> u64 {
        zobrist::from_scratch(&self.board, self.turn, self.castling, self.en_passant)
    }

    /// The man on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board.piece_on(square)
    }

    /// The square of a side's king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.pieces(color, Role::King).first_unchecked()
    }

    /// The men of both colours that attack a square.
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.board.attackers_to(square)
    }

    /// The facts that decide which moves are legal.
    #[inline]
    pub fn legality(&self) -> Legality {
        Legality::of(self)
    }

    /// The men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.board.attackers_to(self.king(self.turn)) & self.board.color(!self.turn)
    }

    /// The men of the side to move that are pinned to their king.
    pub fn pinned(&self) -> Bitboard {
        self.legality().pinned
    }

    /// Is the side to move in check?
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Is the side to move in check without a legal move?
    ///
    /// ```
    /// let mate = tabiya::Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert!(mate.is_checkmate() && !mate.is_stalemate());
    /// ```
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Has the side to move no legal move without being in check?
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }
}

/// Moves.
impl Position {
    /// Hands the moves of a kind to a sink.
    ///
    /// This is what all other ways of generating are made of; see
    /// [`movegen::Sink`] for an example.
    pub fn generate<K: Kind, T: Sink>(&self, sink: &mut T) {
        movegen::generate::<K, _, _, _>(self, DefaultSliders::default(), Everything, sink);
    }

    /// The same with a slider method of the caller's choice, to be inlined into a function
    /// compiled for a CPU with that method.
    #[inline(always)]
    pub fn generate_with<K: Kind, L: Sliders, T: Sink>(&self, sliders: L, sink: &mut T) {
        movegen::generate::<K, _, _, _>(self, sliders, Everything, sink);
    }

    /// Hands the moves of a kind that a restriction leaves to a sink.
    pub fn generate_within<K: Kind, T: Sink>(&self, restriction: &Restriction, sink: &mut T) {
        movegen::generate::<K, _, _, _>(self, DefaultSliders::default(), *restriction, sink);
    }

    /// All legal moves.
    #[inline(always)]
    pub fn legal_moves(&self) -> MoveList {
        MoveList::of::<Legal>(self)
    }

    /// How many legal moves there are, without listing them.
    pub fn count_legal(&self) -> usize {
        let mut count = Count::default();
        self.generate::<Legal, _>(&mut count);
        count.0 as usize
    }

    /// Is there a legal move?
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        self.generate::<Legal, _>(&mut any);
        any.0
    }

    /// Shows each move of a kind to a function, which may break off.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use tabiya::{movegen::Legal, Position};
    /// let first_push = Position::START.visit::<Legal, _>(|m| match m.to().rank() {
    ///     tabiya::Rank::Fourth => ControlFlow::Break(m),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert!(first_push.is_break());
    /// ```
    pub fn visit<K: Kind, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut visitor = Visitor::new(visit);
        self.generate::<K, _>(&mut visitor);
        visitor.finish()
    }

    /// Is this move legal here? It may come from anywhere: a table, another position, a file.
    ///
    /// Asks the generator for the moves between the two squares, so there is no second set of
    /// rules. Pseudo-legal moves are tested faster by [`Legality::allows`].
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_of::<Legal>(mv)
    }

    /// Is this move, which may come from anywhere, among the moves of a kind?
    ///
    /// ```
    /// use tabiya::{movegen::{Captures, Quiets}, Position};
    /// let mv = Position::START.parse_uci("e2e4").unwrap();
    /// assert!(Position::START.is_of::<Quiets>(mv));
    /// assert!(!Position::START.is_of::<Captures>(mv));
    /// ```
    pub fn is_of<K: Kind>(&self, mv: Move) -> bool {
        let between = Restriction::ALL.from(mv.from()).to(mv.to());
        let mut found = Visitor::new(|candidate| {
            if candidate == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.generate_within::<K, _>(&between, &mut found);
        found.finish().is_break()
    }

    /// Does a legal or pseudo-legal move give check? For many moves of one position, make
    /// [`CheckFacts`] once.
    pub fn gives_check(&self, mv: Move) -> bool {
        CheckFacts::of(self).gives_check(self, mv)
    }
}

impl MoveList {
    /// The moves of one kind.
    ///
    /// ```
    /// use tabiya::{movegen::Captures, MoveList, Position};
    /// assert!(MoveList::of::<Captures>(&Position::START).is_empty());
    /// ```
    // A list is large; inlined, the copy to where the caller has it can often be left out.
    #[inline(always)]
    pub fn of<K: Kind>(position: &Position) -> Self {
        let mut list = Self::new();
        list.refill::<K>(position);
        list
    }

    /// Replaces what the list holds by the moves of one kind.
    ///
    /// ```
    /// use tabiya::{movegen::Quiets, MoveList, Position};
    /// let mut list = MoveList::new();
    /// list.refill::<Quiets>(&Position::START);
    /// assert_eq!(list.len(), 20);
    /// ```
    pub fn refill<K: Kind>(&mut self, position: &Position) {
        position.generate::<K, _>(&mut ListSink::new(self, position.own_men()));
    }

    /// The moves of one kind, by a slider method of the caller's choice.
    #[inline(always)]
    pub fn of_with<K: Kind, L: Sliders>(position: &Position, sliders: L) -> Self {
        let mut list = Self::new();
        let mut sink = ListSink::new(&mut list, position.own_men());
        position.generate_with::<K, _, _>(sliders, &mut sink);
        list
    }

    /// The moves of one kind that a restriction leaves.
    pub fn within<K: Kind>(position: &Position, restriction: &Restriction) -> Self {
        let mut list = Self::new();
        let mut sink = ListSink::new(&mut list, position.own_men());
        position.generate_within::<K, _>(restriction, &mut sink);
        list
    }
}

/// Playing.
impl Position {
    /// The position after a move.
    ///
    /// The move must be one that this position gave out. Playing any other makes no sense: it
    /// does no harm to memory, but what comes out may not be playable (a king may be missing, a
    /// side have 17 men), and other methods may then panic. For moves from elsewhere there is
    /// [`try_play`](Self::try_play).
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        match self.turn {
            Color::White => self.after::<White>(mv),
            Color::Black => self.after::<Black>(mv),
        }
    }

    /// The position after a move that may come from anywhere.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here, with every reason why.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Position, Square};
    /// let mv = Move::new(Square::A1, Square::A3, MoveKind::Quiet);
    /// assert_eq!(
    ///     Position::START.try_play(mv).unwrap_err().to_string(),
    ///     "a1a3 is not legal: the pawn on a2 is in the way",
    /// );
    /// ```
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(IllegalMove { mv, explanation: self.explain_move(mv) })
        }
    }

    /// Makes a move in place; the record that comes back takes it back.
    ///
    /// ```
    /// use tabiya::{Position};
    /// let mut position = Position::START;
    /// let mv = position.parse_uci("g1f3").unwrap();
    /// let undo = position.make(mv);
    /// position.unmake(mv, undo);
    /// assert_eq!(position, Position::START);
    /// ```
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let before = self.record();
        let captured = if mv.is_capture() { self.board.role_on(victim_of(mv)) } else { None };
        *self = self.play(mv);
        Undo { captured, ..before }
    }

    /// Takes back the last move made.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        let us = !self.turn;
        let (from, to) = (mv.from(), mv.to());
        self.board = match mv.castling() {
            Some(wing) => {
                let rook = undo.castling.rook(us, wing, from);
                let targets = [wing.king_target(us), wing.rook_target(us)];
                rook.map_or(self.board, |rook| self.board.after_castling(us, targets, [from, rook]))
            }
            None => {
                let landed = self.board.role_on_occupied(to);
                let role = if mv.is_promotion() { Role::Pawn } else { landed };
                self.board.after(us, to, from, role, Bitboard::EMPTY)
            }
        };
        if let Some(role) = undo.captured {
            self.board.set(victim_of(mv), Some(role.of(!us)));
        }
        self.restore(&undo);
    }

    /// The position after passing the turn; `None` in check, where nobody may pass.
    ///
    /// A null move is no pawn move and no capture, so the half-moves go on counting.
    pub fn play_null(&self) -> Option<Self> {
        let mut after = self.clone();
        after.make_null().map(|_| after)
    }

    /// Passes the turn in place; `None`, and nothing done, in check.
    pub fn make_null(&mut self) -> Option<Undo> {
        if self.is_check() {
            return None;
        }
        let before = self.record();
        *self = Self {
            key: self.key_without_en_passant() ^ zobrist::turn(),
            turn: !self.turn,
            en_passant: None,
            passed: None,
            halfmoves: self.halfmoves.saturating_add(1),
            fullmoves: self.fullmoves.saturating_add(u16::from(self.turn == Color::Black)),
            ..*self
        };
        Some(before)
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self, undo: Undo) {
        self.restore(&undo);
    }

    #[inline(always)]
    const fn record(&self) -> Undo {
        Undo {
            key: self.key,
            castling: self.castling,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            captured: None,
            en_passant: self.en_passant,
            passed: self.passed,
        }
    }

    /// Takes the turn back, and with it all that is not on the board.
    #[inline(always)]
    fn restore(&mut self, undo: &Undo) {
        self.turn = !self.turn;
        self.key = undo.key;
        self.castling = undo.castling;
        self.halfmoves = undo.halfmoves;
        self.fullmoves = undo.fullmoves;
        self.en_passant = undo.en_passant;
        self.passed = undo.passed;
    }

    /// The position after a move of `S`, the side to move.
    ///
    /// The new position is put together from values, field by field, rather than copied and
    /// changed: a copy would be read back while it is still being written.
    #[inline(always)]
    fn after<S: Side>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let (us, them) = (S::COLOR, S::Them::COLOR);
        if let Some(wing) = mv.castling() {
            return self.after_castling::<S>(from, wing);
        }
        let role = self.board.role_on_occupied(from);
        let lands = mv.promotion().unwrap_or(role);
        let mut key = self.key_without_en_passant() ^ zobrist::turn();
        key ^= zobrist::man(us, role, from) ^ zobrist::man(us, lands, to);
        let mut victim = Bitboard::EMPTY;
        if mv.is_capture() {
            let square = victim_of(mv);
            victim = square.bitboard();
            key ^= zobrist::man(them, self.board.role_on_occupied(square), square);
        }
        let lost =
            self.castling.touched_by::<S>(from.bitboard() | to.bitboard(), role == Role::King);
        key ^= rights_key(lost);
        let (mut passed, mut en_passant) = (None, None);
        if mv.kind() == MoveKind::DoublePush {
            passed = Some(Square::from_low_bits((from as u8 + to as u8) / 2));
            en_passant = passed.filter(|&passed| self.allows_en_passant::<S>(mv, passed));
            key ^= en_passant.map_or(0, zobrist::en_passant);
        }
        let quiet = role != Role::Pawn && !mv.is_capture();
        Self {
            board: self.board.after(us, from, to, lands, victim),
            key,
            castling: self.castling.without(lost),
            halfmoves: if quiet { self.halfmoves.saturating_add(1) } else { 0 },
            fullmoves: self.fullmoves_after::<S>(),
            turn: them,
            en_passant,
            passed,
            mode: self.mode,
        }
    }

    /// The key, less the share of the en-passant square.
    #[inline(always)]
    fn key_without_en_passant(&self) -> u64 {
        self.key ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    /// The move number after a move of `S`.
    #[inline(always)]
    fn fullmoves_after<S: Side>(&self) -> u16 {
        self.fullmoves.saturating_add(u16::from(S::COLOR == Color::Black))
    }

    /// Will the opponent have a legal capture on the square that a double push of `S` passes?
    #[inline(always)]
    fn allows_en_passant<S: Side>(&self, push: Move, passed: Square) -> bool {
        let able = attacks::pawn(S::COLOR, passed) & self.board.pieces(S::Them::COLOR, Role::Pawn);
        able.any() && {
            let (from, to) = (push.from(), push.to());
            let board = self.board.after(S::COLOR, from, to, Role::Pawn, Bitboard::EMPTY);
            can_capture_on(&board, S::Them::COLOR, passed)
        }
    }

    /// The position after castling with the rook that has the right on this wing.
    fn after_castling<S: Side>(&self, king: Square, wing: Wing) -> Self {
        let us = S::COLOR;
        let lost = self.castling.touched_by::<S>(Bitboard::EMPTY, true);
        let mut after = Self {
            key: self.key_without_en_passant() ^ zobrist::turn() ^ rights_key(lost),
            castling: self.castling.without(lost),
            halfmoves: self.halfmoves.saturating_add(1),
            fullmoves: self.fullmoves_after::<S>(),
            turn: S::Them::COLOR,
            en_passant: None,
            passed: None,
            ..*self
        };
        if let Some(rook) = self.castling.rook(us, wing, king) {
            let targets = [wing.king_target(us), wing.rook_target(us)];
            after.board = self.board.after_castling(us, [king, rook], targets);
            after.key ^= zobrist::man(us, Role::King, king)
                ^ zobrist::man(us, Role::King, wing.king_target(us))
                ^ zobrist::man(us, Role::Rook, rook)
                ^ zobrist::man(us, Role::Rook, wing.rook_target(us));
        }
        after
    }

    /// The men of the side to move.
    #[inline(always)]
    fn own_men(&self) -> Bitboard {
        self.board.color(self.turn)
    }
}

/// Has `us` a legal capture en passant on the square?
fn can_capture_on(board: &Board, us: Color, to: Square) -> bool {
    let able = attacks::pawn(!us, to) & board.pieces(us, Role::Pawn);
    able.iter().any(|from| en_passant_is_legal(board, us, from, to))
}

/// Where the man stands that a capture takes.
#[inline(always)]
fn victim_of(capture: Move) -> Square {
    if capture.is_en_passant() { en_passant_victim(capture.to()) } else { capture.to() }
}

/// The share of castling rights in the key.
#[inline(always)]
fn rights_key(rooks: Bitboard) -> u64 {
    rooks.iter().fold(0, |key, rook| key ^ zobrist::castling(rook))
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

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

/// A move is not legal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub explanation: Explanation,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.explanation.fmt(f)
    }
}

impl core::error::Error for IllegalMove {}
