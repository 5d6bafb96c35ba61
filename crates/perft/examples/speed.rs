//! Leaf nodes per second with each instruction set, on the six standard positions.
//!
//! `cargo run --release -p tabiya-perft --example speed -- [ROUNDS [ISA]]`
//!
//! The rounds of the instruction sets take turns. The time is the processor time of the counting
//! thread, so it does not include waiting for other programs. They still share the caches, so the
//! best round is printed next to the median.

use cpu_time::ThreadTime;
use tabiya::Position;
use tabiya_perft::{Engine, Isa, Options};

const STANDARD: [(&str, u32); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds = args.next().map_or(3, |n| n.parse().expect("ROUNDS is a number"));
    let only: Option<Isa> = args.next().map(|isa| isa.parse().expect("ISA is an instruction set"));
    let engines: Vec<Engine> = Isa::ALL
        .into_iter()
        .filter(|&isa| isa.is_available() && only.is_none_or(|only| only == isa))
        .map(|isa| Engine::new(Options { isa, ..Options::default() }))
        .collect();
    // The seconds of all rounds, sorted, by engine and position.
    let mut seconds = vec![[const { Vec::new() }; 6]; engines.len()];
    let mut nodes = [0; 6];
    for (at, (fen, depth)) in STANDARD.into_iter().enumerate() {
        let position = Position::from_fen(fen).expect("a standard position");
        for _ in 0..rounds {
            for (engine, seconds) in engines.iter().zip(&mut seconds) {
                let start = ThreadTime::now();
                nodes[at] = engine.perft(&position, depth, &()).nodes;
                seconds[at].push(start.elapsed().as_secs_f64());
            }
        }
        seconds.iter_mut().for_each(|seconds| seconds[at].sort_by(f64::total_cmp));
    }
    println!(
        "million leaf nodes per second of processor time, {rounds} interleaved rounds, one thread"
    );
    for (engine, seconds) in engines.iter().zip(&seconds) {
        for (name, at) in [("best", 0), ("median", rounds / 2)] {
            print!("{:9}{name:7}", engine.options().isa);
            for (nodes, seconds) in nodes.iter().zip(seconds) {
                print!("{:8.0}", *nodes as f64 / seconds[at] / 1e6);
            }
            let time: f64 = seconds.iter().map(|seconds| seconds[at]).sum();
            println!("  together {:8.0}", nodes.iter().sum::<u128>() as f64 / time / 1e6);
        }
    }
}
