//! Random and damaged files: no panic, no hang, no unbounded memory.

use tabiya::SplitMix64;
use tabiya_pgn::{Chunks, MAX_DEPTH, Reader, Replay, Token, Writer};

use crate::common::is_short;

const FILE: &str = "\u{feff}[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {[%clk 0:01:00]} Kd7 $14 \
    (1... Kd8!? (1... Ke7) 2. e5 ; line\n Ke8) 2. Kd2 1/2-1/2\n\n% x\n[Event \"b\"]\n\n1. d4 d5 2. c4 *\n";

/// Pieces of files, to make random ones.
const PIECES: [&[u8]; 43] = [
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"$",
    b"1",
    b".",
    b"...",
    b" ",
    b"\n",
    b"\r\n",
    b"\r",
    b"\r\r\n",
    b"\x1a",
    b"\n\n",
    b"%",
    b";",
    b"*",
    b"!",
    b"?",
    b"e4",
    b"Nf3",
    b"O-O",
    b"0-1",
    b"1-0",
    b"1/2-1/2",
    b"--",
    b"e.p.",
    b"e8(Q)",
    b"[Event \"a\"]\n",
    b"[FEN \"",
    b"[%clk ",
    b"\xef\xbb\xbf",
    b"\xbd",
    b"\xc2\xbd-\xc2\xbd",
    b"\xe2\x99\x98",
    b"+",
    b"=",
    b"\0",
];

/// Fewer than this number of pieces in a random order.
pub(crate) fn pieces(random: &mut SplitMix64, below: usize) -> Vec<u8> {
    (0..random.below(below)).flat_map(|_| PIECES[random.below(PIECES.len())]).copied().collect()
}

/// A file with up to four changes.
pub(crate) fn damaged(random: &mut SplitMix64) -> Vec<u8> {
    let mut input = FILE.as_bytes().to_vec();
    for _ in 0..random.below(4) + 1 {
        if input.is_empty() {
            break;
        }
        let at = random.below(input.len());
        match random.below(4) {
            0 => input[at] = random.number() as u8,
            1 => {
                input.remove(at);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                input.splice(at..at, piece.iter().copied());
            }
            _ => input.truncate(at),
        }
    }
    input
}

/// Reads in every way, and checks that all ways agree.
fn read(input: &[u8]) {
    let mut reader = Reader::from_bytes(input);
    let mut replay = Replay::new();
    let mut writer = Writer::new(Vec::new());
    let (mut games, mut ends, mut depth, mut tokens) = (0, 0, 0, 0u64);
    while let Some(next) = Iterator::next(&mut reader) {
        tokens += 1;
        let Ok(token) = next else {
            ends += 1;
            depth = 0;
            continue;
        };
        let _ = replay.play(&token);
        match token {
            Token::GameStart => games += 1,
            Token::GameEnd => {
                ends += 1;
                assert_eq!(depth, 0);
            }
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth -= 1,
            Token::Move(text) => assert!(!text.0.is_empty()),
            _ => {}
        }
        let _ = writer.token(&token);
        assert!((0..=i64::from(MAX_DEPTH)).contains(&depth));
        assert_eq!(games - i64::from(!matches!(token, Token::GameEnd)), ends);
        assert!(replay.depth() <= MAX_DEPTH as usize);
    }
    // A file in UTF-16 has an error and no game.
    assert!(games == ends || (games == 0 && ends == 1), "{input:?}");
    let place = reader.end();
    assert_eq!(place.byte, input.len() as u64);
    // Each token and each error needs a byte, or is the begin or end of a game.
    assert!(tokens <= 3 * input.len() as u64 + 3);
    // The written games are read without an error.
    let copy = std::mem::take(writer.get_mut());
    assert!(Reader::from_bytes(&copy).all(|token| token.is_ok()), "{input:?}");

    let mut stream = Reader::new(input);
    let mut streamed = 0;
    while !matches!(stream.next_token(), Ok(None)) {
        streamed += 1;
    }
    assert_eq!(streamed, tokens);
}

/// The number of inputs: few by default, ten million on request.
fn number(few: usize) -> usize {
    if is_short() {
        return few / 20;
    }
    if std::env::var_os("TABIYA_LONG_TESTS").is_some() { few * 25 } else { few }
}

#[test]
fn random_files_are_read() {
    let mut random = SplitMix64::new(7);
    for _ in 0..number(200_000) {
        read(&pieces(&mut random, 40));
    }
}

#[test]
fn damaged_files_are_read() {
    let mut random = SplitMix64::new(8);
    for _ in 0..number(200_000) {
        read(&damaged(&mut random));
    }
}

#[test]
fn parts_of_random_files_are_read() {
    let mut random = SplitMix64::new(9);
    for _ in 0..number(10_000) {
        let input = pieces(&mut random, 60);
        let expected = crate::show::tokens(&input);
        let mut chunks = Chunks::new(&input[..], random.below(20) + 1);
        let mut found = Vec::new();
        while let Some(chunk) = chunks.next_chunk().unwrap() {
            let reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
            found.extend(reader.map(|next| crate::show::token(&next)));
        }
        assert_eq!(found, expected, "{}", input.escape_ascii());
    }
}
