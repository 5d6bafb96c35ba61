//! The time of one count with a table.
//!
//! `cargo run --release -p tabiya-perft --example table -- MEBIBYTES THREADS DEPTH [FEN]`
//!
//! With 0 MiB, there is no table.

use std::num::NonZeroUsize;
use std::time::Instant;

use tabiya::Position;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Options};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, other: u64| {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(other)
    };
    let (mebibytes, threads, depth) = (number(0, 1024), number(1, 1), number(2, 7));
    let position = match arguments.get(3) {
        Some(fen) => Position::from_fen(fen).expect("a playable position"),
        None => Position::START,
    };
    let threads = NonZeroUsize::new(threads as usize).unwrap_or(NonZeroUsize::MIN);
    let mut engine = Engine::new(Options { threads, ..Options::default() });
    if mebibytes > 0 {
        let table = Table::new(HashSize::mebibytes(mebibytes), 0.into())
            .expect("enough memory for the table");
        engine = engine.with_table(table);
    }
    let start = Instant::now();
    let total = engine.perft(&position, depth as u32, &());
    let seconds = start.elapsed().as_secs_f64();
    println!("{} leaf nodes, {seconds:.3} s, {} look-ups", total.nodes, total.look_ups);
    if let Some(table) = engine.table() {
        let used = table.bytes_in_use() >> 20;
        println!("{used} MiB in use, {:.1} % of it filled", 100.0 * table.load());
    }
}
