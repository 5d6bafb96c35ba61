//! The faulty program and the adapters, as separate processes.

mod adapters;
mod docs;
mod faults;
mod program;
mod right;
