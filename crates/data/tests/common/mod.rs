//! Records of random games, and files read whole.
#![allow(dead_code, reason = "each test uses a part")]

use tabiya::{CastlingMode, CastlingRights, Position, Setup, SplitMix64};
use tabiya_data::{Bad, Block, Blocks, Field, Format, GameResult, Record, Refused};

/// Starts from which castling, en passant and promotions are near.
const STARTS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/3pPp2/8/8/R3K1RR b KQkq e3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 13 40",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 99 0",
];

/// The records of random games, without gaps: standard chess, Chess960, and the starts above.
pub(crate) fn games(count: usize, random: &mut SplitMix64) -> Vec<Record> {
    (0..count).flat_map(|_| game(random)).collect()
}

fn game(random: &mut SplitMix64) -> Vec<Record> {
    let mut position = match random.below(4) {
        0 => Position::START,
        1 => Position::chess960(random.below(960) as u16).unwrap(),
        _ => Position::from_fen(STARTS[random.below(STARTS.len())]).unwrap(),
    };
    let result = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins][random.below(3)];
    let mut records = Vec::new();
    let plies = random.below(120);
    for ply in (Record::ply_of(&position)..).take(plies) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let score = Some(random.below(64_001) as i16);
        let score = score.map(|it| it.wrapping_sub(32_000).clamp(-32_000, 32_000));
        let after = position.play(mv);
        records.push(Record { position, mv: Some(mv), score, result: Some(result), ply });
        position = after;
    }
    records
}

/// A file with the records that the format doesn't refuse.
pub(crate) fn write(records: &[Record], format: Format) -> (Vec<u8>, Vec<Refused>) {
    let (mut bytes, mut refused) = (format.header().into(), Vec::new());
    let Some(mut encoder) = format.encoder() else { return (bytes, refused) };
    for record in records {
        refused.extend(encoder.push(record, &mut bytes).err());
    }
    encoder.finish(&mut bytes);
    (bytes, refused)
}

/// The records and errors of a file as one block.
pub(crate) fn read(bytes: &[u8], format: Format) -> Vec<Result<Record, Bad>> {
    read_block(&Block { offset: 0, bytes: bytes.to_vec() }, format).collect()
}

/// The same, in blocks of a size.
pub(crate) fn read_in_blocks(
    bytes: &[u8],
    format: Format,
    size: usize,
) -> Vec<Result<Record, Bad>> {
    let blocks = Blocks::of_size(bytes, format, size).map(Result::unwrap);
    blocks.flat_map(|block| read_block(&block, format).collect::<Vec<_>>()).collect()
}

fn read_block(block: &Block, format: Format) -> impl Iterator<Item = Result<Record, Bad>> {
    let mut decoder = format.decoder(block);
    std::iter::from_fn(move || {
        let mut record = Record::default();
        decoder.next(&mut record).map(|is_some| is_some.then_some(record)).transpose()
    })
}

/// What is left of a record in a format that doesn't hold everything.
pub(crate) fn held(record: &Record, format: Format) -> Record {
    let holds = |field| format.holds(field);
    let mut setup = Setup { castling_mode: CastlingMode::Chess960, ..record.position.to_setup() };
    let turn = setup.turn;
    if !holds(Field::Castling) {
        setup.castling = CastlingRights::NONE;
    }
    if !holds(Field::EnPassant) {
        setup.en_passant = None;
    }
    if !holds(Field::HalfmoveClock) {
        setup.halfmove_clock = 0;
    }
    if !holds(Field::FullmoveNumber) {
        setup.fullmove_number = if holds(Field::Ply) { record.ply / 2 + 1 } else { 1 };
    }
    if !holds(Field::Turn) && turn == tabiya::Color::Black {
        setup = setup.mirrored();
    }
    let position = Position::from_setup(&setup).unwrap();
    let result = record.result.filter(|_| holds(Field::Result)).map(|result| {
        let points = result.for_side(turn).into();
        GameResult::from_side(points, if holds(Field::Turn) { turn } else { setup.turn }).unwrap()
    });
    Record {
        mv: record.mv.filter(|_| holds(Field::Move)),
        score: record.score.filter(|_| holds(Field::Score)),
        result,
        ply: if holds(Field::Ply) { record.ply } else { Record::ply_of(&position) },
        position,
    }
}

/// A record as text in which everything shows, other than the notation of castling.
pub(crate) fn text(record: &Record) -> String {
    let chess960 = record.position.clone().with_castling_mode(CastlingMode::Chess960).unwrap();
    let Record { mv, score, result, ply, .. } = record;
    format!("{} {mv:?} {score:?} {result:?} {ply}", chess960.fen())
}
