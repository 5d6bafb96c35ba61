//! Long runs: cancelled, killed, damaged and misused.

mod common;
mod counts;
mod files;
mod interruptions;
mod ledger;
mod processes;
mod status;
mod verification;
