//! Filters, compared with a plain evaluation, and their errors.

use tabiya::{CastlingMode, Color, Position, Role, SplitMix64};
use tabiya_data::{Filter, FilterError, GameResult, Record};

/// Records of random games, some without a move, a score or a result.
fn records() -> Vec<Record> {
    let mut random = SplitMix64::new(1);
    let mut records = Vec::new();
    for _ in 0..40 {
        let mut position = Position::START;
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = random.pick(&moves);
            let mut some = |end| Some(random.below(end)).filter(|&it| it > 0);
            records.push(Record {
                position: position.clone(),
                mv: some(20).map(|_| mv),
                score: some(20).map(|it| it as i16 * 7 - 70),
                result: [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins]
                    .get(some(5).unwrap_or(5) - 1)
                    .copied(),
                ply,
            });
            position = position.play(mv);
        }
    }
    records
}

type Test = Box<dyn Fn(&Record) -> bool>;
type Number = Box<dyn Fn(&Record) -> Option<i64>>;

fn number(random: &mut SplitMix64) -> (String, Number) {
    let (text, of): (&str, Number) = match random.below(7) {
        0 => ("score", Box::new(|it| it.score.map(i64::from))),
        1 => ("ply", Box::new(|it| Some(it.ply.into()))),
        2 => ("clock", Box::new(|it| Some(it.position.halfmove_clock().into()))),
        3 => ("pieces", Box::new(|it| Some(pieces(it).len() as i64))),
        4 => ("material", Box::new(|it| Some(pieces(it).into_iter().map(value).sum()))),
        5 => {
            let (text, of) = number(random);
            return (format!("abs( {text})"), Box::new(move |it| of(it).map(i64::abs)));
        }
        _ => {
            let constant = random.below(80) as i64 - 20;
            return (constant.to_string(), Box::new(move |_| Some(constant)));
        }
    };
    (text.to_owned(), of)
}

/// The pieces of a FEN's first field.
fn pieces(record: &Record) -> Vec<char> {
    let fen = record.position.fen().to_string();
    fen.split(' ').next().unwrap().chars().filter(|it| it.is_alphabetic()).collect()
}

fn value(letter: char) -> i64 {
    match letter.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    }
}

fn condition(random: &mut SplitMix64, depth: u32) -> (String, Test) {
    match random.below(if depth > 0 { 12 } else { 8 }) {
        0 => ("check".to_owned(), Box::new(|it| !it.position.checkers().is_empty())),
        1 => (
            "capture".to_owned(),
            Box::new(|it| it.mv.is_some_and(|mv| it.position.captured_by(mv).is_some())),
        ),
        2 => {
            let king = |it: &Record| {
                it.mv.is_some_and(|mv| {
                    let is_far = mv.from().file() as i8 - mv.to().file() as i8;
                    it.position.role_of(mv) == Role::King && is_far.abs() > 1
                })
            };
            ("castling".to_owned(), Box::new(king))
        }
        3 => ("has_score".to_owned(), Box::new(|it| it.score.is_some())),
        4 => {
            let draw = |it: &Record| it.result == Some(GameResult::Draw);
            ("result == draw".to_owned(), Box::new(draw))
        }
        5 => {
            let other =
                |it: &Record| matches!(it.result, Some(GameResult::Draw | GameResult::BlackWins));
            ("result!=white".to_owned(), Box::new(other))
        }
        6 => ("turn == black".to_owned(), Box::new(|it| it.position.turn() == Color::Black)),
        7 => {
            let ((one, a), (other, b)) = (number(random), number(random));
            type Compare = fn(i64, i64) -> bool;
            let signs: [(&str, Compare); 6] = [
                ("==", |a, b| a == b),
                ("!=", |a, b| a != b),
                ("<", |a, b| a < b),
                ("<=", |a, b| a <= b),
                (">", |a, b| a > b),
                (">=", |a, b| a >= b),
            ];
            let (sign, compare) = random.pick(&signs);
            let test = move |it: &Record| a(it).zip(b(it)).is_some_and(|(a, b)| compare(a, b));
            (format!("{one}{sign}{other}"), Box::new(test))
        }
        8 => {
            let (text, test) = condition(random, depth - 1);
            (format!("not ({text})"), Box::new(move |it| !test(it)))
        }
        9 => {
            // Without parentheses: `and` binds stronger than `or`.
            let [(a, x), (b, y), (c, z)] = [(); 3].map(|()| condition(random, 0));
            (format!("{a} or not {b} and {c}"), Box::new(move |it| x(it) || (!y(it) && z(it))))
        }
        kind => {
            let ((one, a), (other, b)) =
                (condition(random, depth - 1), condition(random, depth - 1));
            if kind == 10 {
                (format!("({one}) and ({other})"), Box::new(move |it| a(it) && b(it)))
            } else {
                (format!("({one}) or ({other})"), Box::new(move |it| a(it) || b(it)))
            }
        }
    }
}

#[test]
fn filters_accept_what_their_words_say() {
    let records = records();
    let mut random = SplitMix64::new(2);
    let mut accepted = 0;
    for _ in 0..300 {
        let (text, test) = condition(&mut random, 3);
        let filter: Filter = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        for record in &records {
            assert_eq!(filter.accepts(record), test(record), "{text}: {record:?}");
        }
        accepted += usize::from(records.iter().any(&test) && !records.iter().all(test));
    }
    assert!(accepted > 200, "{accepted} filters decide anything");
}

#[test]
fn chess960_is_a_flag_of_the_position() {
    let filter: Filter = "chess960".parse().unwrap();
    let position = Position::START.with_castling_mode(CastlingMode::Chess960).unwrap();
    assert!(filter.accepts(&Record { position, ..Record::default() }));
    assert!(!filter.accepts(&Record::default()));
}

#[test]
fn errors_have_a_place() {
    let deep = "(".repeat(200);
    for (text, place, begin) in [
        ("", 0..0, "the filter ends where a condition (check, "),
        ("check and", 9..9, "the filter ends where a condition"),
        ("check capture", 6..13, "expected \"and\", \"or\" or the end, found \"capture\""),
        ("score = 3", 6..7, "expected ==, !=, <, <=, > or >=, found \"=\""),
        ("-5 < score < 5", 11..12, "expected \"and\""),
        ("ply > 3 and hastings", 12..20, "expected a condition (check, capture, "),
        ("result == win", 10..13, "expected white, draw or black, found \"win\""),
        ("turn < white", 5..6, "expected == or !=, found \"<\""),
        ("abs score", 4..9, "expected \"(\", found \"score\""),
        ("(check", 6..6, "the filter ends where \")\" is expected"),
        ("score > -x", 9..10, "expected a number, found \"x\""),
        ("score < 99999999999", 8..19, "numbers go from "),
        ("♔ > 3", 0..3, "expected a condition"),
        (&deep, 100..101, "more than 100 conditions in each other"),
    ] {
        let error: FilterError = text.parse::<Filter>().unwrap_err();
        assert_eq!(error.span(), place, "{text}: {error}");
        assert!(error.to_string().starts_with(begin), "{text}: {error}");
    }
}
