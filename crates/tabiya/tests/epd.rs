//! EPD: operations with their types, round trips, and errors with their places.

mod common;

use common::{Random, games, rounds};
use tabiya::Position;
use tabiya::epd::{Epd, EpdCause, EpdWriter, Operand, Operation, Text};

const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

fn line(operations: &str) -> String {
    format!("{KINGS} {operations}")
}

#[test]
fn operations_have_their_types() {
    let line = line(
        "bm O-O Rh8; am Ke2; pv O-O Ke7 Kf2; id \"one\"; c0 \"a\"; c9 \"b\"; ce -32; acd 12; \
         acn 123456789012; acs 3; dm 2; D1 15; D15 2015099950053364471960; hmvc 4; fmvn 30; \
         eco \"A00\"; noop;",
    );
    let epd = Epd::read(&line).unwrap();
    let operations: Vec<Operation<'_>> = epd.operations().collect();
    let [best, avoid, pv, rest @ ..] = &operations[..] else { panic!("{operations:?}") };
    let Operation::BestMoves(best) = best else { panic!("{best:?}") };
    let found: Vec<String> =
        best.resolve(epd.position()).map(|mv| mv.found.unwrap().to_string()).collect();
    assert_eq!(found, ["e1g1", "h1h8"]);
    let Operation::AvoidMoves(avoid) = avoid else { panic!("{avoid:?}") };
    assert!(avoid.texts().eq(["Ke2"]));
    let Operation::PrincipalVariation(pv) = pv else { panic!("{pv:?}") };
    // The last move leaves the rook's king where it cannot go from g1.
    let played: Vec<bool> = pv.play(epd.position()).map(|mv| mv.found.is_ok()).collect();
    assert_eq!(played, [true, true, true]);
    assert_eq!(
        rest[..12],
        [
            Operation::Id(Text::new("one")),
            Operation::Comment { number: 0, text: Text::new("a") },
            Operation::Comment { number: 9, text: Text::new("b") },
            Operation::Evaluation(-32),
            Operation::AnalysisDepth(12),
            Operation::AnalysisNodes(123_456_789_012),
            Operation::AnalysisSeconds(3),
            Operation::DirectMate(2),
            Operation::Perft { depth: 1, nodes: 15 },
            Operation::Perft { depth: 15, nodes: 2_015_099_950_053_364_471_960 },
            Operation::HalfmoveClock(4),
            Operation::FullmoveNumber(30),
        ]
    );
    let [Operation::Other { opcode: "eco", operands }, Operation::Other { opcode: "noop", .. }] =
        &rest[12..]
    else {
        panic!("{rest:?}")
    };
    assert!(operands.iter().eq([Operand::Quoted(Text::new("A00"))]));
    let position = epd.position();
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (4, 30));
    assert_eq!(epd.to_string(), line);
    assert_eq!(epd.id(), Some(Text::new("one")));
    assert!(epd.best_moves().is_some() && epd.avoid_moves().is_some());
}

#[test]
fn a_wrong_move_ends_a_variation() {
    let line = line("pv O-O Qd4 Kf2;");
    let epd = Epd::read(&line).unwrap();
    let Some(Operation::PrincipalVariation(pv)) = epd.operations().next() else { panic!() };
    let played: Vec<_> = pv.play(epd.position()).collect();
    assert_eq!(played.len(), 2);
    assert_eq!(&line[played[1].span.clone()], "Qd4");
    assert_eq!(played[1].found.unwrap_err().to_string(), "Qd4 is not legal: Black has no queen");
}

#[test]
fn texts_have_escapes() {
    for (written, meant, canonical) in [
        (r#"id "plain";"#, "plain", r#"id "plain";"#),
        (r#"id "a \"b\" \\ c";"#, "a \"b\" \\ c", r#"id "a \"b\" \\ c";"#),
        (r#"id "a;b";"#, "a;b", r#"id "a;b";"#),
        (r#"id "tab\tnew\nline\r";"#, "tab\tnew\nline\r", r#"id "tab\tnew\nline\r";"#),
        (r#"id "\x";"#, "x", r#"id "x";"#),
        ("id WAC.001;", "WAC.001", r#"id "WAC.001";"#),
        ("id two  words ;", "two  words", r#"id "two  words";"#),
        (r"id C:\dir;", r"C:\dir", r#"id "C:\\dir";"#),
        (r#"id it's 5" deep;"#, "it's 5\" deep", r#"id "it's 5\" deep";"#),
        (r#"id "";"#, "", r#"id "";"#),
        (r#"id "♘é"#, "", ""),
    ] {
        let line = line(written);
        if canonical.is_empty() {
            assert_eq!(Epd::read(&line).unwrap_err().cause(), EpdCause::Unclosed);
            continue;
        }
        let epd = Epd::read(&line).unwrap_or_else(|error| panic!("{written}: {error}"));
        let id = epd.id().unwrap();
        assert_eq!(id.to_string(), meant, "{written}");
        assert_eq!(id, *meant);
        let Some(operation) = epd.operations().next() else { panic!() };
        assert_eq!(operation.to_string(), canonical);
    }
}

#[test]
fn positions_with_counters_and_without() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (line, operations, written) in [
        (start.to_owned(), 0, start.to_owned()),
        (format!("{start} 0 1 ;D1 20 ;D2 400"), 2, format!("{start} D1 20; D2 400;")),
        (format!("  {start}   ;;  D1 20"), 1, format!("{start} D1 20;")),
        (format!("{start} 7 12 bm e4"), 1, format!("{start} bm e4; hmvc 7; fmvn 12;")),
        (format!("{start} fmvn 0;"), 1, format!("{start} fmvn 0;")),
        (format!("{start} hmvc \"3\";"), 1, format!("{start} hmvc 3;")),
    ] {
        let epd = Epd::read(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(epd.operations().count(), operations, "{line}");
        assert_eq!(epd.to_string(), written);
        let again = Epd::read(&written).unwrap();
        assert_eq!(again.position().halfmove_clock(), epd.position().halfmove_clock());
        assert_eq!(again.position().fullmove_number(), epd.position().fullmove_number());
    }
}

#[test]
fn errors_point_at_their_place() {
    for (operations, part, cause) in [
        ("acd deep;", "deep", EpdCause::NotANumber),
        ("acd -1;", "-1", EpdCause::NotANumber),
        ("hmvc 65536;", "65536", EpdCause::NotANumber),
        ("acd 1 2;", "2", EpdCause::SecondOperand),
        ("id \"a\" \"b\";", "\"b\"", EpdCause::SecondOperand),
        ("acd;", "", EpdCause::NoOperand),
        ("id ;", "", EpdCause::NoOperand),
        ("bm;", "", EpdCause::NoOperand),
        ("bm e4; 0 1;", "0", EpdCause::Opcode),
        ("\"bm\" e4;", "\"bm\"", EpdCause::Opcode),
        ("id \"never ends;", "\"never ends;", EpdCause::Unclosed),
        ("id \"never ends\\\";", "\"never ends\\\";", EpdCause::Unclosed),
        ("D1 twenty", "twenty", EpdCause::NotANumber),
        ("5", "5", EpdCause::Opcode),
    ] {
        let line = line(operations);
        let error = Epd::read(&line).unwrap_err();
        assert_eq!((&line[error.span()], error.cause()), (part, cause), "{operations}");
        assert!(!error.to_string().is_empty());
    }
    let line = "8/8/8/8/8/8/8/8 w - - bm e4;";
    let error = Epd::read(line).unwrap_err();
    assert_eq!(
        (&line[error.span()], error.to_string().as_str()),
        ("8/8/8/8/8/8/8/8", "White has no king")
    );
    assert!(matches!(Epd::read("").unwrap_err().cause(), EpdCause::Position(_)));
}

/// The lines written for random positions are read back equal.
#[test]
fn written_lines_are_read_back() {
    let mut random = Random::new(3);
    games::many(3, &mut random, |position| {
        let moves = position.legal_moves();
        let mut line = String::new();
        let mut writer = EpdWriter::new(&mut line, position).unwrap();
        writer.moves("bm", &moves).unwrap();
        writer.operation(&Operation::Id(Text::new("a \"b\"; \\c\n"))).unwrap();
        writer.operation(&Operation::FullmoveNumber(position.fullmove_number())).unwrap();
        writer.operation(&Operation::HalfmoveClock(position.halfmove_clock())).unwrap();
        if moves.is_empty() {
            assert_eq!(Epd::read(&line).unwrap_err().cause(), EpdCause::NoOperand);
            return;
        }
        let epd = Epd::read(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(epd.position(), position, "{line}");
        assert_eq!(epd.position().fen().to_string(), position.fen().to_string());
        let best = epd.best_moves().unwrap();
        let found = best.resolve(position).map(|mv| mv.found.unwrap());
        assert!(found.eq(moves.iter().copied()), "{line}");
        assert_eq!(epd.to_string(), line);
    });
}

/// Random and damaged lines are refused with an error that points into them, or they are written so
/// that they are read back equal.
#[test]
fn random_and_damaged_lines_do_no_harm() {
    const LINES: [&str; 4] = [
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8; id \"a \\\"b\\\"; c\"; c0 \"x\"; acd 12;",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568 ;D3 13744",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 pv exd6 Kd7; ce -1; hmvc 1; fmvn 9; eco A00 \"b\" c;",
        "4k3/8/8/8/8/8/8/4K3 w - - dm 3; acn 5; acs 6; am Kd1 Ke2; noop; D9 1;",
    ];
    const LETTERS: &[&str] = &[
        "\"", "\\", ";", " ", "a", "c0", "D1", "0", "-", "bm", "id", "acd", "é", "\u{a0}", "\n",
        "\t", "\0", "hmvc 7;", "/", "k", "8",
    ];
    let number = std::env::var("TABIYA_RANDOM_TEXTS").ok();
    let number =
        number.map_or(rounds(300_000), |number| number.parse().expect("a number of texts"));
    let mut random = Random::new(7);
    let mut accepted = 0;
    for _ in 0..number {
        let mut text = random.pick(&LINES).to_owned();
        if random.below(8) == 0 {
            text.clear();
        }
        for _ in 0..random.below(6) {
            let at = random.below(text.len() + 1);
            if text.is_char_boundary(at) {
                let next = text[at..].chars().next().map_or(0, char::len_utf8);
                let removed = if random.below(2) == 0 { next } else { 0 };
                text.replace_range(at..at + removed, random.pick(LETTERS));
            }
        }
        match Epd::read(&text) {
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text:?}: {:?}", error.span());
                assert!(!error.to_string().is_empty());
            }
            Ok(epd) => {
                accepted += 1;
                let written = epd.to_string();
                let again = Epd::read(&written)
                    .unwrap_or_else(|error| panic!("{text:?}, {written:?}: {error}"));
                assert_eq!(again.position(), epd.position(), "{text:?}");
                let both = epd.operations().zip(again.operations());
                assert!(both.clone().all(|(one, other)| one == other), "{text:?} {written:?}");
                assert_eq!(again.to_string(), written, "{text:?}");
                for operation in epd.operations() {
                    if let Operation::BestMoves(moves)
                    | Operation::AvoidMoves(moves)
                    | Operation::PrincipalVariation(moves) = operation
                    {
                        for mv in moves.resolve(epd.position()).chain(moves.play(epd.position())) {
                            assert!(text.get(mv.span).is_some(), "{text:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > number / 10, "{accepted}");
    assert_eq!(Position::START.epd().to_string().split(' ').count(), 4);
}
