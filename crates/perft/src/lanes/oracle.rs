//! The vectors against words, and digits against numbers.

use tabiya::SplitMix64;

use super::digits::Digits;
use super::direction::origins;
use super::words::Words;
use super::{Lanes, Row, Ymm, Zmm, kinds};

const ROWS: usize = 128;

/// The square `s` has the number `of(s)`.
fn digits(of: impl Fn(u64) -> u64) -> Digits<Words> {
    let mut digits = Digits::<Words>::zero();
    for s in 0..64 {
        for (i, digit) in digits.0.iter_mut().enumerate() {
            digit.0[0] |= (of(s) >> i & 1) << s;
        }
    }
    digits
}

fn value(digits: &[Words], s: u64) -> u64 {
    digits.iter().enumerate().map(|(i, digit)| (digit.0[0] >> s & 1) << i).sum()
}

fn set(of: impl Fn(u64) -> bool) -> Words {
    Words::splat((0..64).filter(|&s| of(s)).fold(0, |set, s| set | 1 << s))
}

#[test]
fn digits_are_added_and_subtracted() {
    // The number before is the square's rest by 32, so each sum up to 31 is tried with each addend.
    for more in 0..8 {
        let mut sum = digits(|s| s % 32);
        sum.add_number(std::array::from_fn(|i| set(|s| more >> i & 1 != 0 && s % 32 + more < 32)));
        for s in 0..64 {
            let expected = if s % 32 + more < 32 { s % 32 + more } else { s % 32 };
            assert_eq!(value(&sum.0, s), expected);
        }
    }
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let fits = |s: u64| s % 32 + a + b < 32;
        let mut sum = digits(|s| s % 32);
        sum.add_two(set(|s| fits(s) && a == 1), set(|s| fits(s) && b == 1));
        let mut twice = digits(|s| s % 32);
        twice.add(set(|s| fits(s) && a == 1));
        twice.add(set(|s| fits(s) && b == 1));
        for s in 0..64 {
            let expected = if fits(s) { s % 32 + a + b } else { s % 32 };
            assert_eq!(value(&sum.0, s), expected);
            assert_eq!(value(&twice.0, s), expected);
        }
    }
    let mut sum = digits(|s| s % 29);
    sum.add_three(set(|s| s % 2 == 0));
    for s in 0..64 {
        assert_eq!(value(&sum.0, s), s % 29 + if s % 2 == 0 { 3 } else { 0 });
    }
    for less in 0..32 {
        let difference = digits(|s| s % 32).minus(&digits(|_| less));
        for s in 0..64 {
            // Two's complement of six digits.
            assert_eq!(value(&difference, s), (s % 32 + 64 - less) % 64);
        }
    }
}

/// Every operation on the lanes, with random words.
#[inline(always)]
fn operations<L: Lanes>(rows: &[Row; ROWS], number: u8) -> Vec<[u64; 8]> {
    let index: [u8; 8] =
        std::array::from_fn(|lane| number.wrapping_mul(5).wrapping_add(lane as u8) % 100);
    let numbers: [u8; 8] = std::array::from_fn(|lane| (number + 9 * lane as u8) % 80);
    let columns = L::columns(rows, &index);
    let [a, b, c, sparse, ..] = columns;
    let low = L::splat(u32::MAX.into());
    let mut sum = b;
    L::count(&mut sum, a);
    L::count_thrice(&mut sum, c);
    let lanes = [
        L::splat(a.any().into()),
        L::splat(L::splat(0).any().into()),
        L::splat(sparse.occupied().into()),
        L::squares(&numbers),
        a & b,
        a | b,
        a ^ b,
        !a,
        a.shl(7),
        a.shr(9),
        a.turned(),
        sparse.decrement(),
        a.without(b),
        a.if_any(sparse),
        a.if_none(sparse),
        L::parity(a, b, c),
        L::majority(a, b, c),
        a.plus(b),
        a.minus(b),
        (a & low).times(b & low),
        a.size(),
        sum,
        L::load(&rows[usize::from(number)]),
        L::look_up(&rows[0], &numbers),
        a.rotated(b),
        origins(L::squares(&numbers), &index, a),
    ];
    let words = |lanes: &L| {
        let mut words = [0; 8];
        lanes.put(&mut words);
        words
    };
    columns.iter().chain(&lanes).map(words).collect()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn operations_by_avx2(rows: &[Row; ROWS], number: u8) -> Vec<[u64; 8]> {
    operations::<Ymm>(rows, number)
}

#[target_feature(enable = "avx512f,avx512cd,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn operations_by_avx512(rows: &[Row; ROWS], number: u8) -> Vec<[u64; 8]> {
    operations::<Zmm>(rows, number)
}

#[test]
fn vectors_do_what_words_do() {
    let mut random = SplitMix64::new(0x5eed_0017);
    let mut rows = [Row::default(); ROWS];
    for row in &mut rows {
        *row = std::array::from_fn(|_| random.number());
        // Half of the lanes are empty here.
        row[3] *= random.below(2) as u64;
    }
    for number in 0..40 {
        let expected = operations::<Words>(&rows, number);
        {
            if crate::leaf::Bmi2::detect().is_some() {
                // SAFETY: `detect` has found the features that `operations_by_avx2` enables.
                assert_eq!(unsafe { operations_by_avx2(&rows, number) }, expected, "AVX2");
            }
            if crate::leaf::Avx512::detect().is_some() {
                // SAFETY: `detect` has found the features that `operations_by_avx512` enables.
                assert_eq!(unsafe { operations_by_avx512(&rows, number) }, expected, "AVX-512");
            }
        }
    }
}

/// Lists are the same up to their ends; beyond them there may be anything.
#[inline(always)]
fn listed<L: Lanes>(set: u64, number: u8) -> [Vec<u8>; 3] {
    let [mut rows, mut from, mut to] = [[0xee; 64]; 3];
    L::list(
        number,
        set,
        if number.is_multiple_of(2) { 63 } else { 0 },
        number,
        [&mut rows, &mut from, &mut to],
    );
    [rows, from, to].map(|list| list[..set.count_ones() as usize].to_vec())
}

#[target_feature(enable = "avx512f,avx512cd,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn listed_by_avx512(set: u64, number: u8) -> [Vec<u8>; 3] {
    listed::<Zmm>(set, number)
}

#[test]
fn moves_are_listed_alike() {
    let mut random = SplitMix64::new(0x5eed_0018);
    for number in 0..100 {
        // Few squares, and many.
        let few = random.number() & random.number() & random.number();
        for set in [0, few, random.number(), !0] {
            let words = listed::<Words>(set, number);
            assert_eq!(words[0], vec![number; set.count_ones() as usize]);
            let targets: Vec<u8> = (0..64).filter(|square| set >> square & 1 == 1).collect();
            assert_eq!(words[2], targets);
            if crate::leaf::Avx512::detect().is_some() {
                // SAFETY: `detect` has found the features that `listed_by_avx512` enables.
                assert_eq!(unsafe { listed_by_avx512(set, number) }, words);
            }
        }
    }
}

/// The lanes find the first piece on the way back, as a look along the ray does.
#[test]
fn sliders_began_where_a_ray_says() {
    let mut random = SplitMix64::new(0x5eed_0019);
    for _ in 0..2000 {
        let occupied = random.number() & random.number();
        let directions: [u8; 8] = std::array::from_fn(|lane| lane as u8);
        let to: [u8; 8] = std::array::from_fn(|_| random.below(64) as u8);
        let found = origins(Words::squares(&to), &directions, Words::splat(occupied));
        for (lane, (to, found)) in to.into_iter().zip(found.0).enumerate() {
            let expected = match crate::node::tables::RAYS[usize::from(to)][lane ^ 4] & occupied {
                0 => 0,
                _ => 1 << kinds::origin(to.into(), lane as u8, occupied),
            };
            assert_eq!(found, expected);
        }
    }
}
