//! Records written and read again.

mod common;

use std::slice;

use common::{games, held, read, read_in_blocks, text, write};
use tabiya::{CastlingMode, Move, MoveKind, Position, Setup, SplitMix64};
use tabiya_data::{Field, Format, GameResult, Reason, Record, Refused, VirGame};

fn writable() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|it| it.encoder().is_some())
}

#[test]
fn every_format_gives_back_what_it_holds() {
    let records = games(200, &mut SplitMix64::new(65));
    let has = |kind: fn(Move) -> bool| records.iter().filter(|it| it.mv.is_some_and(kind)).count();
    for times in [
        has(|mv| mv.castling().is_some()),
        has(Move::is_en_passant),
        has(Move::is_promotion),
        has(|mv| mv.kind() == MoveKind::CapturePromoteKnight),
    ] {
        assert!(times > 2, "{times}");
    }
    for format in writable() {
        let (bytes, refused) = write(&records, format);
        let is_chess960 = |record: &Record| {
            let mode = record.position.castling_mode();
            // Without castling rights, nothing of Chess960 is lost.
            let refuses = format.holds(Field::Castling) && !format.holds(Field::Chess960);
            mode == CastlingMode::Chess960 && refuses
        };
        assert!(refused.iter().all(|&it| it == Refused::Chess960), "{format}");
        let expected: Vec<_> = records.iter().filter(|it| !is_chess960(it)).collect();
        assert_eq!(refused.len(), records.len() - expected.len(), "{format}");
        let found = read(&bytes, format);
        assert_eq!(found.len(), expected.len(), "{format}");
        for (found, expected) in found.iter().zip(expected) {
            let found = found.as_ref().unwrap_or_else(|bad| panic!("{format}: {bad}"));
            assert_eq!(text(found), text(&held(expected, format)), "{format}");
        }
        for size in [1, 1000, 100_000] {
            assert_eq!(read_in_blocks(&bytes, format, size), found, "{format}");
        }
    }
}

/// A game that isn't continued, or whose counters jump, is written as games of one move.
#[test]
fn games_that_do_not_continue_lose_nothing() {
    let records = games(20, &mut SplitMix64::new(1));
    for format in writable().filter(|it| it.holds(Field::Chess960)) {
        for step in [2, 3] {
            let some: Vec<_> = records.iter().step_by(step).cloned().collect();
            compare(&some, format);
        }
        let frozen = records.iter().map(|it| Record {
            position: Position::from_setup(&Setup {
                halfmove_clock: 7,
                fullmove_number: 9,
                ..it.position.to_setup()
            })
            .unwrap(),
            ..it.clone()
        });
        let frozen: Vec<_> = frozen.collect();
        compare(&frozen, format);
    }
}

fn compare(records: &[Record], format: Format) {
    let found = read(&write(records, format).0, format);
    assert_eq!(found.len(), records.len(), "{format}");
    for (found, record) in found.into_iter().zip(records) {
        assert_eq!(text(&found.unwrap()), text(&held(record, format)), "{format}");
    }
}

#[test]
fn the_ends_of_the_ranges() {
    let black = Position::START.play(Position::START.parse_uci("e2e4").unwrap());
    for format in writable() {
        for position in [&Position::START, &black] {
            let mv = Some(position.legal_moves()[0]);
            let ply = Record::ply_of(position);
            let result = Some(GameResult::BlackWins);
            let record = Record { position: position.clone(), mv, score: Some(0), result, ply };
            for score in [-32_767, -1, 1, 32_767] {
                let record = Record { score: Some(score), ..record.clone() };
                let found = read(&write(slice::from_ref(&record), format).0, format);
                assert_eq!(found, [Ok(held(&record, format))], "{format}");
            }
            for without in [
                Record { mv: None, ..record.clone() },
                Record { score: None, ..record.clone() },
                Record { result: None, ..record.clone() },
            ] {
                let (bytes, refused) = write(slice::from_ref(&without), format);
                let kept = Some(Ok(held(&without, format))).filter(|_| refused.is_empty());
                assert_eq!(read(&bytes, format), Vec::from_iter(kept), "{format}");
            }
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_says_so() {
    let mut records = games(3, &mut SplitMix64::new(3));
    records.truncate(60);
    assert_eq!(records.len(), 60);
    // The end of a line can be missing, or cut off.
    let is_line = |it: &Format| [Format::Text, Format::Csv, Format::Epd].contains(it);
    for format in writable().filter(|it| !is_line(it)) {
        let (bytes, _) = write(&records, format);
        let whole = read(&bytes, format);
        for end in 0..bytes.len() {
            let found = read(&bytes[..end], format);
            let (last, before) = match found.split_last() {
                Some((Err(bad), before)) => (Some(bad), before),
                _ => (None, &found[..]),
            };
            assert_eq!(before, &whole[..before.len()], "{format} {end}");
            match last {
                Some(bad) => assert_eq!(bad.reason, Reason::Truncated, "{format} {end}"),
                // Only a file that ends after a record can be whole, or without the last line's end.
                None => {
                    let whole = write_again(before, format);
                    let is_line = bytes[end] == b'\n' && whole == bytes[..=end];
                    assert!(is_line || whole == bytes[..end], "{format} {end}");
                }
            }
        }
    }
}

fn write_again(found: &[Result<Record, tabiya_data::Bad>], format: Format) -> Vec<u8> {
    let records: Vec<_> = found.iter().map(|it| it.clone().unwrap()).collect();
    write(&records, format).0
}

#[test]
fn whole_games_of_viriformat_are_written_as_their_records() {
    let records = games(40, &mut SplitMix64::new(3));
    let castles = |it: &Record| it.mv.unwrap().castling().is_some();
    assert!(records.iter().filter(|it| castles(it)).count() > 3);
    let mut file = Vec::new();
    for game in records.chunk_by(Record::continues_with) {
        let (start, result) = (&game[0].position, game[0].result.unwrap());
        let moves = game.iter().map(|it| (it.mv.unwrap(), it.score.unwrap()));
        VirGame { start, result }.write(moves, &mut file).unwrap();
    }
    assert!(file == write(&records, Format::Viriformat).0);
}
