//! The article on staged generation: each kind of moves is generated separately.

use std::collections::BTreeSet;

use tabiya::movegen::{
    Captures, CheckFacts, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::{
    Bitboard, Color, Direction, File, Move, MoveKind, MoveList, Position, Rank, Role, Square,
    attacks, bitboard,
};

use super::{many_positions, position, set, sorted, texts};

fn moves<K: Kind>(position: &Position) -> BTreeSet<Move> {
    let list = MoveList::of::<K>(position);
    let set: BTreeSet<Move> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move is listed twice: {position:?}");
    set
}

// The kinds.

#[test]
fn the_kinds_divide_the_legal_moves() {
    many_positions(|position| {
        let legal = moves::<Legal>(position);
        let (captures, quiets) = (moves::<Captures>(position), moves::<Quiets>(position));
        assert!(captures.is_disjoint(&quiets), "{position:?}");
        assert_eq!(moves::<NonEvasions>(position), &captures | &quiets, "{position:?}");
        assert_eq!(moves::<NonEvasions>(position), legal, "{position:?}");
        let evasions = moves::<Evasions>(position);
        assert_eq!(evasions, if position.is_check() { legal.clone() } else { BTreeSet::new() });

        for &mv in &legal {
            let is_capture = match mv.promotion() {
                Some(role) => role == Role::Queen,
                None => mv.is_capture(),
            };
            assert_eq!(captures.contains(&mv), is_capture, "{position:?} {mv:?}");
        }
    });
}

#[test]
fn filtered_pseudo_legal_moves_are_the_legal_moves() {
    fn filtered<K: Kind>(position: &Position) {
        let generator = position.generator();
        let mut list = MoveList::of::<PseudoLegal<K>>(position);
        list.retain(|mv| generator.allows(mv));
        assert_eq!(list.iter().copied().collect::<BTreeSet<_>>(), moves::<K>(position));
    }
    many_positions(|position| {
        filtered::<Captures>(position);
        filtered::<Quiets>(position);
        filtered::<QuietChecks>(position);
        filtered::<Evasions>(position);
        filtered::<NonEvasions>(position);
        filtered::<Legal>(position);
    });
}

#[test]
fn captures_include_en_passant_and_queen_promotions() {
    // A promotion by a push and one by capture, an en-passant capture, an ordinary capture.
    let free = position("1n2k3/P7/8/3pP3/8/5b2/6P1/4K3 w - d6 0 1");
    assert_eq!(texts::<Captures>(&free), ["a7a8q", "a7b8q", "e5d6", "g2f3"]);
    // With a knight on f3 it is check, and only the capture of the knight remains.
    let checked = position("1n2k3/P7/8/3pP3/8/5n2/6P1/4K3 w - d6 0 1");
    assert_eq!(checked.checkers(), set("f3"));
    assert_eq!(texts::<Captures>(&checked), ["g2f3"]);
    let quiets = texts::<Quiets>(&free);
    for under in ["a7a8b", "a7a8n", "a7a8r", "a7b8b", "a7b8n", "a7b8r"] {
        assert!(quiets.iter().any(|text| text == under), "{under}");
    }
}

// Lists.

#[test]
fn lists_have_an_iterator_a_length_and_a_membership_test() {
    let list = MoveList::of::<Legal>(&Position::START);
    assert_eq!((list.len(), list.iter().count()), (20, 20));
    assert_eq!(list.iter().next(), list.first());
    assert!(list.contains(&Position::START.parse_uci("e2e4").unwrap()));
    assert!(!list.contains(&Move::new(Square::E2, Square::E5, MoveKind::Quiet)));
    let mut seen = 0;
    for mv in &list {
        assert!(list.contains(mv));
        seen += 1;
    }
    assert_eq!(seen, list.len());
    assert!(MoveList::of::<Captures>(&Position::START).is_empty());
}

#[test]
fn a_list_has_room_for_every_position() {
    // 218 moves, the most in any reachable position.
    let most = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(most.legal_moves().len(), 218);
    const { assert!(MoveList::CAPACITY >= 218) };
}

// Pawns.

#[test]
fn double_pushes_cross_the_third_rank() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let forward = us.forward();
        let third = Rank::Third.relative_to(us).bitboard();
        let pawns = board.pieces(us, Role::Pawn);
        let single = pawns.shift(forward) & !board.occupied();
        let double = (single & third).shift(forward) & !board.occupied();
        let generated: Bitboard = MoveList::of::<PseudoLegal<Quiets>>(position)
            .iter()
            .filter(|mv| mv.kind() == MoveKind::DoublePush)
            .map(|mv| mv.to())
            .collect();
        assert_eq!(generated, double, "{position:?}");
        // They come from the second rank and end on the fourth.
        assert!(double.is_subset(Rank::Fourth.relative_to(us).bitboard()));
    });
}

#[test]
fn pawn_evasions_block_or_capture() {
    // The rook gives check along the fourth rank: the b-pawn blocks with a double push, the e-pawn
    // captures, and the h-pawn cannot stop the check.
    let position = position("7k/8/8/8/K2r4/4P3/1P5P/8 w - - 0 1");
    let target = position.legality().check_mask();
    assert_eq!(target, set("b4 c4 d4"));
    let pawns: Vec<String> = sorted(
        position
            .legal_moves()
            .into_iter()
            .filter(|mv| position.board().role(Role::Pawn).has(mv.from())),
    );
    assert_eq!(pawns, ["b2b4", "e3d4"]);
    assert_eq!(texts::<Evasions>(&position), texts::<Legal>(&position));
}

#[test]
fn promotions_evade_if_the_check_mask_includes_the_last_rank() {
    // The checker is on the last rank, or its line runs along it.
    for (fen, promotes) in
        [("K6r/6P1/8/8/8/8/8/k7 w - - 0 1", true), ("1n6/P1K5/8/3n4/8/8/8/k7 w - - 0 1", false)]
    {
        let position = position(fen);
        assert!(position.is_check(), "{fen}");
        let last_rank = Rank::Eighth.bitboard();
        assert_eq!(position.legality().check_mask().meets(last_rank), promotes, "{fen}");
        let any = MoveList::of::<Evasions>(&position).iter().any(|mv| mv.is_promotion());
        assert_eq!(any, promotes, "{fen}");
    }
}

#[test]
fn queen_promotions_are_captures_and_the_others_quiets() {
    // The pawn promotes straight ahead and to both sides.
    let position = position("n1n5/1P6/8/8/8/8/8/k6K w - - 0 1");
    let promotions = |list: MoveList| sorted(list.into_iter().filter(|mv| mv.is_promotion()));
    assert_eq!(promotions(MoveList::of::<Captures>(&position)), ["b7a8q", "b7b8q", "b7c8q"]);
    assert_eq!(promotions(MoveList::of::<Quiets>(&position)).len(), 9);
    assert_eq!(promotions(MoveList::of::<NonEvasions>(&position)).len(), 12);
}

#[test]
fn quiet_checks_include_only_knight_promotions() {
    // A knight on c8 gives check to a7. No other promotion is a quiet check.
    let checking = position("n1n5/kP6/8/8/8/8/8/7K w - - 0 1");
    assert_eq!(texts::<QuietChecks>(&checking), ["b7c8n"]);
    // A rook on b8 would give check but is not a quiet check: the promotion to a queen is at least
    // as good, and is among the captures.
    let silent = position("8/1P6/8/8/1k6/8/8/7K w - - 0 1");
    assert!(texts::<QuietChecks>(&silent).is_empty());
    assert!(silent.gives_check(silent.parse_uci("b7b8r").unwrap()));
    assert_eq!(texts::<Captures>(&silent), ["b7b8q"]);
    // A queen attacks what a bishop and a rook attack, but never what a knight attacks.
    for at in Square::ALL {
        assert!(!attacks::queen(at, Bitboard::EMPTY).meets(attacks::knight(at)));
    }
}

#[test]
fn pawns_capture_in_two_directions() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let enemies = board.color(!us);
        let pawns = board.pieces(us, Role::Pawn);
        let mut expected = BTreeSet::new();
        let directions = match us {
            Color::White => [Direction::NorthEast, Direction::NorthWest],
            Color::Black => [Direction::SouthEast, Direction::SouthWest],
        };
        for direction in directions {
            // The origin is one step back.
            for to in pawns.shift(direction) & enemies {
                expected.insert((to.step(-direction).unwrap(), to));
            }
        }
        let generated: BTreeSet<_> = MoveList::of::<PseudoLegal<Captures>>(position)
            .iter()
            .filter(|mv| pawns.has(mv.from()) && enemies.has(mv.to()))
            .map(|mv| (mv.from(), mv.to()))
            .collect();
        assert_eq!(generated, expected, "{position:?}");
    });
}

// Quiet checks.

#[test]
fn quiet_checks_are_the_quiet_moves_that_check() {
    let mut seen = 0;
    many_positions(|position| {
        let checks = moves::<QuietChecks>(position);
        for &mv in &checks {
            assert!(position.play(mv).is_check(), "{position:?} {mv}");
        }
        for mv in moves::<Quiets>(position).into_iter().filter(|mv| !mv.is_promotion()) {
            let gives = position.play(mv).is_check();
            assert_eq!(checks.contains(&mv), gives, "{position:?} {mv}");
            seen += usize::from(gives);
        }
    });
    assert!(seen > 100);
}

#[test]
fn pawn_checks_are_found_by_a_reversed_look_up() {
    // A white pawn attacks e5 from the squares that a black pawn on e5 attacks.
    let king = Square::E5;
    let from_there = attacks::pawn(Color::Black, king);
    assert_eq!(from_there, set("d4 f4"));
    for at in Square::ALL {
        assert_eq!(from_there.has(at), attacks::pawn(Color::White, at).has(king));
    }
    // One push and one double push give check directly.
    let position = position("8/8/8/4k3/8/3P4/5P2/K7 w - - 0 1");
    assert_eq!(texts::<QuietChecks>(&position), ["d3d4", "f2f4"]);
}

#[test]
fn discoverers_are_single_blockers_of_own_sliders() {
    // Only the knight stands between the rook and the king.
    let one = position("4k3/8/8/4N3/8/8/8/4R1K1 w - - 0 1");
    assert_eq!(CheckFacts::of(&one).discoverers, set("e5"));
    assert_eq!(texts::<QuietChecks>(&one).len(), 8, "every jump of the knight");
    // Two blockers: neither discovers a check.
    let two = position("4k3/8/4p3/4N3/8/8/8/4R1K1 w - - 0 1");
    assert!(CheckFacts::of(&two).discoverers.is_empty());
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let king = position.king(!us);
        // Removing a piece lets a slider of its own side attack the king.
        let attacking = |occupied: Bitboard| {
            (attacks::rook(king, occupied) & board.orthogonal_sliders(us))
                | (attacks::bishop(king, occupied) & board.diagonal_sliders(us))
        };
        let before = attacking(board.occupied());
        let expected: Bitboard = board
            .color(us)
            .iter()
            .filter(|&at| (attacking(board.occupied().without(at)) - before).without(at).any())
            .collect();
        assert_eq!(CheckFacts::of(position).discoverers, expected, "{position:?}");
    });
}

#[test]
fn a_pawn_discovers_nothing_on_the_kings_file() {
    // On the king's file a push keeps the line closed; on a diagonal or a rank it opens the line.
    let file = position("4k3/8/8/8/4P3/8/8/4R1K1 w - - 0 1");
    assert_eq!(CheckFacts::of(&file).discoverers, set("e4"));
    assert!(texts::<QuietChecks>(&file).iter().all(|text| !text.starts_with("e4")));
    let diagonal = position("7k/8/8/8/8/8/1P6/B5K1 w - - 0 1");
    assert_eq!(texts::<QuietChecks>(&diagonal), ["b2b3", "b2b4"], "the double push too");
    let rank = position("8/8/8/8/R2P3k/8/8/6K1 w - - 0 1");
    assert!(texts::<QuietChecks>(&rank).contains(&"d4d5".to_owned()));
}

// En passant.

#[test]
fn en_passant_squares_are_on_the_sixth_rank() {
    let mut seen = 0;
    many_positions(|position| {
        if let Some(to) = position.en_passant() {
            seen += 1;
            let us = position.turn();
            assert_eq!(to.rank(), Rank::Sixth.relative_to(us));
            // Set only if a pawn can capture.
            let able = attacks::pawn(!us, to) & position.board().pieces(us, Role::Pawn);
            assert!(able.any(), "{position:?}");
        }
    });
    assert!(seen > 0);
}

#[test]
fn en_passant_evades_if_the_pushed_pawn_gives_check() {
    let captures = position("8/8/8/2k5/3Pp3/8/8/7K b - d3 0 1");
    // The check mask has the pawn's square, not the capture's target.
    assert_eq!(captures.legality().check_mask(), set("d4"));
    assert!(texts::<Evasions>(&captures).contains(&"e4d3".to_owned()));
    let other = position("8/8/8/8/k2Pp3/8/8/R6K b - d3 0 1");
    assert!(!texts::<Evasions>(&other).contains(&"e4d3".to_owned()));
    // The article does not mention that the capture can block; the fourth article does.
    let blocks = position("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1");
    assert!(texts::<Evasions>(&blocks).contains(&"e4d3".to_owned()));
    assert!(
        MoveList::of::<PseudoLegal<Evasions>>(&blocks).iter().any(|mv| mv.is_en_passant()),
        "the pseudo-legal evasions have it, too"
    );
}

// Shifts.

#[test]
fn shifts_do_not_wrap_around_the_edges() {
    let squares = bitboard! {
        X . . . . . . X
        . . . . . . . .
        . . . . . . . .
        . . . X . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        X . . . . . . X
    };
    for (direction, expected) in [
        (Direction::North, "d6 a2 h2"),
        (Direction::South, "d4 a7 h7"),
        (Direction::NorthEast, "e6 b2"),
        (Direction::SouthEast, "e4 b7"),
        (Direction::NorthWest, "c6 g2"),
        (Direction::SouthWest, "c4 g7"),
    ] {
        assert_eq!(squares.shift(direction), set(expected), "{direction:?}");
    }
    let (file_a, file_h) = (File::A.bitboard(), File::H.bitboard());
    let random = Bitboard(0x9e37_79b9_7f4a_7c15);
    assert_eq!(random.shift(Direction::North).0, random.0 << 8);
    assert_eq!(random.shift(Direction::South).0, random.0 >> 8);
    assert_eq!(random.shift(Direction::NorthEast).0, (random - file_h).0 << 9);
    assert_eq!(random.shift(Direction::SouthEast).0, (random - file_h).0 >> 7);
    assert_eq!(random.shift(Direction::NorthWest).0, (random - file_a).0 << 7);
    assert_eq!(random.shift(Direction::SouthWest).0, (random - file_a).0 >> 9);
}

// Targets.

#[test]
fn each_kind_has_its_targets() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let (enemies, empty) = (board.color(!us), !board.occupied());
        let pieces = !board.role(Role::Pawn);
        let facts = position.legality();
        let all_in = |list: MoveList, allowed: Bitboard| {
            list.iter()
                .filter(|mv| pieces.has(mv.from()) && mv.castling().is_none())
                .all(|mv| allowed.has(mv.to()))
        };
        assert!(all_in(MoveList::of::<Captures>(position), enemies));
        assert!(all_in(MoveList::of::<Quiets>(position), empty));
        assert!(all_in(MoveList::of::<QuietChecks>(position), empty));
        assert!(all_in(MoveList::of::<NonEvasions>(position), enemies | empty));
        // In check, pieces other than the king capture the checker or block.
        let target = facts.check_mask();
        for mv in MoveList::of::<Evasions>(position) {
            let by_king = mv.from() == facts.king;
            assert!(by_king || mv.is_en_passant() || target.has(mv.to()), "{position:?} {mv}");
        }
    });
}
