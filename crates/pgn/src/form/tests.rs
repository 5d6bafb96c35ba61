//! All forms yield the same tokens, places and errors, whatever the input.
//!
//! [`ByteByByte`] has no fast way at all, so the fast ways are never compared with themselves.

use std::fmt::Write as _;
use tabiya::SplitMix64;

use super::{Block, ByteByByte, Native, Swar, in_form};
use crate::{Chunks, Input, Reader, Token};

#[path = "../../tests/pgn/pieces.rs"]
mod pieces;
use pieces::Pieces;
#[expect(dead_code, reason = "only the texts are wanted here")]
#[path = "../../tests/pgn/table.rs"]
mod table;
use table::CASES;

/// The tokens that a test skips.
#[derive(Clone, Copy, Debug)]
enum Skip {
    Nothing,
    /// The rest of every game after this number of tokens.
    Games(u32),
    /// Every variation, or the rest of it after this number of tokens.
    Variations(u32),
}

/// All results of a reader, one line for each token and error.
fn said<I: Input>(mut reader: Reader<I>, skip: Skip) -> String {
    let mut all = String::new();
    let mut tokens = 0;
    loop {
        let _ = match reader.next_token() {
            Ok(None) => break,
            Ok(Some(token)) => {
                tokens += 1;
                if matches!(token, Token::GameStart)
                    || matches!((token, skip), (Token::VariationStart, Skip::Variations(_)))
                {
                    tokens = 0;
                }
                write!(all, "{token:?}")
            }
            Err(error) => write!(all, "{error} game {}", error.game()),
        };
        let place = reader.place();
        let _ = writeln!(all, " {} {place} {} {}", place.byte, reader.game(), reader.depth());
        let skipped = match skip {
            Skip::Games(after) if tokens == after => reader.skip_game(),
            Skip::Variations(after) if tokens == after => reader.skip_variation(),
            _ => Ok(()),
        };
        if let Err(error) = skipped {
            let _ = writeln!(all, "{error} game {}", error.game());
        }
    }
    let end = reader.end();
    let _ = writeln!(all, "end {} {end}", end.byte);
    all
}

/// The parts of a file.
fn parts<B: Block>(input: &[u8], bytes: usize, games: u64) -> String {
    let mut chunks = Chunks::new(input, bytes);
    let mut all = String::new();
    while let Ok(Some(chunk)) = chunks.cut::<B>(bytes, games) {
        let _ = writeln!(all, "{} {} {}", chunk.start, chunk.bytes.len(), chunk.games_before);
    }
    all
}

/// A way of reading an input.
#[derive(Debug)]
struct Way {
    /// The bytes of a stream that come together, if it is a stream.
    piece: Option<usize>,
    skip: Skip,
}

fn in_way<B: Block>(input: &[u8], way: &Way) -> String {
    match way.piece {
        None => said(in_form::<B, _>(Reader::from_bytes(input)), way.skip),
        Some(piece) => said(in_form::<B, _>(Reader::new(Pieces(input, piece))), way.skip),
    }
}

/// Checks that all forms give the same results.
fn agree(input: &[u8], way: &Way) {
    let expected = in_way::<ByteByByte>(input, way);
    let text = || format!("{way:?}: {}", input.escape_ascii());
    assert_eq!(in_way::<Swar>(input, way), expected, "eight bytes, {}", text());
    assert_eq!(in_way::<Native>(input, way), expected, "of this machine, {}", text());
    // Without skipping, pieces make no difference either.
    if let Way { piece: Some(_), skip: Skip::Nothing } = way {
        let whole = in_way::<ByteByByte>(input, &Way { piece: None, ..*way });
        assert_eq!(whole, expected, "in pieces, {}", text());
    }
}

/// Checks that all forms give the same results, for one way of reading after the other.
fn agree_in_all_ways(input: &[u8], random: &mut SplitMix64) {
    let piece = (random.below(2) == 0).then(|| 1 + random.below(40));
    let after = random.below(6) as u32;
    agree(input, &Way { piece: None, skip: Skip::Nothing });
    agree(input, &Way { piece: Some(1 + random.below(40)), skip: Skip::Nothing });
    agree(input, &Way { piece, skip: Skip::Games(after) });
    agree(input, &Way { piece, skip: Skip::Variations(after) });
    // The reader of bytes has a second way to its tokens.
    let mut reader = Reader::from_bytes(input);
    let mut other = in_form::<ByteByByte, _>(Reader::from_bytes(input));
    while let Some(token) = Iterator::next(&mut reader) {
        match (token, other.next_token()) {
            (Ok(token), Ok(expected)) => assert_eq!(Some(token), expected),
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected.to_string()),
            (token, expected) => panic!("{token:?}, {expected:?}: {}", input.escape_ascii()),
        }
        assert_eq!(reader.place(), other.place());
    }
    assert!(matches!(other.next_token(), Ok(None)));
    let (bytes, games) = (1 + random.below(100), random.below(3) as u64);
    let expected = parts::<ByteByByte>(input, bytes, games);
    assert_eq!(parts::<Swar>(input, bytes, games), expected, "{}", input.escape_ascii());
    assert_eq!(parts::<Native>(input, bytes, games), expected, "{}", input.escape_ascii());
}

/// The number of inputs.
fn number(usual: usize) -> usize {
    match () {
        () if cfg!(miri) => 1,
        () if is_short() => usual / 10,
        () if std::env::var_os("TABIYA_LONG_TESTS").is_some() => 50 * usual,
        () => usual,
    }
}

/// Is this a machine on which tests take long?
fn is_short() -> bool {
    cfg!(miri) || std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

const MOVES: [&str; 24] = [
    "e4", "Nf3", "Nbxd2+", "O-O", "O-O-O+", "exd8=Q#", "e8(Q)", "exd6e.p.", "a7-a8/Q", "Qa1xb2+",
    "--", "Z0", "0000", "0-0", "Rh8", "bxc3", "00", "000", "00+", "5254", "12", "0.00", "04.00",
    "05.0-0",
];

/// Texts that occur in the comments of files.
const COMMENTS: [&str; 8] = [
    "",
    "{} ",
    "{text} ",
    "{ [%eval 0.17] [%clk 0:03:00] } ",
    "{[%clk 0:00:59]} ",
    "{(-0.28 -> 0.12) a comment that is longer than many blocks, as people write it in (books)} ",
    "; to the end\n",
    "$14 ",
];

/// Games as in files: with comments of one kind or of all kinds, some with tags and variations.
fn games(random: &mut SplitMix64) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        if random.below(4) > 0 {
            text += "[Event \"Rated Blitz game\"]\n[White \"K\u{fc}bler \\\"K\\\"\"]\n\n";
        }
        let kind = random.below(COMMENTS.len() + 3);
        let has_variations = random.below(4) == 0;
        for ply in 0..random.below(24) {
            let side = ply % 2 == 0;
            if side {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let comment = COMMENTS.get(kind).copied();
            let comment = comment.unwrap_or_else(|| random.pick(&COMMENTS));
            let _ = write!(text, "{} {comment}", random.pick(&MOVES));
            if !side && has_variations && random.below(4) == 0 {
                let _ = write!(text, "({}... {} {comment}1-0) ", ply / 2 + 1, random.pick(&MOVES));
            }
            if !comment.is_empty() && !side && random.below(2) == 0 {
                let _ = write!(text, "{}... ", ply / 2 + 1);
            }
            if random.below(12) == 0 {
                text += "\n";
            }
        }
        text += random.pick(&[
            "1-0\n\n",
            "1/2-1/2 {c}\n",
            "*\n\n;c\n$1",
            "\n\n",
            "0-1 ",
            "1-0",
            "",
            "e5[1] 1-0\n\n",
            "[%c]\n",
        ]);
    }
    text.into_bytes()
}

/// Inserts bytes of this kind at a random place.
fn insert_gap(text: &mut Vec<u8>, random: &mut SplitMix64) {
    const GAPS: [&[&str]; 6] = [
        &[" "],
        &[" ", "0", "12", "."],
        &["."],
        &["7"],
        &[" ", "\t", "\n", "\r\n", ".", "3", "\u{a0}"],
        &["\r\n"],
    ];
    let signs = random.pick(&GAPS);
    let gap: String = (0..1 + random.below(40)).map(|_| random.pick(signs)).collect();
    // Any offset, as text is bytes.
    let at = random.below(text.len() + 1);
    text.splice(at..at, gap.bytes());
}

#[test]
fn ordinary_games_are_read_alike() {
    let mut random = SplitMix64::new(1);
    for _ in 0..number(2000) {
        agree_in_all_ways(&games(&mut random), &mut random);
    }
}

#[test]
fn games_with_gaps_are_read_alike() {
    let mut random = SplitMix64::new(2);
    for _ in 0..number(4000) {
        let mut text = games(&mut random);
        for _ in 0..1 + random.below(4) {
            insert_gap(&mut text, &mut random);
        }
        agree_in_all_ways(&text, &mut random);
    }
}

#[test]
fn damaged_games_are_read_alike() {
    let mut random = SplitMix64::new(3);
    for _ in 0..number(4000) {
        let mut text = match random.below(2) {
            0 => games(&mut random),
            _ => CASES[random.below(CASES.len())].text.clone(),
        };
        for _ in 0..1 + random.below(5) {
            let at = random.below(text.len().max(1));
            match random.below(6) {
                0 if !text.is_empty() => text[at] = random.number() as u8,
                1 if !text.is_empty() => text[at] = b"{}()[]\"\\;%$*.!?\n 1"[random.below(18)],
                2 if !text.is_empty() => drop(text.remove(at)),
                3 => text.truncate(at),
                4 => {
                    let copied = text[at..text.len().min(at + random.below(30))].to_vec();
                    text.extend(copied);
                }
                _ => insert_gap(&mut text, &mut random),
            }
        }
        agree_in_all_ways(&text, &mut random);
    }
}

#[test]
fn random_bytes_are_read_alike() {
    /// Text in pieces, and any bytes.
    const PIECES: [&str; 38] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\"]",
        "\\",
        "$",
        "1",
        ".",
        "...",
        " ",
        "        ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\n%",
        ";",
        "*",
        "!",
        "?",
        "e4",
        "Nf3 ",
        "O-O",
        "0-1",
        "1/2",
        "e.p.",
        "00",
        "0000",
        "0000 ",
        "(Q)",
        "[Event \"a\"]\n",
        "[FEN \"",
        "\u{feff}",
        "\0",
    ];
    let mut random = SplitMix64::new(4);
    for _ in 0..number(10_000) {
        let mut text = Vec::new();
        for _ in 0..random.below(40) {
            if random.below(8) == 0 {
                text.push(random.number() as u8);
            } else {
                text.extend_from_slice(random.pick(&PIECES).as_bytes());
            }
        }
        agree_in_all_ways(&text, &mut random);
    }
}

/// Texts of each length, at each offset from the border of a block, in streams that end anywhere.
#[test]
fn every_length_at_every_offset_is_read_alike() {
    /// A token, the text before the repeated part, the repeated part, and the text after it.
    const TEXTS: [[&str; 4]; 21] = [
        ["d4", "1. ", " ", "e4 e5 *"],
        ["d4", "1.", "0", ".e4 e5 *"],
        ["d4", " 1", ".", "e4 e5 *"],
        ["{c}", "", "12. ", "e4 e5 *"],
        ["d4", "", "12345.", ""],
        ["d4", "1. ", " ", "0000 e5 *"],
        ["{c}", "0000", " ", "1. 0000e5 *"],
        ["d4", "0", "0000 ", "00000 0000 e5 *"],
        ["d4", "1. ", " ", "00 2. 00 e5 000e4 *"],
        ["d4", "1. ", "00 ", "5254 0.00 e5 *"],
        ["[A \"\"]", " ", "12345678 ", "7163 e5 *"],
        ["d4", " N", "a", " e5 *"],
        ["d4", "1. N", "a", "(Q)+ e5 *"],
        ["{c}", "1. N", "a", "e.p. e5 *"],
        ["d4", " {", "x", "} e5 *"],
        ["d4 ", "{", " ", "}\ne5 {} *"],
        ["d4", " {", "x ", "e5 *"],
        ["[Z \"\"]", "\n[A", "b", " \"x\"]\n[C \"d\"]\n*"],
        ["[Z \"\"]", "\n[A \"", "b", "\"]\n[C \"d\"]\n*"],
        ["[Z \"\"]", "[A \"", "\\\"", "\"]\n[C \"d\"]\n*"],
        ["[Z \"\"]", "\n[A \"", "b\"", "]\n[C \"d\"]\n*"],
    ];
    let mut random = SplitMix64::new(5);
    let lengths = (0..70).step_by(if cfg!(miri) { 13 } else { 1 });
    let offsets = (0..17).step_by(if is_short() { 17 } else { 1 });
    for [token, before, repeated, after] in TEXTS {
        // Before a tag, a space would end the fast way.
        let space = if token.starts_with('[') { "" } else { " " };
        for len in lengths.clone() {
            for offset in offsets.clone() {
                let spaces = space.repeat(offset);
                let text = [token, &spaces, before, &repeated.repeat(len), after].concat();
                agree(text.as_bytes(), &Way { piece: None, skip: Skip::Nothing });
                let piece = Some(1 + random.below(text.len()));
                agree(text.as_bytes(), &Way { piece, skip: Skip::Nothing });
                agree(text.as_bytes(), &Way { piece, skip: Skip::Games(1) });
            }
        }
    }
}

/// The forms agree near the size of the largest token, too.
#[test]
fn tokens_of_the_largest_size_are_read_alike() {
    if cfg!(miri) {
        return;
    }
    for (before, repeated, after) in [
        ("1. e4 {", "x", "} e5 *"),
        ("1. N", "a", " e5 *"),
        ("[A \"", "b", "\"]\n*"),
        ("1.", " ", "e4 *"),
        ("1. e4 ", "1", ". e5 *"),
    ] {
        let lengths = crate::MAX_TOKEN - 20..crate::MAX_TOKEN + 20;
        for len in lengths.step_by(if is_short() { 19 } else { 1 }) {
            let text = [before, &repeated.repeat(len), after, "\n\n[Event \"b\"]\n\n1. d4 *"];
            let text = text.concat();
            for piece in [None, Some(4096), Some(crate::MAX_TOKEN - 1)] {
                // The whole text of a failure would not help.
                let way = Way { piece, skip: Skip::Nothing };
                let expected = in_way::<ByteByByte>(text.as_bytes(), &way);
                let is_equal = in_way::<Swar>(text.as_bytes(), &way) == expected
                    && in_way::<Native>(text.as_bytes(), &way) == expected;
                assert!(is_equal, "{before} {len} times {repeated}, {way:?}");
            }
        }
    }
}

/// The forms agree where a game becomes too long, too: the limit falls on each byte of each token
/// at the end of the game.
#[test]
fn games_of_the_largest_size_are_read_alike() {
    const END: &str =
        "1. e4 e5 2. Nf3 {c} (2. d4 {[%clk 0:01:00]}) Nc6 {d} 3. Bb5 0000 12 \n \n% x\n";
    /// The tokens and errors that are read near the limit and after it.
    fn end<B: Block>(text: &[u8]) -> String {
        let mut reader = in_form::<B, _>(Reader::from_bytes(text));
        let mut all = String::new();
        loop {
            let (text, is_end) = match reader.next_token() {
                Ok(token) => (format!("{token:?}"), token.is_none()),
                Err(error) => (error.to_string(), false),
            };
            if reader.place().byte > (crate::MAX_GAME - crate::MAX_TOKEN) as u64 || is_end {
                let _ = writeln!(all, "{text} {}", reader.place());
            }
            if is_end {
                return all;
            }
        }
    }
    if cfg!(miri) {
        return;
    }
    let long = format!("{{{}}} ", "x".repeat(crate::MAX_TOKEN - 10));
    let begin = ["[Event \"a\"]\n", &long.repeat(crate::MAX_GAME / long.len())].concat();
    for over in (0..=END.len()).step_by(if is_short() { 150 } else { 5 }) {
        let missing = crate::MAX_GAME + over - begin.len() - END.len();
        let filling = "1.".repeat(missing / 2) + &" ".repeat(missing % 2);
        let text = [&*begin, &filling, END, "\n\n[Event \"b\"]\n\n1. d4 *"].concat();
        let expected = end::<ByteByByte>(text.as_bytes());
        assert!(expected.contains("longer than 33554432 bytes"), "{over}: {expected}");
        assert!(expected.contains("1. d4"), "{over}: {expected}");
        assert_eq!(end::<Swar>(text.as_bytes()), expected, "{over}");
        assert_eq!(end::<Native>(text.as_bytes()), expected, "{over}");
        let cut = parts::<ByteByByte>(text.as_bytes(), 1, 0);
        assert_eq!(parts::<Native>(text.as_bytes(), 1, 0), cut, "{over}");
    }
    // A game of exactly the largest size.
    let text = begin.clone() + &" ".repeat(crate::MAX_GAME - begin.len());
    assert!(!end::<Native>(text.as_bytes()).contains("longer"));
}

/// A run of spaces, digits and dots that fills a block: moves after it were once lost.
#[test]
fn no_move_is_lost_behind_a_gap() {
    fn moves<B: Block>(text: &str) -> Vec<String> {
        let mut reader = in_form::<B, _>(Reader::from_bytes(text.as_bytes()));
        let mut moves = Vec::new();
        while let Some(token) = reader.next_token().expect("it has no error") {
            if let Token::Move(text) = token {
                moves.push(text.to_string());
            }
        }
        moves
    }
    for gap in (0..100).step_by(if cfg!(miri) { 13 } else { 1 }) {
        for sign in [" ", ".", "9", "\t", "\n", "\r\n"] {
            let text = format!("1. e4 e5 2.{}Nf3 Nc6 3. Bb5 {{c}}3... a6 *", sign.repeat(gap));
            let expected = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
            assert_eq!(moves::<ByteByByte>(&text), expected, "{gap} times {sign:?}");
            assert_eq!(moves::<Swar>(&text), expected, "{gap} times {sign:?}");
            assert_eq!(moves::<Native>(&text), expected, "{gap} times {sign:?}");
        }
    }
}
