//! The faulty program and the adapters, as separate processes.

mod adapters;
mod faults;
mod program;
mod right;
