//! Finding the move that a text in standard algebraic notation means.
//!
//! Moves are not generated. The pieces of the role that attack the target are looked up from the
//! target; pins and checks then leave those that may go there.

use super::leniency::{Leniencies, Leniency};
use super::write::allowed;
use super::{San, SanAction, SanCause, SanError, SanMark, SanPiece};
use crate::attacks::{self, Hyperbola, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::{Black, Color, Side, White};
use crate::movegen::Legality;
use crate::movegen::legality::{en_passant_is_legal, is_safe_after};
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// Reading moves in standard algebraic notation.
impl Position {
    /// The legal move that a text means.
    ///
    /// Signs of capture and check are not compared with the move; see
    /// [`parse_san_reporting`](Self::parse_san_reporting).
    ///
    /// # Errors
    /// [`SanError`] if no legal move or more than one is meant. It names the pieces that could be
    /// meant, and why they cannot go there.
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
    /// [`SanError`] says what is wrong with the text, and where, or why the move is not legal.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// for text in ["O-O", "0-0", "o-o+!", "OO"] {
    ///     assert_eq!(position.parse_san(text).unwrap().to_string(), "e1g1");
    /// }
    /// ```
    #[doc(alias("from_san", "push_san"))]
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let san = San::from_ascii(text.as_bytes())?;
        self.find_san(&san).map_err(|error| error.in_text(text))
    }

    /// Reads a legal move as [`parse_san`](Self::parse_san) does, and reports everything that is not
    /// written as the PGN standard demands.
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
    /// notation that the PGN standard demands.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert!(Position::START.parse_san_strict("Nf3").is_ok());
    /// assert_eq!(
    ///     Position::START.parse_san_strict("Ng1f3").unwrap_err().to_string(),
    ///     "strictly the move is written Nf3: the origin is given, but no other piece can go there",
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
        if piece.role == Role::Pawn {
            return self.resolve_pawn::<S>(piece);
        }
        let board = self.board();
        let to = piece.to;
        let own = board.color(S::COLOR);
        let occupied = board.occupied();
        let pieces = own & board.role(piece.role) & origins(piece);
        let candidates = pieces & reach(piece.role, to, occupied);
        if candidates.is_empty() || own.has(to) || piece.promotion.is_some() {
            return None;
        }
        let kind = if occupied.has(to) { MoveKind::Capture } else { MoveKind::Quiet };
        if !candidates.has_many() {
            let from = candidates.first_unchecked();
            let is_safe = is_safe_after(board, S::COLOR, piece.role, from, to);
            return is_safe.then(|| Move::new(from, to, kind));
        }
        let candidates = allowed(&Legality::find::<S>(board), candidates, to);
        match candidates.first() {
            Some(from) if !candidates.has_many() => Some(Move::new(from, to, kind)),
            _ => None,
        }
    }

    #[inline(always)]
    fn resolve_pawn<S: Side>(&self, piece: &SanPiece) -> Option<Move> {
        let board = self.board();
        let to = piece.to;
        let occupied = board.occupied();
        let pawns = board.color(S::COLOR) & board.role(Role::Pawn) & origins(piece);
        let from_file = piece.file.unwrap_or(to.file());
        let (from, plain) = if from_file == to.file() {
            if occupied.has(to) {
                return None;
            }
            let back = S::FORWARD.opposite();
            let before = to.bitboard().shift(back);
            let single = before & pawns;
            let double = (before & (S::THIRD_RANK.bitboard() - occupied)).shift(back) & pawns;
            let kind = if single.is_empty() { MoveKind::DoublePush } else { MoveKind::Quiet };
            ((if single.is_empty() { double } else { single }).first()?, kind)
        } else {
            // The file leaves at most one pawn.
            let from = (pawns & attacks::pawn(S::Them::COLOR, to)).first()?;
            if Some(to) == self.en_passant() {
                let is_legal =
                    piece.promotion.is_none() && en_passant_is_legal(board, S::COLOR, from, to);
                return is_legal.then(|| Move::new(from, to, MoveKind::EnPassant));
            }
            if !board.color(S::Them::COLOR).has(to) {
                return None;
            }
            (from, MoveKind::Capture)
        };
        let kind = match piece.promotion {
            None if to.rank() == S::LAST_RANK => return None,
            None => plain,
            Some(_) if to.rank() != S::LAST_RANK => return None,
            Some(role) => MoveKind::promotion(role, plain == MoveKind::Capture)?,
        };
        is_safe_after(board, S::COLOR, Role::Pawn, from, to).then(|| Move::new(from, to, kind))
    }

    /// Castling is rare, so the generator is asked.
    fn resolve_castling(&self, side: CastlingSide) -> Option<Move> {
        let us = self.turn();
        let mv = Move::new(self.king(us), side.king_target(us), MoveKind::castle(side));
        self.is_legal(mv).then_some(mv)
    }
}

/// The squares from which a piece of a role (not a pawn) attacks a square.
///
/// The attacks of all roles are found, and those of one are kept: that costs less than a branch on
/// the role, which no CPU can predict. For the same reason the masks are in a table, which the
/// compiler cannot turn into branches, and the attacks of sliders are computed: one game after the
/// other needs other entries of the tables of attacks, and these are too large for the nearest cache.
#[inline(always)]
pub(super) fn reach(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    static KEPT: [[Bitboard; 4]; 6] = {
        let mut kept = [[Bitboard::EMPTY; 4]; 6];
        kept[Role::Knight as usize][0] = Bitboard::FULL;
        kept[Role::Bishop as usize][1] = Bitboard::FULL;
        kept[Role::Queen as usize][1] = Bitboard::FULL;
        kept[Role::Rook as usize][2] = Bitboard::FULL;
        kept[Role::Queen as usize][2] = Bitboard::FULL;
        kept[Role::King as usize][3] = Bitboard::FULL;
        kept
    };
    let [knight, bishop, rook, king] = KEPT[role as usize];
    (attacks::knight(to) & knight)
        | (Hyperbola.bishop(to, occupied) & bishop)
        | (Hyperbola.rook(to, occupied) & rook)
        | (attacks::king(to) & king)
}

/// The squares that the text allows for the origin.
#[inline(always)]
pub(super) fn origins(piece: &SanPiece) -> Bitboard {
    let files = piece.file.map_or(Bitboard::FULL, |file| file.bitboard());
    let ranks = piece.rank.map_or(Bitboard::FULL, |rank| rank.bitboard());
    files & ranks
}

/// Reports how a text differs from what the standard demands, as far as that depends on the
/// position.
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
