//! Visiting all slider methods.

use super::{
    Classical, Hyperbola, KoggeStone, Magic, MethodVisitor, Obstruction, Sliders, StepByStep,
};

/// Runs the visitor with every method that this CPU supports, the simplest first.
pub fn visit_methods<V: MethodVisitor>(visitor: &mut V) {
    StepByStep.enter(visitor);
    Classical.enter(visitor);
    KoggeStone.enter(visitor);
    Hyperbola.enter(visitor);
    Obstruction.enter(visitor);
    Magic.enter(visitor);
    #[cfg(target_arch = "x86_64")]
    if let Some(pshufb) = super::Pshufb::detect() {
        pshufb.enter(visitor);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = super::Pext::detect() {
        pext.enter(visitor);
    }
}
