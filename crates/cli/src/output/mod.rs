//! The form of the subcommands' output: boards, tables, numbers, JSON and pictures.

pub(crate) mod board;
pub(crate) mod divide;
pub(crate) mod json;
pub(crate) mod number;
#[cfg(feature = "schema")]
pub(crate) mod schema;
pub(crate) mod style;
pub(crate) mod table;

/// The text with a space in place of each control character. So it stays on one line, and a
/// terminal does not take a part of it for a command.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Names and their definitions in two columns, for help texts.
pub(crate) fn definitions(list: &[(String, &str)]) -> String {
    /// The width of all help texts.
    const WIDTH: usize = 100;
    let widest = list.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let indent = widest + 3;
    let mut text = String::new();
    for (name, definition) in list {
        text += &format!("  {name:<widest$} ");
        let mut column = indent;
        for word in definition.split(' ') {
            if column + 1 + word.len() > WIDTH {
                text += &format!("\n{:indent$}", "");
                column = indent;
            }
            text = text + " " + word;
            column += 1 + word.len();
        }
        text.push('\n');
    }
    text
}

/// The width of the terminal, or 100 columns if there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}
