//! The ways of counting units.

use tabiya::Position;

use tabiya_perft::{
    Categories, CategoryCounter, CountLeaves, Engine, NoCount, Watch, reference_categories,
    reference_perft,
};

/// A way of counting units.
pub trait UnitCounter: Sync {
    /// The name of this counter in the checkpoint.
    fn name(&self) -> String;

    /// A counter for one thread.
    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a>;

    /// A counter by category for one thread; `None` if this counter only counts leaf nodes.
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

/// Counts with vectors, and with a table if the engine has one.
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
/// [`reference_categories`](tabiya_perft::reference_categories).
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
        if self.0.is_cancelled() {
            return Err(NoCount::Cancelled);
        }
        if depth <= 3 {
            return Ok(reference_categories(position, depth));
        }
        let mut sum = Categories::default();
        for &mv in &position.legal_moves() {
            sum += CountCategories::count(self, &position.play(mv), depth - 1)?;
        }
        Ok(sum)
    }
}

impl UnitCounter for CategoryCounter {
    fn name(&self) -> String {
        let table = if self.table().is_some() { " with a table" } else { "" };
        format!("categories{table}")
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(CategoryWorker { counter: self, watch, look_ups: 0 })
    }

    fn category_worker<'a>(
        &'a self,
        watch: &'a dyn Watch,
    ) -> Option<Box<dyn CountCategories + 'a>> {
        Some(Box::new(CategoryWorker { counter: self, watch, look_ups: 0 }))
    }
}

struct CategoryWorker<'a> {
    counter: &'a CategoryCounter,
    watch: &'a dyn Watch,
    look_ups: u64,
}

impl CountCategories for CategoryWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Categories, NoCount> {
        let total = self.counter.count(position, depth, self.watch);
        self.look_ups += total.look_ups;
        match total.complete {
            true => Ok(total.categories),
            false if total.overflow => Err(NoCount::Overflow),
            false => Err(NoCount::Cancelled),
        }
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
