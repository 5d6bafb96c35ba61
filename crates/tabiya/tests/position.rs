//! When two positions are equal, and what a position knows about its pieces and moves.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use tabiya::{Position, Role, Square};

/// One position, and others that differ from it in one part each: a piece, the side to move, a
/// castling right, a legal capture en passant.
const DIFFERENT: [&str; 6] = [
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/7N/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn positions_differ_if_one_part_differs() {
    let all: Vec<Position> = DIFFERENT.into_iter().map(position).collect();
    for (index, one) in all.iter().enumerate() {
        for (other_index, other) in all.iter().enumerate() {
            assert_eq!(one == other, index == other_index, "{one:?} {other:?}");
        }
    }
    let hasher = RandomState::new();
    let hashes: HashSet<u64> = all.iter().map(|position| hasher.hash_one(position)).collect();
    assert_eq!(hashes.len(), all.len(), "equal hashes");
}

/// The clocks do not count, nor does an en-passant square without a legal capture.
#[test]
fn what_does_not_change_the_moves_does_not_count() {
    let one = position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    let hasher = RandomState::new();
    for fen in ["4k3/8/8/8/4P3/8/8/4K3 b - - 31 70", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"] {
        let other = position(fen);
        assert_eq!(one, other);
        assert_eq!(hasher.hash_one(&one), hasher.hash_one(&other), "{fen}");
    }
}

#[test]
fn pinned_and_captured_pieces_are_known() {
    let pins = position("4r1k1/8/8/b7/8/2P5/3NQ3/R3K3 w Q - 0 1");
    // The pawn is in front of the knight, so the knight is not pinned.
    assert_eq!(pins.pinned(), Square::E2.bitboard());
    let captures = position("3k4/8/1n6/3pP3/B7/8/8/4K3 w - d6 0 1");
    for (text, role) in [("e5d6", Some(Role::Pawn)), ("e5e6", None), ("a4d7", None)] {
        let mv = captures.parse_uci(text).unwrap();
        assert_eq!(captures.captured_by(mv), role, "{text}");
    }
    let knight = position("4k3/8/8/1n6/B7/8/8/4K3 w - - 0 1");
    let mv = knight.parse_uci("a4b5").unwrap();
    assert_eq!(knight.captured_by(mv), Some(Role::Knight));
}
