//! The table under concurrency: every interleaving of small cases, and a stress test of a large
//! one.

use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_perft::table::{Bucket, HashSize, Key, Table, Word};

/// A word whose every interleaving is tried.
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
    // A torn entry takes two switches between threads; three leave room for one more.
    model.preemption_bound = Some(3);
    model.check(|| {
        let bucket = loom::sync::Arc::new(Bucket::<Modelled>::default());
        let writers = [(A, 100), (B, 200)].map(|(key, count)| {
            let bucket = bucket.clone();
            loom::thread::spawn(move || bucket.put(key, 3, count))
        });
        let found = bucket.get(A, 3);
        assert!(found.is_none_or(|found| found == 100), "{found:?}");
        for writer in writers {
            writer.join().unwrap();
        }
    });
}

#[test]
fn the_cheapest_entry_goes_first() {
    let bucket = Bucket::<std::sync::atomic::AtomicU64>::default();
    let key = |number: u64| Key { place: 0, check: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
    for number in 1..=8u64 {
        // Counts 80, 70, … 10: later entries are cheaper.
        bucket.put(key(number), 3, 10 * (9 - number));
    }
    let kept: Vec<u64> = (1..=8).filter(|&number| bucket.get(key(number), 3).is_some()).collect();
    assert_eq!(kept, [1, 2, 3, 8], "the three most expensive and the latest");
}

#[test]
fn threads_never_read_what_nobody_wrote() {
    // A tiny table, so that all threads meet in the same buckets all the time.
    let table = Table::new(HashSize::mebibytes(1), 42).unwrap();
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
                    let key = table.key(&[number, count(number), 0, 0]);
                    let depth = 1 + (number % 5) as u32;
                    match table.get(key, depth) {
                        Some(found) if found != count(number) => {
                            wrong.store(true, Ordering::Relaxed);
                        }
                        Some(_) => {}
                        None => table.put(key, depth, count(number)),
                    }
                }
            });
        }
    });
    assert!(!wrong.into_inner());
    assert!(table.load() > 0.9, "{}", table.load());
}

/// A table grows when it is needed, and forgets little on the way.
#[test]
fn a_table_grows() {
    const NUMBERS: u64 = 4_000_000;
    let table = Table::new(HashSize::mebibytes(128), 5).unwrap();
    assert_eq!(table.bytes_in_use(), 16 << 20);
    for number in 0..NUMBERS {
        table.put(table.key(&[number, 0, 0, 0]), 3, number);
    }
    assert_eq!(table.bytes_in_use(), 128 << 20);
    let mut kept = 0;
    for number in 0..NUMBERS {
        let found = table.get(table.key(&[number, 0, 0, 0]), 3);
        assert!(found.is_none_or(|found| found == number));
        kept += u64::from(found.is_some());
    }
    // Buckets overflow now and then before the table grows.
    assert!(kept > NUMBERS / 5 * 4, "{kept} of {NUMBERS} are kept");
    let filled = kept as f64 / f64::from(128 << 20) * 16.0;
    assert!((filled - 0.03..filled + 0.03).contains(&table.load()), "{}", table.load());
}

/// While one thread lets the table grow, the others read and write. They may lose what moves, but
/// what they find is right.
#[test]
fn a_table_grows_under_many_threads() {
    const NUMBERS: u64 = 3_000_000;
    let table = Table::new(HashSize::mebibytes(64), 6).unwrap();
    let wrong = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (table, wrong) = (&table, &wrong);
            scope.spawn(move || {
                for number in (thread..NUMBERS).step_by(3) {
                    table.put(table.key(&[number, 0, 0, 0]), 3, number);
                    let other = number / 2;
                    let found = table.get(table.key(&[other, 0, 0, 0]), 3);
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
        let found = table.get(table.key(&[*number, 0, 0, 0]), 3);
        assert!(found.is_none_or(|found| found == *number));
        found.is_some()
    };
    // How much moves while others write is a matter of luck, but never most of it.
    let kept = (0..NUMBERS).filter(kept).count() as u64;
    assert!(kept > NUMBERS / 4, "{kept} of {NUMBERS} are kept");
}

#[test]
fn counts_that_do_not_fit_are_not_kept() {
    let table = Table::new(HashSize::mebibytes(1), 5).unwrap();
    let key = table.key(&[1, 2, 3, 4]);
    table.put(key, 9, (1 << 46) - 1);
    assert_eq!(table.get(key, 9), Some((1 << 46) - 1));
    table.put(key, 10, 1 << 46);
    assert_eq!(table.get(key, 10), None);
}

#[test]
fn a_size_that_cannot_be_had_is_an_error() {
    let error = Table::new(HashSize::mebibytes(1 << 40), 0).unwrap_err();
    assert!(error.to_string().contains("MiB"), "{error}");
}
