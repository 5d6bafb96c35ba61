//! Compares the speed of counting by category with that of the plain count and of a count that
//! makes every move (one ply less deep). It uses one thread and prints medians of interleaved
//! rounds, in nanoseconds of processor time per leaf node.
//!
//! `cargo run --release -p tabiya-perft --example categories_speed -- [ROUNDS [ISA]]`

use std::hint::black_box;

use cpu_time::ThreadTime;
use tabiya::Position;
use tabiya_perft::{Engine, Isa, Options, categories};

const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("cpw3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("cpw4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("cpw5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("cpw6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().map_or(5, |text| text.parse().expect("a number of rounds"));
    let isa = arguments.next().map_or(Isa::best(), |text| text.parse().expect("bmi2 or the like"));
    let options = Options { isa, ..Options::default() };
    let engine = Engine::new(options.clone());
    println!("{isa}, nanoseconds of processor time per leaf node, medians of {rounds} rounds");
    println!("position      plain  categories        making every move");
    let mut sums = [0.0; 2];
    for (name, fen, depth) in POSITIONS {
        let position = Position::from_fen(fen).expect("a playable position");
        let [plain, counted, made] = median_times(
            rounds,
            [
                &|| engine.perft(&position, depth, &()).nodes,
                &|| categories(&position, depth, &options, &()).categories.nodes,
                &|| u128::from(making_every_move(&position, depth - 1)[0]),
            ],
        );
        let per_leaf =
            [plain, counted, made].map(|(seconds, leaves)| seconds * 1e9 / leaves as f64);
        print_row(name, per_leaf);
        sums = [sums[0] + plain.0, sums[1] + counted.0];
    }
    println!("together: by category {:.2} times as long as plain", sums[1] / sums[0]);
}

fn print_row(name: &str, [plain, counted, made]: [f64; 3]) {
    let (slower, faster) = (counted / plain, made / counted);
    println!("{name:9} {plain:9.3} {counted:7.3} ({slower:5.2} x) {made:7.2} ({faster:4.1} x)");
}

/// The median times of several rounds in seconds, and the numbers of leaf nodes. The runs take
/// turns, so a machine that is slower for a while slows all of them.
fn median_times(rounds: usize, runs: [&dyn Fn() -> u128; 3]) -> [(f64, u128); 3] {
    let mut times = [const { Vec::new() }; 3];
    let mut leaves = [0; 3];
    for _ in 0..rounds {
        for ((times, leaves), run) in times.iter_mut().zip(&mut leaves).zip(runs) {
            let start = ThreadTime::now();
            *leaves = black_box(run());
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let mut medians = [(0.0, 0); 3];
    for ((median, times), leaves) in medians.iter_mut().zip(&mut times).zip(leaves) {
        times.sort_by(f64::total_cmp);
        *median = (times[times.len() / 2], leaves);
    }
    medians
}

/// Leaf nodes, captures, castling, promotions, checks by kind, mates and stalemates. Every move is
/// made.
fn making_every_move(position: &Position, depth: u32) -> [u64; 11] {
    let mut counts = [0; 11];
    for mv in position.legal_moves() {
        let after = position.play(mv);
        if depth > 1 {
            let below = making_every_move(&after, depth - 1);
            for (sum, count) in counts.iter_mut().zip(below) {
                *sum += count;
            }
            continue;
        }
        let checkers = after.checkers();
        let stuck = !after.has_legal_move();
        let direct = checkers.has(mv.to());
        let belongs = [
            true,
            mv.is_capture(),
            mv.is_en_passant(),
            mv.castling().is_some(),
            mv.is_promotion(),
            checkers.any(),
            checkers.any() && !checkers.has_many() && !direct,
            checkers.has_many() && direct,
            checkers.has_many() && !direct,
            checkers.any() && stuck,
            checkers.is_empty() && stuck,
        ];
        for (count, belongs) in counts.iter_mut().zip(belongs) {
            *count += u64::from(belongs);
        }
    }
    counts
}
