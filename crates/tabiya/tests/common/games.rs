//! Positions for tests: random games of standard chess and Chess960, and random boards.

use super::{Random, is_short, rounds};
use tabiya::{
    CastlingMode, CastlingRights, Color, File, Piece, Position, Rank, Role, Setup, Square,
};

/// Visits every position of a game of random moves, up to `plies` plies.
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

/// Visits every position of `games` random games of standard chess and as many of Chess960, and
/// random boards from two kings to full ones.
pub(crate) fn many(games: usize, random: &mut Random, mut visit: impl FnMut(&Position)) {
    let plies = if is_short() { 60 } else { 120 };
    for _ in 0..rounds(games) {
        play(&Position::START, plies, random, &mut visit);
        play(&chess960_start(random), plies, random, &mut visit);
    }
    for index in 0..rounds(150 * games) {
        visit(&random_board(2 + index % 14, random));
    }
}

/// A start position of Chess960 in which each side has its own arrangement: the king between the
/// rooks, bishops on both square colours.
pub(crate) fn chess960_start(random: &mut Random) -> Position {
    let mut setup = Setup { castling_mode: CastlingMode::Chess960, ..Setup::EMPTY };
    for color in Color::ALL {
        let rank = color.back_rank();
        let roles = loop {
            use Role::{Bishop, King, Knight, Queen, Rook};
            let mut roles = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
            random.shuffle(&mut roles);
            let at = |role| (0..8).filter(|&file| roles[file] == role).collect::<Vec<_>>();
            let (rooks, bishops, king) = (at(Rook), at(Bishop), at(King)[0]);
            if rooks[0] < king && king < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1 {
                break roles;
            }
        };
        for (file, role) in File::ALL.into_iter().zip(roles) {
            setup.board.set(Square::new(file, rank), Some(role.of(color)));
            setup.board.set(Square::new(file, color.pawn_rank()), Some(Role::Pawn.of(color)));
            if role == Role::Rook {
                setup.castling.add(Square::new(file, rank));
            }
        }
    }
    Position::from_setup(&setup).expect("a start position of Chess960 is playable")
}

/// A playable board with up to `pieces` pieces a side besides the kings; often with castling rights
/// and an en-passant square.
pub(crate) fn random_board(pieces: usize, random: &mut Random) -> Position {
    loop {
        let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
        setup.castling_mode = CastlingMode::Chess960;
        for color in Color::ALL {
            put(&mut setup, Role::King.of(color), random);
            for _ in 0..random.below(pieces) {
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

/// Adds rights for one rook on each side of a king on its back rank.
fn add_castling(setup: &mut Setup) {
    for color in Color::ALL {
        let rank = color.back_rank().bitboard();
        let Some(king) = setup.board.king(color).filter(|&king| rank.has(king)) else { continue };
        if matches!(king.file(), File::A | File::H) {
            continue;
        }
        let rooks = setup.board.pieces(color, Role::Rook) & rank;
        let outermost =
            [rooks.iter().find(|&rook| rook < king), rooks.iter().rfind(|&rook| rook > king)];
        for rook in outermost.into_iter().flatten() {
            setup.castling.add(rook);
        }
    }
}

/// Sets the en-passant square behind a pawn of the opponent that may have made a double push.
fn add_en_passant(setup: &mut Setup, random: &mut Random) {
    let them = !setup.turn;
    let rank = them.double_push_rank();
    for file in File::ALL {
        let crossed = Square::new(file, rank);
        let (Some(to), Some(from)) =
            (crossed.step(them.forward()), crossed.step(them.forward().opposite()))
        else {
            continue;
        };
        let is_there = setup.board.piece_on(to) == Some(Role::Pawn.of(them));
        let is_free = [crossed, from].iter().all(|&square| setup.board.piece_on(square).is_none());
        if is_there && is_free && random.below(2) == 0 {
            setup.en_passant = Some(crossed);
            return;
        }
    }
}
