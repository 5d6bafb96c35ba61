//! Reading suites in the formats that are about.
//!
//! ```text
//! FEN ;D1 20 ;D2 400                  one position a line, counts by depth
//! FEN; D1 20; D2 400
//! FEN D1 20; id "start"; D2 400;      EPD with operations; those that mean nothing here are skipped
//!
//! id start                            blocks
//! epd FEN
//! perft 1 20
//! perft 2 400
//! ```
//!
//! A `#`, a `//` or, at the beginning of a line, a `;` begins a comment. Lines may end as on any
//! system, the file may begin with a byte-order mark, white space is free, and digits of counts
//! may be grouped by commas or underscores.

use std::fmt;
use std::ops::Range;

use tabiya::{CastlingMode, FenError, Position, PositionError};

/// The greatest depth that a suite may ask for.
pub const DEEPEST: u32 = 255;

/// How to read a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Write castling as in Chess960 in every position, not only where the castling rights
    /// show that it is one of Chess960.
    pub chess960: bool,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The positions with their counts, in the order of the lines.
    pub cases: Vec<Case>,
    /// What could not be read, in the order of the lines.
    pub errors: Vec<ReadError>,
}

/// A position with known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The number of its line, from 1; in blocks, that of the position.
    pub line: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The position.
    pub position: Position,
    /// Depths and the leaves expected there, by ascending depth.
    pub counts: Vec<(u32, u128)>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The place of the trouble in the line, in bytes; it may be empty.
    pub span: Range<usize>,
    /// What is wrong there.
    pub cause: ReadCause,
}

impl ReadError {
    /// The number of the first letter in trouble, from 1.
    pub fn column(&self) -> usize {
        self.text.get(..self.span.start).map_or(0, |before| before.chars().count()) + 1
    }
}

/// What is wrong in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadCause {
    /// The line is not in UTF-8.
    NotText,
    /// The FEN is none, or none that can be played on.
    Fen(FenError),
    /// The position cannot be written as asked for.
    Position(PositionError),
    /// There are no counts, so nothing can be checked.
    NoCounts,
    /// In a block: a count, or the end, comes before a position.
    NoPosition,
    /// An operation begins with something else than a name.
    Operation,
    /// No depth, or one above [`DEEPEST`].
    Depth,
    /// No count, or one above 2^128.
    Count,
    /// A depth has two different counts.
    Twice {
        /// Which.
        depth: u32,
    },
}

impl fmt::Display for ReadCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText => f.write_str("the line is not in UTF-8"),
            Self::Fen(error) => error.fmt(f),
            Self::Position(error) => error.fmt(f),
            Self::NoCounts => f.write_str("no counts: expected something like `;D1 20 ;D2 400`"),
            Self::NoPosition => f.write_str("there is no position that this belongs to"),
            Self::Operation => f.write_str("expected a depth and a count, like `D1 20`"),
            Self::Depth => write!(f, "expected a depth, from 0 to {DEEPEST}"),
            Self::Count => f.write_str("expected a count: a whole number"),
            Self::Twice { depth } => write!(f, "depth {depth} has two different counts"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column(), self.cause)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            ReadCause::Fen(error) => Some(error),
            ReadCause::Position(error) => Some(error),
            _ => None,
        }
    }
}

/// Reads a suite; no line keeps the others from being read.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Suite {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader { options, suite: Suite::default(), block: None };
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        match std::str::from_utf8(line) {
            Ok(text) => reader.line(Line { number, text }),
            Err(error) => {
                let text = String::from_utf8_lossy(line).into_owned();
                let start = error.valid_up_to();
                let cause = ReadCause::NotText;
                let span = start..start;
                reader.suite.errors.push(ReadError { line: number, text, span, cause });
            }
        }
    }
    reader.end_block();
    // The end of a block is noticed after later lines.
    reader.suite.errors.sort_by_key(|error| error.line);
    reader.suite
}

/// A line and its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// Where a part of the line stands in it.
    fn span(self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn error(self, part: &str, cause: ReadCause) -> ReadError {
        self.error_at(self.span(part), cause)
    }

    fn error_at(self, span: Range<usize>, cause: ReadCause) -> ReadError {
        let text = self.text.trim_end().to_owned();
        let span = span.start.min(text.len())..span.end.min(text.len());
        ReadError { line: self.number, text, span, cause }
    }

    /// The line without comment and white space around it.
    fn matter(self) -> &'a str {
        let text = self.text.trim();
        if text.starts_with(['#', ';']) || text.starts_with("//") {
            return "";
        }
        let (mut quoted, mut after_space) = (false, false);
        for (place, letter) in text.char_indices() {
            let comment = letter == '#' || text[place..].starts_with("//");
            if comment && after_space && !quoted {
                return text[..place].trim_end();
            }
            quoted ^= letter == '"';
            after_space = letter.is_whitespace() || letter == ';';
        }
        text
    }
}

/// A block of which some lines have been read.
struct Block {
    /// Where to complain about the block as a whole.
    begin: ReadError,
    name: Option<String>,
    /// The line of the position, and the position unless it was unreadable.
    position: Option<(usize, Option<Position>)>,
    counts: Vec<(u32, u128)>,
    /// Was there an error about a count already?
    damaged: bool,
}

struct Reader<'a> {
    options: &'a ReadOptions,
    suite: Suite,
    block: Option<Block>,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) {
        let matter = line.matter();
        let (word, rest) = split_word(matter);
        let result = match word {
            "" => Ok(()),
            "id" => {
                self.end_block();
                let name = rest.trim_matches('"').to_owned();
                self.block = Some(Block::new(line, matter, Some(name)));
                Ok(())
            }
            "epd" | "fen" => self.block_position(line, matter, rest),
            "perft" => self.block_count(line, matter, rest),
            _ => {
                self.end_block();
                self.whole_case(line, matter)
            }
        };
        if let Err(error) = result {
            self.suite.errors.push(error);
        }
    }

    /// A position with its counts on one line.
    fn whole_case(&mut self, line: Line<'_>, matter: &str) -> Result<(), ReadError> {
        let record = self.record(line, matter)?;
        if record.counts.is_empty() {
            let end = line.span(matter).end;
            return Err(line.error_at(end..end, ReadCause::NoCounts));
        }
        self.suite.cases.push(Case {
            line: line.number,
            name: record.name,
            position: record.position,
            counts: record.counts,
        });
        Ok(())
    }

    fn block_position(
        &mut self,
        line: Line<'_>,
        matter: &str,
        rest: &str,
    ) -> Result<(), ReadError> {
        if self.block.as_ref().is_some_and(|block| block.position.is_some()) {
            self.end_block();
        }
        let record = self.record(line, rest);
        let block = self.block.get_or_insert_with(|| Block::new(line, matter, None));
        block.begin = line.error(matter, ReadCause::NoCounts);
        let position = record.as_ref().ok().map(|record| record.position.clone());
        block.position = Some((line.number, position));
        let record = record?;
        block.counts = record.counts;
        block.name = block.name.take().or(record.name);
        Ok(())
    }

    fn block_count(&mut self, line: Line<'_>, matter: &str, rest: &str) -> Result<(), ReadError> {
        let Some(block) = self.block.as_mut().filter(|block| block.position.is_some()) else {
            return Err(line.error(matter, ReadCause::NoPosition));
        };
        let count = depth_and_count(line, rest)
            .and_then(|(depth, count, more)| match more.trim_matches([';', ' ', '\t']) {
                "" => Ok((depth, count)),
                more => Err(line.error(more, ReadCause::Operation)),
            })
            .and_then(|(depth, count)| insert(line, rest, &mut block.counts, depth, count));
        block.damaged |= count.is_err();
        count
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else { return };
        match block.position {
            None => self.suite.errors.push(block.begin),
            // There was an error already.
            Some((_, None)) => {}
            Some((_, Some(_))) if block.counts.is_empty() => {
                if !block.damaged {
                    self.suite.errors.push(block.begin);
                }
            }
            Some((line, Some(position))) => {
                self.suite.cases.push(Case {
                    line,
                    name: block.name,
                    position,
                    counts: block.counts,
                });
            }
        }
    }

    /// Reads a FEN and what follows it.
    fn record(&self, line: Line<'_>, text: &str) -> Result<Record, ReadError> {
        let mut parts = split_operations(text);
        let first = parts.next().unwrap_or_default();
        let (fen, rest) = split_fen(first);
        let position = Position::from_fen(fen).map_err(|error| {
            let start = line.span(fen).start;
            let Range { start: from, end } = error.span();
            line.error_at(start + from..start + end, ReadCause::Fen(error))
        })?;
        let position = if self.options.chess960 {
            position
                .with_mode(CastlingMode::Chess960)
                .map_err(|error| line.error(fen, ReadCause::Position(error)))?
        } else {
            position
        };
        let mut record = Record { position, name: None, counts: Vec::new() };
        for operation in std::iter::once(rest).chain(parts) {
            record.operation(line, operation.trim())?;
        }
        Ok(record)
    }
}

impl Block {
    fn new(line: Line<'_>, matter: &str, name: Option<String>) -> Self {
        let begin = line.error(matter, ReadCause::NoPosition);
        Self { begin, name, position: None, counts: Vec::new(), damaged: false }
    }
}

/// A FEN and its operations.
struct Record {
    position: Position,
    name: Option<String>,
    counts: Vec<(u32, u128)>,
}

impl Record {
    /// Takes in one operation; those that say nothing about counts mean nothing here.
    fn operation(&mut self, line: Line<'_>, text: &str) -> Result<(), ReadError> {
        let (name, operand) = split_word(text);
        match name {
            "" => return Ok(()),
            "id" => {
                self.name = Some(operand.trim_matches('"').to_owned());
                return Ok(());
            }
            "perft" => return self.counts(line, operand),
            _ => {}
        }
        let after_d = text.strip_prefix(['d', 'D']).unwrap_or_default();
        if after_d.trim_start().starts_with(|letter: char| letter.is_ascii_digit()) {
            return self.counts(line, after_d);
        }
        if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Ok(());
        }
        Err(line.error(name, ReadCause::Operation))
    }

    /// Takes in a depth and a count, and more of them after another `D`.
    fn counts(&mut self, line: Line<'_>, mut text: &str) -> Result<(), ReadError> {
        loop {
            let (depth, count, rest) = depth_and_count(line, text)?;
            insert(line, text, &mut self.counts, depth, count)?;
            let rest = rest.trim_start_matches([',', ' ', '\t']);
            if rest.is_empty() {
                return Ok(());
            }
            let Some(next) = rest.strip_prefix(['d', 'D']) else {
                return Err(line.error(rest, ReadCause::Operation));
            };
            text = next;
        }
    }
}

/// Adds a count in its place; the same one twice does no harm.
fn insert(
    line: Line<'_>,
    part: &str,
    counts: &mut Vec<(u32, u128)>,
    depth: u32,
    count: u128,
) -> Result<(), ReadError> {
    match counts.binary_search_by_key(&depth, |&(depth, _)| depth) {
        Ok(place) if counts[place].1 == count => Ok(()),
        Ok(_) => Err(line.error(part.trim(), ReadCause::Twice { depth })),
        Err(place) => {
            counts.insert(place, (depth, count));
            Ok(())
        }
    }
}

/// Reads a depth and a count, apart by white space, `:` or `=`; the rest is left.
fn depth_and_count<'a>(line: Line<'_>, text: &'a str) -> Result<(u32, u128, &'a str), ReadError> {
    let (digits, rest) = split_while(text.trim_start(), |letter| letter.is_ascii_digit());
    let depth = digits.parse().ok().filter(|&depth| depth <= DEEPEST);
    let depth = depth.ok_or_else(|| line.error(digits, ReadCause::Depth))?;
    let apart = |letter: char| letter.is_whitespace() || matches!(letter, ':' | '=');
    let (gap, rest) = split_while(rest, apart);
    let (number, rest) = split_while(rest, |letter| !letter.is_whitespace() && letter != ';');
    let digits: String = number
        .trim_end_matches(',')
        .chars()
        .filter(|&letter| !matches!(letter, ',' | '_'))
        .collect();
    // Rust's numbers may have a sign, counts may not.
    let count = digits.starts_with(|letter: char| letter.is_ascii_digit()).then(|| digits.parse());
    match count {
        Some(Ok(count)) if !gap.is_empty() => Ok((depth, count, rest)),
        _ => Err(line.error(number, ReadCause::Count)),
    }
}

/// The parts between semicolons that are not in quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
}

/// The FEN at the beginning, and the rest: four words, and the counters if they are there.
fn split_fen(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut rest = text;
    for word in 0..6 {
        let (next, after) = split_word(rest);
        let is_counter = next.starts_with(|letter: char| letter.is_ascii_digit());
        if next.is_empty() || word >= 4 && !is_counter {
            break;
        }
        rest = after;
    }
    let fen = text[..text.len() - rest.len()].trim_end();
    (fen, rest)
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = split_while(text.trim_start(), |letter| !letter.is_whitespace());
    (word, rest.trim_start())
}

fn split_while(text: &str, mut holds: impl FnMut(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !holds(letter)).unwrap_or(text.len()))
}
