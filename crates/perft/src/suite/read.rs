//! Reads suites in the common formats.
//!
//! ```text
//! FEN ;D1 20 ;D2 400                  one position on a line, with counts by depth
//! FEN; D1 20; D2 400
//! FEN D1 20; id "start"; D2 400;      EPD with operations; those without counts are skipped
//! FEN moves e2e4 e7e5 ;D1 29          the counts are those of the position after the moves
//!
//! id start                            blocks
//! epd FEN
//! perft 1 20
//! perft 2 400
//! ```
//!
//! A comment begins with `#`, with `//` or, at the beginning of a line, with `;`. Lines may end as
//! on any system. The file may begin with a byte-order mark. Additional white space is ignored. Words
//! may be written in capitals. The digits of counts may be grouped by commas or underscores.

use std::ops::Range;

use tabiya::{CastlingMode, FenError, NotationError, Position, PositionError};

use crate::MAX_DEPTH;

/// Options for reading a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Use Chess960 castling notation for every position, and not only for positions whose castling
    /// rights are impossible in standard chess.
    pub chess960: bool,
}

/// The contents of a suite.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The positions with their counts, in the order of the lines.
    pub cases: Vec<Case>,
    /// The lines that cannot be read, in order.
    pub errors: Vec<LineError>,
}

/// A position with known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The number of its line, from 1. For a block, this is the line of the position.
    pub line: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The position, after the moves if the line has any.
    pub position: Position,
    /// Depths and the numbers of leaf nodes expected there, sorted by depth.
    pub counts: Vec<(u32, u128)>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {}: {cause}", self.column())]
pub struct LineError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    span: Range<usize>,
    /// The kind of error.
    #[source]
    pub cause: LineErrorCause,
}

impl LineError {
    /// The place of the error in the line, in bytes. It may be empty.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The column of the character at which the error begins, from 1.
    pub fn column(&self) -> usize {
        self.text.get(..self.span.start).map_or(0, |before| before.chars().count()) + 1
    }
}

/// The kind of an error in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineErrorCause {
    /// The line is not UTF-8.
    #[error("the line is not UTF-8")]
    NotText,
    /// The FEN is not valid, or not that of a legal position.
    #[error(transparent)]
    Fen(FenError),
    /// The position cannot use the requested castling notation.
    #[error(transparent)]
    Position(PositionError),
    /// A move is not legal, or is no move.
    #[error(transparent)]
    Move(Box<NotationError>),
    /// There are no counts to check.
    #[error("there are no counts: expected something like `;D1 20 ;D2 400`")]
    NoCounts,
    /// A block has a count before its position, or no position.
    #[error("there is no position for this line")]
    NoPosition,
    /// An operation does not begin with a name.
    #[error("expected a depth and a count, like `D1 20`")]
    Operation,
    /// A depth is missing, or greater than [`MAX_DEPTH`].
    #[error("expected a depth from 0 to {MAX_DEPTH}")]
    Depth,
    /// A count is missing, or greater than 2^128 - 1.
    #[error("expected a count: a whole number")]
    Count,
    /// A quoted text does not end.
    #[error("the quote does not end")]
    Quote,
    /// A depth has two different counts.
    #[error("depth {depth} has two different counts")]
    Twice {
        /// The depth.
        depth: u32,
    },
}

/// Reads a suite. A line with an error does not affect the other lines.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Suite {
    let mut reader = Reader::new(*options);
    for line in bytes.split(|&byte| byte == b'\n') {
        reader.line(line);
    }
    reader.finish()
}

/// Reads a suite line by line, for files that do not fit into memory.
///
/// ```
/// use tabiya_perft::suite::{ReadOptions, Reader};
///
/// let mut reader = Reader::new(ReadOptions::default());
/// reader.line(b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2");
/// assert_eq!(reader.take().cases.len(), 1);
/// reader.line(b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 two");
/// assert_eq!(reader.finish().errors[0].line, 2);
/// ```
#[derive(Debug)]
pub struct Reader {
    options: ReadOptions,
    /// The number of lines that have been read.
    lines: usize,
    suite: Suite,
    block: Option<Block>,
}

impl Reader {
    /// A reader before the first line.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, lines: 0, suite: Suite::default(), block: None }
    }

    /// Reads the next line, without the line feed at its end. A carriage return ends a line as well.
    pub fn line(&mut self, line: &[u8]) {
        let mark = if self.lines == 0 { &b"\xef\xbb\xbf"[..] } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.split(|&byte| byte == b'\r').for_each(|line| self.single_line(line));
    }

    fn single_line(&mut self, line: &[u8]) {
        self.lines += 1;
        let number = self.lines;
        match std::str::from_utf8(line) {
            Ok(text) => self.text(Line { number, text }),
            Err(error) => {
                let text = String::from_utf8_lossy(line).into_owned();
                let start = error.valid_up_to();
                let cause = LineErrorCause::NotText;
                let span = start..start;
                self.suite.errors.push(LineError { line: number, text, span, cause });
            }
        }
    }

    /// The cases and errors read since the last call, except those of a block that may not be
    /// complete.
    pub fn take(&mut self) -> Suite {
        let mut suite = std::mem::take(&mut self.suite);
        // An error of a block is found after errors of later lines.
        suite.errors.sort_by_key(|error| error.line);
        suite
    }

    /// The remaining cases and errors, at the end of the suite.
    pub fn finish(mut self) -> Suite {
        self.end_block();
        self.take()
    }
}

/// A line and its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// The place of a part in the line.
    fn span(self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn error(self, part: &str, cause: LineErrorCause) -> LineError {
        self.error_at(self.span(part), cause)
    }

    fn error_at(self, span: Range<usize>, cause: LineErrorCause) -> LineError {
        let text = self.text.trim_end().to_owned();
        let span = span.start.min(text.len())..span.end.min(text.len());
        LineError { line: self.number, text, span, cause }
    }

    /// The line without its comment and without white space at either end.
    fn content(self) -> &'a str {
        let text = self.text.trim();
        if text.starts_with(['#', ';']) || text.starts_with("//") {
            return "";
        }
        let (mut quoted, mut after_space) = (false, false);
        for (place, character) in text.char_indices() {
            let comment = character == '#' || text[place..].starts_with("//");
            if comment && after_space && !quoted {
                return text[..place].trim_end();
            }
            quoted ^= character == '"';
            after_space = character.is_whitespace() || character == ';';
        }
        text
    }
}

/// A block of which some lines have been read.
#[derive(Debug)]
struct Block {
    /// The error if the block is incomplete.
    incomplete: LineError,
    name: Option<String>,
    /// The line of the position, and the position itself unless it has an error.
    position: Option<(usize, Option<Position>)>,
    counts: Vec<(u32, u128)>,
    /// Has an error in a count been reported?
    has_count_error: bool,
}

impl Reader {
    fn text(&mut self, line: Line<'_>) {
        let content = line.content();
        let (word, rest) = split_word(content);
        let result = match &*word.to_ascii_lowercase() {
            "" => Ok(()),
            "id" => {
                self.end_block();
                let name = rest.trim_matches('"').to_owned();
                self.block = Some(Block::new(line, content, Some(name)));
                Ok(())
            }
            "epd" | "fen" => self.block_position(line, content, rest),
            "perft" => self.block_count(line, content, rest),
            _ => {
                self.end_block();
                self.whole_case(line, content)
            }
        };
        if let Err(error) = result {
            self.suite.errors.push(error);
        }
    }

    /// A position with its counts on one line.
    fn whole_case(&mut self, line: Line<'_>, content: &str) -> Result<(), LineError> {
        let parsed = self.parse(line, content)?;
        if parsed.counts.is_empty() {
            let end = line.span(content).end;
            return Err(line.error_at(end..end, LineErrorCause::NoCounts));
        }
        self.suite.cases.push(Case {
            line: line.number,
            name: parsed.name,
            position: parsed.position,
            counts: parsed.counts,
        });
        Ok(())
    }

    fn block_position(
        &mut self,
        line: Line<'_>,
        content: &str,
        rest: &str,
    ) -> Result<(), LineError> {
        if self.block.as_ref().is_some_and(|block| block.position.is_some()) {
            self.end_block();
        }
        let parsed = self.parse(line, rest);
        let block = self.block.get_or_insert_with(|| Block::new(line, content, None));
        block.incomplete = line.error(content, LineErrorCause::NoCounts);
        let position = parsed.as_ref().ok().map(|parsed| parsed.position.clone());
        block.position = Some((line.number, position));
        let parsed = parsed?;
        block.counts = parsed.counts;
        block.name = block.name.take().or(parsed.name);
        Ok(())
    }

    fn block_count(&mut self, line: Line<'_>, content: &str, rest: &str) -> Result<(), LineError> {
        let Some(block) = self.block.as_mut().filter(|block| block.position.is_some()) else {
            return Err(line.error(content, LineErrorCause::NoPosition));
        };
        let count = depth_and_count(line, rest)
            .and_then(|(depth, count, more)| match more.trim_matches([';', ' ', '\t']) {
                "" => Ok((depth, count)),
                more => Err(line.error(more, LineErrorCause::Operation)),
            })
            .and_then(|(depth, count)| insert(line, rest, &mut block.counts, depth, count));
        block.has_count_error |= count.is_err();
        count
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else { return };
        match block.position {
            None => self.suite.errors.push(block.incomplete),
            // The error has been reported already.
            Some((_, None)) => {}
            Some((_, Some(_))) if block.counts.is_empty() => {
                if !block.has_count_error {
                    self.suite.errors.push(block.incomplete);
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

    /// Reads a FEN and its operations.
    fn parse(&self, line: Line<'_>, text: &str) -> Result<ParsedLine, LineError> {
        if let (Some(quote), 1) = (text.rfind('"'), text.matches('"').count() % 2) {
            return Err(line.error(&text[quote..], LineErrorCause::Quote));
        }
        let mut parts = split_operations(text);
        let first = parts.next().unwrap_or_default();
        let (fen, rest) = split_fen(first);
        let position = Position::from_fen(fen).map_err(|error| {
            let start = line.span(fen).start;
            let Range { start: from, end } = error.span();
            line.error_at(start + from..start + end, LineErrorCause::Fen(error))
        })?;
        let position = if self.options.chess960 {
            position
                .with_castling_mode(CastlingMode::Chess960)
                .map_err(|error| line.error(fen, LineErrorCause::Position(error)))?
        } else {
            position
        };
        let (position, operation) = match split_word(rest) {
            (word, moves) if word.eq_ignore_ascii_case("moves") => {
                (play(line, position, moves)?, "")
            }
            _ => (position, rest),
        };
        let mut parsed = ParsedLine { position, name: None, counts: Vec::new() };
        for operation in std::iter::once(operation).chain(parts) {
            parsed.operation(line, operation.trim())?;
        }
        Ok(parsed)
    }
}

impl Block {
    fn new(line: Line<'_>, content: &str, name: Option<String>) -> Self {
        let incomplete = line.error(content, LineErrorCause::NoPosition);
        Self { incomplete, name, position: None, counts: Vec::new(), has_count_error: false }
    }
}

/// The position after some moves.
fn play(line: Line<'_>, start: Position, moves: &str) -> Result<Position, LineError> {
    moves.split_whitespace().try_fold(start, |position, text| match position.parse_move(text) {
        Ok(mv) => Ok(position.play(mv)),
        Err(error) => Err(line.error(text, LineErrorCause::Move(error.into()))),
    })
}

/// A FEN and its operations.
struct ParsedLine {
    position: Position,
    name: Option<String>,
    counts: Vec<(u32, u128)>,
}

impl ParsedLine {
    /// Reads one operation. Operations that concern neither names nor counts are skipped.
    fn operation(&mut self, line: Line<'_>, text: &str) -> Result<(), LineError> {
        let (name, operand) = split_word(text);
        match &*name.to_ascii_lowercase() {
            "" => return Ok(()),
            "id" => {
                self.name = Some(operand.trim_matches('"').to_owned());
                return Ok(());
            }
            "perft" => return self.counts(line, operand),
            _ => {}
        }
        let after_d = text.strip_prefix(['d', 'D']).unwrap_or_default();
        if after_d.trim_start().starts_with(|character: char| character.is_ascii_digit()) {
            return self.counts(line, after_d);
        }
        if name.starts_with(|character: char| character.is_ascii_alphabetic()) {
            return Ok(());
        }
        Err(line.error(name, LineErrorCause::Operation))
    }

    /// Reads a depth and a count, and possibly more pairs, each after another `D`.
    fn counts(&mut self, line: Line<'_>, mut text: &str) -> Result<(), LineError> {
        loop {
            let (depth, count, rest) = depth_and_count(line, text)?;
            insert(line, text, &mut self.counts, depth, count)?;
            let rest = rest.trim_start_matches([',', ' ', '\t']);
            if rest.is_empty() {
                return Ok(());
            }
            let Some(next) = rest.strip_prefix(['d', 'D']) else {
                return Err(line.error(rest, LineErrorCause::Operation));
            };
            text = next;
        }
    }
}

/// Inserts a count in order of depth. A suite may repeat the same count.
fn insert(
    line: Line<'_>,
    part: &str,
    counts: &mut Vec<(u32, u128)>,
    depth: u32,
    count: u128,
) -> Result<(), LineError> {
    match counts.binary_search_by_key(&depth, |&(depth, _)| depth) {
        Ok(place) if counts[place].1 == count => Ok(()),
        Ok(_) => Err(line.error(part.trim(), LineErrorCause::Twice { depth })),
        Err(place) => {
            counts.insert(place, (depth, count));
            Ok(())
        }
    }
}

/// Reads a depth and a count, separated by white space, `:` or `=`. Also returns the rest of the
/// text.
fn depth_and_count<'a>(line: Line<'_>, text: &'a str) -> Result<(u32, u128, &'a str), LineError> {
    let (digits, rest) = split_while(text.trim_start(), |character| character.is_ascii_digit());
    let depth = digits.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
    let depth = depth.ok_or_else(|| line.error(digits, LineErrorCause::Depth))?;
    let is_separator =
        |character: char| character.is_whitespace() || matches!(character, ':' | '=');
    let (gap, rest) = split_while(rest, is_separator);
    let (number, rest) =
        split_while(rest, |character| !character.is_whitespace() && character != ';');
    let digits: String = number
        .trim_end_matches(',')
        .chars()
        .filter(|&character| !matches!(character, ',' | '_'))
        .collect();
    // Rust's integer parser accepts a sign. Counts have none.
    let count =
        digits.starts_with(|character: char| character.is_ascii_digit()).then(|| digits.parse());
    match count {
        Some(Ok(count)) if !gap.is_empty() => Ok((depth, count, rest)),
        _ => Err(line.error(number, LineErrorCause::Count)),
    }
}

/// The parts between semicolons that are not in quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |character| {
        quoted ^= character == '"';
        character == ';' && !quoted
    })
}

/// Splits a text into the FEN at the beginning and the rest. A FEN has four words, and optionally
/// the halfmove clock and the fullmove number.
fn split_fen(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut rest = text;
    for word in 0..6 {
        let (next, after) = split_word(rest);
        let is_number = next.starts_with(|character: char| character.is_ascii_digit());
        if next.is_empty() || word >= 4 && !is_number {
            break;
        }
        rest = after;
    }
    let fen = text[..text.len() - rest.len()].trim_end();
    (fen, rest)
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = split_while(text.trim_start(), |character| !character.is_whitespace());
    (word, rest.trim_start())
}

fn split_while(text: &str, mut holds: impl FnMut(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|character| !holds(character)).unwrap_or(text.len()))
}
