//! Positions to try things on: random games from the start and from Chess960, random boards.

use super::Random;
use tabiya::{
    CastlingMode, CastlingRights, Color, File, Piece, Position, Rank, Role, Setup, Square,
};

/// Every position of a game of random moves, at most `plies` long.
pub(crate) fn play(
    start: &Position,
    plies: usize,
    random: &mut Random,
    mut visit: impl FnMut(&Position),
) {
    let mut position = start.clone();
    visit(&position);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position = position.play(random.pick(&moves));
        visit(&position);
    }
}

/// Every position of random games from the start and from starts of Chess960, so many of each, and
/// random boards from two kings to full ones.
pub(crate) fn many(games: usize, random: &mut Random, mut visit: impl FnMut(&Position)) {
    for _ in 0..games {
        play(&Position::START, 120, random, &mut visit);
        play(&chess960_start(random), 120, random, &mut visit);
    }
    for index in 0..150 * games {
        visit(&random_board(2 + index % 14, random));
    }
}

/// A start of Chess960: king between the rooks, bishops on both colours; each side has its own.
pub(crate) fn chess960_start(random: &mut Random) -> Position {
    let mut setup = Setup { mode: CastlingMode::Chess960, ..Setup::EMPTY };
    for color in Color::ALL {
        let rank = color.back_rank();
        let men = loop {
            use Role::{Bishop, King, Knight, Queen, Rook};
            let mut men = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
            random.shuffle(&mut men);
            let at = |role| (0..8).filter(|&file| men[file] == role).collect::<Vec<_>>();
            let (rooks, bishops, king) = (at(Rook), at(Bishop), at(King)[0]);
            if rooks[0] < king && king < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1 {
                break men;
            }
        };
        for (file, role) in File::ALL.into_iter().zip(men) {
            setup.board.set(Square::new(file, rank), Some(role.of(color)));
            setup.board.set(Square::new(file, color.pawn_rank()), Some(Role::Pawn.of(color)));
            if role == Role::Rook {
                setup.castling.add(Square::new(file, rank));
            }
        }
    }
    Position::from_setup(&setup).expect("a start of Chess960 can be played on")
}

/// A playable board with up to `men` men a side, kings apart; often with castling rights and an
/// en-passant square.
pub(crate) fn random_board(men: usize, random: &mut Random) -> Position {
    loop {
        let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
        setup.mode = CastlingMode::Chess960;
        for color in Color::ALL {
            put(&mut setup, Role::King.of(color), random);
            for _ in 0..random.below(men) {
                put(&mut setup, random.pick(&Role::ALL[..5]).of(color), random);
            }
        }
        add_castling(&mut setup);
        add_en_passant(&mut setup, random);
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
        setup.castling = CastlingRights::NONE;
        setup.en_passant = None;
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

fn put(setup: &mut Setup, piece: Piece, random: &mut Random) {
    for _ in 0..10 {
        let square = random.pick(&Square::ALL);
        let is_end = matches!(square.rank(), Rank::First | Rank::Eighth);
        let fits = piece.role != Role::Pawn || !is_end;
        if fits && setup.board.piece_on(square).is_none() {
            setup.board.set(square, Some(piece));
            return;
        }
    }
}

/// Rights for one rook on each side of a king on his back rank.
fn add_castling(setup: &mut Setup) {
    for color in Color::ALL {
        let rank = color.back_rank().bitboard();
        let Some(king) = setup.board.king(color).filter(|&king| rank.has(king)) else { continue };
        if matches!(king.file(), File::A | File::H) {
            continue;
        }
        let rooks = setup.board.pieces(color, Role::Rook) & rank;
        let outer =
            [rooks.iter().find(|&rook| rook < king), rooks.iter().rfind(|&rook| rook > king)];
        for rook in outer.into_iter().flatten() {
            setup.castling.add(rook);
        }
    }
}

/// The square behind one of the opponent's pawns that may just have come.
fn add_en_passant(setup: &mut Setup, random: &mut Random) {
    let them = !setup.turn;
    let rank = them.double_push_rank();
    for file in File::ALL {
        let passed = Square::new(file, rank);
        let (Some(to), Some(from)) =
            (passed.step(them.forward()), passed.step(them.forward().opposite()))
        else {
            continue;
        };
        let is_there = setup.board.piece_on(to) == Some(Role::Pawn.of(them));
        let is_free = [passed, from].iter().all(|&square| setup.board.piece_on(square).is_none());
        if is_there && is_free && random.below(2) == 0 {
            setup.en_passant = Some(passed);
            return;
        }
    }
}
