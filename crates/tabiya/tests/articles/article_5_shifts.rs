//! The article on shifts and directions: squares are numbered from a8, a step adds a number, and a
//! whole set moves by one shift. (The article is unfinished: pawns and sliders are only headings.)

use tabiya::Direction::{
    self, East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West,
};
use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{Bitboard, Board, Color, File, MoveList, Position, Role, Square, attacks, bitboard};

use super::{many_positions, set};

/// The numbers of a set's squares, counted from a8.
fn numbers(set: Bitboard) -> Vec<u8> {
    let mut numbers: Vec<u8> = set.iter().map(Square::a8_index).collect();
    numbers.sort_unstable();
    numbers
}

fn numbered(index: u8) -> Square {
    Square::from_a8_index(index).unwrap()
}

#[test]
fn squares_are_numbered_from_a8() {
    assert_eq!(numbered(0), Square::A8);
    assert_eq!(numbered(7), Square::H8);
    assert_eq!(numbered(27), Square::D5);
    assert_eq!(numbered(56), Square::A1);
    assert_eq!(numbered(63), Square::H1);
    // In reading order: rank after rank from the top.
    let read = "8765432".chars().chain(['1']).flat_map(|rank| {
        ('a'..='h').map(move |file| format!("{file}{rank}").parse::<Square>().unwrap())
    });
    for (index, square) in read.enumerate() {
        assert_eq!(numbered(index as u8), square);
        assert_eq!(square.a8_index() as usize, index);
    }
    for index in 64..=u8::MAX {
        assert_eq!(Square::from_a8_index(index), None);
    }
}

#[test]
fn a_set_in_this_numbering_is_the_set_with_its_ranks_swapped() {
    for set in [set("d5"), set("a8 b8 h1"), Bitboard(0x0123_4567_89ab_cdef)] {
        let word = numbers(set).into_iter().fold(0u64, |word, number| word | 1 << number);
        assert_eq!(word, set.flip_ranks().0);
    }
}

#[test]
fn directions_are_differences_of_square_numbers() {
    assert_eq!(North.a8_offset(), -8);
    assert_eq!(East.a8_offset(), 1);
    assert_eq!(South.a8_offset(), 8);
    assert_eq!(West.a8_offset(), -1);
    for direction in Direction::ALL {
        for square in Square::ALL {
            if let Some(next) = square.step(direction) {
                let sum = square.a8_index().wrapping_add_signed(direction.a8_offset());
                assert_eq!(numbered(sum), next);
            }
        }
    }
}

#[test]
fn directions_add_up() {
    let offset = Direction::a8_offset;
    assert_eq!(offset(SouthEast), offset(South) + offset(East));
    assert_eq!(offset(SouthWest), offset(South) + offset(West));
    assert_eq!(offset(NorthEast), offset(North) + offset(East));
    assert_eq!(offset(NorthWest), offset(North) + offset(West));
    // Opposite directions have opposite numbers.
    for direction in Direction::ALL {
        assert_eq!(offset(-direction), -offset(direction));
    }
}

/// The article's shift: to the right by a positive number, to the left by a negative one.
fn shr(word: u64, by: i8) -> u64 {
    if by >= 0 { word >> by } else { word << -by }
}

#[test]
fn a_knight_jump_is_one_shift() {
    let jump = North.a8_offset() + East.a8_offset() + East.a8_offset();
    assert_eq!(jump, -6);
    assert_eq!(27 + jump, 21);
    assert_eq!(numbered(21), Square::F6);
    // If a8 is bit 0, the jump is a shift to the left. The article's shift to the right by the same
    // number needs a8 as the highest bit.
    let low = Square::D5.bitboard().flip_ranks().0;
    assert_eq!(low, 1 << 27);
    assert_eq!(shr(low, -jump), 1 << 21);
    let high = low.reverse_bits();
    assert_eq!(high, 1 << (63 - 27));
    assert_eq!(shr(high, jump), 1 << (63 - 21));
    assert_eq!(high, Square::D5.bitboard().flip_files().0);
}

#[test]
fn attacks_of_king_and_knight_on_d5() {
    let king = attacks::king(Square::D5);
    assert_eq!(numbers(king), [18, 19, 20, 26, 28, 34, 35, 36]);
    assert_eq!(
        king,
        bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . X X X . . .
            . . X . X . . .
            . . X X X . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        }
    );
    let knight = attacks::knight(Square::D5);
    assert_eq!(numbers(knight), [10, 12, 17, 21, 33, 37, 42, 44]);
    assert_eq!(
        knight,
        bitboard! {
            . . . . . . . .
            . . X . X . . .
            . X . . . X . .
            . . . . . . . .
            . X . . . X . .
            . . X . X . . .
            . . . . . . . .
            . . . . . . . .
        }
    );
    // Each number is that of d5 plus one or more directions.
    let around: Vec<i8> = Direction::ALL.iter().map(|step| 27 + step.a8_offset()).collect();
    assert!(numbers(king).iter().all(|&number| around.contains(&(number as i8))));
    let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    for (files, ranks) in jumps {
        let number = 27 + files * East.a8_offset() + ranks * North.a8_offset();
        assert!(numbers(knight).contains(&(number as u8)));
    }
}

#[test]
fn shifts_wrap_at_the_files_and_not_at_the_ranks() {
    // One step east of h5 is a4 by the numbers alone; a masked shift gives nothing.
    let h5 = Square::H5;
    assert_eq!(numbered(h5.a8_index().wrapping_add_signed(East.a8_offset())), Square::A4);
    assert!(h5.bitboard().shift(East).is_empty());
    assert_eq!(h5.step(East), None);
    // At the top and the bottom the bit leaves the word.
    let high = Square::E8.bitboard().flip_files().0;
    assert_eq!(shr(high, North.a8_offset()), 0);
    let low = Square::E1.bitboard().flip_files().0;
    assert_eq!(shr(low, South.a8_offset()), 0);
}

/// The king's moves as the article generates them: masked before each step to another file.
fn king_by_shifts(square: Square) -> Bitboard {
    let word = |set: Bitboard| set.flip_files().0;
    let king = word(square.bitboard());
    let not_a = king & !word(File::A.bitboard());
    let not_h = king & !word(File::H.bitboard());
    let mut moves = 0;
    for direction in [NorthWest, West, SouthWest] {
        moves |= shr(not_a, direction.a8_offset());
    }
    for direction in [North, South] {
        moves |= shr(king, direction.a8_offset());
    }
    for direction in [NorthEast, East, SouthEast] {
        moves |= shr(not_h, direction.a8_offset());
    }
    Bitboard(moves).flip_files()
}

#[test]
fn masked_shifts_generate_the_kings_moves() {
    for square in Square::ALL {
        assert_eq!(king_by_shifts(square), attacks::king(square), "{square}");
    }
}

#[test]
fn the_king_has_no_move_at_the_start() {
    let king = Position::START.king(Color::White);
    assert!(!attacks::king(king).is_empty());
    assert!((attacks::king(king) - Position::START.board().color(Color::White)).is_empty());
    assert!(Position::START.legal_moves().iter().all(|mv| mv.from() != king));
}

#[test]
fn squares_of_own_pieces_are_masked_out() {
    let knight = attacks::knight(Square::B1);
    assert_eq!(numbers(knight), [40, 42, 51]);
    let own = Board::START.color(Color::White);
    assert_eq!(numbers(!own), (0..48).collect::<Vec<u8>>());
    assert_eq!(numbers(knight & !own), [40, 42]);
    let generated: Bitboard = MoveList::of::<Legal>(&Position::START)
        .iter()
        .filter(|mv| mv.from() == Square::B1)
        .map(|mv| mv.to())
        .collect();
    assert_eq!(generated, knight & !own);
}

#[test]
fn kings_and_knights_reach_all_squares_without_own_pieces() {
    many_positions(|position| {
        let (board, us) = (position.board(), position.turn());
        let list = MoveList::of::<PseudoLegal<Legal>>(position);
        for (role, attack) in
            [(Role::King, attacks::king as fn(Square) -> Bitboard), (Role::Knight, attacks::knight)]
        {
            for from in board.pieces(us, role) {
                let generated: Bitboard = list
                    .iter()
                    .filter(|mv| mv.from() == from && mv.castling().is_none())
                    .map(|mv| mv.to())
                    .collect();
                assert_eq!(generated, attack(from) & !board.color(us), "{position:?} {from}");
            }
        }
    });
}
