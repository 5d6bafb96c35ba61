//! The table under concurrency: every interleaving of a small case, and stress tests of large ones.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bucket::{Bucket, Word};
use super::{HashSize, Key, MAX_COUNT, Table};

/// A word for which the model tries every interleaving.
#[derive(Debug)]
struct Modelled(loom::sync::atomic::AtomicU64);

impl Default for Modelled {
    fn default() -> Self {
        Self(loom::sync::atomic::AtomicU64::new(0))
    }
}

impl Word for Modelled {
    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }
}

const A: Key = Key { place: 0, check: 0x1234_5678_9abc_def1 };
const B: Key = Key { place: 0, check: 0xfedc_ba98_7654_3211 };

#[test]
fn no_interleaving_of_two_writers_and_a_reader_gives_a_wrong_count() {
    let mut model = loom::model::Builder::new();
    // Two switches between threads produce a torn entry. Three allow one more.
    model.preemption_bound = Some(3);
    model.check(|| {
        let bucket = loom::sync::Arc::new(Bucket::<Modelled>::default());
        let writers = [(A, 100), (B, 200)].map(|(key, count)| {
            let bucket = bucket.clone();
            loom::thread::spawn(move || bucket.put(key, count))
        });
        let found = bucket.get(A);
        assert!(found.is_none_or(|found| found == 100), "{found:?}");
        for writer in writers {
            writer.join().unwrap();
        }
    });
}

#[test]
fn the_cheapest_entry_is_replaced_first() {
    let bucket = Bucket::<std::sync::atomic::AtomicU64>::default();
    let key = |number: u64| Key { place: 0, check: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
    for number in 1..=8u64 {
        // Counts 80, 70, … 10: later entries are cheaper.
        bucket.put(key(number), 10 * (9 - number));
    }
    let kept: Vec<u64> = (1..=8).filter(|&number| bucket.get(key(number)).is_some()).collect();
    assert_eq!(kept, [1, 2, 3, 8], "the three most expensive entries and the latest");
}

#[test]
fn no_thread_reads_a_count_that_was_never_stored() {
    // The table is tiny, so all threads use the same buckets all the time.
    let table = Table::new(HashSize::mebibytes(1), 42.into()).unwrap();
    let count = |number: u64| number.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20;
    let wrong = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (table, wrong) = (&table, &wrong);
            scope.spawn(move || {
                let mut state = thread + 1;
                for _ in 0..1_000_000 {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let number = state >> 46;
                    let depth = 1 + (number % 5) as u32;
                    let key = table.key(&[number, count(number), 0, 0], depth);
                    match table.get(key) {
                        Some(found) if found != count(number) => {
                            wrong.store(true, Ordering::Relaxed);
                        }
                        Some(_) => {}
                        None => table.put(key, count(number)),
                    }
                }
            });
        }
    });
    assert!(!wrong.into_inner());
    assert!(table.load() > 0.9, "{}", table.load());
}

/// A table loses some entries before it grows, most of them with small counts.
#[test]
fn a_table_grows_when_it_fills_up() {
    const NUMBERS: u64 = 4_000_000;
    let table = Table::new(HashSize::mebibytes(64), 5.into()).unwrap();
    assert_eq!(table.bytes_in_use(), 16 << 20);
    for number in 0..NUMBERS {
        table.put(table.key(&[number, 0, 0, 0], 3), number);
    }
    assert_eq!(table.bytes_in_use(), 64 << 20);
    let kept = |numbers: std::ops::Range<u64>| {
        let found = |&number: &u64| {
            let found = table.get(table.key(&[number, 0, 0, 0], 3));
            assert!(found.is_none_or(|found| found == number));
            found.is_some()
        };
        numbers.filter(found).count() as u64
    };
    // Full buckets lose their least counts before the table grows.
    let (less, more) = (kept(0..NUMBERS / 2), kept(NUMBERS / 2..NUMBERS));
    assert!(less > NUMBERS / 8, "{less} of the lesser half are kept");
    assert!(more > NUMBERS / 20 * 9, "{more} of the greater half are kept");
    let kept = less + more;
    let filled = kept as f64 / f64::from(64 << 20) * 16.0;
    assert!((filled - 0.03..filled + 0.03).contains(&table.load()), "{}", table.load());
}

/// One thread makes the table grow while the others read and write. They may lose entries that
/// move, but the entries that they find are right.
#[test]
fn a_table_grows_while_other_threads_use_it() {
    const NUMBERS: u64 = 3_000_000;
    let table = Table::new(HashSize::mebibytes(64), 6.into()).unwrap();
    let wrong = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (table, wrong) = (&table, &wrong);
            scope.spawn(move || {
                for number in (thread..NUMBERS).step_by(3) {
                    table.put(table.key(&[number, 0, 0, 0], 3), number);
                    let other = number / 2;
                    let found = table.get(table.key(&[other, 0, 0, 0], 3));
                    if found.is_some_and(|found| found != other) {
                        wrong.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(!wrong.into_inner());
    assert!(table.bytes_in_use() > 16 << 20);
    let kept = |number: &u64| {
        let found = table.get(table.key(&[*number, 0, 0, 0], 3));
        assert!(found.is_none_or(|found| found == *number));
        found.is_some()
    };
    // The loss depends on the timing of the threads, but it is never more than half.
    let kept = (0..NUMBERS).filter(kept).count() as u64;
    assert!(kept > NUMBERS / 4, "{kept} of {NUMBERS} are kept");
}

#[test]
fn counts_that_do_not_fit_are_not_stored() {
    let table = Table::new(HashSize::mebibytes(1), 5.into()).unwrap();
    let key = |depth| table.key(&[1, 2, 3, 4], depth);
    for (depth, count) in [(9, MAX_COUNT), (10, 0), (11, 1), (255, 1 << 46)] {
        table.put(key(depth), count);
        assert_eq!(table.get(key(depth)), Some(count), "depth {depth}");
    }
    table.put(key(12), MAX_COUNT + 1);
    table.put(key(13), u64::MAX);
    assert_eq!((table.get(key(12)), table.get(key(13))), (None, None));
}

/// An endgame has few positions and many depths. The depths must not share one bucket.
#[test]
fn the_depths_of_a_position_do_not_displace_each_other() {
    let table = Table::new(HashSize::mebibytes(1), 5.into()).unwrap();
    let key = |depth| table.key(&[1, 2, 3, 4], depth);
    (0..=255).for_each(|depth| table.put(key(depth), depth.into()));
    let kept = (0..=255).filter(|&depth| table.get(key(depth)) == Some(depth.into())).count();
    assert!(kept > 250, "{kept}");
}

#[test]
fn a_table_larger_than_memory_is_an_error() {
    let error = Table::new(HashSize::mebibytes(1 << 40), 0.into()).unwrap_err();
    assert!(error.to_string().contains("MiB"), "{error}");
}

#[test]
fn counts_of_all_sizes_are_kept_in_one_of_the_levels() {
    let table = Table::new(HashSize::mebibytes(1), 5.into()).unwrap();
    let (most, wide) = (u128::from(MAX_COUNT), u128::from(u64::MAX));
    let counts = [0, 1, most - 1, most, most + 1, 1 << 52, wide - 1, wide, wide + 1, u128::MAX];
    for (depth, count) in (10..).zip(counts) {
        table.put_wide(&[1, 2, 3, 4], depth, count);
    }
    for (depth, count) in (10..).zip(counts) {
        assert_eq!(table.get_wide(&[1, 2, 3, 4], depth), Some(count), "depth {depth}");
        let narrow = table.get(table.key(&[1, 2, 3, 4], depth));
        assert_eq!(narrow.map(u128::from), Some(count).filter(|&count| count <= most));
    }
    assert_eq!(table.get_wide(&[1, 2, 3, 4], 9), None);
}
