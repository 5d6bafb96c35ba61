//! Comparing the divide of another program.
