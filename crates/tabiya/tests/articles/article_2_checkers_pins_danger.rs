//! The article on checkers, pinned pieces and king danger: three sets, found once for each node,
//! from which only legal moves are generated.

use tabiya::attacks::{Sliders, StepByStep};
use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{
    Bitboard, Color, Move, MoveKind, MoveList, Position, Reason, Role, Square, attacks, bitboard,
};

use super::{is_short, many_positions, perft, position, set, targets};

// King danger.

#[test]
fn king_danger_extends_through_the_king() {
    // The rook attacks along the e-file; e7 lies behind the king.
    let position = position("8/8/4k3/8/8/8/8/K3R3 b - - 0 1");
    let with_king = position.board().attacks_by(Color::White);
    let danger = position.generator().king_danger();
    assert!(!with_king.has(Square::E7), "the king blocks the square behind it");
    assert_eq!(
        danger,
        bitboard! {
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
            X X . . X . . .
            X X X X . X X X
        }
    );
    assert_eq!(targets(&position, Square::E6), set("d5 d6 d7 f5 f6 f7"));
}

#[test]
fn king_danger_includes_defended_pieces() {
    // The knight on d2 defends the bishop on f1, and the bishop defends the pawn on g2.
    let position = position("7k/8/8/8/8/8/3n2p1/5bK1 w - - 0 1");
    let danger = position.generator().king_danger();
    assert!(danger.has(Square::F1) && danger.has(Square::G2), "the bishop defends the pawn");
    assert_eq!(targets(&position, Square::G1), set("f2 h2"));
}

#[test]
fn king_danger_is_what_the_enemy_attacks_with_the_king_removed() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let facts = position.legality();
        let without_king = board.occupied().without(facts.king);
        let mut danger = Bitboard::EMPTY;
        for from in board.color(!us) {
            danger |= match board.role_on(from).unwrap() {
                Role::Pawn => attacks::pawn(!us, from),
                Role::Knight => attacks::knight(from),
                Role::Bishop => StepByStep.bishop(from, without_king),
                Role::Rook => StepByStep.rook(from, without_king),
                Role::Queen => StepByStep.queen(from, without_king),
                Role::King => attacks::king(from),
            };
        }
        assert_eq!(position.generator().king_danger(), danger, "{position:?}");
        // The king's steps follow directly.
        let steps = attacks::king(facts.king) - board.color(us) - danger;
        let generated = MoveList::of::<Legal>(position)
            .iter()
            .filter(|mv| mv.from() == facts.king && mv.castling().is_none())
            .map(|mv| mv.to())
            .collect();
        assert_eq!(steps, generated, "{position:?}");
    });
}

// Checkers.

#[test]
fn checkers_are_attacks_from_the_kings_square() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let (king, occupied) = (position.king(us), board.occupied());
        let them = |role| board.pieces(!us, role);
        // A pawn of ours on the king's square would attack the pawns that attack it.
        let checkers = (attacks::pawn(us, king) & them(Role::Pawn))
            | (attacks::knight(king) & them(Role::Knight))
            | (StepByStep.bishop(king, occupied) & (them(Role::Bishop) | them(Role::Queen)))
            | (StepByStep.rook(king, occupied) & (them(Role::Rook) | them(Role::Queen)));
        assert_eq!(position.legality().checkers, checkers, "{position:?}");
        assert_eq!(position.checkers(), checkers);
        assert_eq!(position.is_check(), checkers.any());
    });
}

#[test]
fn no_legal_move_gives_three_checks() {
    let mut double = 0;
    // This takes only positions after a legal move, because the suites' own boards may be
    // unreachable.
    many_positions(|position| {
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let checkers = after.checkers();
            assert!(checkers.len() <= 2, "{position:?} {mv}");
            if checkers.len() == 2 {
                double += 1;
                // A move opens a line, so one of the two is a slider.
                let sliders =
                    checkers - after.board().role(Role::Pawn) - after.board().role(Role::Knight);
                assert!(sliders.any(), "{position:?} {mv}");
            }
        }
    });
    assert!(double > 0, "some moves give double check");
}

// Pins.

#[test]
fn only_pinned_pieces_have_a_pin_line() {
    many_positions(|position| {
        let facts = position.legality();
        for at in Square::ALL {
            let line = facts.pin_line(at);
            if facts.pinned.has(at) {
                assert!(line != Bitboard::FULL && line.has(at) && line.has(facts.king));
            } else {
                assert_eq!(line, Bitboard::FULL, "{position:?} {at}");
            }
        }
    });
}

#[test]
fn a_pinned_piece_may_capture_its_pinner() {
    let position = position("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
    let facts = position.legality();
    assert_eq!(facts.pinned, set("e2"));
    // The mask keeps the squares between king and pinner, and the pinner's square.
    let open = attacks::rook(Square::E2, position.board().occupied());
    let kept = (open & facts.pin_line(Square::E2)) - position.board().color(Color::White);
    assert_eq!(kept, set("e3 e4 e5 e6 e7"));
    assert_eq!(targets(&position, Square::E2), kept);
    assert_eq!(kept, (attacks::between(Square::E1, Square::E7) | set("e7")) - set("e2"));
}

/// The article's search: remove the king's first blockers. An enemy slider that attacks the king
/// only then pins the piece between.
fn pinned_by_x_rays(position: &Position) -> (Bitboard, Vec<(Square, Bitboard)>) {
    let (board, us) = (position.board(), position.turn());
    let (king, occupied, own) = (position.king(us), board.occupied(), board.color(us));
    let mut pinned = Bitboard::EMPTY;
    let mut lines = Vec::new();
    type Attack = fn(StepByStep, Square, Bitboard) -> Bitboard;
    let methods: [(Attack, Bitboard); 2] = [
        (StepByStep::rook, board.orthogonal_sliders(!us)),
        (StepByStep::bishop, board.diagonal_sliders(!us)),
    ];
    for (attack, sliders) in methods {
        let direct = attack(StepByStep, king, occupied);
        let through = attack(StepByStep, king, occupied ^ (direct & own));
        for pinner in (through & sliders) - direct {
            let between = attacks::between(king, pinner);
            let blockers = between & own;
            if blockers.len() == 1 {
                pinned |= blockers;
                lines.push((blockers.first().unwrap(), between.with(pinner)));
            }
        }
    }
    (pinned, lines)
}

#[test]
fn x_rays_find_the_pinned_pieces_and_their_lines() {
    let mut seen = 0;
    many_positions(|position| {
        let facts = position.legality();
        let (pinned, lines) = pinned_by_x_rays(position);
        assert_eq!(facts.pinned, pinned, "{position:?}");
        for (pinned_piece, line) in lines {
            seen += 1;
            // The library keeps the whole line. The piece reaches the same squares on both.
            let whole = facts.pin_line(pinned_piece);
            assert!(line.is_subset(whole));
            let reach = position.board().attacks_from(pinned_piece)
                - position.board().color(position.turn());
            assert_eq!(reach & whole, reach & line, "{position:?} {pinned_piece}");
        }
    });
    assert!(seen > 100, "there are pins among the positions");
}

#[test]
fn squares_between_exclude_both_ends() {
    for a in Square::ALL {
        for b in Square::ALL {
            let files = b.file() as i8 - a.file() as i8;
            let ranks = b.rank() as i8 - a.rank() as i8;
            let aligned = files == 0 || ranks == 0 || files.abs() == ranks.abs();
            let mut expected = Bitboard::EMPTY;
            if a != b && aligned {
                let mut at = a.offset(files.signum(), ranks.signum()).unwrap();
                while at != b {
                    expected = expected.with(at);
                    at = at.offset(files.signum(), ranks.signum()).unwrap();
                }
            }
            assert_eq!(attacks::between(a, b), expected, "{a} {b}");
            assert_eq!(attacks::between(a, b), attacks::between(b, a));
            assert!(!expected.has(a) && !expected.has(b));
        }
    }
}

// Legal moves from the three sets.

#[test]
fn legal_moves_follow_from_the_three_sets() {
    let (mut checks, mut double_checks, mut pins) = (0, 0, 0);
    many_positions(|position| {
        let facts = position.legality();
        let mut expected = MoveList::of::<PseudoLegal<Legal>>(position);
        let danger = position.generator().king_danger();
        expected.retain(|mv| {
            if mv.castling().is_some() {
                return facts.checkers.is_empty();
            }
            if mv.from() == facts.king {
                return !danger.has(mv.to());
            }
            if mv.is_en_passant() {
                return position.is_legal(mv);
            }
            let stops_check = match facts.checkers.len() {
                0 => true,
                1 => {
                    let checker = facts.checkers.first().unwrap();
                    (facts.checkers | attacks::between(facts.king, checker)).has(mv.to())
                }
                _ => false,
            };
            stops_check && facts.pin_line(mv.from()).has(mv.to())
        });
        let legal = position.legal_moves();
        assert_eq!(legal.len(), expected.len(), "{position:?}");
        assert!(legal.iter().all(|mv| expected.contains(mv)), "{position:?}");

        checks += usize::from(facts.checkers.len() == 1);
        pins += usize::from(facts.pinned.any());
        if facts.checkers.len() > 1 {
            double_checks += 1;
            assert!(legal.iter().all(|mv| mv.from() == facts.king), "{position:?}");
        }
        if facts.checkers.any() {
            // Only pieces that are not pinned can stop the check, and there is no castling.
            assert!(legal.iter().all(|mv| !facts.pinned.has(mv.from())), "{position:?}");
            assert!(legal.iter().all(|mv| mv.castling().is_none()), "{position:?}");
        }
    });
    assert!(checks > 100 && double_checks > 5 && pins > 100);
}

#[test]
fn a_pinned_knight_never_moves() {
    // No target of a knight lies on a line through the king and the knight.
    for king in Square::ALL {
        for from in Square::ALL {
            assert!(!attacks::knight(from).meets(attacks::line(king, from)), "{king} {from}");
        }
    }
    many_positions(|position| {
        let pinned = position.pinned() & position.board().role(Role::Knight);
        assert!(position.legal_moves().iter().all(|mv| !pinned.has(mv.from())), "{position:?}");
    });
}

#[test]
fn a_pinned_pawn_stays_on_its_pin_line() {
    for (fen, expected) in [
        // Pinned on the file: it advances and does not capture.
        ("4r2k/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1", "e3 e4"),
        // Pinned on a diagonal: it may capture the pinner, and does not advance.
        ("7k/8/8/8/8/5b2/4P3/3K4 w - - 0 1", "f3"),
        ("7k/8/8/8/6b1/8/4P3/3K4 w - - 0 1", ""),
        // Pinned on a rank: it does not move.
        ("7k/8/8/8/8/3p1p2/K3P2r/8 w - - 0 1", ""),
    ] {
        let position = position(fen);
        assert_eq!(position.pinned(), set("e2"), "{fen}");
        assert_eq!(targets(&position, Square::E2), set(expected), "{fen}");
    }
}

// En passant.

#[test]
fn en_passant_is_tried_out_on_the_board() {
    for (fen, legal) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
        // Both pawns leave the rank.
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", false),
        ("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", false),
        // With a third piece on the rank, no line opens.
        ("4k3/8/8/KN1pP2r/8/8/8/8 w - d6 0 1", true),
        // The captured pawn leaves a diagonal.
        ("6bk/8/8/3pP3/8/1K6/8/8 w - d6 0 1", false),
        // The capturing pawn leaves a diagonal, or stays on it.
        ("7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1", false),
        ("7k/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1", true),
        ("1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1", true),
    ] {
        let position = position(fen);
        let found = position.legal_moves().iter().any(|mv| mv.is_en_passant());
        assert_eq!(found, legal, "{fen}");
    }
}

#[test]
fn en_passant_may_capture_the_checker_or_block() {
    // It captures the checker.
    let captures = position("8/8/8/3pP3/4K3/8/8/7k w - d6 0 1");
    assert_eq!(captures.checkers(), set("d5"));
    assert!(captures.parse_uci("e5d6").is_ok());
    // It does not stop another check.
    let other = position("7k/8/8/3pP3/8/8/8/r3K3 w - d6 0 1");
    let explanation = other.explain("e5d6".parse().unwrap());
    assert!(matches!(explanation.reasons(), [Reason::CheckRemains { .. }]));
    // The article does not mention that the capture can also block; the fourth article does.
    let block = position("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1");
    assert_eq!(block.checkers(), set("f1"));
    assert!(block.parse_uci("e4d3").is_ok());
}

// Castling.

#[test]
fn castling_needs_empty_and_safe_squares() {
    let start = |turn| position(&format!("r3k2r/8/8/8/8/8/8/R3K2R {turn} KQkq - 0 1"));
    for (turn, text, empty, safe) in [
        ('w', "e1g1", 0x60, 0x70),
        ('w', "e1c1", 0x0e, 0x1c),
        ('b', "e8g8", 0x6000_0000_0000_0000, 0x7000_0000_0000_0000),
        ('b', "e8c8", 0x0e00_0000_0000_0000, 0x1c00_0000_0000_0000),
    ] {
        let (empty, safe) = (Bitboard(empty), Bitboard(safe));
        let free = start(turn);
        assert!(free.parse_uci(text).is_ok());
        let us = free.turn();
        for at in Square::ALL.into_iter().filter(|&at| free.piece_on(at).is_none()) {
            // A piece of either side on each square in turn.
            for (color, role) in [(us, Role::Knight), (!us, Role::Rook), (!us, Role::Knight)] {
                let mut setup = free.to_setup();
                setup.board.set(at, Some(role.of(color)));
                let Ok(position) = Position::from_setup(&setup) else { continue };
                let occupied = position.board().occupied();
                let danger = position.generator().king_danger();
                let allowed = !occupied.meets(empty) && !danger.meets(safe);
                assert_eq!(position.parse_uci(text).is_ok(), allowed, "{text} {role} on {at}");
            }
        }
    }
}

#[test]
fn the_rook_may_castle_across_an_attacked_square() {
    // b1 must be empty, but may be attacked.
    let position = position("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert!(position.generator().king_danger().has(Square::B1));
    assert!(position.parse_uci("e1c1").is_ok());
}

// Moves and counts.

#[test]
fn move_kinds_are_four_bit_flags() {
    assert_eq!(size_of::<Move>(), 2);
    let quiet = [
        MoveKind::PromoteKnight,
        MoveKind::PromoteBishop,
        MoveKind::PromoteRook,
        MoveKind::PromoteQueen,
    ];
    let capturing = [
        MoveKind::CapturePromoteKnight,
        MoveKind::CapturePromoteBishop,
        MoveKind::CapturePromoteRook,
        MoveKind::CapturePromoteQueen,
    ];
    for (index, role) in
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate()
    {
        // The first flag of the row plus the number of the role is the flag.
        assert_eq!(quiet[index] as usize, MoveKind::PromoteKnight as usize + index);
        assert_eq!(capturing[index] as usize, MoveKind::CapturePromoteKnight as usize + index);
        for (kind, is_capture) in [(quiet[index], false), (capturing[index], true)] {
            let mv = Move::new(Square::A7, Square::B8, kind);
            assert_eq!((mv.promotion(), mv.is_capture()), (Some(role), is_capture));
            assert_eq!(mv.bits() >> 12, kind as u16);
            assert_eq!((mv.bits() & 63, mv.bits() >> 6 & 63), (48, 57));
        }
    }
}

#[test]
fn a_move_to_an_enemy_piece_is_a_capture() {
    many_positions(|position| {
        let enemies = position.board().color(!position.turn());
        for mv in position.legal_moves() {
            assert_eq!(mv.is_capture(), enemies.has(mv.to()) || mv.is_en_passant());
        }
    });
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn perft_agrees_with_the_articles_tables() {
    let start = [20, 400, 8_902, 197_281, 4_865_609, 119_060_324];
    let kiwipete = [48, 2_039, 97_862, 4_085_603, 193_690_690];
    let depth = |deepest: usize| if is_short() { 4 } else { deepest };
    for (index, count) in start.into_iter().enumerate().take(depth(6)) {
        assert_eq!(perft(&Position::START, index as u32 + 1), count);
    }
    for (index, count) in kiwipete.into_iter().enumerate().take(depth(5)) {
        assert_eq!(perft(&position(KIWIPETE), index as u32 + 1), count);
    }
}

/// Without bulk counting: every move is made and unmade.
fn without_bulk_counting(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        nodes += without_bulk_counting(position, depth - 1);
        position.unmake(mv, undo);
    }
    nodes
}

#[test]
fn bulk_counting_gives_the_same_counts() {
    let kiwipete = if is_short() { (3, 97_862) } else { (4, 4_085_603) };
    for (mut position, (depth, count)) in
        [(Position::START, (4, 197_281)), (position(KIWIPETE), kiwipete)]
    {
        assert_eq!(without_bulk_counting(&mut position, depth), count);
        assert_eq!(perft(&position, depth), count);
    }
}
