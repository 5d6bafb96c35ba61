//! The ways of counting units.

use tabiya::Position;

use crate::categories::{
    Categories, CategoryTable, categories_on_this_thread, reference_categories_unless_cancelled,
};
use crate::count_leaves::{CountLeaves, NoCount};
use crate::engine::Engine;
use crate::isa::Isa;
use crate::progress::Watch;
use crate::reference::reference_perft;

/// A way of counting units.
pub trait UnitCounter: Sync {
    /// The name of this counter in the checkpoint.
    fn name(&self) -> String;

    /// A counter for one thread.
    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a>;

    /// A counter by category for one thread; `None` if this one only counts leaf nodes.
    fn category_worker<'a>(
        &'a self,
        watch: &'a dyn Watch,
    ) -> Option<Box<dyn CountCategories + 'a>> {
        let _ = watch;
        None
    }
}

/// A way to count leaf nodes by category on one thread.
pub trait CountCategories: Send {
    /// The leaf nodes `depth` plies below a position, by category.
    ///
    /// # Errors
    /// [`NoCount`] if the count was cancelled, or if a number does not fit into 128 bits.
    fn count(&mut self, position: &Position, depth: u32) -> Result<Categories, NoCount>;
}

/// Counts with vectors and a table, which all threads share.
impl UnitCounter for Engine {
    fn name(&self) -> String {
        let table = if self.table().is_some() { " with a table" } else { "" };
        format!("{}{table}", self.options().isa)
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        self.counter(watch)
    }
}

/// Counts with [`reference_perft`], and by category with
/// [`reference_categories`](crate::reference_categories).
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceCounter;

impl UnitCounter for ReferenceCounter {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(ReferenceWorker(watch))
    }

    fn category_worker<'a>(
        &'a self,
        watch: &'a dyn Watch,
    ) -> Option<Box<dyn CountCategories + 'a>> {
        Some(Box::new(ReferenceWorker(watch)))
    }
}

struct ReferenceWorker<'a>(&'a dyn Watch);

impl CountLeaves for ReferenceWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        if self.0.is_cancelled() {
            return Err(NoCount::Cancelled);
        }
        if depth <= 4 {
            return Ok(reference_perft(position, depth).into());
        }
        position.legal_moves().iter().try_fold(0u128, |sum, &mv| {
            let below = CountLeaves::count(self, &position.play(mv), depth - 1)?;
            sum.checked_add(below).ok_or(NoCount::Overflow)
        })
    }

    fn look_ups(&self) -> u64 {
        0
    }
}

impl CountCategories for ReferenceWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Categories, NoCount> {
        let found = reference_categories_unless_cancelled(position, depth, self.0);
        found.ok_or(NoCount::Cancelled)
    }
}

/// Counts by category as [`categories`](crate::categories()) does, with a table if it has one,
/// which all threads share.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::Category;
/// use tabiya_perft::checkpoint::CategoryCounter;
///
/// let found = CategoryCounter::default().count(&Position::START, 4, &())?;
/// assert_eq!((found.nodes, found[Category::Captures]), (197_281, 1576));
/// # Ok::<(), tabiya_perft::NoCount>(())
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
    /// The same counter with an instruction set. If this CPU does not have it, it counts without any.
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

    /// Counts the leaf nodes `depth` plies below a position by category, on the calling thread.
    ///
    /// # Errors
    /// [`NoCount::Cancelled`] if the watch stopped the count.
    pub fn count(
        &self,
        position: &Position,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Categories, NoCount> {
        CountCategories::count(&mut self.on_one_thread(watch), position, depth)
    }

    fn on_one_thread<'a>(&'a self, watch: &'a dyn Watch) -> CategoryWorker<'a> {
        CategoryWorker { counter: self, watch, look_ups: 0 }
    }
}

impl UnitCounter for CategoryCounter {
    fn name(&self) -> String {
        let table = if self.table.is_some() { " with a table" } else { "" };
        format!("categories{table}")
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(self.on_one_thread(watch))
    }

    fn category_worker<'a>(
        &'a self,
        watch: &'a dyn Watch,
    ) -> Option<Box<dyn CountCategories + 'a>> {
        Some(Box::new(self.on_one_thread(watch)))
    }
}

struct CategoryWorker<'a> {
    counter: &'a CategoryCounter,
    watch: &'a dyn Watch,
    look_ups: u64,
}

impl CountCategories for CategoryWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Categories, NoCount> {
        let table = self.counter.table();
        let isa = self.counter.isa;
        let total = categories_on_this_thread(isa, position, depth, table, self.watch);
        self.look_ups += total.look_ups;
        if total.complete { Ok(total.categories) } else { Err(NoCount::Cancelled) }
    }
}

impl CountLeaves for CategoryWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        Ok(CountCategories::count(self, position, depth)?.nodes)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}
