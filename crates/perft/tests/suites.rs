//! Reading suites in all formats, and checking them.

#[path = "common/random.rs"]
mod random;
use random::Random;

use std::num::NonZeroUsize;

use tabiya::{CastlingMode, Position};
use tabiya_perft::suite::{
    self, Case, CheckOptions, LineError, LineErrorCause, ReadOptions, Suite,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn read(text: &str) -> Suite {
    suite::read(text.as_bytes(), &ReadOptions::default())
}

fn only_case(text: &str) -> Case {
    let Suite { mut cases, errors } = read(text);
    assert!(errors.is_empty(), "{text:?}: {errors:?}");
    assert_eq!(cases.len(), 1, "{text:?}");
    cases.remove(0)
}

fn only_error(text: &str) -> LineError {
    let Suite { cases, mut errors } = read(text);
    assert!(cases.is_empty(), "{text:?}: {cases:?}");
    assert_eq!(errors.len(), 1, "{text:?}: {errors:?}");
    errors.remove(0)
}

#[test]
fn counts_in_every_format_are_read() {
    let four = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for text in [
        format!("{START} ;D1 20 ;D2 400 ;D3 8902"),
        format!("{START}; D1 20; D2 400; D3 8902"),
        format!("{START}; D1 20; D2 400; D3 8902;"),
        format!("{START};D1 20;D2 400;D3 8902\r"),
        format!("# more\r{START};D1 20;D2 400;D3 8902 # more\r\r"),
        format!("\u{feff}{START}\t;D1\t20\t;D2\t400;D3 8902\r\n\r\n"),
        format!("{START} ;D3 8,902 ;D1 20 ;D2 400 # by depth"),
        format!("{START} D1 20 D2 400, D3 8_902 // in a row"),
        format!("{START}; d1: 20; d2=400; D 3 8902"),
        format!("{four} D1 20; D2 400; D3 8902;"),
        format!("{four} bm e2e4; c0 \"one; D9 1; two # three\"; D1 20; D2 400; D3 8902; ce 13;"),
        format!("{four}; hmvc 0; fmvn 1; perft 1 20; perft 2 400; perft 3 8902;"),
        format!("  {START}  ;D1 20 ;D1 20 ;D2 400 ;D3 8902 ;D2 400  "),
        format!("id start\nepd {START}\nperft 1 20\nperft 2 400\nperft 3 8902\n"),
        format!("epd {START}\r\nperft 1 20\r\n\r\n# more\r\nperft 2 400;\r\nperft 3 8902"),
        format!("epd {four} D1 20;\nperft 3 8902\nperft 2 400\n"),
        format!("{four}; PERFT 1 20; Perft 2 400; perft 3 8902; ID \"x\";"),
        format!("ID start\nEPD {START}\nPERFT 1 20\nPERFT 2 400\nPerft 3 8902\n"),
    ] {
        let case = only_case(&text);
        assert_eq!(case.position, Position::START, "{text:?}");
        assert_eq!(case.counts, [(1, 20), (2, 400), (3, 8902)], "{text:?}");
    }
}

#[test]
fn cases_have_names_and_line_numbers() {
    let text = format!(
        "# two\n\n{START} ;D1 20 ;id \"the start; of a game\"\n\
         id other\nepd {START}\nperft 1 20\nid \"third\"\nepd {START}\nperft 1 20\n\
         ; a comment\n// another\n{START} ;D1 20\n"
    );
    let Suite { cases, errors } = read(&text);
    assert_eq!(errors, []);
    let found: Vec<_> = cases.iter().map(|case| (case.line, case.name.as_deref())).collect();
    let start = Some("the start; of a game");
    assert_eq!(found, [(3, start), (5, Some("other")), (8, Some("third")), (12, None)]);
}

#[test]
fn chess960_is_chosen_by_option_or_detected() {
    let shredder = "1rk3r1/8/3n4/B7/8/8/P1p5/1R2RK1R b HBgb - 0 1 ;D1 36";
    assert_eq!(only_case(shredder).position.castling_mode(), CastlingMode::Chess960);
    let outer = "1rk3r1/8/3n4/B7/8/8/P1p5/1R2RK1R b KQkq - 0 1 ;D1 36";
    assert_eq!(only_case(outer).position.castling_mode(), CastlingMode::Chess960);
    let start = format!("{START} ;D1 20");
    assert_eq!(only_case(&start).position.castling_mode(), CastlingMode::Standard);
    let flagged = suite::read(start.as_bytes(), &ReadOptions { chess960: true });
    assert_eq!(flagged.cases[0].position.castling_mode(), CastlingMode::Chess960);
}

#[test]
fn a_position_may_be_given_by_moves() {
    let after = Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    for moves in ["moves e2e4 e7e5", "moves e4  e5", "moves e2-e4 e5", "Moves\te4\te5"] {
        let case = only_case(&format!("{START} {moves} ;D1 29 ;id \"open\""));
        assert_eq!(Ok(&case.position), after.as_ref(), "{moves}");
        assert_eq!((&case.counts[..], case.name.as_deref()), (&[(1, 29)][..], Some("open")));
    }
    let castled = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1 moves e1g1 e8c8; D1 13; D2 5";
    assert_eq!(only_case(castled).position.fen().to_string(), "2kr4/8/8/8/8/8/8/5RK1 w - - 2 2");
    let block = format!("epd {START} moves e2e4\nperft 1 20");
    assert_eq!(only_case(&block).position.turn(), tabiya::Color::Black);
    let error = only_error(&format!("{START} moves e2e4 e2e4 ;D1 20"));
    assert!(matches!(error.cause, LineErrorCause::Move(_)), "{error}");
    assert_eq!((error.column(), &error.text[error.span()]), (START.len() + 13, "e2e4"));
    assert!(error.to_string().contains("e2e4 is not legal: there is no piece on e2"), "{error}");
    // The counts stand behind a semicolon.
    assert_eq!(only_error(&format!("{START} moves e2e4 D1 20")).column(), START.len() + 13);
}

#[test]
fn errors_have_a_place_and_a_cause() {
    let cases: [(String, usize, &str, LineErrorCause); 14] = [
        (START.to_owned(), 1, "", LineErrorCause::NoCounts),
        (format!("{START} ;D1 20 ;D2"), 1, "", LineErrorCause::Count),
        (format!("{START} ;D1 twenty"), 1, "twenty", LineErrorCause::Count),
        (format!("{START} ;D1 -20"), 1, "-20", LineErrorCause::Count),
        (format!("{START} ;D1 +20"), 1, "+20", LineErrorCause::Count),
        (
            format!("{START} ;D1 {}0", u128::MAX),
            1,
            &format!("{}0", u128::MAX),
            LineErrorCause::Count,
        ),
        (format!("\n{START} ;D256 20"), 2, "256", LineErrorCause::Depth),
        (format!("{START} ;20 ;D2 400"), 1, "20", LineErrorCause::Operation),
        (format!("{START} ;D1 20 400"), 1, "400", LineErrorCause::Operation),
        (format!("{START} ;id \"a;D1 20 ;D2 401"), 1, "\"a;D1 20 ;D2 401", LineErrorCause::Quote),
        (format!("{START} ;D1 20 ;id \"a\" \";D2 401"), 1, "\";D2 401", LineErrorCause::Quote),
        (format!("{START} ;D1 20 ;D1 21"), 1, "1 21", LineErrorCause::Twice { depth: 1 }),
        ("perft 1 20".to_owned(), 1, "perft 1 20", LineErrorCause::NoPosition),
        ("id nothing\n".to_owned(), 1, "id nothing", LineErrorCause::NoPosition),
    ]
    .map(|(text, line, part, cause)| {
        (text, line, Box::leak(part.to_owned().into()) as &str, cause)
    });
    for (text, line, part, cause) in cases {
        let error = only_error(&text);
        assert_eq!(&error.text[error.span()], part, "{text:?}");
        assert_eq!((error.line, error.cause), (line, cause), "{text:?}");
    }
}

#[test]
fn errors_in_a_fen_have_the_column_in_the_line() {
    let error = only_error("  8/8/8/8/PPPPPPPPP/8/8/8 w - - 0 1 ;D1 1");
    assert_eq!(error.column(), 11);
    assert_eq!(error.to_string(), "line 1, column 11: rank 4 of the board has 9 squares, not 8",);
    let error = only_error("epd 8/8/8/8/8/8/8/8 x - - 0 1\nperft 1 20\nperft 2 30");
    assert_eq!((error.line, error.column()), (1, 21));
    assert_eq!(only_error("♔♕ w - -;D1 1").column(), 1);
}

#[test]
fn one_bad_line_does_not_affect_the_others() {
    let text = format!("{START} ;D1 20\nnonsense\n{START} ;D2 400\n\u{0}\n{START};D3\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"\xff\xfe ;D1 20\n");
    let Suite { cases, errors } = suite::read(&bytes, &ReadOptions::default());
    assert_eq!(cases.iter().map(|case| case.line).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [2, 4, 5, 6]);
    assert_eq!(errors[3].cause, LineErrorCause::NotText);
}

/// For any input, reading ends, errors point inside their lines, and cases have counts.
#[test]
fn no_input_panics() {
    let seeds = [
        format!("{START} ;D1 20 ;D2 400\n"),
        format!("id start\r\nepd {START}\r\nperft 1 20\r\nperft 2 400\r\n"),
        format!("{START}; D1 20; id \"x;y\"; c0 \"#\"; D2 4,00 // end\n"),
        "1rk3r1/8/3n4/B7/8/8/P1p5/1R2RK1R b HBgb - 0 1 ;D1 36\n♔ 8/8/ \u{feff}\n".to_owned(),
    ];
    let bits: [&[u8]; 12] = [
        b";",
        b"D",
        b"\"",
        b"#",
        b"//",
        b"\xff",
        b"\r\n",
        b"perft ",
        b"id ",
        b"epd ",
        b"99999999999999999999999999999999999999999",
        b"\xe2\x99",
    ];
    let mut random = Random(0x7ab1_7ab1);
    let (mut cases, mut errors) = (0, 0);
    // Emulated machines and sanitizers are slow.
    let texts = if std::env::var_os("TABIYA_SHORT_TESTS").is_some() { 6_000 } else { 60_000 };
    for round in 0..texts {
        let mut bytes = seeds[round % seeds.len()].clone().into_bytes();
        for _ in 0..random.below(6) {
            let place = random.below(bytes.len() + 1);
            match random.below(4) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, random.below(256) as u8),
                2 => drop(bytes.splice(place..place, random.one_of(&bits).to_vec())),
                _ => {
                    let end = place + random.below(bytes.len() + 1 - place);
                    drop(bytes.drain(place..end));
                }
            }
        }
        let suite = suite::read(&bytes, &ReadOptions { chess960: round % 2 == 0 });
        for error in &suite.errors {
            assert!(error.text.get(error.span()).is_some(), "{error:?}");
            assert!(error.line > 0 && !error.to_string().is_empty());
            assert!(error.column() <= error.text.chars().count() + 1, "{error:?}");
        }
        assert!(suite.cases.iter().all(|case| !case.counts.is_empty()));
        assert!(suite.cases.iter().all(|case| case.counts.is_sorted_by_key(|&(depth, _)| depth)));
        cases += suite.cases.len();
        errors += suite.errors.len();
    }
    assert!(cases > texts / 6 && errors > texts / 6, "{cases} cases, {errors} errors");
}

#[test]
fn a_wrong_count_is_reported_with_its_divide() {
    let text = format!("{START} ;D1 20 ;D2 401 ;D3 8903 ;D4 197281\n{START} ;D1 20\n");
    let options = CheckOptions {
        max_depth: Some(3),
        threads: NonZeroUsize::new(2).unwrap(),
        ..Default::default()
    };
    let reports = suite::check(&read(&text).cases, &options, &());
    let first = &reports[0];
    assert_eq!((first.right, first.wrong, first.skipped), (1, 2, 1));
    assert_eq!(first.nodes, 20 + 400 + 8902);
    let mismatch = first.mismatch.as_ref().unwrap();
    assert_eq!((mismatch.depth, mismatch.expected, mismatch.found), (2, 401, 400));
    assert_eq!(mismatch.divide.moves.len(), 20);
    assert_eq!(mismatch.divide.nodes, 400);
    assert_eq!((reports[1].right, reports[1].wrong), (1, 0));

    let few = CheckOptions { max_nodes: Some(400), ..CheckOptions::default() };
    let reports = suite::check(&read(&text).cases, &few, &());
    assert_eq!((reports[0].right, reports[0].wrong, reports[0].skipped), (1, 0, 3));
}

#[test]
fn the_counts_of_all_bundled_suites_are_right() {
    let (mut files, mut lines, mut counts) = (0, 0, 0);
    for file in tabiya_suites::ALL.iter().filter(|file| file.name.ends_with(".epd")) {
        let suite = suite::read(file.text.as_bytes(), &ReadOptions::default());
        assert_eq!(suite.errors, [], "{}", file.name);
        let threads = NonZeroUsize::new(2).unwrap();
        let options = CheckOptions { max_nodes: Some(5_000_000), threads, ..Default::default() };
        let reports = suite::check(&suite.cases, &options, &());
        for (case, report) in suite.cases.iter().zip(reports) {
            assert!(report.mismatch.is_none(), "{}:{}", file.name, case.line);
            counts += report.right;
        }
        files += 1;
        lines += suite.cases.len();
    }
    assert!(files >= 5 && lines > 450 && counts > 1500, "{files} files, {lines} lines, {counts}");
}
