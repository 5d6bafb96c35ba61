//! The kernel against the library: every fact, the replies to every move, and the sum.
//!
//! Which moves are sharp shows itself in the sum: if a condition is missing, it is wrong.

use tabiya::{Position, Square};

use super::digits::Digits;
use super::*;
use crate::leaf::legality::Legality;
use crate::leaf::oracle::{Truth, en_passant_replies, is_ordinary, positions};
use crate::leaf::{Counter, Portable};
use crate::node::sets::index;
use crate::node::tables::{KING, KNIGHT, PAWN_DOWN};
use crate::reference_perft;

fn check(position: &Position) {
    check_on(Portable, position);
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = crate::leaf::Bmi2::detect() {
        check_on(machine, position);
    }
}

fn check_on(machine: impl Machine, position: &Position) {
    let truth = Truth::of(position);
    let position = &truth.position;
    let node = Node::of(position);
    let mut kernel = AtOnce::default();
    let one = OneNode::of(machine, &node, &mut kernel.castlings);

    let facts = position.legality();
    let legal = Legality::of(&node, one.board.own, one.board.occupied);
    truth.expect_danger(&facts, one.need.danger);
    truth.expect_attacked(KING[index(node.replier.king)], one.king.once, one.king.twice);
    assert_eq!(legal.in_check, facts.is_check());
    assert_eq!(legal.pinned, facts.pinned.0, "pinned");
    if !legal.double_check {
        let targets = (facts.capture_mask | facts.push_mask).0 & !truth.own;
        assert_eq!(legal.targets, targets, "targets");
    }

    assert_eq!(one.king.escapes, truth.escapes, "escapes");
    assert_eq!(one.king.guarded_alone, truth.alone, "squares that one piece guards");
    assert_eq!(one.pins.pinned, truth.pinned, "the replier's pins");
    assert_eq!(one.need.null, truth.null, "replies to a null move");
    for square in Square::ALL {
        let mut value = one.need.value(bit(square));
        if Truth::has(one.board.theirs & !one.pins.pinned, square) {
            value += one.worth(bit(square));
        }
        let leapers = node.mover.knights | node.mover.pawns;
        if Truth::has(one.king.guards & leapers, square) {
            let steps = if Truth::has(node.mover.knights, square) { &KNIGHT } else { &PAWN_DOWN };
            value += i64::from((steps[square as usize] & one.king.guarded_alone).count_ones());
        }
        if !Truth::has(one.pins.pinned | node.replier.king, square) {
            assert_eq!(value, truth.value(square), "value of {square}");
        }
        let may_have = one.need.touched | one.board.theirs | one.king.guards;
        assert!(value == 0 || Truth::has(may_have, square), "{square} has a value");
        for (at, lane) in [0, 2, 3].into_iter().enumerate() {
            let attacked = |lane| truth.attacker_along(square, lane);
            let met =
                Truth::has(node.mover.pawns, square) && (attacked(lane) || attacked(lane ^ 4));
            assert_eq!(Truth::has(one.need.met[at], square), met, "met along {lane} on {square}");
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
    assert_eq!(one.leaves(), leaves, "the replies to all moves");
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
        let nodes = Counter::new(Portable, None, &()).leaves(&position, 3);
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
type Fault = (&'static str, fn(&mut OneNode<'_, Portable>));

/// At least one for each lemma that says something about one fact. Lemmas 8 and 10 are about moves,
/// and `oracle/sharp.rs` leaves out their rows.
const FAULTS: [Fault; 23] = [
    ("1: checks of knights", |s| s.king.sharp.to_knight = 0),
    ("1: checks of pawns", |s| s.king.sharp.to_pawn = 0),
    ("1: checks on files and ranks", |s| s.king.sharp.to_orthogonal = 0),
    ("1: checks on diagonals", |s| s.king.sharp.to_diagonal = 0),
    ("2, 16: the lines of pins", |s| s.pins.lines = 0),
    ("3, 16: new pins on files and ranks", |s| s.pins.from_orthogonal = 0),
    ("3, 16: new pins on diagonals", |s| s.pins.from_diagonal = 0),
    ("5: pieces that the king takes", |s| s.king.retaken = 0),
    ("6: lines that are opened", |s| s.king.sharp.from = 0),
    ("6: lines that are closed", |s| s.king.sharp.to = 0),
    ("6: lines of two sliders", |s| s.king.sharp.to_twice = 0),
    ("7: castlings forbidden by knights", |s| s.castlings.knight = Digits::default()),
    ("7: castlings forbidden by queens", |s| s.castlings.queen = Digits::default()),
    ("7: castlings forbidden by the king", |s| s.castlings.king = Digits::default()),
    ("7: pieces that alone forbid a castling", |s| s.castlings.forbidders = 0),
    ("10: pawns along the line of an attack", |s| s.need.met = [0; 3]),
    ("12: captures en passant that expose the king", |s| s.king.seen = 0),
    ("13, 14: pieces that guard alone", |s| s.king.guards = 0),
    ("15: escapes that rooks attack", |s| s.king.escapes_lost.orthogonal = Digits::default()),
    ("4, 15: escapes that the king and knights attack", |s| s.king.escapes = 0),
    ("16: pinners", |s| s.pins.pinners = 0),
    ("what needs a square", |s| s.need.need = Digits::default()),
    ("what pawns take", |s| s.need.take = 0),
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
            let mut one = OneNode::of(Portable, &node, &mut kernel.castlings);
            fault(&mut one);
            *found += usize::from(one.leaves() != leaves);
        }
    }
    for ((name, _), found) in FAULTS.iter().zip(found) {
        println!("{found:6} positions find the fault in lemma {name}");
        assert!(found > 0 || positions::are_few(), "the fault in lemma {name} is not found");
    }
}
