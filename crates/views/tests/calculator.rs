//! The calculator: values, precedence, names, errors, and garbage.

use std::collections::BTreeMap;

use tabiya::{Bitboard, Color, Role, Square};
use tabiya_views::calculator::{
    CalculatedStep, CalculatorError, CalculatorErrorKind as Kind, Function, MAX_DEPTH, MAX_LENGTH,
    ValueKind, calculate, check_name,
};
use tabiya_views::methods::{self, Method};
use tabiya_views::{InputError, Layer, LayerKind, PositionText, Scene};

const CHECK: &str = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";

fn scene() -> Scene {
    PositionText::new(CHECK).scene().unwrap()
}

fn names() -> BTreeMap<String, Bitboard> {
    [
        ("A", 0xff),
        ("B", 0x0f0f_0000_0000_f0f0),
        ("king", 1),
        ("danger", 2),
        ("o", 0x0088_0000_0000_0800),
    ]
    .map(|(name, set)| (name.to_owned(), Bitboard(set)))
    .into()
}

fn run(expression: &str) -> Result<Vec<CalculatedStep>, CalculatorError> {
    calculate(expression, &names(), &scene())
}

fn last(expression: &str) -> CalculatedStep {
    run(expression).unwrap_or_else(|error| panic!("{expression}: {error}")).pop().unwrap()
}

fn value(expression: &str) -> u64 {
    last(expression).value
}

#[test]
fn literals_and_names() {
    for (expression, expected) in [
        ("0xff", 255),
        ("0xFFFF_FFFF_FFFF_FFFF", u64::MAX),
        ("0b1010", 10),
        ("18446744073709551615", u64::MAX),
        ("1_000", 1000),
        ("e4", 1 << 28),
        ("h8", 1 << 63),
        ("file-e", 0x1010_1010_1010_1010),
        ("rank-4", 0xff00_0000),
        ("all", u64::MAX),
        ("none", 0),
        ("light", Bitboard::LIGHT.0),
        ("dark", Bitboard::DARK.0),
        ("A", 0xff),
        (" \t A\n ", 0xff),
        ("checkers", Square::D3.bitboard().0),
        ("between:e1-e8", 0x0010_1010_1010_1000),
        ("attacks:white", Layer::parse("attacks:white").unwrap().squares(&scene()).unwrap().0),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

/// The values of Rust's own operators.
#[test]
fn operators_bind_as_in_rust() {
    let (a, b, o): (u64, u64, u64) = (0xff, 0x0f0f_0000_0000_f0f0, 0x0088_0000_0000_0800);
    #[allow(clippy::precedence, reason = "that is what is tested")]
    for (expression, expected) in [
        ("A | B & o", a | b & o),
        ("A ^ B | o & 3", a ^ b | o & 3),
        ("A & B ^ o", a & b ^ o),
        ("A << 4 & B", a << 4 & b),
        ("A & B << 4", a & b << 4),
        ("1 << 2 + 3", 1 << (2 + 3)),
        ("A + B << 1", (a + b) << 1),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("20 - 3 - 4", 13),
        ("A << 1 << 2 >> 3", a << 1 << 2 >> 3),
        ("o - 2 * 0x800", o - 2 * 0x800),
        ("o ^ o - 2 * 0x800", o ^ (o - 2 * 0x800)),
        ("-1", u64::MAX),
        ("0 - 1", u64::MAX),
        ("--1", 1),
        ("~A & !B", !a & !b),
        ("~0 + 1", 0),
        ("A & -A", 1),
        ("B * 0x8080_4040_2020_1010 >> 52", b.wrapping_mul(0x8080_4040_2020_1010) >> 52),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn functions() {
    let h = Square::H4.bitboard().0;
    for (expression, expected) in [
        ("north(h4)", h << 8),
        ("north_east(h4)", 0),
        ("east(h4)", 0),
        ("south_east(h4)", 0),
        ("south(h4)", h >> 8),
        ("south_west(h4)", h >> 9),
        ("west(h4)", h >> 1),
        ("north_west(h4)", h << 7),
        ("byteswap(a1)", Square::A8.bitboard().0),
        ("reverse(a1)", Square::H8.bitboard().0),
        ("mirror(a1)", Square::H1.bitboard().0),
        ("popcount(B)", 16),
        ("first(rank-4)", 24),
        ("last(rank-4)", 31),
        ("lsb(rank-4)", 1 << 24),
        ("msb(rank-4)", 1 << 31),
        ("lsb(0) | msb(0) | without_lsb(0)", 0),
        ("without_lsb(a1 | h8)", 1 << 63),
        ("trailing_zeros(0) + leading_zeros(0)", 128),
        ("pext(B, rank-1)", 0xf0),
        ("pdep(5, file-a)", 0x1_0001),
        ("1 << first( byteswap ( a8 ) )", 1),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
    for function in Function::ALL {
        assert!(check_name(function.name()).is_err() && !function.description().is_empty());
        let values = ["a1", "a1 | c3"][..function.takes()].join(", ");
        run(&format!("{}({values})", function.name())).unwrap();
    }
}

#[test]
fn the_longest_name_counts() {
    let danger = |scene: &Scene| Layer::parse("king-danger").unwrap().squares(scene).unwrap().0;
    for (expression, expected) in [
        ("king-danger", danger(&scene())),
        ("king - danger", 1_u64.wrapping_sub(2)),
        ("king -danger", 1_u64.wrapping_sub(2)),
        ("king-danger-danger", danger(&scene()).wrapping_sub(2)),
        ("A-popcount(B)", 0xff - 16),
        ("A-B", 0xff_u64.wrapping_sub(0x0f0f_0000_0000_f0f0)),
        ("A--A", 0x1fe),
        ("pinned-checkers", Square::E2.bitboard().0.wrapping_sub(Square::D3.bitboard().0)),
        ("attacks:e2-e1", value("attacks:e2").wrapping_sub(value("e1"))),
        ("between:e1-e8-e2", value("between:e1-e8") - value("e2")),
        ("file-e-e1", value("file-e") - value("e1")),
        // A name of one's own hides a layer.
        ("king", 1),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn values_have_kinds() {
    use ValueKind::{Number, Set};
    for (expression, kind) in [
        ("5", Number),
        ("0x5", Set),
        ("e4", Set),
        ("popcount(A)", Number),
        ("popcount(A) * 2 - 1", Number),
        ("first(A)", ValueKind::Square),
        ("1 << first(A)", Set),
        ("A >> 3", Set),
        ("A & 3", Set),
        ("-1", Number),
        ("~1", Set),
    ] {
        assert_eq!(last(expression).kind, kind, "{expression}");
    }
}

#[test]
fn every_part_is_a_step() {
    let steps = run(" north( A )|(B & ~o)").unwrap();
    let parts: Vec<_> = steps
        .iter()
        .map(|step| (step.text.as_str(), step.operation, step.operands.as_slice()))
        .collect();
    assert_eq!(
        parts,
        [
            ("A", "name", &[][..]),
            ("north( A )", "north", &[0]),
            ("B", "name", &[]),
            ("o", "name", &[]),
            ("~o", "~", &[3]),
            ("B & ~o", "&", &[2, 4]),
            ("north( A )|(B & ~o)", "|", &[1, 5]),
        ]
    );
    for step in &steps {
        assert_eq!(&" north( A )|(B & ~o)"[step.span.clone()], step.text);
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    for (expression, part, message) in [
        ("", "", "there is no expression"),
        ("   ", "   ", "there is no expression"),
        ("A |", "", "a value is missing"),
        ("A | | B", "|", "a value before this operator is missing"),
        ("(A", "", "a closing parenthesis is missing"),
        ("()", ")", "a value is missing"),
        ("A)", ")", "this parenthesis closes nothing"),
        ("A B", "B", "an operator is missing before \"B\""),
        ("(A B)", "B", "an operator is missing before \"B\""),
        ("A, B", ",", "an operator is missing before \",\""),
        ("file-e (A)", "(", "an operator is missing before \"(\""),
        ("A é", "é", "'é' has no meaning here"),
        ("A < 1", "<", "'<' has no meaning here"),
        ("A + 2r", "2r", "2r is not a number of at most 64 bits"),
        (
            "0x1_0000_0000_0000_0000",
            "0x1_0000_0000_0000_0000",
            "0x1_0000_0000_0000_0000 is not a number of at most 64 bits",
        ),
        ("0x", "0x", "0x is not a number of at most 64 bits"),
        ("A << 64", "64", "a shift by 64 is more than 63 places"),
        ("A << -1", "-1", "a shift by -1 is less than 0 places"),
        ("A >> (1 << 40)", "1 << 40", "a shift by 1099511627776 is more than 63 places"),
        ("first(none)", "first(none)", "the empty set has no first square"),
        ("last(A & ~A) + 1", "last(A & ~A)", "the empty set has no last square"),
        ("popcount()", "popcount()", "the function popcount takes one value, not 0"),
        ("pext(A)", "pext(A)", "the function pext takes two values, not 1"),
        ("noth(A)", "noth", "there is no function \"noth\""),
        ("zobrist", "zobrist", "there is no name \"zobrist\""),
        ("attacks:e9 | A", "e9", "the layer attacks needs a square, such as e4, or white or black"),
        ("attacks:e4 | A", "e4", "e4 is empty"),
        ("A | xray", "", "the layer xray needs a square, such as e4"),
    ] {
        let error = run(expression).unwrap_err();
        assert_eq!(error.to_string(), message, "{expression}");
        assert_eq!(&error.input()[error.span()], part, "{expression}");
        assert_eq!(error.input(), expression);
    }
    let empty = PositionText::new("8/8/8/8/8/8/8/8 w - - 0 1").scene().unwrap();
    let error = calculate("A & pinned", &names(), &empty).unwrap_err();
    assert_eq!(error.to_string(), "the layer pinned needs a playable position: White has no king");
    assert_eq!(error.span(), 4..10);
}

#[test]
fn misspelt_names_are_corrected() {
    let hint = |expression: &str| run(expression).unwrap_err().hint();
    for (expression, expected) in [
        ("A | pined", Some("did you mean pinned?")),
        ("king-dangr", Some("did you mean danger?")),
        ("noth(A)", Some("did you mean north?")),
        ("north-east(A)", Some("there is a function: north_east(a)")),
        ("popcount", Some("there is a function: popcount(a)")),
        ("between(e1, e8)", Some("between is a layer, which is written between:e1-e8")),
        ("attacks(white)", Some("attacks is a layer, which is written attacks:e4")),
        ("ray(c3)", Some("ray is a layer, which is written ray:e1-n")),
        ("pinned(A)", Some("pinned is a layer, which is written pinned")),
        ("zobrist", None),
        ("A B", None),
    ] {
        // With a set of the name `king`, `king-dangr` is a subtraction.
        assert_eq!(hint(expression).as_deref(), expected, "{expression}");
    }
    let without = calculate("king-dangr", &BTreeMap::new(), &scene()).unwrap_err();
    assert_eq!(without.hint().as_deref(), Some("did you mean king-danger?"));
}

#[test]
fn depth_and_length_are_limited() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(value(&nested(MAX_DEPTH)), 1);
    assert_eq!(run(&nested(MAX_DEPTH + 1)).unwrap_err().kind(), &Kind::TooDeep);
    assert_eq!(run(&"(".repeat(MAX_LENGTH)).unwrap_err().kind(), &Kind::TooDeep);
    assert_eq!(
        run(&format!("{}1", "-".repeat(MAX_LENGTH - 1))).unwrap_err().kind(),
        &Kind::TooDeep
    );
    assert_eq!(run(&"north(".repeat(300)).unwrap_err().kind(), &Kind::TooDeep);
    // Long, but not deep.
    let long = format!("1{}", "+1".repeat((MAX_LENGTH - 1) / 2));
    assert_eq!(value(&long), 1 + (MAX_LENGTH as u64 - 1) / 2);
    let longer = format!("{}é", "1".repeat(MAX_LENGTH - 1));
    let error = run(&longer).unwrap_err();
    assert_eq!((error.kind(), error.span()), (&Kind::TooLong, MAX_LENGTH - 1..MAX_LENGTH + 1));
}

#[test]
fn names_that_a_set_may_have() {
    for name in ["A", "blockers", "x_1", "Pinned"] {
        assert_eq!(check_name(name), Ok(()), "{name}");
        let names = BTreeMap::from([(name.to_owned(), Bitboard(7))]);
        assert_eq!(calculate(name, &names, &scene()).unwrap().pop().unwrap().value, 7, "{name}");
    }
    for name in ["", "1a", "_x", "a b", "a-b", "é", "e4", "E4", "all", "first", "pinned", "attacks"]
    {
        let accepted = check_name(name).is_ok();
        // Squares are written in small letters.
        assert_eq!(accepted, name == "E4" && name.parse::<Square>().is_err(), "{name}");
    }
    assert!(check_name(&"a".repeat(32)).is_ok() && check_name(&"a".repeat(33)).is_err());
    for kind in LayerKind::ALL {
        assert!(check_name(kind.name()).is_err(), "{kind}");
    }
}

/// Whatever is written, the calculator does not panic, and every span is a part of the text.
#[test]
fn garbage_is_an_error() {
    const PARTS: [&str; 44] = [
        "A",
        "B",
        "e4",
        "a",
        "file-e",
        "rank-",
        "-",
        "--",
        "~",
        "!",
        "(",
        ")",
        "<<",
        ">>",
        "<",
        "&",
        "|",
        "^",
        "+",
        "*",
        ",",
        " ",
        "\n",
        "0x",
        "0xff",
        "0b2",
        "99999999999999999999",
        "7",
        "64",
        "north(",
        "pext(",
        "first(",
        "popcount",
        "attacks:",
        "attacks:white",
        "between:e1-e8",
        "king-danger",
        ":",
        "_",
        "é",
        "♞",
        "\u{0}",
        "none",
        "ray:c3-n",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let (names, scene) = (names(), scene());
    let mut values = 0;
    // Emulated machines are slow.
    let rounds = if std::env::var_os("TABIYA_SHORT_TESTS").is_some() { 10_000 } else { 200_000 };
    for _ in 0..rounds {
        let text: String = (0..next(12)).map(|_| PARTS[next(PARTS.len())]).collect();
        match calculate(&text, &names, &scene) {
            Ok(steps) => {
                values += 1;
                for (place, step) in steps.iter().enumerate() {
                    assert_eq!(text[step.span.clone()], step.text);
                    assert!(step.operands.iter().all(|operand| *operand < place));
                }
            }
            Err(error) => assert!(error.input().get(error.span()).is_some(), "{text:?}"),
        }
    }
    assert!(values > rounds / 40, "{values}");
}

/// A thousand names with hyphens between them once took minutes, because every end of the rest was
/// tried as the end of a name.
#[test]
fn the_longest_expressions_without_spaces_are_read() {
    let expression = "A-".repeat(MAX_LENGTH / 2 - 1) + "A";
    let steps = run(&expression).unwrap();
    assert_eq!(steps.len(), MAX_LENGTH - 1);
    let expected = (1..MAX_LENGTH / 2).fold(0xff_u64, |value, _| value.wrapping_sub(0xff));
    assert_eq!(steps.last().unwrap().value, expected);
    // The longest name wins, however long it is.
    let long = format!("A{}", "-A".repeat(100));
    let names = [("A".to_owned(), Bitboard(1)), (long.clone(), Bitboard(8))].into();
    assert_eq!(calculate(&long, &names, &scene()).unwrap().pop().unwrap().value, 8);
    for kind in LayerKind::ALL {
        assert!(kind.to_string().len() + "black-king-side".len() < 64, "{kind}");
    }
}

/// The arithmetic under each step of the methods is true: the calculator finds the same values.
#[test]
fn the_arithmetic_of_the_methods_is_true() {
    let occupied = Bitboard(0x2408_5100_4a10_8a25);
    let scene = scene();
    let mut lines = 0;
    for method in Method::ALL {
        for role in method.roles() {
            for square in Square::ALL {
                let piece = role.of(Color::White);
                for step in methods::steps(method, piece, square, occupied).unwrap() {
                    let mut names: BTreeMap<String, Bitboard> = BTreeMap::new();
                    for set in &step.sets {
                        names.insert(set.name.to_owned(), set.squares);
                    }
                    for line in step.arithmetic.lines() {
                        let [name, expression, shown] = line.split(" = ").collect::<Vec<_>>()[..]
                        else {
                            panic!("{line}")
                        };
                        let read = |text: &str| {
                            calculate(text, &names, &scene)
                                .unwrap_or_else(|error| panic!("{line}: {error}"))
                                .pop()
                                .unwrap()
                                .value
                        };
                        let shown = read(shown);
                        if let Some(set) = names.get(name) {
                            assert_eq!(shown, set.0, "{line}");
                        } else {
                            assert_eq!(Some(shown), step.number, "{line}");
                        }
                        // Entries of tables cannot be calculated.
                        if !expression.contains('[') {
                            assert_eq!(read(expression), shown, "{line}");
                            lines += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(lines > 10_000, "{lines}");
    assert_eq!(Role::ALL.len(), Method::Shifts.roles().len());
}
