//! The conventions of FEN, which differ in the en-passant square, castling rights and counters.

/// The rule for writing the en-passant square in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EnPassantMode {
    /// After every double push, as in the PGN standard of 1994.
    Always,
    /// If a pawn can capture there, even if that leaves its king in check.
    PseudoLegal,
    /// If a capture there is legal.
    #[default]
    Legal,
}

/// The notation of castling rights in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CastlingNotation {
    /// `KQkq` for the outermost rooks, the file's letter for others.
    #[default]
    XFen,
    /// Always the letter of the rook's file.
    Shredder,
}

/// The convention for writing a position as FEN.
///
/// The conventions in use differ in three things. Each of them can be chosen on its own:
///
/// | | en-passant square | castling rights | counters |
/// | --- | --- | --- | --- |
/// | [`DEFAULT`](Self::DEFAULT) | legal | `KQkq`, the rooks' files where Chess960 needs them | yes |
/// | [`PGN`](Self::PGN), the standard of 1994 | always | `KQkq` | yes |
/// | [`X_FEN`](Self::X_FEN) | pseudo-legal | `KQkq`, files for inner rooks | yes |
/// | [`SHREDDER`](Self::SHREDDER) | legal | always the rooks' files | yes |
/// | [`EPD`](Self::EPD) | legal | as `DEFAULT` | no |
///
/// ```
/// use tabiya::Position;
/// use tabiya::fen::{EnPassantMode, FenConvention};
/// let position = Position::START.play(Position::START.parse_san("e4").unwrap());
/// let fen = |convention| position.fen_with(convention).to_string();
/// let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
/// assert_eq!(fen(FenConvention::DEFAULT), format!("{board} KQkq - 0 1"));
/// assert_eq!(fen(FenConvention::PGN), format!("{board} KQkq e3 0 1"));
/// assert_eq!(fen(FenConvention::X_FEN), format!("{board} KQkq - 0 1"));
/// assert_eq!(fen(FenConvention::SHREDDER), format!("{board} HAha - 0 1"));
/// assert_eq!(fen(FenConvention::EPD), format!("{board} KQkq -"));
/// let both = FenConvention { en_passant: EnPassantMode::Always, ..FenConvention::SHREDDER };
/// assert_eq!(fen(both), format!("{board} HAha e3 0 1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FenConvention {
    /// The rule for writing the en-passant square.
    pub en_passant: EnPassantMode,
    /// The notation of castling rights. `None`: as in X-FEN, but by the rooks' files if the
    /// position is one of Chess960 and would otherwise be read as one of standard chess.
    pub castling: Option<CastlingNotation>,
    /// Are the two counters written? EPD does not have them.
    pub counters: bool,
}

impl FenConvention {
    /// The convention of [`Position::fen`](crate::Position::fen).
    pub const DEFAULT: Self =
        Self { en_passant: EnPassantMode::Legal, castling: None, counters: true };

    /// The PGN standard of 1994: the en-passant square after every double push.
    pub const PGN: Self = Self {
        en_passant: EnPassantMode::Always,
        castling: Some(CastlingNotation::XFen),
        counters: true,
    };

    /// X-FEN: the en-passant square if a pawn stands beside the pushed one.
    pub const X_FEN: Self = Self { en_passant: EnPassantMode::PseudoLegal, ..Self::PGN };

    /// Shredder-FEN: castling rights as the rooks' files.
    pub const SHREDDER: Self = Self { castling: Some(CastlingNotation::Shredder), ..Self::DEFAULT };

    /// The four fields of EPD, without counters.
    pub const EPD: Self = Self { counters: false, ..Self::DEFAULT };
}

impl Default for FenConvention {
    fn default() -> Self {
        Self::DEFAULT
    }
}
