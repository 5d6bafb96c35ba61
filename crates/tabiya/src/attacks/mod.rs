//! The squares that each piece attacks.
//!
//! The attacks of leapers (king, knight, pawn) and lines are looked up in small tables. Slider
//! attacks depend on the occupied squares. Several methods find them, each a zero-sized type that
//! implements [`Sliders`]. All give the same results; [`DefaultSliders`] is the fastest that the
//! build may use.

mod classical;
mod hyperbola;
pub mod kogge_stone;
mod leapers;
mod lines;
mod magic;
mod magic_numbers;
mod methods;
mod obstruction;
#[cfg(target_arch = "x86_64")]
mod pext;
#[cfg(target_arch = "x86_64")]
mod pshufb;
pub mod relevant;
mod sliders;
mod step_by_step;
mod table;
mod zones;

pub use classical::Classical;
pub use hyperbola::{Hyperbola, first_rank};
pub use kogge_stone::KoggeStone;
pub use leapers::{king, knight, knights, pawn, pawns};
pub use lines::{between, line, ray, through};
pub use magic::{Magic, MagicEntry};
pub use methods::visit_methods;
pub use obstruction::Obstruction;
#[cfg(target_arch = "x86_64")]
pub use pext::Pext;
#[cfg(target_arch = "x86_64")]
pub use pshufb::Pshufb;
pub use sliders::{MethodVisitor, Sliders};
pub use step_by_step::StepByStep;
pub(crate) use zones::{BISHOP_ZONES, KNIGHT_ZONES, ROOK_ZONES};
pub use zones::{bishop_rays, rook_rays};

use crate::bitboard::Bitboard;
use crate::role::{Piece, Role};
use crate::square::Square;

/// The fastest method that the build may use: [`Pext`] if it is compiled for CPUs with BMI2,
/// [`Magic`] otherwise. In WebAssembly it is [`Obstruction`], because a page has to be downloaded
/// first, and the tables of [`Magic`] are larger than all the rest.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub type DefaultSliders = Pext;
/// The fastest method that needs no large table, which a page would have to download: the tables of
/// [`Magic`] are larger than all the rest.
#[cfg(target_family = "wasm")]
pub type DefaultSliders = Obstruction;
/// The fastest method that the build may use: `Pext` if it is compiled for CPUs with BMI2,
/// [`Magic`] otherwise. In WebAssembly it is [`Obstruction`], because a page has to be downloaded
/// first, and the tables of [`Magic`] are larger than all the rest.
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "bmi2"), target_family = "wasm")))]
pub type DefaultSliders = Magic;

/// The squares that a rook attacks, found with the default method.
///
/// ```
/// use tabiya::{attacks, Bitboard, Square};
/// assert_eq!(attacks::rook(Square::D4, Bitboard::EMPTY).len(), 14);
/// ```
#[doc(alias("rook_attacks", "get_rook_moves"))]
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    DefaultSliders::default().rook(square, occupied)
}

/// The squares that a bishop attacks, found with the default method.
#[doc(alias("bishop_attacks", "get_bishop_moves"))]
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    DefaultSliders::default().bishop(square, occupied)
}

/// The squares that a queen attacks, found with the default method.
#[doc(alias = "queen_attacks")]
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    DefaultSliders::default().queen(square, occupied)
}

/// The squares that a piece on `square` attacks if exactly the squares of `occupied` are occupied.
///
/// ```
/// use tabiya::{attacks::{self, DefaultSliders}, Bitboard, Color, Role, Square};
/// let attacked = |role: Role| {
///     attacks::piece(DefaultSliders::default(), role.of(Color::Black), Square::A8, Bitboard::EMPTY)
/// };
/// assert!(attacked(Role::Pawn).iter().eq([Square::B7]));
/// assert!(attacked(Role::Knight).iter().eq([Square::B6, Square::C7]));
/// ```
#[doc(alias = "attacks")]
#[inline(always)]
pub fn piece<S: Sliders>(sliders: S, piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn(piece.color, square),
        Role::Knight => knight(square),
        Role::Bishop => sliders.bishop(square, occupied),
        Role::Rook => sliders.rook(square, occupied),
        Role::Queen => sliders.queen(square, occupied),
        Role::King => king(square),
    }
}
