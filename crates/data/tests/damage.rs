//! Files with random damage: no panic, and no illegal record is given out.

mod common;

use common::{games, read, read_in_blocks, write};
use tabiya::{Color, Position, Role, Setup, SplitMix64};
use tabiya_data::{BinpackRows, Block, Format, Record};

/// A few games, for a format that can't be written.
const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 (2. f4 {[%eval -0.2]} exf4) \
    Ke7 {[%eval #1]} 3. Qxe5# 1-0\n\n[FEN \"r3k2r/1P6/8/8/3pPp2/8/8/R3K2R b KQkq e3 0 1\"]\n\n1... dxe3 \
    {[%eval -4]} 2. O-O-O {[%eval -5.01]} Rxh1 {[%eval -3]} 3. bxa8=N *\n\n";

fn rounds() -> usize {
    if cfg!(miri) {
        3
    } else if std::env::var_os("TABIYA_LONG_TESTS").is_some() {
        10_000
    } else {
        300
    }
}

#[test]
fn damaged_files_give_only_legal_records() {
    let mut random = SplitMix64::new(10_000);
    for format in Format::ALL {
        let (mut given_out, mut bad, mut differing) = (0, 0, 0);
        for _ in 0..rounds() {
            let mut file = match write(&games(2, &mut random), format).0 {
                empty if empty.is_empty() => GAMES.into(),
                file => file,
            };
            let whole = read(&file, format);
            for _ in 0..=random.below(4) {
                damage(&mut file, &mut random);
            }
            let found = read(&file, format);
            differing += usize::from(found != whole);
            for record in &found {
                let record = match record {
                    Ok(record) => Some(record),
                    Err(bad) => bad.record.as_deref(),
                };
                record.into_iter().for_each(|record| check(record, format));
            }
            given_out += found.iter().filter(|it| it.is_ok()).count();
            bad += found.iter().filter(|it| it.is_err()).count();
            for size in [1 + random.below(100), 1 + random.below(10_000)] {
                assert_eq!(
                    read_in_blocks(&file, format, size),
                    found,
                    "{format}, blocks of {size}"
                );
            }
        }
        let enough = |times| times >= rounds() / 2;
        assert!(
            enough(given_out) && enough(bad) && enough(differing),
            "{format}: {given_out} {bad}"
        );
    }
}

#[test]
fn damaged_rows_of_binpack_have_their_kings() {
    let mut random = SplitMix64::new(5);
    let (mut unplayable, mut bad) = (0, 0);
    for _ in 0..10 * rounds() {
        let mut bytes = write(&games(2, &mut random), Format::Binpack).0;
        (0..=random.below(4)).for_each(|_| damage(&mut bytes, &mut random));
        let block = Block { offset: 0, bytes };
        let mut rows = BinpackRows::new(&block);
        loop {
            match rows.next_row() {
                Ok(None) => break,
                Err(error) => bad += usize::from(error.record.is_none()),
                Ok(Some(row)) => {
                    let board = row.board();
                    let kings = Color::ALL.map(|color| board.pieces(color, Role::King).len());
                    assert_eq!(kings, [1, 1]);
                    assert_eq!(board.color_on(row.mv().from()), Some(row.turn()));
                    let setup = Setup { board: *board, turn: row.turn(), ..Setup::EMPTY };
                    unplayable += usize::from(setup.validate().is_err());
                }
            }
        }
    }
    assert!(bad >= rounds() && (cfg!(miri) || unplayable > 0), "{bad} {unplayable}");
}

#[test]
fn rows_of_binpack_are_its_records() {
    let records = games(20, &mut SplitMix64::new(6));
    let block = Block { offset: 0, bytes: write(&records, Format::Binpack).0 };
    let mut rows = BinpackRows::new(&block);
    let mut count = 0;
    for record in read(&block.bytes, Format::Binpack).into_iter().map(Result::unwrap) {
        let row = rows.next_row().unwrap().unwrap();
        let position = &record.position;
        assert_eq!((row.board(), row.turn()), (position.board(), position.turn()));
        let values = (Some(row.mv()), row.score(), Some(row.result()), row.ply());
        assert_eq!(values, (record.mv, record.score, record.result, record.ply));
        count += 1;
    }
    assert!(count > 100 && rows.next_row().unwrap().is_none());
}

/// Changes a part of a file.
fn damage(file: &mut Vec<u8>, random: &mut SplitMix64) {
    if file.is_empty() {
        return;
    }
    let start = random.below(file.len());
    let end = file.len().min(start + 1 + random.below(20));
    match random.below(6) {
        0 => file[start] ^= 1 << random.below(8),
        1 => file[start] = random.number() as u8,
        2 => file[start..end].iter_mut().for_each(|byte| *byte = random.number() as u8),
        3 => drop(file.drain(start..end)),
        4 => {
            let copy = file[start..end].to_vec();
            let at = random.below(file.len());
            file.splice(at..at, copy);
        }
        _ => file.truncate(start.max(1)),
    }
}

/// Is the position one that FEN can say, is the move one of the legal ones, and are the values in range?
fn check(record: &Record, format: Format) {
    let position = &record.position;
    let fen = position.fen().to_string();
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{format}");
    let moves = position.legal_moves();
    assert!(record.mv.map_or(!moves.is_empty(), |mv| moves.contains(&mv)), "{format}: {record:?}");
    assert_ne!(record.score, Some(i16::MIN), "{format}: {record:?}");
}
