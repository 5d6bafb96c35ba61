//! viriformat, by the crate of that name.

use tabiya::Position;
use tabiya_data::{Format, GameResult, Record, VirGame};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::Move;
use viriformat::dataformat::Game;

use super::{Contestant, Group, mix, reads, sum_of, write, writes};

pub(super) fn groups(records: &[Record]) -> Vec<Group<'_>> {
    let file: &[u8] = write(records, Format::Viriformat).leak();
    let work = records.len() as u64;
    let (games, played) = (games(file), played(records));
    let read = vec![
        Contestant::new("viriformat", move || {
            let (mut left, mut moves, mut sum) = (file, Vec::new(), 0);
            while !left.is_empty() {
                let game = Game::deserialise_from(&mut left, moves).expect("a good game");
                let (mut board, result) = (game.initial_position(), game.outcome() as u64);
                for &(mv, score) in &game.moves {
                    sum = mix(sum, peer_fields(&board, mv, score.get(), result));
                    board.make_move_simple(mv);
                }
                moves = game.into_move_buffer();
            }
            sum
        }),
        reads(file, Format::Viriformat, fields),
    ];
    let write = vec![
        Contestant::new("viriformat", move || {
            let mut file = Vec::new();
            for (start, outcome, moves) in &games {
                let mut game = Game::new(start);
                moves.iter().for_each(|&(mv, score)| game.add_move(mv, score));
                game.set_outcome(*outcome);
                game.serialise_into(&mut file).expect("memory can be written to");
            }
            sum_of(&file)
        }),
        Contestant::new("tabiya-data, whole games", move || {
            let mut file = Vec::new();
            for (start, result, moves) in &played {
                let game = VirGame { start, result: *result };
                game.write(moves.iter().copied(), &mut file).expect("a good game");
            }
            sum_of(&file)
        }),
        writes(records, Format::Viriformat),
    ];
    let unit = "records";
    vec![
        Group { title: "viriformat, read", work, unit, contestants: read },
        Group { title: "viriformat, write", work, unit, contestants: write },
    ]
}

fn fields(record: &Record) -> u64 {
    let mv = record.mv.expect("viriformat has moves");
    let white = if record.position.turn() == tabiya::Color::White { 1 } else { -1 };
    let score = record.score.map_or(0, |score| score * white);
    // In the order of the crate's `WDL`.
    let result = match record.result.expect("viriformat has results") {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 1,
        GameResult::Draw => 2,
    };
    let numbers = [mv.from() as u64, score as u64, result];
    numbers
        .into_iter()
        .fold(record.position.board().occupied().0, |sum, it| sum.rotate_left(7) ^ it)
}

fn peer_fields(board: &Board, mv: Move, score: i16, result: u64) -> u64 {
    let numbers = [u64::from(mv.from().inner()), score as u64, result];
    numbers.into_iter().fold(board.pieces.occupied().inner(), |sum, it| sum.rotate_left(7) ^ it)
}

/// What a program knows when it writes a game: its start, its result, and its moves with scores.
type Played<P, R, M> = (P, R, Vec<(M, i16)>);

/// The games with our types.
fn played(records: &[Record]) -> Vec<Played<Position, GameResult, tabiya::Move>> {
    let games = records.chunk_by(Record::continues_with).map(|game| {
        let plies = game.iter().map(|it| (it.mv.expect("a move"), it.score.expect("a score")));
        (game[0].position.clone(), game[0].result.expect("a result"), plies.collect())
    });
    games.collect()
}

/// The same with the crate's types.
fn games(mut file: &[u8]) -> Vec<Played<Board, GameOutcome, Move>> {
    let mut games = Vec::new();
    while !file.is_empty() {
        let game = Game::deserialise_from(&mut file, Vec::new()).expect("a good game");
        let outcome = match game.outcome() {
            viriformat::dataformat::WDL::Win => GameOutcome::WhiteWin(WinType::Adjudication),
            viriformat::dataformat::WDL::Loss => GameOutcome::BlackWin(WinType::Adjudication),
            viriformat::dataformat::WDL::Draw => GameOutcome::Draw(DrawType::Adjudication),
        };
        let moves = game.moves.iter().map(|&(mv, score)| (mv, score.get())).collect();
        games.push((game.initial_position(), outcome, moves));
    }
    games
}
