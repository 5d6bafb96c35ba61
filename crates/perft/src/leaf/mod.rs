//! The fast counter: the leaves of a subtree without a list of moves or a position for each.
//!
//! The tree is walked over plain sets ([`Node`]), turned so that there is only one pair of colours
//! ([`walk`], [`moves`]). Two plies above the leaves the walk stops. There a kernel sums up how most moves of
//! a node change the number of replies, and the replies to the other moves are counted one by one. With
//! vectors this is done for several nodes side by side ([`vector`]), without them for one node at a time, by
//! look-ups for each piece ([`scalar`]). `ALGORITHM.md` explains and proves what both do.
//!
//! An instance of the counter ([`machine`]) is compiled for an instruction set. The walk is written once over the
//! trait [`star::Star`] (the eight directions of one position side by side).

mod counter;
mod machine;
mod moves;
mod node;
#[cfg(test)]
mod oracle;
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
#[cfg(target_arch = "x86_64")]
pub(crate) use scalar::Bmi2;
pub(crate) use scalar::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use vector::{Avx2, Avx512, Check, Found, Siblings, Space};
