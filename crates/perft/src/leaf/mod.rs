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
mod direction;
mod lanes;
mod machine;
mod moves;
mod node;
mod portable;
mod replies;
mod rows;
mod rules;
mod scalar;
mod star;
mod sums;
mod tables;
mod vector;
mod waiting;
mod walk;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use counter::Counter;
pub(crate) use node::Node;
pub(crate) use portable::Portable;
