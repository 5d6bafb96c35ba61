//! The contents of a drawing: a board with layers, arrows and the last move.

use tabiya::{Bitboard, Board, File, Rank, Square};

use crate::Arrow;
use crate::layer::LayerSquares;

/// A board to draw, as [text](crate::text) or as a [picture](crate::svg).
///
/// A diagram of one layer has the name of the layer as its title. A diagram of several layers has
/// a legend, and each layer has a number, from 1, and a colour.
///
/// ```
/// use tabiya::{Board, Position, Square};
/// use tabiya_views::{Diagram, Layer};
/// let start = Position::START.into();
/// let pawns = Layer::parse("pawns").unwrap().evaluate(&start).unwrap();
/// let diagram = Diagram { layers: vec![pawns], ..Diagram::new(Board::START) };
/// assert_eq!(diagram.heading(), Some("pawns"));
/// assert_eq!(diagram.layers_on(Square::E2), [0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// A title above the board, instead of the name of a single layer.
    pub title: Option<String>,
    /// The pieces.
    pub board: Board,
    /// The layers that are marked on the board, at most [`MAX_LAYERS`](Self::MAX_LAYERS).
    pub layers: Vec<LayerSquares>,
    /// Arrows. Only pictures show them.
    pub arrows: Vec<Arrow>,
    /// The two squares of the last move. Only pictures show them.
    pub last_move: Option<(Square, Square)>,
    /// Is Black at the bottom?
    pub is_flipped: bool,
}

impl Diagram {
    /// The number of layers that fit on one board: each has a colour of its own.
    pub const MAX_LAYERS: usize = 8;

    /// A board on which nothing is marked, with White at the bottom.
    pub const fn new(board: Board) -> Self {
        Self {
            title: None,
            board,
            layers: Vec::new(),
            arrows: Vec::new(),
            last_move: None,
            is_flipped: false,
        }
    }

    /// The text above the board.
    pub fn heading(&self) -> Option<&str> {
        match (&self.title, &self.layers[..]) {
            (Some(title), _) => Some(title),
            (None, [layer]) => Some(&layer.name),
            (None, _) => None,
        }
    }

    /// Does the diagram name its layers in a legend? It does so if there are several.
    pub fn has_legend(&self) -> bool {
        self.layers.len() > 1
    }

    /// The indices of the layers that contain a square.
    pub fn layers_on(&self, square: Square) -> Vec<usize> {
        let layers = self.layers.iter().enumerate();
        layers.filter(|(_, layer)| layer.squares.has(square)).map(|(index, _)| index).collect()
    }

    /// All squares that a layer marks.
    pub(crate) fn marked(&self) -> Bitboard {
        self.layers.iter().fold(Bitboard::EMPTY, |all, layer| all | layer.squares)
    }

    /// The ranks from top to bottom.
    pub(crate) fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if !self.is_flipped {
            ranks.reverse();
        }
        ranks
    }

    /// The files from left to right.
    pub(crate) fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.is_flipped {
            files.reverse();
        }
        files
    }
}

/// The number of diagrams in each row, at most `limit`. The rows are evenly filled if possible.
pub(crate) fn diagrams_per_row(diagrams: usize, limit: usize) -> usize {
    let rows = diagrams.div_ceil(limit.max(1)).max(1);
    diagrams.div_ceil(rows).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_evenly_filled() {
        for (diagrams, limit, expected) in
            [(4, 3, 2), (3, 3, 3), (5, 3, 3), (7, 3, 3), (0, 0, 1), (2, 0, 1)]
        {
            assert_eq!(diagrams_per_row(diagrams, limit), expected, "{diagrams} {limit}");
        }
    }
}
