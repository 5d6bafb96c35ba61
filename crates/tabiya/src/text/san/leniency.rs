//! The ways in which a move with a clear meaning can differ from the standard.

use core::fmt;

macro_rules! leniencies {
    ($($(#[$doc:meta])* $variant:ident $name:literal $sentence:literal,)*) => {
        /// A way in which a move differs from standard algebraic notation as defined by the PGN
        /// standard. Reading accepts all of them, unless it is strict.
        ///
        /// `Display` writes it as a clause.
        ///
        /// ```
        /// use tabiya::{Position, san::Leniency};
        /// let (mv, leniencies) = Position::START.parse_san_reporting("Ngf3!").unwrap();
        /// assert_eq!(mv, Position::START.parse_uci("g1f3").unwrap());
        /// assert!(leniencies.iter().eq([Leniency::Annotation, Leniency::OriginNotNeeded]));
        /// assert_eq!(Leniency::OriginNotNeeded.name(), "origin-not-needed");
        /// assert_eq!(
        ///     Leniency::OriginNotNeeded.to_string(),
        ///     "the origin is given, but no other piece can go there",
        /// );
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Leniency {
            $($(#[$doc])* $variant,)*
        }

        impl Leniency {
            /// All of them. Those that can be found without a position come first.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name for programs, in lower case with hyphens.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl fmt::Display for Leniency {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $sentence,)*
                })
            }
        }
    };
}

leniencies! {
    /// There is white space before, after or inside the move.
    Spaces "spaces" "there is white space in the move",
    /// Castling is written with the digit 0, as in `0-0`.
    Zeros "zeros" "castling is written with zeros instead of the letter O",
    /// Castling is written with small letters, without hyphens or with other dashes, as in `o-o` or
    /// `OO`.
    CastlingForm "castling-form" "castling is not written O-O or O-O-O",
    /// A piece is written as a chess symbol, as in `♘f3`.
    Figurine "figurine" "the piece is written as a figurine",
    /// A piece is written with a small letter, as in `nf3`.
    PieceCase "piece-case" "the letter of the piece is not a capital",
    /// A pawn is written with a letter, as in `Pe4`.
    PawnLetter "pawn-letter" "a pawn has no letter",
    /// The capture is written with another sign, as in `e4:d5` or `NXf3`.
    CaptureSign "capture-sign" "the sign of a capture is x",
    /// There is a hyphen between the squares, as in `Ng1-f3`.
    Hyphen "hyphen" "there is a hyphen before the target",
    /// The promotion is not written with an equals sign, as in `e8Q` or `e8(Q)`.
    PromotionSign "promotion-sign" "the sign of a promotion is =",
    /// The promotion is written with a small letter, as in `e8=q`.
    PromotionCase "promotion-case" "the letter of the promotion is not a capital",
    /// There is a mark of en passant, as in `exd6 e.p.`.
    EnPassantMark "en-passant-mark" "en passant is not marked",
    /// Check or checkmate is written with other signs, as in `Qh5++`.
    MarkSign "mark-sign" "check is written + and checkmate #",
    /// There is an annotation, as in `Nf3!?`.
    Annotation "annotation" "an annotation does not belong to the move",
    /// There is a mark of en passant, but the move is not en passant.
    NotEnPassant "not-en-passant" "the move is not en passant",
    /// The origin is given although no other piece of its role can move to the target, as in `Ngf3`
    /// or `e2e4`, or it is given in full although a part is enough.
    OriginNotNeeded "origin-not-needed" "the origin is given, but no other piece can go there",
    /// The standard uses another part of the origin to distinguish the pieces, as in `N1d2` for
    /// `Nbd2`, or both file and rank are given where one is enough.
    OriginNotShortest "origin-not-shortest" "the origin is not written in its shortest form",
    /// The sign of a capture is missing, as in `Nf3` for `Nxf3`.
    MissingCapture "missing-capture" "the sign of a capture is missing",
    /// There is a sign of a capture, but nothing is captured.
    ExtraCapture "extra-capture" "the move is not a capture",
    /// The move gives check, and there is no sign.
    MissingCheck "missing-check" "the move gives check, but + is missing",
    /// The move is checkmate, and there is no sign.
    MissingCheckmate "missing-checkmate" "the move is checkmate, but # is missing",
    /// The move has the sign of check or checkmate and is neither.
    ExtraMark "extra-mark" "the move does not give check",
    /// The move has the sign of checkmate and gives only check.
    NotCheckmate "not-checkmate" "the move gives check, but is not checkmate",
    /// The move has the sign of check and is checkmate.
    CheckIsCheckmate "check-is-checkmate" "the move is checkmate, not only check",
}

/// A set of [leniencies](Leniency).
///
/// ```
/// use tabiya::san::{Leniencies, Leniency};
/// let mut found = Leniencies::NONE;
/// found.add(Leniency::Zeros);
/// assert!(found.has(Leniency::Zeros) && !found.has(Leniency::Spaces));
/// assert_eq!(found.to_string(), "castling is written with zeros instead of the letter O");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Leniencies(u32);

const _: () = assert!(Leniency::ALL.len() <= 32);

impl Leniencies {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Is the set empty? Then the text is exactly as the standard requires.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is this leniency in the set?
    #[inline]
    pub const fn has(self, leniency: Leniency) -> bool {
        self.0 >> leniency as u8 & 1 == 1
    }

    /// Adds a leniency.
    #[inline]
    pub const fn add(&mut self, leniency: Leniency) {
        self.0 |= 1 << leniency as u8;
    }

    /// The leniencies in the order of [`Leniency::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Leniency> {
        Leniency::ALL.iter().copied().filter(move |&leniency| self.has(leniency))
    }
}

/// Clauses, separated by semicolons; nothing for the empty set.
impl fmt::Display for Leniencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, leniency) in self.iter().enumerate() {
            write!(f, "{}{leniency}", if number == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Leniencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
