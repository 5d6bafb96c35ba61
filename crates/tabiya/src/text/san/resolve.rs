//! Finding the move that text in standard algebraic notation means.
//!
//! Moves are not generated. Starting from the target, the pieces of the role that attack it are
//! looked up; then those that a pin or a check forbids to move there are left out.

use core::hint::select_unpredictable;

use super::leniency::{Leniencies, Leniency};
use super::{San, SanAction, SanCause, SanError, SanMark, SanPiece};
use crate::attacks::{self, Hyperbola, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingSide;
use crate::color::{Black, Color, Side, White};
use crate::movegen::safety::{en_passant_is_legal, king_attackers_after};
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// Reading moves in standard algebraic notation.
impl Position {
    /// The legal move that the text means.
    ///
    /// Signs of capture and check are not compared with the move; see
    /// [`parse_san_reporting`](Self::parse_san_reporting).
    ///
    /// # Errors
    /// [`SanError`] if no legal move or more than one is meant. It names the pieces that could be
    /// meant, with the reasons why they cannot move there.
    ///
    /// ```
    /// use tabiya::{Position, san::San};
    /// let san = San::from_ascii(b"e4").unwrap();
    /// assert_eq!(Position::START.find_san(&san).unwrap().to_string(), "e2e4");
    /// let san = San::from_ascii(b"e5").unwrap();
    /// assert_eq!(
    ///     Position::START.find_san(&san).unwrap_err().to_string(),
    ///     "e5 is not legal: a pawn on e2 cannot reach e5",
    /// );
    /// ```
    #[doc(alias = "to_move")]
    #[inline]
    pub fn find_san(&self, san: &San) -> Result<Move, SanError> {
        let found = match san.action {
            SanAction::Piece(piece) => match self.turn() {
                Color::White => self.resolve::<White>(&piece),
                Color::Black => self.resolve::<Black>(&piece),
            },
            SanAction::Castle(side) => self.resolve_castling(side),
            SanAction::Null => None,
        };
        match found {
            Some(mv) => Ok(mv),
            None => Err(self.refuse_san(san)),
        }
    }

    /// Reads a legal move in standard algebraic notation, as people and programs write it.
    ///
    /// It accepts everything that has only one meaning; [`Leniency`] lists what it tolerates. Signs
    /// of capture and check are not compared with the move.
    ///
    /// # Errors
    /// [`SanError`] gives the error in the text and its place, or the reasons why the move is not
    /// legal.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// for text in ["O-O", "0-0", "o-o+!", "OO"] {
    ///     assert_eq!(position.parse_san(text).unwrap().to_string(), "e1g1");
    /// }
    /// ```
    #[doc(alias("from_san", "push_san", "parse_san_move"))]
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let san = San::from_ascii(text.as_bytes())?;
        self.find_san(&san).map_err(|error| error.in_text(text))
    }

    /// Reads a legal move as [`parse_san`](Self::parse_san) does, and reports everything that is
    /// not written as the PGN standard requires.
    ///
    /// # Errors
    /// [`SanError`] as for [`parse_san`](Self::parse_san).
    ///
    /// ```
    /// use tabiya::{Position, san::Leniency};
    /// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    /// let (mv, leniencies) = position.parse_san_reporting("Ra1-a8+").unwrap();
    /// assert_eq!(mv.to_string(), "a1a8");
    /// assert!(leniencies.iter().eq([
    ///     Leniency::Hyphen,
    ///     Leniency::OriginNotNeeded,
    ///     Leniency::CheckIsCheckmate,
    /// ]));
    /// assert!(position.parse_san_reporting("Ra8#").unwrap().1.is_empty());
    /// ```
    pub fn parse_san_reporting(&self, text: &str) -> Result<(Move, Leniencies), SanError> {
        let (san, mut leniencies) = San::read(text.as_bytes())?;
        let mv = self.find_san(&san).map_err(|error| error.in_text(text))?;
        compare(&san, &self.san(mv), mv, &mut leniencies);
        Ok((mv, leniencies))
    }

    /// Reads a legal move that is written exactly as [`san`](Self::san) writes it.
    ///
    /// # Errors
    /// [`SanError`] as for [`parse_san`](Self::parse_san), and for everything that differs from the
    /// notation that the PGN standard requires.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert!(Position::START.parse_san_strict("Nf3").is_ok());
    /// assert_eq!(
    ///     Position::START.parse_san_strict("Ng1f3").unwrap_err().to_string(),
    ///     "in strict SAN, the move is Nf3: the origin is given, but no other piece can go there",
    /// );
    /// ```
    pub fn parse_san_strict(&self, text: &str) -> Result<Move, SanError> {
        let (mv, leniencies) = self.parse_san_reporting(text)?;
        match leniencies.iter().next() {
            None => Ok(mv),
            Some(leniency) => {
                let cause = SanCause::NotStrict { leniency, expected: self.san(mv) };
                Err(SanError::new(cause).in_text(text))
            }
        }
    }

    #[inline(always)]
    fn resolve<S: Side>(&self, piece: &SanPiece) -> Option<Move> {
        let is_en_passant = piece.role == Role::Pawn && Some(piece.to) == self.en_passant();
        if piece.promotion.is_some() || is_en_passant {
            return self.resolve_rare::<S>(piece);
        }
        let (from, kind) = self.find_plain::<S>(piece.role, origins(piece), piece.to)?;
        Some(Move::new(from.first_unchecked(), piece.to, kind))
    }

    /// The square of the only piece that may make a move that is neither castling, nor a promotion,
    /// nor a capture en passant, and the kind of the move. The piece stands on one of the
    /// `origins`, which are squares of one file if it is a pawn.
    ///
    /// All roles take the same path, because no CPU can predict which one a text names.
    #[inline(always)]
    pub(super) fn find_plain<S: Side>(
        &self,
        role: Role,
        origins: Bitboard,
        to: Square,
    ) -> Option<(Bitboard, MoveKind)> {
        let board = self.board();
        let own = board.color(S::COLOR);
        let occupied = board.occupied();
        let is_pawn = role == Role::Pawn;
        let is_capture = occupied.has(to);

        let back = S::FORWARD.opposite();
        let before = to.bitboard().shift(back);
        let two_before = (before & (S::THIRD_RANK.bitboard() - occupied)).shift(back);
        let leap = leapers::<S>(role, to);
        let leap = select_unpredictable(is_pawn & !is_capture, before | two_before, leap);
        let pieces = own & board.role(role) & origins;
        let mut from = pieces & (leap | slides(role, to, occupied));

        let is_promotion = is_pawn & (to.rank() == S::LAST_RANK);
        if from.is_empty() | own.has(to) | is_promotion {
            return None;
        }
        if from.has_many() {
            from = self.only_allowed::<S>(from, to)?;
        } else if !is_safe_after::<S>(board, role, from, to) {
            return None;
        }
        let is_double = is_pawn & from.meets(two_before);
        let kind = select_unpredictable(is_double, MoveKind::DoublePush, MoveKind::Quiet);
        Some((from, select_unpredictable(is_capture, MoveKind::Capture, kind)))
    }

    /// The only one of several pieces that may go to a square.
    #[cold]
    fn only_allowed<S: Side>(&self, pieces: Bitboard, to: Square) -> Option<Bitboard> {
        let pieces = self.legality().allowed(pieces, to);
        (pieces.any() && !pieces.has_many()).then_some(pieces)
    }

    /// A promotion, or a capture en passant.
    #[inline(never)]
    fn resolve_rare<S: Side>(&self, piece: &SanPiece) -> Option<Move> {
        let (board, to) = (self.board(), piece.to);
        if piece.role != Role::Pawn || board.color(S::COLOR).has(to) {
            return None;
        }
        // The file leaves at most one pawn.
        let pawns = board.pieces(S::COLOR, Role::Pawn) & origins(piece);
        let attackers = pawns & attacks::pawn(S::Them::COLOR, to);
        if Some(to) == self.en_passant() {
            let from = attackers.first()?;
            let is_legal =
                piece.promotion.is_none() && en_passant_is_legal(board, S::COLOR, from, to);
            return is_legal.then(|| Move::new(from, to, MoveKind::EnPassant));
        }
        if to.rank() != S::LAST_RANK {
            return None;
        }
        let is_capture = board.occupied().has(to);
        let push = pawns & to.bitboard().shift(S::FORWARD.opposite());
        let from = if is_capture { attackers } else { push };
        let kind = MoveKind::promotion(piece.promotion?, is_capture)?;
        let origin = from.first()?;
        is_safe_after::<S>(board, Role::Pawn, from, to).then(|| Move::new(origin, to, kind))
    }

    /// Castling is rare, so the generator is used.
    fn resolve_castling(&self, side: CastlingSide) -> Option<Move> {
        let us = self.turn();
        let mv = Move::new(self.king(us), side.king_target(us), MoveKind::castle(side));
        self.is_legal(mv).then_some(mv)
    }
}

/// Is the king of `S` safe after a move? Attacks are computed for the reason given at [`slides`].
#[inline(always)]
fn is_safe_after<S: Side>(board: &Board, role: Role, from: Bitboard, to: Square) -> bool {
    let king = board.pieces(S::COLOR, Role::King).first_unchecked();
    let king = if role == Role::King { to } else { king };
    king_attackers_after(Hyperbola, board, (S::COLOR, king), from, to).is_empty()
}

/// The squares from which a piece of a role (not a pawn) attacks a square.
#[inline(always)]
pub(super) fn reach(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    debug_assert_ne!(role, Role::Pawn);
    leapers::<White>(role, to) | slides(role, to, occupied)
}

/// The squares from which a pawn of `S`, a knight or a king attacks a square; none for other roles.
#[inline(always)]
fn leapers<S: Side>(role: Role, to: Square) -> Bitboard {
    static LEAPERS: [[[Bitboard; 64]; 6]; 2] = {
        let mut leapers = [[[Bitboard::EMPTY; 64]; 6]; 2];
        let mut index = 0;
        while index < 128 {
            let (color, square) = (Color::ALL[index / 64], Square::ALL[index % 64]);
            let rows = &mut leapers[index / 64];
            // A square attacks in the opposite direction.
            let opposite = Color::ALL[1 - color as usize];
            rows[Role::Pawn as usize][index % 64] = attacks::pawn(opposite, square);
            rows[Role::Knight as usize][index % 64] = attacks::knight(square);
            rows[Role::King as usize][index % 64] = attacks::king(square);
            index += 1;
        }
        leapers
    };
    LEAPERS[S::COLOR as usize][role as usize][to as usize]
}

/// The squares from which a bishop, a rook or a queen attacks a square; none for other roles.
///
/// It finds the attacks of both kinds and keeps those that the role has. That costs less than a
/// branch on the role, which no CPU can predict. For the same reason the masks are in a table,
/// which the compiler cannot turn into branches. The attacks of sliders are computed and not looked
/// up, because each game needs other entries of the tables of attacks, which are too large for the
/// nearest cache.
#[inline(always)]
fn slides(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    static KEPT: [[Bitboard; 2]; 6] = {
        let mut kept = [[Bitboard::EMPTY; 2]; 6];
        kept[Role::Bishop as usize][0] = Bitboard::FULL;
        kept[Role::Queen as usize][0] = Bitboard::FULL;
        kept[Role::Rook as usize][1] = Bitboard::FULL;
        kept[Role::Queen as usize][1] = Bitboard::FULL;
        kept
    };
    let [bishop, rook] = KEPT[role as usize];
    (Hyperbola.bishop(to, occupied) & bishop) | (Hyperbola.rook(to, occupied) & rook)
}

/// The squares that the text allows for the origin. A pawn stays on its file unless the text gives
/// another.
#[inline(always)]
pub(super) fn origins(piece: &SanPiece) -> Bitboard {
    let files = match piece.file {
        Some(file) => file.bitboard(),
        None if piece.role == Role::Pawn => piece.to.file().bitboard(),
        None => Bitboard::FULL,
    };
    files & piece.rank.map_or(Bitboard::FULL, |rank| rank.bitboard())
}

/// Reports the differences between the text and the standard that depend on the position.
fn compare(given: &San, expected: &San, mv: Move, leniencies: &mut Leniencies) {
    if leniencies.has(Leniency::EnPassantMark) && !mv.is_en_passant() {
        leniencies.add(Leniency::NotEnPassant);
    }
    if let (SanAction::Piece(given), SanAction::Piece(expected)) = (given.action, expected.action) {
        let origin = |piece: SanPiece| (piece.file, piece.rank);
        if origin(given) != origin(expected) {
            leniencies.add(match origin(expected) {
                (None, None) => Leniency::OriginNotNeeded,
                _ => Leniency::OriginNotShortest,
            });
        }
        match (given.is_capture, expected.is_capture) {
            (false, true) => leniencies.add(Leniency::MissingCapture),
            (true, false) => leniencies.add(Leniency::ExtraCapture),
            _ => {}
        }
    }
    use SanMark::{Check, Checkmate};
    match (given.mark, expected.mark) {
        (None, Some(Check)) => leniencies.add(Leniency::MissingCheck),
        (None, Some(Checkmate)) => leniencies.add(Leniency::MissingCheckmate),
        (Some(_), None) => leniencies.add(Leniency::ExtraMark),
        (Some(Checkmate), Some(Check)) => leniencies.add(Leniency::NotCheckmate),
        (Some(Check), Some(Checkmate)) => leniencies.add(Leniency::CheckIsCheckmate),
        _ => {}
    }
}
