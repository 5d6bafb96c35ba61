//! Eight nodes side by side, a node to a vector lane.
//!
//! Nodes wait until many are together ([`waiting`]). The [`kernel`] takes eight of them and sums up
//! how most of their moves change the number of replies; the children after the other moves take
//! lanes of another kernel, which counts the replies to each ([`replies`]).

mod board;
mod kernel;
mod king_view;
mod moves;
mod need_take;
#[cfg(test)]
mod oracle;
mod replies;
mod rows;
mod waiting;

pub(crate) use waiting::Waiting;
