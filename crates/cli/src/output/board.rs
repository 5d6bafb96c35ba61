//! Boards in the colours of the terminal.

use std::io::{self, Write};

use tabiya_views::text::{Line, Style};

use super::style;

/// Writes the lines of boards.
pub(crate) fn write(out: &mut dyn Write, lines: &[Line]) -> io::Result<()> {
    for line in lines {
        for segment in line {
            let style = match segment.style {
                Style::Plain => anstyle::Style::new(),
                Style::Title => style::HEAD,
                Style::Coordinate => style::ASIDE,
                Style::Mark => style::MARK,
            };
            let (begin, end) = style::ends(style);
            write!(out, "{begin}{}{end}", segment.text)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::{Board, Square};
    use tabiya_views::layer::LayerSquares;
    use tabiya_views::{Diagram, text};

    #[test]
    fn without_its_colours_a_board_is_the_plain_text() {
        let squares = Square::A8.bitboard();
        let layer = LayerSquares { name: "corner".to_owned(), squares, note: None };
        let diagram = Diagram { layers: vec![layer], ..Diagram::new(Board::START) };
        let lines = text::lines(&[diagram], text::Glyphs::Unicode, 80);
        let mut out = Vec::new();
        write(&mut out, &lines).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("[♜]\u{1b}[0m"), "{out:?}");
        assert_eq!(anstream::adapter::strip_str(&out).to_string(), text::plain(&lines));
    }
}
