//! The reader, the replay and the writer, as their users see them.

mod cases;
mod chunks;
mod common;
mod pieces;
mod random;
mod reading;
mod replaying;
mod show;
mod table;
mod traps;
mod tree;
mod writing;
