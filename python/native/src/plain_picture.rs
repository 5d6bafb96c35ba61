//! Pictures of positions without layers, as notebooks show them.

use tabiya::{Board, Position, Square, UciMove};
use tabiya_views::Diagram;
use tabiya_views::svg::{Coordinates, Picture};

/// The picture of a position.
pub(crate) fn svg_of(position: &Position) -> String {
    svg_with(position, None)
}

/// The number of boards that the picture of many positions has.
pub(crate) const SHOWN: usize = 6;
/// The width of that picture, in pixels.
const WIDTH: u32 = 720;

/// A small picture of the first of many positions, each with the move that led to it. There are
/// `count` of them, called `name`; `None` if there are none.
pub(crate) fn svg_of_first(
    name: &str,
    count: usize,
    first: impl IntoIterator<Item = (Board, Option<(Square, Square)>)>,
) -> Option<String> {
    let diagram = |(index, (board, last_move))| {
        let of = if index == 0 { format!(" of {count}") } else { String::new() };
        let title = Some(format!("{name} {index}{of}"));
        Diagram { title, last_move, ..Diagram::new(board) }
    };
    let diagrams: Vec<_> = first.into_iter().take(SHOWN).enumerate().map(diagram).collect();
    let width = WIDTH / 3 * diagrams.len().min(3) as u32;
    if diagrams.is_empty() {
        return None;
    }
    let mut picture = Picture::new(diagrams, format!("{name} 0 of {count} and the next ones"));
    picture.coordinates = Coordinates::Hidden;
    picture.width = Some(width);
    Some(picture.to_string())
}

/// The picture of a position, with the move that led to it.
pub(crate) fn svg_after(position: &Position, last: UciMove) -> String {
    svg_with(position, Some((last.from, last.to)))
}

fn svg_with(position: &Position, last_move: Option<(Square, Square)>) -> String {
    let diagram = Diagram { last_move, ..Diagram::new(*position.board()) };
    Picture::new(vec![diagram], position.fen().to_string()).to_string()
}
