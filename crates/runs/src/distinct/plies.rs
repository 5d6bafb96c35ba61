//! Counting ply by ply.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tabiya::packed::PackedIdentity;
use tabiya::{CastlingMode, Position};

use super::fingerprint::{FingerprintKeys, SHARES};
use super::pass::{Pass, Tally};
use super::saved::{Head, Passed, Record, Saved};
use super::set::FingerprintSet;
use super::tree::{ChunkBits, PlyFacts, Tree, TreePly};
use super::{DistinctError, Storage};
use tabiya_perft::Seed;
use tabiya_perft::internal::Pool;
use tabiya_perft::{Progress, Watch};

/// The division of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// All bytes that may be used.
    pub(super) total: u64,
}

/// The most bytes for the positions of the first plies.
const MOST_FOR_POSITIONS: u64 = 16 << 20;

impl Budget {
    /// The bytes for the positions of the first plies, which are compared one by one.
    fn positions(self) -> u64 {
        (self.total / 64).min(MOST_FOR_POSITIONS)
    }

    /// The bytes that the tree may use. The rest of the tree goes to temporary files.
    const fn tree(self) -> u64 {
        self.total / 4
    }
}

/// A count of distinct positions.
pub(super) struct Count<'a> {
    root: &'a Position,
    budget: Budget,
    storage: &'a Storage,
    watch: &'a dyn Watch,
    seed: Seed,
    keys: Box<FingerprintKeys>,
    tree: Tree,
    saved: Option<Saved>,
    /// The ply of the tree's roots, if the checkpoint gives it.
    roots_ply: Option<u32>,
    /// Facts about plies whose positions are not in the tree.
    passed: HashMap<u32, Passed>,
    by_ply: Vec<u64>,
    /// The number of plies that have been counted by comparing whole positions.
    exact: usize,
    /// The number of moves of the positions at the last ply. It is an estimate, except at the
    /// roots.
    moves: f64,
    /// The number of positions at the last ply for each move of the previous ply.
    ratio: f64,
    /// The factor applied to the estimate, because a pass found too many positions.
    surplus: f64,
}

/// The counts so far.
pub(super) struct Counted {
    /// The distinct positions at each ply.
    pub(super) by_ply: Vec<u64>,
    /// The number of plies that were counted by comparing whole positions.
    pub(super) exact: usize,
    pub(super) seed: Seed,
    /// The next ply, if some of its positions have been counted.
    pub(super) next: Option<Passed>,
}

impl<'a> Count<'a> {
    /// A count at ply 0. If the checkpoint exists, it is opened.
    pub(super) fn new(
        root: &'a Position,
        seed: Option<Seed>,
        checkpoint: Option<&Path>,
        budget: Budget,
        storage: &'a Storage,
        watch: &'a dyn Watch,
    ) -> Result<Self, DistinctError> {
        let opened = checkpoint.map(Saved::open).transpose()?.flatten();
        let (saved, roots_ply, seed) = match opened {
            None => (None, None, seed.map_or_else(Seed::random, Ok).map_err(DistinctError::Seed)?),
            Some((saved, head)) => {
                let kept = head.root().ok_or_else(|| saved.damaged())?;
                if kept != *root {
                    return Err(saved.other("position", &head.root, &root.fen().to_string()));
                }
                let kept = head.seed.parse().map_err(|_| saved.damaged())?;
                if let Some(seed) = seed.filter(|&seed| seed != kept) {
                    return Err(saved.other("seed", &head.seed, &seed.to_string()));
                }
                (Some(saved), Some(head.roots_ply), kept)
            }
        };
        let roots = vec![PackedIdentity::of(root)];
        Ok(Self {
            root,
            budget,
            storage,
            watch,
            seed,
            keys: FingerprintKeys::new(seed),
            tree: Tree { mode: root.castling_mode(), roots, plies: Vec::new() },
            saved,
            roots_ply,
            passed: HashMap::new(),
            by_ply: vec![1],
            exact: 1,
            moves: 0.0,
            ratio: 1.0,
            surplus: 1.0,
        })
    }

    /// The counts so far, up to a ply.
    pub(super) fn counted(&self, plies: u32) -> Counted {
        let mut by_ply = self.by_ply.clone();
        let mut next = self.passed.get(&(by_ply.len() as u32)).copied();
        // All passes have been made, and perhaps the last could not be written to the checkpoint.
        let is_wanted = by_ply.len() <= plies as usize;
        if let Some(all) = next.take_if(|passed| is_wanted && passed.is_complete()) {
            by_ply.push(all.facts.nodes);
        }
        Counted { by_ply, exact: self.exact, seed: self.seed, next }
    }

    /// Counts up to a ply. If `checkpoint` is given and is not open yet, it is created when the
    /// slow plies begin.
    pub(super) fn run(
        &mut self,
        plies: u32,
        checkpoint: Option<&Path>,
    ) -> Result<(), DistinctError> {
        let plies = plies as usize;
        self.count_positions(plies)?;
        if self.by_ply.len() > plies {
            return Ok(());
        }
        match (self.saved.take(), checkpoint) {
            (Some(saved), _) => self.read(saved, plies)?,
            (None, Some(path)) => {
                let head = Head::new(self.root, self.seed, self.ply());
                self.saved = Some(Saved::create(path, &head)?);
            }
            (None, None) => {}
        }
        while self.by_ply.len() < plies {
            self.grow(plies)?;
        }
        if self.by_ply.len() == plies { self.finish(plies) } else { Ok(()) }
    }

    /// The last ply that was counted.
    fn ply(&self) -> u32 {
        self.by_ply.len() as u32 - 1
    }

    /// Counts the first plies by comparing all positions with each other.
    fn count_positions(&mut self, plies: usize) -> Result<(), DistinctError> {
        let Self { storage, tree, .. } = self;
        while self.by_ply.len() <= plies {
            if self.watch.is_cancelled() {
                return Err(DistinctError::Cancelled);
            }
            let moves = count_moves(&tree.roots, tree.mode, &storage.pool)?;
            self.moves = moves as f64;
            let bytes = moves * PackedIdentity::BYTES as u64;
            let fit = bytes <= self.budget.positions();
            if !self.roots_ply.map_or(fit, |ply| self.by_ply.len() <= ply as usize) {
                break;
            }
            // Only a file that no count has written wants so many.
            if bytes > MOST_FOR_POSITIONS {
                let damaged = self.saved.as_ref().map(Saved::damaged);
                return Err(damaged.unwrap_or(DistinctError::OutOfMemory));
            }
            tree.roots = expand(&tree.roots, tree.mode, &storage.pool)?;
            self.by_ply.push(tree.roots.len() as u64);
            self.exact = self.by_ply.len();
            self.ratio = tree.roots.len() as f64 / moves.max(1) as f64;
        }
        Ok(())
    }

    /// Reads the results in the checkpoint, up to a ply.
    fn read(&mut self, mut saved: Saved, plies: usize) -> Result<(), DistinctError> {
        let budget = self.budget;
        loop {
            let memory = self.tree.memory();
            let in_file = |bits: u64| memory + bits > budget.tree();
            match saved.read(in_file, self.storage)? {
                None => break,
                Some(Record::Tree { ply, facts, bits }) => {
                    if ply != self.ply() + 1 || bits.len() != self.tree.chunks() {
                        return Err(saved.damaged());
                    }
                    self.add(TreePly { bits, facts });
                }
                Some(Record::Pass { ply, passed }) => {
                    self.passed.insert(ply, passed);
                }
            }
        }
        self.by_ply.truncate(plies + 1);
        self.saved = Some(saved);
        Ok(())
    }

    /// Adds a ply to the tree.
    fn add(&mut self, ply: TreePly) {
        let PlyFacts { nodes, moves, .. } = ply.facts;
        let before = self.by_ply[self.by_ply.len() - 1];
        // The number of moves in a position often grows from ply to ply.
        self.moves = nodes as f64 * moves as f64 / before.max(1) as f64 * 1.1;
        self.ratio = nodes as f64 / moves.max(1) as f64;
        self.by_ply.push(nodes);
        self.tree.plies.push(ply);
    }

    /// Counts the next ply, and adds it to the tree.
    fn grow(&mut self, plies: usize) -> Result<(), DistinctError> {
        let in_file = self.tree.memory() + (self.moves / 8.0) as u64 > self.budget.tree();
        let (facts, bits) = loop {
            let bits = ChunkBits::new(self.tree.chunks(), in_file, self.storage)?;
            if let Some(facts) = self.count_ply(Some(&bits), plies)? {
                break (facts, bits);
            }
        };
        let ply = self.by_ply.len() as u32;
        let written = match &mut self.saved {
            Some(saved) => saved.write_tree(ply, &facts, &bits, self.storage),
            None => Ok(()),
        };
        self.add(TreePly { bits, facts });
        written
    }

    /// Is there a checkpoint to which records are appended?
    pub(super) const fn is_saving(&self) -> bool {
        self.saved.is_some()
    }

    /// Counts the last ply.
    fn finish(&mut self, plies: usize) -> Result<(), DistinctError> {
        let facts = loop {
            if let Some(facts) = self.count_ply(None, plies)? {
                break facts;
            }
        };
        self.by_ply.push(facts.nodes);
        Ok(())
    }

    /// Counts the next ply. If `marks` are given, marks the moves that lead to its positions.
    /// Returns `None` if there are more positions than expected: the count of the ply must begin
    /// again.
    fn count_ply(
        &mut self,
        marks: Option<&ChunkBits>,
        plies: usize,
    ) -> Result<Option<PlyFacts>, DistinctError> {
        let ply = self.by_ply.len() as u32;
        let mut passed = match marks {
            None => self.passed.get(&ply).copied().unwrap_or_default(),
            Some(_) => Passed::default(),
        };
        if passed.is_complete() {
            return Ok(Some(passed.facts));
        }
        let bits = if marks.is_some() { self.moves / 8.0 } else { 0.0 };
        let used = self.tree.memory() + (bits as u64).min(self.budget.tree());
        let free = self.budget.total.saturating_sub(used).max(self.budget.total / 4);
        let expected = self.expected(&passed);
        let set = FingerprintSet::new(FingerprintSet::bytes_for(expected * 1.2).min(free))?;
        // The first pass shows how many positions there are, so it is chosen small enough to
        // succeed.
        let mut width = if passed.shares == 0 {
            width(0.85 * set.capacity() as f64, expected)
        } else {
            self.even_width(&passed, &set)
        };
        loop {
            let end = passed.shares.saturating_add(width).min(SHARES);
            let Some(after) = self.pass(&passed, end, &set, marks, plies)? else {
                if width == 1 {
                    return Err(DistinctError::OutOfMemory);
                }
                self.surplus *= 2.0;
                return Ok(None);
            };
            passed = after;
            self.surplus = 1.0;
            if marks.is_none() {
                self.passed.insert(ply, passed);
                if let Some(saved) = &mut self.saved {
                    saved.write_pass(ply, &passed)?;
                }
            }
            if passed.is_complete() {
                return Ok(Some(passed.facts));
            }
            width = self.even_width(&passed, &set);
            set.clear(&self.storage.pool, self.watch)?;
        }
    }

    /// The expected number of positions of the next ply.
    fn expected(&self, passed: &Passed) -> f64 {
        let expected = match passed.shares {
            0 => self.moves * self.ratio,
            shares => passed.facts.nodes as f64 * SHARES as f64 / shares as f64,
        };
        self.surplus * expected
    }

    /// The number of shares in each of the next passes. There are as few passes as possible, all of
    /// the same size.
    fn even_width(&self, passed: &Passed, set: &FingerprintSet) -> u64 {
        let left = SHARES - passed.shares;
        // Fingerprints are random, so shares of the same size have almost equally many.
        let most = width(0.98 * set.capacity() as f64, self.expected(passed));
        left.div_ceil(left.div_ceil(most).max(1))
    }

    /// Counts the positions of the next shares up to `end`. Returns the results so far, or `None`
    /// if the set is too small.
    fn pass(
        &self,
        passed: &Passed,
        end: u64,
        set: &FingerprintSet,
        marks: Option<&ChunkBits>,
        plies: usize,
    ) -> Result<Option<Passed>, DistinctError> {
        let Self { storage, watch, .. } = *self;
        let shares = passed.shares as u32..=(end - 1) as u32;
        let pass = Pass::new(&self.tree, &self.keys, set, shares, marks, storage, watch);
        let chunks = self.tree.chunks();
        let (done, nodes) = (AtomicUsize::new(0), AtomicU64::new(passed.facts.nodes));
        let found = storage.pool.map(chunks, |chunk| {
            let found = pass.walk(chunk)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let nodes = nodes.fetch_add(found.new, Ordering::Relaxed) + found.new;
            let counted = passed.shares as f64
                + (end - passed.shares) as f64 * done as f64 / chunks.max(1) as f64;
            watch.progress(self.progress(counted / SHARES as f64, nodes, plies));
            Ok::<Tally, DistinctError>(found)
        });
        if pass.has_overflowed() {
            return Ok(None);
        }
        let mut all = Tally::default();
        for found in found {
            let found = found?;
            all.new += found.new;
            all.new_sum ^= found.new_sum;
            all.moves += found.moves;
            all.node_sum ^= found.node_sum;
        }
        let known = self.tree.plies.last().map_or(all.node_sum, |ply| ply.facts.sum);
        if all.node_sum != known || passed.shares > 0 && all.moves != passed.facts.moves {
            return Err(DistinctError::Corrupt { ply: self.ply() });
        }
        let facts = PlyFacts {
            nodes: passed.facts.nodes + all.new,
            moves: all.moves,
            sum: passed.facts.sum ^ all.new_sum,
        };
        Ok(Some(Passed { shares: end, facts }))
    }

    /// The progress of the whole count when this share of the next ply has been counted. Each ply
    /// is expected to take ten times as long as the previous one.
    fn progress(&self, share: f64, nodes: u64, plies: usize) -> Progress {
        let later = (plies - self.by_ply.len()) as i32;
        let before: u64 = self.by_ply.iter().sum();
        Progress {
            nodes: u128::from(before) + u128::from(nodes),
            share: (0.1 + 0.9 * share) * 0.1_f64.powi(later),
        }
    }
}

/// The distinct positions at the plies up to this one, counted by comparing whole positions.
pub(super) fn first_plies(root: &Position, last: u32) -> Result<Vec<u64>, DistinctError> {
    let storage = Storage::unlimited();
    let budget = Budget { total: 0 };
    let mut count = Count::new(root, Some(Seed::from(0)), None, budget, &storage, &())?;
    count.roots_ply = Some(last);
    count.count_positions(last as usize)?;
    Ok(count.by_ply)
}

/// The number of shares that have `positions` positions, of `expected` in all.
fn width(positions: f64, expected: f64) -> u64 {
    let width = SHARES as f64 * positions / expected.max(1.0);
    (width as u64).clamp(1, SHARES)
}

/// The number of positions that a thread takes at a time.
const RUN: usize = 512;

fn count_moves(
    positions: &[PackedIdentity],
    mode: CastlingMode,
    pool: &Pool,
) -> Result<u64, DistinctError> {
    let runs: Vec<&[PackedIdentity]> = positions.chunks(RUN).collect();
    let counts = pool.map(runs.len(), |number| {
        let counts = runs[number].iter().map(|packed| Ok(packed.unpack(mode, 1)?.count_legal()));
        counts.sum::<Result<usize, DistinctError>>()
    });
    counts.into_iter().map(|count| count.map(|count| count as u64)).sum()
}

/// The positions after one more move, sorted and without duplicates.
fn expand(
    positions: &[PackedIdentity],
    mode: CastlingMode,
    pool: &Pool,
) -> Result<Vec<PackedIdentity>, DistinctError> {
    let runs: Vec<&[PackedIdentity]> = positions.chunks(RUN).collect();
    let children = pool.map(runs.len(), |number| {
        let mut children = Vec::new();
        for packed in runs[number] {
            let parent = packed.unpack(mode, 1)?;
            let moves = parent.legal_moves();
            children.extend(moves.iter().map(|&mv| PackedIdentity::of(&parent.play(mv))));
        }
        Ok::<_, DistinctError>(children)
    });
    let mut all = Vec::new();
    for children in children {
        all.extend(children?);
    }
    pool.sort_unstable(&mut all);
    all.dedup();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distinct::DistinctOptions;

    /// If far fewer positions are expected than there are, the first pass fails.
    #[test]
    fn a_set_that_is_too_small_is_replaced_or_used_for_fewer_shares() {
        let storage = Storage::new(&DistinctOptions::default()).unwrap();
        let root = Position::START;
        // Emulated machines and sanitizers are slow.
        let short = std::env::var_os("TABIYA_SHORT_TESTS").is_some();
        for bits in if short { vec![20] } else { vec![18, 20, 26] } {
            let budget = Budget { total: 1 << bits };
            let mut count =
                Count::new(&root, Some(Seed::from(3)), None, budget, &storage, &()).unwrap();
            count.count_positions(2).unwrap();
            while count.by_ply.len() < 5 {
                count.ratio = 0.001;
                count.grow(5).unwrap();
            }
            count.ratio = 0.001;
            count.finish(5).unwrap();
            assert_eq!(count.by_ply, [1, 20, 400, 5362, 72_078, 822_518], "2^{bits} bytes");
        }
    }

    #[test]
    fn widths_are_at_least_one_share_and_at_most_all() {
        assert_eq!(width(10.0, 0.0), SHARES);
        assert_eq!(width(10.0, 5.0), SHARES);
        assert_eq!(width(10.0, 40.0), SHARES / 4);
        assert_eq!(width(0.0, 1e30), 1);
    }
}
