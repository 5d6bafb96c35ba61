//! binpack files, compared with sfbinpack: the same bytes, and the same records in them.

use sfbinpack::chess::coords::Square as PeerSquare;
use sfbinpack::chess::r#move::Move as PeerMove;
use sfbinpack::chess::piece::Piece as PeerPiece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position as PeerPosition;
use sfbinpack::{
    CompressedTrainingDataEntryReader as PeerReader,
    CompressedTrainingDataEntryWriter as PeerWriter, TrainingDataEntry,
};
use tabiya::{CastlingMode, Color, Position, Role, SplitMix64};
use tabiya_data::{Format, GameResult, Reader, Record, Refused, WriteError, Writer};
use tabiya_differential::sources::{Found, Source};

/// The number of records.
fn count() -> usize {
    if std::env::var_os("TABIYA_LONG_TESTS").is_some() { 5_000_000 } else { 100_000 }
}

const NO_SCORE: i16 = 32002;

#[test]
fn both_write_the_same_files() {
    let records = records(count(), &mut SplitMix64::new(65));
    // Moves within chains, which are written as numbers.
    for is_rare in [
        |it: &Record| it.mv.unwrap().castling().is_some(),
        |it: &Record| it.mv.unwrap().is_en_passant(),
        |it: &Record| it.mv.unwrap().promotion().is_some_and(|role| role != Role::Queen),
        |it: &Record| it.position.is_check(),
        |it: &Record| it.position.checkers().has_many(),
        |it: &Record| it.ply > 500,
    ] {
        let chains = records.windows(2).filter(|it| it[0].continues_with(&it[1]));
        assert!(chains.filter(|it| is_rare(&it[1])).count() > 20);
    }
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, Format::Binpack).unwrap();
    let mut peer = PeerWriter::new_in_memory().unwrap();
    for record in &records {
        writer.write(record).unwrap();
        peer.write_entry(&entry(record)).unwrap();
    }
    writer.finish().unwrap();
    assert!(peer.into_bytes().unwrap() == file, "the files differ");
    read_by_both(&file, &records);
}

/// A file of records in no order, so that every chain is as short as it can be.
#[test]
fn chains_of_one() {
    let mut random = SplitMix64::new(66);
    let mut records = records(count() / 10, &mut random);
    for at in (1..records.len()).rev() {
        records.swap(at, random.below(at + 1));
    }
    let mut peer = PeerWriter::new_in_memory().unwrap();
    records.iter().for_each(|record| peer.write_entry(&entry(record)).unwrap());
    read_by_both(&peer.into_bytes().unwrap(), &records);
}

#[test]
fn real_files() {
    let Some(path) = std::env::var_os("TABIYA_BINPACK") else { return };
    let file = std::fs::read(path).unwrap();
    let mut peer = PeerReader::from_slice(&file).unwrap();
    let (mut count, mut copy) = (0, Writer::new(Vec::new(), Format::Binpack).unwrap());
    let visit = |record: &Record| {
        same(record, &peer.next());
        copy.write(record).unwrap();
        count += 1;
    };
    Reader::new(&file[..], Format::Binpack).for_each(visit, Err).unwrap();
    assert!(!peer.has_next(), "sfbinpack reads more");
    println!("{count} records");
    assert!(copy.finish().unwrap() == file, "the copy differs");
}

#[test]
fn chess960_is_refused() {
    let mut writer = Writer::new(Vec::new(), Format::Binpack).unwrap();
    let position = Position::chess960(0).unwrap();
    let mv = position.legal_moves().first().copied();
    let result = Some(GameResult::Draw);
    let record = Record { position, mv, result, ..Record::default() };
    assert!(matches!(writer.write(&record), Err(WriteError::Refused(Refused::Chess960))));
}

fn read_by_both(file: &[u8], records: &[Record]) {
    let mut peer = PeerReader::from_slice(file).unwrap();
    let mut expected = records.iter();
    let visit = |record: &Record| {
        let expected = expected.next().unwrap();
        assert_eq!(record, expected);
        assert_eq!(record.position.halfmove_clock(), expected.position.halfmove_clock());
        same(record, &peer.next());
    };
    Reader::new(file, Format::Binpack).for_each(visit, Err).unwrap();
    assert!(expected.next().is_none() && !peer.has_next(), "there are more records");
}

/// Records of games and of positions from all sources of standard chess, with a few plies each.
fn records(count: usize, random: &mut SplitMix64) -> Vec<Record> {
    let mut records = Vec::new();
    while records.len() < count {
        let (mut position, plies) = match random.pick(&Source::ALL).find(random) {
            Found::Game(start, plies) => (start, plies),
            Found::Setup(setup) => match Position::from_setup(&setup) {
                Ok(position) => (position, random.below(20)),
                Err(_) => continue,
            },
        };
        if position.castling_mode() == CastlingMode::Chess960 {
            continue;
        }
        let mut ply = if random.below(8) == 0 { random.below(1 << 14) as u16 } else { 0 };
        let result = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
        let result = Some(random.pick(&result));
        for _ in 0..plies {
            let moves = position.legal_moves();
            // sfbinpack reads clocks of eight bits from a FEN.
            if moves.is_empty() || ply >= 1 << 14 || position.halfmove_clock() > 255 {
                break;
            }
            let rare = moves
                .iter()
                .filter(|mv| mv.is_promotion() || mv.is_en_passant() || mv.castling().is_some());
            let rare: Vec<_> = rare.copied().collect();
            let mv = if rare.is_empty() || random.below(2) == 0 {
                random.pick(&moves)
            } else {
                random.pick(&rare)
            };
            let score = match random.below(16) {
                0 => None,
                1 => Some((random.below(64001) as i32 - 32000) as i16),
                _ => Some(random.below(1000) as i16 - 500),
            };
            let after = position.play(mv);
            records.push(Record { position, mv: Some(mv), score, result, ply });
            (position, ply) = (after, ply + 1);
        }
    }
    records
}

fn entry(record: &Record) -> TrainingDataEntry {
    let Record { position, mv, score, result, ply } = record;
    let (mv, us) = (mv.unwrap(), position.turn());
    let [from, to] = [mv.from(), mv.to()].map(|square| PeerSquare::new(square as u32));
    let color = match us {
        Color::White => sfbinpack::chess::color::Color::White,
        Color::Black => sfbinpack::chess::color::Color::Black,
    };
    let mv = if let Some(role) = mv.promotion() {
        let piece = PeerPiece::new(PieceType::from_ordinal(role as u8), color);
        PeerMove::promotion(from, to, piece)
    } else if let Some(side) = mv.castling() {
        let rook = tabiya::Square::new(side.standard_rook_file(), us.back_rank());
        PeerMove::castle(from, PeerSquare::new(rook as u32))
    } else if mv.is_en_passant() {
        PeerMove::en_passant(from, to)
    } else {
        PeerMove::normal(from, to)
    };
    TrainingDataEntry {
        pos: PeerPosition::from_fen(&position.fen().to_string()).unwrap(),
        mv,
        score: score.unwrap_or(NO_SCORE),
        ply: *ply,
        result: result.unwrap().for_side(us).into(),
    }
}

/// Is it the same record?
fn same(record: &Record, peer: &TrainingDataEntry) {
    let fen = record.position.fen().to_string();
    let expected = entry(record);
    // Both number the moves in their own ways.
    let (ours, _) = fen.rsplit_once(' ').unwrap();
    assert_eq!(peer.pos.fen().unwrap().rsplit_once(' ').unwrap().0, ours);
    assert_eq!(peer.mv, expected.mv, "{fen}");
    let rest = |entry: &TrainingDataEntry| (entry.score, entry.ply, entry.result);
    assert_eq!(rest(peer), rest(&expected), "{fen}");
}
