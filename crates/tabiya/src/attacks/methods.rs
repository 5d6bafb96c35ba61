//! Visiting all slider methods.

use super::{
    Classical, Hyperbola, KoggeStone, Magic, MethodVisitor, Obstruction, Sliders, StepByStep,
};
#[cfg(target_arch = "x86_64")]
use super::{
    HyperbolaAvx2, HyperbolaAvx512, KoggeStoneAvx2, KoggeStoneAvx512, ObstructionAvx512, Pext,
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
