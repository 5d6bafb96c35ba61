//! The common properties of all readers: the same tokens from bytes and from streams, skipping,
//! places.

use std::io::{self, Read};

use tabiya_pgn::{
    Comment, Error, ErrorKind, MAX_TOKEN, Nag, NumberedMove, Place, Reader, Skip, Tag, Termination,
    Token, Visitor,
};

use crate::common::{Broken, is_short};
use crate::pieces::Pieces;
use crate::show::{token, tokens};

const FILE: &str = "\u{feff}% first\n[Event \"a\"]\n[White \"Kübler \\\"K\\\"\"]\n\n1. e4! {[%clk 0:01:00]} \
    e5 $14 (1... c5 (1... e6) 2. Nf3 ; line\n d6) 2. Nf3 1/2-1/2\n\n[Event \"b\"]\n\n1. d4 } x\n\n\
    [Event \"c\"]\r\n\r\n1. e8(Q)+ exd6e.p. 0-0-0 ½-½ 1. a4 a5\n\n1. b4 += \u{2658}f3 --\n";

/// All tokens of a stream, with their places.
pub(crate) fn streamed<I: tabiya_pgn::Input>(mut reader: Reader<I>) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        let next = reader.next_token();
        let text = match &next {
            Ok(None) => return all,
            Ok(Some(it)) => token(&Ok(*it)),
            Err(_) => token(&Err(next.unwrap_err())),
        };
        let place = reader.place();
        all.push(format!("{place} {} {} {text}", reader.game(), reader.depth()));
    }
}

#[test]
fn a_stream_in_pieces_has_the_same_tokens_and_places() {
    let expected = streamed(Reader::from_bytes(FILE.as_bytes()));
    assert!(expected.len() > 40, "{expected:?}");
    for len in 1..FILE.len() {
        let found = streamed(Reader::new(Pieces(FILE.as_bytes(), len)));
        assert_eq!(found, expected, "in pieces of {len}");
    }
    // A file of many buffers.
    let long = FILE.repeat(if is_short() { 300 } else { 10_000 });
    let expected = streamed(Reader::from_bytes(long.as_bytes()));
    assert_eq!(streamed(Reader::new(Pieces(long.as_bytes(), 70_001))), expected);
}

/// The first piece is long, and ends within each token.
#[test]
fn tokens_are_cut_far_from_the_start_of_the_buffer() {
    let tokens = " \n\n1. e4 {c} 1... e8(Q)+ exd6e.p. 12 0-0-0 $14 !! ?! += \u{2658}g1xf3+ -- 0000 \
        \u{a0} ; c\n% c\n (e5) 1/2-1/2\n\u{a0}\n[Event \"b\"]\n\n1. e4\n\n1... e5\n\n1. d4 d5 \
        2. c4 e6 *";
    let text = " ".repeat(MAX_TOKEN - 20) + tokens;
    let expected = streamed(Reader::from_bytes(text.as_bytes()));
    assert!(expected.len() > 20, "{expected:?}");
    for len in (1..5).chain(MAX_TOKEN - 20..text.len()) {
        let found = streamed(Reader::new(Pieces(text.as_bytes(), len)));
        assert_eq!(found, expected, "in pieces of {len}");
    }
}

/// The piece ends before the end of the largest token.
#[test]
fn the_largest_tokens_come_in_pieces() {
    for (begin, end, len) in
        [("{", "}", MAX_TOKEN + 2), (";", "\n", MAX_TOKEN + 1), ("[A \"", "\"]", MAX_TOKEN + 1)]
    {
        let text = [begin, &"0".repeat(len - begin.len() - end.len()), end].concat();
        let expected = streamed(Reader::from_bytes(text.as_bytes()));
        assert_eq!(expected.len(), 3, "{begin}: {:.100}", expected[1]);
        assert!(!expected[1].contains("ERROR"), "{begin}: {:.100}", expected[1]);
        for len in text.len() - 3..text.len() {
            let found = streamed(Reader::new(Pieces(text.as_bytes(), len)));
            assert!(found == expected, "{begin} in pieces of {len}: {:.100}", found[1]);
        }
    }
}

#[test]
fn places_are_those_of_an_editor() {
    let mut reader = Reader::from_bytes(FILE.as_bytes());
    let mut found = 0;
    while let Some(next) = Iterator::next(&mut reader) {
        let place = reader.place();
        let before = &FILE.as_bytes()[..place.byte as usize];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() as u64 + 1;
        assert_eq!((place.line, place.column), (line, column));
        if let Ok(Token::Move(mv)) = next {
            assert!(FILE.as_bytes()[place.byte as usize..].starts_with(mv.text().0));
            found += 1;
        }
    }
    assert!(found > 10);
}

/// The start of a line may have left the buffer, or stand before a part.
#[test]
fn places_are_right_after_ends_too() {
    fn places<I: tabiya_pgn::Input>(mut reader: Reader<I>, ends: bool) -> Vec<Place> {
        let mut places = Vec::new();
        while reader.next_token().unwrap().is_some() {
            if ends {
                reader.end();
            }
            places.push(reader.place());
        }
        places
    }
    let text = b"1. e4 e5 {a\nb} 2. d4 {c\n\nd} {e\nf} *";
    let expected = places(Reader::from_bytes(text), false);
    for len in 1..text.len() {
        assert_eq!(places(Reader::new(Pieces(text, len)), true), expected, "in pieces of {len}");
    }
    let start = Place { byte: 700, line: 20, column: 41 };
    let expected = places(Reader::part(text, start, 3), false);
    assert_eq!(places(Reader::part(text, start, 3), true), expected);
}

#[test]
fn games_can_be_skipped_at_every_token() {
    let starts: Vec<usize> = {
        let all = tokens(FILE.as_bytes());
        let at = |(index, text): (usize, &String)| (text == "<").then_some(index);
        all.iter().enumerate().filter_map(at).collect()
    };
    for skipped in 0..starts.len() {
        for after in 1..8 {
            let mut reader = Reader::from_bytes(FILE.as_bytes());
            let mut rest = Vec::new();
            let mut seen = 0;
            loop {
                let next = reader.next_token().map(|next| next.map(|it| token(&Ok(it))));
                match next {
                    Ok(None) => break,
                    Ok(Some(text)) => {
                        if reader.game() as usize == skipped + 1 {
                            seen += 1;
                            if seen == after {
                                // The broken game may break here.
                                let _ = reader.skip_game();
                            }
                        } else {
                            rest.push(text);
                        }
                    }
                    Err(error) => rest.push(token(&Err(error))),
                }
            }
            let all = tokens(FILE.as_bytes());
            let end = starts.get(skipped + 1).copied().unwrap_or(all.len());
            let expected: Vec<_> =
                all[..starts[skipped]].iter().chain(&all[end..]).cloned().collect();
            rest.retain(|text| !(text.starts_with("ERROR") && skipped == 1));
            assert_eq!(rest, expected, "game {skipped} after {after} tokens");
        }
    }
}

#[test]
fn variations_can_be_skipped() {
    let text = b"1. e4 (1. d4 (1. c4) d5 {x)} (1... c5)) e5 (1... c5 2. Nf3) 2. Nf3 *";
    let mut reader = Reader::from_bytes(text);
    let mut moves = Vec::new();
    while let Some(token) = reader.next_token().unwrap() {
        match token {
            Token::Move(text) => moves.push(text.to_string()),
            Token::VariationStart => reader.skip_variation().unwrap(),
            _ => {}
        }
    }
    assert_eq!(moves, ["e4", "e5", "Nf3"]);
}

#[test]
fn an_input_that_fails_ends_with_its_error() {
    struct Fails(u8);
    impl Read for Fails {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(io::ErrorKind::Interrupted.into()),
                2 => Pieces(b"1. e4\ne5 ", 9).read(buffer),
                _ => Err(io::Error::other("no disk")),
            }
        }
    }
    let mut reader = Reader::new(Fails(0));
    let mut seen = Vec::new();
    let error: Error = loop {
        match reader.next_token() {
            Ok(next) => seen.push(format!("{:?}", next.unwrap())),
            Err(error) => break error,
        }
    };
    assert_eq!(seen.len(), 3);
    assert_eq!(error.kind(), &ErrorKind::Input);
    assert!(error.is_final());
    assert_eq!(error.to_string(), "2:4: the input cannot be read: no disk");
    assert!(reader.next_token().unwrap().is_none());
}

/// Where the stream ends within a comment, the rest of the comment comes with the games after it.
#[test]
fn tokens_before_an_error_of_the_stream_are_read_once() {
    for (first, second, expected) in [
        (
            "1. e4 *\n{a comment longer than the rest",
            "} 1. d4 *\n",
            "< e4 * {a comment longer than the rest} > < d4 * >",
        ),
        (
            "1. e4 {a comment that is longer than all the rest",
            "} *\n1. d4 *\n1. c4 *\n\n1. g3 ",
            "< e4 {a comment that is longer than all the rest} * > < d4 * > < c4 * > < g3",
        ),
    ] {
        let stream = first.as_bytes().chain(second.as_bytes()).chain(Broken);
        let mut reader = Reader::new(stream);
        let mut found = Vec::new();
        let error = loop {
            match reader.next_token() {
                Ok(next) => found.push(token(&Ok(next.expect("the error is missing")))),
                Err(error) => break error,
            }
            assert!(found.len() < 100, "{found:?}");
        };
        assert_eq!(found.join(" "), expected);
        assert_eq!(error.kind(), &ErrorKind::Input);
        assert!(reader.next_token().unwrap().is_none());
    }
}

/// The pieces of a stream that stays open: a reader that waits for more fails.
struct Live(&'static [&'static str]);

impl Read for Live {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (&piece, rest) = self.0.split_first().expect("the reader has enough for the token");
        self.0 = rest;
        Pieces(piece.as_bytes(), piece.len()).read(buffer)
    }
}

#[test]
fn tokens_of_a_live_stream_come_at_once() {
    for (pieces, expected) in [
        (&["1. e4 e5 0-1", "\n"][..], "< e4 e5 0-1"),
        (
            &["1. e4 {a comment that is ", "not short", "}", " "],
            "< e4 {a comment that is not short}",
        ),
        (&["[Event ", "\"a\"", "]", "\n", "\n", "1. e4", " "], "< [Event=a] e4"),
    ] {
        let mut reader = Reader::new(Live(pieces));
        let mut found = String::from("<");
        assert_eq!(reader.next_token().unwrap(), Some(Token::GameStart));
        while found != expected {
            assert!(expected.starts_with(&found), "{found}");
            let next = reader.next_token().unwrap().expect("the stream is open");
            found = format!("{found} {}", token(&Ok(next)));
        }
    }
}

/// Writes down the calls. It skips games with this value of a tag, and variations.
#[derive(Default)]
struct Log {
    unwanted: &'static str,
    is_unwanted: bool,
    calls: Vec<String>,
}

impl Log {
    fn add(&mut self, text: impl Into<String>) {
        self.calls.push(text.into());
    }
}

impl Visitor for Log {
    fn begin_game(&mut self) {
        self.is_unwanted = false;
        self.add("<");
    }

    fn tag(&mut self, tag: Tag<'_>) {
        let value = tag.raw_value.to_string();
        self.is_unwanted |= value == self.unwanted;
        self.add(value);
    }

    fn end_tags(&mut self) -> Skip {
        self.add("|");
        if self.is_unwanted { Skip::Rest } else { Skip::Nothing }
    }

    fn move_text(&mut self, mv: NumberedMove<'_>) {
        self.add(mv.to_string());
    }

    fn comment(&mut self, comment: Comment<'_>) {
        self.add(format!("{{{}}}", comment.text));
    }

    fn nag(&mut self, nag: Nag) {
        self.add(format!("${}", nag.0));
    }

    fn begin_variation(&mut self) -> Skip {
        self.add("(");
        if self.unwanted == "(" { Skip::Rest } else { Skip::Nothing }
    }

    fn end_variation(&mut self) {
        self.add(")");
    }

    fn result(&mut self, result: Termination) {
        self.add(result.as_str());
    }

    fn end_game(&mut self) {
        self.add(">");
    }
}

#[test]
fn a_visitor_is_called_for_each_token_and_after_the_last_tag() {
    let text = b"{x}\n[A \"a\"]\n; y\n[B \"b\"]\n\n{z} 1. e4! (1. d4 (1. c4)) e5 *\n\n1. f4 $1 1-0\n\n[A \"c\"]\n\n*";
    let calls = |unwanted| {
        let mut log = Log { unwanted, ..Log::default() };
        let mut reader = Reader::from_bytes(text);
        while reader.visit_game(&mut log).unwrap() {}
        log.calls.join(" ")
    };
    let tags = "< {x} a { y} b {z} |";
    let rest = "< | f4 $1 1-0 > < c | * >";
    assert_eq!(calls(""), format!("{tags} e4 $1 ( d4 ( c4 ) ) e5 * > {rest}"));
    assert_eq!(calls("("), format!("{tags} e4 $1 ( e5 * > {rest}"));
    assert_eq!(calls("b"), format!("{tags} {rest}"));
    assert_eq!(calls("c"), format!("{tags} e4 $1 ( d4 ( c4 ) ) e5 * > < | f4 $1 1-0 > < c |"));
}
