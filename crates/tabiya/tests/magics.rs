//! Finds the magic multipliers of the library by trial.
//!
//! The trials come from a fixed seed, so a second search finds the same numbers; that is how the
//! committed file is checked. `TABIYA_WRITE_MAGICS=1 cargo test -p tabiya --test magics` writes it.

use std::fmt::Write as _;

use tabiya::attacks::{Hyperbola, Sliders, relevant};
use tabiya::{Bitboard, Square};

/// The header of the generated file.
const HEADER: &str =
    "//! The multipliers of [`magic`](super::magic), one for each square, a1 first.
//!
//! The test `magics` found them, and finds them again in each run.

";

#[test]
fn the_search_finds_the_committed_multipliers() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/attacks/magic_numbers.rs");
    if std::env::var_os("TABIYA_WRITE_MAGICS").is_some() {
        std::fs::write(file, source()).unwrap();
    }
    assert!(
        std::fs::read_to_string(file).unwrap() == source(),
        "the search finds other multipliers"
    );
}

/// The text of `magic_numbers.rs`.
fn source() -> String {
    let mut seed = 0x7461_6269_7961_0001;
    let mut text = HEADER.to_owned();
    list(&mut text, "ROOK", |square| {
        find(&mut seed, square, relevant::rook(square), |s, o| Hyperbola.rook(s, o))
    });
    text.push('\n');
    list(&mut text, "BISHOP", |square| {
        find(&mut seed, square, relevant::bishop(square), |s, o| Hyperbola.bishop(s, o))
    });
    text
}

fn list(text: &mut String, name: &str, mut magic: impl FnMut(Square) -> u64) {
    writeln!(text, "#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [").unwrap();
    for row in Square::ALL.chunks(4) {
        let numbers: Vec<String> = row
            .iter()
            .map(|&square| {
                let hex = format!("{:016x}", magic(square));
                let groups: Vec<&str> = (0..4).map(|i| &hex[4 * i..4 * i + 4]).collect();
                format!("0x{}", groups.join("_"))
            })
            .collect();
        writeln!(text, "    {},", numbers.join(", ")).unwrap();
    }
    text.push_str("];\n");
}

/// The first multiplier in the sequence of trials that works for one square.
fn find(
    seed: &mut u64,
    square: Square,
    mask: Bitboard,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
) -> u64 {
    let cases: Vec<(u64, u64)> =
        mask.subsets().map(|subset| (subset.0, attacks(square, subset).0)).collect();
    let shift = 64 - mask.len();
    let mut table = vec![0u64; cases.len()];
    loop {
        // Numbers with few bits work more often than others.
        let trial = next(seed) & next(seed) & next(seed);
        if mask.0.wrapping_mul(trial).leading_zeros() > 6 {
            continue;
        }
        table.fill(0);
        let works = cases.iter().all(|&(subset, attacks)| {
            let place = &mut table[(subset.wrapping_mul(trial) >> shift) as usize];
            let free = *place == 0 || *place == attacks;
            *place = attacks;
            free
        });
        if works {
            return trial;
        }
    }
}

/// The xorshift64* generator of Sebastiano Vigna.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    seed.wrapping_mul(0x2545_f491_4f6c_dd1d)
}
