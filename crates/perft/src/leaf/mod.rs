//! The fast counter: the leaves of a subtree without a list of moves or a position for each.
//!
//! The tree is walked over plain sets ([`Node`]), turned so that there is only one pair of colours.
//! Two plies above the leaves the walk stops: most of a node's moves change the number of replies
//! in a way that can be summed over all moves at once ([`delta`]); the others put their children
//! into vector lanes ([`batch`]), and a kernel counts the replies of eight of them together
//! ([`count`]).
//!
//! The code is written once over two small traits, [`lanes::Lanes`] (several positions side by
//! side) and [`star::Star`] (the eight directions of one position side by side), and instantiated
//! for each instruction set ([`machine`]).

mod counter;
mod direction;
mod lanes;
mod machine;
mod moves;
mod node;
mod pair;
mod portable;
mod replies;
mod rows;
mod rules;
mod star;
mod sums;
mod tables;
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
