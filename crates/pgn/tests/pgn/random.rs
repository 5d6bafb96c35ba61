//! Random and damaged files: no panic, no hang, no unbounded memory.

use std::io::{ErrorKind, Read};

use tabiya::SplitMix64;
use tabiya_pgn::{Chunks, MAX_DEPTH, Reader, Replay, Token, Writer};

use crate::common::{Broken, Pausing, is_short};
use crate::pieces::Pieces;
use crate::reading::streamed;
use crate::table::CASES;

const FILE: &str = "\u{feff}[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {[%clk 0:01:00]} Kd7 $14 \
    (1... Kd8!? (1... Ke7) 2. e5 ; line\n Ke8) 2. Kd2 1/2-1/2\n\n% x\n[Event \"b\"]\n\n1. d4 d5 2. c4 *\n";

/// Pieces of files, to make random ones.
const PIECES: [&[u8]; 60] = [
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
    b"3. ",
    b"7...",
    b"Kd2",
    b"0-0",
    b"0.5",
    b"good",
    b"\xe2\x87\x86",
    b"\xe2\x80\x89",
    b"[Event \"a\"]\n",
    b"[Result \"0-0\"]\n",
    b"[Variant \"x\"]\n",
    b"[FEN 8]\n",
    b"[FEN \"",
    b"[%clk ",
    b"\xef\xbb\xbf",
    b"\xbd",
    b"\xc2\xbd-\xc2\xbd",
    b"\xe2\x99\x98",
    b"+",
    b"=",
    b"\0",
    b"{c}",
    b"1. d4 ",
    b"*\n\n{d}\n",
    b"[a]\n",
    b"\"]\n",
    b"\n[",
];

/// Fewer than this number of pieces in a random order.
pub(crate) fn pieces(random: &mut SplitMix64, below: usize) -> Vec<u8> {
    (0..random.below(below)).flat_map(|_| PIECES[random.below(PIECES.len())]).copied().collect()
}

/// A file, or one of the table, with up to four changes.
pub(crate) fn damaged(random: &mut SplitMix64) -> Vec<u8> {
    let mut input = match random.below(2) {
        0 => FILE.as_bytes().to_vec(),
        _ => CASES[random.below(CASES.len())].text.clone(),
    };
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
        let is_in_game = games > ends;
        let Ok(token) = next else {
            // A file in UTF-16 has no game.
            assert!(is_in_game || next.is_err_and(|error| error.is_final()));
            continue;
        };
        let _ = replay.play(&token);
        match token {
            Token::GameStart => games += 1,
            Token::GameEnd => {
                ends += 1;
                assert_eq!((depth, replay.depth()), (0, 0));
            }
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth -= 1,
            Token::Move(mv) => assert!(!mv.text().0.is_empty()),
            _ => {}
        }
        let _ = writer.token(&token);
        assert!((0..=i64::from(MAX_DEPTH)).contains(&depth));
        // Only remarks stand between games.
        let is_remark = matches!(token, Token::Remark(_));
        assert!(is_remark || is_in_game != matches!(token, Token::GameStart));
        assert!(games == ends || games == ends + 1);
        assert!(replay.depth() <= MAX_DEPTH as usize);
    }
    assert_eq!(games, ends);
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

/// The tokens of the parts, with their places, up to an error that does not pass.
fn parts(mut chunks: Chunks<impl Read>) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        match chunks.next_chunk() {
            Ok(Some(chunk)) => {
                let reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
                found.extend(streamed(reader));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Ok(None) | Err(_) => return found,
        }
    }
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

/// The length of the pieces of a stream.
fn piece(random: &mut SplitMix64) -> usize {
    [1, 1, 2, 3, 7, 40, 1000][random.below(7)]
}

#[test]
fn random_files_in_pieces_and_in_parts_are_the_same_files() {
    let mut random = SplitMix64::new(9);
    for _ in 0..number(20_000) {
        let input = pieces(&mut random, 60);
        let expected = streamed(Reader::from_bytes(&input));
        let mut stream = || Pieces(&input, piece(&mut random));
        assert_eq!(streamed(Reader::new(stream())), expected, "{}", input.escape_ascii());
        let stream = Pausing(stream(), random.below(2) == 0);
        let chunks = Chunks::new(stream, random.below(20) + 1);
        assert_eq!(parts(chunks), expected, "{}", input.escape_ascii());
    }
}

/// Streams that fail yield the same whole games as parts of them, then one error.
#[test]
fn streams_that_fail_yield_the_games_before_that() {
    let mut random = SplitMix64::new(10);
    for _ in 0..number(20_000) {
        let input = pieces(&mut random, 60);
        let mut stream = || Pieces(&input, piece(&mut random)).chain(Broken);
        let text = input.escape_ascii();
        let expected = parts(Chunks::new(stream(), 1));
        let mut reader = Reader::new(stream());
        let mut found = Vec::new();
        loop {
            let next = match reader.next_token() {
                Ok(next) => crate::show::token(&Ok(next.expect("the error is missing"))),
                Err(error) if error.is_final() => break,
                Err(error) => crate::show::token(&Err(error)),
            };
            let place = reader.place();
            found.push(format!("{place} {} {} {next}", reader.game(), reader.depth()));
            assert!(found.len() <= 3 * input.len() + 3, "{text}");
        }
        assert!(reader.next_token().unwrap().is_none(), "{text}");
        // The last carriage return may be half of a line end, so the place of the last end may differ.
        let game = |token: &String| token.split_once(' ').map(|it| it.1.to_owned());
        assert!(
            found.iter().map(game).take(expected.len()).eq(expected.iter().map(game)),
            "{text}"
        );
        // The rest belongs to a game that has not ended.
        assert!(!found[expected.len()..].iter().any(|token| token.ends_with(" >")), "{text}");
    }
}
