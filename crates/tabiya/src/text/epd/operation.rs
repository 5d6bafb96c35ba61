//! The operations, with typed operands.

use core::ops::Range;

use super::text::Text;
use crate::moves::Move;
use crate::position::Position;
use crate::text::notation::NotationError;

/// An operation of EPD, borrowed from its line.
///
/// ```
/// use tabiya::epd::{Epd, Operation};
/// let epd = Epd::read("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; ce 512; D1 15; eco \"A00\";").unwrap();
/// let operations: Vec<_> = epd.operations().collect();
/// assert!(matches!(operations[0], Operation::BestMoves(_)));
/// assert_eq!(operations[1], Operation::Evaluation(512));
/// assert_eq!(operations[2], Operation::Perft { depth: 1, nodes: 15 });
/// assert!(matches!(operations[3], Operation::Other { opcode: "eco", .. }));
/// assert_eq!(operations[3].to_string(), "eco \"A00\";");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation<'a> {
    /// `bm`: the best moves.
    BestMoves(Moves<'a>),
    /// `am`: moves to avoid.
    AvoidMoves(Moves<'a>),
    /// `pv`: the principal variation, one move after the other.
    PrincipalVariation(Moves<'a>),
    /// `id`: the name of the position.
    Id(Text<'a>),
    /// `c0` to `c9`: a comment.
    Comment {
        /// The digit.
        number: u8,
        /// The comment.
        text: Text<'a>,
    },
    /// `ce`: the evaluation in hundredths of a pawn, for the side to move.
    Evaluation(i32),
    /// `acd`: the depth of an analysis, in plies.
    AnalysisDepth(u32),
    /// `acn`: the number of nodes of an analysis.
    AnalysisNodes(u64),
    /// `acs`: the seconds of an analysis.
    AnalysisSeconds(u64),
    /// `dm`: the number of moves to a forced checkmate.
    DirectMate(u32),
    /// `D1`, `D2` and so on: the leaf nodes of a perft.
    Perft {
        /// The depth.
        depth: u8,
        /// The number of leaf nodes.
        nodes: u128,
    },
    /// `hmvc`: the halfmove clock.
    HalfmoveClock(u16),
    /// `fmvn`: the fullmove number.
    FullmoveNumber(u16),
    /// Any other operation, kept as it is.
    Other {
        /// Its name.
        opcode: &'a str,
        /// Its operands.
        operands: Operands<'a>,
    },
}

impl<'a> Operation<'a> {
    /// The name of the operation: the letters before a number, such as `D` or `c`, or all of it.
    ///
    /// ```
    /// use tabiya::epd::Operation;
    /// assert_eq!(Operation::Perft { depth: 5, nodes: 4_865_609 }.opcode(), "D");
    /// assert_eq!(Operation::AnalysisDepth(12).opcode(), "acd");
    /// ```
    pub const fn opcode(&self) -> &'a str {
        match self {
            Self::BestMoves(_) => "bm",
            Self::AvoidMoves(_) => "am",
            Self::PrincipalVariation(_) => "pv",
            Self::Id(_) => "id",
            Self::Comment { .. } => "c",
            Self::Evaluation(_) => "ce",
            Self::AnalysisDepth(_) => "acd",
            Self::AnalysisNodes(_) => "acn",
            Self::AnalysisSeconds(_) => "acs",
            Self::DirectMate(_) => "dm",
            Self::Perft { .. } => "D",
            Self::HalfmoveClock(_) => "hmvc",
            Self::FullmoveNumber(_) => "fmvn",
            Self::Other { opcode, .. } => opcode,
        }
    }
}

/// The operands of an operation, in the order of the line.
///
/// ```
/// use tabiya::epd::{Epd, Operand, Operation, Text};
/// let epd = Epd::read(r#"4k3/8/8/8/8/8/8/4K3 w - - ref page 7 "a; b";"#).unwrap();
/// let Some(Operation::Other { operands, .. }) = epd.operations().next() else { panic!() };
/// let quoted = Operand::Quoted(Text::new("a; b"));
/// assert!(operands.iter().eq([Operand::Word("page"), Operand::Word("7"), quoted]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    text: &'a str,
    /// Their place in the line.
    start: usize,
}

/// One operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    /// A word without quotes.
    Word(&'a str),
    /// Text in quotes.
    Quoted(Text<'a>),
}

impl<'a> Operands<'a> {
    /// The operands in text that has passed [`end_of_operands`].
    pub(super) const fn new(text: &'a str, start: usize) -> Self {
        Self { text, start }
    }

    /// The operands one by one.
    pub fn iter(&self) -> impl Iterator<Item = Operand<'a>> + use<'a> {
        self.placed().map(|(operand, _)| operand)
    }

    /// The operands with their places in the line.
    pub(super) fn placed(&self) -> impl Iterator<Item = (Operand<'a>, Range<usize>)> + use<'a> {
        let Self { text, start } = *self;
        let mut at = 0;
        core::iter::from_fn(move || {
            at += text[at..].len() - text[at..].trim_start().len();
            let rest = &text[at..];
            let len = operand_len(rest)?;
            let place = start + at..start + at + len;
            at += len;
            let operand = match rest[..len].strip_prefix('"') {
                Some(quoted) => Operand::Quoted(Text::escaped(&quoted[..quoted.len() - 1])),
                None => Operand::Word(&rest[..len]),
            };
            Some((operand, place))
        })
    }

    /// The text of all operands, as written in the line.
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    pub(super) const fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// Two lists are equal if their operands are.
impl PartialEq for Operands<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Operands<'_> {}

/// The length of the operand at the start of the text; `None` if there is none, or if it is a
/// quoted text without an end.
fn operand_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if *bytes.first()? != b'"' {
        return Some(text.find(char::is_whitespace).unwrap_or(text.len()));
    }
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of the operands of an operation: a semicolon outside quotes, or the end of the line.
///
/// # Errors
/// The place of a quote without an end.
pub(super) fn end_of_operands(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut begins_word = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => return Ok(at),
            b'"' if begins_word => {
                at += operand_len(&text[at..]).ok_or(at)?;
                // As in the list of operands, a new one begins after the quote.
                begins_word = true;
                continue;
            }
            _ => {}
        }
        let letter = text[at..].chars().next().map_or(1, char::len_utf8);
        begins_word = text[at..at + letter].trim_start().is_empty();
        at += letter;
    }
    Ok(at)
}

/// The moves of `bm`, `am` or `pv`. They are read when they are resolved, because that needs the
/// position.
///
/// ```
/// use tabiya::epd::{Epd, Operation};
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh9 Kf3;";
/// let epd = Epd::read(line).unwrap();
/// let Some(Operation::BestMoves(moves)) = epd.operations().next() else { panic!() };
/// let mut moves = moves.resolve(epd.position());
/// assert_eq!(moves.next().unwrap().found.unwrap().to_string(), "e1g1");
/// assert_eq!(&line[moves.next().unwrap().span], "9");
/// let illegal = moves.next().unwrap();
/// assert_eq!((illegal.text, &line[illegal.span.clone()]), ("Kf3", "Kf3"));
/// assert_eq!(
///     illegal.found.unwrap_err().to_string(),
///     "Kf3 is not legal: a king on e1 cannot reach f3",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves<'a>(pub(super) Operands<'a>);

/// A move of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdMove<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its place in the line; if the text is wrong, the place of the error.
    pub span: Range<usize>,
    /// The move, or the reason why there is none.
    pub found: Result<Move, NotationError>,
}

impl<'a> Moves<'a> {
    /// The moves as text.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.placed().map(|(text, _)| text)
    }

    fn placed(&self) -> impl Iterator<Item = (&'a str, Range<usize>)> + use<'a> {
        let line = self.0;
        self.0.placed().map(move |(operand, place)| match operand {
            Operand::Word(text) => (text, place),
            // As written in the line, with the quotes.
            Operand::Quoted(_) => {
                (&line.text[place.start - line.start..place.end - line.start], place)
            }
        })
    }

    /// The moves, each played from this position. They may be in any notation.
    pub fn resolve<'p>(
        &self,
        position: &'p Position,
    ) -> impl Iterator<Item = EpdMove<'a>> + use<'p, 'a> {
        self.placed().map(move |(text, place)| EpdMove::new(position, text, place))
    }

    /// The moves, each played from the position after the previous one. The first wrong move is the
    /// last item.
    ///
    /// ```
    /// use tabiya::epd::{Epd, Operation};
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    /// let line = format!("{start} pv e4 e5 Nf3;");
    /// let epd = Epd::read(&line).unwrap();
    /// let Some(Operation::PrincipalVariation(pv)) = epd.operations().next() else { panic!() };
    /// let played = pv.play(epd.position()).map(|mv| mv.found.unwrap().to_string());
    /// assert_eq!(played.collect::<Vec<_>>(), ["e2e4", "e7e5", "g1f3"]);
    /// ```
    pub fn play(&self, position: &Position) -> impl Iterator<Item = EpdMove<'a>> + use<'a> {
        let mut current = Some(position.clone());
        self.placed().map_while(move |(text, place)| {
            let position = current.take()?;
            let next = EpdMove::new(&position, text, place);
            current = next.found.as_ref().ok().map(|&mv| position.play(mv));
            Some(next)
        })
    }
}

impl<'a> EpdMove<'a> {
    fn new(position: &Position, text: &'a str, place: Range<usize>) -> Self {
        let found = position.parse_move(text);
        let within = found.as_ref().err().map(|error| error.span());
        let span =
            within.map_or(place.clone(), |span| place.start + span.start..place.start + span.end);
        Self { text, span, found }
    }
}
