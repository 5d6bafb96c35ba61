//! PackedPosition positions, distinct positions and frontiers, against published counts.

#[path = "common/suites.rs"]
mod suites;
use suites::{RULES, suite};

use std::io::Cursor;
use std::num::NonZeroUsize;

use tabiya::{CastlingMode, Position};
use tabiya_perft::suite::Case;
use tabiya_perft::{
    DistinctError, DistinctOptions, FrontierFile, FrontierFileError, MIN_MEMORY, PackedPosition,
    Watch, distinct, frontier, write_frontier,
};

/// Every position of the suites, and those after each of their moves.
fn suite_positions() -> impl Iterator<Item = Position> {
    let names = RULES.into_iter().chain(["standard.epd"]);
    names.flat_map(suite).flat_map(|Case { position, .. }| {
        let after: Vec<_> = position.legal_moves().iter().map(|&mv| position.play(mv)).collect();
        [position].into_iter().chain(after)
    })
}

#[test]
fn packing_is_exact() {
    let mut seen = std::collections::HashMap::new();
    for position in suite_positions() {
        let packed = PackedPosition::of(&position);
        assert_eq!(PackedPosition::from_bytes(packed.to_bytes()), packed);
        let back = packed.unpack(position.mode(), position.fullmove_number());
        assert_eq!(back.as_ref(), Ok(&position), "{position:?}");
        assert_eq!(back.map(|back| back.key()), Ok(position.key()));
        // One packing, one position.
        let first = seen.entry(packed).or_insert_with(|| position.clone());
        assert_eq!(*first, position);
    }
    assert!(seen.len() > 5000);
}

#[test]
fn damaged_bytes_are_refused_or_another_position() {
    for position in suite_positions().step_by(50) {
        let bytes = PackedPosition::of(&position).to_bytes();
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            let packed = PackedPosition::from_bytes(damaged);
            if let Ok(other) = packed.unpack(CastlingMode::Chess960, 1) {
                assert_ne!(other, position);
                assert_eq!(PackedPosition::of(&other), packed);
            }
        }
    }
}

#[test]
fn frontier_five_plies_from_the_start() {
    let frontier = frontier(&Position::START, 5).unwrap();
    assert_eq!(frontier.len(), 822_518);
    assert_eq!(frontier.iter().map(|&(_, games)| games).sum::<u64>(), 4_865_609);
    assert!(frontier.is_sorted_by_key(|(position, _)| PackedPosition::of(position)));
    assert!(frontier.iter().all(|(position, _)| position.fullmove_number() == 3));
}

#[test]
fn a_frontier_stands_for_all_games() {
    for (fen, plies, depth) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 5),
    ] {
        let root = Position::from_fen(fen).unwrap();
        let total: u64 = frontier(&root, plies)
            .unwrap()
            .iter()
            .map(|(position, games)| games * tabiya_perft::reference_perft(position, depth - plies))
            .sum();
        assert_eq!(total, tabiya_perft::reference_perft(&root, depth));
    }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Little memory and two threads.
fn frugal() -> DistinctOptions {
    let threads = NonZeroUsize::new(2).unwrap();
    DistinctOptions { memory: MIN_MEMORY, threads, ..DistinctOptions::default() }
}

#[test]
fn the_published_numbers_of_distinct_positions() {
    let mut compared = 0;
    let table = tabiya_suites::DISTINCT_POSITIONS.text;
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = row.split(',').collect();
        let fen = match cells[0] {
            "kiwipete" => KIWIPETE,
            "cpw6" => "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            _ => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        };
        let root = Position::from_fen(fen).unwrap();
        let tally =
            distinct(&root, cells[1].parse().unwrap(), &DistinctOptions::default(), &()).unwrap();
        assert_eq!(tally.positions().to_string(), cells[2], "{row}");
        compared += 1;
    }
    assert_eq!(compared, 13);
}

#[test]
fn spilling_to_disk_changes_nothing() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    let tally = distinct(&root, 4, &frugal(), &()).unwrap();
    assert!(tally.spilled > 0, "the memory was enough");
    assert_eq!(tally.by_ply, [1, 48, 2038, 57548, 1_374_152]);

    let mut file = Cursor::new(Vec::new());
    let header = write_frontier(&root, 4, &frugal(), &(), &mut file).unwrap();
    assert_eq!((header.positions, header.games.as_str()), (1_374_152, "4085603"));
    file.set_position(0);
    let entries = FrontierFile::open(file).unwrap().map(Result::unwrap);
    assert!(entries.eq(frontier(&root, 4).unwrap()));
}

#[test]
fn frontiers_of_no_plies_and_of_none() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    assert_eq!(frontier(&root, 0).unwrap(), [(root.clone(), 1)]);
    assert_eq!(distinct(&root, 0, &frugal(), &()).unwrap().by_ply, [1]);
    let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert!(frontier(&mate, 3).unwrap().is_empty());
    assert_eq!(distinct(&mate, 2, &frugal(), &()).unwrap().by_ply, [1, 0, 0]);
}

#[test]
fn multiplicities_that_overflow_are_an_error() {
    // Two kings have a few thousand positions and some six moves in each.
    let kings = Position::from_fen("8/8/3k4/8/8/4K3/8/8 w - - 0 1").unwrap();
    assert!(matches!(frontier(&kings, 40), Err(DistinctError::Multiplicity)));
    let positions = distinct(&kings, 40, &frugal(), &()).unwrap().positions();
    // White to move: 3612 placements of two kings apart.
    assert_eq!(positions, 3612);
}

#[test]
fn a_frontier_file_keeps_chess960_and_move_numbers() {
    let root = Position::from_fen("1rk3r1/8/3n4/B7/8/8/P1p5/1R2RK1R b HBgb - 0 7").unwrap();
    let mut file = Cursor::new(Vec::new());
    write_frontier(&root, 2, &frugal(), &(), &mut file).unwrap();
    file.set_position(0);
    for entry in FrontierFile::open(file).unwrap() {
        let (position, _) = entry.unwrap();
        assert_eq!(position.mode(), CastlingMode::Chess960);
        assert_eq!(position.fullmove_number(), 8);
    }
}

#[test]
fn a_damaged_frontier_file_is_an_error() {
    let mut file = Cursor::new(Vec::new());
    write_frontier(&Position::START, 2, &frugal(), &(), &mut file).unwrap();
    let bytes = file.into_inner();
    let read = |bytes: &[u8]| -> Result<Vec<_>, FrontierFileError> {
        FrontierFile::open(bytes)?.collect()
    };
    let whole = read(&bytes).unwrap();
    for cut in (0..bytes.len()).step_by(7) {
        assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    for place in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[place] ^= bit;
            // Damage to the header's padding may go unseen, but never gives other positions.
            if let Ok(entries) = read(&damaged) {
                assert_eq!(entries, whole, "byte {place}");
            }
        }
    }
}

#[test]
fn bad_conditions_are_errors() {
    let little = DistinctOptions { memory: 1 << 20, ..frugal() };
    let error = distinct(&Position::START, 2, &little, &()).unwrap_err();
    assert!(matches!(error, DistinctError::TooLittleMemory { .. }), "{error}");

    let root = Position::from_fen(KIWIPETE).unwrap();
    let nowhere = DistinctOptions { temp: "/nowhere/at/all".into(), ..frugal() };
    let error = distinct(&root, 4, &nowhere, &()).unwrap_err();
    assert!(error.to_string().contains("/nowhere/at/all"), "{error}");

    struct Stop;
    impl Watch for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let stopped = distinct(&root, 3, &frugal(), &Stop).unwrap();
    assert_eq!((stopped.by_ply, stopped.complete), (vec![1], false));
}

/// Takes nothing: a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = write_frontier(&Position::START, 2, &frugal(), &(), full).unwrap_err();
    assert!(error.to_string().starts_with("the output cannot be written"), "{error}");
}
