//! The kernel for siblings: the moves of the children of one node by category, eight children at a
//! time.
//!
//! - [`moves`]: the node and the moves to its children, which are made in the lanes;
//! - [`parent`]: the node in every lane;
//! - [`kernel`]: the children's moves, counted as sets;
//! - [`checks`]: those that check, and which of them are mates;
//! - [`found`]: the result.

mod checks;
mod found;
mod kernel;
mod moves;
mod parent;

pub(crate) use found::{Check, Found};
pub(crate) use kernel::Space;
pub(crate) use moves::Siblings;

use super::lanes::Lanes;
use crate::leaf::machine::Machine;

impl Siblings {
    /// Counts the moves of all siblings by category, with the vectors of the CPU.
    #[inline(always)]
    pub(crate) fn count<L: Lanes>(
        &mut self,
        machine: impl Machine,
        space: &mut Space,
        found: &mut Found,
    ) {
        machine.enter(
            #[inline(always)]
            || kernel::count::<L>(self, space, found),
        );
    }
}
