//! Times for the kinds of moves, static exchange evaluation and the staged picker.
//!
//! A plain program: every measurement goes over the same positions of random games, all of them
//! take turns, and the median over the turns is printed, so that a slow moment of the machine
//! hits everything alike. Run it with `cargo bench -p tabiya --bench kinds`; an argument keeps
//! the lines that contain it.

use std::hint::black_box;
use std::time::Instant;

use tabiya::movegen::{
    Captures, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::{Move, MoveList, Position, Role};

#[path = "../tests/common/games.rs"]
mod games;

use games::Random;

const TURNS: usize = 15;

/// Does something with one position and says how much came of it.
type Work = fn(&Case) -> usize;

/// A measurement under way.
struct Bench {
    name: &'static str,
    work: Work,
    times: Vec<f64>,
    yielded: usize,
}

/// A position with what the measurements need beside it.
struct Case {
    position: Position,
    legal: MoveList,
}

fn list<K: Kind>(case: &Case) -> usize {
    black_box(MoveList::of::<K>(black_box(&case.position))).len()
}

fn is_of_captures(mv: Move) -> bool {
    mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen)
}

fn filtered_captures(case: &Case) -> usize {
    let mut moves = black_box(&case.position).legal_moves();
    moves.retain(is_of_captures);
    black_box(moves).len()
}

const WORK: &[(&str, Work)] = &[
    ("Legal", list::<Legal>),
    ("NonEvasions", list::<NonEvasions>),
    ("Captures", list::<Captures>),
    ("Legal, then retain captures", filtered_captures),
    ("Quiets", list::<Quiets>),
    ("QuietChecks", list::<QuietChecks>),
    ("Evasions", list::<Evasions>),
    ("PseudoLegal<Legal>", list::<PseudoLegal<Legal>>),
    ("PseudoLegal<NonEvasions>", list::<PseudoLegal<NonEvasions>>),
    ("PseudoLegal<Captures>", list::<PseudoLegal<Captures>>),
    ("PseudoLegal<Quiets>", list::<PseudoLegal<Quiets>>),
    ("PseudoLegal<QuietChecks>", list::<PseudoLegal<QuietChecks>>),
    ("PseudoLegal<Evasions>", list::<PseudoLegal<Evasions>>),
];

fn cases() -> Vec<Case> {
    let mut random = Random(2024);
    let mut cases = Vec::new();
    for _ in 0..60 {
        games::play(&Position::START, 100, &mut random, |position| {
            cases.push(Case { position: position.clone(), legal: position.legal_moves() });
        });
    }
    cases
}

fn main() {
    // `cargo bench` passes `--bench`; `cargo test --benches` does not and wants it quick.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let turns = if arguments.iter().any(|argument| argument == "--bench") { TURNS } else { 1 };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));

    let cases = cases();
    let moves: usize = cases.iter().map(|case| case.legal.len()).sum();
    println!("{} positions of random games, {moves} legal moves", cases.len());
    let mut benches: Vec<Bench> = WORK
        .iter()
        .filter(|(name, _)| wanted.is_none_or(|wanted| name.contains(wanted.as_str())))
        .map(|&(name, work)| Bench { name, work, times: Vec::new(), yielded: 0 })
        .collect();
    for _ in 0..turns {
        for bench in &mut benches {
            let start = Instant::now();
            bench.yielded = cases.iter().map(|case| (bench.work)(case)).sum();
            bench.times.push(start.elapsed().as_nanos() as f64 / cases.len() as f64);
        }
    }
    println!("{:36} {:>12} {:>12}", "", "ns/position", "yield");
    for bench in &mut benches {
        bench.times.sort_by(f64::total_cmp);
        println!(
            "{:36} {:12.1} {:12.2}",
            bench.name,
            bench.times[bench.times.len() / 2],
            bench.yielded as f64 / cases.len() as f64,
        );
    }
}
