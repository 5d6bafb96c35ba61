//! Colours. They are always written. The stream removes them if it is not a terminal.

use std::fmt::Display;

use anstyle::{AnsiColor, Color, Style};

/// The word "error" and the caret.
pub(crate) const ERROR: Style = colored(AnsiColor::Red).bold();
/// The word "hint".
pub(crate) const HINT: Style = colored(AnsiColor::Green).bold();
/// Heads of tables, titles.
pub(crate) const HEAD: Style = Style::new().bold();
/// Secondary text: coordinates, names of fields.
pub(crate) const ASIDE: Style = Style::new().dimmed();
/// Highlighted squares.
pub(crate) const MARK: Style = colored(AnsiColor::Yellow).bold();

const fn colored(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

/// The escape sequences that switch a style on and off.
pub(crate) fn ends(style: Style) -> (impl Display, impl Display) {
    (style.render(), style.render_reset())
}
