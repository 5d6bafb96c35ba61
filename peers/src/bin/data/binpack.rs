//! binpack, by sfbinpack.

use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::Move;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position;
use sfbinpack::{
    ChunkReader, CompressedTrainingDataEntryReader as FileReader,
    CompressedTrainingDataEntryWriter as FileWriter, TrainingDataEntry,
};
use tabiya_data::{BinpackRow, BinpackRows, Blocks, Format, Record};

use super::{Contestant, Group, mix, reads, sum_of, write, writes};

pub(super) fn groups(records: &[Record]) -> Vec<Group<'_>> {
    let file: &[u8] = write(records, Format::Binpack).leak();
    let work = records.len() as u64;
    let entries: Vec<_> = records.iter().map(entry).collect();
    let read = vec![
        Contestant::new("sfbinpack", move || {
            let mut reader = FileReader::from_slice(file).expect("a good file");
            let mut sum = 0;
            while reader.has_next() {
                sum = mix(sum, peer_fields(&reader.next()));
            }
            sum
        }),
        Contestant::new("sfbinpack, by chunks", move || {
            let (mut left, mut chunk, mut sum) = (std::io::Cursor::new(file), Vec::new(), 0);
            while sfbinpack::read_chunk_into(&mut left, &mut chunk).expect("a good file") {
                let mut reader = ChunkReader::default();
                while reader.has_next(&chunk) {
                    sum = mix(sum, peer_fields(&reader.next(&chunk)));
                }
            }
            sum
        }),
        Contestant::new("tabiya-data", move || {
            let mut sum = 0;
            for block in Blocks::new(file, Format::Binpack) {
                let block = block.expect("a good file");
                let mut rows = BinpackRows::new(&block);
                while let Some(row) = rows.next_row().expect("a good file") {
                    sum = mix(sum, row_fields(row));
                }
            }
            sum
        }),
        reads(file, Format::Binpack, fields),
    ];
    let write = vec![
        Contestant::new("sfbinpack", move || {
            let mut writer = FileWriter::new_in_memory().expect("memory can be written to");
            entries.iter().for_each(|entry| writer.write_entry(entry).expect("a good entry"));
            sum_of(&writer.into_bytes().expect("memory can be written to"))
        }),
        writes(records, Format::Binpack),
    ];
    let unit = "records";
    vec![
        Group { title: "binpack, read", work, unit, contestants: read },
        Group { title: "binpack, write", work, unit, contestants: write },
    ]
}

fn fields(record: &Record) -> u64 {
    let mv = record.mv.expect("binpack has moves");
    let [score, result] = [
        record.score.unwrap_or(32002),
        record.result.map_or(2, |result| result.for_side(record.position.turn()).into()),
    ];
    let numbers = [mv.from() as u64, score as u64, result as u64, record.ply.into()];
    numbers.into_iter().fold(record.position.board().occupied().0, |sum, it| (sum * 31) ^ it)
}

fn row_fields(row: BinpackRow<'_>) -> u64 {
    let [score, result] = [row.score().unwrap_or(32002), row.result().for_side(row.turn()).into()];
    let numbers = [row.mv().from() as u64, score as u64, result as u64, row.ply().into()];
    numbers.into_iter().fold(row.board().occupied().0, |sum, it| (sum * 31) ^ it)
}

fn peer_fields(entry: &TrainingDataEntry) -> u64 {
    let numbers =
        [entry.mv.from().index().into(), entry.score as u64, entry.result as u64, entry.ply.into()];
    numbers.into_iter().fold(entry.pos.occupied().bits(), |sum, it| (sum * 31) ^ it)
}

fn entry(record: &Record) -> TrainingDataEntry {
    let Record { position, mv, score, result, ply } = record;
    let (mv, us) = (mv.expect("binpack has moves"), position.turn());
    let [from, to] = [mv.from(), mv.to()].map(|square| Square::new(square as u32));
    let pos = Position::from_fen(&position.fen().to_string()).expect("a position");
    let mv = if let Some(role) = mv.promotion() {
        let piece = Piece::new(PieceType::from_ordinal(role as u8), pos.side_to_move());
        Move::promotion(from, to, piece)
    } else if let Some(side) = mv.castling() {
        let rook = tabiya::Square::new(side.standard_rook_file(), us.back_rank());
        Move::castle(from, Square::new(rook as u32))
    } else if mv.is_en_passant() {
        Move::en_passant(from, to)
    } else {
        Move::normal(from, to)
    };
    let result = result.map_or(0, |result| result.for_side(us).into());
    TrainingDataEntry { pos, mv, score: score.unwrap_or(32002), ply: *ply, result }
}
