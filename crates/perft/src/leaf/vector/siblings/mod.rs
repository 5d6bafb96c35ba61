//! The kernel for siblings: the moves of the children of one node by category, eight children at a time.
//!
//! - [`moves`]: the node and the moves to its children, which are made in the lanes;
//! - [`kernel`]: the children's moves, counted as sets;
//! - [`checks`]: those that check, and which of them are mates;
//! - [`found`]: the result.

mod checks;
mod found;
mod kernel;
mod moves;

pub(crate) use found::{Check, Found};
pub(crate) use kernel::Space;
pub(super) use kernel::count;
pub(crate) use moves::Siblings;
