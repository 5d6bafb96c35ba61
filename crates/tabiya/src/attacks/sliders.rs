//! The trait that each method of finding slider attacks implements.

use crate::bitboard::Bitboard;
use crate::square::Square;

/// A way to find the attacks of bishops, rooks and queens.
///
/// In each direction, the attacks end with the first occupied square. They include that square,
/// even if the piece there has the slider's colour. It does not matter whether `occupied` contains
/// the slider's own square.
///
/// ```
/// use tabiya::attacks::{Magic, Sliders, StepByStep};
/// use tabiya::{Bitboard, Square};
/// let occupied = Square::D6.bitboard() | Square::F4.bitboard();
/// let attacked = Magic.rook(Square::D4, occupied);
/// assert_eq!(attacked, StepByStep.rook(Square::D4, occupied));
/// assert!(attacked.has(Square::D6) && !attacked.has(Square::D7));
/// ```
pub trait Sliders: Copy {
    /// The method's name, as benchmarks print it.
    const NAME: &'static str;

    /// The squares that a rook attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a bishop attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a queen attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// Runs the visitor with this method, in a function that is compiled for the CPU features that
    /// the method needs.
    ///
    /// Enter once for a long computation: testing the CPU for each look-up, or even one call for
    /// each look-up, costs more than the look-up itself.
    #[inline]
    fn enter<V: MethodVisitor>(self, visitor: &mut V) {
        visitor.visit(self);
    }
}

/// A computation for any slider method, like a closure that is generic over its argument.
///
/// Mark `visit` with `#[inline(always)]` if speed matters: [`Sliders::enter`] calls it from a
/// function that is compiled for the CPU features of the method, and only code that is inlined
/// there can use them without a call.
///
/// ```
/// use tabiya::attacks::{self, MethodVisitor, Sliders};
/// use tabiya::{Bitboard, Square};
///
/// struct Names(Vec<&'static str>);
///
/// impl MethodVisitor for Names {
///     fn visit<S: Sliders>(&mut self, sliders: S) {
///         assert_eq!(sliders.queen(Square::D4, Bitboard::EMPTY).len(), 27);
///         self.0.push(S::NAME);
///     }
/// }
///
/// let mut names = Names(Vec::new());
/// attacks::visit_methods(&mut names);
/// assert_eq!(names.0[..3], ["step-by-step", "classical", "kogge-stone"]);
/// ```
pub trait MethodVisitor {
    /// Runs the computation with a method.
    fn visit<S: Sliders>(&mut self, sliders: S);
}
