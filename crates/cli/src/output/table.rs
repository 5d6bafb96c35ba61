//! Tables. If their lines are written one by one, the widths of the columns are given in advance.

use std::io::{self, Write};

use super::style;

/// A column: its head and its minimal width.
pub(crate) struct Column {
    head: &'static str,
    width: usize,
    is_left: bool,
}

impl Column {
    /// A right-aligned column, for numbers.
    pub(crate) const fn right(head: &'static str, width: usize) -> Self {
        Self { head, width, is_left: false }
    }

    /// A left-aligned column, for words.
    pub(crate) const fn left(head: &'static str, width: usize) -> Self {
        Self { head, width, is_left: true }
    }

    fn pad(&self, text: &str) -> String {
        let width = self.width.max(self.head.len());
        if self.is_left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    }
}

/// Columns with two spaces between them.
pub(crate) struct Table<const N: usize>(pub(crate) [Column; N]);

impl<const N: usize> Table<N> {
    /// Writes the heads of the columns.
    pub(crate) fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let (bold, bold_end) = style::ends(style::HEAD);
        let line = self.line(self.0.each_ref().map(|column| column.head));
        writeln!(out, "{bold}{line}{bold_end}")
    }

    /// Writes everything, with columns as wide as their widest cells.
    pub(crate) fn write_all(mut self, out: &mut dyn Write, rows: &[[String; N]]) -> io::Result<()> {
        for (column, index) in self.0.iter_mut().zip(0..) {
            let widths = rows.iter().map(|row| row[index].chars().count());
            column.width = column.width.max(widths.max().unwrap_or(0));
        }
        self.head(out)?;
        rows.iter().try_for_each(|row| self.row(out, row.each_ref().map(String::as_str)))
    }

    /// Writes a line.
    pub(crate) fn row(&self, out: &mut dyn Write, cells: [&str; N]) -> io::Result<()> {
        writeln!(out, "{}", self.line(cells))
    }

    fn line(&self, cells: [&str; N]) -> String {
        let cells = self.0.iter().zip(cells).map(|(column, cell)| column.pad(cell));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}
