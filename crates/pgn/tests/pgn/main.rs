//! The reader, the replay and the writer, as their users see them.

mod chunks;
mod reading;
mod show;
mod traps;
