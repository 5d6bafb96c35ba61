//! Training files, compared with the crates `viriformat` and `bulletformat`: ours read by them, theirs by us.

#[path = "../../crates/data/tests/common/mod.rs"]
mod common;

use bulletformat::{BulletFormat, ChessBoard};
use common::{games, read, write};
use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::{CastlingSide, Color, Role, SplitMix64, Square};
use tabiya_data::{Format, GameResult, Record};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::Move;
use viriformat::chess::piece::{Colour, PieceType};
use viriformat::dataformat::{Filter, Game, WDL};

fn count() -> usize {
    if std::env::var_os("TABIYA_LONG_TESTS").is_some() { 200_000 } else { 20_000 }
}

/// All that both hold of a record, in terms of neither.
#[derive(Debug, PartialEq)]
struct View {
    /// The letter of FEN for each square.
    pieces: Vec<Option<char>>,
    is_white: bool,
    en_passant: Option<u8>,
    /// The rooks, White's first and the king's side first.
    castling: [Option<u8>; 4],
    halfmove_clock: u32,
    fullmove_number: u32,
    /// Origin, target or the castling rook, promotion, en passant, castling.
    mv: (u8, u8, Option<char>, bool, bool),
    /// White's.
    score: i32,
    /// White's points, doubled.
    result: u8,
}

impl View {
    fn of_record(record: &Record) -> Self {
        let position = &record.position;
        let mv = record.mv.unwrap();
        let rook = |color, side| {
            let king = position.king(color);
            position.castling_rights().rook(color, side, king).map(|rook| rook as u8)
        };
        let target = mv.castling().and_then(|side| rook(position.turn(), side));
        let is_white = position.turn() == Color::White;
        let score = i32::from(record.score.unwrap());
        let setup = position.to_setup_with(EnPassantMode::PseudoLegal);
        Self {
            pieces: Vec::from(
                Square::ALL.map(|square| position.piece_on(square).map(|it| it.fen())),
            ),
            is_white,
            en_passant: setup.en_passant.map(|square| square as u8),
            castling: [
                rook(Color::White, CastlingSide::King),
                rook(Color::White, CastlingSide::Queen),
                rook(Color::Black, CastlingSide::King),
                rook(Color::Black, CastlingSide::Queen),
            ],
            halfmove_clock: position.halfmove_clock().into(),
            fullmove_number: position.fullmove_number().into(),
            mv: (
                mv.from() as u8,
                target.unwrap_or(mv.to() as u8),
                mv.promotion().map(Role::letter),
                mv.is_en_passant(),
                mv.castling().is_some(),
            ),
            score: if is_white { score } else { -score },
            result: match record.result.unwrap() {
                GameResult::BlackWins => 0,
                GameResult::Draw => 1,
                GameResult::WhiteWins => 2,
            },
        }
    }

    fn of_viriformat(board: &Board, mv: Move, score: i16, outcome: WDL) -> Self {
        let squares = (0..64).map(|square| viriformat::chess::types::Square::new(square).unwrap());
        let rights = board.castling_rights();
        Self {
            pieces: squares.map(|it| board.piece_at(it).map(|piece| piece.char())).collect(),
            is_white: board.turn() == Colour::White,
            en_passant: board.ep_sq().map(|square| square.inner()),
            castling: [rights.wk, rights.wq, rights.bk, rights.bq]
                .map(|it| it.map(|it| it.inner())),
            halfmove_clock: board.fifty_move_counter().into(),
            fullmove_number: board.full_move_number() as u32,
            mv: (
                mv.from().inner(),
                mv.to().inner(),
                mv.promotion_type().and_then(PieceType::promo_char),
                mv.is_ep(),
                mv.is_castle(),
            ),
            score: score.into(),
            result: match outcome {
                WDL::Loss => 0,
                WDL::Draw => 1,
                WDL::Win => 2,
            },
        }
    }
}

/// Another game from the start of one of ours, by the crate's own moves, and what the crate knows of each record.
fn viriformat_game(start: &Record, random: &mut SplitMix64) -> (Game, Vec<View>) {
    let convention =
        FenConvention { en_passant: EnPassantMode::PseudoLegal, ..FenConvention::SHREDDER };
    let mut board = Board::new();
    board.set_from_fen(&start.position.fen_with(convention).to_string(), true).unwrap();
    let mut game = Game::new(&board);
    game.set_outcome(match start.result.unwrap() {
        GameResult::BlackWins => GameOutcome::BlackWin(WinType::Mate),
        GameResult::Draw => GameOutcome::Draw(DrawType::Repetition),
        GameResult::WhiteWins => GameOutcome::WhiteWin(WinType::Adjudication),
    });
    let mut views = Vec::new();
    for _ in 0..=random.below(100) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let score = (random.number() as i16).max(-i16::MAX);
        game.add_move(mv, score);
        views.push(View::of_viriformat(&board, mv, score, game.outcome()));
        assert!(board.make_move_simple(mv));
    }
    (game, views)
}

#[test]
fn games_of_viriformat_are_read() {
    let mut random = SplitMix64::new(1);
    let (mut file, mut expected) = (Vec::new(), Vec::new());
    for start in games(count() / 50, &mut random).iter().step_by(50) {
        let (game, views) = viriformat_game(start, &mut random);
        game.serialise_into(&mut file).unwrap();
        expected.extend(views);
    }
    let found: Vec<_> = read(&file, Format::Viriformat).into_iter().map(Result::unwrap).collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(View::of_record(found), expected);
    }
    // Byte for byte, what we write is what the crate wrote.
    assert!(write(&found, Format::Viriformat).0 == file);
}

#[test]
fn viriformat_reads_our_games() {
    let records = games(count() / 10, &mut SplitMix64::new(2));
    let (file, refused) = write(&records, Format::Viriformat);
    assert_eq!(refused, []);
    let (mut rest, mut expected) = (&file[..], records.iter());
    while !rest.is_empty() {
        let game = Game::deserialise_from(&mut rest, Vec::new()).unwrap();
        let mut board = game.initial_position();
        for (mv, score) in &game.moves {
            let found = View::of_viriformat(&board, *mv, score.get(), game.outcome());
            assert_eq!(found, View::of_record(expected.next().unwrap()));
            assert!(board.legal_moves().contains(mv) && board.make_move_simple(*mv));
        }
    }
    assert!(expected.next().is_none());
}

/// The rows that `bulletformat` makes of the text of our records are, byte for byte, the ones that we write.
#[test]
fn bulletformat_writes_our_rows() {
    let records = games(count() / 10, &mut SplitMix64::new(3));
    let rows = records.iter().map(|record| {
        let view = View::of_record(record);
        let result = ["0.0", "0.5", "1.0"][usize::from(view.result)];
        let line = format!("{} | {} | {result}", record.position.fen(), view.score);
        line.parse::<ChessBoard>().unwrap()
    });
    let rows: Vec<_> = rows.collect();
    let (file, refused) = write(&records, Format::Bulletformat);
    assert_eq!(refused, []);
    assert!(file == ChessBoard::as_bytes_slice(&rows));

    // What we read of them is what the crate does.
    let found = read(&file, Format::Bulletformat);
    assert_eq!(found.len(), rows.len());
    for (found, row) in found.into_iter().zip(rows) {
        let Record { position, score, result, .. } = found.unwrap();
        let code = |piece: tabiya::Piece| piece.role as u8 + 8 * piece.color as u8;
        let pieces = position.board().iter().map(|(square, piece)| (code(piece), square as u8));
        assert!(pieces.eq(row));
        assert_eq!(score, Some(row.score()));
        assert_eq!(result.map(|it| it as usize), Some(row.result_idx()));
        let king = |color| position.king(color) as u8;
        assert_eq!([king(Color::White), king(Color::Black) ^ 56], [row.our_ksq(), row.opp_ksq()]);
    }
}

/// Games of `viriformat` become the rows that the crate makes of them.
#[test]
fn games_become_the_same_rows() {
    let mut random = SplitMix64::new(4);
    for start in games(count() / 100, &mut random).iter().step_by(50) {
        let (game, _) = viriformat_game(start, &mut random);
        let (mut file, mut rows) = (Vec::new(), Vec::new());
        game.serialise_into(&mut file).unwrap();
        let push = |row| {
            rows.push(row);
            Ok(())
        };
        game.splat_to_bulletformat(push, &Filter::UNRESTRICTED).unwrap();
        let records = read(&file, Format::Viriformat).into_iter().map(Result::unwrap);
        let (ours, _) = write(&records.collect::<Vec<_>>(), Format::Bulletformat);
        assert_eq!(ours, ChessBoard::as_bytes_slice(&rows));
    }
}
