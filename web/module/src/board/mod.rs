//! The editor and explanations, which both the package and the explorer start with.

pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod parts;
