//! The fast counter: the leaves of a subtree without a list of moves or a position for each.
//!
//! The tree is walked over plain sets ([`Node`](crate::node::Node)), turned so that there is only one pair of colours
//! ([`walk`], [`moves`]). Two plies above the leaves the walk stops. There a kernel sums up how
//! most moves of a node change the number of replies, and the replies to the other moves are
//! counted one by one. With vectors this is done for several nodes side by side ([`vector`]),
//! without them for one node at a time, by look-ups for each piece ([`scalar`]). `ALGORITHM.md`
//! explains and proves what both do.
//!
//! All of it is generic over the trait [`machine::Machine`]. The types in [`instances`] say for
//! which CPUs it is compiled.

mod counter;
mod instances;
mod legality;
mod machine;
mod moves;
#[cfg(test)]
pub(crate) mod oracle;
mod scalar;
mod sums;
#[cfg(target_arch = "x86_64")]
mod vector;
mod walk;

pub(crate) use counter::Counter;
pub(crate) use instances::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use instances::{Avx512, Bmi2};
pub(crate) use machine::Machine;
