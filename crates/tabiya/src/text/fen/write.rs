//! Writing FEN.

use core::fmt;

use super::{CastlingNotation, FenConvention, outermost_rook};
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

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

    fn write_rights(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, castling, .. } = &self.setup;
        if castling.is_empty() {
            return f.write_str("-");
        }
        for color in Color::ALL {
            // The king side first, which has the rooks with the larger numbers.
            for rook in castling.of(color).iter().rev() {
                let letter = CastlingSide::ALL
                    .into_iter()
                    .find(|&side| outermost_rook(board, color, side) == Some(rook))
                    .filter(|_| self.notation == CastlingNotation::XFen)
                    .map_or(rook.file().letter(), |side| match side {
                        CastlingSide::King => 'k',
                        CastlingSide::Queen => 'q',
                    });
                let upper = color == Color::White;
                let letter = if upper { letter.to_ascii_uppercase() } else { letter };
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl Position {
    /// The position as FEN in one of the [conventions](FenConvention) in use.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya::fen::FenConvention;
    /// assert_eq!(
    ///     Position::START.fen_in(FenConvention::SHREDDER).to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    /// );
    /// ```
    #[doc(alias("shredder_fen", "xfen", "epd"))]
    pub fn fen_in(&self, convention: FenConvention) -> Fen {
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
        let Setup { board, turn, en_passant, halfmove_clock, fullmove_number, .. } = &self.setup;
        write_board(board, f)?;
        write!(f, " {} ", turn.fen())?;
        self.write_rights(f)?;
        match en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        if self.counters {
            write!(f, " {halfmove_clock} {fullmove_number}")?;
        }
        Ok(())
    }
}

fn write_board(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let piece = board.piece_on(Square::new(file, rank));
            if let (Some(_), 1..) = (piece, empty) {
                write!(f, "{empty}")?;
                empty = 0;
            }
            match piece {
                Some(piece) => write!(f, "{piece}")?,
                None => empty += 1,
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank != Rank::First {
            f.write_str("/")?;
        }
    }
    Ok(())
}
