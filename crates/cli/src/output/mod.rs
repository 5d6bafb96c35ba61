//! The form of the subcommands' output: boards, tables, numbers, JSON and pictures.

pub(crate) mod board;
pub(crate) mod divide;
pub(crate) mod json;
pub(crate) mod number;
#[cfg(feature = "schema")]
pub(crate) mod schema;
pub(crate) mod style;
pub(crate) mod table;

/// The width of the terminal, or 100 columns if there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}
