//! Peculiarities of files over which other readers stumble.

use tabiya_pgn::{Error, ErrorKind, Reader};

use crate::pieces::Pieces;
use crate::reading::streamed;
use crate::show::{self, line};

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_tag() {
    assert_eq!(line("\u{feff}[Event \"a\"]\n\n1. e4 *"), "< [Event=a] e4 * >");
    // The byte-order mark of a file that was appended to another.
    let two = "[Event \"a\"]\n\n1. e4 *\n\n\u{feff}[Event \"b\"]\n\n1. d4 *";
    assert_eq!(line(two), "< [Event=a] e4 * > < [Event=b] d4 * >");
}

#[test]
fn utf_16_is_refused_once() {
    assert_eq!(line(b"\xff\xfe[\0E\0v\0"), "ERROR 1:1 Utf16");
    assert_eq!(line(b"\xfe\xff\0[\0E\0v"), "ERROR 1:1 Utf16");
}

#[test]
fn numbers_of_moves_are_written_in_many_ways() {
    for text in [
        "1.e4 e5 2.Nf3 *",
        "1. e4 e5 2. Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "1. e4 1. ... e5 2. Nf3 *",
        "1. e4 1... e5 2. Nf3 *",
        "1.e4 1....e5 2..Nf3 *",
        "e4 e5 Nf3 *",
        "1 . e4 1 ... e5 7. Nf3 *",
        "1.\te4\u{a0}e5\r\n2.Nf3\n*",
    ] {
        assert_eq!(line(text), "< e4 e5 Nf3 * >", "{text:?}");
    }
    assert_eq!(line("10....Nf6 11. Bd3 *"), "< Nf6 Bd3 * >");
    assert_eq!(line("123456789012345678901234567890. e4 *"), "< e4 * >");
}

#[test]
fn marks_are_one_glyph() {
    assert_eq!(
        line("1. e4?? e5!? 2. Nf3 ?! Nc6 !! 3. Bc4! Bc5? *"),
        "< e4 $4 e5 $5 Nf3 $6 Nc6 $3 Bc4 $1 Bc5 $2 * >"
    );
    assert_eq!(line("e4!!! *"), "< e4 $3 $1 * >");
}

#[test]
fn glyphs_are_numbers_or_signs() {
    assert_eq!(line("1. e4 $1 $146$2 e5 $255 *"), "< e4 $1 $146 $2 e5 $255 * >");
    assert_eq!(
        line("1. e4 += e5 +/- 2. d4 -+ d5 = 3. c4 ± c5 ∞ *"),
        "< e4 $14 e5 $16 d4 $19 d5 $10 c4 $16 c5 $13 * >"
    );
    assert_eq!(line("1. e4 $256 e5 *"), "< e4 ERROR 1:7 Nag");
    assert_eq!(line("1. e4 $ e5 *"), "< e4 ERROR 1:7 Nag");
}

#[test]
fn comments_stand_between_glyphs() {
    assert_eq!(line("1. e4 $1 {a} $2 {b}{c} e5 *"), "< e4 $1 {a} $2 {b} {c} e5 * >");
}

#[test]
fn a_parenthesis_follows_a_glyph() {
    assert_eq!(line("1. e4 (1. d4 $1) e5 (1... c5!?) *"), "< e4 ( d4 $1 ) e5 ( c5 $5 ) * >");
    assert_eq!(line("1.e4(1.d4)e5(1...c5)(1...e6)*"), "< e4 ( d4 ) e5 ( c5 ) ( e6 ) * >");
}

#[test]
fn commands_in_comments_are_kept() {
    assert_eq!(
        line("1. e4 {[%clk 0:03:00]} e5 { [%foo bar] x } *"),
        "< e4 {[%clk 0:03:00]} e5 { [%foo bar] x } * >"
    );
}

#[test]
fn comments_may_hold_anything() {
    assert_eq!(
        line("1. e4 {(1. d4 { ; [Event \"x\"] 1-0} e5 *"),
        "< e4 {(1. d4 { ; [Event \"x\"] 1-0} e5 * >"
    );
    assert_eq!(line("1. e4 {\n[Event \"x\"]\n%\n} e5 *"), "< e4 {\n[Event \"x\"]\n%\n} e5 * >");
    assert_eq!(line("1. e4 {} e5{}*"), "< e4 {} e5 {} * >");
}

#[test]
fn a_semicolon_comments_the_rest_of_the_line() {
    assert_eq!(
        line("1. e4 ; best {by test\r\n1... e5 ;\n*;end"),
        "< e4 {; best {by test} e5 {;} * {;end} >"
    );
    assert_eq!(line("1. e4 {a;b} e5 *"), "< e4 {a;b} e5 * >");
}

#[test]
fn digits_may_be_a_move() {
    for (text, expected) in [
        ("1. e4 0000 2. d4 *", "< e4 0000 d4 * >"),
        ("1. e4 {c}0000 2. d4 *", "< e4 {c} 0000 d4 * >"),
        ("1.0000 e5 2.0000 0000\n0000\t*", "< 0000 e5 0000 0000 0000 * >"),
        ("1. e4 (1. 0000) (1.0000? e5)0000 *", "< e4 ( 0000 ) ( 0000 $2 e5 ) 0000 * >"),
        ("0000", "< 0000 >"),
        ("1. 0000! {c}", "< 0000 $1 {c} >"),
        ("e4\n\n0000\n\n1. d4", "< e4 0000 > < d4 >"),
        ("0000\n\n1. d4", "< 0000 > < d4 >"),
        ("1. e4 00 2.000! 3...00+ (00)000# 00", "< e4 00 000 $1 00+ ( 00 ) 000# 00 >"),
        ("1. Be3 00 10. 00 Nf3 00\n 2. e4 000", "< Be3 00 00 Nf3 00 e4 000 >"),
        ("01.e4 e5 04.0-0 05.00 0-0 010.0-0-0! 011.000", "< e4 e5 0-0 00 0-0 0-0-0 $1 000 >"),
        // Neither an evaluation nor a year is a move.
        ("1. e4 0.00 (0.00) e5 10.00 000.00 *", "< e4 ( ) e5 00 * >"),
        ("1886\n\n[White \"a\"]\n\n1. e4 *", "< [White=a] e4 * >"),
        // The reader yields moves in digits; replaying them is an error.
        ("1. e4 5254 2.5755 (2. e5 17281) 7163 *", "< e4 5254 5755 ( e5 17281 ) 7163 * >"),
        ("1. e4 (2455) e5 *", "< e4 ( ) e5 * >"),
        // These are numbers.
        ("1234. e4 e5 1294 d4 17285 d5 *", "< e4 e5 d4 d5 * >"),
        ("0000. e4 00. e5 000. d4 00000 d5 10000. c4 *", "< e4 e5 d4 d5 c4 * >"),
    ] {
        assert_eq!(line(text), expected, "{text:?}");
        assert_eq!(line(text.replace(' ', "           ")), expected, "{text:?}");
    }
}

/// Files that were joined, of which one had no line end at its end.
#[test]
fn a_tag_may_begin_right_behind_the_last_word() {
    for (text, expected) in [
        ("1. e4 e5 1-0[White \"a\"]\n\n1. d4 *", "< e4 e5 1-0 > < [White=a] d4 * >"),
        ("1. e4 1/2-1/2[White \"a\"]\n1. d4 *", "< e4 1/2-1/2 > < [White=a] d4 * >"),
        ("1. e4 *[White \"a\"]\n1. d4 *", "< e4 * > < [White=a] d4 * >"),
        ("1. e4 e5[White \"a\"]\n1. d4 *", "< e4 e5 > < [White=a] d4 * >"),
        ("1. Ngf3+[White \"a\"]\n1. d4 *", "< Ngf3+ > < [White=a] d4 * >"),
        ("1. e4 O-O-O[White \"a\"]\n1. d4 *", "< e4 O-O-O > < [White=a] d4 * >"),
        ("1. e4 0-0[White \"a\"]\n1. d4 *", "< e4 0-0 > < [White=a] d4 * >"),
        ("1. e4 00[White \"a\"]\n1. d4 *", "< e4 00 > < [White=a] d4 * >"),
        ("1. e4 e5 [ White\t\"a\"]\n1. d4 *", "< e4 e5 > < [White=a] d4 * >"),
    ] {
        assert_eq!(line(text), expected, "{text:?}");
    }
}

/// Footnotes, and commands that are not in a comment.
#[test]
fn another_bracket_among_the_moves_breaks_their_game() {
    let next = "\n[Event \"b\"]\n\n1. d4 *";
    for (bracket, comment, column) in [
        ("[1]", "", 9),
        (" [1]", "", 10),
        (" [%eval 0.20]", "", 10),
        ("[%clk 0:01:00]", "", 9),
        ("[Event 'x']", "", 9),
        ("[Event", "", 9),
        ("[", "", 9),
        (" {c} [x]", "{c} ", 14),
    ] {
        let text = format!("[Event \"a\"]\n1. e4 e5{bracket} 2. Nf3 1-0\n{next}");
        let byte = format!("ERROR 2:{column} Byte(91)");
        let expected = format!("< [Event=a] e4 e5 {comment}{byte} < [Event=b] d4 * >");
        assert_eq!(line(&text), expected, "{bracket}");
    }
    // Behind an empty line it may be a tag that is malformed.
    let text = format!("1. e4 e5\n\n[Event 'x'] 2. Nf3 1-0\n{next}");
    assert_eq!(line(text), "< e4 e5 > < ERROR 3:1 TagValue < [Event=b] d4 * >");
    // Whatever the first tag of the next game is, that game is read.
    let next = "\n\n[White \"b\"]\n\n1. d4 *";
    let byte = "ERROR 2:1 Byte(91) < [White=b] d4 * >";
    for (text, expected) in [
        ("1. e4 e5\n[1] 2. Nf3 *", format!("< e4 e5 {byte}")),
        ("1. e4 e5\n[%eval 0.2] 2. Nf3 *", format!("< e4 e5 {byte}")),
        ("1. e4 e5\n[] 2. Nf3 *", format!("< e4 e5 {byte}")),
        ("1. e4 e5\n[Diagram] 2. Nf3 *", format!("< e4 e5 {byte}")),
        ("1. e4 e5\n[or Nc3] 2. Nf3 *", format!("< e4 e5 {byte}")),
        ("1. e4 (1. d4\n[or c4] d5) e5 *", format!("< e4 ( d4 {byte}")),
        ("1. e4 (1. d4\n[1] d5) e5 *", format!("< e4 ( d4 {byte}")),
        ("1. [%eval 0.2] e4 *", "< ERROR 1:4 Byte(91) < [White=b] d4 * >".to_owned()),
    ] {
        assert_eq!(line(format!("{text}{next}")), expected, "{text}");
    }
}

#[test]
fn comments_may_stand_between_the_tags() {
    for (text, expected) in [
        ("[Event \"a\"]\n{c}\n[Site \"b\"]\n\n1. e4 *", "< [Event=a] {c} [Site=b] e4 * >"),
        ("[Event \"a\"] {c} [Site \"b\"] e4 *", "< [Event=a] {c} [Site=b] e4 * >"),
        ("[Event \"a\"]\n; c\n[Site \"b\"]\n*", "< [Event=a] {; c} [Site=b] * >"),
        (
            "{a}\n\n{b}\n\n[Event \"a\"]\n{c}{d}\n[Site \"b\"]\n[Date \"d\"]\n{e}\n[FEN \"f\"]",
            "< {a} {b} [Event=a] {c} {d} [Site=b] [Date=d] {e} [FEN=f] >",
        ),
        // The next game.
        ("[Event \"a\"]\n{c}\n[Event \"b\"]\n*", "< [Event=a] {c} > < [Event=b] * >"),
        ("[Event \"a\"]\n{c}\n\n[Site \"b\"]\n*", "< [Event=a] {c} > < [Site=b] * >"),
        ("[Event \"a\"]\n{c}\n[Site b]\n*", "< [Event=a] {c} ERROR 3:1 TagValue"),
        // A tag after a move belongs to the next game.
        ("[Event \"a\"]\n{c} e4\n[Site \"b\"]\n*", "< [Event=a] {c} e4 > < [Site=b] * >"),
    ] {
        assert_eq!(line(text), expected, "{text:?}");
    }
}

#[test]
fn comments_may_stand_before_the_tags_and_the_moves() {
    assert_eq!(
        line("; made by hand\n[Event \"a\"]\n\n{intro} 1. e4 *"),
        "< {; made by hand} [Event=a] {intro} e4 * >"
    );
}

#[test]
fn escaped_lines_are_passed() {
    assert_eq!(
        line("% {\n[Event \"a\"]\n% more\n\n1. e4\n%)\ne5 *\n% end"),
        "< [Event=a] e4 e5 * >"
    );
    // A line is escaped only by a percent sign in the first column.
    assert_eq!(line("1. e4\n % e5 *"), "< e4 ERROR 2:2 Byte(37)");
}

#[test]
fn variations_nest() {
    assert_eq!(
        line("1. e4 (1. d4 d5 (1... Nf6 (1... f5) 2. c4) 2. c4) (1. c4) 1... e5 *"),
        "< e4 ( d4 d5 ( Nf6 ( f5 ) c4 ) c4 ) ( c4 ) e5 * >"
    );
    // A result in a variation does not end the game.
    assert_eq!(
        line("1. e4 (1. d4 1-0) (1. c4 *) (1. b4 1/2-1/2) e5 0-1"),
        "< e4 ( d4 ) ( c4 ) ( b4 ) e5 0-1 >"
    );
}

#[test]
fn a_missing_result_ends_with_the_next_tags() {
    assert_eq!(
        line("[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. d4"),
        "< [Event=a] e4 > < [Event=b] d4 >"
    );
    // Games without moves are separated, too.
    assert_eq!(
        line("[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n\n*"),
        "< [Event=a] [Site=x] > < [Event=b] * >"
    );
    // A tag that the game has already begins the next one, but not without an empty line.
    assert_eq!(
        line(
            "[Event \"a\"]\n[Round \"1\"]\n\n[Round \"2\"]\n[White \"b\"]\n\n[White \"c\"]\n\n1. e4 *"
        ),
        "< [Event=a] [Round=1] > < [Round=2] [White=b] > < [White=c] e4 * >"
    );
    assert_eq!(
        line("[Event \"a\"]\n\n[White \"b\"]\n[White \"c\"]\n{d}\n[White \"e\"]\n\n1. e4 *"),
        "< [Event=a] [White=b] [White=c] {d} [White=e] e4 * >"
    );
    assert_eq!(
        line(
            "[White \"a\"]\n\n{b} {c}\n;d\n[White \"e\"]\n\n{f}\n[Black \"g\"]\n[White \"h\"]\n\n*"
        ),
        "< [White=a] {b} {c} {;d} > < [White=e] {f} [Black=g] [White=h] * >"
    );
    // The empty lines of another game do not count.
    assert_eq!(
        line("[A \"a\"]\n\n1. e4 *\n\n[B \"b\"]\n[C \"c\"]\n [C \"\\\"\"]\n[C \"c\"]\n\n1. d4 *"),
        "< [A=a] e4 * > < [B=b] [C=c] [C=\"] [C=c] d4 * >"
    );
    // So it does behind a malformed tag, of which the name counts as well.
    for game in [
        "[White \"a\"]\n[Black b]\n[Result \"1-0\"]\n",
        "[Black b]\n[White \"a\"]\n",
        "[Black b]\n\t[White 'a']\n",
        "[White a]\n",
        "[White a\"]\n[Black \"b\"]\n",
    ] {
        let text = line(format!("{game}\n[White \"c\"]\n[Black \"d\"]\n\n1. e4 *"));
        assert!(text.ends_with("< [White=c] [Black=d] e4 * >"), "{game}: {text}");
        let text = line(format!("{game}\n[Result \"*\"]\n\n1. e4 *\n\n[Event \"e\"]\n*"));
        let is_repeated = game.contains("Result");
        assert_eq!(text.contains("e4"), is_repeated, "{game}: {text}");
    }
    // Names of one length that differ in few letters are different.
    let names = ["Annotation1Author", "Annotation2Author", "Test1Team1", "Test2Team2"];
    let tags = names.map(|name| format!("[{name} \"x\"]\n\n")).concat();
    assert_eq!(line(format!("{tags}*")).matches("< ").count(), 1);
    // The first 32 tags are known.
    let many = |number: usize| -> String {
        (0..number).map(|number| format!("[T{number} \"\"]\n")).collect()
    };
    for (tag, games) in [("T0", 2), ("T31", 2), ("T32", 1), ("U", 1)] {
        let text = line(format!("{}\n[{tag} \"\"]\n\n*", many(33)));
        assert_eq!(text.matches("< ").count(), games, "{tag}");
    }
    // After two empty lines, any tag begins a game, and no tag goes to the next one.
    for gap in ["\n\n\n", "\r\n\r\n\r\n", "\n \n\t\n", "\n\n\n\n\n", "\n%\n\n%\n\n"] {
        assert_eq!(
            line(format!("[White \"a\"]{gap}[White \"b\"]\n\n\n1. e4 *")),
            "< [White=a] > < [White=b] e4 * >",
            "{gap:?}"
        );
        assert_eq!(
            line(format!("[White a]\n[Black \"x\"]{gap}[White \"b\"]\n\n1. e4 *")),
            "< ERROR 1:1 TagValue < [White=b] e4 * >",
            "{gap:?}"
        );
    }
    // Without tags, the number of the first move begins a game.
    assert_eq!(line("1. e4 e5\n\n1. d4 d5\n\n2. c4 1. e4"), "< e4 e5 > < d4 d5 c4 e4 >");
    // An empty line within a game does not begin a game.
    assert_eq!(
        line("[Event \"a\"]\n\n[Site \"x\"]\n\n1. e4\n\n1... e5 *"),
        "< [Event=a] [Site=x] e4 e5 * >"
    );
}

#[test]
fn results_have_many_forms() {
    for (text, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("*", "*"),
    ] {
        assert_eq!(
            line(format!("1. e4 {text}\n1. d4 {text}")),
            format!("< e4 {result} > < d4 {result} >")
        );
    }
    assert_eq!(line(b"1. e4 \xbd-\xbd"), "< e4 1/2-1/2 >");
}

#[test]
fn comments_after_the_result_belong_to_the_game_up_to_an_empty_line() {
    let next = "[Event \"b\"]\n\n1. d4 *";
    for (after, of_game, of_next) in [
        (" {c}\n\n", "{c} ", ""),
        ("{c}\n", "{c} ", ""),
        ("\n{c}\n{d} ;e\n", "{c} {d} {;e} ", ""),
        (" ; c\r\n% x\n{d} $1 !? +-\n\n\n", "{; c} {d} $1 $5 $18 ", ""),
        ("\n\n{c}\n", "", "{c} "),
        (" {c} \r\n \r\n{d}\n", "{c} ", "{d} "),
        (" $1\n\n; d\n", "$1 ", "{; d} "),
        ("\n%\n\n{d}\n", "", "{d} "),
    ] {
        assert_eq!(
            line(format!("1. e4 1-0{after}{next}")),
            format!("< e4 1-0 {of_game}> < {of_next}[Event=b] d4 * >"),
            "{after:?}"
        );
        // Without tags, too; then the next game begins with its first move.
        let games = format!("< e4 1-0 {of_game}> < {of_next}d4 * >");
        assert_eq!(line(format!("1. e4 1-0{after}1. d4 *")), games, "{after:?}");
        // No game follows, so all of it belongs to the last one.
        let last = format!("< e4 1-0 {of_game}{of_next}>").replace("[Event=b] ", "");
        assert_eq!(line(format!("1. e4 1-0{after}")), last, "{after:?}");
        assert_eq!(line(format!("1. e4 1-0{after}\n\n% x\n\n\x1a")), last, "{after:?}");
    }
    assert_eq!(line("* {a}\n\n\n{b}\n\n$1\n\n;c"), "< * {a} {b} $1 {;c} >");
    assert_eq!(line("1. e4 1-0 {c} 1. d4 0-1 {d} 1-0"), "< e4 1-0 {c} > < d4 0-1 {d} > < 1-0 >");
    // Neither the same result again nor an asterisk begins a game.
    for again in [" 1-0", " *", "\n1-0", " {c} 1-0 1-0", " 1-0\n*"] {
        let comment = if again.contains("{c}") { "{c} " } else { "" };
        let games = format!("< [Event=a] 1-0 {comment}> < [Event=b] d4 * >");
        let text = format!("[Event \"a\"]\n1-0{again}\n\n[Event \"b\"]\n\n1. d4 *");
        assert_eq!(line(text), games, "{again:?}");
        let games = format!("< e4 1-0 {comment}> < d4 0-1 >");
        assert_eq!(line(format!("1. e4 1-0{again}\n1. d4 0-1 *")), games, "{again:?}");
    }
    assert_eq!(line("1. e4 * {c} 1-0 *\n\n*"), "< e4 * {c} 1-0 > < * >");
    assert_eq!(line("1. e4 1-0 0-1\n\n* *\n\n*"), "< e4 1-0 > < 0-1 > < * > < * > < * >");
    assert_eq!(line("1. e4 1-0\n\n1-0 {c}"), "< e4 1-0 > < 1-0 {c} >");
    // A comment that cannot be read is no part of a game that can.
    assert_eq!(line("1. e4 1-0 {c} {d"), "< e4 1-0 {c} > < ERROR 1:15 CommentNotClosed");
    assert_eq!(line("1. e4 1-0\n\n{c} }"), "< e4 1-0 > < {c} ERROR 3:5 BraceNotOpened");
    assert_eq!(line("1. e4 1-0 {c} $300"), "< e4 1-0 {c} > < ERROR 1:15 Nag");
    assert_eq!(line("1. e4 *\n\n{d}\n{c"), "< e4 * > < {d} ERROR 4:1 CommentNotClosed");
}

/// To know the game of a comment, the reader looks beyond its end.
#[test]
fn comments_after_the_result_come_in_pieces() {
    let repeated = "1. e4 * 1/2 1/2 {d} * 1/2-1/2\n1. e4 1/2 1-0";
    for text in
        ["1. e4 *\n\n{d}\n{c}", "1. e4 *\n\n{d}\n{c", "*\n\n{a} $1 ; b\n{c}\n1. d4 *", repeated]
    {
        let expected = streamed(Reader::from_bytes(text.as_bytes()));
        for len in 1..text.len() {
            let found = streamed(Reader::new(Pieces(text.as_bytes(), len)));
            assert_eq!(found, expected, "in pieces of {len}");
        }
    }
}

/// The search for the end of the input goes only so far.
#[test]
fn many_comments_after_the_last_result_are_a_game_of_their_own() {
    use tabiya_pgn::MAX_TOKEN;
    let text = |len: usize| format!("*\n\n{{{}}}{{}}", "x".repeat(len));
    assert!(line(text(MAX_TOKEN - 6)).starts_with("< * {xx"));
    assert!(line(text(MAX_TOKEN - 3)).starts_with("< * > < {xx"));
    let spaces = |len: usize| format!("*{}{{c}}", " ".repeat(len));
    assert_eq!(line(spaces(MAX_TOKEN)), "< * {c} >");
    assert_eq!(line(spaces(MAX_TOKEN + 1)), "< * > < {c} >");
}

#[test]
fn windows_line_ends_are_white_space() {
    let text = "[Event \"a\"]\r\n[Site \"b\"]\r\n\r\n1. e4\r\n; x\r\n%y\r\ne5 1-0\r\n\r\n[Event \"c\"]\r\n\r\n*\r\n";
    assert_eq!(line(text), "< [Event=a] [Site=b] e4 {; x} e5 1-0 > < [Event=c] * >");
}

#[test]
fn any_line_end_ends_comments_and_escaped_lines_and_begins_the_next_game() {
    let text = "% x\n[Event \"a\"]\n{c}\n[Site \"b\"]\n\n1. e4 ; x } y\n% z\n1... e5\n\n1. d4 } d5 1-0\n\n\
        1. c4 {x\ny} c5 1/2\n\n[Event \"d\"]\n\n[Event \"e\"]\n(\n[Site \"f\"]\n\n[Event \"g\"]\n\n*\n% end";
    let expected = "< [Event=a] {c} [Site=b] e4 {; x } y} e5 > < d4 BraceNotOpened < c4 {x\ny} c5 \
        1/2-1/2 > < [Event=d] > < [Event=e] ( VariationNotClosed < [Site=f] > < [Event=g] * >";
    for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let show = |token| match token {
            Err(error) => format!("{:?}", Error::kind(&error)),
            token => show::token(&token).replace(line_end, "\n"),
        };
        let text = text.replace('\n', line_end);
        let tokens: Vec<_> = Reader::from_bytes(text.as_bytes()).map(show).collect();
        assert_eq!(tokens.join(" "), expected, "{line_end:?}");
    }
}

#[test]
fn the_sign_for_the_end_of_a_file_in_dos_is_white_space() {
    assert_eq!(line("1. e4 *\n\x1a"), "< e4 * >");
    assert_eq!(line("1. e4\n\x1a"), "< e4 >");
    let two = "1. e4 } e5\n\x1a[Event \"a\"]\n\n1. d4\n\x1a[Event \"b\"]\n\n*\x1a";
    let expected = "< e4 ERROR 1:7 BraceNotOpened < [Event=a] d4 > < [Event=b] * >";
    assert_eq!(line(two), expected);
}

#[test]
fn latin_1_is_text() {
    assert_eq!(
        line(b"[White \"K\xfcbler\"]\n\n1. e4 {na\xefve} *"),
        "< [White=Kübler] e4 {naïve} * >"
    );
    assert_eq!(line("[White \"Kübler\"]\n\n1. e4 {naïve} *"), "< [White=Kübler] e4 {naïve} * >");
}

#[test]
fn moves_are_written_in_many_ways() {
    let moves =
        "Nge2 e8=Q+ e8(Q)# e8Q exd6 O-O-O+ 0-0 0-0-0# Ng1-f3 -- Z0 e2e4 exd8=N++ ♘f3 a7-a8/Q";
    assert_eq!(line(format!("{moves} *")), format!("< {moves} * >"));
    assert_eq!(line("exd6e.p. fxg6 e.p. e4 *"), "< exd6e.p. fxg6 e4 * >");
    for sign in ["+", "#", "++"] {
        let text = format!("exd6e.p.{sign} fxg6 e.p.{sign} e4 exd6e.p.{sign}");
        assert_eq!(line(&text), format!("< exd6e.p.{sign} fxg6 e4 exd6e.p.{sign} >"));
    }
    // Only `e` can begin the mark.
    assert_eq!(line("exd6.p. e4 *"), "< exd6 p e4 * >");
}

#[test]
fn quotation_marks_in_tags_are_escaped_or_not() {
    assert_eq!(line(r#"[Event "The \"Open\" \\ 1"] *"#), r#"< [Event=The "Open" \ 1] * >"#);
    assert_eq!(line(r#"[Event "The "Open" of"] *"#), r#"< [Event=The "Open" of] * >"#);
    assert_eq!(line(r#"[Event "C:\games\"] *"#), "< ERROR 1:1 TagNotClosed");
    // At the end of its line, such a tag is whole.
    for end in ["\n", "\r\n", " \t\n", ""] {
        let text = format!(r#"[Event "C:\games\"]{end}"#);
        assert_eq!(line(text), r"< [Event=C:\games\] >", "{end:?}");
    }
    assert_eq!(
        line("[Event \"a\\\" ]\n[Site \"b\\\"] c\"]\n*"),
        r#"< [Event=a\] [Site=b"] c] * >"#
    );
    assert_eq!(line(r#"[Event "C:\\games\\"] *"#), r"< [Event=C:\games\] * >");
    assert_eq!(
        line("[ Event  \"a\" ]\t[Site\"b\"][Empty \"\"] *"),
        "< [Event=a] [Site=b] [Empty=] * >"
    );
    assert_eq!(line("[Event \"a]b[c\"] *"), "< [Event=a]b[c] * >");
}

#[test]
fn broken_tags_break_one_game() {
    for (wrong, error) in [
        ("[Event \"a]", "TagNotClosed"),
        ("[Event \"a\"", "TagNotClosed"),
        ("[Event a]", "TagValue"),
        ("[Event", "TagValue"),
        ("[\"a\"]", "TagName"),
        ("[]", "TagName"),
        ("[", "TagName"),
        ("[Event]", "TagValue"),
    ] {
        let expected = format!("< ERROR 1:1 {error} < [Event=b] d4 * >");
        for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let line = |text: String| line(text.replace('\n', line_end));
            let text = format!("{wrong}\n[Site \"x\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *");
            assert_eq!(line(text), expected, "{wrong} {line_end:?}");
            // The next games may have no tags.
            let text = format!("{wrong}\n[Site \"x\"]\n\n1. e4 *\n\n1. d4 *\n\n1. c4 *");
            let without = format!("< ERROR 1:1 {error} < d4 * > < c4 * >");
            assert_eq!(line(text), without, "{wrong} {line_end:?}");
            // One empty line may stand between the tags.
            let text = format!("{wrong}\n\n[Site \"x\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *");
            assert_eq!(line(text), expected, "{wrong} {line_end:?}");
        }
        assert_eq!(line(wrong), format!("< ERROR 1:1 {error}"));
    }
}

#[test]
fn several_broken_tags_break_one_game() {
    // The rest of a game after a broken tag: more of them, good ones between them, or one pair.
    for wrong in
        ["[Site b]", "[Site]", "[]", "[", "[ \"b\"]", "[Site \u{201c}b\u{201d}]", "[Site 'b']"]
    {
        for tags in [
            format!("{wrong}\n{wrong}"),
            format!("{wrong}\n{wrong}\n{wrong}\n[White \"x\"]"),
            format!("{wrong}\n[White \"x\"]\n{wrong}\n[Black \"y\"]"),
            format!("{wrong}\n\n{wrong}\n[Black \"y\"]"),
            format!("{wrong}\n; c\n{wrong}\n{{c}}\n{wrong}"),
        ] {
            let game = format!("{tags}\n\n1. e4 *\n\n");
            let kinds = |text: &str| -> Vec<String> {
                let tokens = Reader::from_bytes(text.as_bytes());
                let show = |token| match token {
                    Err(_) => "ERROR".to_owned(),
                    token => show::token(&token),
                };
                tokens.map(show).collect()
            };
            // Each of them is broken, also behind one that is not.
            let text = format!("1. c4 *\n\n{game}{game}[Event \"z\"]\n\n1. d4 *");
            let expected = "< c4 * > < ERROR < ERROR < [Event=z] d4 * >";
            assert_eq!(kinds(&text).join(" "), expected, "{text}");
        }
    }
    // Each begins with `Event`.
    let text = "[Event 'a']\n[Site 'b']\n".repeat(3);
    assert_eq!(line(&text).matches("ERROR").count(), 1);
    let text = "[Event 'a']\n[Site 'b']\n\n".repeat(3);
    assert_eq!(line(&text).matches("ERROR").count(), 3);
    // The tags do not end at a bracket too many.
    let text = "[White \"x\"]]\n[Black \"y\"]\n\n1. e4 *\n\n[Event \"b\"]\n*";
    assert_eq!(line(text), "< [White=x] ERROR 1:12 Byte(93) < [Event=b] * >");
}

#[test]
fn a_value_with_line_breaks_breaks_one_game() {
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
    for value in [
        "Hotel X,\nParis\"]",
        "one\ntwo\nthree\"]",
        "one\n\nthree\"]",
        "a\"\n]",
        "a\n\" ]  ",
        "a\n\"\n]",
        "a\n1. e4\n2. d4\"]",
        "a\n{b} c\nd\"]",
        "a\n% b\nd\"]",
        &format!("a\n{}\"\t]\t", "x".repeat(300)),
    ] {
        let next = "[White \"b\"]\n\n1. d4 *\n";
        for (game, at) in [
            (format!("[Annotator \"{value}\n{fen}[White \"w\"]\n\n1. e4 *\n\n"), "1:1"),
            // The last tag, and one behind another malformed tag.
            (format!("{fen}[Annotator \"{value}\n\n1. e4 *\n\n"), "2:1"),
            (format!("[Site x]\n[Annotator \"{value}\n{fen}\n1. e4 *\n\n"), "1:1"),
        ] {
            for line_end in ["\n", "\r\n", "\r"] {
                let text = format!("{game}{next}").replace('\n', line_end);
                let found = line(&text);
                let at = if line_end == "\r" { at.replace("2:1", "1:41") } else { at.to_owned() };
                assert!(found.contains(&format!("ERROR {at}")), "{text:?}: {found}");
                assert!(found.ends_with(" < [White=b] d4 * >"), "{text:?}: {found}");
                assert_eq!(found.matches('<').count(), 2, "{text:?}: {found}");
            }
        }
    }
    // Without a closing bracket, the text below a malformed tag is the moves.
    let text = "[Event \"a\n1. e4 {\"x\" [y]} *\n[White \"b\"]\n\n1. d4 *";
    assert_eq!(line(text), "< ERROR 1:1 TagNotClosed < [White=b] d4 * >");
    let text = "[Site x]\n{c} e\n\n1. d4 *";
    assert_eq!(line(text), "< ERROR 1:1 TagValue < d4 * >");
    // Behind moves there are no tags.
    let text = "1. e4 ) {x\n\"y\"]\n[White \"b\"]\n\n1. d4 *";
    assert_eq!(line(text), "< e4 ERROR 1:7 VariationNotOpened < [White=b] d4 * >");
}

#[test]
fn a_heading_behind_a_broken_game_hides_no_game() {
    for heading in ["[Round 2]", "[to be continued]", " [12 games] ", "[]", "[x]\n \u{a0}"] {
        for (broken, error) in [
            ("1. e4 ) *", "e4 ERROR 1:7 VariationNotOpened"),
            ("[Site x]\n\n1. e4 *", "ERROR 1:1 TagValue"),
        ] {
            for (next, found) in [
                ("1. d4 *", "< d4 * >"),
                ("[White \"b\"]\n\n1. d4 *", "< [White=b] d4 * >"),
                ("[Event 'b']\n\n1. d4 *", "<"),
                ("[Site b]\n[White \"b\"]\n\n1. d4 *", "<"),
            ] {
                for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
                    let text = format!("{broken}\n\n{heading}\n\n{next}\n\n1. c4 *\n");
                    let text = line(text.replace('\n', line_end));
                    assert!(text.starts_with(&format!("< {error} {found}")), "{heading}: {text}");
                    assert!(text.ends_with(" < c4 * >"), "{heading}: {text}");
                    assert_eq!(text.matches('<').count(), 3, "{heading}: {text}");
                }
            }
            // Nor is it a game at the end of the file.
            let text = line(format!("{broken}\n\n{heading}"));
            assert_eq!(text, format!("< {error}"), "{heading}");
        }
    }
    // A tag that is malformed, and the only one of its game.
    for tag in [
        "[FEN 4k3/8/8/8/8/8/4P3/4K3]",
        "[Variant x]",
        "[Event x]",
        "[White 'x']",
        "[White \u{201c}x\u{201d}]",
        "[White",
    ] {
        let text = line(format!("1. e4 ) *\n\n{tag}\n\n1. d4 *\n\n1. c4 *\n"));
        assert!(
            text.ends_with("VariationNotOpened < ERROR 3:1 TagValue < c4 * >"),
            "{tag}: {text}"
        );
    }
}

#[test]
fn a_broken_game_is_followed_by_the_next() {
    let next = "\n\n[Event \"b\"]\n\n1. d4 *";
    for (wrong, error) in [
        ("1. e4 {a", "ERROR 1:7 CommentNotClosed"),
        ("1. e4 } e5 *", "ERROR 1:7 BraceNotOpened"),
        ("1. e4 ) e5 *", "ERROR 1:7 VariationNotOpened"),
        ("1. e4 (1. d4", "ERROR 3:1 VariationNotClosed"),
        ("1. e4 <x> e5 *", "ERROR 1:7 Byte(60)"),
    ] {
        let open = if error.contains("NotClosed") && wrong.contains('(') { "( d4 " } else { "" };
        let expected = format!("< e4 {open}{error} < [Event=b] d4 * >");
        assert_eq!(line(format!("{wrong}{next}")), expected, "{wrong}");
    }
    assert_eq!(line("1. e4 (1. d4"), "< e4 ( d4 ERROR 1:13 VariationNotClosed");
    // A game without tags is found, too.
    assert_eq!(line("1. e4 } e5 *\n\n1. d4 *"), "< e4 ERROR 1:7 BraceNotOpened < d4 * >");
    // Something that looks like a tag, but is not one.
    let text = format!("1. e4 }}\n[\"x\"] e5 *{next}");
    assert_eq!(line(text), "< e4 ERROR 1:7 BraceNotOpened < [Event=b] d4 * >");
    assert_eq!(line("1. e4 } e5\n[%clk 1]\n[no tag]\n"), "< e4 ERROR 1:7 BraceNotOpened");
}

#[test]
fn lines_behind_a_broken_game_may_be_indented() {
    for space in ["", " ", "\t", "  \t"] {
        let text = format!(
            "{space}[Event \"a\"]\n\n{space}1. e4 ) *\n\n{space}[Event \"b\"]\n{space}[Site \"x\"]\n\n{space}1. d4 *\n\n\
             {space}1. e3 }} *\n\n{space}1. c4 *\n"
        );
        let tokens: Vec<_> = Reader::from_bytes(text.as_bytes())
            .map(|token| match token {
                Err(error) => format!("{:?}", Error::kind(&error)),
                token => show::token(&token),
            })
            .collect();
        let expected = "< [Event=a] e4 VariationNotOpened < [Event=b] [Site=x] d4 * > < e3 BraceNotOpened < c4 * >";
        assert_eq!(tokens.join(" "), expected, "{space:?}");
    }
}

#[test]
fn comments_and_escaped_lines_behind_a_broken_game_change_nothing() {
    let long = format!("{{{}}}", "x".repeat(300));
    for remark in [
        "% x",
        "; x",
        "{x}",
        " {x} ",
        "% [Event \"no\"]",
        "{1. e4}",
        "%",
        "{x\ny}",
        "{x\n% y\n1. e4}",
        "{x} {y}\t",
        "{x}\x0b; y",
        "\u{a0}{x}\u{a0}\u{202f}",
        "{x}{y\nz}",
        &long,
    ] {
        let text = format!("1. e4 ) *\n\n{remark}\n1. d4 *\n\n1. c4 *\n");
        assert_eq!(line(&text), "< e4 ERROR 1:7 VariationNotOpened < d4 * > < c4 * >", "{remark}");
        let text =
            format!("[Event \"a\"]\n[White x]\n{remark}\n[Black \"y\"]\n\n1. e4 *\n\n1. c4 *");
        assert_eq!(line(&text), "< [Event=a] ERROR 2:1 TagValue < c4 * >", "{remark}");
    }
    // A tag `Event` directly after a comment begins a game, as after a tag that is not broken.
    for remark in ["; x", "{x}", "{x\ny}", &long] {
        let text =
            format!("[Event \"a\"]\n[White x]\n{remark}\n[Event \"b\"]\n\n1. e4 *\n\n1. c4 *");
        let expected = "< [Event=a] ERROR 2:1 TagValue < [Event=b] e4 * > < c4 * >";
        assert_eq!(line(&text), expected, "{remark}");
    }
    // A line of white space is empty.
    for space in ["\u{a0}", "\x0b", " \u{202f}\t"] {
        let text = format!("1. e4 ) *\n{space}\n1. d4 *\n");
        assert_eq!(line(&text), "< e4 ERROR 1:7 VariationNotOpened < d4 * >", "{space:?}");
    }
    // Dots are not.
    assert_eq!(line("1. e4 ) *\n...\n1. d4 *\n"), "< e4 ERROR 1:7 VariationNotOpened");
    // Braces are not reliable: a comment that is not closed hides no game.
    for next in ["[White \"b\"]\n", "\n1. d4 *\n\n[White \"b\"]\n"] {
        let text = format!("1. e4 ) *\n\n{{x\ny\n{next}\n1. c4 *\n");
        let found = line(&text);
        assert!(found.ends_with("< [White=b] c4 * >"), "{found}");
        assert_eq!(found.contains("< d4 * >"), next.contains("d4"), "{found}");
    }
    // An indented escaped line between tags.
    let text = "[Event \"a\"]\n % c\n[Black \"y\"]\n\n1. e4 *\n\n1. c4 *\n";
    assert_eq!(line(text), "< [Event=a] ERROR 2:2 Byte(37) < c4 * >");
    let text = "[Event \"a\"]\n\n1. e4\n % c\n[Black \"y\"]\n\n1. c4 *\n";
    assert_eq!(line(text), "< [Event=a] e4 ERROR 4:2 Byte(37) < [Black=y] c4 * >");
    // More than a comment.
    let text = "[White \"x]\n{c} 1. e4 e5 {d}\n\n[White \"b\"]\n\n1. d4 *\n";
    assert_eq!(line(text), "< ERROR 1:1 TagNotClosed < [White=b] d4 * >");
    for text in ["{x} e5", "{x\ny} e5", &format!("{long}e5")] {
        let text = format!("1. e4 ) *\n\n{text}\n1. d4 *\n\n1. c4 *\n");
        assert_eq!(line(&text), "< e4 ERROR 1:7 VariationNotOpened < c4 * >", "{text}");
    }
}

#[test]
fn a_variation_that_is_not_closed_ends_before_the_next_game() {
    assert_eq!(
        line("1. e4 (1. d4 d5 *\n\n1. c4 c5 *\n\n1. Nf3 *\n"),
        "< e4 ( d4 d5 ERROR 3:1 VariationNotClosed < c4 c5 * > < Nf3 * >"
    );
    // Not every number is that of the first move, and a game does not begin behind one line end.
    assert_eq!(line("1. e4 e5 (1... c5\n\n2. c3) 2. f4 *"), "< e4 e5 ( c5 c3 ) f4 * >");
    assert_eq!(line("1. e4 e5 (\n1. d4\n1... d5) 2. f4 *"), "< e4 e5 ( d4 d5 ) f4 * >");
    // A variation may begin with it.
    for begin in ["(", "(\n{x}", "( 1... d5 (", "(1. c4) ("] {
        let text = line(format!("1. e4 e5 {begin}\n\n1. d4 d5 "));
        assert!(text.contains(" d4 d5 ERROR"), "{begin}: {text}");
    }
    assert_eq!(line("1. e4 c5\n\n(\n\n1. d4 d5\n)\n\n2. Nf3 *\n"), "< e4 c5 ( d4 d5 ) Nf3 * >");
    assert_eq!(line("1. e4 (1. d4)\n\n1. c4 *"), "< e4 ( d4 ) > < c4 * >");
    // The result of the game may be the first thing in the variation.
    for begin in ["(", "({x}", "(2."] {
        let text = line(format!("1. e4 e5 {begin} *\n\n1. d4 d5 *\n\n1. c4 *\n"));
        assert!(text.ends_with(" ERROR 3:1 VariationNotClosed < d4 d5 * > < c4 * >"), "{text}");
    }
    // Comments may stand before the next game.
    for comment in ["; x", "{x}", "{x\ny} {z}"] {
        let text = line(format!("1. e4 (1. d4 *\n\n{comment}\n1. c4 *\n\n1. Nf3 *\n"));
        assert!(text.ends_with(" VariationNotClosed < c4 * > < Nf3 * >"), "{text}");
        let text = line(format!("1. e4 (\n\n{comment}\n1. d4) *"));
        assert!(text.ends_with(" d4 ) * >"), "{text}");
    }
}

#[test]
fn a_number_stands_on_a_line_that_is_not_empty() {
    assert_eq!(line("1. e4 e5\n2.\n1. Nf3 *"), "< e4 e5 Nf3 * >");
    assert_eq!(line("1. e4 e5 (1... c5 *\n*\n1. Nf3) *"), "< e4 e5 ( c5 Nf3 ) * >");
    assert_eq!(line("1. e4 e5\n2.\n\n1. Nf3 *"), "< e4 e5 > < Nf3 * >");
    assert_eq!(line("1. e4 e5\n\n{x}\n1. Nf3 *"), "< e4 e5 {x} > < Nf3 * >");
    assert_eq!(line("1. e4 e5\n{x}\n1. Nf3 *"), "< e4 e5 {x} Nf3 * >");
}

#[test]
fn nothing_is_no_game() {
    for text in ["", "\n", " \r\n\t", "\u{feff}", "\n\u{a0}\n", "% only this"] {
        assert_eq!(line(text), "", "{text:?}");
    }
    assert_eq!(line("*"), "< * >");
    assert_eq!(line("1."), "< >");
    assert_eq!(line("e4\n\n1."), "< e4 > < >");
}

#[test]
fn tags_and_games_are_bounded() {
    use tabiya_pgn::{MAX_GAME, MAX_TAGS};
    let tags = |number| {
        let text = "[A \"b\"]\n".repeat(number);
        line(text + "\ne4 *\n\n[Event \"b\"]\n*")
    };
    assert!(tags(MAX_TAGS as usize).ends_with("[A=b] e4 * > < [Event=b] * >"));
    let expected = format!("[A=b] ERROR {}:1 TooManyTags < [Event=b] * >", MAX_TAGS + 1);
    assert!(tags(MAX_TAGS as usize + 1).ends_with(&expected));
    // Comments, which are read faster, fill the game except for the last moves.
    let comment = format!("{{{}}} ", "x".repeat((1 << 15) - 3));
    let comments = comment.repeat(MAX_GAME / comment.len() - 1);
    let moves = |number| line(comments.clone() + &"e4 ".repeat(number) + "*\n\n[Event \"b\"]\n*");
    assert!(moves(comment.len() / 3).ends_with("e4 e4 * > < [Event=b] * >"));
    let expected = format!("e4 ERROR 1:{} GameTooLong < [Event=b] * >", MAX_GAME + 1);
    let long = moves(comment.len() / 3 + 1);
    assert!(long.ends_with(&expected), "{}", &long[long.len() - 100..]);
    // Comments after the result count, too.
    let remarks = comment.repeat(MAX_GAME / comment.len() + 1);
    let remarks = line(format!("* {remarks}\n\n[Event \"b\"]\n*"));
    let expected = format!("x}} ERROR 1:{} GameTooLong < [Event=b] * >", MAX_GAME + 3);
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
    let expected = format!("ERROR 1:{} TooDeep < [Event=b] * >", depth + 4);
    assert!(line(nested(depth + 1)).ends_with(&expected));
    // A token of the largest size, and a longer one; at the start of the text and after more than
    // that.
    for (begin, end) in [
        ("{", "}"),
        (";", "\n"),
        ("N", " "),
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
            let expected = format!("ERROR 1:{} {kind} < [Event=b] * >", before.len() + 1);
            let found = line(text(MAX_TOKEN + 1));
            assert!(found.ends_with(&expected), "{begin}: {found:.100}");
        }
    }
    let tag = |len: usize| {
        let value = "0".repeat(len - "[A \"\"]".len());
        line(format!("[A \"{value}\"]\n\n[Event \"b\"]\n*"))
    };
    assert!(!tag(MAX_TOKEN).contains("ERROR"));
    assert!(tag(MAX_TOKEN + 2).starts_with("< ERROR 1:1 TooLong < [Event=b]"));
}
