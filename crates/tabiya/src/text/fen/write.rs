//! Writing FEN.

use core::fmt;
use core::ops::Deref;

use super::{CastlingNotation, FenConvention, outermost_rook};
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
use crate::position::Position;
use crate::role::Role;
use crate::setup::Setup;
use crate::square::Rank;

/// Displays a setup as FEN.
///
/// ```
/// use tabiya::{fen::CastlingNotation, Setup};
/// let fen = Setup::START.fen().castling(CastlingNotation::Shredder);
/// assert_eq!(fen.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
/// ```
#[derive(Clone, Debug)]
pub struct Fen {
    setup: Setup,
    notation: CastlingNotation,
    counters: bool,
}

impl Fen {
    /// Castling rights of Chess960 that would look like those of standard chess are written as the
    /// rooks' files.
    pub(crate) fn new(setup: Setup) -> Self {
        let ambiguous =
            setup.castling_mode == CastlingMode::Chess960 && setup.has_standard_castling();
        let notation = if ambiguous { CastlingNotation::Shredder } else { CastlingNotation::XFen };
        Self { setup, notation, counters: true }
    }

    /// Writes castling rights in the given notation.
    #[must_use]
    pub fn castling(self, notation: CastlingNotation) -> Self {
        Self { notation, ..self }
    }

    /// Leaves out the halfmove clock and the fullmove number, as EPD does.
    ///
    /// ```
    /// use tabiya::Setup;
    /// let fen = Setup::START.fen().without_counters();
    /// assert_eq!(fen.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    /// ```
    #[must_use]
    pub fn without_counters(self) -> Self {
        Self { counters: false, ..self }
    }

    /// The text, without a heap.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert!(Position::START.fen().text().as_str().ends_with(" w KQkq - 0 1"));
    /// ```
    pub fn text(&self) -> FenText {
        let Setup { board, turn, en_passant, halfmove_clock, fullmove_number, .. } = &self.setup;
        let mut text = FenText::new();
        text.push_board(board);
        text.push(b' ');
        text.push(turn.fen() as u8);
        text.push(b' ');
        self.push_rights(&mut text);
        text.push(b' ');
        match en_passant {
            Some(square) => {
                text.push(b'a' + square.file() as u8);
                text.push(b'1' + square.rank() as u8);
            }
            None => text.push(b'-'),
        }
        if self.counters {
            text.push(b' ');
            text.push_number(*halfmove_clock);
            text.push(b' ');
            text.push_number(*fullmove_number);
        }
        text
    }

    fn push_rights(&self, text: &mut FenText) {
        let Setup { board, castling, .. } = &self.setup;
        if castling.is_empty() {
            return text.push(b'-');
        }
        for color in Color::ALL {
            // The king side first, which has the rooks with the larger numbers.
            for rook in castling.of(color).iter().rev() {
                let letter = CastlingSide::ALL
                    .into_iter()
                    .filter(|_| self.notation == CastlingNotation::XFen)
                    .find(|&side| outermost_rook(board, color, side) == Some(rook))
                    .map_or(rook.file().letter(), |side| match side {
                        CastlingSide::King => 'k',
                        CastlingSide::Queen => 'q',
                    });
                let upper = color == Color::White;
                let letter = if upper { letter.to_ascii_uppercase() } else { letter };
                text.push(letter as u8);
            }
        }
    }
}

/// A FEN in a fixed-size buffer, without a heap. It dereferences to a `str`.
///
/// ```
/// use tabiya::Position;
/// let text = Position::START.fen().text();
/// assert_eq!(text.split(' ').nth(1), Some("w"));
/// assert_eq!(text.as_bytes().len(), 56);
/// ```
#[derive(Clone, Copy)]
pub struct FenText {
    len: u8,
    bytes: [u8; Self::CAPACITY],
}

impl FenText {
    /// 64 squares, 7 slashes, the side to move, 16 rights at most, a square, two numbers of five
    /// digits, and 5 spaces.
    const CAPACITY: usize = 64 + 7 + 1 + 16 + 2 + 10 + 5;

    const fn new() -> Self {
        Self { len: 0, bytes: [0; Self::CAPACITY] }
    }

    #[inline(always)]
    const fn push(&mut self, byte: u8) {
        self.bytes[self.len as usize] = byte;
        self.len += 1;
    }

    fn push_number(&mut self, number: u16) {
        let mut unit = 10_000;
        while unit > 1 && number < unit {
            unit /= 10;
        }
        while unit > 0 {
            self.push(b'0' + (number / unit % 10) as u8);
            unit /= 10;
        }
    }

    fn push_board(&mut self, board: &Board) {
        // The letters of all squares, found piece by piece.
        let mut letters = [0; 64];
        for color in Color::ALL {
            for role in Role::ALL {
                let letter = role.of(color).fen() as u8;
                for square in board.pieces(color, role) {
                    letters[square as usize] = letter;
                }
            }
        }
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for &letter in &letters[8 * rank as usize..][..8] {
                if letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    self.push(b'0' + empty);
                    empty = 0;
                }
                self.push(letter);
            }
            if empty > 0 {
                self.push(b'0' + empty);
            }
            if rank != Rank::First {
                self.push(b'/');
            }
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).expect("a FEN is ASCII")
    }

    /// The text as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

impl Deref for FenText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for FenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for FenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Position {
    /// The position as FEN. Print it or call `to_string()`.
    #[doc(alias("to_fen", "to_string", "epd", "from_position"))]
    pub fn fen(&self) -> Fen {
        Fen::new(self.to_setup())
    }

    /// The position as FEN in one of the [conventions](FenConvention) in use.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya::fen::FenConvention;
    /// assert_eq!(
    ///     Position::START.fen_with(FenConvention::SHREDDER).to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    /// );
    /// ```
    #[doc(alias("shredder_fen", "xfen", "epd"))]
    pub fn fen_with(&self, convention: FenConvention) -> Fen {
        let fen = Fen::new(self.to_setup_with(convention.en_passant));
        let notation = convention.castling.unwrap_or(fen.notation);
        Fen { notation, counters: convention.counters, ..fen }
    }
}

impl Setup {
    /// The setup as FEN. Format it or call `to_string()`.
    pub fn fen(&self) -> Fen {
        Fen::new(self.clone())
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}
