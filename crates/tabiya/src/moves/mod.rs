//! Moves in 16 bits, and lists of them.

mod list;

pub(crate) use list::MoveAppender;
pub use list::MoveList;

use core::cmp::Ordering;
use core::fmt;
use core::num::NonZeroU16;

use crate::castling::CastlingSide;
use crate::role::Role;
use crate::square::Square;

/// The kind of a move: quiet, capture, castling, promotion and so on.
///
/// The numbers are the top four bits of a [`Move`]: 8 means promotion, 4 means capture, and the low
/// two bits of a promotion give the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// None of the other kinds: a move to an empty square.
    Quiet = 0,
    /// A pawn's advance by two squares.
    DoublePush = 1,
    /// Castling on the king side.
    CastleKing = 2,
    /// Castling on the queen side.
    CastleQueen = 3,
    /// Capture of the piece on the target.
    Capture = 4,
    /// Capture of the pawn that has just crossed the target with a double push.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// Capture and promotion to a knight.
    CapturePromoteKnight = 12,
    /// Capture and promotion to a bishop.
    CapturePromoteBishop = 13,
    /// Capture and promotion to a rook.
    CapturePromoteRook = 14,
    /// Capture and promotion to a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// All fourteen kinds.
    pub const ALL: [Self; 14] = [
        Self::Quiet,
        Self::DoublePush,
        Self::CastleKing,
        Self::CastleQueen,
        Self::Capture,
        Self::EnPassant,
        Self::PromoteKnight,
        Self::PromoteBishop,
        Self::PromoteRook,
        Self::PromoteQueen,
        Self::CapturePromoteKnight,
        Self::CapturePromoteBishop,
        Self::CapturePromoteRook,
        Self::CapturePromoteQueen,
    ];

    /// Promotion to `role`, capturing or not; `None` for a pawn or a king.
    pub const fn promotion(role: Role, is_capture: bool) -> Option<Self> {
        Some(match (role, is_capture) {
            (Role::Knight, false) => Self::PromoteKnight,
            (Role::Bishop, false) => Self::PromoteBishop,
            (Role::Rook, false) => Self::PromoteRook,
            (Role::Queen, false) => Self::PromoteQueen,
            (Role::Knight, true) => Self::CapturePromoteKnight,
            (Role::Bishop, true) => Self::CapturePromoteBishop,
            (Role::Rook, true) => Self::CapturePromoteRook,
            (Role::Queen, true) => Self::CapturePromoteQueen,
            (Role::Pawn | Role::King, _) => return None,
        })
    }

    /// The name for programs, in lower case with hyphens.
    ///
    /// ```
    /// assert_eq!(tabiya::MoveKind::DoublePush.name(), "double-push");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::DoublePush => "double-push",
            Self::CastleKing => "castle-king",
            Self::CastleQueen => "castle-queen",
            Self::Capture => "capture",
            Self::EnPassant => "en-passant",
            Self::PromoteKnight => "promote-knight",
            Self::PromoteBishop => "promote-bishop",
            Self::PromoteRook => "promote-rook",
            Self::PromoteQueen => "promote-queen",
            Self::CapturePromoteKnight => "capture-promote-knight",
            Self::CapturePromoteBishop => "capture-promote-bishop",
            Self::CapturePromoteRook => "capture-promote-rook",
            Self::CapturePromoteQueen => "capture-promote-queen",
        }
    }

    /// Is it a capture, including en passant?
    pub const fn is_capture(self) -> bool {
        self as u8 & 4 != 0
    }

    /// Is it a promotion, capturing or not?
    pub const fn is_promotion(self) -> bool {
        self as u8 & 8 != 0
    }

    /// Castling on the given side.
    pub const fn castle(side: CastlingSide) -> Self {
        match side {
            CastlingSide::King => Self::CastleKing,
            CastlingSide::Queen => Self::CastleQueen,
        }
    }

    /// The role to which the pawn promotes, if it is a promotion.
    ///
    /// ```
    /// use tabiya::{MoveKind, Role};
    /// assert_eq!(MoveKind::CapturePromoteRook.promoted(), Some(Role::Rook));
    /// assert_eq!(MoveKind::EnPassant.promoted(), None);
    /// ```
    #[inline(always)]
    pub const fn promoted(self) -> Option<Role> {
        if self.is_promotion() { Some(Role::PROMOTIONS[(self as u8 & 3) as usize]) } else { None }
    }
}

/// A move: from, to and [`MoveKind`] in 16 bits.
///
/// The target of castling is the square on which the king lands, even in Chess960, where the king
/// may already stand on it. The text of a move can depend on the position: see
/// [`Position::uci`](crate::Position::uci).
///
/// ```
/// use tabiya::{Move, MoveKind, Role, Square};
/// let promotion = Move::new(Square::B7, Square::A8, MoveKind::CapturePromoteQueen);
/// assert!(promotion.is_capture());
/// assert_eq!(promotion.promotion(), Some(Role::Queen));
/// assert_eq!(promotion.to_string(), "b7a8q");
/// ```
///
/// `Option<Move>` has the same size, so tables and killers can store it directly:
///
/// ```
/// use tabiya::Move;
/// assert_eq!(size_of::<Move>(), 2);
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[doc(alias = "ChessMove")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(
    /// [`Move::bits`] XOR [`Move::MASK`].
    NonZeroU16,
);

impl Move {
    /// 6 in the place of the kind. No kind is 6, so a number of 16 bits XOR this mask is not zero
    /// if its kind is valid.
    const MASK: u16 = 6 << 12;

    /// Makes a move from its parts, without checking whether it is legal or makes sense.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        // SAFETY: no kind is 6, and the squares fill only the lower twelve bits. So the top four
        // bits, XOR 6, are not all zero.
        Self(unsafe { NonZeroU16::new_unchecked(bits ^ Self::MASK) })
    }

    /// The origin square.
    #[doc(alias("source", "get_source", "origin"))]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u8)
    }

    /// The target square; for castling, the square on which the king lands.
    #[doc(alias("dest", "get_dest", "target"))]
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u8)
    }

    /// The kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        // SAFETY: the top four bits are a `MoveKind`. The field is private, and only three
        // functions fill it: `new` takes the bits from a kind, `from_bits` refuses the two numbers
        // that are not kinds, and the callers of `from_masked` promise that the number was that of
        // a move.
        unsafe { core::mem::transmute::<u8, MoveKind>((self.bits() >> 12) as u8) }
    }

    /// Is the kind [`Quiet`](MoveKind::Quiet) or [`Capture`](MoveKind::Capture)?
    #[inline(always)]
    pub(crate) const fn is_plain(self) -> bool {
        self.bits() & 0xb000 == 0
    }

    /// Is it a capture, including en passant?
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() & 0x4000 != 0
    }

    /// Is it a promotion, capturing or not?
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.bits() & 0x8000 != 0
    }

    /// Is it a capture en passant?
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }

    /// The side on which the move castles, if it is castling.
    #[inline(always)]
    pub const fn castling(self) -> Option<CastlingSide> {
        // The two kinds differ in their lowest bit. One comparison is cheaper than two.
        const CASTLE: u16 = MoveKind::CastleKing as u16;
        if self.bits() >> 13 != CASTLE >> 1 {
            return None;
        }
        Some(match self.kind() {
            MoveKind::CastleKing => CastlingSide::King,
            _ => CastlingSide::Queen,
        })
    }

    /// The role to which the pawn promotes, if the move is a promotion.
    #[doc(alias = "get_promotion")]
    #[inline(always)]
    pub const fn promotion(self) -> Option<Role> {
        if self.is_promotion() {
            Some(Role::PROMOTIONS[(self.bits() >> 12 & 3) as usize])
        } else {
            None
        }
    }

    /// The 16 bits: the origin in the lowest six, the target in the next six, the kind in the top
    /// four. This is the form for files: it stays the same in all releases with the same minor
    /// version.
    #[doc(alias("pack", "to_u16"))]
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get() ^ Self::MASK
    }

    /// The number that stores the move.
    #[inline(always)]
    pub(crate) const fn to_masked(self) -> u16 {
        self.0.get()
    }

    /// The move stored as this number.
    ///
    /// # Safety
    /// The number is one that [`to_masked`](Self::to_masked) returned.
    #[inline(always)]
    pub(crate) const unsafe fn from_masked(masked: u16) -> Self {
        // SAFETY: by the contract of this function, the number is the field of a move, which is not
        // zero.
        Self(unsafe { NonZeroU16::new_unchecked(masked) })
    }

    /// The move with the given 16 bits, if the top four are a [`MoveKind`].
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Square};
    /// let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!(Move::from_bits(push.bits()), Some(push));
    /// assert_eq!(Move::from_bits(0x6000), None);
    /// ```
    #[doc(alias("unpack", "from_u16"))]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match bits >> 12 {
            6 | 7 => None,
            _ => match NonZeroU16::new(bits ^ Self::MASK) {
                Some(masked) => Some(Self(masked)),
                None => None,
            },
        }
    }
}

/// Moves in files.
impl Move {
    /// The move in two bytes: those of [`bits`](Self::bits), the higher one first. So the bytes are
    /// ordered like the moves.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Square};
    /// let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!(push.to_bytes(), [0x17, 0x0c]);
    /// ```
    #[doc(alias("pack", "serialize", "to_be_bytes"))]
    pub const fn to_bytes(self) -> [u8; 2] {
        self.bits().to_be_bytes()
    }

    /// The move with these two bytes, or `None` if the top four bits are not a [`MoveKind`], as in
    /// damaged data.
    ///
    /// Whether the move is legal depends on the position; see [`Position::try_play`].
    ///
    /// [`Position::try_play`]: crate::Position::try_play
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Square};
    /// let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!(Move::from_bytes([0x17, 0x0c]), Some(push));
    /// assert_eq!(Move::from_bytes([0x67, 0x0c]), None);
    /// ```
    #[doc(alias("unpack", "deserialize", "from_be_bytes"))]
    pub const fn from_bytes(bytes: [u8; 2]) -> Option<Self> {
        Self::from_bits(u16::from_be_bytes(bytes))
    }
}

/// Moves are ordered by their [bits](Move::bits).
impl Ord for Move {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.bits().cmp(&other.bits())
    }
}

impl PartialOrd for Move {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Displays the move as UCI writes it in standard chess: castling is the king's move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self} {:?})", self.kind())
    }
}
