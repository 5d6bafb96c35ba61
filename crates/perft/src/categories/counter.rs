//! A reusable counter by category, for one thread.

use tabiya::Position;

use super::subtree::Context;
use super::table::CategoryTable;
use super::{CategoryTotal, count_below};
use crate::machine::Isa;
use crate::progress::Watch;

/// Counts by category as [`categories`](super::categories()) does, optionally with a table that all
/// threads share.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Category, CategoryCounter};
///
/// let found = CategoryCounter::default().count(&Position::START, 4, &()).categories;
/// assert_eq!((found.nodes, found[Category::Captures]), (197_281, 1576));
/// ```
#[derive(Debug)]
pub struct CategoryCounter {
    isa: Isa,
    table: Option<CategoryTable>,
}

impl Default for CategoryCounter {
    fn default() -> Self {
        Self { isa: Isa::best(), table: None }
    }
}

impl CategoryCounter {
    /// The same counter with an instruction set. If this CPU does not have it, the counter uses
    /// portable code.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// The same counter with a table.
    #[must_use]
    pub fn with_table(self, table: CategoryTable) -> Self {
        Self { table: Some(table), ..self }
    }

    /// The table, if there is one.
    pub const fn table(&self) -> Option<&CategoryTable> {
        self.table.as_ref()
    }

    /// Counts the leaf nodes `depth` plies below a position by category, on the calling thread. The
    /// watch may stop the count, but it receives no progress.
    pub fn count(&self, position: &Position, depth: u32, watch: &dyn Watch) -> CategoryTotal {
        let context = Context { isa: self.isa, table: self.table(), watch };
        count_below(context, position, depth)
    }
}
