//! Impossible setups: they are reported if no game can lead to them, and never for a position of a
//! game.

mod common;

use tabiya::fen::EnPassantMode;
use tabiya::{
    Bitboard, CastlingRights, CastlingSide, Color, Impossible, MoveKind, Position, Setup, Square,
};

use common::{Random, games, is_short, least, rounds};

fn impossibilities(fen: &str) -> Vec<Impossible> {
    let setup = Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup.validate().unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup.impossibilities().collect()
}

#[test]
fn castling_rights_are_added_and_removed() {
    let mut rights: CastlingRights = [Square::A1, Square::H1, Square::A8].into_iter().collect();
    rights.add(Square::H8);
    assert_eq!(rights, CastlingRights::START);
    rights.remove(Square::A1.bitboard() | Square::H8.bitboard());
    assert!(rights.rooks().iter().eq([Square::H1, Square::A8]));
    assert_eq!(rights.rook(Color::White, CastlingSide::Queen, Square::E1), None);
    assert_eq!(rights.rook(Color::White, CastlingSide::King, Square::E1), Some(Square::H1));
    assert_eq!(rights.rook(Color::Black, CastlingSide::Queen, Square::E8), Some(Square::A8));
    assert!(!rights.is_empty());
    rights.remove(Bitboard::FULL);
    assert!(rights.is_empty() && rights == CastlingRights::NONE);
}

/// Each piece beyond those at the start needs a pawn that promoted.
#[test]
fn promoted_pieces_are_counted_by_role_and_colour_of_square() {
    for (fen, pawns, promoted) in [
        // A third knight; a second bishop on a dark square, and on a light one; a third rook; a
        // second queen.
        ("4k3/8/8/8/8/NNN5/PPPPPPPP/4K3 w - - 0 1", 8, 1),
        ("4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 1", 8, 1),
        ("4k3/8/8/8/8/1B1B4/PPPPPPPP/4K3 w - - 0 1", 8, 1),
        ("4k3/8/8/8/8/RRR5/PPPPPPPP/4K3 w - - 0 1", 8, 1),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", 8, 1),
        // Several roles.
        ("k7/8/8/8/BBBB4/3PPP2/QQRRRPPP/4K3 w - - 0 1", 6, 4),
    ] {
        let expected = Impossible::TooManyPromoted { color: Color::White, pawns, promoted };
        assert_eq!(impossibilities(fen), [expected], "{fen}");
    }
    // The pieces of the start and one pawn for each promotion.
    for fen in
        ["4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "k7/8/8/8/BBBB2NN/6N1/QQRRRPPP/4K3 w - - 0 1"]
    {
        assert_eq!(impossibilities(fen), [], "{fen}");
    }
}

#[test]
fn checks_that_no_move_can_give_are_reported() {
    use Impossible::{CheckBeforeDoublePush, Checker, Checkers, CheckersInLine, TooManyCheckers};
    let checkers = |first, last| Checkers { first, last };
    for (fen, expected) in [
        // Two pieces that do not slide cannot give check with one move.
        ("k7/8/8/8/8/3n1n2/8/4K3 w - - 0 1", checkers(Square::D3, Square::F3)),
        ("k7/8/8/8/8/8/3p1p2/4K3 w - - 0 1", checkers(Square::D2, Square::F2)),
        ("k7/8/8/8/8/5n2/3p4/4K3 w - - 0 1", checkers(Square::D2, Square::F3)),
        ("4k3/3P1P2/8/8/8/8/8/4K3 b - - 0 1", checkers(Square::D7, Square::F7)),
        // Two sliders: neither can have discovered the other's check.
        ("k3r3/8/8/8/8/8/8/4K2r w - - 0 1", checkers(Square::H1, Square::E8)),
        // No square from which the knight reaches c2 is on the bishop's line.
        ("k7/8/8/8/7b/8/2n5/4K3 w - - 0 1", checkers(Square::C2, Square::H4)),
        // The knight's check is older than the double push.
        ("4k3/8/8/4pP2/8/3n4/8/4K3 w - e6 0 1", CheckBeforeDoublePush { checker: Square::D3 }),
        // The pawn's double push crossed the rook's file but did not open it.
        ("4r1k1/8/8/3p4/8/8/8/4K3 w - d6 0 1", CheckBeforeDoublePush { checker: Square::E8 }),
        // A pawn on its first square has never moved.
        ("7k/3p4/4K3/8/8/8/8/8 w - - 0 1", Checker { checker: Square::D7 }),
        // All squares from which the knight can have come are occupied.
        ("7k/8/8/1p6/2p5/n7/2K5/1N6 w - - 0 1", Checker { checker: Square::A3 }),
        // The rook looks as after castling, but the king does not, or had no way to g1.
        ("8/8/8/8/8/8/5P2/2k2RNK b - - 0 1", Checker { checker: Square::F1 }),
        ("8/8/8/8/8/8/5P2/3NkRKN b - - 0 1", Checker { checker: Square::F1 }),
        ("k3r3/8/8/8/8/8/2n2n2/4K2r w - - 0 1", TooManyCheckers { found: 3 }),
        (
            "k3r3/8/8/8/4K3/8/8/4r3 w - - 0 1",
            CheckersInLine { first: Square::E1, last: Square::E8 },
        ),
    ] {
        assert_eq!(impossibilities(fen), [expected], "{fen}");
    }
}

#[test]
fn checks_that_a_move_can_give_are_not_reported() {
    for fen in [
        // A knight that leaves the rook's file, from e3 to c2 or g2.
        "k3r3/8/8/8/8/8/2n5/4K3 w - - 0 1",
        // A pawn that promotes discovers the check along its file.
        "4r2k/8/8/8/8/8/8/3qK3 w - - 0 1",
        // A double push gives check, or opens a diagonal.
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "8/8/7k/8/3Pp3/8/8/2B1K3 b - d3 0 1",
        // An en-passant capture from e5 to d6 discovers two sliders.
        "B3R3/8/3P4/8/4k3/8/8/K7 b - - 0 1",
        // Castling gives check along the file and along the rank.
        "5k2/8/8/8/8/8/8/5RK1 b - - 0 1",
        "8/8/8/8/8/8/8/2k2RK1 b - - 0 1",
        // The rook cannot have come in another way.
        "8/8/8/8/8/8/5P2/2k2RK1 b - - 0 1",
        // The king discovers a check.
        "4k3/8/8/8/8/8/3K4/4R3 b - - 0 1",
        // A capture gives check, also on a square that a push cannot reach.
        "4k3/8/8/8/8/5p2/4p3/3K4 w - - 0 1",
    ] {
        assert_eq!(impossibilities(fen), [], "{fen}");
    }
}

#[test]
fn a_move_that_gives_check_is_never_called_impossible() {
    let mut random = Random::new(8);
    let (mut positions, mut checks, mut double_checks, mut after_double_push) = (0, 0, 0, 0);
    let mut en_passant_checks = 0;
    let mut look = |position: &Position| {
        positions += 1;
        let setup = position.to_setup_with(EnPassantMode::Always);
        assert_eq!(setup.impossibilities().next(), None, "{}", setup.fen());
        // All moves that give check: far more checks than a random game has.
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.is_check() {
                let setup = after.to_setup_with(EnPassantMode::Always);
                // Promotions may be impossible on random boards; checks may not.
                let found: Vec<Impossible> = setup.impossibilities().collect();
                assert_eq!(found, [], "{} after {mv:?}", setup.fen());
                checks += 1;
                double_checks += usize::from(after.checkers().has_many());
                after_double_push += usize::from(mv.kind() == MoveKind::DoublePush);
                en_passant_checks += usize::from(mv.is_en_passant());
            }
        }
    };
    for _ in 0..rounds(200) {
        games::play(&Position::START, 150, &mut random, &mut look);
        let start = games::chess960_start(&mut random);
        games::play(&start, 150, &mut random, &mut look);
    }
    assert!(positions >= least(30_000), "{positions} positions");
    assert!(checks >= least(30_000), "{checks} checks");
    assert!(double_checks >= least(20), "{double_checks} double checks");
    assert!(after_double_push >= least(100), "{after_double_push} checks by a double push");
    assert!(is_short() || en_passant_checks > 5, "{en_passant_checks} checks by en passant");
}

/// On random boards with few pieces, rare ways to give check are common.
#[test]
fn checks_on_random_boards_are_never_called_impossible() {
    let mut random = Random::new(9);
    let is_about_checks = |it: &Impossible| !matches!(it, Impossible::TooManyPromoted { .. });
    let (mut double_checks, mut castling_checks, mut en_passant_checks) = (0, 0, 0);
    for index in 0..rounds(16_000) {
        // Some of the boards have an en-passant capture, and some a castling right.
        let position = loop {
            let position = games::random_board(3 + index % 8, &mut random);
            let fits = match index % 20 {
                0 => position.en_passant().is_some(),
                1..4 => !position.castling_rights().is_empty(),
                _ => true,
            };
            if fits {
                break position;
            }
        };
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.is_check() {
                let setup = after.to_setup_with(EnPassantMode::Always);
                let found = setup.impossibilities().find(is_about_checks);
                assert_eq!(found, None, "{} after {mv:?}", setup.fen());
                double_checks += usize::from(after.checkers().has_many());
                castling_checks += usize::from(mv.castling().is_some());
                en_passant_checks += usize::from(mv.is_en_passant());
            }
        }
    }
    assert!(double_checks >= least(80), "{double_checks} double checks");
    assert!(castling_checks >= least(30), "{castling_checks} checks by castling");
    assert!(en_passant_checks >= least(30), "{en_passant_checks} checks by en passant");
}

#[test]
fn impossible_positions_of_the_suites_are_tagged_unreachable() {
    let mut tagged = 0;
    let mut untagged = Vec::new();
    for name in ["rules.epd", "rules-chess960.epd"] {
        let mut tags = "";
        for line in common::file(name).lines() {
            if let Some(comment) = line.strip_prefix("# rules: ") {
                tags = comment;
            } else if let Some((fen, _)) = line.split_once(" ;").filter(|_| !line.starts_with('#'))
            {
                let setup = Setup::from_fen(fen).unwrap();
                if let Some(it) = setup.impossibilities().next() {
                    tagged += 1;
                    if !tags.split(' ').any(|tag| tag == "unreachable") {
                        untagged.push(format!("{name} {fen}: {it}"));
                    }
                }
            }
        }
    }
    assert!(untagged.is_empty(), "{untagged:#?}");
    assert!(tagged > 10, "{tagged} positions");
}
