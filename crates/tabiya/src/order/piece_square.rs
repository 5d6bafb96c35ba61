//! Values of pieces by their squares.

use super::score::Scorer;
use super::values::PieceValues;
use crate::board::Board;
use crate::color::Color;
use crate::movegen::safety::en_passant_victim;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// Scores a move by its change of the material and of the squares of the pieces. A table rates each
/// square for each role.
///
/// The value of a move is exactly the change of [`balance`](Self::balance) for the side that makes
/// it. The tables of [`DEFAULT`](Self::DEFAULT) are simple on purpose, and good enough to start
/// with: pawns advance, mostly in the centre, and stay in front of a castled king; knights, bishops
/// and queens prefer the centre, knights most; rooks prefer the seventh rank and the central files;
/// the king prefers the corner behind its pawns.
///
/// ```
/// use tabiya::order::{PieceSquare, Scorer};
/// use tabiya::{Position, Role};
/// let score = |role, text| {
///     let mv = Position::START.parse_uci(text).unwrap();
///     PieceSquare::DEFAULT.score(&Position::START, role, mv)
/// };
/// assert!(score(Role::Pawn, "e2e4") > score(Role::Pawn, "a2a3"));
/// assert!(score(Role::Knight, "g1f3") > score(Role::Knight, "g1h3"));
/// ```
#[doc(alias("PSQT", "PST", "piece-square tables"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSquare {
    /// The values of the pieces on any square.
    pub values: PieceValues,
    /// The value that a square adds for a white piece of each role, as a diagram: a8 first, h1
    /// last. For black pieces the ranks are exchanged.
    pub tables: [[i16; 64]; 6],
}

impl PieceSquare {
    /// Simple values and tables; see [`PieceSquare`].
    pub const DEFAULT: Self = Self { values: PieceValues::DEFAULT, tables: TABLES };

    /// The value of one colour's pieces on their squares, minus the value of the other colour's.
    ///
    /// ```
    /// use tabiya::{order::PieceSquare, Board, Color};
    /// assert_eq!(PieceSquare::DEFAULT.balance(&Board::START, Color::White), 0);
    /// ```
    pub fn balance(&self, board: &Board, color: Color) -> i32 {
        board
            .iter()
            .map(|(square, piece)| {
                let worth = self.worth(piece.color, piece.role, square);
                if piece.color == color { worth } else { -worth }
            })
            .sum()
    }

    #[inline(always)]
    fn worth(&self, color: Color, role: Role, square: Square) -> i32 {
        let square = match color {
            Color::White => square.flip_ranks(),
            Color::Black => square,
        };
        self.values.of(role) + i32::from(self.tables[role as usize][square as usize])
    }
}

impl Default for PieceSquare {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Scorer for PieceSquare {
    #[inline]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        let promoted = mv.promotion().unwrap_or(role);
        let mut change = self.worth(us, promoted, to) - self.worth(us, role, from);
        if mv.is_capture() {
            let victim = if mv.is_en_passant() { en_passant_victim(to) } else { to };
            let captured = position.board().role_on_occupied(victim);
            change += self.worth(!us, captured, victim);
        } else if let Some(side) = mv.castling()
            && let Some(rook) = position.castling_rights().rook(us, side, from)
        {
            change +=
                self.worth(us, Role::Rook, side.rook_target(us)) - self.worth(us, Role::Rook, rook);
        }
        change
    }
}

/// In the order of [`Role::ALL`], in centipawns.
#[rustfmt::skip]
const TABLES: [[i16; 64]; 6] = [
    [
         0,   0,   0,   0,   0,   0,   0,   0,
        60,  60,  60,  60,  60,  60,  60,  60,
        25,  30,  35,  40,  40,  35,  30,  25,
        10,  14,  20,  28,  28,  20,  14,  10,
         2,   4,  12,  24,  24,   8,   4,   2,
         2,   2,   4,   8,   8,  -4,   2,   2,
         4,   6,   2, -12, -12,   8,   8,   4,
         0,   0,   0,   0,   0,   0,   0,   0,
    ],
    [
       -45, -30, -20, -15, -15, -20, -30, -45,
       -28, -12,   4,   8,   8,   4, -12, -28,
       -16,   8,  18,  24,  24,  18,   8, -16,
       -10,  10,  22,  28,  28,  22,  10, -10,
       -12,   6,  18,  24,  24,  18,   6, -12,
       -18,   2,  14,  14,  14,  16,   2, -18,
       -30, -14,   0,   4,   4,   0, -14, -30,
       -45, -28, -22, -18, -18, -22, -28, -45,
    ],
    [
       -16,  -8,  -8,  -8,  -8,  -8,  -8, -16,
        -8,   2,   4,   4,   4,   4,   2,  -8,
        -6,   6,   8,  12,  12,   8,   6,  -6,
        -4,  10,  12,  16,  16,  12,  10,  -4,
        -4,   6,  14,  16,  16,  14,   6,  -4,
        -4,  12,  12,  10,  10,  12,  12,  -4,
        -6,  14,   4,   8,   8,   4,  14,  -6,
       -16,  -8, -14,  -8,  -8, -14,  -8, -16,
    ],
    [
         6,   8,   8,  10,  10,   8,   8,   6,
        16,  20,  20,  22,  22,  20,  20,  16,
         0,   2,   4,   6,   6,   4,   2,   0,
        -4,   0,   2,   4,   4,   2,   0,  -4,
        -4,   0,   2,   4,   4,   2,   0,  -4,
        -6,   0,   2,   4,   4,   2,   0,  -6,
        -8,  -2,   2,   6,   6,   2,  -2,  -8,
        -6,  -2,   6,  12,  12,   8,  -2,  -6,
    ],
    [
       -12,  -6,  -2,   0,   0,  -2,  -6, -12,
        -6,   0,   4,   4,   4,   4,   0,  -6,
        -2,   4,   6,   8,   8,   6,   4,  -2,
        -2,   4,   8,  10,  10,   8,   4,  -2,
        -2,   4,   8,  10,  10,   8,   4,  -2,
        -4,   4,   6,   6,   6,   6,   2,  -4,
        -8,   0,   4,   4,   4,   2,   0,  -8,
       -14,  -8,  -4,   2,   0,  -6,  -8, -14,
    ],
    [
       -60, -60, -60, -60, -60, -60, -60, -60,
       -55, -55, -55, -55, -55, -55, -55, -55,
       -50, -50, -50, -55, -55, -50, -50, -50,
       -45, -45, -50, -55, -55, -50, -45, -45,
       -35, -40, -45, -50, -50, -45, -40, -35,
       -20, -25, -30, -35, -35, -30, -25, -20,
         8,   6, -12, -20, -20, -12,   8,  10,
        22,  30,  16, -10,   0, -10,  34,  24,
    ],
];
