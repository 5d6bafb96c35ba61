//! A column of texts.

use std::collections::TryReserveError;

/// Texts, one behind the other. A text of its own for each row would be an allocation that cannot
/// report that memory is short, and near its limit each such allocation of a thread can need a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    text: String,
    /// The end of each text.
    ends: Vec<usize>,
}

impl Texts {
    /// The number of rows.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Reserves memory for this many more rows.
    pub(super) fn reserve_rows(&mut self, rows: usize) -> Result<(), TryReserveError> {
        self.ends.try_reserve(rows)
    }

    /// Adds a row, for which memory was reserved, with this text.
    pub(super) fn push(&mut self, text: &str) -> Result<(), TryReserveError> {
        self.text.try_reserve(text.len())?;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        Ok(())
    }

    /// Adds empty texts up to this number of rows, for which memory was reserved.
    pub(super) fn fill(&mut self, rows: usize) {
        self.ends.resize(rows, self.text.len());
    }

    /// Reserves memory for the rows of another column.
    pub(super) fn reserve(&mut self, more: &Self) -> Result<(), TryReserveError> {
        self.ends.try_reserve(more.len())?;
        self.text.try_reserve(more.text.len())
    }

    /// Appends the rows of another column, for which memory was reserved.
    pub(super) fn append(&mut self, more: &Self) {
        let before = self.text.len();
        self.text.push_str(&more.text);
        self.ends.extend(more.ends.iter().map(|end| before + end));
    }

    /// Drops the rows behind this many.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// The texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.text[start..end])
    }
}
