//! Counting in WebAssembly: functions that a web page, or Node, can call.
//!
//! ```text
//! rustup target add wasm32-unknown-unknown
//! cargo build --release --package tabiya-perft --example wasm --no-default-features \
//!     --target wasm32-unknown-unknown
//! node crates/perft/tests/wasm/run.mjs \
//!     target/wasm32-unknown-unknown/release/examples/wasm.wasm
//! ```
//!
//! The test `run.mjs` loads the module, calls all functions and compares the results.

use tabiya::Position;
use tabiya_perft::suite::{self, CheckOptions, ReadOptions};
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{
    Category, CategoryTable, Effort, Engine, EstimateOptions, Options, categories,
    categories_with_table, estimate, perft,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn kiwipete() -> Position {
    Position::from_fen(KIWIPETE).expect("a playable position")
}

/// Perft of the start position.
#[unsafe(no_mangle)]
pub extern "C" fn start_perft(depth: u32) -> u64 {
    perft(&Position::START, depth, &Options::default(), &()).nodes as u64
}

/// Perft of the position known as Kiwipete, with a table of 1 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn kiwipete_perft_with_table(depth: u32) -> u64 {
    let table = Table::new(HashSize::mebibytes(1), 1.into()).expect("1 MiB of memory");
    let engine = Engine::new(Options::default()).with_table(table);
    engine.perft(&kiwipete(), depth, &()).nodes as u64
}

/// The captures among the last moves of Kiwipete's perft.
#[unsafe(no_mangle)]
pub extern "C" fn kiwipete_captures(depth: u32) -> u64 {
    let total = categories(&kiwipete(), depth, &Options::default(), &());
    total.categories[Category::Captures] as u64
}

/// The checkmates among the leaf nodes of Kiwipete's perft, counted with a table of 1 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn kiwipete_checkmates_with_table(depth: u32) -> u64 {
    let table = CategoryTable::new(HashSize::mebibytes(1), 1.into()).expect("1 MiB of memory");
    let total = categories_with_table(&kiwipete(), depth, &Options::default(), &table, &());
    total.categories[Category::Checkmates] as u64
}

/// An estimate of the start position's perft from a number of samples.
#[unsafe(no_mangle)]
pub extern "C" fn start_estimate(depth: u32, samples: u32) -> f64 {
    let engine = Engine::new(Options::default());
    let options = EstimateOptions { effort: Effort::Samples(samples.into()), seed: 1 };
    let estimate = estimate(&engine, &Position::START, depth, &options, &());
    estimate.map_or(f64::NAN, |estimate| estimate.nodes)
}

/// The number of correct counts in a suite.
#[unsafe(no_mangle)]
pub extern "C" fn suite_counts_right() -> u32 {
    let text = format!("# a suite\n{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862\n");
    let suite = suite::read(text.as_bytes(), &ReadOptions::default());
    let reports = suite::check(&suite.cases, &CheckOptions::default(), &());
    reports.iter().map(|report| report.right as u32).sum()
}
