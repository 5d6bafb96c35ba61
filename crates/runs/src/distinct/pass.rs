//! One pass through the tree: makes all moves of its last nodes, and counts the new positions among
//! those whose fingerprints belong to some of the shares.

use std::mem;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya::Position;
use tabiya::movegen::Legal;

use super::bits::{BitReader, Bits};
use super::children::{Children, Output};
use super::fingerprint::{Fingerprint, FingerprintKeys, share_of};
use super::set::FingerprintSet;
use super::tree::{ChunkBits, Tree};
use super::{DistinctError, Storage};
use tabiya_perft::internal::cpu::{self, Cpu, Work};
use tabiya_perft::{Isa, Watch};

/// The batch is added to the set when it has this many fingerprints.
const FULL: usize = 512;
/// The size of a batch. It has room for the fingerprints after the moves of one more position,
/// which has fewer than 400.
const ROOM: usize = 1024;
/// The line of the set is prefetched this many fingerprints before the fingerprint is added.
const AHEAD: usize = 64;
/// The watch is asked after this many fingerprints. Each may be the first in its huge page, which
/// the system then has to clear.
const ASK_AFTER: usize = 16;

/// The part of a pass that all threads share.
pub(super) struct Pass<'a> {
    tree: &'a Tree,
    keys: &'a FingerprintKeys,
    set: &'a FingerprintSet,
    shares: RangeInclusive<u32>,
    /// The marks of the moves to new positions, if the tree is to grow.
    marks: Option<&'a ChunkBits>,
    storage: &'a Storage,
    watch: &'a dyn Watch,
    /// The number of fingerprints that are in the set, including those that threads are about to
    /// add.
    reserved: AtomicU64,
    overflowed: AtomicBool,
}

/// The result of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The number of positions that are new.
    pub(super) new: u64,
    /// The XOR of the fingerprints of the new positions.
    pub(super) new_sum: u128,
    /// The number of moves of the nodes, including moves to positions of other shares.
    pub(super) moves: u64,
    /// The XOR of the fingerprints of the nodes.
    pub(super) node_sum: u128,
}

impl<'a> Pass<'a> {
    /// A pass with an empty set.
    pub(super) fn new(
        tree: &'a Tree,
        keys: &'a FingerprintKeys,
        set: &'a FingerprintSet,
        shares: RangeInclusive<u32>,
        marks: Option<&'a ChunkBits>,
        storage: &'a Storage,
        watch: &'a dyn Watch,
    ) -> Self {
        let (reserved, overflowed) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { tree, keys, set, shares, marks, storage, watch, reserved, overflowed }
    }

    /// Did the pass stop because there were more positions than fit into the set?
    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed.load(Ordering::Relaxed)
    }

    /// Walks through a chunk.
    ///
    /// # Errors
    /// [`DistinctError::Cancelled`] if the watch cancels the work, and also if the set is full.
    pub(super) fn walk(&self, chunk: usize) -> Result<Tally, DistinctError> {
        let Self { tree, storage, .. } = *self;
        let mut readers = Vec::with_capacity(tree.plies.len());
        for ply in &tree.plies {
            readers.push(BitReader::new(ply.bits.load(chunk, storage)?));
        }
        let mut walker = Walker {
            pass: self,
            readers,
            lists: vec![Vec::new(); tree.plies.len()],
            batch: Batch::new(&self.shares),
            marks: self.marks.map(|marks| marks.take(chunk, storage)).transpose()?,
            tally: Tally::default(),
            stopped: false,
            out_of_memory: false,
        };
        for root in tree.roots_of(chunk) {
            let position = tree.roots[root].unpack(tree.mode, 1)?;
            let fingerprint = self.keys.fingerprint(&position);
            let node = Node { walker: &mut walker, position: &position, fingerprint, depth: 0 };
            cpu::run(Isa::best(), node);
        }
        walker.flush();
        let Walker { stopped, out_of_memory, mut tally, batch, marks, .. } = walker;
        if out_of_memory {
            return Err(DistinctError::OutOfMemory);
        }
        if stopped {
            return Err(DistinctError::Cancelled);
        }
        tally.moves = batch.before;
        if let (Some(all), Some(mut marks)) = (self.marks, marks) {
            marks.resize(tally.moves).map_err(|_| DistinctError::OutOfMemory)?;
            all.store(chunk, marks, storage)?;
        }
        Ok(tally)
    }
}

/// Walks through a chunk.
struct Walker<'a> {
    pass: &'a Pass<'a>,
    /// Readers of the bits of each ply.
    readers: Vec<BitReader>,
    /// For each ply, room for the fingerprints of the children of one node.
    lists: Vec<Vec<Fingerprint>>,
    batch: Batch,
    marks: Option<Bits>,
    tally: Tally,
    stopped: bool,
    /// Is there no room for a mark? Then the walk has stopped.
    out_of_memory: bool,
}

impl Walker<'_> {
    /// Adds the fingerprints of the batch to the set.
    #[inline(never)]
    fn flush(&mut self) {
        let Self { pass, batch, .. } = self;
        let set = pass.set;
        let len = batch.len;
        let reserved = pass.reserved.fetch_add(len as u64, Ordering::Relaxed) + len as u64;
        if reserved > set.capacity() {
            pass.overflowed.store(true, Ordering::Relaxed);
            self.stopped = true;
        }
        if self.stopped {
            return batch.clear();
        }
        let fingerprints = &batch.fingerprints[..len];
        for &next in &fingerprints[..AHEAD.min(len)] {
            set.prefetch(next);
        }
        let (mut new, mut sum) = (0, 0);
        for (number, &fingerprint) in fingerprints.iter().enumerate() {
            if number % ASK_AFTER == 0 && pass.watch.is_cancelled() {
                self.stopped = true;
                break;
            }
            if let Some(&next) = fingerprints.get(number + AHEAD) {
                set.prefetch(next);
            }
            if set.insert(fingerprint) {
                new += 1;
                sum ^= fingerprint;
                if let Some(marks) = &mut self.marks {
                    let place = batch.before + u64::from(batch.places[number]);
                    if marks.set(place).is_err() {
                        (self.stopped, self.out_of_memory) = (true, true);
                        break;
                    }
                }
            }
        }
        pass.reserved.fetch_sub(len as u64 - new, Ordering::Relaxed);
        self.tally.new += new;
        self.tally.new_sum ^= sum;
        batch.clear();
    }

    /// Should the walk end before all nodes are visited?
    fn should_stop(&mut self) -> bool {
        let pass = self.pass;
        self.stopped = self.stopped || pass.has_overflowed() || pass.watch.is_cancelled();
        self.stopped
    }
}

/// Fingerprints that are not in the set yet.
struct Batch {
    fingerprints: [Fingerprint; ROOM],
    /// The number of each fingerprint's move, among the moves of the batch.
    places: [u32; ROOM],
    /// The number of fingerprints.
    len: usize,
    /// The number of moves in the batch, including moves to positions of other shares.
    moves: u32,
    /// The number of moves before this batch.
    before: u64,
    first_share: u32,
    /// The last share minus the first.
    span: u32,
}

impl Batch {
    fn new(shares: &RangeInclusive<u32>) -> Self {
        Self {
            fingerprints: [0; ROOM],
            places: [0; ROOM],
            len: 0,
            moves: 0,
            before: 0,
            first_share: *shares.start(),
            span: shares.end() - shares.start(),
        }
    }

    fn clear(&mut self) {
        self.before += u64::from(self.moves);
        self.moves = 0;
        self.len = 0;
    }

    /// Should the fingerprints be added to the set now?
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len >= FULL || self.moves > u32::MAX / 2
    }
}

impl Output for Batch {
    #[inline(always)]
    fn push(&mut self, fingerprint: Fingerprint) {
        let place = self.len % ROOM;
        self.fingerprints[place] = fingerprint;
        self.places[place] = self.moves;
        self.moves += 1;
        // This avoids a branch, which could not be predicted.
        let is_ours = share_of(fingerprint).wrapping_sub(self.first_share) <= self.span;
        self.len += usize::from(is_ours);
    }
}

/// Takes all fingerprints.
impl Output for Vec<Fingerprint> {
    #[inline(always)]
    fn push(&mut self, fingerprint: Fingerprint) {
        Self::push(self, fingerprint);
    }
}

/// A node of the tree, and everything below it.
struct Node<'a, 'w> {
    walker: &'a mut Walker<'w>,
    position: &'a Position,
    fingerprint: Fingerprint,
    /// The number of plies from the roots to the node.
    depth: usize,
}

impl Work for Node<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { walker, position, fingerprint, depth } = self;
        let keys = walker.pass.keys;
        if depth == walker.readers.len() {
            walker.tally.node_sum ^= fingerprint;
            let mut children = Children::new(position, fingerprint, keys, &mut walker.batch);
            position.generator().with_sliders(cpu.sliders()).generate::<Legal>(&mut children);
            if walker.batch.is_full() {
                walker.flush();
            }
            return;
        }
        if walker.should_stop() {
            return;
        }
        let moves = position.legal_moves();
        let mut fingerprints = mem::take(&mut walker.lists[depth]);
        fingerprints.clear();
        let mut children = Children::new(position, fingerprint, keys, &mut fingerprints);
        position.generator().with_sliders(cpu.sliders()).generate::<Legal>(&mut children);
        for (moves, fingerprints) in moves.chunks(64).zip(fingerprints.chunks(64)) {
            let mut nodes = walker.readers[depth].take(moves.len());
            while nodes != 0 {
                let number = nodes.trailing_zeros() as usize;
                nodes &= nodes - 1;
                cpu.enter(Node {
                    walker: &mut *walker,
                    position: &position.play(moves[number]),
                    fingerprint: fingerprints[number],
                    depth: depth + 1,
                });
            }
        }
        walker.lists[depth] = fingerprints;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;
    use tabiya::SplitMix64;
    use tabiya::packed::PackedIdentity;
    use tabiya_perft::Seed;
    use tabiya_perft::internal::Pool;
    use tabiya_perft::suite::{self, ReadOptions};

    /// Even within a batch: in a large set, it may take seconds.
    #[test]
    fn a_cancelled_pass_adds_nothing_more() {
        struct Cancelled;
        impl Watch for Cancelled {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let keys = FingerprintKeys::new(Seed::from(5));
        let set = FingerprintSet::new(0).unwrap();
        let storage = Storage::unlimited();
        let roots = vec![PackedIdentity::of(&Position::START)];
        let tree = Tree { mode: Position::START.castling_mode(), roots, plies: Vec::new() };
        let tally = |watch: &dyn Watch| {
            Pass::new(&tree, &keys, &set, 0..=u32::MAX, None, &storage, watch).walk(0)
        };
        assert!(matches!(tally(&Cancelled), Err(DistinctError::Cancelled)));
        assert!(matches!(
            set.clear(&Pool::new(NonZeroUsize::MIN), &Cancelled),
            Err(DistinctError::Cancelled)
        ));
        // Nothing was added before.
        assert_eq!(tally(&()).unwrap().new, 20);
    }

    /// The fingerprints of the children are those of the positions after the moves, in order.
    #[test]
    fn children_have_the_fingerprints_of_their_positions() {
        let keys = FingerprintKeys::new(Seed::from(5));
        let mut random = SplitMix64::new(9);
        let mut kinds = std::collections::HashSet::new();
        for name in ["rules.epd", "rules-chess960.epd"] {
            let text = tabiya_suites::file(name).unwrap().text;
            for case in suite::read(text.as_bytes(), &ReadOptions::default()).cases {
                let mut position = case.position;
                for _ in 0..40 {
                    let moves = position.legal_moves();
                    let mut found = Vec::new();
                    let fingerprint = keys.fingerprint(&position);
                    let mut children = Children::new(&position, fingerprint, &keys, &mut found);
                    position.generate::<Legal>(&mut children);
                    assert_eq!(found.len(), moves.len(), "{position:?}");
                    for (mv, &fingerprint) in moves.iter().zip(&found) {
                        let child = position.play(*mv);
                        assert_eq!(fingerprint, keys.fingerprint(&child), "{position:?} {mv:?}");
                        kinds.insert((mv.kind() as u8, child.en_passant().is_some()));
                    }
                    if moves.is_empty() {
                        break;
                    }
                    position = position.play(moves[random.below(moves.len())]);
                }
            }
        }
        // Fourteen kinds of moves, and double pushes that allow a capture en passant.
        assert_eq!(kinds.len(), 15, "{kinds:?}");
    }
}
