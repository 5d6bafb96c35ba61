//! The end of a game: known positions, games with repetitions, and a proof of the rules for mating
//! material.

mod common;
use common::Random;

use tabiya::{
    Bitboard, Board, Color, GameResult, History, HistoryFull, Outcome, Piece, Position, Rank, Role,
    Setup, Square,
};

fn fen(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn play(position: &Position, text: &str) -> Position {
    position.play(position.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn one_position_tells_how_the_game_ended() {
    let white = Some(Outcome::Checkmate { winner: Color::White });
    let black = Some(Outcome::Checkmate { winner: Color::Black });
    for (text, outcome) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", black),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", white),
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 149 200", white),
        // Mate on the last ply that is allowed takes precedence over the draw.
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 150 200", white),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Stalemate)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200", Some(Outcome::Stalemate)),
        ("7k/8/8/8/8/8/8/R3K3 w - - 149 99", None),
        ("7k/8/8/8/8/8/8/R3K3 w - - 150 99", Some(Outcome::SeventyFiveMoves)),
        ("7k/8/8/8/8/8/8/4K3 w - - 0 1", Some(Outcome::InsufficientMaterial)),
        ("7k/8/8/8/8/8/8/4K3 w - - 150 99", Some(Outcome::InsufficientMaterial)),
        // There is neither a legal move nor enough material.
        ("k7/2K5/B7/8/8/8/8/8 b - - 0 1", Some(Outcome::InsufficientMaterial)),
    ] {
        assert_eq!(fen(text).outcome(), outcome, "{text}");
    }
}

#[test]
fn mate_comes_before_the_claim() {
    let mate = fen("k7/1Q6/1K6/8/8/8/8/8 b - - 100 80");
    assert_eq!(mate.claim_with(3), None);
    assert_eq!(fen("7k/8/8/8/8/8/8/R3K3 w - - 99 80").claim_with(1), None);
    assert_eq!(fen("7k/8/8/8/8/8/8/R3K3 w - - 100 80").claim_with(1), Some(Outcome::FiftyMoves));
    assert_eq!(fen("7k/8/8/8/8/8/8/R3K3 w - - 100 80").claim_with(3), Some(Outcome::FiftyMoves));
    // Over already.
    assert_eq!(fen("7k/8/8/8/8/8/8/R3K3 w - - 150 80").claim_with(3), None);
    assert_eq!(Position::START.claim_with(5), None);
}

#[test]
fn outcomes_are_written_with_their_reason() {
    let mate = |winner| Outcome::Checkmate { winner };
    for (outcome, name, text) in [
        (mate(Color::White), "checkmate", "1-0 (checkmate)"),
        (mate(Color::Black), "checkmate", "0-1 (checkmate)"),
        (Outcome::Stalemate, "stalemate", "1/2-1/2 (stalemate)"),
        (Outcome::InsufficientMaterial, "insufficient-material", "1/2-1/2 (insufficient material)"),
        (Outcome::SeventyFiveMoves, "seventy-five-moves", "1/2-1/2 (seventy-five-move rule)"),
        (Outcome::FivefoldRepetition, "fivefold-repetition", "1/2-1/2 (fivefold repetition)"),
        (Outcome::FiftyMoves, "fifty-moves", "1/2-1/2 (fifty-move rule)"),
        (Outcome::ThreefoldRepetition, "threefold-repetition", "1/2-1/2 (threefold repetition)"),
    ] {
        assert_eq!(outcome.name(), name);
        assert_eq!(outcome.to_string(), text);
        let result = outcome.result();
        assert_eq!(result.winner(), outcome.winner());
        assert_eq!(result.to_string().parse(), Ok(result));
        assert_eq!(result.figure().parse(), Ok(result));
        assert_eq!(GameResult::of(result.winner()), result);
        let claimed = matches!(outcome, Outcome::FiftyMoves | Outcome::ThreefoldRepetition);
        assert_eq!(outcome.is_automatic(), !claimed);
    }
    let error = "*".parse::<GameResult>().unwrap_err();
    assert_eq!(error.to_string(), "the result of a finished game is 1-0, 0-1 or 1/2-1/2");
}

/// Adds the position after a move of the game.
fn advance<const N: usize>(position: &mut Position, history: &mut History<N>, moves: &str) {
    for text in moves.split_whitespace() {
        *position = play(position, text);
        history.advance(position);
    }
}

const AROUND: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn repetitions_count_in_the_game_and_in_the_search() {
    let mut position = Position::START;
    let mut history = History::<32>::new(&position);
    assert_eq!((history.occurrences(), history.is_repetition()), (1, false));
    advance(&mut position, &mut history, AROUND);
    // One occurrence before, in the game, is no draw for a search.
    assert_eq!((history.occurrences(), history.is_repetition()), (2, false));
    advance(&mut position, &mut history, AROUND);
    assert_eq!((history.occurrences(), history.is_repetition()), (3, true));
    assert_eq!(position.claim_with(history.occurrences()), Some(Outcome::ThreefoldRepetition));

    // The second time inside the search is enough, unless the first was the root or before it.
    let mut position = Position::START;
    let mut history = History::<32>::new(&position);
    let mut seen = Vec::new();
    for text in format!("{AROUND} {AROUND}").split_whitespace() {
        position = play(&position, text);
        history.push(&position).unwrap();
        seen.push(history.is_repetition());
    }
    // After four plies the root is repeated, after five a position of the search.
    assert_eq!(seen, [false, false, false, false, true, true, true, true]);
    for _ in 0..8 {
        assert!(history.pop());
    }
    assert!(!history.pop());
    assert_eq!((history.ply(), history.occurrences()), (0, 1));
}

#[test]
fn lost_rights_captures_and_pawn_moves_are_irreversible() {
    // The king's first move loses the right, so the first position does not occur again.
    let start = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let mut position = fen(start);
    let mut history = History::<32>::new(&position);
    advance(&mut position, &mut history, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!((history.occurrences(), history.len()), (1, 4));
    advance(&mut position, &mut history, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!(history.occurrences(), 2);
    advance(&mut position, &mut history, "a1a7");
    assert_eq!(history.len(), 9);

    let mut position = fen("4k3/p7/8/8/8/8/7P/4K3 w - - 0 1");
    let mut history = History::<32>::new(&position);
    advance(&mut position, &mut history, "e1e2 e8e7 h2h3");
    assert_eq!(history.len(), 1);
    // Inside a search nothing is dropped.
    let push = play(&position, "a7a6");
    history.push(&push).unwrap();
    assert_eq!((history.len(), history.ply()), (2, 1));
    history.pop();
    assert_eq!(history.len(), 1);
}

/// Only a legal capture en passant makes a position different.
#[test]
fn en_passant_counts_if_it_is_legal() {
    for (start, moves, occurrences) in [
        ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "e8e7 e1e2 e7e8 e2e1", 1),
        ("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1", "e8e7 e1e2 e7e8 e2e1", 2),
        // The capture would uncover the king.
        ("1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1", "b8c8 e1e2 c8b8 e2e1", 2),
    ] {
        let mut position = fen(start);
        let mut history = History::<32>::new(&position);
        advance(&mut position, &mut history, "a2a4");
        advance(&mut position, &mut history, moves);
        assert_eq!(history.occurrences(), occurrences, "{start}");
    }
}

#[test]
fn null_moves_hide_what_was_before() {
    let position = Position::START;
    let mut history = History::<32>::new(&position);
    let mut after = position.clone();
    for text in AROUND.split_whitespace() {
        after = play(&after, text);
        history.push(&after).unwrap();
    }
    assert_eq!(history.occurrences(), 2);
    let passed = after.play_null().unwrap();
    history.push_null(&passed).unwrap();
    assert_eq!(history.occurrences(), 1);
    let passed = passed.play_null().unwrap();
    history.push_null(&passed).unwrap();
    assert_eq!((passed.key(), history.occurrences()), (position.key(), 1));
    history.pop();
    history.pop();
    assert_eq!(history.occurrences(), 2);
}

#[test]
fn a_full_history_says_so() {
    let mut history = History::<3>::new(&Position::START);
    let mut position = Position::START;
    let mut results = Vec::new();
    for text in AROUND.split_whitespace() {
        position = play(&position, text);
        results.push(history.push(&position));
    }
    assert_eq!(results, [Ok(()), Ok(()), Err(HistoryFull), Err(HistoryFull)]);
    assert_eq!((history.len(), history.ply(), history.capacity()), (3, 2, 3));
    assert!(history.pop() && history.pop() && !history.pop());

    // In the game, the oldest key is forgotten.
    let mut short = History::<4>::new(&Position::START);
    let mut long = History::<5>::new(&Position::START);
    let (mut a, mut b) = (Position::START, Position::START);
    advance(&mut a, &mut short, AROUND);
    advance(&mut b, &mut long, AROUND);
    assert_eq!((short.occurrences(), long.occurrences()), (1, 2));
    assert_eq!((short.ply(), short.len()), (0, 4));
}

/// A search of random moves, up and down: after each pop, everything is as it was, and the counts
/// are those of a list of all positions.
#[test]
fn pop_restores_at_any_depth() {
    let mut random = Random::new(21);
    let starts = [
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "8/2k5/8/8/8/5K2/8/1N6 w - - 7 30",
        "4k3/p7/8/8/8/8/P7/4K3 b - - 3 30",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    let mut repetitions = 0;
    for round in 0..common::rounds(400) {
        let root = fen(starts[round % 4]);
        let mut line = vec![root.clone()];
        let mut history = History::<64>::new(&root);
        for _ in 0..300 {
            let position = line.last().unwrap();
            let moves = position.legal_moves();
            if line.len() < 64 && !moves.is_empty() && random.below(3) > 0 {
                let after = position.play(random.pick(&moves));
                history.push(&after).unwrap();
                line.push(after);
            } else if history.pop() {
                line.pop();
            }
            let now = line.last().unwrap();
            let same = line.iter().filter(|&earlier| earlier == now).count();
            assert_eq!(history.occurrences(), same, "{now:?}");
            let inside = line[1..].iter().filter(|&earlier| earlier == now).count();
            let repeated = inside > 1 || same > 2;
            assert_eq!(history.is_repetition(), line.len() > 1 && repeated, "{now:?}");
            repetitions += usize::from(repeated);
        }
    }
    assert!(repetitions > common::least(1000), "{repetitions}");
}

#[cfg(feature = "alloc")]
mod game {
    use super::*;
    use common::games;
    use tabiya::Game;

    fn push(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            game.push(game.position().parse_uci(text).unwrap()).unwrap();
        }
    }

    #[test]
    fn draws_by_repetition_are_claimed_at_three_and_automatic_at_five() {
        let mut game = Game::new();
        let mut seen = Vec::new();
        for _ in 0..4 {
            push(&mut game, AROUND);
            seen.push((game.occurrences(), game.claim(), game.outcome()));
        }
        let (three, five) = (Outcome::ThreefoldRepetition, Outcome::FivefoldRepetition);
        assert_eq!(
            seen,
            [
                (2, None, None),
                (3, Some(three), None),
                (4, Some(three), None),
                (5, None, Some(five)),
            ]
        );
        let last = game.pop().unwrap();
        assert_eq!(last.to_string(), "f6g8");
        // The move that would end the game by itself may be announced, too.
        assert_eq!(game.claim_by(last), Ok(Some(three)));
        assert_eq!((game.occurrences(), game.outcome()), (4, None));
        // So may the move that repeats a position for the third time, but not for the second time.
        for (plies, claim) in [(7, Some(three)), (3, None)] {
            while game.moves().len() > plies {
                game.pop();
            }
            assert_eq!(game.claim_by(last), Ok(claim));
        }
    }

    #[test]
    fn a_claim_may_need_the_move() {
        let mut game = Game::from_position(fen("7k/8/8/8/8/8/8/R3K3 w - - 98 80"));
        let mv = |game: &Game, text| game.position().parse_uci(text).unwrap();
        assert_eq!(game.claim_by(mv(&game, "a1a2")), Ok(None));
        push(&mut game, "a1a2");
        assert_eq!(game.claim(), None);
        assert_eq!(game.claim_by(mv(&game, "h8g8")), Ok(Some(Outcome::FiftyMoves)));
        // A mate needs no claim.
        let game = Game::from_position(fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80"));
        assert_eq!(game.claim_by(mv(&game, "a1a8")), Ok(None));
        assert_eq!(game.claim_by(mv(&game, "a1a7")), Ok(Some(Outcome::FiftyMoves)));
        let illegal = tabiya::Move::new(Square::A1, Square::B2, tabiya::MoveKind::Quiet);
        assert!(game.claim_by(illegal).is_err());
    }

    /// The halfmove clock stops at 65,535, long before the game does.
    #[test]
    fn occurrences_are_counted_beyond_the_largest_clock() {
        let mut game = Game::new();
        while game.moves().len() < 66_000 {
            push(&mut game, AROUND);
        }
        assert_eq!(game.position().halfmove_clock(), u16::MAX);
        assert_eq!(game.occurrences(), 1 + 66_000 / 4);
    }

    #[test]
    fn popping_everything_leads_back_to_the_start() {
        let mut random = Random::new(2);
        for _ in 0..common::rounds(20) {
            let start = games::chess960_start(&mut random);
            let mut game = Game::from_position(start.clone());
            for _ in 0..200 {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.push(random.pick(&moves)).unwrap();
                assert_eq!(game.positions().len(), game.moves().len() + 1);
            }
            while game.pop().is_some() {}
            assert_eq!(game.position(), &start);
            assert_eq!(game, Game::from_position(start));
        }
    }

    /// The history of a game and the game count the same repetitions.
    #[test]
    fn history_and_game_agree() {
        let mut random = Random::new(8);
        let mut most = 0;
        for start in ["8/2k5/8/8/8/5K2/8/1R6 w - - 7 30", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"] {
            for _ in 0..common::rounds(200) {
                let mut game = Game::from_position(fen(start));
                let mut history = History::<256>::new(game.start());
                for _ in 0..120 {
                    let moves = game.position().legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    game.push(random.pick(&moves)).unwrap();
                    history.advance(game.position());
                    assert_eq!(history.occurrences(), game.occurrences(), "{game:?}");
                    assert_eq!(game.history::<256>().len(), history.len());
                    most = most.max(game.occurrences());
                }
            }
        }
        assert!(most >= 3, "{most}");
    }
}

/// The number of placements of two kings and these pieces in which `loser` is mated, up to a limit.
fn mates(loser: Color, pieces: &[Piece], limit: usize) -> usize {
    fn place(loser: Color, rest: &[Piece], board: &Board, found: &mut usize, limit: usize) {
        if *found >= limit {
            return;
        }
        let Some((&piece, rest)) = rest.split_first() else {
            let checked = board
                .king(loser)
                .is_some_and(|king| board.attackers_to(king).meets(board.color(!loser)));
            if checked {
                let setup = Setup { board: *board, turn: loser, ..Setup::EMPTY };
                let mate = Position::from_setup(&setup).is_ok_and(|it| it.is_checkmate());
                *found += usize::from(mate);
            }
            return;
        };
        for square in !board.occupied() {
            let is_end = matches!(square.rank(), Rank::First | Rank::Eighth);
            if piece.role == Role::Pawn && is_end {
                continue;
            }
            let mut board = *board;
            board.set(square, Some(piece));
            place(loser, rest, &board, found, limit);
        }
    }
    let mut found = 0;
    // By symmetry, the king that is mated stands in the left half.
    for king in Bitboard(0x0f0f_0f0f_0f0f_0f0f) {
        let mut board = Board::EMPTY;
        board.set(king, Some(Role::King.of(loser)));
        let others: Vec<Piece> =
            [Role::King.of(!loser)].into_iter().chain(pieces.iter().copied()).collect();
        place(loser, &others, &board, &mut found, limit);
    }
    found
}

/// `can_mate` returns `false` exactly if no placement of the pieces is a mate, for up to two pieces
/// besides the kings.
#[test]
fn material_can_mate_exactly_if_a_mate_exists() {
    let minor = [Role::Knight, Role::Bishop];
    let (white, black) = (Color::White, Color::Black);
    for ours in minor {
        // Alone, no placement mates.
        assert_eq!(mates(black, &[ours.of(white)], 1), 0, "{ours}");
        for theirs in &Role::ALL[..5] {
            let exists = mates(black, &[ours.of(white), theirs.of(black)], 1) > 0;
            // Ask about placements with bishops on both and on the same colour.
            let can = [Square::C1, Square::F1].map(|square| {
                let mut board = Board::EMPTY;
                board.set(Square::E1, Some(Role::King.of(white)));
                board.set(Square::E8, Some(Role::King.of(black)));
                board.set(square, Some(ours.of(white)));
                board.set(Square::C5, Some(theirs.of(black)));
                board.can_mate(white)
            });
            assert_eq!(can.contains(&true), exists, "{ours} against {theirs}");
        }
    }
    // Two knights, or two bishops, against a bare king.
    assert!(mates(black, &[Role::Knight.of(white); 2], 1) > 0);
    assert!(mates(black, &[Role::Bishop.of(white); 2], 1) > 0);
    assert!(fen("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1").board().can_mate(white));
}

#[test]
fn insufficient_material_is_that_of_the_rules() {
    let bare = |text: &str| fen(&format!("{text} w - - 0 1")).is_insufficient_material();
    for text in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KB2",
        "4k3/8/8/8/8/8/8/4K1N1",
        "4kn2/8/8/8/8/8/8/4K3",
        // All bishops on dark squares.
        "4kb2/8/8/8/8/8/8/2B1K3",
        "4kb2/8/1b6/8/8/2B5/8/2B1K3",
    ] {
        assert!(bare(text), "{text}");
    }
    for text in [
        "4k3/8/8/8/8/8/8/4KR2",
        "4k3/8/8/8/8/8/4P3/4K3",
        "4k3/8/8/8/8/8/8/3QK3",
        "4k3/8/8/8/8/8/8/2B1KB2",
        "4k3/8/8/8/8/8/8/1N2KB2",
        "4k3/8/8/8/8/8/8/1N2K1N1",
        "4k1n1/8/8/8/8/8/8/4KB2",
        "4k1n1/8/8/8/8/8/8/4K1N1",
        "2b1k3/8/8/8/8/8/8/2B1K3",
    ] {
        assert!(!bare(text), "{text}");
    }
    // One side can mate, the other cannot.
    let sides = |text: &str| Color::ALL.map(|color| fen(text).board().can_mate(color));
    assert_eq!(sides("4k1r1/8/8/8/8/8/8/4KB2 w - - 0 1"), [false, true]);
    assert_eq!(sides("4k1q1/8/8/8/8/8/8/4K1N1 w - - 0 1"), [false, true]);
    assert_eq!(sides("4k1r1/8/8/8/8/8/8/4K1N1 w - - 0 1"), [true, true]);
}
