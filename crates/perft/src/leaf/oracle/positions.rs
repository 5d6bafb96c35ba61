//! Positions on which the kernels are tested.

use tabiya::{Board, CastlingMode, Color, Position, Role, Setup, Square};

use crate::suite::{self, ReadOptions};
use tabiya::SplitMix64;

/// Are only few positions wanted, so that nothing rare need be among them? Emulated machines,
/// sanitizers and interpreters are slow.
pub(crate) fn are_few() -> bool {
    cfg!(miri) || std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

/// So many positions, or a part of them if few are wanted.
pub(in crate::leaf) fn share(positions: usize) -> usize {
    match are_few() {
        true => positions.div_ceil(if cfg!(miri) { 8000 } else { 20 }),
        false => positions,
    }
}

/// Those of all suites, and a third of their children.
pub(crate) fn of_suites() -> Vec<Position> {
    let names = [
        "standard.epd",
        "rules.epd",
        "rules-chess960.epd",
        "regression.epd",
        "regression-chess960.epd",
    ];
    let mut positions: Vec<_> = names.into_iter().flat_map(suite).collect();
    let children: Vec<_> = positions
        .iter()
        .flat_map(|p| p.legal_moves().iter().map(|&mv| p.play(mv)).collect::<Vec<_>>())
        .step_by(3)
        .collect();
    positions.extend(children);
    let step = positions.len() / share(positions.len());
    positions.into_iter().step_by(step).collect()
}

/// Those that show faults which no other positions here do; mutation testing found them among a
/// million at random. Most have one piece or one square that
/// matters for two reasons, or alone.
pub(in crate::leaf) fn rare() -> Vec<Position> {
    let fens = [
        // One piece blocks two castlings.
        "kr1r4/3b3p/7Q/8/8/2P5/B7/R1Kn1R2 b KQk - 0 1",
        // A castling king crosses its rook's square, and a line that ends there is closed.
        "1r3r1k/1N6/2Rp3p/7P/Pnr2p2/1p6/5RR1/2RK1R2 b KQq - 0 1",
        // One piece blocks a castling and a check.
        "r1kB1Q1r/3r2P1/R1r2Q1Q/8/2b5/1B3bQ1/4q3/2R2RKB w Qkq - 0 1",
        // Sixteen replies and more need one square.
        "1qk5/7Q/6q1/8/8/8/R6q/QQ2K3 b - - 0 1",
        // A slider or a king stands on the only square on which replies depend.
        "8/8/8/1K6/B7/qb6/3k4/8 b - - 0 1",
        "B7/1k1p4/8/8/8/1n6/1p5K/8 b - - 0 1",
        // Two pawns promote on one square, and nowhere else.
        "k2r3r/4Rpr1/3Q2pR/6P1/5b1p/3qPR2/p2p1p2/K2QRB2 b - - 0 1",
        // The king sees the square that a double push leaves, and nothing else of the capture.
        "4Q2R/1q2p1K1/k7/3P1P2/4b3/2Q1Q3/7B/2B5 b - - 0 1",
        // A slider attacks nothing but the squares that it guards alone.
        "5r2/2K5/8/8/n3p1p1/N5p1/5Pk1/6B1 w - - 0 1",
        // Two pawns can take one pinned piece.
        "4K2B/3n1P2/P1k2N2/6pq/1pp2bb1/1P1P4/1rRPQ3/8 w - - 0 1",
        // Fourteen moves enter one square, and none any other; fourteen take one piece.
        "k7/8/2N1N3/1NBrBN2/2R1R3/1NBKBN2/2N1N3/8 w - - 0 1",
        "k7/8/2N1N3/1NB1BN2/2RnR3/1NB1BN2/2N1N3/K7 w - - 0 1",
        // A slider attacks a pawn that can be pushed twice.
        "3BR3/qp1p4/3k4/5Q2/1Rq5/5R1b/3K1p2/5QQ1 b - - 0 1",
    ];
    fens.into_iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

/// From random games; fewer where they take long.
pub(in crate::leaf) fn of_games(n: usize) -> Vec<Position> {
    let n = share(n);
    let mut random = SplitMix64::new(0x5eed_0011);
    let starts = [suite("standard.epd"), suite("rules-chess960.epd")].concat();
    let mut positions = Vec::new();
    while positions.len() < n {
        let mut game = one_of(&mut random, &starts);
        for _ in 0..random.below(150) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game = game.play(one_of(&mut random, &moves));
            if random.below(8) == 0 {
                positions.push(game.clone());
            }
        }
    }
    positions
}

/// Pieces placed at random.
pub(in crate::leaf) fn placed(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = SplitMix64::new(seed);
    std::iter::repeat_with(move || placement(&mut random))
}

fn suite(name: &str) -> Vec<Position> {
    let text = tabiya_suites::file(name).unwrap_or_else(|| panic!("there is no suite {name}")).text;
    let suite = suite::read(text.as_bytes(), &ReadOptions::default());
    suite.cases.into_iter().map(|case| case.position).collect()
}

fn one_of<T: Clone>(random: &mut SplitMix64, list: &[T]) -> T {
    list[random.below(list.len())].clone()
}

/// A playable position of few or many pieces, placed at random.
fn placement(random: &mut SplitMix64) -> Position {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    loop {
        let mut setup = Setup { board: Board::EMPTY, ..Setup::EMPTY };
        setup.turn = one_of(random, &Color::ALL);
        let home = random.below(3) == 0;
        for color in Color::ALL {
            let roles: &[Role] = if home { &[King, Rook, Rook] } else { &[King] };
            for &role in roles {
                let file = one_of(random, &tabiya::File::ALL);
                let square = if home {
                    Square::new(file, color.back_rank())
                } else {
                    one_of(random, &Square::ALL)
                };
                setup.board.set(square, Some(role.of(color)));
            }
        }
        let heavy = [Queen, Queen, Rook, Bishop, Pawn];
        let mixed = [Pawn, Pawn, Pawn, Pawn, Knight, Knight, Bishop, Rook, Queen];
        let roles: &[Role] = if random.below(4) == 0 { &heavy } else { &mixed };
        for _ in 0..random.below(26) {
            let square = one_of(random, &Square::ALL);
            let piece = one_of(random, roles).of(one_of(random, &Color::ALL));
            if setup.board.piece_on(square).is_none() {
                setup.board.set(square, Some(piece));
            }
        }
        for color in Color::ALL {
            let rank = color.back_rank().bitboard();
            if setup.board.king(color).is_some_and(|king| rank.has(king)) {
                for rook in setup.board.pieces(color, Rook) & rank {
                    if random.below(2) == 0 {
                        setup.castling.add(rook);
                        setup.castling_mode = CastlingMode::Chess960;
                    }
                }
            }
        }
        if random.below(3) == 0 {
            // A pawn before its double push, or after it, and pawns that may take it.
            let pushed = random.below(2) == 0;
            let us = if pushed { !setup.turn } else { setup.turn };
            let third = Square::new(one_of(random, &tabiya::File::ALL), us.double_push_rank());
            let from = third.step((!us).forward()).unwrap();
            let to = third.step(us.forward()).unwrap();
            setup.board.set(third, None);
            setup.board.set(if pushed { from } else { to }, None);
            setup.board.set(if pushed { to } else { from }, Some(Pawn.of(us)));
            for files in [-1, 1] {
                if let Some(beside) = to.offset(files, 0)
                    && random.below(3) != 0
                {
                    setup.board.set(beside, Some(Pawn.of(!us)));
                }
            }
            setup.en_passant = pushed.then_some(third);
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}
