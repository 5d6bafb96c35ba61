//! Counting ply by ply.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya::Position;
use tabiya::packed::PackedIdentity;

use super::bits::Bits;
use super::fingerprint::FingerprintKeys;
use super::pass::{Found, Pass};
use super::set::FingerprintSet;
use super::tree::{Tree, TreePly};
use super::{DistinctError, Storage};
use crate::pool::Pool;
use crate::progress::Watch;
use crate::seed::Seed;

/// The number of all shares of fingerprints.
const SHARES: u64 = 1 << 32;

pub(super) fn count(
    root: &Position,
    plies: u32,
    storage: &Storage,
    memory: u64,
    watch: &dyn Watch,
    by_ply: &mut Vec<u64>,
) -> Result<(), DistinctError> {
    let pool = &storage.pool;
    let mut roots = vec![PackedIdentity::of(root)];
    let mode = root.castling_mode();
    let plies = plies as usize;
    let mut moves = 0;
    while by_ply.len() <= plies {
        moves = count_moves(&roots, mode, pool)?;
        if moves * PackedIdentity::BYTES as u64 > memory / 16 {
            break;
        }
        roots = expand(&roots, mode, pool)?;
        by_ply.push(roots.len() as u64);
    }
    let mut tree = Tree { mode, roots, plies: Vec::new() };
    let keys = FingerprintKeys::new(Seed::random().map_err(|_| DistinctError::OutOfMemory)?);
    let mut nodes = moves;
    while by_ply.len() <= plies {
        let keep = by_ply.len() < plies;
        let ply = count_ply(&tree, &keys, keep, moves, nodes, memory, pool, watch)?;
        let before = by_ply[by_ply.len() - 1];
        by_ply.push(ply.nodes);
        moves = (ply.moves as f64 / before as f64 * 1.1 * ply.nodes as f64) as u64;
        nodes = (moves as f64 * ply.nodes as f64 / ply.moves as f64) as u64;
        tree.plies.push(ply);
    }
    Ok(())
}

#[expect(clippy::too_many_arguments)]
fn count_ply(
    tree: &Tree,
    keys: &FingerprintKeys,
    keep: bool,
    moves: u64,
    nodes: u64,
    memory: u64,
    pool: &Pool,
    watch: &dyn Watch,
) -> Result<TreePly, DistinctError> {
    let used = tree.bytes() + if keep { moves / 6 } else { 0 };
    let free = memory.saturating_sub(used).max(1 << 20);
    let wanted = FingerprintSet::bytes_for((nodes as f64 * 1.2) as u64).max(1 << 20);
    let set = FingerprintSet::new(wanted.min(free))?;
    let capacity = set.capacity();
    let mut width = SHARES;
    if (capacity as f64) < nodes as f64 * 1.15 {
        width = (SHARES as f64 * capacity as f64 * 0.85 / nodes as f64) as u64;
    }
    let chunks = tree.chunks();
    let mut fresh = true;
    'again: loop {
        let marks: Vec<Mutex<Bits>> = (0..if keep { chunks } else { 0 }).map(|_| Mutex::default()).collect();
        let mut total = Found::default();
        let mut first = 0;
        while first < SHARES {
            let last = (first + width).min(SHARES) - 1;
            if !fresh {
                pool.map(64, |part| set.clear(part, 64));
            }
            fresh = false;
            let begin = std::time::Instant::now();
            let pass = Pass {
                tree,
                keys,
                set: &set,
                shares: (first as u32, last as u32),
                watch,
                reserved: AtomicU64::new(0),
                overflowed: AtomicBool::new(false),
            };
            let found = pool.map(chunks, |chunk| pass.walk(chunk, marks.get(chunk)));
            if pass.overflowed.load(Ordering::Relaxed) {
                eprintln!("overflow at {first}");
                width = (width / 2).max(1);
                continue 'again;
            }
            let (mut new, mut moves) = (0, 0);
            for found in found {
                let found = found?;
                new += found.new;
                moves += found.moves;
            }
            eprintln!("pass {first}..{last}: {new} of {capacity}, {moves} moves, {:?}", begin.elapsed());
            total.new += new;
            total.moves = moves;
            if first == 0 && last + 1 < SHARES {
                let density = new as f64 / width as f64;
                let most = capacity as f64 * 0.98 / density;
                let left = SHARES - (last + 1);
                let passes = (left as f64 / most).ceil();
                width = (left as f64 / passes).ceil() as u64;
            }
            first = last + 1;
        }
        let chunks = marks.into_iter().map(|marks| marks.into_inner().unwrap()).collect();
        return Ok(TreePly { chunks, nodes: total.new, moves: total.moves });
    }
}

fn count_moves(
    roots: &[PackedIdentity],
    mode: tabiya::CastlingMode,
    pool: &Pool,
) -> Result<u64, DistinctError> {
    let chunks: Vec<&[PackedIdentity]> = roots.chunks(1024).collect();
    let counts = pool.map(chunks.len(), |number| {
        let mut moves = 0;
        for packed in chunks[number] {
            moves += packed.unpack(mode, 1)?.count_legal() as u64;
        }
        Ok::<u64, DistinctError>(moves)
    });
    counts.into_iter().sum()
}

fn expand(
    roots: &[PackedIdentity],
    mode: tabiya::CastlingMode,
    pool: &Pool,
) -> Result<Vec<PackedIdentity>, DistinctError> {
    let chunks: Vec<&[PackedIdentity]> = roots.chunks(1024).collect();
    let children = pool.map(chunks.len(), |number| {
        let mut children = Vec::new();
        for packed in chunks[number] {
            let position = packed.unpack(mode, 1)?;
            children.extend(
                position.legal_moves().iter().map(|&mv| PackedIdentity::of(&position.play(mv))),
            );
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
