//! Writing EPD.

use core::fmt::{self, Write};

use super::operation::{Moves, Operand, Operands, Operation};
use super::read::Epd;
use super::text::Text;
use crate::moves::Move;
use crate::position::Position;
use crate::text::fen::{Fen, FenConvention};

/// Writes a line of EPD: the position, and then operation by operation.
///
/// ```
/// use tabiya::Position;
/// use tabiya::epd::{EpdWriter, Operation, Text};
/// let position = Position::START;
/// let best = [position.parse_san("e4").unwrap(), position.parse_san("Nf3").unwrap()];
/// let mut line = String::new();
/// let mut writer = EpdWriter::new(&mut line, &position)?;
/// writer.moves("bm", &best)?;
/// writer.operation(&Operation::Id(Text::new("the \"start\"")))?;
/// writer.operation(&Operation::AnalysisDepth(20))?;
/// assert_eq!(
///     line,
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - \
///      bm e4 Nf3; id \"the \\\"start\\\"\"; acd 20;",
/// );
/// # Ok::<(), core::fmt::Error>(())
/// ```
#[derive(Debug)]
pub struct EpdWriter<'a, W> {
    out: W,
    position: &'a Position,
}

impl<'a, W: Write> EpdWriter<'a, W> {
    /// Writes the four fields of the position.
    ///
    /// # Errors
    /// If the output returns an error.
    pub fn new(mut out: W, position: &'a Position) -> Result<Self, fmt::Error> {
        write!(out, "{}", position.epd())?;
        Ok(Self { out, position })
    }

    /// Writes an operation.
    ///
    /// # Errors
    /// If the output returns an error.
    pub fn operation(&mut self, operation: &Operation<'_>) -> fmt::Result {
        write!(self.out, " {operation}")
    }

    /// Writes legal moves of the position in standard algebraic notation, such as those of `bm` and
    /// `am`.
    ///
    /// # Errors
    /// If the output returns an error.
    pub fn moves(&mut self, opcode: &str, moves: &[Move]) -> fmt::Result {
        write!(self.out, " {opcode}")?;
        for &mv in moves {
            write!(self.out, " {}", self.position.san(mv))?;
        }
        self.out.write_char(';')
    }

    /// Writes moves that are played one after another, such as those of `pv`.
    ///
    /// # Errors
    /// If the output returns an error.
    ///
    /// ```
    /// use tabiya::{Position, epd::EpdWriter};
    /// let start = Position::START;
    /// let e4 = start.parse_san("e4").unwrap();
    /// let line = [e4, start.play(e4).parse_san("e5").unwrap()];
    /// let mut written = String::new();
    /// EpdWriter::new(&mut written, &start)?.line("pv", &line)?;
    /// assert!(written.ends_with(" - pv e4 e5;"));
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    pub fn line(&mut self, opcode: &str, moves: &[Move]) -> fmt::Result {
        write!(self.out, " {opcode}")?;
        let mut position = self.position.clone();
        for &mv in moves {
            write!(self.out, " {}", position.san(mv))?;
            position = position.play(mv);
        }
        self.out.write_char(';')
    }
}

impl Position {
    /// The four fields of EPD: FEN without its counters.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert_eq!(
    ///     Position::START.epd().to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    /// );
    /// ```
    pub fn epd(&self) -> Fen {
        self.fen_with(FenConvention::EPD)
    }
}

/// Writes the line with its operations. Counters that no operation gives are added as `hmvc` and
/// `fmvn`, unless they are those of a new game.
impl fmt::Display for Epd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        position.epd().fmt(f)?;
        let (mut has_clock, mut has_number) = (false, false);
        for operation in self.operations() {
            has_clock |= matches!(operation, Operation::HalfmoveClock(_));
            has_number |= matches!(operation, Operation::FullmoveNumber(_));
            write!(f, " {operation}")?;
        }
        if position.halfmove_clock() != 0 && !has_clock {
            write!(f, " {}", Operation::HalfmoveClock(position.halfmove_clock()))?;
        }
        if position.fullmove_number() != 1 && !has_number {
            write!(f, " {}", Operation::FullmoveNumber(position.fullmove_number()))?;
        }
        Ok(())
    }
}

/// Writes the operation with its semicolon.
impl fmt::Display for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode())?;
        match self {
            Self::BestMoves(Moves(operands))
            | Self::AvoidMoves(Moves(operands))
            | Self::PrincipalVariation(Moves(operands))
            | Self::Other { operands, .. } => write!(f, "{operands}")?,
            Self::Id(text) => write!(f, " {}", Quoted(text))?,
            Self::Comment { number, text } => write!(f, "{number} {}", Quoted(text))?,
            Self::Evaluation(value) => write!(f, " {value}")?,
            Self::AnalysisDepth(value) | Self::DirectMate(value) => write!(f, " {value}")?,
            Self::AnalysisNodes(value) | Self::AnalysisSeconds(value) => write!(f, " {value}")?,
            Self::Perft { depth, nodes } => write!(f, "{depth} {nodes}")?,
            Self::HalfmoveClock(value) | Self::FullmoveNumber(value) => write!(f, " {value}")?,
        }
        f.write_char(';')
    }
}

/// Writes a space before each operand.
impl fmt::Display for Operands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|operand| match operand {
            Operand::Word(word) => write!(f, " {word}"),
            Operand::Quoted(text) => write!(f, " {}", Quoted(&text)),
        })
    }
}

/// Text in quotes.
struct Quoted<'a>(&'a Text<'a>);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_quoted(f)
    }
}
