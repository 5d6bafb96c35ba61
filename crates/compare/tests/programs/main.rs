//! The faulty program and the adapters, as separate processes.

mod adapters;
mod agrees;
mod docs;
mod found;
mod in_process;
mod pasted;
mod program;
mod published;
mod resident;
mod right;
mod seeds;
mod watched;
