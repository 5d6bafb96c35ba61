//! Counting leaf nodes.
