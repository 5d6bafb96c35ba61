//! The pseudo-legal article: attack sets, the classical slider method, the special moves, and perft
//! that makes each move, tests whether it was legal, and unmakes it.

use tabiya::Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest};
use tabiya::fen::EnPassantMode;
use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{
    Bitboard, Board, Color, Direction, File, Move, MoveKind, MoveList, Position, Rank, Reason,
    Role, Square, attacks, bitboard,
};

use super::{
    is_short, many_positions, occupancies, perft, position, set, sorted, square, step_by_step,
    targets,
};

// Attack squares.

#[test]
fn attacks_follow_from_piece_and_square() {
    let mut board = Board::EMPTY;
    let at = Square::D4;
    for (role, empty_board) in [
        (Role::Pawn, set("c5 e5")),
        (Role::Knight, set("b3 b5 c2 c6 e2 e6 f3 f5")),
        (Role::King, set("c3 c4 c5 d3 d5 e3 e4 e5")),
        (Role::Bishop, set("a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1")),
        (Role::Rook, set("a4 b4 c4 e4 f4 g4 h4 d1 d2 d3 d5 d6 d7 d8")),
    ] {
        board.set(at, Some(role.of(Color::White)));
        assert_eq!(board.attacks_from(at), empty_board, "{role}");
    }
    board.set(at, Some(Role::Pawn.of(Color::Black)));
    assert_eq!(
        board.attacks_from(at),
        set("c3 e3"),
        "only the attacks of pawns depend on the colour"
    );
}

#[test]
fn a_queen_attacks_as_bishop_and_rook_together() {
    for (number, occupied) in occupancies(300).enumerate() {
        let at = Square::ALL[number % 64];
        let (rook, bishop) = step_by_step(at, occupied);
        assert_eq!(attacks::queen(at, occupied), rook | bishop);
        assert_eq!((attacks::rook(at, occupied), attacks::bishop(at, occupied)), (rook, bishop));
    }
}

#[test]
fn attacks_of_a_bishop_on_an_empty_board() {
    let rays = bitboard! {
        . . . . . . . X
        . . . . . . X .
        . . . . . X . .
        X . . . X . . .
        . X . X . . . .
        . . . . . . . .
        . X . X . . . .
        X . . . X . . .
    };
    assert_eq!(attacks::bishop(Square::C3, Bitboard::EMPTY), rays);
    assert_eq!(attacks::bishop_rays(Square::C3), rays);
    assert_eq!(rays, set("b4 a5 e5 f6 g7 h8 d4 b2 a1 d2 e1"));
}

/// The board of the article's example: it has no kings, so it is only a board.
fn blocked_bishop() -> Board {
    let mut board = Board::EMPTY;
    board.set(Square::C3, Some(Role::Bishop.of(Color::White)));
    for (role, squares) in
        [(Role::Rook, "h8"), (Role::Pawn, "a7 b7 c7 d7 e7 f7 h7 g6"), (Role::Knight, "f6")]
    {
        set(squares).iter().for_each(|at| board.set(at, Some(role.of(Color::Black))));
    }
    board
}

#[test]
fn the_classical_method_cuts_the_path_behind_the_first_blocker() {
    let board = blocked_bishop();
    let path = attacks::ray(Square::C3, NorthEast);
    assert_eq!(path, set("d4 e5 f6 g7 h8"));

    // Path AND occupancy: the blockers.
    let blockers = path & board.occupied();
    assert_eq!(blockers, set("f6 h8"));

    // Path XOR the path behind the first blocker: the squares that the bishop attacks.
    let first = blockers.first().unwrap();
    assert_eq!(first, Square::F6);
    let behind = attacks::ray(first, NorthEast);
    assert_eq!(behind, set("g7 h8"));
    assert_eq!(
        path ^ behind,
        bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . X . .
            . . . . X . . .
            . . . X . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        }
    );

    // All four directions together.
    let all = board.attacks_from(Square::C3);
    assert_eq!(all, set("d4 e5 f6 b4 a5 b2 a1 d2 e1"));
    assert!(!all.has(Square::G7) && !all.has(Square::H8));
}

/// The first blocker on a path, found from the bits alone: the lowest bit if square numbers rise
/// along the path, otherwise the highest.
fn first_blocker(path: Bitboard, occupied: Bitboard, direction: Direction) -> Option<Square> {
    let blockers = (path & occupied).0;
    let index = match blockers {
        0 => return None,
        _ if direction.is_rising() => blockers.trailing_zeros(),
        _ => 63 - blockers.leading_zeros(),
    };
    Square::from_index(index as u8)
}

#[test]
fn trailing_zeros_find_the_first_blocker_upwards_and_leading_zeros_downwards() {
    for (from, direction, occupied, first, counted) in [
        (Square::F3, NorthWest, "c6 a8", Square::C6, "trailing"),
        (Square::C3, NorthEast, "f6 h8", Square::F6, "trailing"),
        (Square::F6, SouthWest, "c3 a1", Square::C3, "leading"),
        (Square::C6, SouthEast, "f3 h1", Square::F3, "leading"),
    ] {
        let path = attacks::ray(from, direction);
        assert_eq!(first_blocker(path, set(occupied), direction), Some(first));
        assert_eq!(direction.is_rising(), counted == "trailing");
        let by_name = if direction.is_rising() { Bitboard::first } else { Bitboard::last };
        assert_eq!(by_name(set(occupied)), Some(first));
    }
}

#[test]
fn the_classical_method_agrees_for_bishops_rooks_and_queens() {
    let classical = |from, directions: &[Direction], occupied| {
        directions.iter().fold(Bitboard::EMPTY, |all, &direction| {
            let path = attacks::ray(from, direction);
            // No blocker: the whole path.
            let behind = first_blocker(path, occupied, direction)
                .map_or(Bitboard::EMPTY, |first| attacks::ray(first, direction));
            all | (path ^ behind)
        })
    };
    for occupied in occupancies(200) {
        for from in Square::ALL {
            let (rook, bishop) = step_by_step(from, occupied);
            assert_eq!(classical(from, &Direction::ORTHOGONAL, occupied), rook);
            assert_eq!(classical(from, &Direction::DIAGONAL, occupied), bishop);
            assert_eq!(classical(from, &Direction::ALL, occupied), rook | bishop);
        }
    }
}

#[test]
fn a_king_step_is_a_shift() {
    let king = Square::D5.bitboard().0;
    for (shifted, target) in [
        (king << 7, "c6"),
        (king << 8, "d6"),
        (king << 9, "e6"),
        (king << 1, "e5"),
        (king >> 9, "c4"),
        (king >> 8, "d4"),
        (king >> 7, "e4"),
        (king >> 1, "c5"),
    ] {
        assert_eq!(Bitboard(shifted), set(target));
        assert!(attacks::king(Square::D5).has(square(target)));
    }
    assert_eq!(attacks::king(Square::D5).len(), 8);
    // Left goes towards the top of the board, right towards the bottom.
    assert_eq!(Direction::North.offset(), 8);
    assert_eq!(Direction::South.offset(), -8);
}

/// All eight shifts, without masks for the edges.
fn unmasked(at: Square) -> Bitboard {
    let king = at.bitboard().0;
    let up = king << 7 | king << 8 | king << 9;
    let down = king >> 7 | king >> 8 | king >> 9;
    Bitboard(up | down | king << 1 | king >> 1)
}

#[test]
fn shifts_wrap_around_the_edges() {
    assert_eq!(unmasked(Square::A4), set("a5 b5 b4 b3 a3 h2 h3 h4"));
    assert_eq!(unmasked(Square::H4), set("h5 g5 g4 g3 h3 a4 a5 a6"));
    assert_eq!(attacks::king(Square::A4), set("a5 b5 b4 b3 a3"));
    assert_eq!(attacks::king(Square::H4), set("h5 g5 g4 g3 h3"));
}

const NOT_FILE_A: u64 = !0x0101_0101_0101_0101;
const NOT_FILE_H: u64 = !0x8080_8080_8080_8080;

#[test]
fn file_masks_exclude_one_file() {
    assert_eq!(
        Bitboard(NOT_FILE_A),
        bitboard! {
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
            . X X X X X X X
        }
    );
    assert_eq!(
        Bitboard(NOT_FILE_H),
        bitboard! {
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
            X X X X X X X .
        }
    );
    assert_eq!(!Bitboard(NOT_FILE_A), File::A.bitboard());
    assert_eq!(!Bitboard(NOT_FILE_H), File::H.bitboard());
}

#[test]
fn masked_shifts_equal_the_tables() {
    for at in Square::ALL {
        let piece = at.bitboard().0;
        let (not_a, not_h) = (piece & NOT_FILE_A, piece & NOT_FILE_H);
        let king = piece << 8
            | piece >> 8
            | not_h << 1
            | not_a >> 1
            | not_a << 7
            | not_h << 9
            | not_h >> 7
            | not_a >> 9;
        assert_eq!(attacks::king(at), Bitboard(king), "{at}");
        assert_eq!(attacks::pawn(Color::White, at), Bitboard(not_a << 7 | not_h << 9));
        assert_eq!(attacks::pawn(Color::Black, at), Bitboard(not_h >> 7 | not_a >> 9));
        // A knight that moves two files needs two files of room.
        let two_a = not_a & (NOT_FILE_A << 1);
        let two_h = not_h & (NOT_FILE_H >> 1);
        let knight = not_h << 17
            | not_a << 15
            | two_h << 10
            | two_a << 6
            | two_h >> 6
            | two_a >> 10
            | not_h >> 15
            | not_a >> 17;
        assert_eq!(attacks::knight(at), Bitboard(knight), "{at}");
    }
}

#[test]
fn nothing_wraps_at_the_top_or_the_bottom() {
    assert_eq!(Square::E1.bitboard().0 >> 8, 0);
    assert_eq!(Square::E8.bitboard().0 << 8, 0);
    assert!(Rank::First.bitboard().shift(Direction::South).is_empty());
    assert!(Rank::Eighth.bitboard().shift(Direction::North).is_empty());
    assert!(File::H.bitboard().shift(East).is_empty());
}

// Other types of moves.

#[test]
fn pawns_advance_to_empty_squares() {
    for (fen, from, advances) in [
        // Free: one and two squares ahead from the second rank.
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2", "d3 d4"),
        // A piece of either side one square ahead: no advance.
        ("4k3/8/8/8/8/3p4/3P4/4K3 w - - 0 1", "d2", ""),
        ("4k3/8/8/8/8/3N4/3P4/4K3 w - - 0 1", "d2", ""),
        // A piece two squares ahead: one advance.
        ("4k3/8/8/8/3p4/8/3P4/4K3 w - - 0 1", "d2", "d3"),
        // Not on the second rank: one advance.
        ("4k3/8/8/8/8/3P4/8/4K3 w - - 0 1", "d3", "d4"),
        // Black's square numbers fall by 8.
        ("4k3/3p4/8/8/8/8/8/4K3 b - - 0 1", "d7", "d6 d5"),
        ("4k3/3p4/8/3P4/8/8/8/4K3 b - - 0 1", "d7", "d6"),
        ("4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1", "d7", ""),
        ("4k3/8/3p4/8/8/8/8/4K3 b - - 0 1", "d6", "d5"),
    ] {
        let position = position(fen);
        assert_eq!(targets(&position, square(from)), set(advances), "{fen}");
        for mv in position.legal_moves().iter().filter(|mv| mv.from() == square(from)) {
            let step = (mv.to() as u8).abs_diff(mv.from() as u8);
            assert_eq!(mv.kind() == MoveKind::DoublePush, step == 16);
            assert_eq!((mv.to() > mv.from()), position.turn() == Color::White);
        }
    }
}

#[test]
fn a_pawn_has_advances_and_captures() {
    assert_eq!(attacks::pawn(Color::White, Square::D2), set("c3 e3"));
    // If both diagonals have a piece to capture, all four squares are targets.
    let position = position("4k3/8/8/8/8/2n1n3/3P4/4K3 w - - 0 1");
    assert_eq!(targets(&position, Square::D2), set("c3 e3 d3 d4"));
}

#[test]
fn all_pawns_advance_in_one_shift() {
    let board = Board::START;
    let pawns = board.pieces(Color::White, Role::Pawn);
    let advances = Bitboard(pawns.0 << 8) & !board.occupied();
    assert_eq!(advances, Rank::Third.bitboard());
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let pawns = board.pieces(us, Role::Pawn);
        let advances = pawns.shift(us.forward()) & !board.occupied();
        let generated: Bitboard = MoveList::of::<PseudoLegal<Legal>>(position)
            .iter()
            .filter(|mv| pawns.has(mv.from()) && mv.from().step(us.forward()) == Some(mv.to()))
            .map(|mv| mv.to())
            .collect();
        assert_eq!(generated, advances, "{position:?}");
    });
}

#[test]
fn pawns_promote_to_four_roles_on_the_back_ranks() {
    let back_ranks = Bitboard(0xff00_0000_0000_00ff);
    assert_eq!(back_ranks, Rank::First.bitboard() | Rank::Eighth.bitboard());
    for (fen, from) in
        [("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7"), ("4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "a2")]
    {
        let position = position(fen);
        let moves = position.legal_moves();
        for to in targets(&position, square(from)) {
            assert!(back_ranks.has(to));
            let roles: Vec<Role> = moves
                .iter()
                .filter(|mv| mv.from() == square(from) && mv.to() == to)
                .filter_map(|mv| mv.promotion())
                .collect();
            assert_eq!(roles.len(), 4, "{fen} {to}");
            assert!(Role::PROMOTIONS.iter().all(|role| roles.contains(role)));
        }
        assert_eq!(targets(&position, square(from)).len(), 2, "advance and capture");
    }
    many_positions(|position| {
        let pawns = position.board().role(Role::Pawn);
        for mv in position.legal_moves() {
            let reaches_back_rank = pawns.has(mv.from()) && back_ranks.has(mv.to());
            assert_eq!(mv.is_promotion(), reaches_back_rank, "{position:?} {mv}");
        }
    });
}

#[test]
fn en_passant_capturers_are_found_by_a_reversed_pawn_attack() {
    let before = position("4k3/2p5/8/1P1P4/8/8/8/4K3 b - - 0 1");
    let after = before.play(before.parse_uci("c7c5").unwrap());
    let crossed = Square::C6;
    assert_eq!(after.en_passant(), Some(crossed));
    // White's pawns that a black pawn on c6 would attack.
    let able =
        attacks::pawn(Color::Black, crossed) & after.board().pieces(Color::White, Role::Pawn);
    assert_eq!(able, set("b5 d5"));
    let captures = after.legal_moves().into_iter().filter(|mv| mv.is_en_passant());
    assert_eq!(sorted(captures), ["b5c6", "d5c6"]);
    // The captured pawn does not stand on the target.
    let captured = after.play(after.parse_uci("b5c6").unwrap());
    assert_eq!(captured.piece_on(Square::C5), None);
    assert_eq!(captured.piece_on(Square::C6), Some(Role::Pawn.of(Color::White)));
}

#[test]
fn the_en_passant_square_lasts_one_move() {
    let square_of = |position: &Position| position.to_setup_with(EnPassantMode::Always).en_passant;
    let mut position = Position::START;
    for (text, crossed) in [
        ("e2e4", Some(Square::E3)),
        ("g8f6", None),
        ("e4e5", None),
        ("d7d5", Some(Square::D6)),
        ("a2a3", None),
    ] {
        position = position.play(position.parse_uci(text).unwrap());
        assert_eq!(square_of(&position), crossed, "{text}");
    }
    // One move later the right is lost.
    let late = position.play(position.parse_uci("a7a6").unwrap());
    let explanation = late.explain("e5d6".parse().unwrap());
    assert!(matches!(explanation.reasons(), [Reason::NotEnPassant { .. }]), "{explanation}");
}

#[test]
fn castling_rights_are_lost_by_moves_from_and_to_their_squares() {
    let all = set("a1 h1 a8 h8");
    for (fen, text, kept) in [
        // The king moves: both of its rights are lost.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", "a8 h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8d7", "a1 h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "a8 h8"),
        // A move from a corner, to a corner, or both at once.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1", "h1 a8 h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "h8g8", "a1 h1 a8"),
        ("r3k2r/8/8/8/4B3/8/8/R3K2R w KQkq - 0 1", "e4a8", "a1 h1 h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "h1 h8"),
        // No other move changes the rights.
        ("r3k2r/8/8/8/4B3/8/8/R3K2R w KQkq - 0 1", "e4d5", "a1 h1 a8 h8"),
    ] {
        let before = position(fen);
        assert_eq!(before.castling_rights().rooks(), all);
        let after = before.play(before.parse_uci(text).unwrap());
        assert_eq!(after.castling_rights().rooks(), set(kept), "{text}");
    }
}

#[test]
fn castling_needs_an_empty_path() {
    let paths = [
        (Color::White, "e1g1", "f1 g1"),
        (Color::White, "e1c1", "b1 c1 d1"),
        (Color::Black, "e8g8", "f8 g8"),
        (Color::Black, "e8c8", "b8 c8 d8"),
    ];
    for (color, text, path) in paths {
        let turn = color.fen();
        let free = position(&format!("r3k2r/8/8/8/8/8/8/R3K2R {turn} KQkq - 0 1"));
        assert!(free.parse_uci(text).is_ok());
        for at in Square::ALL {
            if free.piece_on(at).is_some() {
                continue;
            }
            let mut setup = free.to_setup();
            // A knight of the castling side: it blocks and attacks none of its own pieces.
            setup.board.set(at, Some(Role::Knight.of(color)));
            if let Ok(position) = Position::from_setup(&setup) {
                assert_eq!(position.parse_uci(text).is_err(), set(path).has(at), "{text} {at}");
            }
        }
    }
}

#[test]
fn the_king_may_not_castle_across_an_attacked_square() {
    let position = position("4k2r/8/8/2B5/8/8/8/4K3 b k - 0 1");
    // A bishop on f8 would attack c5, so the bishop on c5 attacks f8.
    let from_f8 = attacks::bishop(Square::F8, position.board().occupied());
    assert_eq!(from_f8, set("e7 d6 c5 g7 h6"));
    assert_eq!(attacks::bishop(Square::F8, Bitboard::EMPTY), set("e7 d6 c5 b4 a3 g7 h6"));
    assert!(position.attackers_to(Square::F8).has(Square::C5));
    let explanation = position.explain("e8g8".parse().unwrap());
    assert!(matches!(
        explanation.reasons(),
        [Reason::CastlingThrough { through: Square::F8, by }] if by.square == Square::C5
    ));
}

#[test]
fn attackers_are_reversed_attacks() {
    many_positions(|position| {
        let board = position.board();
        for at in Square::ALL {
            let forward: Bitboard =
                board.occupied().iter().filter(|&from| board.attacks_from(from).has(at)).collect();
            assert_eq!(board.attackers_to(at), forward, "{position:?} {at}");
        }
        let king = position.king(position.turn());
        let attackers = board.attackers_to(king) & board.color(!position.turn());
        assert_eq!(position.is_check(), attackers.any());
    });
}

#[test]
fn the_king_steps_and_castles() {
    let free = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let steps = attacks::king(Square::E1);
    assert_eq!(steps, set("d1 d2 e2 f2 f1"));
    let castling: Bitboard =
        free.legal_moves().iter().filter(|mv| mv.castling().is_some()).map(|mv| mv.to()).collect();
    assert_eq!(castling, set("c1 g1"));
    assert_eq!(targets(&free, Square::E1), steps | castling);
    // In check, it does not castle.
    let checked = position("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert!(checked.is_check());
    assert!(checked.legal_moves().iter().all(|mv| mv.castling().is_none()));
}

// Sets to moves, and perft.

#[test]
fn a_set_is_emptied_from_its_first_square() {
    let mut rest = set("d4 e5 f6 g7 h8");
    let mut seen = Vec::new();
    while let Some(first) = rest.pop_first() {
        seen.push(first);
    }
    assert_eq!(seen, [Square::D4, Square::E5, Square::F6, Square::G7, Square::H8]);
    assert!(rest.is_empty());
}

#[test]
fn perft_of_the_start_position() {
    let counts = [20, 400, 8_902, 197_281, 4_865_609, 119_060_324];
    let deepest = if is_short() { 4 } else { counts.len() };
    for (depth, count) in counts.into_iter().enumerate().take(deepest) {
        assert_eq!(perft(&Position::START, depth as u32 + 1), count);
    }
}

/// Perft as in the article: every pseudo-legal move is made, tested and unmade.
fn make_test_unmake(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let us = position.turn();
    let mut count = 0;
    for mv in MoveList::of::<PseudoLegal<Legal>>(position) {
        let undo = position.make(mv);
        let king = position.king(us);
        let legal = !position.attackers_to(king).meets(position.board().color(!us));
        if legal {
            count += make_test_unmake(position, depth - 1);
        }
        position.unmake(mv, undo);
    }
    count
}

const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";

#[test]
fn pseudo_legal_moves_tested_afterwards_give_the_same_counts() {
    for fen in [Position::START.fen().to_string().as_str(), POSITION_3, POSITION_4] {
        let mut changing = position(fen);
        for depth in 0..=4 {
            assert_eq!(
                make_test_unmake(&mut changing, depth),
                perft(&changing, depth),
                "{fen} {depth}"
            );
        }
    }
    many_positions(|position| {
        let mut changing = position.clone();
        assert_eq!(
            make_test_unmake(&mut changing, 1),
            position.count_legal() as u64,
            "{position:?}"
        );
        assert_eq!(&changing, position);
    });
}

#[test]
fn position_3_has_an_en_passant_capture_that_uncovers_a_rook() {
    let (depth, count) = if is_short() { (5, 674_624) } else { (7, 178_633_661) };
    assert_eq!(perft(&position(POSITION_3), depth), count);
    // Black's c-pawn makes a double push to c5; capturing it would open the fifth rank to the rook.
    let start = position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1");
    let pushed = start.play(start.parse_uci("c7c5").unwrap());
    let setup = pushed.to_setup_with(EnPassantMode::PseudoLegal);
    assert_eq!(setup.en_passant, Some(Square::C6), "a pseudo-legal capture exists");
    assert_eq!(pushed.en_passant(), None, "it is not legal, so the square does not count");
    let explanation = pushed.explain("b5c6".parse().unwrap());
    assert!(matches!(
        explanation.reasons(),
        [Reason::EnPassantUncovers { king: Square::A5, by }] if by.square == Square::H5
    ));
}

#[test]
fn position_4_promotes_and_castles() {
    let start = position(POSITION_4);
    let (depth, count) = if is_short() { (4, 422_333) } else { (6, 706_045_033) };
    assert_eq!(perft(&start, depth), count);
    assert!(start.is_check());
    assert_eq!(start.count_legal(), 6);
    for mv in start.legal_moves() {
        let reply = start.play(mv);
        let promotions = |moves: MoveList| {
            moves.into_iter().filter(|mv| mv.from() == Square::B2 && mv.is_promotion()).count()
        };
        assert_eq!(promotions(reply.legal_moves()), 8, "after {mv}");
        // Both rights, but only the queen side is open: bishop and knight attack the king side.
        assert_eq!(reply.castling_rights().of(Color::Black), set("a8 h8"));
        let explanation = reply.explain("e8g8".parse().unwrap());
        let by: Vec<Square> = explanation
            .reasons()
            .iter()
            .filter_map(|reason| match reason {
                Reason::CastlingThrough { by, .. } | Reason::CastlingInto { by, .. } => {
                    Some(by.square)
                }
                _ => None,
            })
            .collect();
        // A pawn on c5 blocks the bishop's line, or the bishop itself has moved there.
        let expected: &[_] = match reply.board().role_on(Square::C5) {
            Some(Role::Pawn) => &[Square::H6],
            Some(_) => &[Square::C5, Square::H6],
            None => &[Square::B4, Square::H6],
        };
        assert_eq!(by, expected, "after {mv}: {explanation}");
        assert!(reply.parse_uci("e8c8").is_ok(), "after {mv}");
    }
}

#[test]
fn a_move_has_origin_target_and_promotion() {
    let mv = Move::new(Square::B7, Square::B8, MoveKind::PromoteRook);
    assert_eq!((mv.from(), mv.to(), mv.promotion()), (Square::B7, Square::B8, Some(Role::Rook)));
}
