//! Boards as text and as pictures.

use pyo3::prelude::*;
use tabiya::{File, Rank, Square};
use tabiya_views::Diagram;
use tabiya_views::svg::Picture;

use super::PyBoard;

#[pymethods]
impl PyBoard {
    /// The board with figurines.
    ///
    /// With ``borders``, the files and ranks have names. ``orientation`` is the side at the bottom,
    /// ``empty_square`` is the text for an empty square; ``invert_color`` exchanges the colours of
    /// the figurines, for dark backgrounds.
    ///
    /// >>> import tabiya
    /// >>> print(tabiya.Board("8/8/8/8/8/8/P6k/K7 w - - 0 1").unicode(empty_square="."))
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// ♙ . . . . . . ♚
    /// ♔ . . . . . . .
    #[pyo3(
        signature = (*, invert_color=false, borders=false, empty_square="⭘", orientation=true),
        // `inspect` cannot read a signature with characters outside ASCII.
        text_signature = "($self, *, invert_color=False, borders=False, empty_square='\\u2b58', orientation=True)"
    )]
    fn unicode(
        &self,
        invert_color: bool,
        borders: bool,
        empty_square: &str,
        orientation: bool,
    ) -> String {
        let rule = "  -----------------";
        let symbol = |square| match self.state.board().piece_on(square) {
            Some(piece) => {
                let color = if invert_color { !piece.color } else { piece.color };
                piece.role.of(color).unicode().to_string()
            }
            None => empty_square.to_owned(),
        };
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        if orientation {
            ranks.reverse();
        } else {
            files.reverse();
        }
        let mut lines = Vec::new();
        for rank in ranks {
            let row = files.map(|file| symbol(Square::new(file, rank)));
            if borders {
                lines.push(rule.to_owned());
                lines.push(format!("{rank} |{}|", row.join("|")));
            } else {
                lines.push(row.join(" "));
            }
        }
        if borders {
            lines.push(rule.to_owned());
            lines.push(format!("   {}", files.map(|file| file.to_string()).join(" ")));
        }
        lines.join("\n")
    }

    fn __str__(&self) -> String {
        let symbol = |square| match self.state.board().piece_on(square) {
            Some(piece) => piece.fen().to_string(),
            None => ".".to_owned(),
        };
        let row = |rank| File::ALL.map(|file| symbol(Square::new(file, rank))).join(" ");
        Rank::ALL.into_iter().rev().map(row).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get_type().name()?;
        let board = slf.try_borrow()?;
        let fen = board.position_fen();
        let chess960 = if board.is_chess960() { ", chess960=True" } else { "" };
        Ok(format!("{name}('{fen}'{chess960})"))
    }

    /// The board as a picture, for notebooks. The squares of the last move are marked.
    fn _repr_svg_(&self) -> String {
        let last_move = self.stack.last().and_then(|entry| entry.mv);
        let last_move = last_move.map(|mv| (mv.from(), mv.to()));
        let diagram = Diagram { last_move, ..Diagram::new(*self.state.board()) };
        Picture::new(vec![diagram], self.position_fen()).to_string()
    }
}
