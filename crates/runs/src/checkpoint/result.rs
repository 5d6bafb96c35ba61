//! The result of a unit.

use std::ops::Index;

use tabiya_perft::{Categories, Category};

/// The result of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitResult {
    /// Leaf nodes of the unit's subtree.
    pub nodes: u64,
    /// The time that the count took, in microseconds of elapsed time.
    pub micros: u64,
    /// The name of the counter.
    pub counter: String,
    /// The leaf nodes in each category, if the job is [by category](super::Job::by_category).
    pub categories: Option<UnitCategories>,
}

/// The leaf nodes of a unit in each category. Checks include mates.
///
/// ```
/// use tabiya::Position;
/// use tabiya_runs::checkpoint::UnitCategories;
/// use tabiya_perft::{Category, reference_categories};
///
/// let found = UnitCategories::of(&reference_categories(&Position::START, 3)).unwrap();
/// assert_eq!((found[Category::Captures], found[Category::Checks]), (34, 12));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitCategories(Box<[u64; Category::ALL.len()]>);

impl UnitCategories {
    /// Takes the numbers in the order of [`Category::ALL`].
    pub fn new(counts: [u64; Category::ALL.len()]) -> Self {
        Self(Box::new(counts))
    }

    /// The categories of a count; `None` if some number has more than 64 bits.
    pub fn of(found: &Categories) -> Option<Self> {
        let mut counts = [0; Category::ALL.len()];
        for (count, category) in counts.iter_mut().zip(Category::ALL) {
            *count = found[category].try_into().ok()?;
        }
        Some(Self::new(counts))
    }

    /// Writes the numbers as text.
    pub(super) fn text(&self) -> String {
        self.0.map(|count| count.to_string()).join(" ")
    }

    /// Reads the numbers from text.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut counts = [0; Category::ALL.len()];
        for count in &mut counts {
            *count = words.next()?.parse().ok()?;
        }
        words.next().is_none().then(|| Self::new(counts))
    }

    /// The numbers in the order of [`Category::ALL`].
    pub const fn counts(&self) -> &[u64; Category::ALL.len()] {
        &self.0
    }
}

impl Index<Category> for UnitCategories {
    type Output = u64;

    fn index(&self, category: Category) -> &u64 {
        &self.0[category as usize]
    }
}

/// The first difference between two results of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// `None` if the total numbers of leaf nodes differ.
    pub(super) category: Option<Category>,
    pub(super) first: u64,
    pub(super) second: u64,
}

impl UnitResult {
    /// The first difference from another result. Both results have categories, or neither has.
    pub(super) fn difference(&self, other: &Self) -> Option<Difference> {
        if self.nodes != other.nodes {
            let (first, second) = (self.nodes, other.nodes);
            return Some(Difference { category: None, first, second });
        }
        let (Some(ours), Some(theirs)) = (&self.categories, &other.categories) else { return None };
        let category = Category::ALL.into_iter().find(|&it| ours[it] != theirs[it])?;
        let (first, second) = (ours[category], theirs[category]);
        Some(Difference { category: Some(category), first, second })
    }
}
