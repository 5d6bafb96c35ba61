//! The tree of a game as text: lines of moves, with the variations of a move indented below it.

use std::io::{self, Write};

use tabiya::{Color, Position};
use tabiya_pgn::{GameTree, Nag, NodeId, Termination};
use tabiya_views::Diagram;
use tabiya_views::text::{self, Glyphs};

use crate::output::printable;

/// The number of columns, unless the indentation leaves fewer than [`NARROWEST`].
const WIDTH: usize = 79;
const NARROWEST: usize = 30;
/// The glyphs that ask for a diagram.
const DIAGRAMS: [Nag; 2] = [Nag(201), Nag(220)];

/// Writes a tree, line by line: its text may be much longer than the tree. It ends with an empty line.
pub(super) fn write(tree: &GameTree, out: &mut dyn Write) -> io::Result<()> {
    let mut outline = Outline { tree, out, words: Vec::new() };
    outline.heading()?;
    outline.notes(0, NodeId::ROOT, tree.start())?;
    outline.moves()?;
    let result = tree.result();
    if result != Termination::Unknown {
        outline.words.push(result.to_string());
        outline.flush(0)?;
    }
    out.write_all(b"\n")
}

struct Outline<'t> {
    tree: &'t GameTree,
    out: &'t mut dyn Write,
    /// The words of the current line, which is not printed yet.
    words: Vec<String>,
}

/// A line of moves, not yet printed.
struct Line {
    depth: usize,
    /// The node after which it begins.
    after: NodeId,
    /// Its first move, if it is not the main continuation.
    variation: Option<NodeId>,
    position: Position,
}

impl Outline<'_> {
    fn heading(&mut self) -> io::Result<()> {
        let known = |name| self.tree.tag(name).filter(|value| !matches!(*value, "" | "?"));
        let mut parts = Vec::new();
        if known("White").is_some() || known("Black").is_some() {
            let player = |name| known(name).unwrap_or("?");
            parts.push(format!("{} - {}", player("White"), player("Black")));
        }
        let others = ["Event", "Site", "Date"].into_iter().filter_map(known);
        parts.extend(others.filter(|value| *value != "????.??.??").map(str::to_owned));
        if !parts.is_empty() {
            writeln!(self.out, "{}", printable(&parts.join(", ")))?;
        }
        match *self.tree.start() == Position::START {
            true => Ok(()),
            false => self.diagram(0, self.tree.start()),
        }
    }

    /// All lines: each up to the next variations, then these, then the rest.
    fn moves(&mut self) -> io::Result<()> {
        let start = self.tree.start().clone();
        let mut lines =
            vec![Line { depth: 0, after: NodeId::ROOT, variation: None, position: start }];
        while let Some(Line { depth, after, variation, mut position }) = lines.pop() {
            let mut at = after;
            let mut first = variation;
            while let Some(next) = first.take().or_else(|| self.tree.next(at)) {
                self.mv(depth, next, &position)?;
                let after = self.tree.position_after(&position, next);
                self.notes(depth, next, &after)?;
                // Only the main continuation lists its siblings: there may be thousands.
                let others: Vec<NodeId> = match self.tree.is_main_continuation(next) {
                    true => self.tree.children(at).skip(1).collect(),
                    false => Vec::new(),
                };
                if !others.is_empty() {
                    lines.push(Line { depth, after: next, variation: None, position: after });
                    let line = |variation| Line {
                        depth: depth + 1,
                        after: at,
                        variation: Some(variation),
                        position: position.clone(),
                    };
                    lines.extend(others.into_iter().rev().map(line));
                    break;
                }
                (at, position) = (next, after);
            }
            self.flush(depth)?;
        }
        Ok(())
    }

    /// A move with its number, which Black's moves need only at the start of a line.
    fn mv(&mut self, depth: usize, id: NodeId, before: &Position) -> io::Result<()> {
        for text in self.tree.comments_before(id) {
            self.comment(text);
        }
        let mut word = match before.turn() {
            Color::White => format!("{}. ", before.fullmove_number()),
            Color::Black if self.words.is_empty() => format!("{}... ", before.fullmove_number()),
            Color::Black => String::new(),
        };
        match self.tree.mv(id) {
            Some(mv) => word.push_str(&before.san(mv).text()),
            None => word.push_str("--"),
        }
        for nag in self.tree.nags(id).filter(|nag| !DIAGRAMS.contains(nag)) {
            match (nag.suffix(), nag.sign()) {
                (Some(suffix), _) => word.push_str(suffix),
                (None, Some(sign)) => word.extend([" ", sign]),
                (None, None) => word.push_str(&format!(" {nag}")),
            }
        }
        self.words.push(word);
        match self.tree.nags(id).any(|nag| DIAGRAMS.contains(&nag)) {
            true => self.flush(depth),
            false => Ok(()),
        }
    }

    /// The comments after a move, and the diagram that a glyph asks for.
    fn notes(&mut self, depth: usize, id: NodeId, position: &Position) -> io::Result<()> {
        for text in self.tree.comments(id) {
            self.comment(text);
        }
        if id == NodeId::ROOT {
            self.flush(depth)?;
        }
        if self.tree.nags(id).any(|nag| DIAGRAMS.contains(&nag)) {
            self.flush(depth)?;
            self.diagram(depth, position)?;
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let text = printable(text);
        self.words.extend(format!("{{{text}}}").split_whitespace().map(str::to_owned));
    }

    fn diagram(&mut self, depth: usize, position: &Position) -> io::Result<()> {
        let lines = text::lines(&[Diagram::new(*position.board())], Glyphs::Ascii, WIDTH);
        let indent = "| ".repeat(depth);
        text::plain(&lines).lines().try_for_each(|line| writeln!(self.out, "{indent}{line}"))
    }

    /// Prints the words, in as many lines as they need.
    fn flush(&mut self, depth: usize) -> io::Result<()> {
        let indent = "| ".repeat(depth);
        let width = WIDTH.saturating_sub(indent.len()).max(NARROWEST);
        let mut line = String::new();
        let mut columns = 0;
        for word in self.words.drain(..) {
            let length = word.chars().count();
            if columns > 0 && columns + 1 + length > width {
                line.push('\n');
                self.out.write_all(line.as_bytes())?;
                line.clear();
                columns = 0;
            }
            line.push_str(if columns > 0 { " " } else { &indent });
            line.push_str(&word);
            columns += length + usize::from(columns > 0);
        }
        if columns > 0 {
            line.push('\n');
            self.out.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tabiya_pgn::Reader;

    use super::*;

    /// An output that takes a number of lines.
    struct Lines {
        text: Vec<u8>,
        left: usize,
    }

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.text.extend_from_slice(bytes);
            if bytes.ends_with(b"\n") {
                self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Nothing is kept: the text of nested variations may be a thousand times as long as they are.
    #[test]
    fn the_text_comes_line_by_line() {
        let nested = "e4 (d4 d5 (c5 (Nf6 c4 (c3)))) (Nf3) $220 e5 1-0";
        let game = GameTree::read(&mut Reader::from_bytes(nested.as_bytes())).unwrap().unwrap();
        let mut whole = Lines { text: Vec::new(), left: 1000 };
        write(&game, &mut whole).unwrap();
        let lines: Vec<&[u8]> = whole.text.split_inclusive(|&byte| byte == b'\n').collect();
        assert!(lines.len() > 10);
        // It ends where the receiver says so.
        for most in 0..lines.len() {
            let mut part = Lines { text: Vec::new(), left: most };
            assert!(write(&game, &mut part).is_err());
            assert_eq!(part.text, lines[..=most].concat());
        }
    }
}
