//! Positions constructed around common errors of move generators.

use tabiya::{Bitboard, Color, Direction, Piece, Rank, Role, Square, attacks};

use super::Found;
use super::placement::Placement;

/// The squares from one square in a direction, up to the edge.
fn ray(from: Square, direction: Direction) -> Vec<Square> {
    std::iter::successors(from.step(direction), |square| square.step(direction)).collect()
}

/// A slider that moves in a direction.
fn slider(placement: &mut Placement<'_>, direction: Direction) -> Role {
    let is_straight =
        [Direction::North, Direction::East, Direction::South, Direction::West].contains(&direction);
    let role = if is_straight { Role::Rook } else { Role::Bishop };
    placement.random.pick(&[role, role, Role::Queen])
}

/// Puts a piece on a square if it is empty.
fn put(placement: &mut Placement<'_>, square: Square, color: Color, role: Role) {
    if !placement.board.occupied().has(square) {
        placement.board.set(square, Some(Piece { color, role }));
    }
}

pub(super) fn pins(random: &mut tabiya::SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    let turn = placement.color();
    // Lines to either king: pins of the side to move, and checks that it may discover.
    for color in [turn, !turn] {
        let Some(king) = placement.put(color, Role::King, Bitboard::FULL) else { continue };
        for direction in Direction::ALL {
            let line = ray(king, direction);
            if line.len() < 2 || placement.random.below(2) == 0 {
                continue;
            }
            let near = placement.random.below(line.len() - 1);
            let far = near + 1 + placement.random.below(line.len() - near - 1);
            let shield = if placement.random.below(5) == 0 { placement.color() } else { turn };
            let role = placement.role();
            if role != Role::Pawn || !matches!(line[near].rank(), Rank::First | Rank::Eighth) {
                put(&mut placement, line[near], shield, role);
            }
            let role = slider(&mut placement, direction);
            put(&mut placement, line[far], !color, role);
        }
    }
    placement.scatter(6);
    Found::Setup(placement.finish(turn))
}

pub(super) fn checks(random: &mut tabiya::SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    let turn = placement.color();
    let Some(king) = placement.put(turn, Role::King, Bitboard::FULL) else { unreachable!() };
    placement.put(!turn, Role::King, Bitboard::FULL);
    let checkers = if placement.random.below(8) == 0 { 3 } else { 2 };
    for _ in 0..checkers {
        match placement.random.below(4) {
            0 => {
                placement.put(!turn, Role::Knight, attacks::knight(king));
            }
            1 => {
                placement.put(!turn, Role::Pawn, attacks::pawn(turn, king));
            }
            _ => {
                let direction = placement.random.pick(&Direction::ALL);
                let line = ray(king, direction);
                if !line.is_empty() {
                    let square = placement.random.pick(&line);
                    let role = slider(&mut placement, direction);
                    put(&mut placement, square, !turn, role);
                }
            }
        }
    }
    placement.scatter(10);
    Found::Setup(placement.finish(turn))
}

pub(super) fn en_passant(random: &mut tabiya::SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    let turn = placement.color();
    let files = placement.random.below(8) as i8;
    let base = if turn == Color::White { Square::A5 } else { Square::A4 };
    let Some(pushed) = base.offset(files, 0) else { unreachable!() };
    let forward = if turn == Color::White { 1 } else { -1 };
    let (crossed, origin) = (pushed.offset(0, forward), pushed.offset(0, 2 * forward));
    put(&mut placement, pushed, !turn, Role::Pawn);
    let mut pawns = Vec::new();
    for side in [-1, 1] {
        if let Some(square) = pushed.offset(side, 0).filter(|_| placement.random.below(4) != 0) {
            put(&mut placement, square, turn, Role::Pawn);
            pawns.push(square);
        }
    }
    // The king on a line with one of the pawns, or with the crossed square.
    let targets: Vec<Square> =
        pawns.iter().copied().chain([pushed]).chain(crossed).chain(origin).collect();
    let kept = [crossed, origin].into_iter().flatten().collect::<Bitboard>();
    for (color, role) in [(turn, Role::King), (!turn, Role::King)] {
        let target = placement.random.pick(&targets);
        let direction = placement.random.pick(&Direction::ALL);
        let line = ray(target, direction);
        if !line.is_empty() && (color == turn || placement.random.below(2) == 0) {
            let square = placement.random.pick(&line);
            if !kept.has(square) {
                put(&mut placement, square, color, role);
            }
            // A slider on the other side of the target.
            let back = ray(target, direction.opposite());
            if !back.is_empty() && placement.random.below(4) != 0 {
                let square = placement.random.pick(&back);
                let role = slider(&mut placement, direction);
                if !kept.has(square) {
                    put(&mut placement, square, !color, role);
                }
            }
        }
        if placement.board.king(color).is_none() {
            placement.put(color, Role::King, !kept);
        }
    }
    for _ in 0..placement.random.below(7) {
        let (color, role) = (placement.color(), placement.role());
        placement.put(color, role, !kept);
    }
    let mut setup = placement.finish(turn);
    setup.en_passant = crossed;
    Found::Setup(setup)
}

pub(super) fn promotions(random: &mut tabiya::SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    let turn = placement.color();
    let seventh = (!turn).pawn_rank().bitboard();
    let eighth = (!turn).back_rank().bitboard();
    for _ in 0..=placement.random.below(4) {
        placement.put(turn, Role::Pawn, seventh);
    }
    for _ in 0..placement.random.below(5) {
        let role = placement.random.pick(&[Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
        placement.put(!turn, role, eighth);
    }
    if placement.random.below(2) == 0 {
        placement.put(turn, Role::King, seventh);
    }
    if placement.random.below(2) == 0 {
        placement.put(!turn, Role::King, eighth);
    }
    placement.put_kings();
    placement.scatter(8);
    Found::Setup(placement.finish(turn))
}

pub(super) fn castling(random: &mut tabiya::SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    let turn = placement.color();
    let is_standard = placement.random.below(2) == 0;
    for color in Color::ALL {
        let rank = color.back_rank();
        if is_standard {
            put(&mut placement, Square::new(tabiya::File::E, rank), color, Role::King);
            for file in [tabiya::File::A, tabiya::File::H] {
                if placement.random.below(4) != 0 {
                    put(&mut placement, Square::new(file, rank), color, Role::Rook);
                }
            }
        } else {
            placement.put(color, Role::King, rank.bitboard());
            for _ in 0..=placement.random.below(2) {
                placement.put(color, Role::Rook, rank.bitboard());
            }
        }
    }
    // Attackers of the back rank, and pieces that stand in the way.
    for _ in 0..placement.random.below(4) {
        let square =
            placement.random.pick(&turn.back_rank().bitboard().into_iter().collect::<Vec<_>>());
        match placement.random.below(4) {
            0 => {
                placement.put(!turn, Role::Knight, attacks::knight(square));
            }
            1 => {
                placement.put(!turn, Role::Pawn, attacks::pawn(turn, square));
            }
            2 => {
                let lines = attacks::queen(square, Bitboard::EMPTY);
                let role = placement.random.pick(&[Role::Bishop, Role::Rook, Role::Queen]);
                placement.put(!turn, role, lines);
            }
            _ => {
                let (color, role) = (placement.color(), placement.role());
                if role != Role::Pawn {
                    put(&mut placement, square, color, role);
                }
            }
        }
    }
    placement.scatter(6);
    Found::Setup(placement.finish(turn))
}
