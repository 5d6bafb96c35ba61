//! Counts do not depend on the instruction set, the number of threads or the table.

#[path = "common/random.rs"]
mod random;
use random::Random;
#[path = "common/suites.rs"]
mod suites;
use suites::{RULES, is_short, rounds, suite};

use std::io::Write as _;
use std::num::NonZeroUsize;

use tabiya::movegen::Legal;
use tabiya::{Board, Color, MoveList, Position, Role, Setup, Square};
use tabiya_perft::suite::Case;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{CountLeaves, Engine, Isa, Options, reference_perft};

/// Engines for each instruction set of this CPU: without a table, with a table, and with a table so
/// small that entries are replaced all the time. Reports the instruction sets that are not tested.
fn engines() -> Vec<Engine> {
    let (available, missing): (Vec<Isa>, _) =
        Isa::ALL.into_iter().partition(|isa| isa.is_available());
    for isa in missing {
        // Unlike `eprintln!`, this is shown although the test passes. `cargo xtask test` lists it.
        let line = format!("skipped: counts with {isa:?} needs another CPU\n");
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    }
    available
        .into_iter()
        .flat_map(|isa| {
            let options = Options { isa, ..Options::default() };
            let table = |mebibytes, seed: u64| {
                Table::new(HashSize::mebibytes(mebibytes), seed.into()).expect("little memory")
            };
            [
                Engine::new(options.clone()),
                Engine::new(options.clone()).with_table(table(64, 1)),
                Engine::new(options).with_table(table(1, 2)),
            ]
        })
        .collect()
}

/// Compares the counts of all engines with the expected ones: position, depth, leaf nodes.
fn compare(positions: impl IntoIterator<Item = (Position, u32, u64)>) {
    let engines = engines();
    let mut counters: Vec<Box<dyn CountLeaves + '_>> =
        engines.iter().map(|engine| engine.counter(&())).collect();
    for (position, depth, nodes) in positions {
        for (counter, engine) in counters.iter_mut().zip(&engines) {
            let counted = counter.count(&position, depth);
            assert_eq!(counted, Ok(nodes.into()), "{position:?} depth {depth} {engine:?}");
        }
    }
}

#[test]
fn counts_of_the_suites_are_right() {
    for name in RULES {
        compare(suite(name).into_iter().flat_map(|Case { position, counts, .. }| {
            counts.into_iter().map(move |(depth, nodes)| (position.clone(), depth, nodes as u64))
        }));
    }
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads() {
    for Case { position, counts, .. } in suite("standard.epd") {
        // The deepest counts are compared elsewhere.
        let &(depth, nodes) = counts.iter().rev().nth(1).unwrap();
        for engine in engines() {
            for threads in [1, 2, 3] {
                let threads = NonZeroUsize::new(threads).unwrap();
                let options = Options { threads, ..engine.options().clone() };
                let mut again = Engine::new(options);
                if let Some(table) = engine.table() {
                    let size = HashSize::mebibytes(table.bytes() >> 20);
                    again = again.with_table(Table::new(size, 3.into()).unwrap());
                }
                let total = again.perft(&position, depth, &());
                assert_eq!(total.nodes, nodes, "{position:?} {again:?}");
                assert!(total.complete);
                let shares: u128 = total.moves.iter().map(|root| root.nodes).sum();
                assert_eq!(shares, total.nodes);
            }
        }
    }
}

/// A position with a depth from 2 to 4 and the count of the reference. The depth grows until the
/// count reaches the limit.
fn with_count(position: Position, limit: u64) -> (Position, u32, u64) {
    let mut depth = 2;
    let mut nodes = reference_perft(&position, depth);
    while depth < 4 && nodes < limit {
        depth += 1;
        nodes = reference_perft(&position, depth);
    }
    (position, depth, nodes)
}

/// A piece attacks a square in the middle of the king's way, far from where it begins and ends.
#[test]
fn long_ways_of_castling_kings() {
    let fens = ["4r1k1/8/8/8/8/8/8/1K5R w H - 0 1", "4r1k1/8/8/8/8/8/8/R5K1 w A - 0 1"];
    compare(fens.map(|fen| Position::from_fen(fen).unwrap()).into_iter().flat_map(|position| {
        [position.mirrored(), position].map(|it| (it.clone(), 3, reference_perft(&it, 3)))
    }));
}

#[test]
fn counts_are_right_in_a_thousand_positions_of_random_games() {
    let mut random = Random(0x5eed_0001);
    let starts: Vec<Position> = suite("standard.epd")
        .into_iter()
        .chain(suite("rules-chess960.epd"))
        .map(|case| case.position)
        .collect();
    let mut positions = Vec::new();
    while positions.len() < rounds(1000) {
        let mut game = random.one_of(&starts);
        for _ in 0..random.below(120) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game = game.play(random.one_of(&moves));
        }
        positions.push(with_count(game, 20_000));
    }
    compare(positions);
}

/// A playable position with pieces placed at random: many queens, pinned pawns, several checkers,
/// kings in the middle of the board, unusual captures en passant.
fn random_placement(random: &mut Random) -> Position {
    loop {
        let mut setup = Setup { board: Board::EMPTY, ..Setup::EMPTY };
        setup.turn = random.one_of(&Color::ALL);
        for color in Color::ALL {
            setup.board.set(random.one_of(&Square::ALL), Some(Role::King.of(color)));
        }
        if random.below(3) == 0 {
            // Kings and rooks on their back ranks, in any order.
            setup.board = Board::EMPTY;
            for color in Color::ALL {
                for role in [Role::King, Role::Rook, Role::Rook] {
                    let file = random.one_of(&tabiya::File::ALL);
                    let square = Square::new(file, color.back_rank());
                    setup.board.set(square, Some(role.of(color)));
                }
            }
        }
        let heavy = random.below(4) == 0;
        let en_passant = random.below(3) == 0;
        for _ in 0..random.below(if heavy { 24 } else { 14 }) {
            let role = if heavy {
                random.one_of(&[Role::Queen, Role::Queen, Role::Rook, Role::Bishop, Role::Pawn])
            } else {
                random.one_of(&[
                    Role::Pawn,
                    Role::Pawn,
                    Role::Pawn,
                    Role::Knight,
                    Role::Bishop,
                    Role::Rook,
                    Role::Queen,
                ])
            };
            let square = random.one_of(&Square::ALL);
            if setup.board.role_on(square).is_none() {
                setup.board.set(square, Some(role.of(random.one_of(&Color::ALL))));
            }
        }
        if en_passant {
            // A pawn after its double push, and one or two enemy pawns beside it.
            let (us, them) = (setup.turn, !setup.turn);
            let file = random.one_of(&tabiya::File::ALL);
            let target = Square::new(file, them.double_push_rank());
            let victim = target.step(them.forward()).expect("in the middle of the board");
            setup.board.set(victim, Some(Role::Pawn.of(them)));
            let beside = [tabiya::Direction::East, tabiya::Direction::West];
            for capturer in beside.into_iter().filter_map(|side| victim.step(side)) {
                setup.board.set(capturer, Some(Role::Pawn.of(us)));
            }
            setup.en_passant = Some(target);
        }
        for color in Color::ALL {
            let back_rank = color.back_rank().bitboard();
            let on_back_rank = setup.board.king(color).is_some_and(|king| back_rank.has(king));
            if on_back_rank {
                for rook in setup.board.pieces(color, Role::Rook) & back_rank {
                    if random.below(2) == 0 {
                        setup.castling.add(rook);
                        setup.castling_mode = tabiya::CastlingMode::Chess960;
                    }
                }
            }
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

#[test]
fn counts_are_right_in_a_thousand_random_placements() {
    let mut random = Random(0x5eed_0002);
    let positions: Vec<Position> =
        (0..rounds(1000)).map(|_| random_placement(&mut random)).collect();
    // Rare events need not occur in the short form.
    let often = |times: usize, test: &dyn Fn(&Position) -> bool| {
        is_short() || positions.iter().filter(|p| test(p)).count() > times
    };
    assert!(often(20, &|p| p.en_passant().is_some()), "en passant");
    assert!(often(20, &|p| !p.castling_rights().is_empty()), "castling");
    assert!(often(20, &|p| p.checkers().has_many()), "double checks");
    assert!(often(20, &|p| p.pinned().any()), "pins");
    assert!(often(0, &|p| !p.has_legal_move()), "no legal move");
    compare(positions.into_iter().map(|position| with_count(position, 10_000)));
}

/// Counts the children of random positions separately, so that two errors cannot cancel out.
#[test]
fn counts_are_right_for_each_child_alone() {
    let mut random = Random(0x5eed_0003);
    let positions: Vec<Position> =
        (0..rounds(2000)).map(|_| random_placement(&mut random)).collect();
    compare(positions.iter().flat_map(|position| {
        MoveList::of::<Legal>(position).into_iter().map(|mv| {
            let child = position.play(mv);
            let replies = child.legal_moves();
            let nodes = replies.iter().map(|&reply| child.play(reply).count_legal() as u64).sum();
            (child, 2, nodes)
        })
    }));
}

#[test]
fn progress_grows_and_ends_with_all_of_the_work() {
    use std::sync::Mutex;
    use tabiya_perft::{Progress, Watch};

    #[derive(Default)]
    struct Log(Mutex<Vec<Progress>>);
    impl Watch for Log {
        fn wants_progress(&self) -> bool {
            true
        }
        fn progress(&self, progress: Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }

    for Case { position, counts, .. } in suite("standard.epd") {
        let &(depth, nodes) = counts.iter().take(5).next_back().unwrap();
        let log = Log::default();
        let engine =
            Engine::new(Options { threads: NonZeroUsize::new(2).unwrap(), ..Options::default() });
        engine.perft(&position, depth, &log);
        let log = log.0.into_inner().unwrap();
        assert!(log.is_sorted_by(|a, b| a.share <= b.share && a.nodes <= b.nodes));
        let last = log.last().unwrap();
        assert_eq!(last.nodes, nodes);
        assert!((last.share - 1.0).abs() < 1e-6, "{last:?}");
    }
}
