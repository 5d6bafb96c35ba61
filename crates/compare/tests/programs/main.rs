//! The faulty program and the adapters, as separate processes.

mod faults;
mod program;
mod right;
