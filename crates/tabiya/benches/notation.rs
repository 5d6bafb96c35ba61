//! Times for reading and writing moves and positions as text.
//!
//! The positions come from random games. Run it with `cargo bench -p tabiya --bench notation`. An
//! argument selects the lines that contain it.

use std::hint::black_box;
use std::time::Instant;

use tabiya::fen::FenConvention;
use tabiya::{Move, MoveText, Position, San};

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Random, games};

const TURNS: usize = 15;

/// A position with a move, and both as text.
struct Case {
    position: Position,
    mv: Move,
    san: MoveText,
    read: San,
    uci: MoveText,
    fen: String,
}

fn cases() -> Vec<Case> {
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    for _ in 0..300 {
        games::play(&Position::START, 120, &mut random, |it| positions.push(it.clone()));
    }
    let case = |position: Position| {
        let mv = *position.legal_moves().get(random.below(1000) % position.count_legal().max(1))?;
        let read = position.san(mv);
        let (san, uci) = (read.text(), position.uci(mv).text());
        let fen = position.fen().to_string();
        Some(Case { position, mv, san, read, uci, fen })
    };
    positions.into_iter().filter_map(case).collect()
}

/// Something that is done with each case; the number keeps the work from being left out.
type Work = fn(&Case) -> usize;

const WORK: &[(&str, Work)] = &[
    ("SAN: the text alone", |case| {
        usize::from(San::from_ascii(black_box(case.san.as_bytes())).is_ok())
    }),
    ("SAN: find the move", |case| {
        case.position.find_san(black_box(&case.read)).map_or(0, |mv| mv.bits().into())
    }),
    ("SAN: text to move", |case| {
        let san = San::from_ascii(black_box(case.san.as_bytes()));
        san.and_then(|san| case.position.find_san(&san)).map_or(0, |mv| mv.bits().into())
    }),
    ("SAN: text to move, and play it", |case| {
        let san = San::from_ascii(black_box(case.san.as_bytes()));
        let mv = san.and_then(|san| case.position.find_san(&san));
        mv.map_or(0, |mv| case.position.play(mv).key() as usize)
    }),
    ("play alone", |case| case.position.play(black_box(case.mv)).key() as usize),
    ("SAN: write", |case| case.position.san(black_box(case.mv)).text().len()),
    ("UCI: text to move", |case| {
        case.position.parse_uci(black_box(case.uci.as_str())).map_or(0, |mv| mv.bits().into())
    }),
    ("UCI: write", |case| case.position.uci(black_box(case.mv)).text().len()),
    ("FEN: read", |case| {
        Position::from_fen(black_box(&case.fen)).map_or(0, |it| it.key() as usize)
    }),
    ("FEN: write", |case| {
        case.position.fen_with(black_box(FenConvention::DEFAULT)).to_string().len()
    }),
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let cases = cases();
    println!("{} positions; median of {TURNS} turns", cases.len());
    for (name, work) in WORK {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part)) {
            continue;
        }
        let mut times: Vec<f64> = (0..TURNS)
            .map(|_| {
                let start = Instant::now();
                black_box(cases.iter().map(work).fold(0, usize::wrapping_add));
                start.elapsed().as_nanos() as f64 / cases.len() as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let time = times[TURNS / 2];
        println!("{name:<32} {time:>8.1} ns {:>8.2} million a second", 1e3 / time);
    }
}
