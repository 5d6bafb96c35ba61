//! The tree of a game as text: lines of moves, with the variations of a move indented below it.

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

/// Writes a tree. It ends with an empty line.
pub(super) fn write(tree: &GameTree, out: &mut String) {
    let mut outline = Outline { tree, out, words: Vec::new() };
    outline.heading();
    outline.notes(0, NodeId::ROOT, tree.start());
    outline.moves();
    let result = tree.result();
    if result != Termination::Unknown {
        outline.words.push(result.to_string());
        outline.flush(0);
    }
    out.push('\n');
}

struct Outline<'t> {
    tree: &'t GameTree,
    out: &'t mut String,
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
    fn heading(&mut self) {
        let known = |name| self.tree.tag(name).filter(|value| !matches!(*value, "" | "?"));
        let mut parts = Vec::new();
        if known("White").is_some() || known("Black").is_some() {
            let player = |name| known(name).unwrap_or("?");
            parts.push(format!("{} - {}", player("White"), player("Black")));
        }
        let others = ["Event", "Site", "Date"].into_iter().filter_map(known);
        parts.extend(others.filter(|value| *value != "????.??.??").map(str::to_owned));
        if !parts.is_empty() {
            self.out.push_str(&printable(&parts.join(", ")));
            self.out.push('\n');
        }
        if self.tree.tag("FEN").is_some() {
            self.diagram(0, self.tree.start());
        }
    }

    /// All lines: each up to the next variations, then these, then the rest.
    fn moves(&mut self) {
        let start = self.tree.start().clone();
        let mut lines =
            vec![Line { depth: 0, after: NodeId::ROOT, variation: None, position: start }];
        while let Some(Line { depth, after, variation, mut position }) = lines.pop() {
            let mut at = after;
            let mut first = variation;
            while let Some(next) = first.take().or_else(|| self.tree.next(at)) {
                self.mv(depth, next, &position);
                let after = match self.tree.mv(next) {
                    Some(mv) => position.play(mv),
                    None => position.play_null().unwrap_or_else(|| position.clone()),
                };
                self.notes(depth, next, &after);
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
            self.flush(depth);
        }
    }

    /// A move with its number, which Black's moves need only at the start of a line.
    fn mv(&mut self, depth: usize, id: NodeId, before: &Position) {
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
        if self.tree.nags(id).any(|nag| DIAGRAMS.contains(&nag)) {
            self.flush(depth);
        }
    }

    /// The comments after a move, and the diagram that a glyph asks for.
    fn notes(&mut self, depth: usize, id: NodeId, position: &Position) {
        for text in self.tree.comments(id) {
            self.comment(text);
        }
        if id == NodeId::ROOT {
            self.flush(depth);
        }
        if self.tree.nags(id).any(|nag| DIAGRAMS.contains(&nag)) {
            self.flush(depth);
            self.diagram(depth, position);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = printable(text);
        self.words.extend(format!("{{{text}}}").split_whitespace().map(str::to_owned));
    }

    fn diagram(&mut self, depth: usize, position: &Position) {
        let lines = text::lines(&[Diagram::new(*position.board())], Glyphs::Ascii, WIDTH);
        for line in text::plain(&lines).lines() {
            self.out.push_str(&"| ".repeat(depth));
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    /// Prints the words, in as many lines as they need.
    fn flush(&mut self, depth: usize) {
        let indent = "| ".repeat(depth);
        let width = WIDTH.saturating_sub(indent.len()).max(NARROWEST);
        let mut columns = 0;
        for word in self.words.drain(..) {
            let length = word.chars().count();
            if columns > 0 && columns + 1 + length > width {
                self.out.push('\n');
                columns = 0;
            }
            self.out.push_str(if columns > 0 { " " } else { &indent });
            self.out.push_str(&word);
            columns += length + usize::from(columns > 0);
        }
        if columns > 0 {
            self.out.push('\n');
        }
    }
}
