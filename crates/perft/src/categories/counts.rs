//! The counts of a subtree.

use std::ops::{AddAssign, Index};

use super::category::{Categories, Category};

/// The leaf nodes of a subtree by category. Categories that are sums of others are left out, and
/// added up at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    /// The number of look-ups in the table.
    pub(super) look_ups: u64,
    /// Was counting stopped, so that the counts are incomplete?
    pub(super) stopped: bool,
    by_category: [u64; Category::ALL.len()],
}

impl Counts {
    #[inline(always)]
    pub(super) fn add(&mut self, category: Category, leaves: impl Into<u64>) {
        self.by_category[category as usize] += leaves.into();
    }

    /// The same numbers without the categories that are sums of others, if there are fewer than
    /// 2^32 leaf nodes.
    pub(super) fn of_small(found: &Categories) -> Option<Self> {
        let nodes = u64::from(u32::try_from(found.nodes).ok()?);
        // No category has more leaf nodes than there are in all.
        let mut by_category = found.counts.map(|count| count as u64);
        by_category[Category::Promotions as usize] = 0;
        by_category[Category::DoubleChecks as usize] = 0;
        Some(Self { nodes, by_category, ..Self::default() })
    }

    /// The same numbers, with the categories that are sums of others.
    pub(super) fn with_sums(&self) -> Categories {
        let mut counts = self.by_category.map(u128::from);
        let sum = |parts: &[Category]| parts.iter().map(|&part| u128::from(self[part])).sum();
        counts[Category::Promotions as usize] = sum(&[
            Category::KnightPromotions,
            Category::BishopPromotions,
            Category::RookPromotions,
            Category::QueenPromotions,
        ]);
        counts[Category::DoubleChecks as usize] =
            sum(&[Category::DirectDiscovered, Category::DoubleDiscovered]);
        Categories { nodes: u128::from(self.nodes), counts }
    }
}

impl Index<Category> for Counts {
    type Output = u64;

    fn index(&self, category: Category) -> &u64 {
        &self.by_category[category as usize]
    }
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.look_ups += other.look_ups;
        self.stopped |= other.stopped;
        for (sum, count) in self.by_category.iter_mut().zip(other.by_category) {
            *sum += count;
        }
    }
}
