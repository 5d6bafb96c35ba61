//! Positions and moves as text, one file for each format.

pub mod epd;
pub mod fen;
pub(crate) mod notation;
pub mod san;
pub(crate) mod uci;

/// The form of a noun for a number.
pub(crate) const fn noun(count: usize, one: &'static str, others: &'static str) -> &'static str {
    if count == 1 { one } else { others }
}
