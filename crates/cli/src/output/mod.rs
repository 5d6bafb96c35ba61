//! What the subcommands print, apart from what it means.

pub(crate) mod board;
pub(crate) mod divide;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod progress;
pub(crate) mod style;
pub(crate) mod table;

/// The width of the terminal, or a usual one if there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}
