//! A count needs as little stack as the documentation says. A segmentation fault is the failure.

use std::num::NonZeroUsize;
use std::thread;

use tabiya::Position;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{
    CategoryTable, Effort, Engine, EstimateOptions, Isa, Options, Seed, categories,
    categories_with_table, estimate, perft, reference_categories, reference_perft,
};

/// Each side has at most two moves, all of them with its king on its own rank.
const CORRIDORS: &str = "k7/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The stack that a count to this depth needs, in bytes. Code that is not optimised needs more.
fn stack(depth: u32) -> usize {
    let documented = (72 + 2 * depth as usize) << 10;
    if cfg!(debug_assertions) { 8 * documented } else { documented }
}

/// Runs a count of each position on a thread with this little stack: a position with many moves
/// three plies deep, and one with few moves.
fn with_little_stack(depth: u32, count: impl Fn(&Position, u32) + Copy + Send + 'static) {
    for (fen, depth) in [(KIWIPETE, 3), (CORRIDORS, depth)] {
        let position = Position::from_fen(fen).unwrap();
        let thread = thread::Builder::new().stack_size(stack(depth));
        thread.spawn(move || count(&position, depth)).unwrap().join().unwrap();
    }
}

/// The calling thread counts with each instruction set of this CPU.
fn all_isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

fn alone(isa: Isa) -> Options {
    Options { threads: NonZeroUsize::MIN, isa }
}

fn hash() -> HashSize {
    HashSize::mebibytes(16)
}

#[test]
fn leaf_nodes() {
    // musl gives a thread 128 KiB, unless told otherwise.
    assert_eq!(stack(28) % (128 << 10), 0);
    for isa in all_isas() {
        with_little_stack(16, move |position, depth| {
            assert!(perft(position, depth, &alone(isa), &()).complete);
        });
        with_little_stack(28, move |position, depth| {
            let table = Table::new(hash(), Seed::from(1)).unwrap();
            let engine = Engine::new(alone(isa)).with_table(table);
            assert!(engine.perft(position, depth, &()).complete);
        });
    }
}

#[test]
fn by_category() {
    for isa in all_isas() {
        with_little_stack(12, move |position, depth| {
            assert!(categories(position, depth, &alone(isa), &()).complete);
        });
        with_little_stack(28, move |position, depth| {
            let table = CategoryTable::new(hash(), Seed::from(1)).unwrap();
            assert!(categories_with_table(position, depth, &alone(isa), &table, &()).complete);
        });
    }
}

#[test]
fn every_move_made() {
    with_little_stack(10, |position, depth| {
        let leaves = reference_perft(position, depth);
        assert_eq!(reference_categories(position, depth).nodes, u128::from(leaves));
    });
}

#[test]
fn estimates() {
    for isa in all_isas() {
        with_little_stack(14, move |position, depth| {
            let engine = Engine::new(alone(isa));
            let options = EstimateOptions { seed: 1, effort: Effort::Samples(32) };
            estimate(&engine, position, depth, &options, &()).unwrap();
        });
    }
}
