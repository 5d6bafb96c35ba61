//! Written games are read back.

use tabiya::{Position, SplitMix64};
use tabiya_pgn::{
    GameTree, Layout, MAX_GAME, MAX_TAGS, MAX_TOKEN, Nag, Placement, ROSTER, Reader, Replay, Tag,
    Termination, Token, WriteError, WriteOptions, Writer,
};

use crate::common::{Part, is_short, line};

/// Writes a game, and reads it back.
fn written(start: &Position, parts: &[Part], result: Termination) -> String {
    let mut writer = Writer::new(Vec::new());
    writer.begin_game();
    writer.tag("White", "a \"b\" \\c").unwrap();
    if start != &Position::START {
        writer.tag("SetUp", "1").unwrap();
        writer.tag("FEN", &start.fen().to_string()).unwrap();
    }
    for part in parts {
        match part {
            Part::Move(text) => writer.mv(text),
            Part::Nag(nag) => writer.nag(Nag(*nag)),
            Part::Comment(text) => writer.comment(text),
            Part::Open => writer.begin_variation(),
            Part::Close => writer.end_variation(),
        }
        .unwrap_or_else(|error| panic!("{part:?}: {error}"));
    }
    writer.end_game(result).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn random_games_are_read_back() {
    let mut random = SplitMix64::new(1);
    let starts = [
        Position::START,
        Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 77")
            .unwrap(),
    ];
    let mut kinds = [0; 5];
    for game in 0..if is_short() { 100 } else { 2000 } {
        let start = &starts[game % 2];
        let mut parts = Vec::new();
        line(&mut random, start, 0, &mut parts);
        let result = Termination::ALL[game / 2 % 4];
        let text = written(start, &parts, result);

        let mut found = Vec::new();
        let mut tags = Vec::new();
        let mut replay = Replay::new();
        let mut end = None;
        for token in Reader::from_bytes(text.as_bytes()) {
            let token = token.unwrap_or_else(|error| panic!("{error}\n{text}"));
            replay.play(&token).unwrap_or_else(|error| panic!("{error}\n{text}"));
            match token {
                Token::Tag(tag) => tags.push((tag.name.to_string(), tag.value().into_owned())),
                Token::Move(text) => found.push(Part::Move(text.to_string())),
                Token::Nag(nag) => found.push(Part::Nag(nag.0)),
                Token::Comment(comment) => {
                    let text = String::from_utf8(comment.unwrapped().into_owned()).unwrap();
                    found.push(Part::Comment(text));
                }
                Token::VariationStart => found.push(Part::Open),
                Token::VariationEnd => found.push(Part::Close),
                Token::Result(result) => end = Some(result),
                Token::GameStart | Token::GameEnd => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(found, parts, "{text}");
        assert_eq!(end, Some(result));
        let names: Vec<&str> = tags.iter().map(|tag| tag.0.as_str()).collect();
        assert_eq!(names[..7], ROSTER.map(|tag| tag.0));
        assert_eq!(tags[4].1, "a \"b\" \\c");
        assert_eq!(tags[6].1, result.as_str());
        for line in text.lines() {
            // A line is longer only where it may not be broken: in a comment after a semicolon, and
            // in a comment without a single space before a word that may begin a line.
            let bytes = line.as_bytes();
            let may_break = |at: usize| {
                bytes[at] == b' '
                    && !b" [%".contains(&bytes[at + 1])
                    && bytes[at - 1] != b' '
                    && !line.contains(';')
            };
            let is_long = bytes.len() >= 80;
            assert!(!is_long || !(1..bytes.len() - 1).any(may_break), "{line}");
        }
        for part in &parts {
            kinds[match part {
                Part::Move(_) => 0,
                Part::Nag(_) => 1,
                Part::Comment(_) => 2,
                Part::Open => 3,
                Part::Close => 4,
            }] += 1;
        }
    }
    assert!(kinds.iter().all(|&number| number > 1000), "{kinds:?}");
}

#[test]
fn tokens_are_written_as_they_are_read() {
    // Writing twice changes nothing.
    let text = "[Zeta \"1\"]\n[White \"K\\\"\"]\n[Alpha \"2\"]\n1.e4!{a\nb}e5(1...c5{x}2.Nf3(2.c3)2...d6)2.f4 ;y }\n exf4 0-1";
    let copy = |text: &[u8]| {
        let mut writer = Writer::new(Vec::new());
        for token in Reader::from_bytes(text) {
            writer.token(&token.unwrap()).unwrap();
        }
        writer.finish().unwrap()
    };
    let once = copy(text.as_bytes());
    assert_eq!(
        String::from_utf8(once.clone()).unwrap(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"K\\\"\"]\n\
         [Black \"?\"]\n[Result \"0-1\"]\n[Alpha \"2\"]\n[Zeta \"1\"]\n\n\
         1. e4 $1 {a b} 1... e5 (1... c5 {x} 2. Nf3 (2. c3) 2... d6) 2. f4 ;y }\n\
         2... exf4 0-1\n\n"
    );
    assert_eq!(copy(&once), once);
    // Latin-1 is copied byte by byte.
    let latin = copy(b"[White \"K\xfcbler\"]\n\n1. e4 {na\xefve} *");
    assert!(latin.windows(6).any(|bytes| bytes == b"K\xfcbler"));
}

#[test]
fn what_cannot_be_read_back_is_refused() {
    let mut writer = Writer::new(Vec::new());
    writer.begin_game();
    for name in ["", "Two words", "Ä", "a]"] {
        assert!(matches!(writer.tag(name, "x"), Err(WriteError::TagName)), "{name}");
    }
    assert!(matches!(writer.tag("Event", "a\nb"), Err(WriteError::TagValue)));
    for text in ["", "e4 e5", "{e4}", "1-0", "*", "(", "$1", "e4!", "12"] {
        assert!(matches!(writer.mv(text), Err(WriteError::Move)), "{text}");
    }
    assert!(matches!(writer.comment("a}\nb"), Err(WriteError::Comment)));
    assert!(matches!(writer.end_variation(), Err(WriteError::NotOpened)));
    writer.begin_variation().unwrap();
    assert!(matches!(writer.end_game(Termination::Draw), Err(WriteError::NotClosed)));
    assert!(matches!(writer.finish(), Err(WriteError::NotEnded)));
}

#[test]
fn the_longest_tokens_are_written_and_longer_ones_refused() {
    type Write = fn(&mut Writer<Vec<u8>>, usize) -> Result<(), WriteError>;
    let kinds: [(usize, Write); 5] = [
        (MAX_TOKEN, |writer, len| writer.comment(&"a".repeat(len))),
        // Line breaks of two bytes become spaces.
        (MAX_TOKEN + 100, |writer, len| {
            writer.comment(&format!("{}{}", "a\r\n".repeat(100), "b".repeat(len - 300)))
        }),
        // The semicolon counts.
        (MAX_TOKEN - 1, |writer, len| writer.comment(&format!("}}{}", "a".repeat(len - 1)))),
        (MAX_TOKEN, |writer, len| writer.mv(&format!("Nf3{}", "f".repeat(len - 3)))),
        // Brackets, a space and quotation marks count, but not the last bracket.
        (MAX_TOKEN - 6, |writer, len| writer.tag("Ab", &"b".repeat(len))),
    ];
    for (index, (longest, write)) in kinds.into_iter().enumerate() {
        for len in longest - 5..longest + 5 {
            let mut writer = Writer::new(Vec::new());
            writer.begin_game();
            match write(&mut writer, len) {
                Ok(()) => assert!(len <= longest, "kind {index}: {len}"),
                Err(WriteError::TooLong) => {
                    assert!(len > longest, "kind {index}: {len}");
                    continue;
                }
                Err(error) => panic!("kind {index}, {len}: {error}"),
            }
            writer.end_game(Termination::Draw).unwrap();
            let text = writer.finish().unwrap();
            for token in Reader::from_bytes(&text) {
                assert!(token.is_ok(), "kind {index}, {len}: {token:.200?}");
            }
        }
    }
}

#[test]
fn tags_that_are_given_twice_are_written_twice() {
    let text = "[White \"a\"]\n[White \"b\"]\n[Zeta \"1\"]\n[Result \"*\"]\n[Zeta \"0\"]\n[Result \"1-0\"]\n*";
    let mut writer = Writer::new(Vec::new());
    for token in Reader::from_bytes(text.as_bytes()) {
        writer.token(&token.unwrap()).unwrap();
    }
    let written = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(
        written.ends_with(
            "[White \"a\"]\n[White \"b\"]\n[Black \"?\"]\n[Result \"*\"]\n[Result \"1-0\"]\n\
             [Zeta \"1\"]\n[Zeta \"0\"]\n\n*\n\n"
        ),
        "{written}"
    );
}

#[test]
fn games_beyond_the_limits_of_the_reader_are_refused() {
    // The roster has seven tags.
    for (tags, is_written) in [(MAX_TAGS - 7, true), (MAX_TAGS - 6, false)] {
        let mut writer = Writer::new(Vec::new());
        writer.begin_game();
        for number in 0..tags {
            writer.tag(&format!("T{number}"), "x").unwrap();
        }
        let end = writer.end_game(Termination::Draw);
        assert_eq!(end.is_ok(), is_written, "{tags}: {end:?}");
        assert!(is_written || matches!(end, Err(WriteError::TooManyTags)));
        let text = writer.finish().unwrap();
        assert!(Reader::from_bytes(&text).all(|token| token.is_ok()), "{tags}");
        assert_eq!(text.is_empty(), !is_written);
    }
    let layout = Layout { sort_tags: false, ..Layout::default() };
    let comment = "x".repeat(1000);
    // A comment takes 1003 bytes with its braces and a space or a line feed.
    let most = (MAX_GAME - 10) / 1003;
    for (comments, is_written) in [(most, true), (most + 1, false)] {
        let mut writer = Writer::with_layout(Vec::new(), layout);
        writer.begin_game();
        for _ in 0..comments {
            writer.comment(&comment).unwrap();
        }
        let end = writer.end_game(Termination::Draw);
        assert_eq!(end.is_ok(), is_written, "{comments}: {end:?}");
        assert!(is_written || matches!(end, Err(WriteError::GameTooLong)));
        let text = writer.finish().unwrap();
        assert!(Reader::from_bytes(&text).all(|token| token.is_ok()), "{comments}");
        assert_eq!(text.is_empty(), !is_written);
    }
}

#[test]
fn nothing_is_written_outside_a_game() {
    let refused = |writer: &mut Writer<Vec<u8>>| {
        let all = [
            writer.tag("White", "a"),
            writer.mv("e4"),
            writer.nag(Nag::GOOD),
            writer.comment("a"),
            writer.comment("}"),
            writer.begin_variation(),
            writer.end_game(Termination::Draw),
            writer.token(&Token::Result(Termination::Draw)),
            writer.token(&Token::GameEnd),
        ];
        for (index, result) in all.into_iter().enumerate() {
            assert!(matches!(result, Err(WriteError::NotBegun)), "{index}: {result:?}");
        }
    };
    let mut writer = Writer::new(Vec::new());
    refused(&mut writer);
    writer.begin_game();
    writer.mv("e4").unwrap();
    writer.end_game(Termination::Draw).unwrap();
    refused(&mut writer);
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(text.matches("e4").count(), 1, "{text}");
}

#[test]
fn a_raw_value_that_ends_its_tag_is_refused() {
    let mut writer = Writer::new(Vec::new());
    writer.begin_game();
    for value in [&b"a\"]"[..], b"a\"] {", b"\"] [B \"c"] {
        let tag = Tag { name: b"Event".into(), raw_value: value.into() };
        let result = writer.token(&Token::Tag(tag));
        assert!(matches!(result, Err(WriteError::TagValue)), "{tag:?}");
    }
    // A quotation mark without a backslash is not the end.
    let tag = Tag { name: b"Event".into(), raw_value: b"The \"Open\" of".into() };
    writer.token(&Token::Tag(tag)).unwrap();
}

/// The reader understands `[Site "C:\games\"]` at the end of a line; other programs may not.
#[test]
fn a_last_backslash_is_escaped() {
    let text = "[Site \"C:\\games\\\"]\n\n1. e4 *\n";
    let tree = GameTree::read(&mut Reader::from_bytes(text.as_bytes())).unwrap().unwrap();
    assert_eq!(tree.tag("Site"), Some(r"C:\games\"));
    let mut tokens = Writer::new(Vec::new());
    let mut reader = Reader::from_bytes(text.as_bytes());
    while let Some(token) = reader.next_token().unwrap() {
        tokens.token(&token).unwrap();
    }
    let written = String::from_utf8(tokens.finish().unwrap()).unwrap();
    assert!(written.contains(r#"[Site "C:\games\\"]"#), "{written}");
    let again = GameTree::read(&mut Reader::from_bytes(written.as_bytes())).unwrap().unwrap();
    assert_eq!(again.tag("Site"), tree.tag("Site"));
}

#[test]
fn a_refused_game_is_dropped_and_all_others_are_written() {
    let tree =
        |text: &str| GameTree::read(&mut Reader::from_bytes(text.as_bytes())).unwrap().unwrap();
    let good = tree("1. e4 *");
    let mut bad = tree("1. d4 *");
    bad.add_comment(bad.end(), Placement::After, &"x".repeat(MAX_TOKEN + 1)).unwrap();
    let mut writer = Writer::new(Vec::new());
    for (game, is_good) in [(&bad, false), (&good, true), (&good, true), (&bad, false)] {
        assert_eq!(game.write(&mut writer, &WriteOptions::default()).is_ok(), is_good);
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(text.matches("1. e4 *").count(), 2);
    assert!(!text.contains("d4"), "{text}");
}
