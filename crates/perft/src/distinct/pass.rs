//! One pass through the tree: makes all moves of its last nodes and counts the new positions among
//! those whose fingerprints belong to a part of all fingerprints.

use std::mem;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya::movegen::Legal;
use tabiya::{MoveList, Position};

use super::DistinctError;
use super::bits::{BitReader, Bits};
use super::children::{Children, Output};
use super::fingerprint::{Fingerprint, FingerprintKeys, share_of};
use super::set::FingerprintSet;
use super::tree::Tree;
use crate::categories::cpu::{self, Cpu, Work};
use crate::progress::Watch;

/// Fingerprints are added to the set when there are this many.
const FULL: usize = 512;
/// Room for the fingerprints of one more position.
const ROOM: usize = 1024;
/// So many fingerprints before one is added, its line is fetched.
const AHEAD: usize = 24;

/// What all threads of a pass share.
pub(super) struct Pass<'a> {
    pub(super) tree: &'a Tree,
    pub(super) keys: &'a FingerprintKeys,
    pub(super) set: &'a FingerprintSet,
    /// The part of all fingerprints: the first and the last share.
    pub(super) shares: (u32, u32),
    pub(super) watch: &'a dyn Watch,
    /// How many fingerprints are in the set or may be added to it now.
    pub(super) reserved: AtomicU64,
    pub(super) overflowed: AtomicBool,
}

/// What a pass found in a chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// New positions.
    pub(super) new: u64,
    /// Moves, those to positions of other parts included.
    pub(super) moves: u64,
}

impl Pass<'_> {
    /// Goes through a chunk. If `marks` are given, the bits of moves to new positions are set.
    pub(super) fn walk(
        &self,
        chunk: usize,
        marks: Option<&Mutex<Bits>>,
    ) -> Result<Found, DistinctError> {
        let mut guard = marks.map(|marks| marks.lock().unwrap_or_else(|error| error.into_inner()));
        let readers = self.tree.plies.iter().map(|ply| BitReader::new(&ply.chunks[chunk]));
        let mut walker = Walker {
            pass: self,
            readers: readers.collect(),
            lists: vec![Vec::new(); self.tree.plies.len()],
            batch: Batch::new(self.shares),
            marks: guard.as_deref_mut(),
            new: 0,
            stopped: false,
        };
        for root in self.tree.roots_of(chunk) {
            let position = self.tree.roots[root].unpack(self.tree.mode, 1)?;
            let fingerprint = self.keys.fingerprint(&position);
            let node = Node { walker: &mut walker, position: &position, fingerprint, depth: 0 };
            cpu::run(node);
        }
        walker.flush();
        let Walker { stopped, new, batch, .. } = walker;
        if stopped { Err(DistinctError::Cancelled) } else { Ok(Found { new, moves: batch.base }) }
    }
}

/// Walks through a chunk.
struct Walker<'a> {
    pass: &'a Pass<'a>,
    /// The bits of each ply.
    readers: Vec<BitReader<'a>>,
    /// For each ply, room for the fingerprints of the children of one node.
    lists: Vec<Vec<Fingerprint>>,
    batch: Batch,
    marks: Option<&'a mut Bits>,
    new: u64,
    stopped: bool,
}

impl Walker<'_> {
    /// Adds the fingerprints of the batch to the set.
    #[inline(never)]
    fn flush(&mut self) {
        let Self { pass, batch, .. } = self;
        let set = pass.set;
        let len = batch.len;
        let before = pass.reserved.fetch_add(len as u64, Ordering::Relaxed);
        if before + len as u64 > set.capacity() {
            pass.overflowed.store(true, Ordering::Relaxed);
            self.stopped = true;
        }
        if self.stopped {
            batch.clear();
            return;
        }
        let fingerprints = &batch.fingerprints[..len];
        let mut new = 0;
        for &next in &fingerprints[..AHEAD.min(len)] {
            set.prefetch(next);
        }
        for number in 0..len {
            if let Some(&next) = fingerprints.get(number + AHEAD) {
                set.prefetch(next);
            }
            if set.insert(fingerprints[number]) {
                new += 1;
                if let Some(marks) = &mut self.marks {
                    marks.set(batch.base + u64::from(batch.places[number]));
                }
            }
        }
        pass.reserved.fetch_sub(len as u64 - new, Ordering::Relaxed);
        self.new += new;
        batch.clear();
    }
}

/// Fingerprints that are not in the set yet.
struct Batch {
    fingerprints: [Fingerprint; ROOM],
    /// The number of each fingerprint's move after `base`.
    places: [u32; ROOM],
    len: usize,
    first_share: u32,
    /// The last share minus the first.
    span: u32,
    /// The number of moves before this batch.
    base: u64,
    /// The number of moves since, those to positions of other parts included.
    moves: u32,
}

impl Batch {
    fn new((first_share, last_share): (u32, u32)) -> Self {
        let span = last_share - first_share;
        Self {
            fingerprints: [0; ROOM],
            places: [0; ROOM],
            len: 0,
            first_share,
            span,
            base: 0,
            moves: 0,
        }
    }

    fn clear(&mut self) {
        self.base += u64::from(self.moves);
        self.moves = 0;
        self.len = 0;
    }

    /// Should the fingerprints be added to the set?
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
        // Without a jump, which could not be predicted.
        let is_ours = share_of(fingerprint).wrapping_sub(self.first_share) <= self.span;
        self.len += usize::from(is_ours);
    }
}

/// All fingerprints after the moves of one position.
impl Output for Vec<Fingerprint> {
    #[inline(always)]
    fn push(&mut self, fingerprint: Fingerprint) {
        Self::push(self, fingerprint);
    }
}

/// A node of the tree.
struct Node<'a, 'w> {
    walker: &'a mut Walker<'w>,
    position: &'a Position,
    fingerprint: Fingerprint,
    /// Plies after the roots.
    depth: usize,
}

impl Work for Node<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { walker, position, fingerprint, depth } = self;
        let keys = walker.pass.keys;
        let Some(reader) = walker.readers.get_mut(depth) else {
            let mut children = Children::new(position, fingerprint, keys, &mut walker.batch);
            position.generate_with::<Legal, _, _>(cpu.sliders(), &mut children);
            if walker.batch.is_full() {
                walker.flush();
            }
            return;
        };
        let moves = MoveList::of_with::<Legal, _>(position, cpu.sliders());
        let ones = reader.take(moves.len());
        if walker.stopped || walker.pass.watch.is_cancelled() {
            walker.stopped = true;
            return;
        }
        let mut fingerprints = mem::take(&mut walker.lists[depth]);
        fingerprints.clear();
        let mut children = Children::new(position, fingerprint, keys, &mut fingerprints);
        position.generate_with::<Legal, _, _>(cpu.sliders(), &mut children);
        for number in ones {
            let child = Node {
                walker: &mut *walker,
                position: &position.play(moves[number]),
                fingerprint: fingerprints[number],
                depth: depth + 1,
            };
            cpu.enter(child);
        }
        walker.lists[depth] = fingerprints;
    }
}
