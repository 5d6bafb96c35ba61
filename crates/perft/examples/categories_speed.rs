//! The speed of counting by category, compared with that of the reference count, which does not
//! make the last moves, and of a count that makes every move. One thread, the best of several
//! rounds, in nanoseconds of processor time per leaf node.
//!
//! `cargo run --release -p tabiya-perft --example categories_speed`

use std::hint::black_box;

use cpu_time::ThreadTime;
use tabiya::Position;
use tabiya_perft::{Options, categories, reference_perft};

const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("cpw3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("cpw4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("cpw5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("cpw6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

fn main() {
    println!("position      leaves     ref  categories       making every move");
    let mut together = [0.0; 3];
    for (name, fen, depth) in POSITIONS {
        let position = Position::from_fen(fen).expect("a playable position");
        let leaves = reference_perft(&position, depth);
        let times = best_times([
            &|| {
                black_box(reference_perft(&position, depth));
            },
            &|| {
                black_box(categories(&position, depth, &Options::default(), &()));
            },
            &|| {
                black_box(making_every_move(&position, depth));
            },
        ])
        .map(|seconds| seconds * 1e9 / leaves as f64);
        print_row(name, leaves, times);
        together = [0, 1, 2].map(|at| together[at] + times[at] / POSITIONS.len() as f64);
    }
    print_row("mean", 0, together);
}

fn print_row(name: &str, leaves: u64, [plain, counted, made]: [f64; 3]) {
    let (slower, faster) = (counted / plain, made / counted);
    println!(
        "{name:8} {leaves:11} {plain:7.2} {counted:7.2} ({slower:4.1} x) {made:7.2} ({faster:4.1} x)"
    );
}

/// The best times of several rounds in seconds. The runs take turns, so a machine that is slower
/// for a while slows all of them.
fn best_times(runs: [&dyn Fn(); 3]) -> [f64; 3] {
    const ROUNDS: usize = 9;
    let mut times = [[0.0; ROUNDS]; 3];
    for round in 0..ROUNDS {
        for (times, run) in times.iter_mut().zip(runs) {
            let start = ThreadTime::now();
            run();
            times[round] = start.elapsed().as_secs_f64();
        }
    }
    times.map(|times| times.into_iter().fold(f64::INFINITY, f64::min))
}

/// Captures, castling, promotions, checks by kind, mates and stalemates. Every move is made.
fn making_every_move(position: &Position, depth: u32) -> [u64; 10] {
    let mut counts = [0; 10];
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
