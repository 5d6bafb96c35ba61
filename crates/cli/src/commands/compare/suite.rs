//! Suites of `tabiya compare`: what to ask about, and what was found.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabiya::epd::Epd;
use tabiya::{Move, Position};
use tabiya_compare::Finding;

use crate::failure::{Diagnostic, Failure};
use crate::input::{self, Lines};
use crate::position::PositionArgs;

/// A larger suite would take too long.
const MAX_POSITIONS: usize = 1_000_000;

/// What a program is asked about. If it is empty, the ladder is used.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) positions: Vec<Position>,
    /// Positions with the moves to play from them.
    pub(super) lines: Vec<(Position, Vec<Move>)>,
    /// Were there lines that cannot be read? They have been reported.
    pub(super) has_bad_lines: bool,
}

/// The position that the arguments name, or the positions of suites.
pub(super) fn asked(suites: &[PathBuf], position: &PositionArgs) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    if suites.is_empty() && position.is_given() {
        asked.positions.push(position.position()?);
    }
    for path in suites {
        asked.read(path)?;
    }
    if !suites.is_empty() && asked.positions.is_empty() && asked.lines.is_empty() {
        return Err(Diagnostic::new("the suite has no positions").into());
    }
    Ok(asked)
}

impl Asked {
    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let wrong = |error: &dyn std::fmt::Display| {
            Diagnostic::new(format_args!("{} cannot be read: {error}", path.display()))
        };
        let mut lines = Lines::new(input::open(path).map_err(|error| wrong(&error))?);
        let mut number = 0;
        while let Some(line) = lines.next().map_err(|error| wrong(&error))? {
            number += 1;
            let text = String::from_utf8_lossy(line);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let place = format!("{}:{number}", path.display());
            match read_line(text, &place) {
                Ok((start, moves)) if moves.is_empty() => self.positions.push(start),
                Ok(line) => self.lines.push(line),
                Err(diagnostic) => {
                    self.has_bad_lines = true;
                    let _ = write!(anstream::stderr(), "{diagnostic}");
                }
            }
            if self.positions.len() + self.lines.len() > MAX_POSITIONS {
                let text = format_args!("there are more than {MAX_POSITIONS} positions");
                return Err(wrong(&text).into());
            }
        }
        Ok(())
    }
}

/// Reads a FEN or EPD, or `FEN moves M1 M2 …`, with operations after either.
fn read_line(text: &str, place: &str) -> Result<(Position, Vec<Move>), Diagnostic> {
    let head = text.split(';').next().unwrap_or_default();
    let Some((fen, moves)) = head.split_once(" moves ") else {
        return match Epd::read(text) {
            Ok(epd) => Ok((epd.position().clone(), Vec::new())),
            Err(error) => {
                Err(Diagnostic::new(format_args!("{place}: {error}")).at(text, error.span()))
            }
        };
    };
    let start = Position::from_fen(fen.trim()).map_err(|error| {
        Diagnostic::new(format_args!("{place}: {error}")).at(fen.trim(), error.span())
    })?;
    let mut position = start.clone();
    let mut path = Vec::new();
    for word in moves.split_whitespace() {
        let mv = position
            .parse_move(word)
            .map_err(|error| Diagnostic::new(format_args!("{place}: {error}")))?;
        path.push(mv);
        position = position.play(mv);
    }
    Ok((start, path))
}

/// Appends the smallest examples of findings that the suite does not have yet, each with a comment.
pub(super) fn save(path: &Path, findings: &[Finding]) -> io::Result<()> {
    let known = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    if !known.is_empty() && !known.ends_with('\n') {
        text.push('\n');
    }
    for finding in findings {
        let Some(shrunk) = &finding.shrunk else { continue };
        let line = if shrunk.moves.is_empty() {
            shrunk.suite.clone()
        } else {
            let (moves, depth) = (shrunk.moves.join(" "), shrunk.depth);
            format!("{} moves {moves} ;D{depth} {}", shrunk.fen, shrunk.expected)
        };
        if !known.lines().any(|it| it == line) {
            text += &format!("# {}: {}\n{line}\n", finding.class, finding.class.description());
        }
    }
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(text.as_bytes())
}
