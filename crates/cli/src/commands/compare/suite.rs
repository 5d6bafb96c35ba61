//! Suites of `tabiya compare`: what to ask about, and what was found.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tabiya::epd::{Epd, Operation};
use tabiya::{Move, Position};
use tabiya_compare::Finding;

use crate::failure::{Diagnostic, Failure};
use crate::input::Lines;
use crate::interrupt::Interrupt;
use crate::position::PositionOptions;

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
///
/// # Errors
/// The reason why they cannot be read, which may be that the user asks to stop.
pub(super) fn asked(
    suites: &[PathBuf],
    position: &PositionOptions,
    watch: &Interrupt,
) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    if suites.is_empty() && position.is_given() {
        asked.positions.push(position.read()?.position()?);
    }
    for path in suites {
        asked.read(path, watch)?;
    }
    if !suites.is_empty() && asked.positions.is_empty() && asked.lines.is_empty() {
        return Err(Diagnostic::new("the suite has no positions").into());
    }
    Ok(asked)
}

impl Asked {
    fn read(&mut self, path: &Path, watch: &Interrupt) -> Result<(), Failure> {
        let wrong = |error: &dyn std::fmt::Display| {
            Diagnostic::new(format_args!("{} cannot be read: {error}", path.display()))
        };
        let mut lines = Lines::watched(path, watch).map_err(|error| wrong(&error))?;
        let mut number = 0;
        while let Some(line) = lines.next().map_err(|error| wrong(&error))? {
            number += 1;
            let Some(text) = entry(line) else { continue };
            let place = format!("{}:{number}", path.display());
            match read_line(&text, &place) {
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

/// The text of a line. `None` if it is empty or a comment.
fn entry(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line).trim().to_owned();
    (!text.is_empty() && !text.starts_with('#')).then_some(text)
}

/// Reads a FEN or EPD. The moves of an operation `moves` are played: `FEN moves M1 M2 …`.
fn read_line(text: &str, place: &str) -> Result<(Position, Vec<Move>), Diagnostic> {
    let epd = Epd::read(text).map_err(|error| {
        Diagnostic::new(format_args!("{place}: {error}")).at(text, error.span())
    })?;
    let mut position = epd.position().clone();
    let mut path = Vec::new();
    for operation in epd.operations() {
        let Operation::Other { opcode, operands } = operation else { continue };
        if !opcode.eq_ignore_ascii_case("moves") {
            continue;
        }
        let words = operands.as_str();
        if words.trim().is_empty() {
            let text = format_args!("{place}: there are no moves after `{opcode}`");
            return Err(Diagnostic::new(text));
        }
        for word in words.split_whitespace() {
            let mv = position
                .parse_move(word)
                .map_err(|error| Diagnostic::new(format_args!("{place}: {error}")))?;
            path.push(mv);
            position = position.play(mv);
        }
    }
    Ok((epd.position().clone(), path))
}

/// Can findings be appended to this file? Reading a device or a pipe might never end.
///
/// # Errors
/// The reason why not.
pub(super) fn check_that_it_can_grow(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is not a regular file")),
        Ok(_) if has_no_position(path) => {
            Err(io::Error::other("it is not a suite: no line of it is a position"))
        }
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            fs::metadata(folder.unwrap_or(Path::new("."))).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Does a file hold text without a position, such as the source of the program under test?
fn has_no_position(path: &Path) -> bool {
    const MOST: u64 = 1 << 20;
    let Ok(file) = File::open(path) else { return false };
    let mut lines = Lines::new(Box::new(BufReader::new(file.take(MOST))));
    let mut has_text = false;
    loop {
        match lines.next().map(|line| line.map(entry)) {
            Ok(Some(Some(text))) if read_line(&text, "").is_ok() => return false,
            Ok(Some(text)) => has_text |= text.is_some(),
            Ok(None) => return has_text,
            // No position is as long as such a line.
            Err(_) => return true,
        }
    }
}

/// Appends the smallest examples of findings that the suite does not have yet, each with a comment.
pub(super) fn save(path: &Path, findings: &[Finding]) -> io::Result<()> {
    let mut new: Vec<(&Finding, String)> = Vec::new();
    for finding in findings {
        let Some(shrunk) = &finding.shrunk else { continue };
        let line = if shrunk.moves.is_empty() {
            shrunk.suite.clone()
        } else {
            let (moves, depth) = (shrunk.moves.join(" "), shrunk.depth);
            format!("{} moves {moves} ;D{depth} {}", shrunk.fen, shrunk.expected)
        };
        new.push((finding, line));
    }
    if new.is_empty() {
        return Ok(());
    }
    check_that_it_can_grow(path)?;
    let mut file = OpenOptions::new().append(true).read(true).create(true).open(path)?;
    let mut lines = Lines::new(Box::new(BufReader::new(file.try_clone()?)));
    while let Ok(Some(known)) = lines.next() {
        new.retain(|(_, line)| line.as_bytes() != known.trim_ascii_end());
    }
    if new.is_empty() {
        return Ok(());
    }
    let last = last_byte(&mut file)?;
    let mut text = String::new();
    if last.is_some_and(|last| last != b'\n') {
        text.push('\n');
    }
    for (finding, line) in &new {
        text += &format!("# {}: {}\n{line}\n", finding.class, finding.class.description());
    }
    let len = file.metadata()?.len();
    // A part of a line would be another position, or another count.
    file.write_all(text.as_bytes()).inspect_err(|_| {
        let _ = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(len));
    })
}

/// The last byte of a file. `None` if it is empty.
fn last_byte(file: &mut File) -> io::Result<Option<u8>> {
    let mut last = [0];
    if file.seek(SeekFrom::End(-1)).is_err() {
        return Ok(None);
    }
    file.read_exact(&mut last)?;
    Ok(Some(last[0]))
}
