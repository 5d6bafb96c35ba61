//! Attackers, attacks and pins, on any board.

use pyo3::prelude::*;
use tabiya::attacks::{self, DefaultSliders};
use tabiya::{Bitboard, Color, Square};

use super::PyBoard;
use super::square_set::SquareSet;
use super::state::king;
use crate::bitboard::BitboardArg;
use crate::color::ColorArg;
use crate::square::SquareArg;

impl PyBoard {
    fn attackers_of(
        &self,
        color: Color,
        square: Square,
        occupied: Option<BitboardArg>,
    ) -> Bitboard {
        let board = self.state.board();
        let occupied = occupied.map_or_else(|| board.occupied(), |squares| squares.0);
        board.attackers_with(DefaultSliders::default(), color, square, occupied)
    }

    /// The line to which a piece on a square would be pinned.
    fn pin_line(&self, color: Color, square: Square) -> Option<Bitboard> {
        let board = self.state.board();
        let king = king(board, color)?;
        let line = attacks::line(king, square);
        let sliders = if attacks::rook_rays(king).has(square) {
            board.orthogonal_sliders(!color)
        } else {
            board.diagonal_sliders(!color)
        };
        let occupied = board.occupied() | square.bitboard();
        let pins = |pinner| attacks::between(king, pinner) & occupied == square.bitboard();
        (sliders & line).iter().any(pins).then_some(line)
    }
}

#[pymethods]
impl PyBoard {
    /// The pieces of one side that attack a square. ``occupied`` replaces the occupied squares,
    /// which block the lines of sliders.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().attackers(tabiya.WHITE, tabiya.F3)
    /// SquareSet(0x0000_0000_0000_5040)
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<BitboardArg>,
    ) -> SquareSet {
        SquareSet::of(self.attackers_mask(color, square, occupied))
    }

    /// The pieces of one side that attack a square, as a number of 64 bits.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<BitboardArg>,
    ) -> u64 {
        self.attackers_of(color.0, square.0, occupied).0
    }

    /// Does a piece of one side attack a square?
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<BitboardArg>,
    ) -> bool {
        self.attackers_of(color.0, square.0, occupied).any()
    }

    /// The squares that the piece on a square attacks; none if the square is empty.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().attacks(tabiya.G1)
    /// SquareSet(0x0000_0000_00a0_1000)
    fn attacks(&self, square: SquareArg) -> SquareSet {
        SquareSet::of(self.attacks_mask(square))
    }

    /// The squares that the piece on a square attacks, as a number of 64 bits.
    fn attacks_mask(&self, square: SquareArg) -> u64 {
        self.state.board().attacks_from(square.0).0
    }

    /// Would a piece of this side be pinned to its king on a square?
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1")
    /// >>> board.is_pinned(tabiya.WHITE, tabiya.E2)
    /// True
    fn is_pinned(&self, color: ColorArg, square: SquareArg) -> bool {
        self.pin_line(color.0, square.0).is_some()
    }

    /// The line on which a piece of this side is pinned to its king on a square, including the king
    /// and the pinner; all squares if it is not pinned.
    fn pin(&self, color: ColorArg, square: SquareArg) -> SquareSet {
        SquareSet::of(self.pin_mask(color, square))
    }

    /// The line on which a piece is pinned, as a number of 64 bits; all squares if it is not
    /// pinned.
    fn pin_mask(&self, color: ColorArg, square: SquareArg) -> u64 {
        self.pin_line(color.0, square.0).unwrap_or(Bitboard::FULL).0
    }
}
