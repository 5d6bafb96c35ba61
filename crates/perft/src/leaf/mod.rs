//! The fast counter: the leaves of a subtree without a list of moves or a position for each.
//!
//! The tree is walked over plain sets ([`Node`]), turned so that there is only one pair of colours
//! ([`walk`], [`moves`]). Two plies above the leaves the walk stops, and nodes wait until many are together
//! ([`waiting`]). Then a kernel takes several of them side by side, a node to a vector lane, and sums up how
//! most of their moves change the number of replies ([`vector`]); without vectors, another kernel does this for
//! one node after the other ([`scalar`]). The children of the other moves take lanes of a last kernel,
//! which counts the replies to each ([`replies`]).
//!
//! The kernels are written once over the trait [`lanes::Lanes`] (several positions side by side), the
//! walk over [`star::Star`] (the eight directions of one position side by side); both are instantiated
//! for each instruction set ([`machine`]).
//!
//! `ALGORITHM.md` explains and proves what the kernels do.

mod counter;
mod machine;
mod moves;
mod node;
mod rules;
mod scalar;
mod sets;
mod star;
mod sums;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vector;
mod walk;

pub(crate) use counter::Counter;
pub(crate) use node::Node;
pub(crate) use scalar::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use vector::{Avx2, Avx512};
