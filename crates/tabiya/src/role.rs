//! Pieces: [`Role`] without a colour, [`Piece`] with one.

use core::fmt;

use crate::color::Color;

/// The type of a piece, without its colour.
///
/// ```
/// use tabiya::{Color, Role};
/// assert_eq!(Role::from_letter('N'), Some(Role::Knight));
/// assert_eq!(Role::Queen.of(Color::Black).fen(), 'q');
/// ```
#[doc(alias("PieceType", "PieceKind", "Piece"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Role {
    /// All six, in ascending value.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The roles to which a pawn can promote.
    pub const PROMOTIONS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The lower-case English letter: `p n b r q k`.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The role of an English letter, in upper or lower case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }

    /// The piece of this role and the given colour.
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }

    /// The English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece: its colour and its role.
///
/// ```
/// use tabiya::{Color, Piece, Role};
/// let knight = Piece::from_fen('n').unwrap();
/// assert_eq!(knight, Piece { color: Color::Black, role: Role::Knight });
/// assert_eq!(knight.to_string(), "n");
/// assert_eq!(knight.unicode(), '♞');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Its role.
    pub role: Role,
}

impl Piece {
    /// The letter that FEN uses: upper case for White.
    pub const fn fen(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// The piece of a FEN letter.
    pub const fn from_fen(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(role.of(color)),
            None => None,
        }
    }

    /// The chess symbol of Unicode.
    pub const fn unicode(self) -> char {
        const SYMBOLS: [[char; 6]; 2] =
            [['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']];
        SYMBOLS[self.color as usize][self.role as usize]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fen())
    }
}
