//! Examines the answers about one position: descends to the error, and names the bug.

mod candidates;
mod convention;
mod descend;
mod elements;
mod examiner;
mod list;
mod membership;
mod probe;
mod state;
mod total;
mod tree;
mod trouble;
mod twice;

pub(crate) use examiner::Examiner;
