//! The categories, and the numbers of leaf nodes in them.

use std::fmt;
use std::ops::{AddAssign, Index};

macro_rules! categories {
    ($($(#[$doc:meta])* $variant:ident, $key:literal, $title:literal, $definition:literal;)*) => {
        /// A category of leaf nodes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Category {
            $(#[doc = $definition] $variant,)*
        }

        impl Category {
            /// All categories, in the order of the usual tables.
            pub const ALL: [Self; [$($key),*].len()] = [$(Self::$variant),*];

            /// The name in files: lower case with underscores.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)* }
            }

            /// The heading in tables.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The condition for a leaf node to belong to the category.
            pub const fn definition(self) -> &'static str {
                match self { $(Self::$variant => $definition,)* }
            }
        }
    };
}

categories! {
    Captures, "captures", "Captures",
        "The last move captured a piece. Captures en passant and captures that promote are included.";
    EnPassant, "en_passant", "E.p.",
        "The last move was a capture en passant.";
    Castles, "castles", "Castles",
        "The last move was castling.";
    Promotions, "promotions", "Promotions",
        "The last move was a promotion. Each promotion piece is a leaf node of its own.";
    KnightPromotions, "promotions_knight", "to N",
        "The last move was a promotion to a knight.";
    BishopPromotions, "promotions_bishop", "to B",
        "The last move was a promotion to a bishop.";
    RookPromotions, "promotions_rook", "to R",
        "The last move was a promotion to a rook.";
    QueenPromotions, "promotions_queen", "to Q",
        "The last move was a promotion to a queen.";
    Checks, "checks", "Checks",
        "The side to move is in check, mated or not.";
    Discovered, "discovered", "Discovered",
        "Exactly one piece gives check, and it is not the one that moved. Castling moves both king \
         and rook, so a check by the rook is direct.";
    DirectDiscovered, "direct_discovered", "Direct+disc.",
        "Two or more pieces give check: the one that moved, and others.";
    DoubleDiscovered, "double_discovered", "Double disc.",
        "Two or more pieces give check, and none of them moved.";
    DoubleChecks, "double_checks", "Double",
        "Two or more pieces give check: direct+discovered and double-discovered checks together.";
    Checkmates, "checkmates", "Mates",
        "The side to move is in check and has no legal move.";
    DiscoveredMates, "discovered_mates", "Disc. mates",
        "Checkmate by a discovered check.";
    DirectDiscoveredMates, "direct_discovered_mates", "Dir.+disc. mates",
        "Checkmate by a direct and a discovered check at once.";
    DoubleDiscoveredMates, "double_discovered_mates", "Double disc. mates",
        "Checkmate by a double-discovered check.";
    Stalemates, "stalemates", "Stalemates",
        "The side to move is not in check and has no legal move.";
}

/// Do checkmates count as checks?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// All checks count, as in the tables of the Chess Programming Wiki.
    #[default]
    MatesIncluded,
    /// Only checks that are not mate count. This also applies to discovered and double checks.
    MatesExcluded,
}

impl Convention {
    /// The name in files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::MatesIncluded => "mates_included",
            Self::MatesExcluded => "mates_excluded",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MatesIncluded => "checks include mates",
            Self::MatesExcluded => "checks exclude mates",
        })
    }
}

/// The total number of leaf nodes, and the number in each category.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{categories, Category, Convention, Options};
///
/// let found = categories(&Position::START, 4, &Options::default(), &()).categories;
/// assert_eq!(found.nodes, 197_281);
/// assert_eq!(found[Category::Captures], 1576);
/// assert_eq!(found[Category::Checkmates], 8);
/// assert_eq!(found.count(Category::Checks, Convention::MatesIncluded), 469);
/// assert_eq!(found.count(Category::Checks, Convention::MatesExcluded), 461);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Categories {
    /// All leaf nodes.
    pub nodes: u128,
    /// The leaf nodes in each category, in the order of [`Category::ALL`]. Checks include mates.
    pub counts: [u128; Category::ALL.len()],
}

impl Categories {
    pub(super) const ZERO: Self = Self { nodes: 0, counts: [0; Category::ALL.len()] };

    /// The number of leaf nodes in a category. The convention says which checks count.
    pub fn count(&self, category: Category, convention: Convention) -> u128 {
        match convention {
            Convention::MatesIncluded => self[category],
            Convention::MatesExcluded => {
                let mates: u128 = category.mates().iter().map(|&mates| self[mates]).sum();
                self[category] - mates
            }
        }
    }
}

impl Category {
    /// The categories of the mates by this kind of check.
    const fn mates(self) -> &'static [Self] {
        match self {
            Self::Checks => &[Self::Checkmates],
            Self::Discovered => &[Self::DiscoveredMates],
            Self::DirectDiscovered => &[Self::DirectDiscoveredMates],
            Self::DoubleDiscovered => &[Self::DoubleDiscoveredMates],
            Self::DoubleChecks => &[Self::DirectDiscoveredMates, Self::DoubleDiscoveredMates],
            _ => &[],
        }
    }
}

/// The number of leaf nodes in a category. Checks include mates.
impl Index<Category> for Categories {
    type Output = u128;

    fn index(&self, category: Category) -> &u128 {
        &self.counts[category as usize]
    }
}

/// The sums have 128 bits. The largest value also stands for larger numbers.
impl AddAssign for Categories {
    fn add_assign(&mut self, other: Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum = sum.saturating_add(count);
        }
    }
}
