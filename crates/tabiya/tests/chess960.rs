//! The start positions of Chess960 by number.

use std::collections::HashSet;

use tabiya::chess960::{STANDARD_NUMBER, START_POSITIONS, back_rank, number_of};
use tabiya::{CastlingMode, Position, Role, Setup};

fn letters(number: u16) -> String {
    let roles = back_rank(number).unwrap();
    roles.iter().map(|role| role.letter().to_ascii_uppercase()).collect()
}

/// The first and last numbers of the table that Chess960 tournaments draw from, and others.
#[test]
fn known_numbers() {
    for (number, expected) in [
        (0, "BBQNNRKR"),
        (1, "BQNBNRKR"),
        (2, "BQNNRBKR"),
        (3, "BQNNRKRB"),
        (4, "QBBNNRKR"),
        (518, "RNBQKBNR"),
        (534, "RNBKQBNR"),
        (959, "RKRNNQBB"),
    ] {
        assert_eq!(letters(number), expected, "{number}");
    }
    assert_eq!(STANDARD_NUMBER, 518);
}

#[test]
fn every_number_has_its_own_valid_arrangement() {
    let mut seen = HashSet::new();
    for number in 0..START_POSITIONS {
        let roles = back_rank(number).unwrap();
        assert!(seen.insert(roles), "{number}");
        assert_eq!(number_of(roles), Some(number));
        let files = |role| (0..8).filter(|&file| roles[file] == role).collect::<Vec<_>>();
        let (rooks, kings) = (files(Role::Rook), files(Role::King));
        assert!(rooks[0] < kings[0] && kings[0] < rooks[1], "{number}");
        let bishops = files(Role::Bishop);
        assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{number}");
        assert_eq!((files(Role::Queen).len(), files(Role::Knight).len()), (1, 2), "{number}");

        let position = Position::chess960(number).unwrap();
        assert_eq!(position.castling_mode(), CastlingMode::Chess960);
        assert_eq!(position.castling_rights().rooks().len(), 4);
        assert_eq!(position.to_setup().chess960_numbers(), Some([number, number]));
        let fen = position.fen().to_string();
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(&position), "{fen}");
    }
    assert_eq!(seen.len(), 960);
    assert_eq!(back_rank(960), None);
    assert_eq!(Setup::double_chess960(0, 960), None);
}

/// All back ranks with these pieces that are not start positions are refused.
#[test]
fn other_arrangements_have_no_number() {
    let mut roles = back_rank(0).unwrap();
    roles.sort_unstable();
    let mut accepted = 0;
    permutations(&mut roles.to_vec(), 0, &mut |roles| {
        let roles: [Role; 8] = roles.try_into().unwrap();
        if let Some(number) = number_of(roles) {
            assert_eq!(back_rank(number), Some(roles));
            accepted += 1;
        }
    });
    // Each arrangement occurs once for each order of two rooks, bishops and knights.
    assert_eq!(accepted, 960 * 8);
    let two_queens = [
        Role::Queen,
        Role::Queen,
        Role::Bishop,
        Role::Bishop,
        Role::King,
        Role::Rook,
        Role::Rook,
        Role::Knight,
    ];
    assert_eq!(number_of(two_queens), None);
}

fn permutations(roles: &mut Vec<Role>, fixed: usize, visit: &mut impl FnMut(&[Role])) {
    if fixed == roles.len() {
        return visit(roles);
    }
    for index in fixed..roles.len() {
        roles.swap(fixed, index);
        permutations(roles, fixed + 1, visit);
        roles.swap(fixed, index);
    }
}

#[test]
fn double_chess960_has_two_numbers() {
    let position = Position::double_chess960(518, 959).unwrap();
    assert_eq!(
        position.fen().to_string(),
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert_eq!(position.to_setup().chess960_numbers(), Some([518, 959]));
    let after = position.play(position.parse_move("e4").unwrap());
    assert_eq!(after.to_setup().chess960_numbers(), None);
    let without_rights = Setup { castling: Default::default(), ..position.to_setup() };
    assert_eq!(without_rights.chess960_numbers(), None);
}
