//! The article on capture mask and push mask: legal moves step by step, with the usual pitfalls.

use tabiya::attacks::{Hyperbola, Sliders};
use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{
    Bitboard, Board, Color, Direction, MoveList, Position, Reason, Role, Square, attacks, bitboard,
};

use super::{
    many_positions, occupancies, perft, position, set, square, step_by_step, targets, texts,
};

#[test]
fn twenty_moves_at_the_start() {
    let moves = Position::START.legal_moves();
    let of = |role| {
        let pieces = Position::START.board().role(role);
        moves.iter().filter(|mv| pieces.has(mv.from())).count()
    };
    assert_eq!((moves.len(), of(Role::Pawn), of(Role::Knight)), (20, 16, 4));
    let knights = Position::START.board().pieces(Color::White, Role::Knight);
    for knight in knights {
        assert_eq!(targets(&Position::START, knight).len(), 2);
    }
}

#[test]
fn pseudo_legal_moves_may_step_into_check() {
    // The rook attacks f8; the king's step there is pseudo-legal.
    let position = position("4k3/8/8/8/8/8/8/4KR2 b - - 0 1");
    let into = "e8f8";
    assert!(!texts::<Legal>(&position).contains(&into.to_owned()));
    assert!(texts::<PseudoLegal<Legal>>(&position).contains(&into.to_owned()));
    // Playing it shows that it is not legal.
    let mut list = MoveList::of::<PseudoLegal<Legal>>(&position);
    list.retain(|mv| mv.to_string() == into);
    let after = position.play(list[0]);
    assert!(after.attackers_to(Square::F8).has(Square::F1));
    let explanation = position.explain(into.parse().unwrap());
    assert!(matches!(explanation.reasons(), [Reason::KingAttacked { to: Square::F8, .. }]));
}

// Part 1: the king.

#[test]
fn stepping_away_from_a_checking_slider() {
    // The rook gives check; pawns attack d6 and f6.
    let position = position("8/4k3/8/2P3P1/8/8/8/K3R3 b - - 0 1");
    let attacked = position.board().attacks_by(Color::White);
    let danger = position.generator().king_danger();
    assert!(!attacked.has(Square::E8), "the king blocks the square behind it");
    assert!(danger.has(Square::E8), "with the king removed, the rook attacks it");
    assert_eq!(danger - attacked, set("e8"));
    assert_eq!(targets(&position, Square::E7), set("d7 d8 f7 f8"));
    let explanation = position.explain("e7e8".parse().unwrap());
    assert!(matches!(
        explanation.reasons(),
        [Reason::KingAttacked { to: Square::E8, by }] if by.square == Square::E1
    ));
}

#[test]
fn the_king_steps_to_all_safe_squares() {
    many_positions(|position| {
        let (us, facts) = (position.turn(), position.legality());
        let safe = attacks::king(facts.king)
            - position.board().color(us)
            - position.generator().king_danger();
        let steps: Bitboard = position
            .legal_moves()
            .iter()
            .filter(|mv| mv.from() == facts.king && mv.castling().is_none())
            .map(|mv| mv.to())
            .collect();
        assert_eq!(steps, safe, "{position:?}");
    });
}

// Part 2: checks.

#[test]
fn knight_attacks_from_the_kings_square_find_checking_knights() {
    let position = position("4k3/8/3N4/8/8/8/8/4K3 b - - 0 1");
    let attackers =
        attacks::knight(Square::E8) & position.board().pieces(Color::White, Role::Knight);
    assert_eq!(attackers, set("d6"));
    assert_eq!(position.checkers(), attackers);
    // A king never gives check.
    many_positions(|position| {
        assert!(!position.checkers().meets(position.board().role(Role::King)), "{position:?}");
        assert!(!attacks::king(position.king(Color::White)).has(position.king(Color::Black)));
    });
}

#[test]
fn in_double_check_only_the_king_moves() {
    let position = position("4k3/6N1/5b2/4R3/8/8/8/4K3 b - - 0 1");
    let facts = position.legality();
    assert_eq!(facts.checkers, set("e5 g7"));
    assert!(facts.capture_mask.is_empty() && facts.push_mask.is_empty());
    assert!(!position.legal_moves().is_empty());
    assert!(position.legal_moves().iter().all(|mv| mv.from() == Square::E8));
    // The bishop could capture either checker, but the other check would remain.
    for text in ["f6e5", "f6g7"] {
        let explanation = position.explain(text.parse().unwrap());
        assert!(matches!(explanation.reasons(), [Reason::DoubleCheck { .. }]), "{explanation}");
    }
}

#[test]
fn a_sliders_check_has_a_capture_mask_and_a_push_mask() {
    let position = position("4k3/8/6n1/4R3/8/8/8/4K3 b - - 0 1");
    let facts = position.legality();
    assert_eq!(
        facts.capture_mask,
        bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . X . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        }
    );
    assert_eq!(
        facts.push_mask,
        bitboard! {
            . . . . . . . .
            . . . . X . . .
            . . . . X . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        }
    );
    // The knight can only capture the rook or block on e7.
    assert_eq!(targets(&position, Square::G6), set("e5 e7"));
}

#[test]
fn the_masks_depend_on_number_and_role_of_the_checkers() {
    let (mut none, mut sliders, mut leapers) = (0, 0, 0);
    many_positions(|position| {
        let facts = position.legality();
        match facts.checkers.len() {
            0 => {
                none += 1;
                assert_eq!((facts.capture_mask, facts.push_mask), (Bitboard::FULL, Bitboard::FULL));
            }
            1 => {
                let checker = facts.checkers.first().unwrap();
                assert_eq!(facts.capture_mask, facts.checkers);
                match position.board().role_on(checker).unwrap() {
                    Role::Pawn | Role::Knight => {
                        leapers += 1;
                        assert!(facts.push_mask.is_empty(), "no piece can block a leaper's check");
                    }
                    _ => {
                        sliders += 1;
                        assert_eq!(facts.push_mask, attacks::between(facts.king, checker));
                    }
                }
            }
            _ => assert!((facts.capture_mask | facts.push_mask).is_empty()),
        }
    });
    assert!(none > 100 && sliders > 50 && leapers > 20);
}

#[test]
fn en_passant_captures_the_checker() {
    let position = position("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    let facts = position.legality();
    assert_eq!(facts.capture_mask, set("d4"));
    assert!(facts.push_mask.is_empty());
    let capture = position.parse_uci("e4d3").unwrap();
    assert!(capture.is_en_passant());
    // The target is in neither mask; the square of the captured pawn counts.
    assert!(!facts.check_mask().has(capture.to()));
    assert!(!position.play(capture).board().occupied().has(Square::D4));
}

#[test]
fn en_passant_blocks_a_check() {
    let position = position("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1");
    let facts = position.legality();
    assert_eq!(facts.capture_mask, set("f1"));
    assert_eq!(facts.push_mask, set("c4 d3 e2"));
    assert_eq!(texts::<Legal>(&position), ["b5a4", "b5a5", "b5b4", "b5b6", "b5c6", "e4d3"]);
    assert_eq!(position.count_legal(), 6);
    // A single mask would have to contain d4 to allow this capture.
    assert!(!facts.check_mask().has(Square::D4));
}

// Part 3: pins.

#[test]
fn a_pinned_rook_stays_on_its_file() {
    let position = position("4k3/8/4r3/8/8/4Q3/8/4K3 b - - 0 1");
    assert_eq!(position.pinned(), set("e6"));
    assert_eq!(
        targets(&position, Square::E6),
        bitboard! {
            . . . . . . . .
            . . . . X . . .
            . . . . . . . .
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
            . . . . . . . .
            . . . . . . . .
        }
    );
    // Off the file, the queen would give check.
    let explanation = position.explain("e6a6".parse().unwrap());
    assert!(
        matches!(explanation.reasons(), [Reason::Pinned { by, .. }] if by.square == Square::E3)
    );
}

#[test]
fn pins_in_eight_directions() {
    for direction in Direction::ALL {
        let king = Square::D4;
        let pinned = king.step(direction).unwrap();
        let attacker = pinned.step(direction).and_then(|next| next.step(direction)).unwrap();
        let is_orthogonal = Direction::ORTHOGONAL.contains(&direction);
        // The squares that remain: between king and attacker, and the attacker's square.
        let ray = attacks::between(king, attacker).without(pinned).with(attacker);
        // The article's search: the attacker's ray and the king's ray meet on the pinned piece.
        let mut board = Board::EMPTY;
        let other_king = set("a8 h1 h8 a1")
            .iter()
            .find(|&corner| attacks::line(king, pinned) & corner.bitboard() == Bitboard::EMPTY)
            .unwrap();
        board.set(king, Some(Role::King.of(Color::White)));
        board.set(other_king, Some(Role::King.of(Color::Black)));
        for pinner in [if is_orthogonal { Role::Rook } else { Role::Bishop }, Role::Queen] {
            board.set(attacker, Some(pinner.of(Color::Black)));
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                board.set(pinned, Some(role.of(Color::White)));
                let setup = tabiya::Setup { board, ..tabiya::Setup::EMPTY };
                let Ok(position) = Position::from_setup(&setup) else {
                    panic!("{direction:?} {role} {pinner}")
                };
                let towards_king = attacks::queen(attacker, board.occupied());
                let from_king = attacks::queen(king, board.occupied());
                let overlap = towards_king & from_king & attacks::line(king, attacker);
                assert_eq!(overlap, pinned.bitboard());
                assert_eq!(position.pinned(), overlap);

                let moves = targets(&position, pinned);
                assert!(moves.is_subset(ray), "{direction:?} {role}");
                let expected = match role {
                    Role::Queen => ray,
                    Role::Rook if is_orthogonal => ray,
                    Role::Bishop if !is_orthogonal => ray,
                    // A push on the file. The attacker is too far away for a capture.
                    Role::Pawn if direction == Direction::North => set("d6"),
                    _ => Bitboard::EMPTY,
                };
                assert_eq!(moves, expected, "{direction:?} {role} {pinner}");
            }
        }
    }
}

#[test]
fn a_pinned_pawn_captures_its_pinner() {
    for (fen, to) in [
        ("7k/8/8/5b2/4P3/3K4/8/8 w - - 0 1", "f5"),
        ("7k/8/8/3b4/4P3/5K2/8/8 w - - 0 1", "d5"),
        ("8/8/3k4/4p3/5B2/8/8/K7 b - - 0 1", "f4"),
    ] {
        let position = position(fen);
        let pawn = position.board().pieces(position.turn(), Role::Pawn).first().unwrap();
        assert_eq!(position.pinned(), pawn.bitboard(), "{fen}");
        assert_eq!(targets(&position, pawn), set(to), "captures only: {fen}");
    }
}

#[test]
fn pinned_pieces_move_along_lines_of_their_role() {
    many_positions(|position| {
        let facts = position.legality();
        for mv in position.legal_moves().iter().filter(|mv| facts.pinned.has(mv.from())) {
            let from = mv.from();
            let is_orthogonal =
                from.file() == facts.king.file() || from.rank() == facts.king.rank();
            match position.board().role_on(from).unwrap() {
                Role::Queen => {}
                Role::Rook => assert!(is_orthogonal, "{position:?} {mv}"),
                Role::Bishop => assert!(!is_orthogonal, "{position:?} {mv}"),
                Role::Pawn => assert_eq!(is_orthogonal, !mv.is_capture(), "{position:?} {mv}"),
                role => panic!("a pinned {role} moves: {position:?} {mv}"),
            }
        }
    });
}

// Part 4: castling and en passant.

#[test]
fn there_is_no_castling_in_check() {
    let free = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(["e1g1", "e1c1"].iter().all(|text| free.parse_uci(text).is_ok()));
    let check = position("r3k2r/8/8/8/8/3n4/8/R3K2R w KQkq - 0 1");
    for text in ["e1g1", "e1c1"] {
        let explanation = check.explain(text.parse().unwrap());
        assert!(
            explanation.reasons().iter().any(|reason| matches!(
                reason,
                Reason::CastlingInCheck { checker } if checker.square == Square::D3
            )),
            "{explanation}"
        );
    }
}

#[test]
fn en_passant_may_discover_a_check_on_the_rank() {
    // Two pawns close the fourth rank, and both would leave it.
    let position = position("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
    assert!(position.pinned().is_empty(), "the search for pins finds nothing");
    assert!(position.parse_uci("d4e3").is_err());
    let closed = position.board().occupied();
    let open = closed - set("d4 e4");
    assert!(!attacks::rook(Square::A4, closed).has(Square::H4));
    assert!(attacks::rook(Square::A4, open).has(Square::H4));
    let explanation = position.explain("d4e3".parse().unwrap());
    assert!(matches!(
        explanation.reasons(),
        [Reason::EnPassantUncovers { king: Square::A4, by }] if by.square == Square::H4
    ));
    // A queen attacks along the rank, too. With another piece on the rank, or with a bishop as the
    // attacker, the capture is legal.
    for (fen, legal) in [
        ("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1", false),
        ("8/8/8/8/kn1pP2R/8/8/4K3 b - e3 0 1", true),
        ("8/8/8/8/k2pP2B/8/8/4K3 b - e3 0 1", true),
        ("8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", false),
    ] {
        assert_eq!(super::position(fen).parse_uci("d4e3").is_ok(), legal, "{fen}");
    }
}

// Performance: the two tricks.

#[test]
fn o_xor_o_minus_2r_reaches_the_first_blocker() {
    // A file: the slider on d3, blockers on d6 and d8, one behind it on d1.
    let (occupied, slider) = (set("d1 d3 d6 d8").0, Square::D3.bitboard().0);
    let file = attacks::through(Square::D3, Direction::North).0;
    let o = occupied & file;
    let up = (o ^ o.wrapping_sub(2 * slider)) & file;
    assert_eq!(Bitboard(up), set("d4 d5 d6"));
    // Swapping the bytes mirrors the file, and the same subtraction works downwards.
    let (o, r) = (o.swap_bytes(), slider.swap_bytes());
    let down = ((o ^ o.wrapping_sub(r.wrapping_mul(2))) & file.swap_bytes()).swap_bytes();
    assert_eq!(Bitboard(down), set("d2 d1"));
    let rook = Hyperbola.rook(square("d3"), Bitboard(occupied));
    assert_eq!(rook & Bitboard(file), Bitboard(up | down));
}

#[test]
fn subtraction_agrees_with_step_by_step() {
    for occupied in occupancies(300) {
        for from in Square::ALL {
            let found = (Hyperbola.rook(from, occupied), Hyperbola.bishop(from, occupied));
            assert_eq!(found, step_by_step(from, occupied), "{from} {occupied:?}");
        }
    }
}

/// A Kogge-Stone fill: all sliders of a set move 1, 2 and 4 squares at once.
fn fill(sliders: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let steps = |set: Bitboard, count: u32| (0..count).fold(set, |set, _| set.shift(direction));
    let (mut reached, mut open) = (sliders, empty);
    for distance in [1, 2, 4] {
        reached |= open & steps(reached, distance);
        open &= steps(open, distance);
    }
    reached.shift(direction)
}

#[test]
fn a_kogge_stone_fill_handles_all_sliders_at_once() {
    let mut previous = Bitboard::EMPTY;
    for occupied in occupancies(300) {
        let sliders = occupied & previous;
        previous = occupied;
        let one_by_one =
            sliders.iter().fold(Bitboard::EMPTY, |all, from| all | step_by_step(from, occupied).0);
        let at_once = Direction::ORTHOGONAL
            .into_iter()
            .fold(Bitboard::EMPTY, |all, direction| all | fill(sliders, !occupied, direction));
        assert_eq!(at_once, one_by_one);
    }
}

#[test]
fn perft_of_the_position_that_the_article_measures() {
    let fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    let counts = [6, 264, 9_467, 422_333, 15_833_292];
    for (index, count) in counts.into_iter().enumerate() {
        assert_eq!(perft(&position(fen), index as u32 + 1), count);
    }
}
