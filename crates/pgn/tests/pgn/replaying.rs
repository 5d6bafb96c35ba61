//! Games on the board: start positions, variations, errors.

use tabiya::{CastlingMode, Position};
use tabiya_pgn::{GameTree, Reader, Replay, ReplayCause, Token, Writer};

/// The FEN after the last move of each game, or its error.
fn ends(text: &str) -> Vec<String> {
    let mut reader = Reader::from_bytes(text.as_bytes());
    let mut replay = Replay::new();
    let mut ends = Vec::new();
    while let Some(token) = reader.next_token().unwrap() {
        let is_end = matches!(token, Token::GameEnd);
        match replay.play(&token) {
            Err(error) => {
                ends.push(format!("{} {error}", reader.place()));
                reader.skip_game().unwrap();
            }
            Ok(_) if is_end => ends.push(replay.position().fen().to_string()),
            Ok(_) => {}
        }
    }
    ends
}

#[test]
fn variations_do_not_leak_into_the_main_line() {
    let plain = ends("1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
    for text in [
        "1. e4 (1. d4 d5 2. c4) e5 (1... c5 2. Nf3 (2. c3 d5) d6) (1... e6) 2. Nf3 Nc6 3. Bb5 *",
        "1. e4 e5 2. Nf3 Nc6 (2... Nf6 3. Nxe5 (3. d4 (3. Nc3))) 3. Bb5 (3. Bc4) (3. d4 exd4 {(}) *",
        "{} 1. e4 () e5 2. Nf3 ({only words}) Nc6 3. Bb5 *",
    ] {
        assert_eq!(ends(text), plain, "{text}");
    }
}

#[test]
fn the_tags_give_the_start_position() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40";
    let after = ends(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n40... Kd7 41. e4 *"));
    assert_eq!(after, ["8/3k4/8/8/4P3/8/8/4K3 b - - 0 41"]);
    // The next game begins as usual.
    let two = format!("[FEN \"{fen}\"]\n\n40... Kd7 *\n\n[Event \"x\"]\n\n1. e4 *");
    assert!(ends(&two)[1].contains("/4P3/"), "{:?}", ends(&two));
    assert_eq!(ends(&format!("[FEN \"{fen}\"]\n*")), [fen]);
}

#[test]
fn of_a_tag_that_stands_twice_the_first_counts() {
    let (fen, other) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 40", "4k3/8/8/8/8/8/3P4/4K3 b - - 0 1");
    for other in [other, "no position"] {
        let text = format!("[FEN \"{fen}\"]\n[FEN \"{other}\"]\n\n40. e4 *");
        assert_eq!(ends(&text), ["4k3/8/8/8/4P3/8/8/4K3 b - - 0 40"]);
        // The number of the first move is that of the position.
        let mut writer = Writer::new(Vec::new());
        for token in Reader::from_bytes(text.as_bytes()) {
            writer.token(&token.unwrap()).unwrap();
        }
        let written = String::from_utf8(writer.finish().unwrap()).unwrap();
        assert!(written.ends_with("\n\n40. e4 *\n\n"), "{written}");
        let tree = GameTree::read(&mut Reader::from_bytes(text.as_bytes())).unwrap().unwrap();
        assert_eq!((tree.start().fen().to_string().as_str(), tree.tag("FEN")), (fen, Some(fen)));
    }
    let text = "[Variant \"Standard\"]\n[Variant \"Atomic\"]\n\n1. e4 *";
    assert_eq!(ends(text), ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]);
}

#[test]
fn comments_may_stand_before_the_tags_that_give_the_start_position() {
    for before in ["; a line\n", "{c}\n", "$1\n", "{c} {d}\n\n"] {
        let text =
            format!("{before}[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 *");
        assert_eq!(ends(&text), ["4k3/8/8/8/8/8/3KP3/8 b - - 1 1"], "{before:?}");
        // This does not apply to the next game.
        let text = format!("{text}\n\n{before}1. e4 *");
        assert!(ends(&text)[1].starts_with("rnbqkbnr/pppppppp/8/8/4P3/"), "{before:?}");
    }
}

#[test]
fn chess960_is_played() {
    let fen = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1";
    for variant in ["Chess960", "chess 960", "Fischerandom", "Fischer Random"] {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n1. Ng3 Ng6 2. O-O O-O *");
        assert!(
            ends(&text)[0].starts_with("bqnbrrk1/pppppppp/6n1/8/8/6N1/PPPPPPPP/BQNBRRK1 w"),
            "{:?}",
            ends(&text)
        );
    }
    // The standard start position under Chess960, too.
    let mut replay = Replay::new();
    for token in Reader::from_bytes(b"[Variant \"Chess960\"]\n\n1. e4 *") {
        replay.play(&token.unwrap()).unwrap();
    }
    assert_eq!(replay.position().castling_mode(), CastlingMode::Chess960);
    for variant in [
        "Standard",
        "From Position",
        "chess",
        "Classical",
        "Regular",
        "",
        "?",
        "wild/8a",
        "Illegal",
    ] {
        assert_eq!(
            ends(&format!("[Variant \"{variant}\"]\n\n*")),
            [Position::START.fen().to_string()]
        );
    }
}

#[test]
fn errors_say_which_move_and_why() {
    let cases = [
        ("1. e4 e5 2. Ke3 *", "1:13 ply 3 (2. Ke3): Ke3 is not legal"),
        ("1. e4 e5 (1... Nc3) *", "1:16 ply 2 (1... Nc3): Nc3 is not legal"),
        ("1. e4 xa1 *", "1:7 ply 2 (1... xa1): "),
        ("[FEN \"8/8 w - -\"]\n\n1. e4 *", "3:4 the tag FEN: the board has 2 ranks, not 8"),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "3:4 unknown variant \"Atomic\""),
        ("[Variant \"Поддавки\"]\n\n1. e4 *", "3:4 unknown variant \"Поддавки\""),
        ("1. e4 f6 2. d3 g5 3. Qh5 -- *", "1:26 ply 6 (3... --): a side in check cannot pass"),
    ];
    for (text, expected) in cases {
        let found = ends(text);
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].starts_with(expected), "{text}: {found:?}");
    }
    let mut replay = Replay::new();
    let mut reader = Reader::from_bytes(b"1. e4 Ke3 *");
    let error = loop {
        if let Err(error) = replay.play(&reader.next_token().unwrap().unwrap()) {
            break error;
        }
    };
    assert!(matches!(error.cause(), ReplayCause::Move(_)));
    assert_eq!(error.ply(), 2);
}

#[test]
fn moves_in_other_notations_are_played() {
    let plain = ends("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *");
    for text in [
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. e1g1 *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. 0-0 *",
        "1. ♙e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. O-O *",
    ] {
        assert_eq!(ends(text), plain, "{text}");
    }
    // A null move passes.
    let passed = ends("1. e4 -- 2. d4 Z0 *");
    assert!(passed[0].starts_with("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - "));
}

#[test]
fn comments_between_tags_change_nothing() {
    let fen = "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
    let setup = format!("[FEN \"{fen}\"]");
    let after = ends(&format!("{setup}\n[Variant \"Chess960\"]\n\n1. O-O *"));
    assert!(!after[0].contains("ply"), "{after:?}");
    for tags in [
        format!("{{a}}\n{setup}\n[Variant \"Chess960\"]"),
        format!("{setup}\n{{c}}\n[Variant \"Chess960\"]"),
        format!("[Variant \"Chess960\"]\n{{a}}\n{setup}\n{{b}}\n[Site \"c\"]"),
    ] {
        assert_eq!(ends(&format!("{tags}\n\n1. O-O *")), after, "{tags}");
    }
}

#[test]
fn zeros_pass_as_a_null_move() {
    let dashes = ends("1. e4 -- 2. d4 (2. -- d5) *");
    assert_eq!(ends("1. e4 0000 2. d4 (2. 0000 d5) *"), dashes);
    assert_eq!(
        ends("1. e4 d5 2. Bb5+ 0000 *"),
        ["1:18 ply 4 (2... 0000): a side in check cannot pass"]
    );
}

#[test]
fn the_length_of_a_line_is_bounded() {
    use tabiya_pgn::{MAX_PLIES, NumberedMove};
    let mv = |text: &'static [u8]| Token::Move(NumberedMove::new(text));
    let moves = [&b"Nf3"[..], b"Nf6", b"Ng1", b"Ng8"];
    for null in [false, true] {
        let mut replay = Replay::new();
        for ply in 0..MAX_PLIES as usize {
            let text = if null { &b"--"[..] } else { moves[ply % 4] };
            replay.play(&mv(text)).unwrap();
        }
        let last = if null { &b"--"[..] } else { b"Nf3" };
        let error = replay.play(&mv(last)).unwrap_err();
        assert_eq!(error.cause(), &ReplayCause::TooManyMoves);
        assert_eq!(error.ply(), MAX_PLIES + 1);
        assert_eq!(replay.ply(), MAX_PLIES);
        // A variation in place of the last move, and the next game.
        replay.play(&Token::VariationStart).unwrap();
        replay.play(&mv(if null { b"--" } else { b"Ng8" })).unwrap();
        replay.play(&Token::GameStart).unwrap();
        replay.play(&mv(b"Nf3")).unwrap();
    }
}
