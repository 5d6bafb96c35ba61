//! UCI, standard and long algebraic notation as one family.

use core::fmt;
use core::ops::{Deref, Range};
use core::str::FromStr;

use super::san::SanError;
use super::uci::UciMove;
use crate::explain::UciError;
use crate::moves::Move;
use crate::position::Position;
use crate::setup::Setup;
use crate::square::Square;

/// A notation for moves.
///
/// ```
/// use tabiya::{Notation, Position};
/// let mv = Position::START.parse_move("g1f3").unwrap();
/// let written = Notation::ALL.map(|notation| Position::START.move_text(mv, notation).to_string());
/// assert_eq!(written, ["g1f3", "Nf3", "Ng1-f3"]);
/// assert_eq!("san".parse(), Ok(Notation::San));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `g1f3`, with castling in the notation of the position's [mode](Position::castling_mode).
    #[default]
    Uci,
    /// Standard algebraic notation: `Nf3`.
    San,
    /// Long algebraic notation: `Ng1-f3`.
    Lan,
}

impl Notation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Uci, Self::San, Self::Lan];

    /// The name for programs: `uci`, `san` or `lan`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::San => "san",
            Self::Lan => "lan",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a string that is not the name of a [`Notation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationNameError;

impl fmt::Display for NotationNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the notations are uci, san and lan")
    }
}

impl core::error::Error for NotationNameError {}

impl FromStr for Notation {
    type Err = NotationNameError;

    fn from_str(name: &str) -> Result<Self, NotationNameError> {
        Self::ALL.into_iter().find(|notation| notation.name() == name).ok_or(NotationNameError)
    }
}

/// The text of a move in a fixed-size buffer, without a heap. It dereferences to a `str`.
///
/// ```
/// use tabiya::Position;
/// let mv = Position::START.parse_uci("g1f3").unwrap();
/// let text = Position::START.san(mv).text();
/// assert_eq!(text.as_str(), "Nf3");
/// assert!(text.starts_with('N'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveText {
    len: u8,
    bytes: [u8; Self::CAPACITY],
}

impl MoveText {
    /// The longest have eleven bytes: `exd8=Q#` and `Qa1xb2+` in figurines.
    const CAPACITY: usize = 15;

    pub(super) const fn new() -> Self {
        Self { len: 0, bytes: [0; Self::CAPACITY] }
    }

    #[inline(always)]
    pub(super) const fn push(&mut self, byte: u8) {
        self.bytes[self.len as usize] = byte;
        self.len += 1;
    }

    pub(super) fn push_char(&mut self, letter: char) {
        for &byte in letter.encode_utf8(&mut [0; 4]).as_bytes() {
            self.push(byte);
        }
    }

    #[inline(always)]
    pub(super) const fn push_square(&mut self, square: Square) {
        self.push(b'a' + square.file() as u8);
        self.push(b'1' + square.rank() as u8);
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).expect("only whole characters are written")
    }

    /// The text as bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl UciMove {
    /// The text, without a heap.
    ///
    /// ```
    /// use tabiya::UciMove;
    /// let mv: UciMove = "e7e8q".parse().unwrap();
    /// assert_eq!(mv.text().as_bytes(), b"e7e8q");
    /// ```
    pub fn text(&self) -> MoveText {
        let mut text = MoveText::new();
        text.push_square(self.from);
        text.push_square(self.to);
        if let Some(role) = self.promotion {
            text.push(role.letter() as u8);
        }
        text
    }
}

/// The error for a string that is not a legal move in any notation.
///
/// ```
/// use tabiya::{NotationError, Position};
/// let error = Position::START.parse_move("e2e5").unwrap_err();
/// assert!(matches!(error, NotationError::Uci(_)));
/// assert_eq!(error.to_string(), "e2e5 is not legal: a pawn on e2 cannot reach e5");
/// let error = Position::START.parse_move("Nf4").unwrap_err();
/// assert_eq!(error.to_string(), "Nf4 is not legal: a knight on b1 cannot reach f4; a knight on \
///     g1 cannot reach f4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "both have nearly the same size")]
pub enum NotationError {
    /// The text looks like UCI.
    Uci(UciError),
    /// The text looks like standard or long algebraic notation, or like neither.
    San(SanError),
    /// It is UCI's null move, `0000`, which is not a legal move.
    Null {
        /// The length of the text, in bytes.
        len: usize,
    },
}

impl NotationError {
    /// The place of the error in the text, in bytes. If the move is not legal, this is the whole
    /// text.
    pub const fn span(&self) -> Range<usize> {
        match self {
            Self::Uci(error) => error.span(),
            Self::San(error) => error.span(),
            Self::Null { len } => 0..*len,
        }
    }

    /// Is the text wrong in every position?
    pub const fn is_about_text(&self) -> bool {
        match self {
            Self::Uci(UciError::Text(_)) => true,
            Self::Uci(UciError::Illegal { .. }) | Self::Null { .. } => false,
            Self::San(error) => error.is_about_text(),
        }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci(error) => error.fmt(f),
            Self::San(error) => error.fmt(f),
            Self::Null { .. } => f.write_str("a null move is not a legal move"),
        }
    }
}

impl core::error::Error for NotationError {}

/// Moves in any notation.
impl Position {
    /// Reads a legal move in any notation: UCI with castling in either mode, standard or long
    /// algebraic notation, each as leniently as [`parse_uci`](Self::parse_uci) and
    /// [`parse_san`](Self::parse_san).
    ///
    /// # Errors
    /// [`NotationError`] gives the error in the text, or the reasons why the move is not legal.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// for text in ["e1g1", "e1h1", "E1-G1", "O-O", "0-0"] {
    ///     assert_eq!(position.parse_move(text).unwrap().to_string(), "e1g1");
    /// }
    /// for text in ["a1a8", "Ra8", "Ra1-a8+", "Ra8+!"] {
    ///     assert_eq!(position.parse_move(text).unwrap().to_string(), "a1a8");
    /// }
    /// ```
    #[doc(alias("push_san", "from_san", "from_uci"))]
    pub fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        if text.trim() == "0000" {
            return Err(NotationError::Null { len: text.len() });
        }
        // `B1c3` is a bishop's move, although UCI in capital letters would be a knight's.
        if text.parse::<UciMove>().is_err() {
            match self.parse_san(text) {
                Ok(mv) => return Ok(mv),
                Err(error) if !is_uci(text) => return Err(NotationError::San(error)),
                Err(_) => {}
            }
        }
        self.parse_uci(text).map_err(NotationError::Uci)
    }

    /// A legal move in a notation, without a heap.
    ///
    /// ```
    /// use tabiya::{Notation, Position};
    /// let mv = Position::START.parse_move("e4").unwrap();
    /// assert_eq!(Position::START.move_text(mv, Notation::Lan).as_str(), "e2-e4");
    /// ```
    pub fn move_text(&self, mv: Move, notation: Notation) -> MoveText {
        match notation {
            Notation::Uci => self.uci(mv).text(),
            Notation::San => self.san(mv).text(),
            Notation::Lan => self.lan(mv).text(),
        }
    }
}

/// Moves of any board in any notation.
impl Setup {
    /// A pseudo-legal move in a notation, without a heap.
    ///
    /// ```
    /// use tabiya::{MoveList, Notation, Setup};
    /// let setup = Setup::from_fen("8/8/8/8/8/8/8/7N w - - 0 1").unwrap();
    /// let mv = MoveList::of_setup(&setup).unwrap()[0];
    /// assert_eq!(setup.move_text(mv, Notation::San).as_str(), "Nf2");
    /// ```
    pub fn move_text(&self, mv: Move, notation: Notation) -> MoveText {
        match notation {
            Notation::Uci => self.uci(mv).text(),
            Notation::San => self.san(mv).text(),
            Notation::Lan => self.lan(mv).text(),
        }
    }
}

/// Is the text UCI, or does it begin with two squares, as UCI does?
fn is_uci(text: &str) -> bool {
    let is_square = |part: Option<&str>| part.is_some_and(|part| part.parse::<Square>().is_ok());
    is_square(text.get(0..2)) && is_square(text.get(2..4)) || UciMove::parse_lenient(text).is_ok()
}
