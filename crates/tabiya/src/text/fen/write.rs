//! Writing FEN.

use core::fmt;

use super::{CastlingNotation, outermost_rook};
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingSide};
use crate::color::Color;
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
}

impl Fen {
    /// Castling rights of Chess960 that would look like those of standard chess are written as the
    /// rooks' files.
    pub(crate) fn new(setup: Setup) -> Self {
        let ambiguous =
            setup.castling_mode == CastlingMode::Chess960 && setup.has_standard_castling();
        let notation = if ambiguous { CastlingNotation::Shredder } else { CastlingNotation::XFen };
        Self { setup, notation }
    }

    /// Writes castling rights in the given notation.
    #[must_use]
    pub fn castling(self, notation: CastlingNotation) -> Self {
        Self { notation, ..self }
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
        write!(f, " {halfmove_clock} {fullmove_number}")
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
