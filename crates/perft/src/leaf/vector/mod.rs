//! Several positions side by side, a position to a vector lane.
//!
//! Nodes wait until many are together ([`waiting`]). A kernel takes eight of them and sums up how
//! most of their moves change the number of replies ([`nodes`]); the children of the other moves
//! take lanes of another kernel, which counts the replies to each ([`replies`]). A third kernel
//! counts the moves of the children of one node by category ([`siblings`]).
//!
//! They are written over a trait ([`lanes::Lanes`]). AVX-512 runs all three ([`avx512`]), AVX2 that
//! of siblings ([`avx2`]).

mod avx2;
mod avx512;
mod digits;
mod direction;
mod lanes;
mod legality;
mod nodes;
mod pieces;
mod replies;
mod rows;
mod siblings;
mod waiting;
#[cfg(test)]
mod words;

pub(crate) use avx2::Ymm;
pub(crate) use avx512::Zmm;
pub(crate) use siblings::{Check, Found, Siblings, Space};
pub(crate) use waiting::Waiting;
