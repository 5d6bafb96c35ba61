//! Peculiarities of files over which other readers stumble, as tokens. More of them are in
//! `tests/languages/cases.txt`, as games.

use tabiya_pgn::{ErrorKind, Reader};

use crate::pieces::Pieces;
use crate::reading::streamed;
use crate::show::line;

/// Checks the tokens of each text, whole and in a stream that comes in pieces.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(line(text), *expected, "{text:?}");
        let whole = streamed(Reader::from_bytes(text.as_bytes()));
        for len in 1..text.len().min(20) {
            let pieces = streamed(Reader::new(Pieces(text.as_bytes(), len)));
            assert_eq!(pieces, whole, "{text:?} in pieces of {len}");
        }
    }
}

#[test]
fn utf_16_is_refused_once() {
    assert_eq!(line(b"\xff\xfe[\0E\0v\0"), "ERROR 1:1 Utf16");
    assert_eq!(line(b"\xfe\xff\0[\0E\0v"), "ERROR 1:1 Utf16");
}

#[test]
fn digits_may_be_a_move() {
    for (text, expected) in [
        ("1. e4 0000 2. d4 *", "< e4 0000 d4 * >"),
        ("1. e4 {c}0000 2. d4 *", "< e4 {c} 0000 d4 * >"),
        ("1.0000 e5 2.0000 0000\n0000\t*", "< 0000 e5 0000 0000 0000 * >"),
        ("1. e4 (1. 0000) (1.0000? e5)0000 *", "< e4 ( 0000 ) ( 0000 $2 e5 ) 0000 * >"),
        ("e4\n\n0000\n\n1. d4", "< e4 0000 > < d4 >"),
        ("1. e4 00 2.000! 3...00+ (00)000# 00", "< e4 00 000 $1 00+ ( 00 ) 000# 00 >"),
        ("01.e4 e5 04.0-0 05.00 0-0 010.0-0-0! 011.000", "< e4 e5 0-0 00 0-0 0-0-0 $1 000 >"),
        // Neither an evaluation nor a year is a move.
        ("1. e4 0.00 (0.00) e5 10.00 000.00 *", "< e4 ( ) e5 00 * >"),
        ("1886\n\n[White \"a\"]\n\n1. e4 *", "< [White=a] e4 * >"),
        ("1. e4 5254 2.5755 (2. e5 17281) 7163 *", "< e4 5254 5755 ( e5 17281 ) 7163 * >"),
        ("1. e4 (2455) e5 *", "< e4 ( 2455 ) e5 * >"),
        // These are numbers.
        ("1234. e4 e5 1294 d4 17285 d5 *", "< e4 e5 d4 d5 * >"),
        ("0000. e4 00. e5 000. d4 00000 d5 10000. c4 *", "< e4 e5 d4 d5 c4 * >"),
    ] {
        assert_eq!(line(text), expected, "{text:?}");
        assert_eq!(line(text.replace(' ', "           ")), expected, "{text:?}");
    }
}

#[test]
fn moves_are_written_in_many_ways() {
    let moves =
        "Nge2 e8=Q+ e8(Q)# e8Q exd6 O-O-O+ 0-0 0-0-0# Ng1-f3 -- Z0 e2e4 exd8=N++ ♘f3 a7-a8/Q";
    assert_eq!(line(format!("{moves} *")), format!("< {moves} * >"));
    check(&[
        ("exd6e.p. fxg6 e.p. e4 *", "< exd6e.p. fxg6 e4 * >"),
        ("exd6e.p.+ fxg6 e.p.# e4 *", "< exd6e.p.+ fxg6 e4 * >"),
        // Only `e` can begin the mark.
        ("exd6.p. e4 *", "< exd6 ~p. e4 * >"),
        // Signs of glyphs at the end of a move are glyphs.
        ("e4+- Nf6+/= d4= d5± Nf3! *", "< e4 $18 Nf6 $14 d4 $10 d5 $16 Nf3 $1 * >"),
        ("e4!!! *", "< e4 $3 $1 * >"),
    ]);
}

#[test]
fn tags_end_at_a_quotation_mark_and_a_bracket() {
    check(&[
        (r#"[Event "The \"Open\" \\ 1"] *"#, r#"< [Event=The "Open" \ 1] * >"#),
        (r#"[Event "The "Open" of"] *"#, r#"< [Event=The "Open" of] * >"#),
        ("[Event \"a]b[c\"] *", "< [Event=a]b[c] * >"),
        ("[ Event  \"a\" ]\t[Site\"b\"][Empty \"\"] *", "< [Event=a] [Site=b] [Empty=] * >"),
        // A last backslash is a letter if the tag ends its line.
        (r#"[Event "C:\games\"] *"#, r#"< ~[Event "C:\games\"] * >"#),
        ("[Event \"C:\\games\\\"] \t\n", r"< [Event=C:\games\] >"),
        (r#"[Event "C:\games\"]"#, r"< [Event=C:\games\] >"),
        (r#"[Event "C:\\games\\"] *"#, r"< [Event=C:\games\] * >"),
        ("[Event \"a\\\" ]\n[Site \"b\\\"] c\"]\n*", r#"< [Event=a\] [Site=b"] c] * >"#),
    ]);
}

#[test]
fn malformed_tags_are_remarks_up_to_the_end_of_their_lines() {
    for wrong in [
        "[Event \"a]",
        "[Event \"a\"",
        "[Event",
        "[\"a\"]",
        "[]",
        "[",
        "[Event 'a']",
        "[Event \u{201c}a\u{201d}]",
    ] {
        for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
            for (text, expected) in [
                ("W\n[Site \"x\"]\n\n1. e4 *", "< ~W [Site=x] e4 * >"),
                ("W\n\n[Site \"x\"]\n\n1. e4 *", "< ~W [Site=x] e4 * >"),
                ("[Site \"x\"]\nW\nW\n1. e4 *", "< [Site=x] ~W ~W e4 * >"),
                ("1. d4 *\n\nW\n\n1. e4 *\n\n1. c4 *", "< d4 * > < ~W e4 * > < c4 * >"),
                ("W", "< ~W >"),
            ] {
                let text = text.replace('W', wrong).replace('\n', line_end);
                assert_eq!(line(&text), expected.replace('W', wrong), "{text:?}");
            }
        }
    }
    // A line break in a value.
    let text = "[Annotator \"one\ntwo\"]\n[White \"w\"]\n\n1. e4 *";
    assert_eq!(line(text), "< ~[Annotator \"one ~two\"] [White=w] e4 * >");
}

#[test]
fn brackets_among_the_moves_are_remarks() {
    check(&[
        ("1. e4 e5[1] 2. Nf3 [%eval 0.20] *", "< e4 e5 ~[1] Nf3 ~[%eval 0.20] * >"),
        (
            "1. e4 [Diagram]\n[or Nc3] e5 [\n2. Nf3 ] *",
            "< e4 ~[Diagram] ~[or Nc3] e5 ~[ Nf3 ~] * >",
        ),
        ("1. e4 (1. d4 [x] d5) e5 } ) *", "< e4 ( d4 ~[x] d5 ) e5 ~} ~) * >"),
        // A tag begins the next game, also directly after the last word.
        ("1. e4 e5[White \"a\"]\n1. d4 *", "< e4 e5 > < [White=a] d4 * >"),
        ("1. e4 0-0[ White\t\"a\"] 1-0[White \"b\"]", "< e4 0-0 > < [White=a] 1-0 > < [White=b] >"),
    ]);
}

#[test]
fn comments_may_stand_between_the_tags() {
    check(&[
        ("[Event \"a\"]\n{c}\n[Site \"b\"]\n\n1. e4 *", "< [Event=a] {c} [Site=b] e4 * >"),
        ("; c\n[Event \"a\"]\n; c\n[Site \"b\"]\n*", "< {; c} [Event=a] {; c} [Site=b] * >"),
        (
            "{a}\n\n{b}\n\n[Event \"a\"]\n{c}$1\n[Site \"b\"]\n[Date \"d\"]\n{e}\n[FEN \"f\"]",
            "< {a} {b} [Event=a] {c} $1 [Site=b] [Date=d] {e} [FEN=f] >",
        ),
        // A tag after a move belongs to the next game.
        ("[Event \"a\"]\n{c} e4\n[Site \"b\"]\n*", "< [Event=a] {c} e4 > < [Site=b] * >"),
    ]);
}

#[test]
fn a_missing_result_ends_with_the_next_tags() {
    check(&[
        ("[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. d4", "< [Event=a] e4 > < [Event=b] d4 >"),
        // Games without moves are separated, too.
        (
            "[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n*",
            "< [Event=a] [Site=x] > < [Event=b] * >",
        ),
        // The first tag again begins the next game, but not without an empty line.
        (
            "[A \"1\"]\n\n[A \"2\"]\n[B \"b\"]\n\n[B \"c\"]\n\n[A \"3\"]\n*",
            "< [A=1] > < [A=2] [B=b] [B=c] > < [A=3] * >",
        ),
        ("[E \"a\"]\n\n[W \"b\"]\n[W \"c\"]\n\n1. e4 *", "< [E=a] [W=b] [W=c] e4 * >"),
        // The empty lines of another game do not count.
        (
            "[A \"a\"]\n\n1. e4 *\n\n[B \"b\"]\n[C \"c\"]\n[C \"d\"]\n*",
            "< [A=a] e4 * > < [B=b] [C=c] [C=d] * >",
        ),
        // Without tags, the number of the first move begins a game.
        ("1. e4 e5\n\n1. d4 d5\n\n2. c4 1. e4", "< e4 e5 > < d4 d5 c4 e4 >"),
        ("[E \"a\"]\n\n[S \"x\"]\n\n1. e4\n\n1... e5 *", "< [E=a] [S=x] e4 e5 * >"),
        ("1. e4 e5\n2.\n1. Nf3 *", "< e4 e5 Nf3 * >"),
        ("1. e4 e5\n2.\n\n1. Nf3 *", "< e4 e5 > < Nf3 * >"),
        ("1. e4 e5\n\n{x}\n1. Nf3 *", "< e4 e5 {x} Nf3 * >"),
    ]);
}

#[test]
fn what_follows_the_result_belongs_to_the_game_up_to_an_empty_line() {
    check(&[
        ("1. e4 1-0 {c}\n\n[Event \"b\"]\n*", "< e4 1-0 {c} > < [Event=b] * >"),
        ("* ; c\r\n% x\n{d} $1 !? +-\n\n1. d4 *", "< * {; c} {d} $1 $5 $18 > < d4 * >"),
        ("1. e4 1-0\n\n{c}\n1. d4 *", "< e4 1-0 > < {c} d4 * >"),
        ("1. e4 1-0 {c} \r\n \r\n{d}\n[A \"\"]", "< e4 1-0 {c} > < {d} [A=] >"),
        ("*\n%\n\n{d}\n$1", "< * > < {d} $1 >"),
        ("* {a}\n\n\n{b}\n\n$1\n\n;c", "< * {a} > < {b} $1 {;c} >"),
        // Another result is a remark.
        ("1. e4 1-0 * {c} 0-1\n1. d4 1-0 0-1 x", "< e4 1-0 ~* {c} ~0-1 > < d4 1-0 ~0-1 ~x >"),
        ("1. e4 1-0 [x] ) }\n1. d4 *", "< e4 1-0 ~[x] ~) ~} > < d4 * >"),
        // Between games, words belong to none.
        ("*\n\nRound 2 (last) 12 =\n\n1. d4 *", "< * > ~Round ~( ~last ~) ~= < d4 * >"),
        ("*\n\n1-0\n\n*", "< * > < 1-0 > < * >"),
    ]);
}

#[test]
fn any_line_end_ends_comments_and_escaped_lines_and_begins_the_next_game() {
    let text = "% x\n[Event \"a\"]\n{c}\n[Site \"b\"]\n\n1. e4 ; x } y\n% z\n1... e5\n\n1. d4 [ d5 1-0\n\n\
        1. c4 {x\ny} c5 1/2\n\n[Event \"d\"]\n\n[Event \"e\"]\n1. f4 (\n[Site \"f\"]\n\n[Event \"g\"]\n\n*\n% end";
    let expected = "< [Event=a] {c} [Site=b] e4 {; x } y} e5 > < d4 ~[ d5 1-0 > < c4 {x\ny} c5 \
        1/2-1/2 > < [Event=d] > < [Event=e] f4 ( ERROR VariationNotClosed ) > < [Site=f] > \
        < [Event=g] * >";
    for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let found = line(text.replace('\n', line_end)).replace(line_end, "\n");
        let (before, error) = found.split_once("ERROR ").unwrap();
        let (_, error) = error.split_once(' ').unwrap();
        assert_eq!(format!("{before}ERROR {error}"), expected, "{line_end:?}");
    }
}

#[test]
fn a_variation_that_is_not_closed_ends_before_the_next_game() {
    check(&[
        (
            "1. e4 (1. d4 d5 *\n\n1. c4 c5 *\n\n1. Nf3 *\n",
            "< e4 ( d4 d5 ~* ERROR 3:1 VariationNotClosed ) > < c4 c5 * > < Nf3 * >",
        ),
        ("1. e4 (1. d4", "< e4 ( d4 ERROR 1:13 VariationNotClosed ) >"),
        // Not every number is that of the first move, and a game does not begin after one line end.
        ("1. e4 e5 (1... c5\n\n2. c3) 2. f4 *", "< e4 e5 ( c5 c3 ) f4 * >"),
        ("1. e4 e5 (\n1. d4\n1... d5) 2. f4 *", "< e4 e5 ( d4 d5 ) f4 * >"),
        ("1. e4 (1. d4)\n\n1. c4 *", "< e4 ( d4 ) > < c4 * >"),
    ]);
}

#[test]
fn after_an_error_of_the_text_the_next_game_begins_at_a_line() {
    for space in ["", " ", "\t", "  \t"] {
        for (next, expected) in [
            ("[White \"b\"]\n\n1. d4 *", "< [White=b] d4 * >"),
            ("\n1. d4 *\n\n1. c4 *", "< d4 * > < c4 * >"),
            ("[x]\n\n[to be continued]\n\n1. d4 *", "< d4 * >"),
            ("1... d5 2. c4 *\n\n[A \"\"]", "< [A=] >"),
        ] {
            let text = format!("1. e4 {{no end\n\n{next}").replace('\n', &format!("\n{space}"));
            let found = line(&text);
            let error = "< e4 ERROR 1:7 CommentNotClosed > ";
            assert_eq!(found.strip_prefix(error), Some(expected), "{text:?}");
        }
    }
}

#[test]
fn nothing_is_no_game() {
    for text in ["", "\n", " \r\n\t", "\u{feff}", "\n\u{a0}\n", "% only this", "1886"] {
        assert_eq!(line(text), "", "{text:?}");
    }
    check(&[("*", "< * >"), ("e4\n\n1.", "< e4 > < >"), ("0000\n\n1. d4", "< d4 >")]);
}

#[test]
fn tags_and_games_are_bounded() {
    use tabiya_pgn::{MAX_GAME, MAX_TAGS};
    let tags = |number| {
        let text = "[A \"b\"]\n".repeat(number);
        line(text + "\ne4 *\n\n[Event \"b\"]\n*")
    };
    assert!(tags(MAX_TAGS as usize).ends_with("[A=b] e4 * > < [Event=b] * >"));
    let expected = format!("[A=b] ERROR {}:1 TooManyTags > < [Event=b] * >", MAX_TAGS + 1);
    assert!(tags(MAX_TAGS as usize + 1).ends_with(&expected));
    // Comments, which are read faster, fill the game except for the last moves.
    let comment = format!("{{{}}} ", "x".repeat((1 << 15) - 3));
    let comments = comment.repeat(MAX_GAME / comment.len() - 1);
    let moves = |number| line(comments.clone() + &"e4 ".repeat(number) + "*\n\n[Event \"b\"]\n*");
    assert!(moves(comment.len() / 3).ends_with("e4 e4 * > < [Event=b] * >"));
    let expected = format!("e4 ERROR 1:{} GameTooLong > < [Event=b] * >", MAX_GAME + 1);
    let long = moves(comment.len() / 3 + 1);
    assert!(long.ends_with(&expected), "{}", &long[long.len() - 100..]);
    // Comments after the result count, too.
    let remarks = comment.repeat(MAX_GAME / comment.len() + 1);
    let remarks = line(format!("* {remarks}\n\n[Event \"b\"]\n*"));
    let expected = format!("x}} ERROR 1:{} GameTooLong > < [Event=b] * >", MAX_GAME + 3);
    assert!(remarks.ends_with(&expected), "{}", &remarks[remarks.len() - 100..]);
    // The buffer of a stream holds only a part of the game.
    let text = comments + &"e4 ".repeat(comment.len() / 3 + 1);
    let mut reader = Reader::new(text.as_bytes());
    let error = loop {
        match reader.next_token() {
            Ok(token) => assert_ne!(token, None, "the game is too long"),
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), error.place().byte), (&ErrorKind::GameTooLong, MAX_GAME as u64));
}

#[test]
fn depth_and_length_are_bounded() {
    use tabiya_pgn::{MAX_DEPTH, MAX_TOKEN};
    let depth = MAX_DEPTH as usize;
    let nested = |depth: usize| {
        format!("e4 {}{} *\n\n[Event \"b\"]\n*", "(".repeat(depth), ")".repeat(depth))
    };
    assert!(line(nested(depth)).ends_with(") * > < [Event=b] * >"));
    let expected = format!("ERROR 1:{} TooDeep {}> < [Event=b] * >", depth + 4, ") ".repeat(depth));
    assert!(line(nested(depth + 1)).ends_with(&expected));
    // A token of the largest size, and a longer one; at the start of the text and after more than
    // that.
    for (begin, end) in [
        ("{", "}"),
        (";", "\n"),
        ("Na1", " "),
        ("1", "."),
        ("$", "1 "),
        ("0-", " "),
        ("--", " "),
        ("\u{2658}", " "),
    ] {
        // The braces do not count.
        let without = if begin == "{" { 0 } else { (begin.to_owned() + end.trim_end()).len() };
        let without = if end == "." { begin.len() } else { without };
        for before in [String::new(), format!("e4 {}", " ".repeat(MAX_TOKEN))] {
            let text = |len: usize| {
                format!("{before}{begin}{}{end}\n[Event \"b\"]\n*", "0".repeat(len - without))
            };
            let found = line(text(MAX_TOKEN));
            assert!(!found.contains("ERROR"), "{begin}: {found:.100}");
            let kind = if begin == "{" { "CommentNotClosed" } else { "TooLong" };
            let expected = format!("ERROR 1:{} {kind} > < [Event=b] * >", before.len() + 1);
            let found = line(text(MAX_TOKEN + 1));
            assert!(found.ends_with(&expected), "{begin}: {found:.100}");
        }
    }
    let tag = |len: usize| {
        let value = "0".repeat(len - "[A \"\"]".len());
        line(format!("[A \"{value}\"]\n\n[Event \"b\"]\n*"))
    };
    assert!(!tag(MAX_TOKEN).contains("ERROR"));
    assert!(tag(MAX_TOKEN + 2).starts_with("< ERROR 1:1 TooLong > < [Event=b]"));
}
