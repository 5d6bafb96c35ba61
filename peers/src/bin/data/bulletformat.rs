//! bulletformat, by the crate of that name.

use std::fs::File;

use bulletformat::{BulletFormat, ChessBoard, DataLoader};
use tabiya::{Color, Piece, Role};
use tabiya_data::{Blocks, BulletRow, Format, Reader, Record};

use super::{Contestant, Group, mix, sum_of, write, writes};

pub(super) fn groups(records: &[Record]) -> Vec<Group<'_>> {
    // The crate reads only files.
    let path = std::env::temp_dir().join(format!("tabiya-peers-{}.bullet", std::process::id()));
    std::fs::write(&path, write(records, Format::Bulletformat)).expect("a temporary file");
    let [loader_path, rows_path] = [&path; 2].map(Clone::clone);
    let work = records.len() as u64;
    let read = vec![
        Contestant::new("bulletformat", move || {
            let mut sum = 0;
            let loader = DataLoader::<ChessBoard>::new(&loader_path, 1).expect("the file");
            loader.map_positions(|board| sum = mix(sum, peer_fields(board)));
            sum
        }),
        Contestant::new("tabiya-data", move || {
            let file = File::open(&rows_path).expect("the file");
            let mut sum = 0;
            for block in Blocks::new(file, Format::Bulletformat) {
                let block = block.expect("the file");
                let (rows, _) = block.bytes.as_chunks::<{ BulletRow::BYTES }>();
                for row in rows {
                    sum = mix(sum, row_fields(&BulletRow::from_bytes(*row)));
                }
            }
            sum
        }),
        Contestant::new("tabiya-data, checked", move || {
            let mut sum = 0;
            let visit = |record: &Record| sum = mix(sum, fields(record));
            let file = File::open(&path).expect("the file");
            Reader::new(file, Format::Bulletformat).for_each(visit, Err).expect("a good file");
            sum
        }),
    ];
    let write = vec![
        Contestant::new("bulletformat", move || {
            let board = |record: &Record| {
                let board = record.position.board();
                let [p, n, b, r, q, k] = Role::ALL.map(|role| board.role(role).0);
                let [white, black] = Color::ALL.map(|color| board.color(color).0);
                let turn = record.position.turn();
                let score = record.score.unwrap_or(0) * if turn == Color::White { 1 } else { -1 };
                let result = record.result.map_or(1, |it| it as u8);
                let sets = [white, black, p, n, b, r, q, k];
                ChessBoard::from_raw(sets, turn as usize, score, f32::from(result) / 2.0)
            };
            let mut rows = Vec::new();
            rows.extend(records.iter().map(|record| board(record).expect("a good board")));
            sum_of(ChessBoard::as_bytes_slice(&rows))
        }),
        writes(records, Format::Bulletformat),
    ];
    let unit = "records";
    vec![
        Group { title: "bulletformat, read", work, unit, contestants: read },
        Group { title: "bulletformat, write", work, unit, contestants: write },
    ]
}

fn fields(record: &Record) -> u64 {
    let board = record.position.board();
    let mut sum = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.pieces(color, role) {
                sum += piece(role as u8 | (color as u8) << 3, square as u8);
            }
        }
    }
    let result = record.result.map_or(0, |it| it as u64);
    sum ^ record.score.unwrap_or(0) as u64 ^ result << 20
}

fn row_fields(row: &BulletRow) -> u64 {
    let code = |of: Piece| of.role as u8 | (of.color as u8) << 3;
    let sum: u64 = row.pieces().map(|(square, of)| piece(code(of), square as u8)).sum();
    sum ^ row.score() as u64 ^ u64::from(row.result()) << 20
}

fn peer_fields(board: &ChessBoard) -> u64 {
    let sum: u64 = board.into_iter().map(|(code, square)| piece(code, square)).sum();
    sum ^ board.score as u64 ^ u64::from(board.result) << 20
}

/// The number of a feature.
fn piece(code: u8, square: u8) -> u64 {
    u64::from(code) << 6 | u64::from(square)
}
