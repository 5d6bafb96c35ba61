//! Five articles teach move generation in five ways. Each file checks the statements of one
//! article.
//!
//! If the articles contradict each other or leave something open, the test says what the library
//! does and why.

#[path = "../common/mod.rs"]
mod common;

mod article_1_pseudo_legal;
mod article_2_checkers_pins_danger;
mod article_3_staged;
mod article_4_masks;
mod article_5_shifts;

use tabiya::attacks::{Sliders, StepByStep};
use tabiya::movegen::Kind;
use tabiya::{Bitboard, Move, MoveList, Position, Square};

use common::{Line, Random, games, is_short, whole_suite};

/// The squares with these names.
fn set(names: &str) -> Bitboard {
    names.split_whitespace().map(square).collect()
}

fn square(name: &str) -> Square {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The moves of a kind as text, in alphabetical order.
fn texts<K: Kind>(position: &Position) -> Vec<String> {
    sorted(MoveList::of::<K>(position).into_iter())
}

fn sorted(moves: impl Iterator<Item = Move>) -> Vec<String> {
    let mut texts: Vec<String> = moves.map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

/// The legal targets of the piece on a square.
fn targets(position: &Position, from: Square) -> Bitboard {
    position.legal_moves().iter().filter(|mv| mv.from() == from).map(|mv| mv.to()).collect()
}

fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let moves = position.legal_moves();
            moves.into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
        }
    }
}

/// Visits the positions of the suites, and those of a random game from each.
fn many_positions(mut check: impl FnMut(&Position)) {
    let mut random = Random::new(1);
    for name in ["standard.epd", "regression.epd", "rules.epd"] {
        for Line { position, .. } in whole_suite(name) {
            games::play(&position, 11, &mut random, &mut check);
        }
    }
}

/// Random occupancies, from sparse to crowded.
fn occupancies(count: usize) -> impl Iterator<Item = Bitboard> {
    let mut random = Random::new(2);
    (0..count).map(move |_| random.set())
}

/// The attacks of a rook and of a bishop, found square by square.
fn step_by_step(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    (StepByStep.rook(square, occupied), StepByStep.bishop(square, occupied))
}
