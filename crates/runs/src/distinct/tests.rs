//! Counts with little memory, compared with counts of whole positions, interrupted and damaged.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabiya::Position;

use super::plies::Budget;
use super::saved::{Head, Saved};
use super::{
    DistinctCount, DistinctError, DistinctOptions, DistinctTotal, Storage, distinct_status,
};
use crate::frontier;
use tabiya_perft::Seed;
use tabiya_perft::suite::{self, ReadOptions};
use tabiya_perft::{Progress, Watch};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A budget so small that the tree begins after one or two plies, its bits go to files, and the set
/// has its smallest size.
const TINY: Budget = Budget { total: 1 << 16 };

/// A budget so small that a ply with 57,548 positions takes several passes.
const SMALL: Budget = Budget { total: 1 << 19 };

fn count(root: &Position) -> DistinctCount {
    DistinctCount::new(root.clone(), DistinctOptions::default()).with_seed(Seed::from(1))
}

/// Counts with little memory on a number of threads.
fn run(
    count: &DistinctCount,
    plies: u32,
    budget: Budget,
    threads: usize,
    watch: &dyn Watch,
) -> Result<DistinctTotal, DistinctError> {
    let threads = NonZeroUsize::new(threads).unwrap();
    let storage = Storage::new(&DistinctOptions { threads, ..DistinctOptions::default() })?;
    count.run_with(plies, budget, &storage, watch)
}

/// The distinct positions at each ply, found by sorting whole positions.
fn by_whole_positions(root: &Position, plies: u32) -> Vec<u64> {
    (0..=plies).map(|ply| frontier(root, ply).unwrap().len() as u64).collect()
}

#[test]
fn counts_with_little_memory_are_those_of_whole_positions() {
    let mut compared = 0;
    for name in ["rules.epd", "rules-chess960.epd", "regression.epd", "regression-chess960.epd"] {
        let text = tabiya_suites::file(name).unwrap().text;
        for case in suite::read(text.as_bytes(), &ReadOptions::default()).cases {
            let root = case.position;
            let total = run(&count(&root), 3, TINY, 1 + compared % 3, &()).unwrap();
            assert!(total.complete && total.partial.is_none());
            assert_eq!(total.by_ply, by_whole_positions(&root, 3), "{root:?}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn many_passes_and_bits_in_files_change_nothing() {
    let kiwipete = Position::from_fen(KIWIPETE).unwrap();
    let of_kiwipete = [1, 48, 2038, 57548, 1_374_152];
    let of_start = [1, 20, 400, 5362, 72_078, 822_518];
    for (root, expected, bits, threads) in [
        (&Position::START, &of_start[..], 15, 3),
        (&kiwipete, &of_kiwipete[..4], 18, 3),
        (&kiwipete, &of_kiwipete, 20, 2),
        (&kiwipete, &of_kiwipete, 22, 1),
        (&kiwipete, &of_kiwipete, 30, 2),
    ] {
        // Emulated machines and sanitizers are slow.
        if std::env::var_os("TABIYA_SHORT_TESTS").is_some() && expected.len() == 5 {
            continue;
        }
        let (plies, budget) = (expected.len() as u32 - 1, Budget { total: 1 << bits });
        let total = run(&count(root), plies, budget, threads, &()).unwrap();
        assert_eq!(total.by_ply, expected, "2^{bits} bytes");
        assert_eq!(total.spilled > 0, bits == 15, "2^{bits} bytes, {} in files", total.spilled);
        assert!(total.risk() > 1e-21 && total.risk() < 1e-15, "{}", total.risk());
    }
}

/// With few pieces, a ply may have fewer positions than the previous one, or none.
#[test]
fn small_and_empty_plies() {
    for (fen, plies) in [
        ("8/8/3k4/8/8/4K3/8/8 w - - 0 1", 12),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 6),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 4),
        ("4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1", 4),
    ] {
        let root = Position::from_fen(fen).unwrap();
        let total = run(&count(&root), plies, TINY, 2, &()).unwrap();
        assert_eq!(total.by_ply, by_whole_positions(&root, plies), "{fen}");
    }
}

/// Asks to stop after a number of chunks.
struct StopAfter {
    chunks: usize,
    seen: AtomicUsize,
}

impl StopAfter {
    fn new(chunks: usize) -> Self {
        Self { chunks, seen: AtomicUsize::new(0) }
    }
}

impl Watch for StopAfter {
    fn is_cancelled(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.chunks
    }

    fn progress(&self, progress: Progress) {
        assert!((0.0..=1.0).contains(&progress.share), "{progress:?}");
        self.seen.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_count_continues() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    let expected = [1, 48, 2038, 57548];
    for threads in [1, 2] {
        // There are 48 chunks. Each run finishes more chunks than it needs to make progress.
        for chunks in [60, 75, 110, 140] {
            let folder = tempfile::tempdir().unwrap();
            let count = count(&root).with_checkpoint(folder.path().join("count"));
            let (mut stops, mut last) = (0, (0, 0));
            loop {
                let watch = StopAfter::new(chunks);
                let total = run(&count, 3, SMALL, threads, &watch).unwrap();
                if total.complete {
                    assert_eq!(total.by_ply, expected);
                    break;
                }
                let known = total.by_ply.len();
                assert_eq!(total.by_ply, expected[..known]);
                let partial = total.partial.map_or(0, |partial| {
                    let share = partial.projected() / expected[known] as f64;
                    assert!((0.9..1.1).contains(&share), "{partial:?}");
                    partial.shares
                });
                assert!((known, partial) > last, "no progress: {known} plies, {partial} shares");
                last = (known, partial);
                stops += 1;
                assert!(stops < 1000);
            }
            assert!(stops > 0, "{stops} stops after {chunks} chunks");
        }
    }
}

#[test]
fn a_stopped_count_without_a_checkpoint_says_what_it_knows() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    let total = run(&count(&root), 3, SMALL, 1, &StopAfter::new(120)).unwrap();
    assert!(!total.complete);
    assert_eq!(total.by_ply, [1, 48, 2038]);
    assert!(total.partial.unwrap().share() < 1.0);
}

/// A checkpoint of Kiwipete with all kinds of records, and the count.
fn checkpoint(folder: &Path) -> (DistinctCount, Vec<u8>) {
    let root = Position::from_fen(KIWIPETE).unwrap();
    let path = folder.join("count");
    let count = count(&root).with_checkpoint(path.clone());
    let total = run(&count, 3, SMALL, 1, &()).unwrap();
    assert_eq!(total.by_ply, [1, 48, 2038, 57548]);
    (count, fs::read(path).unwrap())
}

#[test]
fn without_temporary_files_the_plies_before_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let options = DistinctOptions { temp: folder.path().into(), ..DistinctOptions::default() };
    let storage = Storage::new(&options).unwrap();
    folder.close().unwrap();
    let error = count(&Position::START).run_with(5, TINY, &storage, &()).unwrap_err();
    let DistinctError::Stopped { error, known } = error else { panic!("{error:?}") };
    assert!(matches!(*error, DistinctError::TemporaryDirectory { .. }), "{error:?}");
    let known = known.by_ply;
    assert!(known.len() >= 2 && [1, 20, 400, 5362, 72_078].starts_with(&known), "{known:?}");
}

#[test]
fn a_checkpoint_serves_other_depths() {
    let folder = tempfile::tempdir().unwrap();
    let (count, bytes) = checkpoint(folder.path());
    // Everything is known, so nothing is counted.
    for plies in 0..=3 {
        let total = run(&count, plies, TINY, 1, &StopAfter::new(1)).unwrap();
        assert!(total.complete);
        assert_eq!(total.by_ply, [1, 48, 2038, 57548][..=plies as usize]);
    }
    assert_eq!(fs::read(folder.path().join("count")).unwrap(), bytes);
    let total = run(&count, 4, Budget { total: 1 << 22 }, 2, &()).unwrap();
    assert_eq!(total.by_ply, [1, 48, 2038, 57548, 1_374_152]);
    // The count uses the seed of the file, and refuses another one.
    assert_eq!(total.seed, Seed::from(1));
    let error = run(&count.clone().with_seed(Seed::from(2)), 3, TINY, 1, &()).unwrap_err();
    assert!(error.to_string().contains("another count: its seed is"), "{error}");
    let start = DistinctCount::new(Position::START, DistinctOptions::default());
    let start = start.with_checkpoint(folder.path().join("count"));
    let error = run(&start, 3, TINY, 1, &()).unwrap_err();
    assert!(error.to_string().contains("another count: its position is r3k2r"), "{error}");
}

#[test]
fn a_checkpoint_that_is_cut_off_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (count, bytes) = checkpoint(folder.path());
    let path = folder.path().join("count");
    for len in (0..40).chain((40..bytes.len()).step_by(211)) {
        for zeros in [0, 5, 300] {
            let mut cut = bytes[..len].to_vec();
            cut.resize(len + zeros, 0);
            fs::write(&path, &cut).unwrap();
            match run(&count, 3, SMALL, 1, &()) {
                Ok(total) => {
                    assert_eq!(total.by_ply, [1, 48, 2038, 57548], "cut at {len}");
                    assert_eq!(fs::read(&path).unwrap(), bytes, "cut at {len}");
                }
                // Zeros inside a record are damage.
                Err(error) => assert!(zeros > 0, "{error}: cut at {len}"),
            }
        }
    }
}

#[test]
fn a_damaged_checkpoint_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (count, bytes) = checkpoint(folder.path());
    let path = folder.path().join("count");
    for place in (0..bytes.len()).filter(|place| place % 97 == 0 || *place < 300) {
        for bit in [0, 6] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            fs::write(&path, &damaged).unwrap();
            let error = run(&count, 3, TINY, 1, &()).unwrap_err();
            let is_expected = match error {
                DistinctError::DamagedCheckpoint { .. } => place >= 16,
                DistinctError::ForeignCheckpoint { .. } => place < 16,
                _ => false,
            };
            assert!(is_expected, "{error}: byte {place}");
            assert!(error.to_string().starts_with(path.to_str().unwrap()), "{error}");
            // Nothing is removed from a damaged file.
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }
    for other in ["", "something else", "redb\u{1a}\n"] {
        fs::write(&path, other).unwrap();
        let result = run(&count, 2, TINY, 1, &());
        assert_eq!(result.is_ok(), other.is_empty(), "{other}");
    }
}

/// The file looks as if a version with another order of moves had written it: all checksums are
/// right.
#[test]
fn bits_that_lead_elsewhere_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (count, mut bytes) = checkpoint(folder.path());
    // Remove the records after the tree, so that the last ply is counted again.
    let tag = bytes.windows(4).position(|four| four == b"tree").unwrap();
    let length = u64::from_le_bytes(bytes[tag + 4..tag + 12].try_into().unwrap()) as usize;
    let contents = tag + 16..tag + 16 + length;
    bytes.truncate(contents.end + 4);
    // Change the last byte that has mixed bits, so that one move is added and another removed.
    let last = contents.clone().rev().find(|&place| ![0, 0xff].contains(&bytes[place])).unwrap();
    bytes[last] = bytes[last].rotate_left(1);
    let sum = crc32fast::hash(&bytes[contents.clone()]);
    bytes[contents.end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(folder.path().join("count"), bytes).unwrap();
    let error = run(&count, 3, TINY, 1, &()).unwrap_err();
    assert!(matches!(error, DistinctError::Corrupt { .. }), "{error}");
}

/// At every moment of a count, the status is true, and reading it does not change the file.
#[test]
fn the_status_of_a_checkpoint_is_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let (_, bytes) = checkpoint(folder.path());
    let path = folder.path().join("count");
    let expected = [1, 48, 2038, 57548];
    let (mut parts, mut last) = (0, 0.0);
    for len in (16..=bytes.len()).step_by(97).chain([bytes.len()]) {
        fs::write(&path, &bytes[..len]).unwrap();
        let status = match distinct_status(&path) {
            Ok(status) => status,
            // The header is not complete.
            Err(error) => {
                let is_foreign = matches!(error, DistinctError::ForeignCheckpoint { .. });
                assert!(is_foreign && last == 0.0 && len < 300, "{error}");
                continue;
            }
        };
        assert_eq!(fs::read(&path).unwrap(), bytes[..len]);
        assert_eq!(status.root.fen().to_string(), KIWIPETE);
        let total = status.total;
        let known = total.by_ply.len();
        assert_eq!(total.by_ply, expected[..known]);
        assert_eq!(total.seed, Seed::from(1));
        assert_eq!(total.complete, total.partial.is_none());
        let share = total.partial.map_or(0.0, |partial| {
            let ratio = partial.projected() / expected[known] as f64;
            assert!((0.9..1.1).contains(&ratio), "{partial:?}");
            partial.share()
        });
        assert!(share < 1.0 && known as f64 + share >= last, "{known} and {share} after {last}");
        parts += usize::from(share > 0.0);
        last = known as f64 + share;
    }
    assert_eq!(last, 4.0);
    assert!(parts > 0);
    // Read the status while another process writes to the file.
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    assert_eq!(distinct_status(&path).unwrap().total.by_ply, expected);
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, damaged).unwrap();
    let error = distinct_status(&path).unwrap_err();
    assert!(matches!(error, DistinctError::DamagedCheckpoint { .. }), "{error}");
}

#[test]
fn two_counts_cannot_use_one_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let (count, _) = checkpoint(folder.path());
    let held = fs::File::open(folder.path().join("count")).unwrap();
    held.lock().unwrap();
    let error = run(&count, 3, TINY, 1, &()).unwrap_err();
    assert!(matches!(error, DistinctError::CheckpointInUse { .. }), "{error}");
}

/// What a count knows whose checkpoint was moved.
#[cfg(unix)]
fn known_when_moved(error: DistinctError) -> DistinctTotal {
    match error {
        DistinctError::Stopped { error, known }
            if matches!(*error, DistinctError::MovedCheckpoint { .. }) =>
        {
            *known
        }
        error => panic!("{error:?}"),
    }
}

/// Changes a file after a number of chunks.
struct ChangeAfter<'a> {
    chunks: StopAfter,
    change: &'a (dyn Fn() + Sync),
}

impl Watch for ChangeAfter<'_> {
    fn progress(&self, progress: Progress) {
        self.chunks.progress(progress);
        if self.chunks.is_cancelled() {
            (self.change)();
        }
    }
}

#[test]
#[cfg(unix)]
fn a_checkpoint_that_is_removed_or_replaced_meanwhile_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    let root = Position::from_fen(KIWIPETE).unwrap();
    let count = count(&root).with_checkpoint(path.clone());
    let remove = || {
        let _ = fs::remove_file(&path);
    };
    let replace = || {
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        fs::rename(other, &path).unwrap();
    };
    let changes: [&(dyn Fn() + Sync); 2] = [&remove, &replace];
    for change in changes {
        let watch = ChangeAfter { chunks: StopAfter::new(75), change };
        let error = run(&count, 3, SMALL, 1, &watch).unwrap_err();
        assert!(error.to_string().ends_with("removed while it was open"), "{error}");
        let known = known_when_moved(error);
        assert_eq!(known.by_ply, [1, 48, 2038], "what was counted is known");
        assert!(!known.complete);
        let _ = fs::remove_file(&path);
    }
}

/// Removes a file when everything is counted.
struct RemoveAtEnd<'a>(&'a Path);

impl Watch for RemoveAtEnd<'_> {
    fn progress(&self, progress: Progress) {
        if progress.share > 0.9999 {
            let _ = fs::remove_file(self.0);
        }
    }
}

/// The record of the last pass, which cannot be written, is not needed for the answer.
#[test]
#[cfg(unix)]
fn a_result_that_cannot_be_written_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    let root = Position::from_fen(KIWIPETE).unwrap();
    let count = count(&root).with_checkpoint(path.clone());
    let error = run(&count, 3, SMALL, 1, &RemoveAtEnd(&path)).unwrap_err();
    let known = known_when_moved(error);
    assert_eq!(known.by_ply, [1, 48, 2038, 57548]);
    assert!(known.complete && known.partial.is_none());
}

/// A count keeps few positions at the roots of its tree. Another file, whose checksums are right,
/// could ask for any number of them.
#[test]
fn a_checkpoint_with_too_many_roots_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    drop(Saved::create(&path, &Head::new(&Position::START, Seed::from(1), 8)).unwrap());
    let count = count(&Position::START).with_checkpoint(path.clone());
    let counted = run(&count, 8, TINY, 1, &()).unwrap_err();
    for error in [counted, distinct_status(&path).unwrap_err()] {
        assert!(matches!(error, DistinctError::DamagedCheckpoint { .. }), "{error}");
    }
}

#[test]
fn a_checkpoint_that_cannot_be_created_is_an_error() {
    let count = count(&Position::START).with_checkpoint("/nowhere/count".into());
    let error = run(&count, 4, TINY, 1, &()).unwrap_err();
    assert!(matches!(error, DistinctError::Checkpoint { .. }), "{error}");
    // The first plies need no checkpoint.
    assert!(run(&count, 1, TINY, 1, &()).is_ok());
}

/// Between the look for a checkpoint and its creation, another process may have created it.
#[test]
fn a_checkpoint_that_another_process_has_created_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    let (_, bytes) = checkpoint(folder.path());
    let head = Head::new(&Position::START, Seed::from(1), 2);
    let error = Saved::create(&path, &head).unwrap_err();
    assert!(matches!(error, DistinctError::CheckpointInUse { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
    fs::write(&path, "precious").unwrap();
    let error = Saved::create(&path, &head).unwrap_err();
    assert!(matches!(error, DistinctError::ForeignCheckpoint { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    // A file that contains nothing yet is taken.
    fs::write(&path, "").unwrap();
    drop(Saved::create(&path, &head).unwrap());
    assert!(Saved::open(&path).unwrap().is_some());
}
