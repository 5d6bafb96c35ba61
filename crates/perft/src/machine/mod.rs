//! Everything that the counters need from a machine. Of chess it knows only sliders.
//!
//! | to do | use |
//! |---|---|
//! | choose an instruction set | [`Isa`] |
//! | compile code for the CPU that runs it | [`cpu`] |
//! | share work among threads | [`Pool`] |
//! | hold a large table | [`Pages`], [`available_memory`] |

#[cfg(feature = "system")]
mod control_groups;
pub mod cpu;
#[cfg(any(test, not(feature = "system")))]
mod heap;
mod isa;
#[cfg(feature = "system")]
mod mapped;
mod pages;
mod pool;
mod size;

pub use isa::{Isa, IsaError};
pub use pages::{Pages, Zeroed, available_memory};
pub use pool::Pool;
pub use size::{HashSize, HashSizeError, TableError};
