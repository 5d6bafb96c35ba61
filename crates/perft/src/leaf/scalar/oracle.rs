//! The kernel against the library: every fact, the replies to every move, and the sum.
//!
//! Which moves are sharp shows itself in the sum: if a condition is missing, it is wrong.

use tabiya::{Legality as Facts, Move, Position, Square};

use super::legality::Legality;
use super::*;
use crate::leaf::oracle::{Truth, is_ordinary, positions};
use crate::leaf::tables::PAWN_DOWN;

fn check(position: &Position) {
    check_on(Portable, position);
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Bmi2::detect() {
        check_on(cpu, position);
    }
}

fn check_on(cpu: impl Cpu, position: &Position) {
    let truth = Truth::of(position);
    let position = &truth.position;
    let node = Node::of(position);
    let scalar = Scalar::of(cpu, &node);

    let facts = Facts::of(position);
    let legal = Legality::of(&scalar);
    truth.expect_danger(&facts, scalar.danger);
    let around = if scalar.near[0] == !0 { !0 } else { KING[index(node.replier.king)] };
    truth.expect_attacked(around, scalar.once, scalar.twice);
    assert_eq!(legal.in_check, facts.is_check());
    assert_eq!(legal.pinned, facts.pinned.0, "pinned");
    if !legal.double_check {
        let targets = (facts.capture_mask | facts.push_mask).0 & !truth.own;
        assert_eq!(legal.targets, targets, "targets");
    }

    assert_eq!(scalar.safe, truth.escapes, "escapes");
    assert_eq!(scalar.sole, truth.alone, "squares that one piece guards");
    assert_eq!(scalar.pinned, truth.pinned, "the replier's pins");
    assert_eq!(scalar.null, truth.null + truth.wild, "replies to a null move");
    for square in Square::ALL {
        let mut value = scalar.value(bit(square));
        if Truth::has(scalar.theirs & !scalar.pinned, square) {
            value += scalar.worth(bit(square));
        }
        if Truth::has(scalar.guards, square) {
            let steps = if Truth::has(node.mover.knights, square) { &KNIGHT } else { &PAWN_DOWN };
            value += i64::from((steps[square as usize] & scalar.sole).count_ones());
        }
        if !Truth::has(scalar.pinned | node.replier.king, square) {
            assert_eq!(value, truth.value(square), "value of {square}");
        }
        let may_have = scalar.touched | scalar.theirs | scalar.guards;
        assert!(value == 0 || Truth::has(may_have, square), "{square} has a value");
        for (at, lane) in [0, 2, 3].into_iter().enumerate() {
            let attacked = |lane| truth.attacker_along(square, lane);
            let met =
                Truth::has(node.mover.pawns, square) && (attacked(lane) || attacked(lane ^ 4));
            assert_eq!(Truth::has(scalar.met[at], square), met, "met along {lane} on {square}");
        }
    }

    let mut leaves = 0;
    for &mv in &position.legal_moves() {
        let child = position.play(mv);
        let replies = child.count_legal() as u64;
        leaves += replies;
        if is_ordinary(mv) {
            assert_eq!(
                cpu.replies_to(&node, bit(mv.from()), bit(mv.to())),
                replies - en_passant(&child),
                "{mv}"
            );
        }
    }
    assert_eq!(scalar.leaves(), leaves, "the replies to all moves");
}

fn bit(square: Square) -> u64 {
    square.bitboard().0
}

/// Captures en passant are counted apart.
fn en_passant(child: &Position) -> u64 {
    child.legal_moves().iter().filter(|mv: &&Move| mv.is_en_passant()).count() as u64
}

fn check_all(positions: impl IntoIterator<Item = Position>) {
    for position in positions {
        let result = std::panic::catch_unwind(|| check(&position));
        if let Err(panic) = result {
            eprintln!("in {}", position.fen());
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn suites() {
    check_all(positions::of_suites());
}

#[test]
fn random_games() {
    check_all(positions::of_games(4_000));
}

#[test]
fn random_placements() {
    check_all(positions::placed(0x5eed_0014).take(positions::share(6_000)));
}
