//! Pictures of positions without layers, as notebooks show them.

use tabiya::{Position, Square, UciMove};
use tabiya_views::Diagram;
use tabiya_views::svg::Picture;

/// The picture of a position.
pub(crate) fn svg_of(position: &Position) -> String {
    svg_with(position, None)
}

/// The picture of a position, with the move that led to it.
pub(crate) fn svg_after(position: &Position, last: UciMove) -> String {
    svg_with(position, Some((last.from, last.to)))
}

fn svg_with(position: &Position, last_move: Option<(Square, Square)>) -> String {
    let diagram = Diagram { last_move, ..Diagram::new(*position.board()) };
    Picture::new(vec![diagram], position.fen().to_string()).to_string()
}
