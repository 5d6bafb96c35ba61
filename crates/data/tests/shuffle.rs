//! Orders are random, complete, and the same whatever memory there is.

use std::collections::HashMap;

use tabiya_data::Shuffle;

fn row(number: u64) -> [u8; 40] {
    let mut row = [0; 40];
    row[..8].copy_from_slice(&number.to_be_bytes());
    row
}

fn shuffled(count: u64, seed: u64, memory: usize) -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    let mut shuffle = Shuffle::new(seed, memory, folder.path());
    (0..count).for_each(|number| shuffle.push(&row(number)).unwrap());
    let rows = shuffle.finish().unwrap().collect::<Result<Vec<_>, _>>().unwrap().concat();
    let rows = rows.chunks(40).map(|row| u64::from_be_bytes(row[..8].try_into().unwrap()));
    rows.collect()
}

#[test]
fn the_order_depends_on_the_seed_alone() {
    let count = 50_000;
    let whole = shuffled(count, 1, 1 << 30);
    let mut sorted = whole.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..count), "each row is there once");
    assert!(whole.iter().copied().ne(0..count));
    // Files of about 390 rows, sorted alone; and divided again.
    for memory in [1000 * 48, 100 * 48] {
        assert_eq!(shuffled(count, 1, memory), whole);
    }
    assert_ne!(shuffled(count, 2, 1 << 30), whole);
    for small in [0, 1] {
        assert!(shuffled(small, 1, 48).into_iter().eq(0..small));
    }
}

/// All 24 orders of four rows come equally often: χ² with 23 degrees of freedom is below 60 but for one seed in
/// thirty thousand, and these seeds are fixed.
#[test]
fn every_order_has_the_same_chance() {
    let mut seen: HashMap<Vec<u64>, u32> = HashMap::new();
    let runs = 24_000;
    for seed in 0..runs {
        *seen.entry(shuffled(4, seed, 1 << 20)).or_default() += 1;
    }
    assert_eq!(seen.len(), 24);
    let expected = f64::from(runs as u32) / 24.0;
    let chi: f64 = seen.values().map(|&it| (f64::from(it) - expected).powi(2) / expected).sum();
    assert!(chi < 60.0, "{chi}");
}
