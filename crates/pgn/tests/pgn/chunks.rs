//! Parts of a file yield the same tokens as the file.

use std::io::{self, Read};

use tabiya_pgn::{Chunks, ErrorKind, MAX_TOKEN, Reader, Token};

use crate::common::{Broken, Pausing, is_short};

const GAMES: &str = "[Event \"a\"]\n\n1. e4 {\n\n[Event \"no\"]\n\n1. d4 *} e5 *\n% x\n\n[Event \"b\"]\n\n1. d4 } x\n\n\
    [Event \"c\"]\n\n1. e4 e5\n\n1. c4 c5 1-0 {c}1. b4 * $1\n\n{d}%odd\n\n[Event \"d\"]\n*\n(\n[Event \"e\"]\n\n";

fn show(mut reader: Reader<tabiya_pgn::Bytes<'_>>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(next) = Iterator::next(&mut reader) {
        let text = crate::show::token(&next);
        all.push(format!("{} {} {text}", reader.place(), reader.game()));
    }
    all
}

#[test]
fn all_parts_together_are_the_file() {
    let text = GAMES.repeat(50);
    // A game begins in the middle of the file.
    let expected = show(Reader::from_bytes(text.as_bytes()));
    for wanted in [1, 10, 100, 1000, 10_000, 100_000] {
        let mut chunks = Chunks::new(text.as_bytes(), wanted);
        let (mut found, mut bytes, mut number) = (Vec::new(), Vec::new(), 0);
        while let Some(chunk) = chunks.next_chunk().unwrap() {
            assert_eq!(chunk.start.byte, bytes.len() as u64);
            found.extend(show(Reader::part(&chunk.bytes, chunk.start, chunk.games_before)));
            bytes.extend(chunk.bytes);
            number += 1;
        }
        assert_eq!(bytes, text.as_bytes());
        assert_eq!(found, expected, "in parts of {wanted}");
        assert!(number > 1 || wanted > text.len(), "{number}");
    }
}

#[test]
fn a_broken_tag_is_the_same_in_a_part() {
    // The longest one is too long only together with the next game.
    let long = format!("[White \"{}", "x".repeat(MAX_TOKEN - 100));
    for tag in ["[", "[ ", "[White", "[White ", "[White \"", "[White \"x\"", &long] {
        for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let games = format!("{tag}\n\n\n[Event \"{}\"]\n\n1. d4 *\n", "y".repeat(200));
            let text = games.replace('\n', line_end);
            let mut chunks = Chunks::new(text.as_bytes(), 1);
            let mut found = Vec::new();
            while let Some(chunk) = chunks.next_chunk().unwrap() {
                found.extend(show(Reader::part(&chunk.bytes, chunk.start, chunk.games_before)));
            }
            let begin = &tag[..tag.len().min(10)];
            assert_eq!(found, show(Reader::from_bytes(text.as_bytes())), "{begin} {line_end:?}");
        }
    }
}

#[test]
fn a_comment_that_is_not_closed_has_the_same_error_in_a_part() {
    for len in [0, 200, MAX_TOKEN, 2 * MAX_TOKEN] {
        let text =
            format!("1. e4 {{\n\n[Event \"b\"]\n\n1. d4 {}\n\n1. c4 *", "e5 ".repeat(len / 3));
        let mut chunks = Chunks::new(text.as_bytes(), 1);
        let mut found = Vec::new();
        while let Some(chunk) = chunks.next_chunk().unwrap() {
            found.extend(show(Reader::part(&chunk.bytes, chunk.start, chunk.games_before)));
        }
        assert_eq!(found, show(Reader::from_bytes(text.as_bytes())), "{len}");
    }
}

#[test]
fn parts_of_games_are_the_file_and_have_that_many_games() {
    let text = GAMES.repeat(50);
    let expected = show(Reader::from_bytes(text.as_bytes()));
    let games = expected.iter().filter(|line| line.ends_with(" <")).count() as u64;
    for wanted in [1, 2, 7, 100, games, 1_000_000] {
        let mut chunks = Chunks::new(text.as_bytes(), 1 << 12);
        let (mut found, mut bytes, mut before) = (Vec::new(), Vec::new(), 0);
        while let Some(chunk) = chunks.next_games(wanted).unwrap() {
            // Every part but the last has the wanted number of games.
            assert_eq!(chunk.games_before, before, "in parts of {wanted}");
            found.extend(show(Reader::part(&chunk.bytes, chunk.start, chunk.games_before)));
            bytes.extend(chunk.bytes);
            before += wanted;
        }
        assert_eq!(bytes, text.as_bytes());
        assert_eq!(found, expected, "in parts of {wanted}");
    }
}

#[test]
fn games_before_an_error_of_the_stream_are_returned() {
    for wanted in [1, 2, 10] {
        let mut chunks = Chunks::new(b"1. e4 *\n1. d4 *\n1. c4 e".chain(Broken), 1 << 16);
        let mut bytes = Vec::new();
        let error = loop {
            match chunks.next_games(wanted) {
                Ok(Some(chunk)) => bytes.extend(chunk.bytes),
                Ok(None) => panic!("the error is missing"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), "the end of the tape");
        assert!(bytes.starts_with(b"1. e4 *\n1. d4 *") && bytes.len() <= 17, "{bytes:?}");
    }
    // A comment might have followed.
    let mut chunks = Chunks::new(b"1. e4 * 1. d4 * {c} {".chain(Broken), 1 << 16);
    assert_eq!(chunks.next_games(5).unwrap().unwrap().bytes, b"1. e4 * 1. d4 * {c} ");
    assert!(chunks.next_chunk().is_err());
}

/// Comments after the result may still come.
#[test]
fn an_error_that_passes_ends_no_game() {
    let (first, rest) = b"1. c4 *\n{after}\n\n)".split_at(12);
    let mut chunks = Chunks::new(first.chain(Pausing(rest, true)), 1);
    assert_eq!(chunks.next_chunk().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    assert_eq!(chunks.next_chunk().unwrap().unwrap().bytes, b"1. c4 *\n{after}\n\n");
}

/// Parts that are kept take no more memory than their bytes.
#[test]
fn parts_keep_nothing_but_their_bytes() {
    let text = "1. e4 e5 2. Nf3 *\n".repeat(1000);
    let mut chunks = Chunks::new(text.as_bytes(), 1);
    while let Some(chunk) = chunks.next_games(1).unwrap() {
        assert!(chunk.bytes.capacity() < 100, "{}", chunk.bytes.capacity());
    }
    assert_eq!(chunks.bytes_read(), text.len() as u64);
}

/// Repeats the bytes, from an offset on.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self(bytes, at) = self;
        for byte in &mut *buffer {
            *byte = bytes[*at];
            *at = (*at + 1) % bytes.len();
        }
        Ok(buffer.len())
    }
}

/// The tokens and errors of all parts, and the number of their bytes.
fn all_parts(stream: impl Read, wanted: usize) -> (Vec<String>, u64) {
    let mut chunks = Chunks::new(stream, wanted);
    let (mut found, mut bytes) = (Vec::new(), 0);
    while let Some(chunk) = chunks.next_chunk().unwrap() {
        bytes += chunk.bytes.len() as u64;
        found.extend(show(Reader::part(&chunk.bytes, chunk.start, chunk.games_before)));
    }
    (found, bytes)
}

/// A broken game of any length is one game, and memory is bounded: its rest is left out.
#[test]
fn the_rest_of_a_long_broken_game_is_left_out() {
    const NEXT: &[u8] = b"\n\n[Event \"b\"]\n\n1. d4 *\n";
    let fillings = [&b"a b c [% ] {\r\n"[..], b"\0", b"x)\n", b"\n"];
    // Emulated machines are slow.
    let (some, sizes) =
        if is_short() { (1, &[1 << 16][..]) } else { (4, &[1, 1 << 16, 1 << 22][..]) };
    for (number, filling) in fillings.iter().take(some).enumerate() {
        for len in [100, Chunks::<&[u8]>::MAX_REST, 3 * Chunks::<&[u8]>::MAX_REST + 70_001] {
            let mut text = b"1. d4 *\n1. e4 {".to_vec();
            text.extend(filling.iter().cycle().take(len));
            text.extend_from_slice(NEXT);
            let expected = show(Reader::from_bytes(&text));
            assert_eq!(expected.len(), 13, "{number} {len}");
            for &wanted in sizes {
                let (found, bytes) = all_parts(&text[..], wanted);
                assert_eq!(found, expected, "{number} {len} {wanted}");
                let most = 2 * Chunks::<&[u8]>::MAX_REST + wanted;
                assert!(bytes < most as u64, "{number} {len} {wanted}");
            }
        }
    }
    let zeros = io::repeat(0).take(if is_short() { 4 } else { 200 } << 20).chain(NEXT);
    let (found, bytes) = all_parts(zeros, 1 << 20);
    assert_eq!(found.len(), 8, "{found:?}");
    assert_eq!(found[1], "1:1 1 ERROR 1:1 TooLong");
    assert_eq!(found[3], "3:1 2 <");
    assert!(bytes < 3 << 20, "{bytes}");
}

/// Text in UTF-16 has one error, however long it is.
#[test]
fn long_text_in_utf_16_is_refused_once() {
    let text = b"\xff\xfe".chain(io::repeat(b'e').take(10_000_000));
    assert_eq!(all_parts(text, 1 << 16).0, ["1:1 0 ERROR 1:1 Utf16"]);
}

/// A game without an end is one broken game, whatever its contents, and the next game is read.
#[test]
fn a_game_that_is_too_long_is_one_broken_game() {
    const NEXT: &[u8] = b"*\n\n[Event \"b\"]\n\n1. d4 *";
    let most = Chunks::<&[u8]>::MAX_BYTES as u64;
    let pieces = [
        ("{a}{bcdefghijklmnopq} ", ErrorKind::GameTooLong),
        ("Nf3 Nf6 Ng1 Ng8\n", ErrorKind::GameTooLong),
        ("1. e4 {a} ", ErrorKind::GameTooLong),
        ("1. ", ErrorKind::GameTooLong),
        ("(e4)", ErrorKind::GameTooLong),
        ("$1", ErrorKind::GameTooLong),
        ("{a}\n\n\n", ErrorKind::GameTooLong),
        ("\n%a", ErrorKind::GameTooLong),
        ("* ", ErrorKind::GameTooLong),
        ("[A \"b\"] ", ErrorKind::TooManyTags),
    ];
    for (piece, kind) in pieces.into_iter().take(if is_short() { 1 } else { usize::MAX }) {
        // Before it, a game that is whole.
        let begin = if piece.starts_with('[') { "1. c4 *\n" } else { "1. c4 *\n1. b4 " };
        let text = begin.as_bytes().chain(Endless(piece.as_bytes(), 0));
        let text = text.take(most + most / 8).chain(NEXT);
        let mut chunks = Chunks::new(text, 1 << 16);
        let (mut starts, mut ends, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(chunk) = chunks.next_chunk().unwrap() {
            assert!(chunk.bytes.len() as u64 <= most, "{piece:?}");
            let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
            while let Some(token) = Iterator::next(&mut reader) {
                match token {
                    Ok(Token::GameStart) => starts.push(reader.game()),
                    Ok(Token::GameEnd) => ends.push(reader.game()),
                    Ok(_) => {}
                    Err(error) => errors.push((error.game(), *error.kind())),
                }
            }
        }
        assert_eq!(starts, [1, 2, 3], "{piece:?}");
        assert_eq!((ends, errors), (vec![1, 2, 3], vec![(2, kind)]), "{piece:?}");
    }
}

/// White space between games may have any length, and so may a file of nothing else.
#[test]
fn white_space_between_games_is_left_out() {
    let len = if is_short() { 5 } else { 192 } << 20;
    let spaces = || Endless(b" \n\r\n\t", 0).take(len);
    let games = b"1. e4 *".chain(spaces()).chain(&b"1. d4 *"[..]).chain(spaces());
    let (found, bytes) = all_parts(games, 1 << 16);
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(found[4].ends_with(" 2 <") && bytes < len, "{found:?}");
    let (found, bytes) = all_parts(spaces(), 1 << 16);
    assert!(found.is_empty() && bytes <= 2 * Chunks::<&[u8]>::MAX_REST as u64, "{found:?} {bytes}");
}
