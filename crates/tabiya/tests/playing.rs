//! Properties that hold at every node of the trees below many positions.

mod common;
use common::{Line, is_short, suite};

use tabiya::fen::EnPassantMode;
use tabiya::{Move, Position, Role, Square, UciMove};

/// Visits every node to a depth.
fn visit(position: &Position, depth: u32, check: &mut impl FnMut(&Position)) {
    check(position);
    if depth > 0 {
        for mv in position.legal_moves() {
            visit(&position.play(mv), depth - 1, check);
        }
    }
}

/// Visits the nodes below all positions of the suites, to a depth with fewer nodes than the limit.
fn every_node(limit: u64, mut check: impl FnMut(&Position)) {
    let names = ["standard", "regression", "regression-chess960", "rules", "rules-chess960"];
    let limit = if is_short() { limit / 10 } else { limit };
    for name in names {
        for Line { position, counts } in suite(&format!("{name}.epd")) {
            let small = counts.iter().take_while(|&&(_, nodes)| nodes < limit);
            visit(&position, small.last().map_or(0, |&(depth, _)| depth), &mut check);
        }
    }
}

#[test]
fn listing_counting_and_asking_agree() {
    every_node(3000, |position| {
        let moves = position.legal_moves();
        assert_eq!(position.count_legal(), moves.len(), "{position:?}");
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position:?}");
        for (index, mv) in moves.iter().enumerate() {
            assert!(!moves[..index].contains(mv), "{position:?} {mv} twice");
            assert!(position.is_legal(*mv), "{position:?} {mv}");
        }
        let no_moves = moves.is_empty();
        assert_eq!(position.is_checkmate(), no_moves && position.is_check(), "{position:?}");
        assert_eq!(position.is_stalemate(), no_moves && !position.is_check(), "{position:?}");
    });
}

#[test]
fn children_are_the_positions_after_the_legal_moves() {
    every_node(3000, |position| {
        let mut found = Vec::new();
        position.for_each_child(|mv, child| {
            let expected = position.play(mv);
            assert_eq!(*child, expected, "{position:?} {mv}");
            assert_eq!(child.key(), expected.key(), "{position:?} {mv}");
            assert_eq!(child.halfmove_clock(), expected.halfmove_clock(), "{position:?} {mv}");
            assert_eq!(child.fullmove_number(), expected.fullmove_number(), "{position:?} {mv}");
            found.push(mv);
        });
        let mut expected = position.legal_moves().to_vec();
        let order = |mv: &Move| (mv.from(), mv.to(), mv.promotion());
        expected.sort_by_key(order);
        found.sort_by_key(order);
        assert_eq!(found, expected, "{position:?}");
    });
}

#[test]
fn the_updated_key_equals_the_key_of_the_whole_position() {
    every_node(20_000, |position| {
        assert_eq!(position.key(), position.key_from_scratch(), "{position:?}");
    });
}

/// The role of the piece that a legal move captures, read from the board.
fn captured_role(position: &Position, mv: Move) -> Option<Role> {
    let enemies = position.board().color(!position.turn());
    let moving = position.piece_on(mv.from()).expect("a piece moves").role;
    if enemies.has(mv.to()) {
        Some(position.piece_on(mv.to()).expect("a piece is captured").role)
    } else if moving == Role::Pawn && mv.from().file() != mv.to().file() {
        // En passant.
        Some(Role::Pawn)
    } else {
        None
    }
}

#[test]
fn unmake_restores_everything_and_undo_has_the_captured_role() {
    let all = |position: &Position| {
        let fen = position.to_setup_with(EnPassantMode::Always).fen().to_string();
        (fen, position.key(), position.en_passant(), position.castling_mode())
    };
    every_node(1000, |position| {
        let mut changing = position.clone();
        for mv in position.legal_moves() {
            let undo = changing.make(mv);
            assert_eq!(all(&changing), all(&position.play(mv)), "{position:?} {mv}");
            assert_eq!(undo.captured(), captured_role(position, mv), "{position:?} {mv}");
            changing.unmake(mv, undo);
            assert_eq!(all(&changing), all(position), "{position:?} {mv}");
        }
        match changing.make_null() {
            Some(undo) => {
                assert_eq!(Some(all(&changing)), position.play_null().as_ref().map(all));
                assert_eq!(changing.key(), changing.key_from_scratch(), "{position:?}");
                changing.unmake_null(undo);
            }
            None => assert!(position.is_check(), "{position:?}"),
        }
        assert_eq!(all(&changing), all(position), "{position:?}");
    });
}

/// Every field of FEN after each kind of move, and after its mirror image.
#[test]
fn known_positions_after_each_kind_of_move() {
    use tabiya::fen::FenConvention;
    for (before, text, after) in [
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 5 9", "g1f3", "4k3/8/8/8/8/5N2/8/4K3 b - - 6 9"),
        ("4k3/8/8/8/8/5n2/8/4K1N1 w - - 5 9", "g1f3", "4k3/8/8/8/8/5N2/8/4K3 b - - 0 9"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 9", "e2e3", "4k3/8/8/8/8/4P3/8/4K3 b - - 0 9"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 9", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 9"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 9"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", "e1e2", "4k3/8/8/3pP3/8/8/4K3/8 b - - 1 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 6 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 6 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 6 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "h1h2", "r3k2r/8/8/8/8/8/7R/R3K3 b Qkq - 6 9"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 5 9", "a7a8n", "N3k3/8/8/8/8/8/8/4K3 b - - 0 9"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 5 9", "a7b8q", "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 9"),
        ("4k2r/6P1/8/8/8/8/8/4K3 w k - 5 9", "g7h8r", "4k2R/8/8/8/8/8/8/4K3 b - - 0 9"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 65535 9", "g1f3", "4k3/8/8/8/8/5N2/8/4K3 b - - 65535 9"),
    ] {
        let written = |it: &Position| it.fen_with(FenConvention::PGN).to_string();
        let position = Position::from_fen(before).unwrap();
        let mv = position.parse_uci(text).unwrap();
        let expected = Position::from_fen(after).unwrap();
        assert_eq!(written(&position.play(mv)), after, "{before} {text}");
        assert_eq!(position.play(mv).key(), expected.key(), "{before} {text}");
        // Black's move ends the move's number.
        let uci: UciMove = text.parse().unwrap();
        let mirror = UciMove { from: uci.from.flip_ranks(), to: uci.to.flip_ranks(), ..uci };
        let position = position.mirrored();
        let played = position.play(position.find_uci(mirror).unwrap());
        let expected = expected.mirrored();
        let later = written(&expected).strip_suffix(" 9").map(|rest| format!("{rest} 10"));
        assert_eq!(Some(written(&played)), later, "{before} {text}, mirrored");
        assert_eq!(played.key(), expected.key(), "{before} {text}, mirrored");
    }
    // The number of the move stops at its largest value.
    let last = Position::from_fen("4k1n1/8/8/8/8/8/8/4K3 b - - 0 65535").unwrap();
    let after = last.play(last.parse_uci("g8f6").unwrap());
    assert_eq!(after.fen().to_string(), "4k3/8/5n2/8/8/8/8/4K3 w - - 1 65535");
}

/// Before and after a null move; the square that a double push crossed is forgotten.
#[test]
fn null_moves_of_known_positions() {
    use tabiya::fen::FenConvention;
    for (before, after) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7", "4k3/8/8/3pP3/8/8/8/4K3 b - - 1 7"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 7", "4k3/8/8/8/4P3/8/8/4K3 w - - 1 8"),
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 65535 65535", "r3k3/8/8/8/8/8/8/4K2R b Kq - 65535 65535"),
        ("r3k3/8/8/8/8/8/8/4K2R b Kq - 9 65535", "r3k3/8/8/8/8/8/8/4K2R w Kq - 10 65535"),
    ] {
        let position = Position::from_fen(before).unwrap();
        let mut changing = position.clone();
        let undo = changing.make_null().unwrap();
        for passed in [&position.play_null().unwrap(), &changing] {
            assert_eq!(passed.fen_with(FenConvention::PGN).to_string(), after);
            assert_eq!(passed.key(), Position::from_fen(after).unwrap().key(), "{before}");
        }
        changing.unmake_null(undo);
        assert_eq!(changing.fen_with(FenConvention::PGN).to_string(), before);
        assert_eq!(changing.key(), position.key(), "{before}");
    }
    for check in ["4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", "4K3/8/8/8/8/8/8/4r1k1 w - - 0 1"] {
        assert!(Position::from_fen(check).unwrap().play_null().is_none(), "{check}");
    }
}

#[test]
fn written_fens_are_read_back_equal() {
    every_node(3000, |position| {
        for mode in [EnPassantMode::Always, EnPassantMode::PseudoLegal, EnPassantMode::Legal] {
            let setup = position.to_setup_with(mode);
            let fen = setup.fen().to_string();
            let back = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(&back, position, "{fen}");
            assert_eq!(back.key(), position.key(), "{fen}");
            assert_eq!(back.to_setup_with(EnPassantMode::Always).en_passant, setup.en_passant);
            let shredder = setup.fen().castling(tabiya::fen::CastlingNotation::Shredder);
            assert_eq!(&Position::from_fen(&shredder.to_string()).unwrap(), position, "{shredder}");
        }
    });
}

/// Every text that could be a move: 64 x 64 squares, no promotion or one of four.
fn every_text() -> impl Iterator<Item = UciMove> {
    let promotions = [None].into_iter().chain(Role::PROMOTIONS.map(Some));
    promotions.flat_map(|promotion| {
        Square::ALL.into_iter().flat_map(move |from| {
            Square::ALL.into_iter().map(move |to| UciMove { from, to, promotion })
        })
    })
}

#[test]
fn only_listed_moves_are_legal() {
    let positions = if is_short() { 3 } else { usize::MAX };
    for name in ["regression.epd", "regression-chess960.epd", "rules-chess960.epd"] {
        for Line { position, .. } in suite(name).into_iter().take(positions) {
            let moves = position.legal_moves();
            let found: Vec<Move> =
                every_text().filter_map(|text| position.find_uci(text)).collect();
            assert_eq!(found.len(), moves.len(), "{position:?}: each move has one text");
            for &mv in &moves {
                assert!(found.contains(&mv), "{position:?} {mv}");
                let text = position.uci(mv).to_string();
                assert_eq!(position.parse_uci(&text), Ok(mv), "{position:?} {text}");
            }
            let legal =
                (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| position.is_legal(mv));
            assert_eq!(legal.count(), moves.len(), "{position:?}");
        }
    }
}

/// Moves of other positions may give unplayable positions, but no two pieces share a square.
#[test]
fn illegal_moves_leave_a_consistent_board() {
    let mut random = common::Random::new(2);
    for Line { position, .. } in suite("rules.epd").into_iter().take(100) {
        let mut changing = position;
        for _ in 0..50 {
            let Some(mv) = Move::from_bits(random.next() as u16) else { continue };
            let before = changing.clone();
            let undo = changing.make(mv);
            if random.below(4) == 0 {
                changing.unmake(mv, undo);
            }
            let board = changing.board();
            let mut seen = tabiya::Bitboard::EMPTY;
            for role in Role::ALL {
                assert!(!seen.meets(board.role(role)), "{before:?} {mv:?}");
                seen |= board.role(role);
            }
            assert_eq!(seen, board.occupied(), "{before:?} {mv:?}");
            let [white, black] = tabiya::Color::ALL.map(|color| board.color(color));
            assert!(!white.meets(black), "{before:?} {mv:?}");
        }
    }
}

#[test]
fn pseudo_legal_en_passant_may_expose_the_king() {
    use tabiya::MoveList;
    use tabiya::movegen::{Captures, PseudoLegal};
    for fen in ["7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1"] {
        let position = Position::from_fen(fen).unwrap();
        assert!(MoveList::of::<Captures>(&position).iter().all(|mv| !mv.is_en_passant()));
        let pseudo = MoveList::of::<PseudoLegal<Captures>>(&position);
        let capture = pseudo.iter().find(|mv| mv.is_en_passant()).expect(fen);
        assert!(!position.generator().allows(*capture), "{fen}");
    }
}

#[test]
fn the_castling_mode_is_read_back_from_fen() {
    let chess960 = Position::START.with_castling_mode(tabiya::CastlingMode::Chess960).unwrap();
    let fen = chess960.fen().to_string();
    assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_eq!(tabiya::Setup::from_fen(&fen).unwrap(), chess960.to_setup());
}

#[test]
fn the_key_after_a_move_is_known_before_it_is_played() {
    every_node(20_000, |position| {
        for mv in &position.legal_moves() {
            assert_eq!(position.key_after(*mv), position.play(*mv).key(), "{position:?} {mv}");
        }
    });
}

#[test]
fn roles_of_moving_and_captured_pieces() {
    every_node(3000, |position| {
        for &mv in &position.legal_moves() {
            let moving = position.piece_on(mv.from()).expect("a piece moves").role;
            assert_eq!(position.role_of(mv), moving, "{position:?} {mv}");
            assert_eq!(position.captured_by(mv), captured_role(position, mv), "{position:?} {mv}");
        }
    });
}
