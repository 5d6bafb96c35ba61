//! Positions and moves as text, one file for each format.

pub mod epd;
pub mod fen;
pub(crate) mod notation;
pub mod san;
pub(crate) mod uci;

/// The singular or plural of a noun.
pub(crate) const fn noun(count: usize, one: &'static str, others: &'static str) -> &'static str {
    if count == 1 { one } else { others }
}
