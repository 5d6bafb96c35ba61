//! The kernel against the library: every fact, the replies to every move, and the sum.
//!
//! Which moves are sharp shows itself in the sum: if a condition is missing, it is wrong.

use tabiya::{Legality as Facts, Position, Square};

use super::*;
use crate::count_leaves::CountSlice;
use crate::leaf::legality::Legality;
use crate::leaf::oracle::{Truth, en_passant_replies, is_ordinary, positions};
use crate::leaf::tables::PAWN_DOWN;
use crate::leaf::{Counter, Portable};
use crate::reference_perft;

fn check(position: &Position) {
    check_on(Portable, position);
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = crate::leaf::Avx2::detect() {
        check_on(machine, position);
    }
}

fn check_on(machine: impl Machine, position: &Position) {
    let truth = Truth::of(position);
    let position = &truth.position;
    let node = Node::of(position);
    let mut kernel = AtOnce::default();
    let scalar = Scalar::of(machine, &node, &mut kernel.castlings);

    let facts = Facts::of(position);
    let legal = Legality::of(&node, scalar.own, scalar.occupied);
    truth.expect_danger(&facts, scalar.danger);
    truth.expect_attacked(KING[index(node.replier.king)], scalar.once, scalar.twice);
    assert_eq!(legal.in_check, facts.is_check());
    assert_eq!(legal.pinned, facts.pinned.0, "pinned");
    if !legal.double_check {
        let targets = (facts.capture_mask | facts.push_mask).0 & !truth.own;
        assert_eq!(legal.targets, targets, "targets");
    }

    assert_eq!(scalar.escapes, truth.escapes, "escapes");
    assert_eq!(scalar.alone, truth.alone, "squares that one piece guards");
    assert_eq!(scalar.pinned, truth.pinned, "the replier's pins");
    assert_eq!(scalar.null, truth.null + truth.unorthodox, "replies to a null move");
    for square in Square::ALL {
        let mut value = scalar.value(bit(square));
        if Truth::has(scalar.theirs & !scalar.pinned, square) {
            value += scalar.worth(bit(square));
        }
        let leapers = node.mover.knights | node.mover.pawns;
        if Truth::has(scalar.guards & leapers, square) {
            let steps = if Truth::has(node.mover.knights, square) { &KNIGHT } else { &PAWN_DOWN };
            value += i64::from((steps[square as usize] & scalar.alone).count_ones());
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
                replies::to_moves(machine, &node, bit(mv.from()), bit(mv.to())),
                replies - en_passant_replies(&child),
                "{mv}"
            );
        }
    }
    assert_eq!(scalar.leaves(), leaves, "the replies to all moves");
}

fn bit(square: Square) -> u64 {
    square.bitboard().0
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
#[cfg_attr(miri, ignore = "the interpreter takes an hour for all children of the suites")]
fn suites() {
    check_all(positions::of_suites());
}

#[test]
#[cfg_attr(miri, ignore = "the interpreter takes an hour for subtrees of three plies")]
fn rare_positions() {
    check_all(positions::rare());
    // Their children, which the walk makes.
    for position in positions::rare() {
        let nodes = Counter::new(Portable, None, &()).count(&position, 3);
        assert_eq!(nodes, Some(reference_perft(&position, 3)), "{}", position.fen());
    }
}

#[test]
fn random_games() {
    check_all(positions::of_games(4_000));
}

#[test]
fn random_placements() {
    check_all(positions::placed(0x5eed_0014).take(positions::share(6_000)));
}

/// So many pieces enter one square that four binary digits count them, and five: all sixteen.
#[test]
fn crowds() {
    let boards =
        ["k7/8/2N1N3/1NQQQN2/2Q1Q3/1NQQKN2/2N1N3/8", "k7/8/2N1N3/1NBRBN2/2Q1R3/1NBKBN2/2N1N3/8"];
    for board in boards {
        check_all(
            ["w", "b"].map(|turn| Position::from_fen(&format!("{board} {turn} - - 0 1")).unwrap()),
        );
    }
}

/// A deliberate fault: what the kernel has found out is forgotten in part.
type Fault = (&'static str, fn(&mut Scalar<'_, Portable>));

/// At least one for each lemma that says something about one fact. Lemmas 8 and 10 are about moves,
/// and `oracle/sharp.rs` leaves out their rows.
const FAULTS: [Fault; 24] = [
    ("1: checks of knights", |s| s.to_knight = 0),
    ("1: checks of pawns", |s| s.to_pawn = 0),
    ("1: checks on files and ranks", |s| s.to_orthogonal = 0),
    ("1: checks on diagonals", |s| s.to_diagonal = 0),
    ("2, 16: the lines of pins", |s| s.lines = 0),
    ("3, 16: new pins on files and ranks", |s| s.behind[0] = 0),
    ("3, 16: new pins on diagonals", |s| s.behind[1] = 0),
    ("4: escapes that the king attacks", |s| s.lost.king = Few::ZERO),
    ("5: pieces that the king takes", |s| s.bare = 0),
    ("6: lines that are opened", |s| s.from = 0),
    ("6: lines that are closed", |s| s.to = 0),
    ("6: lines of two sliders", |s| s.to_twice = 0),
    ("7: castlings forbidden by knights", |s| s.castlings.knight = Few::ZERO),
    ("7: castlings forbidden by queens", |s| s.castlings.queen = Few::ZERO),
    ("7: castlings forbidden by the king", |s| s.castlings.king = Few::ZERO),
    ("7: pieces that alone forbid a castling", |s| s.holders = 0),
    ("10: pawns along the line of an attack", |s| s.met = [0; 3]),
    ("12: captures en passant that expose the king", |s| s.seen = 0),
    ("13, 14: pieces that guard alone", |s| s.guards = 0),
    ("15: escapes that rooks attack", |s| s.lost.orthogonal = Digits::ZERO),
    ("15: escapes that knights attack", |s| s.lost.knight = Few::ZERO),
    ("16: pinners", |s| s.pinners = 0),
    ("what needs a square", |s| s.value = Digits::ZERO),
    ("what pawns take", |s| s.taken = 0),
];

#[test]
fn faults_are_found() {
    let positions: Vec<_> = positions::of_games(4_000)
        .into_iter()
        .chain(positions::placed(0x5eed_0016).take(positions::share(8_000)))
        // Kings that forbid a castling are rare.
        .chain(Position::from_fen("8/8/8/8/8/6k1/8/4K2R b K - 0 1"))
        .collect();
    let mut found = [0; FAULTS.len()];
    for position in &positions {
        let leaves: u64 =
            position.legal_moves().iter().map(|&mv| position.play(mv).count_legal() as u64).sum();
        let node = Node::of(position);
        for ((_, fault), found) in FAULTS.iter().zip(&mut found) {
            let mut kernel = AtOnce::default();
            let mut scalar = Scalar::of(Portable, &node, &mut kernel.castlings);
            fault(&mut scalar);
            *found += usize::from(scalar.leaves() != leaves);
        }
    }
    for ((name, _), found) in FAULTS.iter().zip(found) {
        println!("{found:6} positions find the fault in lemma {name}");
        assert!(found > 0 || positions::are_few(), "the fault in lemma {name} is not found");
    }
}
