//! Single moves and positions: SAN, FEN and packed positions, read and written.

use std::fmt::Write;
use std::str::FromStr;

use shakmaty::packed::PackedSetup as ShakmatyPacked;
use shakmaty::san::{San as ShakmatySan, SanPlus};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};
use tabiya::{PackedPosition, Position, San};
use tabiya_pgn::{Played, Reader, Replay};

use tabiya_peers::group::{Contestant, Group};

/// Moves and positions of the games, for every library.
pub(crate) struct Samples {
    tabiya: Vec<(Position, tabiya::Move)>,
    shakmaty: Vec<(Chess, shakmaty::Move)>,
    cozy: Vec<cozy_chess::Board>,
    sans: Vec<String>,
    fens: Vec<String>,
}

impl Samples {
    /// The first moves and positions of the games.
    pub(crate) fn of(pgn: &[u8]) -> Self {
        const MOVES: usize = 100_000;
        let mut samples = Self {
            tabiya: Vec::new(),
            shakmaty: Vec::new(),
            cozy: Vec::new(),
            sans: Vec::new(),
            fens: Vec::new(),
        };
        let mut replay = Replay::new();
        for token in Reader::from_bytes(pgn).map_while(Result::ok) {
            let played = replay.play(&token).expect("every move is legal");
            let Played::Move(mv) = played else { continue };
            let before = replay.before();
            let fen = before.fen().to_string();
            // cozy-chess refuses clocks above 100.
            let Ok(cozy) = fen.parse() else { continue };
            let san = before.san(mv).to_string();
            let chess: Chess = Fen::from_ascii(fen.as_bytes())
                .expect("a FEN")
                .into_position(CastlingMode::Standard)
                .expect("a position");
            let other = ShakmatySan::from_ascii(san.as_bytes()).expect("a move");
            let other = other.to_move(&chess).expect("a legal move");
            samples.shakmaty.push((chess, other));
            samples.cozy.push(cozy);
            samples.tabiya.push((before.clone(), mv));
            samples.sans.push(san);
            samples.fens.push(fen);
            if samples.fens.len() == MOVES {
                break;
            }
        }
        samples
    }
}

/// The number of bytes of a text that is written into a buffer.
fn length(buffer: &mut String, text: impl std::fmt::Display) -> u64 {
    buffer.clear();
    write!(buffer, "{text}").expect("a string can be written to");
    buffer.len() as u64
}

pub(crate) fn groups(samples: &Samples) -> Vec<Group<'_>> {
    let work = samples.fens.len() as u64;
    let group = |title, unit, contestants| Group { title, work, unit, contestants };
    vec![
        group(
            "SAN read: text to a legal move",
            "moves",
            vec![
                Contestant::new("shakmaty", || {
                    let both = samples.shakmaty.iter().zip(&samples.sans);
                    both.filter(|((position, _), san)| {
                        ShakmatySan::from_ascii(san.trim_end_matches(['+', '#']).as_bytes())
                            .is_ok_and(|san| san.to_move(position).is_ok())
                    })
                    .count() as u64
                }),
                Contestant::new("tabiya", || {
                    let both = samples.tabiya.iter().zip(&samples.sans);
                    both.filter(|((position, _), san)| {
                        San::from_ascii(san.as_bytes())
                            .is_ok_and(|san| position.find_san(&san).is_ok())
                    })
                    .count() as u64
                }),
            ],
        ),
        group(
            "SAN written, with signs of check and mate",
            "moves",
            vec![
                Contestant::new("shakmaty", || {
                    let mut buffer = String::new();
                    let text = |(position, mv): &(Chess, shakmaty::Move)| {
                        length(&mut buffer, SanPlus::from_move(position.clone(), *mv))
                    };
                    samples.shakmaty.iter().map(text).sum()
                }),
                Contestant::new("tabiya", || {
                    let mut buffer = String::new();
                    let text = |(position, mv): &(Position, tabiya::Move)| {
                        length(&mut buffer, position.san(*mv))
                    };
                    samples.tabiya.iter().map(text).sum()
                }),
                Contestant::new("tabiya, San::text", || {
                    let text = |(position, mv): &(Position, tabiya::Move)| {
                        position.san(*mv).text().as_bytes().len() as u64
                    };
                    samples.tabiya.iter().map(text).sum()
                }),
            ],
        ),
        group(
            "FEN read: text to a playable position",
            "positions",
            vec![
                Contestant::new("shakmaty", || {
                    let read = |fen: &&String| {
                        Fen::from_ascii(fen.as_bytes()).is_ok_and(|fen| {
                            fen.into_position::<Chess>(CastlingMode::Standard).is_ok()
                        })
                    };
                    samples.fens.iter().filter(read).count() as u64
                }),
                Contestant::new("cozy-chess", || {
                    let read = |fen: &&String| cozy_chess::Board::from_str(fen).is_ok();
                    samples.fens.iter().filter(read).count() as u64
                }),
                Contestant::new("tabiya", || {
                    let read = |fen: &&String| Position::from_fen(fen).is_ok();
                    samples.fens.iter().filter(read).count() as u64
                }),
            ],
        ),
        group(
            "FEN written",
            "positions",
            vec![
                Contestant::new("shakmaty", || {
                    let mut buffer = String::new();
                    let text = |(position, _): &(Chess, shakmaty::Move)| {
                        length(&mut buffer, Fen::from_position(position, EnPassantMode::Legal))
                    };
                    samples.shakmaty.iter().map(text).sum()
                }),
                Contestant::new("tabiya", || {
                    let mut buffer = String::new();
                    let text = |(position, _): &(Position, tabiya::Move)| {
                        length(&mut buffer, position.fen())
                    };
                    samples.tabiya.iter().map(text).sum()
                }),
            ],
        ),
        // cozy-chess writes the en-passant square after every double push, so its texts are longer.
        group(
            "FEN written, by cozy-chess",
            "positions",
            vec![Contestant::new("cozy-chess", || {
                let mut buffer = String::new();
                samples.cozy.iter().map(|board| length(&mut buffer, board)).sum()
            })],
        ),
        group(
            "packed and unpacked",
            "positions",
            vec![
                Contestant::new("shakmaty", || {
                    let trip = |(position, _): &&(Chess, shakmaty::Move)| {
                        let setup = position.to_setup(EnPassantMode::Legal);
                        let packed = ShakmatyPacked::pack_standard(&setup).expect("a position");
                        let setup = packed.unpack_standard().expect("a position");
                        setup.position::<Chess>(CastlingMode::Standard).is_ok()
                    };
                    samples.shakmaty.iter().filter(trip).count() as u64
                }),
                Contestant::new("tabiya, 32 bytes", || {
                    let trip = |(position, _): &&(Position, tabiya::Move)| {
                        let bytes = PackedPosition::of(position).to_bytes();
                        PackedPosition::from_bytes(bytes).unpack().is_ok()
                    };
                    samples.tabiya.iter().filter(trip).count() as u64
                }),
            ],
        ),
    ]
}
