//! Counts by category against published tables, and against a count that makes every move.

#[path = "common/random.rs"]
mod random;
#[path = "common/suites.rs"]
mod suites;
use random::Random;
use suites::{RULES, is_long, is_short, suite};

use std::num::NonZeroUsize;

use tabiya::Position;
use tabiya_perft::suite::Case;
use tabiya_perft::table::HashSize;
use tabiya_perft::{
    Categories, Category, CategoryTable, Convention, Isa, Options, categories,
    categories_with_table, reference_categories,
};

fn two_threads() -> Options {
    Options { threads: NonZeroUsize::new(2).unwrap(), ..Options::default() }
}

fn count(position: &Position, depth: u32) -> Categories {
    let total = categories(position, depth, &two_threads(), &());
    assert!(total.complete);
    total.categories
}

fn count_with(table: &CategoryTable, position: &Position, depth: u32) -> Categories {
    let total = categories_with_table(position, depth, &two_threads(), table, &());
    assert!(total.complete);
    total.categories
}

/// The rows of a table of comma-separated values. A FEN has no commas.
fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect())
}

/// Compares the columns of a row. The convention says which checks the row counts.
fn compare(found: &Categories, row: &[&str], columns: &[Category], convention: Convention) {
    assert_eq!(found.nodes.to_string(), row[0]);
    for (&category, &expected) in columns.iter().zip(&row[1..]) {
        let count = found.count(category, convention).to_string();
        assert_eq!(count, expected, "{}: {row:?}", category.key());
    }
}

#[test]
fn counts_agree_with_the_published_tables_of_six_positions() {
    let columns = [
        Category::Captures,
        Category::EnPassant,
        Category::Castles,
        Category::Promotions,
        Category::Checks,
        Category::Discovered,
        Category::DoubleChecks,
        Category::Checkmates,
    ];
    let mut compared = 0;
    for row in rows(tabiya_suites::CATEGORIES.text) {
        // Only an optimised build counts all rows in seconds.
        let nodes: u64 = row[2].parse().unwrap();
        if (cfg!(debug_assertions) || is_short()) && nodes > 1_000_000 {
            continue;
        }
        let found = count(&Position::from_fen(row[0]).unwrap(), row[1].parse().unwrap());
        compare(&found, &row[2..], &columns, Convention::MatesIncluded);
        compared += 1;
    }
    assert_eq!(compared, if cfg!(debug_assertions) || is_short() { 22 } else { 32 });
}

#[test]
fn counts_agree_with_the_published_table_of_the_start_position() {
    let columns = [
        Category::Captures,
        Category::EnPassant,
        Category::Castles,
        Category::Promotions,
        Category::Checks,
        Category::Discovered,
        Category::DirectDiscovered,
        Category::DoubleDiscovered,
        Category::Checkmates,
    ];
    // Depth 8 has 84,998,978,956 leaf nodes; 9 and 10 take minutes and hours.
    let deepest = match () {
        () if cfg!(debug_assertions) || is_short() => 5,
        () if is_long() => 8,
        () => 7,
    };
    let table = CategoryTable::new(HashSize::mebibytes(256), 0.into()).unwrap();
    let rows = rows(tabiya_suites::STARTPOS_CATEGORIES.text);
    for row in rows.take(deepest) {
        let found = count_with(&table, &Position::START, row[0].parse().unwrap());
        compare(&found, &row[1..], &columns, Convention::MatesExcluded);
    }
}

/// The table is so small that records replace each other, and it keeps its records between
/// positions.
#[test]
fn counts_with_and_without_a_table_are_equal() {
    let table = CategoryTable::new(HashSize::mebibytes(1), 1.into()).unwrap();
    let (mut look_ups, mut saved) = (0, 0);
    for Case { position, .. } in ["rules.epd", "rules-chess960.epd"].into_iter().flat_map(suite) {
        for depth in [1, 2, 4] {
            let mirrored = position.mirrored();
            let with = categories_with_table(&position, depth, &two_threads(), &table, &());
            let again = categories_with_table(&mirrored, depth, &two_threads(), &table, &());
            let without = count(&position, depth);
            assert_eq!(with.categories, without, "{position:?} at depth {depth}");
            assert_eq!(again.categories, without, "{position:?} mirrored at depth {depth}");
            look_ups += with.look_ups;
            saved += with.look_ups - again.look_ups;
        }
    }
    assert!(
        (is_short() || look_ups > 100_000) && saved > look_ups / 4,
        "{look_ups} look-ups, {saved} saved"
    );
}

#[test]
fn counts_are_equal_to_those_of_making_every_move() {
    // Captures en passant that open two lines at once, and castling that opens lines. Some of these
    // captures are also checks by the pawn, and some are mate. A double push that would be mate
    // without the capture en passant. More moves than in any real game.
    let rare = "8/8/4k3/3pP3/8/1B6/8/4R1K1 w - d6 0 1
        8/8/4k3/2PpP3/8/1B6/8/4R1K1 w - d6 0 1
        6k1/8/3K4/8/3Pp3/8/1B6/b2r4 b - d3 0 1
        8/8/8/8/8/3k4/8/1R2K2R w HB - 0 1
        8/8/1N2kp2/3pPp2/8/1B6/8/3RR1K1 w - d6 0 1
        8/8/1N2kp2/3pPp2/8/1B6/7P/3RR1K1 w - d6 0 1
        8/8/2pk2N1/2pPp3/8/6B1/8/1K1RR3 w - e6 0 1
        8/p7/6pp/6pk/7p/5K2/P5P1/8 w - - 0 1
        nQ2QQ1n/2Q4Q/Q6Q/3Q4/Q6Q/Q1Q4Q/4Q3/1Q1K3k b - - 0 1
        n1QQ1QQn/Q7/2Q5/4Q2Q/2Q4Q/Q6Q/3Q4/k2K1QQ1 b - - 0 1";
    let mut sum = Categories::default();
    let rare = rare.lines().map(|fen| Position::from_fen(fen.trim()).unwrap());
    let positions = RULES.into_iter().flat_map(suite).map(|case| case.position);
    for position in positions.chain(rare) {
        for (position, depth) in [(&position, 3), (&position, 2), (&position.mirrored(), 1)] {
            sum += compare_with_every_move(position, depth);
        }
    }
    for category in Category::ALL {
        assert!(
            is_short() || sum[category] >= 3,
            "{} is hardly tested: {}",
            category.key(),
            sum[category]
        );
    }
}

/// Compares the counts of every instruction set with those of a count that makes every move.
fn compare_with_every_move(position: &Position, depth: u32) -> Categories {
    let expected = reference_categories(position, depth);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let options = Options { isa, ..Options::default() };
        let found = categories(position, depth, &options, &()).categories;
        assert_eq!(found, expected, "{isa}: {position:?} at depth {depth}");
    }
    expected
}

/// Positions of random games in which every event is frequent: checks of all kinds, mates,
/// stalemates, promotions, and castling from any squares.
#[test]
fn counts_are_equal_to_those_of_making_every_move_in_random_games() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
        "3qk2r/P1P5/8/8/8/8/p1p5/3QK2R w Kk - 0 1",
        "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "k7/8/1K6/8/8/8/P6p/8 w - - 0 1",
        "7k/8/5K2/8/8/2B5/6R1/8 w - - 0 1",
        "5k2/8/4pP2/3pP3/2pP4/1pP5/1P6/4K2B w - - 0 1",
        "4k3/1b1r1q2/4p3/8/8/4P3/2Q1R1B1/4K3 w - - 0 1",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
        "r3k2r/pp1ppp1p/8/2pP2P1/2Pp2p1/8/PP2PP1P/R3K2R w KQkq c6 0 1",
        "b2r3k/8/8/3n4/3N4/8/8/B2R3K w - - 0 1",
    ];
    let (games, plies) = if cfg!(debug_assertions) || is_short() { (1, 3) } else { (6, 40) };
    let mut random = Random(0x0dd5);
    let mut sum = Categories::default();
    for _ in 0..games {
        for start in starts {
            let mut position = Position::from_fen(start).unwrap();
            for _ in 0..plies {
                // One ply less would be counted one position at a time.
                sum += compare_with_every_move(&position, 3);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(random.one_of(&moves));
            }
        }
    }
    // Only captures en passant discover two checks at once. The positions of the previous test
    // include some.
    let rare = [Category::DoubleDiscovered, Category::DoubleDiscoveredMates];
    let least = if cfg!(debug_assertions) || is_short() { 0 } else { 5 };
    for category in Category::ALL.into_iter().filter(|category| !rare.contains(category)) {
        assert!(sum[category] >= least, "{} is hardly tested: {}", category.key(), sum[category]);
    }
}

/// Two kings alone have more than 2^128 games of 48 plies.
#[test]
fn counts_of_more_than_128_bits_are_noticed() {
    let kings = Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let table = CategoryTable::new(HashSize::mebibytes(64), 3.into()).unwrap();
    let count = |depth| categories_with_table(&kings, depth, &Options::default(), &table, &());
    let (fits, too_large) = (count(47), count(48));
    assert_eq!(fits.categories.nodes, 100_727_381_831_559_211_234_519_394_812_894_753_591);
    assert!(fits.complete && !fits.overflow);
    assert!(!too_large.complete && too_large.overflow);
}

#[test]
fn a_stopped_count_is_not_complete() {
    struct Stop;
    impl tabiya_perft::Watch for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let total = categories(&Position::START, 4, &Options::default(), &Stop);
    assert!(!total.complete);
    assert_eq!(total.categories, Categories::default());
}
