//! Compares tabiya with two independent move generators, shakmaty and cozy-chess, on many
//! positions.
//!
//! [`sources`] yield positions, [`compare`] asks all three and compares, [`run`] does so on
//! threads. The questions to tabiya go through [`answers::Answers`], so that tests can give wrong
//! answers and see that each is noticed.

pub mod answers;
pub mod compare;
pub mod distinct;
pub mod kind;
pub mod peers;
pub mod random;
pub mod record;
pub mod report;
pub mod run;
pub mod sources;
