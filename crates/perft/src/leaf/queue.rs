//! The sharp moves of one node, on their way to the lanes.
//!
//! They arrive as sets, most of them empty. Walking each set as it comes would end a loop for each
//! piece at an unforeseeable place; so the sets are noted down, and one loop over all their members
//! follows, whose only unforeseeable end is its own.

use core::hint;

use super::moves::Odd;

/// Takes sharp moves.
pub(super) trait Queue {
    /// Moves of one man.
    fn piece(&mut self, from: u32, targets: u64);
    /// Moves of pawns that began `back` squares higher.
    fn pawns(&mut self, back: u32, targets: u64);
    /// Double pushes that may be answered en passant.
    fn passing(&mut self, targets: u64);
    /// Takes children that are not made by moving one man.
    type Odd: Odd;
    fn odd(&mut self) -> &mut Self::Odd;
}

/// Moves that share a rule for where they began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    targets: u64,
    base: u32,
    /// Nothing where `base` is the square they began on, everything where it is how far back that is.
    relative: u32,
}

/// The list of such sets.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    entries: [Entry; 128],
    len: usize,
    moves: u32,
    passing: u64,
}

/// One move.
pub(super) struct Begun {
    pub from: u64,
    pub to: u64,
}

impl Default for Pending {
    fn default() -> Self {
        Self { entries: [Entry::default(); 128], len: 0, moves: 0, passing: 0 }
    }
}

impl Pending {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.moves = 0;
        self.passing = 0;
    }

    #[inline(always)]
    pub(super) fn piece(&mut self, from: u32, targets: u64) {
        self.note(Entry { targets, base: from, relative: 0 });
    }

    #[inline(always)]
    pub(super) fn pawns(&mut self, back: u32, targets: u64) {
        self.note(Entry { targets, base: back, relative: !0 });
    }

    #[inline(always)]
    pub(super) fn passing(&mut self, targets: u64) {
        self.passing |= targets;
    }

    /// The double pushes that may be answered en passant.
    #[inline(always)]
    pub(super) fn double_pushes(&self) -> u64 {
        self.passing
    }

    #[inline(always)]
    fn note(&mut self, entry: Entry) {
        // Sixteen men and four sets for each of at most eight pinned pawns fit.
        self.entries[self.len & 127] = entry;
        self.len += usize::from(entry.targets != 0);
        self.moves += entry.targets.count_ones();
    }

    #[inline(always)]
    pub(super) fn each(&self, mut f: impl FnMut(Begun)) {
        let mut at = 0;
        let mut rest = self.entries[0].targets;
        for _ in 0..self.moves {
            let entry = &self.entries[at & 127];
            let to = rest.trailing_zeros();
            let from = entry.base + (to & entry.relative);
            f(Begun { from: 1u64.wrapping_shl(from), to: 1u64.wrapping_shl(to) });
            rest &= rest.wrapping_sub(1);
            // Where a set ends cannot be foreseen, so no branch may depend on it.
            let ended = rest == 0;
            at += usize::from(ended);
            rest = hint::select_unpredictable(ended, self.entries[at & 127].targets, rest);
        }
    }
}
