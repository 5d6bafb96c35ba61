//! Packed positions, distinct positions and frontiers, compared with published counts.

use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};

use tabiya::packed::PackedIdentity;
use tabiya::{CastlingMode, Position};
use tabiya_perft::suite::{self, Case, ReadOptions};
use tabiya_perft::table::HashSize;
use tabiya_perft::{
    Category, CategoryTable, Options, Watch, categories_with_table, reference_categories,
};
use tabiya_runs::{
    DistinctError, DistinctOptions, FrontierFile, FrontierFileError, MIN_MEMORY, distinct,
    frontier, write_frontier,
};
use tabiya_suites::{REGRESSION, REGRESSION_CHESS960, RULES, RULES_CHESS960, STANDARD};

/// Are tests slow on this machine?
fn is_short() -> bool {
    std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

/// Every position of the suites, and the positions after each of its moves.
fn suite_positions() -> impl Iterator<Item = Position> {
    let suites = [STANDARD, RULES, RULES_CHESS960, REGRESSION, REGRESSION_CHESS960];
    let cases = suites
        .into_iter()
        .flat_map(|file| suite::read(file.text.as_bytes(), &ReadOptions::default()).cases);
    cases.step_by(if is_short() { 8 } else { 1 }).flat_map(|Case { position, .. }| {
        let after: Vec<_> = position.legal_moves().iter().map(|&mv| position.play(mv)).collect();
        [position].into_iter().chain(after)
    })
}

#[test]
fn packing_loses_nothing() {
    let mut seen = std::collections::HashMap::new();
    for position in suite_positions() {
        let packed = PackedIdentity::of(&position);
        assert_eq!(PackedIdentity::from_bytes(packed.to_bytes()), packed);
        let back = packed.unpack(position.castling_mode(), position.fullmove_number());
        assert_eq!(back.as_ref(), Ok(&position), "{position:?}");
        assert_eq!(back.map(|back| back.key()), Ok(position.key()));
        // Different positions must have different packings.
        let first = seen.entry(packed).or_insert_with(|| position.clone());
        assert_eq!(*first, position);
    }
    assert!(seen.len() > 500);
}

#[test]
fn damaged_bytes_are_refused_or_give_another_position() {
    for position in suite_positions().step_by(50) {
        let bytes = PackedIdentity::of(&position).to_bytes();
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            let packed = PackedIdentity::from_bytes(damaged);
            if let Ok(other) = packed.unpack(CastlingMode::Chess960, 1) {
                assert_ne!(other, position);
                assert_eq!(PackedIdentity::of(&other), packed);
            }
        }
    }
}

#[test]
fn the_frontier_at_ply_5_of_the_start_has_the_published_size() {
    let frontier = frontier(&Position::START, 5).unwrap();
    assert_eq!(frontier.len(), 822_518);
    assert_eq!(frontier.iter().map(|&(_, games)| games).sum::<u64>(), 4_865_609);
    assert!(frontier.is_sorted_by_key(|(position, _)| PackedIdentity::of(position)));
    assert!(frontier.iter().all(|(position, _)| position.fullmove_number() == 3));
}

#[test]
fn a_frontier_gives_the_count_of_the_root() {
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

/// Options with little memory and two threads.
fn little_memory() -> DistinctOptions {
    let threads = NonZeroUsize::new(2).unwrap();
    DistinctOptions { memory: MIN_MEMORY, threads, ..DistinctOptions::default() }
}

#[test]
fn distinct_positions_agree_with_published_numbers() {
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
    let tally = distinct(&root, 4, &little_memory(), &()).unwrap();
    assert_eq!(tally.by_ply, [1, 48, 2038, 57548, 1_374_152]);

    // The 4 million records take twice as much memory as the limit.
    let mut file = Cursor::new(Vec::new());
    let header = write_frontier(&root, 4, &little_memory(), &(), &mut file).unwrap();
    assert_eq!((header.positions, header.games.as_str()), (1_374_152, "4085603"));
    file.set_position(0);
    let entries = FrontierFile::open(file).unwrap().map(Result::unwrap);
    assert!(entries.eq(frontier(&root, 4).unwrap()));
}

#[test]
fn frontiers_at_ply_0_and_without_positions() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    assert_eq!(frontier(&root, 0).unwrap(), [(root.clone(), 1)]);
    assert_eq!(distinct(&root, 0, &little_memory(), &()).unwrap().by_ply, [1]);
    let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert!(frontier(&mate, 3).unwrap().is_empty());
    assert_eq!(distinct(&mate, 2, &little_memory(), &()).unwrap().by_ply, [1, 0, 0]);
}

#[test]
fn multiplicities_that_overflow_are_an_error() {
    // Two kings have a few thousand positions with about six moves each.
    let kings = Position::from_fen("8/8/3k4/8/8/4K3/8/8 w - - 0 1").unwrap();
    assert!(matches!(frontier(&kings, 40), Err(DistinctError::Multiplicity)));
    let positions = distinct(&kings, 40, &little_memory(), &()).unwrap().positions();
    // With White to move, two kings that are not adjacent have 3612 placements.
    assert_eq!(positions, 3612);
}

#[test]
fn a_frontier_file_keeps_chess960_notation_and_move_numbers() {
    let root = Position::from_fen("1rk3r1/8/3n4/B7/8/8/P1p5/1R2RK1R b HBgb - 0 7").unwrap();
    let mut file = Cursor::new(Vec::new());
    write_frontier(&root, 2, &little_memory(), &(), &mut file).unwrap();
    file.set_position(0);
    for entry in FrontierFile::open(file).unwrap() {
        let (position, _) = entry.unwrap();
        assert_eq!(position.castling_mode(), CastlingMode::Chess960);
        assert_eq!(position.fullmove_number(), 8);
    }
}

#[test]
fn a_damaged_frontier_file_is_an_error() {
    let mut file = Cursor::new(Vec::new());
    write_frontier(&Position::START, 2, &little_memory(), &(), &mut file).unwrap();
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
            // Damage to the header's padding may go unnoticed, but never changes the positions.
            if let Ok(entries) = read(&damaged) {
                assert_eq!(entries, whole, "byte {place}");
            }
        }
    }
}

#[test]
fn too_little_memory_and_a_cancelled_count() {
    let little = DistinctOptions { memory: 1 << 20, ..little_memory() };
    let error = distinct(&Position::START, 2, &little, &()).unwrap_err();
    assert!(matches!(error, DistinctError::TooLittleMemory { .. }), "{error}");

    struct Stop;
    impl Watch for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let stopped = distinct(&Position::START, 3, &little_memory(), &Stop).unwrap();
    assert_eq!((stopped.by_ply, stopped.complete), (vec![1], false));
}

/// `/dev/full` fails like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_the_output() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = write_frontier(&Position::START, 2, &little_memory(), &(), full).unwrap_err();
    assert!(error.to_string().starts_with("the output cannot be written"), "{error}");
}

/// The directory must exist even though this small count spills nothing.
#[test]
fn a_directory_without_room_for_temporary_files_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let file = folder.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    for temp in [missing, file] {
        let name = temp.display().to_string();
        let options = DistinctOptions { temp, ..little_memory() };
        let error = distinct(&Position::START, 1, &options, &()).unwrap_err();
        assert!(matches!(error, DistinctError::TemporaryDirectory { .. }), "{error:?}");
        assert!(error.to_string().contains(&name), "{error}");
        let output = Cursor::new(Vec::new());
        let error = write_frontier(&Position::START, 1, &options, &(), output).unwrap_err();
        assert!(matches!(error, DistinctError::TemporaryDirectory { .. }), "{error:?}");
    }
}

/// Version 0.1.0 wrote this file: it has all bytes of each record, in one frame of another encoder.
#[test]
fn a_frontier_file_of_the_first_release_is_read() {
    let bytes = include_bytes!("fixtures/kiwipete-2.frontier-1.zst");
    let file = FrontierFile::open(&bytes[..]).unwrap();
    assert_eq!(file.header().schema, "tabiya-frontier/1");
    assert_eq!((file.header().positions, file.header().games.as_str()), (2038, "2039"));
    let root = Position::from_fen(KIWIPETE).unwrap();
    let entries: Vec<_> = file.map(Result::unwrap).collect();
    assert_eq!(entries, frontier(&root, 2).unwrap());
    for cut in [600, 5000, bytes.len() - 1] {
        let mut file = FrontierFile::open(&bytes[..cut]).unwrap();
        assert!(file.any(|entry| matches!(entry, Err(FrontierFileError::Damaged))), "{cut}");
    }
}

#[test]
fn a_frontier_file_of_an_unknown_version_is_refused() {
    let mut file = Cursor::new(Vec::new());
    write_frontier(&Position::START, 1, &little_memory(), &(), &mut file).unwrap();
    let mut bytes = file.into_inner();
    let place = bytes.windows(17).position(|window| window == b"tabiya-frontier/2").unwrap();
    bytes[place + 16] = b'3';
    let error = FrontierFile::open(&bytes[..]).unwrap_err();
    let text = "the file has the format \"tabiya-frontier/3\", \
                but this version reads \"tabiya-frontier/2\" and \"tabiya-frontier/1\"";
    assert_eq!(error.to_string(), text);
}

/// Reads the records as documented for the format.
fn front_coded_records(unpacked: &[u8]) -> Vec<[u8; 32]> {
    let mut rest = unpacked.iter().copied();
    let (mut record, mut records) = ([0; 32], Vec::new());
    while let Some(first) = rest.next() {
        let mask = [first, rest.next().unwrap(), rest.next().unwrap(), rest.next().unwrap()];
        let mask = u32::from_le_bytes(mask);
        for (place, byte) in record.iter_mut().enumerate() {
            if mask >> place & 1 == 1 {
                *byte = rest.next().unwrap();
            }
        }
        records.push(record);
    }
    records
}

/// The program `zstd` is an independent implementation of the compression.
#[test]
fn zstd_unpacks_a_frontier_file() {
    let root = Position::from_fen(KIWIPETE).unwrap();
    let mut file = Cursor::new(Vec::new());
    write_frontier(&root, 3, &little_memory(), &(), &mut file).unwrap();
    let started = Command::new("zstd")
        .args(["-d", "-c", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut zstd = match started {
        Ok(zstd) => zstd,
        Err(error) if std::env::var("CI").as_deref() == Ok("true") => panic!("zstd: {error}"),
        // Unlike `eprintln!`, this is shown although the test passes. `cargo xtask test` lists it.
        Err(_) => {
            let line = b"skipped: zstd_unpacks_a_frontier_file needs zstd\n";
            return std::io::stderr().write_all(line).unwrap();
        }
    };
    let mut input = zstd.stdin.take().unwrap();
    let packed = file.into_inner();
    let writer = std::thread::spawn(move || input.write_all(&packed).unwrap());
    let output = zstd.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let records = front_coded_records(&output.stdout);
    let expected: Vec<_> = frontier(&root, 3)
        .unwrap()
        .iter()
        .map(|(position, games)| {
            let mut record = [0; 32];
            record[..24].copy_from_slice(&PackedIdentity::of(position).to_bytes());
            record[24..].copy_from_slice(&games.to_be_bytes());
            record
        })
        .collect();
    assert_eq!(records.len(), 57_548);
    assert!(records == expected);
}

/// Counts of deep subtrees have more than 32 bits, and even more than 64. The table must return
/// them too, so the work grows with the number of positions and not with the number of games.
#[test]
fn deep_counts_of_small_positions_use_the_table() {
    let cases = [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", 8),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", 12),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", 9),
        ("8/8/8/8/8/3k4/3p4/3K4 b - - 0 1", 14),
        ("8/P7/8/8/8/8/1k6/4K3 w - - 0 1", 9),
    ];
    for (fen, depth) in cases.into_iter().take(if is_short() { 1 } else { cases.len() }) {
        let root = Position::from_fen(fen).unwrap();
        let table = CategoryTable::new(HashSize::mebibytes(16), 3.into()).unwrap();
        let found = categories_with_table(&root, depth, &Options::default(), &table, &());
        assert!(found.complete && !found.overflow, "{fen}");
        assert!(found.look_ups < 20_000_000, "{fen}: {}", found.look_ups);
        // Every distinct position before the last move, with the number of games that lead to it.
        let mut nodes = 0;
        let mut counts = Category::ALL.map(|_| 0);
        for (position, games) in frontier(&root, depth - 1).unwrap() {
            let below = reference_categories(&position, 1);
            nodes += below.nodes * u128::from(games);
            for (sum, category) in counts.iter_mut().zip(Category::ALL) {
                *sum += below[category] * u128::from(games);
            }
        }
        assert_eq!(found.categories.nodes, nodes, "{fen} at depth {depth}");
        let found = Category::ALL.map(|category| found.categories[category]);
        assert_eq!(found, counts, "{fen} at depth {depth}");
    }
}
