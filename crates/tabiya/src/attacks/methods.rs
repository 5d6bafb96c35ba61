//! Visiting all slider methods.

use super::{Classical, Hyperbola, KoggeStone, Magic, Obstruction, Sliders, StepByStep};
#[cfg(target_arch = "x86_64")]
use super::{
    HyperbolaAvx2, HyperbolaAvx512, KoggeStoneAvx2, KoggeStoneAvx512, ObstructionAvx512, Pext,
};

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

/// Runs the visitor with every method that this CPU supports, the simplest first.
pub fn visit_methods<V: MethodVisitor>(visitor: &mut V) {
    StepByStep.enter(visitor);
    Classical.enter(visitor);
    KoggeStone.enter(visitor);
    Hyperbola.enter(visitor);
    Obstruction.enter(visitor);
    Magic.enter(visitor);
    #[cfg(target_arch = "x86_64")]
    {
        /// Enters the methods whose instructions the CPU has.
        macro_rules! enter_detected {
            ($($method:ident)+) => {$(
                if let Some(method) = $method::detect() {
                    method.enter(visitor);
                }
            )+};
        }
        enter_detected!(KoggeStoneAvx2 KoggeStoneAvx512 HyperbolaAvx2 HyperbolaAvx512);
        enter_detected!(ObstructionAvx512 Pext);
    }
}
