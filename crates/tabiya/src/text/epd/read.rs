//! Reading EPD.

use core::ops::Range;
use core::str::FromStr;

use super::error::{EpdCause, EpdError};
use super::operation::{Moves, Operand, Operands, Operation, end_of_operands};
use super::text::Text;
use crate::position::Position;
use crate::text::fen::EnPassantMode;

/// A line of EPD: a position with operations. It borrows from the line.
///
/// ```
/// use tabiya::epd::{Epd, Operation};
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"castle\"; hmvc 7;";
/// let epd = Epd::read(line).unwrap();
/// assert_eq!(epd.position().halfmove_clock(), 7);
/// assert_eq!(epd.operations().count(), 3);
/// assert_eq!(epd.id().unwrap(), *"castle");
/// assert_eq!(epd.to_string(), line);
/// ```
#[doc(alias("test suite", "bm", "extended position description"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd<'a> {
    position: Position,
    operations: Operations<'a>,
}

impl<'a> Epd<'a> {
    /// Reads a line. After the four fields of the position, the two counters of FEN may follow, as
    /// in suites of perft counts. The semicolon after the last operation may be missing, and there
    /// may be empty operations: `FEN ;D1 20 ;D2 400`.
    ///
    /// Moves are only read when they are [resolved](super::Moves::resolve).
    ///
    /// # Errors
    /// [`EpdError`] gives the error and its place.
    ///
    /// ```
    /// use tabiya::epd::Epd;
    /// let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400";
    /// assert_eq!(Epd::read(line).unwrap().operations().count(), 2);
    /// let line = "4k3/8/8/8/8/8/8/4K3 w - - id \"no end;";
    /// assert_eq!(Epd::read(line).unwrap_err().span(), 29..37);
    /// ```
    pub fn read(line: &'a str) -> Result<Self, EpdError> {
        let end = end_of_position(line);
        let mut position = Position::from_fen(&line[..end])
            .map_err(|error| EpdError::new(error.span(), EpdCause::Position(error)))?;
        let operations = Operations { line, at: end };
        let (mut clock, mut number) = (None, None);
        let mut rest = operations.clone();
        while let Some(operation) = rest.read()? {
            match operation {
                Operation::HalfmoveClock(plies) => clock = Some(plies),
                Operation::FullmoveNumber(moves) => number = Some(moves),
                _ => {}
            }
        }
        if clock.is_some() || number.is_some() {
            let mut setup = position.to_setup_with(EnPassantMode::Always);
            setup.halfmove_clock = clock.unwrap_or(setup.halfmove_clock);
            setup.fullmove_number = number.unwrap_or(setup.fullmove_number).max(1);
            position = Position::from_setup(&setup).expect("counters are always playable");
        }
        Ok(Self { position, operations })
    }

    /// The position. The operations `hmvc` and `fmvn` give its counters.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The operations, in the order of the line.
    pub fn operations(&self) -> Operations<'a> {
        self.operations.clone()
    }

    /// The best moves (`bm`), if the line gives them.
    ///
    /// ```
    /// use tabiya::epd::Epd;
    /// let epd = Epd::read("4k3/8/8/8/8/8/8/4K2R w K - bm Rh8 O-O;").unwrap();
    /// assert!(epd.best_moves().unwrap().texts().eq(["Rh8", "O-O"]));
    /// ```
    pub fn best_moves(&self) -> Option<Moves<'a>> {
        self.operations().find_map(|operation| match operation {
            Operation::BestMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// The moves to avoid (`am`), if the line gives them.
    pub fn avoid_moves(&self) -> Option<Moves<'a>> {
        self.operations().find_map(|operation| match operation {
            Operation::AvoidMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// The name of the position (`id`), if the line gives one.
    pub fn id(&self) -> Option<Text<'a>> {
        self.operations().find_map(|operation| match operation {
            Operation::Id(text) => Some(text),
            _ => None,
        })
    }
}

/// The end of the fields of the position: after four words, or after six if the last two are
/// numbers.
fn end_of_position(line: &str) -> usize {
    let mut ends = [0; 6];
    let mut words = 0;
    let mut at = 0;
    for (end, word) in ends.iter_mut().zip(line.split_ascii_whitespace()) {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if words >= 4 && !is_number {
            break;
        }
        at = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        *end = at;
        words += 1;
    }
    // A single number is not a counter.
    if words == 5 { ends[3] } else { at }
}

/// Iterator over the operations of a line.
#[derive(Clone, Debug)]
pub struct Operations<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Iterator for Operations<'a> {
    type Item = Operation<'a>;

    fn next(&mut self) -> Option<Operation<'a>> {
        // The line has been read once, so there is no error.
        self.read().ok().flatten()
    }
}

/// Two lists are equal if their operations are.
impl PartialEq for Operations<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.clone().eq(other.clone())
    }
}

impl Eq for Operations<'_> {}

impl<'a> Operations<'a> {
    /// Reads the next operation.
    fn read(&mut self) -> Result<Option<Operation<'a>>, EpdError> {
        let is_separator = |letter: char| letter == ';' || letter.is_whitespace();
        let rest = self.line[self.at..].trim_start_matches(is_separator);
        let start = self.line.len() - rest.len();
        if rest.is_empty() {
            self.at = start;
            return Ok(None);
        }
        let name_end = rest.find(is_separator).unwrap_or(rest.len());
        let (opcode, after) = rest.split_at(name_end);
        if !opcode.starts_with(|letter: char| letter.is_ascii_alphabetic()) || opcode.contains('"')
        {
            return Err(EpdError::new(start..start + name_end, EpdCause::Opcode));
        }
        let length = end_of_operands(after).map_err(|quote| {
            EpdError::new(start + name_end + quote..self.line.len(), EpdCause::Unclosed)
        })?;
        self.at = start + name_end + length;
        let operands = &after[..length];
        let first = start + name_end + operands.len() - operands.trim_start().len();
        let operands = Operands::new(operands.trim(), first);
        typed(opcode, operands).map(Some)
    }
}

/// The operation with this name, with its operands read as their types.
fn typed<'a>(opcode: &'a str, operands: Operands<'a>) -> Result<Operation<'a>, EpdError> {
    let digits = |prefix: &str| {
        let digits = opcode.strip_prefix(prefix)?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u8>().ok().filter(|_| is_number)
    };
    Ok(match opcode {
        "bm" => Operation::BestMoves(moves(operands)?),
        "am" => Operation::AvoidMoves(moves(operands)?),
        "pv" => Operation::PrincipalVariation(Moves(operands)),
        "id" => Operation::Id(text(operands)?),
        "ce" => Operation::Evaluation(number(operands)?),
        "acd" => Operation::AnalysisDepth(number(operands)?),
        "acn" => Operation::AnalysisNodes(number(operands)?),
        "acs" => Operation::AnalysisSeconds(number(operands)?),
        "dm" => Operation::DirectMate(number(operands)?),
        "hmvc" => Operation::HalfmoveClock(number(operands)?),
        "fmvn" => Operation::FullmoveNumber(number(operands)?),
        _ => match (digits("c"), digits("D")) {
            (Some(number), _) if opcode.len() == 2 => {
                Operation::Comment { number, text: text(operands)? }
            }
            // `D01` would not be written back unchanged.
            (_, Some(depth)) if !opcode.starts_with("D0") || depth == 0 && opcode.len() == 2 => {
                Operation::Perft { depth, nodes: number(operands)? }
            }
            _ => Operation::Other { opcode, operands },
        },
    })
}

fn missing(operands: Operands<'_>) -> EpdError {
    EpdError::new(operands.span(), EpdCause::NoOperand)
}

fn moves(operands: Operands<'_>) -> Result<Moves<'_>, EpdError> {
    if operands.as_str().is_empty() { Err(missing(operands)) } else { Ok(Moves(operands)) }
}

/// A quoted text, or everything up to the semicolon.
fn text(operands: Operands<'_>) -> Result<Text<'_>, EpdError> {
    let mut list = operands.placed();
    match (list.next(), list.next()) {
        (None, _) => Err(missing(operands)),
        (Some((Operand::Quoted(text), _)), None) => Ok(text),
        (Some((Operand::Quoted(_), _)), Some((_, place))) => {
            Err(EpdError::new(place, EpdCause::SecondOperand))
        }
        (Some((Operand::Word(_), _)), _) => Ok(Text::new(operands.as_str())),
    }
}

fn number<T: FromStr>(operands: Operands<'_>) -> Result<T, EpdError> {
    let mut list = operands.placed();
    let Some((operand, place)) = list.next() else { return Err(missing(operands)) };
    let wrong = |place: Range<usize>, cause| Err(EpdError::new(place, cause));
    if let Some((_, place)) = list.next() {
        return wrong(place, EpdCause::SecondOperand);
    }
    let value = match operand {
        Operand::Word(word) => word.parse().ok(),
        // Some programs write numbers in quotes.
        Operand::Quoted(text) => text.as_str().and_then(|word| word.parse().ok()),
    };
    value.map_or_else(|| wrong(place, EpdCause::NotANumber), Ok)
}
