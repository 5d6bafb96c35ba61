//! Polyglot's keys and books: published examples, exhaustive look-ups, and damaged bytes.

mod common;
use common::{Random, games};

use tabiya::polyglot::{Book, BookError, BookMoveCause, Entry};
use tabiya::{CastlingMode, Move, MoveKind, Position, Square};

fn play(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(position.clone(), |position, text| {
        position.play(position.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}")))
    })
}

#[test]
fn the_published_examples_have_their_keys() {
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(play(&Position::START, moves).polyglot_key(), key, "{moves}");
    }
}

/// A pawn beside the advanced pawn counts, even if the capture is not legal. It does not for the
/// library's own key.
#[test]
fn the_rule_of_en_passant_is_the_formats_own() {
    // The pawn on e5 is pinned on the e-file: it may not capture on d6.
    let pinned = Position::from_fen("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1").unwrap();
    let pushed = play(&pinned, "d7d5");
    assert_eq!(pushed.en_passant(), None);
    let without = Position::from_fen(&pushed.fen().to_string()).unwrap();
    assert_eq!(without, pushed);
    assert_eq!(without.key(), pushed.key());
    assert_ne!(without.polyglot_key(), pushed.polyglot_key());
    // No pawn beside it: no difference.
    let alone = Position::from_fen("4r1k1/3p4/8/8/4P3/8/8/4K3 b - - 0 1").unwrap();
    let pushed = play(&alone, "d7d5");
    let without = Position::from_fen(&pushed.fen().to_string()).unwrap();
    assert_eq!(without.polyglot_key(), pushed.polyglot_key());
}

/// A book of every legal move in many positions.
fn book_of(positions: &[Position]) -> Vec<u8> {
    let mut entries: Vec<Entry> = positions
        .iter()
        .flat_map(|position| {
            let entry = |(number, &mv)| Entry::new(position, mv, 1 + number as u16);
            position.legal_moves().iter().enumerate().map(entry).collect::<Vec<_>>()
        })
        .collect();
    entries.sort_by_key(|entry| entry.key);
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

#[test]
fn every_legal_move_is_written_and_found() {
    let mut random = Random::new(11);
    let mut positions = Vec::new();
    games::many(20, &mut random, |position| {
        let same = |other: &Position| other.polyglot_key() == position.polyglot_key();
        if random_enough(position) && !positions.iter().any(same) {
            positions.push(position.clone());
        }
    });
    let bytes = book_of(&positions);
    let book = Book::new(&bytes).unwrap();
    assert!(positions.len() > common::least(300), "{}", positions.len());
    for position in &positions {
        let found: Vec<Move> = book.moves(position).map(|found| found.unwrap().mv).collect();
        assert_eq!(found, position.legal_moves().to_vec(), "{position:?}");
        // The weights grow.
        assert_eq!(book.best(position), found.last().copied());
        assert_eq!(book.pick(position, 0), found.first().copied());
        assert_eq!(book.pick(position, u64::MAX), found.last().copied());
    }
    assert_eq!(book.moves(&Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap()).count(), 0);
}

/// Some of the positions, chosen by their keys.
fn random_enough(position: &Position) -> bool {
    position.key().is_multiple_of(16)
}

#[test]
fn castling_takes_the_rook_and_the_kings_target_is_read_in_standard_chess() {
    let position = Position::from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1").unwrap();
    let castle = position.parse_uci("e1g1").unwrap();
    let entry = Entry::new(&position, castle, 1);
    // From e1 (4) to h1 (7).
    assert_eq!(entry.mv, 4 << 6 | 7);
    for mv in [entry.mv, 4 << 6 | 6] {
        let bytes = Entry { mv, ..entry }.to_bytes();
        assert_eq!(Book::new(&bytes).unwrap().best(&position), Some(castle));
    }
    // In Chess960, e1g1 may be a move of the king.
    let chess960 = position.with_castling_mode(CastlingMode::Chess960).unwrap();
    let bytes = Entry { mv: 4 << 6 | 6, ..entry }.to_bytes();
    assert_eq!(Book::new(&bytes).unwrap().best(&chess960), None);
}

#[test]
fn both_spellings_of_castling_are_one_move() {
    let position = Position::from_fen("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1").unwrap();
    let find = |text| position.parse_uci(text).unwrap();
    let entry = |text, weight| Entry::new(&position, find(text), weight);
    let target = |mv, text, weight| Entry { mv, ..entry(text, weight) };
    let bytes: Vec<u8> = [
        target(4 << 6 | 6, "e1g1", 10),
        entry("a1b1", 5),
        entry("e1c1", 65_000),
        entry("e1g1", 20),
        target(4 << 6 | 2, "e1c1", 1000),
        entry("a1b1", 5),
    ]
    .iter()
    .flat_map(|entry| entry.to_bytes())
    .collect();
    let found: Vec<_> = Book::new(&bytes).unwrap().moves(&position).map(Result::unwrap).collect();
    let found: Vec<_> = found.iter().map(|found| (found.mv, found.weight)).collect();
    let expected = [("e1g1", 30), ("a1b1", 5), ("e1c1", u16::MAX), ("a1b1", 5)];
    assert_eq!(found, expected.map(|(text, weight)| (find(text), weight)));
}

#[test]
fn promotions_have_their_role() {
    let position = Position::from_fen("1n5k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let mv = Move::new(Square::A7, Square::B8, MoveKind::CapturePromoteKnight);
    let entry = Entry::new(&position, mv, 1);
    assert_eq!(entry.mv >> 12, 1);
    let bytes = entry.to_bytes();
    assert_eq!(Book::new(&bytes).unwrap().best(&position), Some(mv));
}

#[test]
fn damaged_books_are_refused() {
    let entry = |key| Entry { key, mv: 0x031c, weight: 1, learn: 0 };
    let bytes =
        |keys: &[u64]| keys.iter().flat_map(|&key| entry(key).to_bytes()).collect::<Vec<_>>();
    assert!(Book::new(&bytes(&[1, 2, 2, 3])).is_ok());
    let error = Book::new(&bytes(&[1, 3, 2])).unwrap_err();
    assert_eq!(error, BookError::Order { index: 2 });
    assert_eq!(
        error.to_string(),
        "the keys of the book are not sorted: the key of entry 2 (at byte 32) is less than the one \
         before it"
    );
    for cut in 1..16 {
        let whole = bytes(&[1, 2]);
        let error = Book::new(&whole[..16 + cut]).unwrap_err();
        assert_eq!(error, BookError::Length { bytes: 16 + cut });
    }
    assert!(Book::trusted(&bytes(&[3, 1])).is_ok());
}

#[test]
fn moves_that_are_not_legal_are_errors() {
    let key = Position::START.polyglot_key();
    let cases = [
        (0x0000, None),
        (0x031c, None),
        // e2e5, a promotion before the last rank, a promotion to a king, the highest bit.
        (0x0324, Some(BookMoveCause::Illegal)),
        (0x431c, Some(BookMoveCause::Illegal)),
        (0x531c, Some(BookMoveCause::Bits)),
        (0x831c, Some(BookMoveCause::Bits)),
    ];
    for (mv, cause) in cases {
        let bytes = Entry { key, mv, weight: 1, learn: 0 }.to_bytes();
        let book = Book::new(&bytes).unwrap();
        let errors: Vec<_> = book.moves(&Position::START).filter_map(Result::err).collect();
        assert_eq!(errors.first().map(|error| error.cause), cause, "{mv:#x}");
        assert_eq!(book.moves(&Position::START).count(), usize::from(mv != 0), "{mv:#x}");
    }
    let bytes = Entry { key, mv: 0x0324, weight: 1, learn: 0 }.to_bytes();
    let book = Book::new(&bytes).unwrap();
    let error = book.moves(&Position::START).next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "entry 0 (at byte 0) has the move e2e5, which is not legal in the position"
    );
}

#[test]
fn weights_decide_how_often_a_move_is_picked() {
    let start = Position::START;
    let entry = |text: &str, weight| Entry::new(&start, start.parse_uci(text).unwrap(), weight);
    let entries = [entry("e2e4", 3), entry("d2d4", 0), entry("c2c4", 1)];
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    let book = Book::new(&bytes).unwrap();
    let mut random = Random::new(5);
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let mv = book.pick(&start, random.next()).unwrap().to_string();
        counts[["e2e4", "d2d4", "c2c4"].iter().position(|&text| text == mv).unwrap()] += 1;
    }
    assert!((2850..3150).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
    // Without weights, none is better than the others.
    let bytes: Vec<u8> =
        entries.iter().flat_map(|&entry| Entry { weight: 0, ..entry }.to_bytes()).collect();
    assert_eq!(Book::new(&bytes).unwrap().pick(&start, 1), None);
}

/// Random bytes, sorted or not, never panic; a look-up finds what a linear search finds.
#[test]
fn random_bytes_break_nothing() {
    let rounds = if common::is_long() { 400_000 } else { common::rounds(20_000) };
    let mut random = Random::new(7);
    let start = Position::START;
    for _ in 0..rounds {
        let mut entries: Vec<[u8; 16]> = (0..random.below(12))
            .map(|_| {
                let key = start.polyglot_key() ^ random.pick(&[0, 0, 1, 1 << 63, u64::MAX]);
                Entry { key, mv: random.next() as u16, weight: random.next() as u16, learn: 0 }
            })
            .map(Entry::to_bytes)
            .collect();
        let sorted = random.below(3) > 0;
        if sorted {
            entries.sort_unstable();
        }
        let mut bytes = entries.concat();
        bytes.truncate(bytes.len() - random.pick(&[0, 0, 0, 1]).min(bytes.len()));
        match Book::new(&bytes) {
            Err(error) => assert!(!sorted || bytes.len() % 16 != 0, "{error}"),
            Ok(book) => {
                let linear = book.entries().filter(|entry| entry.key == start.polyglot_key());
                assert_eq!(book.find(start.polyglot_key()).len(), linear.count());
                for found in book.moves(&start) {
                    match found {
                        Ok(found) => assert!(start.is_legal(found.mv)),
                        Err(error) => assert!(!error.to_string().is_empty()),
                    }
                }
            }
        }
        if let Ok(book) = Book::trusted(&bytes) {
            book.best(&start);
            book.pick(&start, random.next());
        }
    }
}
