//! Methods step by step: they end with the library's attacks, and every step does what it says.

use std::collections::BTreeSet;

use tabiya::attacks::{self, DefaultSliders};
use tabiya::{Bitboard, Color, Piece, Role, Square};
use tabiya_views::methods::{self, Method, MethodError, SetRole, Step};

/// Pseudo-random sets of all densities, always the same.
fn occupancies() -> Vec<Bitboard> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut sets = vec![Bitboard::EMPTY, Bitboard::FULL];
    for _ in 0..20 {
        let (a, b, c) = (next(), next(), next());
        sets.extend([a, a & b, a & b & c, a | b].map(Bitboard));
    }
    sets
}

fn pieces(method: Method) -> impl Iterator<Item = Piece> {
    let roles = method.roles().iter();
    roles.flat_map(|role| Color::ALL.map(|color| role.of(color)))
}

/// Every method for every piece and square with every one of the sets.
fn all_steps(
    occupancies: &[Bitboard],
    mut examine: impl FnMut(Method, Piece, Square, Bitboard, &[Step]),
) {
    for method in Method::ALL {
        for piece in pieces(method) {
            for square in Square::ALL {
                for &occupied in occupancies {
                    let steps = methods::steps(method, piece, square, occupied).unwrap();
                    examine(method, piece, square, occupied, &steps);
                }
            }
        }
    }
}

#[test]
fn the_last_step_finds_what_the_default_method_finds() {
    all_steps(&occupancies(), |method, piece, square, occupied, steps| {
        let expected = attacks::piece(DefaultSliders::default(), piece, square, occupied);
        let last = steps.last().unwrap();
        assert_eq!(last.result(), Some(expected), "{method} {piece:?} {square} {occupied:?}");
    });
}

#[test]
fn steps_are_well_formed() {
    all_steps(&occupancies()[..7], |method, piece, square, occupied, steps| {
        let place = || format!("{method} {piece:?} {square} {occupied:?}");
        let mut found = Bitboard::EMPTY;
        for step in steps {
            let names: BTreeSet<_> = step.sets.iter().map(|set| set.name).collect();
            assert_eq!(names.len(), step.sets.len(), "{}: {step:?}", place());
            assert!(!step.name.is_empty() && !step.part.is_empty(), "{step:?}");
            let caption = &step.caption;
            assert!(caption.ends_with('.') && !caption.contains("  "), "{caption}");
            assert!(caption.starts_with(|first: char| !first.is_whitespace()), "{caption}");
            let results = step.sets.iter().filter(|set| set.role == SetRole::Result).count();
            assert!(results <= 1, "{}: {step:?}", place());
            // The attacks that are found grow, and each part begins with those from the parts
            // before it.
            if let Some(result) = step.result() {
                assert_eq!(step.set("found"), Some(found), "{}: {step:?}", place());
                assert!(found.is_subset(result), "{}", place());
                found = result;
            }
        }
    });
}

#[test]
fn a_method_for_sliders_refuses_other_pieces() {
    let knight = Role::Knight.of(Color::Black);
    for method in Method::ALL {
        let steps = methods::steps(method, knight, Square::A1, Bitboard::EMPTY);
        match method {
            Method::Shifts => assert!(steps.is_ok()),
            _ => assert_eq!(steps, Err(MethodError::Role(method, Role::Knight))),
        }
    }
    let error = Method::parse("Magic").unwrap_err();
    assert_eq!(error.to_string(), "there is no method \"Magic\"");
}

/// The steps of a rook on d4 with blockers on d6, d7, b4, d2 and g4, as `name: arithmetic`.
fn rook(method: Method) -> Vec<Step> {
    let occupied = ["d6", "d7", "b4", "d2", "g4"].map(|square| square.parse::<Square>().unwrap());
    let occupied = occupied.into_iter().collect();
    methods::steps(method, Role::Rook.of(Color::White), Square::D4, occupied).unwrap()
}

fn names(steps: &[Step]) -> Vec<&str> {
    steps.iter().map(|step| step.name).collect()
}

#[test]
fn the_classical_way() {
    let steps = rook(Method::Classical);
    assert_eq!(names(&steps[..5]), ["ray", "blockers", "first", "behind", "attacks"]);
    assert_eq!(steps.len(), 20);
    let part = |part: &str| steps.iter().filter(|step| step.part == part).collect::<Vec<_>>();
    let south = part("south");
    assert_eq!(south[2].arithmetic, "first = 63 - leading_zeros(blockers | a1) = 11");
    assert_eq!(south[2].number, Some(11));
    assert!(south[3].set("behind").unwrap().iter().eq([Square::D1]));
    assert_eq!(part("east")[4].caption, "Attacked to the east: e4, f4 and g4.");
}

#[test]
fn subtraction() {
    let steps = rook(Method::Hyperbola);
    let kinds =
        ["line", "blockers", "subtract", "mirror", "subtract-mirrored", "mirror-back", "attacks"];
    assert_eq!(names(&steps[..7]), kinds);
    assert_eq!(names(&steps[7..]), ["inner", "look-up", "attacks"]);
    // The borrow sets all bits from the slider up to the blocker, without the blocker itself.
    let up = steps[2].set("up").unwrap();
    assert!(up.has(Square::D4) && up.has(Square::C6) && !up.has(Square::D6) && up.has(Square::D7));
    // b4 and g4 are the outer two of the six inner squares.
    assert_eq!(steps[7].number, Some(0b100_001));
    assert_eq!(steps[8].number, Some(0b0111_0110));
}

#[test]
fn fills_double() {
    let steps = rook(Method::KoggeStone);
    assert_eq!(names(&steps[..5]), ["free", "round", "round", "round", "attacks"]);
    assert_eq!(steps.len(), 20);
    let lines: Vec<_> = steps[2].arithmetic.lines().collect();
    assert!(lines[0].starts_with("fill_4 = fill_2 | free_2 & fill_2 << 16 = 0x"), "{lines:?}");
    assert!(lines[1].starts_with("free_4 = free_2 & free_2 << 16 = 0x"), "{lines:?}");
    let fill =
        |steps: &[Step], name: &str| steps.iter().find_map(|step| step.set(name)).unwrap().len();
    let open = methods::steps(
        Method::KoggeStone,
        Role::Bishop.of(Color::White),
        Square::A1,
        Bitboard::EMPTY,
    )
    .unwrap();
    assert_eq!(
        ["fill_1", "fill_2", "fill_4", "fill_8"].map(|name| fill(&open, name)),
        [1, 2, 4, 8]
    );
}

#[test]
fn look_ups() {
    let steps = rook(Method::Magic);
    let copies = ["copy"; 5];
    let expected = [&["mask", "blockers", "multiply"][..], &copies, &["index", "attacks"]].concat();
    assert_eq!(names(&steps), expected);
    assert_eq!(steps[0].set("mask").unwrap(), attacks::relevant::rook(Square::D4));
    let index = steps[8].number.unwrap();
    assert!(index < 1 << 10, "{index}");
    assert_eq!(steps[8].set("product").unwrap().0 >> 54, index);

    let steps = rook(Method::Pext);
    assert_eq!(names(&steps), ["mask", "blockers", "extract", "look-up", "attacks"]);
    // The relevant squares are d2, d3, b4, c4, e4, f4, g4, d5, d6 and d7.
    assert_eq!(steps[2].number, Some(0b11_0100_0101));
    // The attacked squares among d1, d2, d3, a4, b4, c4, e4, f4, g4, h4, d5, d6, d7 and d8.
    assert_eq!(steps[3].number, Some(0b00_1101_1111_0110));
}

/// Adds one bit of a copy to a sum in which every bit knows the bits, with their blockers, that it
/// consists of. A bit that is there already is taken along to the next place, or off the board.
fn add_bit(sum: &mut [Vec<(u32, Square)>], place: u32, blocker: Square) {
    let mut bit = vec![(place, blocker)];
    for there in &mut sum[place as usize..] {
        if there.is_empty() {
            *there = bit;
            return;
        }
        bit.append(there);
    }
}

#[test]
fn copies_of_the_magic_add_up_to_the_product() {
    for role in [Role::Rook, Role::Bishop] {
        for square in Square::ALL {
            for occupied in occupancies() {
                let piece = role.of(Color::White);
                let steps = methods::steps(Method::Magic, piece, square, occupied).unwrap();
                copies_add_up(&steps);
            }
        }
    }
}

fn copies_add_up(steps: &[Step]) {
    let [_, _, multiply, copies @ .., index, _] = steps else { panic!("{steps:?}") };
    let [blockers, multiplier, product] =
        ["blockers", "multiplier", "product"].map(|name| multiply.set(name).unwrap());
    assert_eq!(product.0, blockers.0.wrapping_mul(multiplier.0), "{multiply:?}");
    assert_eq!(copies.len(), blockers.len() as usize);
    let mut sum = vec![Vec::new(); 64];
    for (copy, blocker) in copies.iter().zip(blockers) {
        let bits = Bitboard(multiplier.0 << blocker as u8);
        let [before, after] = ["before", "sum"].map(|name| copy.set(name).unwrap());
        assert_eq!((copy.set("copy"), after.0), (Some(bits), before.0.wrapping_add(bits.0)));
        // A place carries if both bits are 1, or if one is and the sum has lost it.
        let carries = (before & bits) | ((before | bits) - after);
        assert_eq!(copy.set("met"), Some(carries));
        // From h8 down: the bits of a place meet each other before they meet what is carried.
        let bits: Vec<_> = bits.iter().collect();
        for &bit in bits.iter().rev() {
            add_bit(&mut sum, bit as u32, blocker);
        }
        traces_agree(copy, blockers, &sum, Bitboard::FULL);
    }
    let last = copies.last().and_then(|copy| copy.set("sum"));
    assert_eq!(last.unwrap_or_default(), product);
    let top = index.set("top").unwrap();
    traces_agree(index, blockers, &sum, top);
    assert_eq!(index.number, Some(product.0 >> (64 - top.len())));
}

/// Every bit of the sum has the value of all the bits that it consists of, and is traced to exactly
/// their blockers.
fn traces_agree(step: &Step, blockers: Bitboard, sum: &[Vec<(u32, Square)>], within: Bitboard) {
    assert!(step.traces.iter().map(|trace| trace.blocker).eq(blockers));
    for (place, bits) in Square::ALL.into_iter().zip(sum).filter(|(place, _)| within.has(*place)) {
        let value: u64 = bits.iter().map(|(place, _)| 1 << place).sum();
        assert_eq!(value, if bits.is_empty() { 0 } else { place.bitboard().0 });
        let made: Bitboard = bits.iter().map(|&(_, blocker)| blocker).collect();
        let traced = step.traces.iter().filter(|trace| trace.squares.has(place));
        assert_eq!(traced.map(|trace| trace.blocker).collect::<Bitboard>(), made, "{step:?}");
    }
    assert!(step.traces.iter().all(|trace| trace.squares.is_subset(within)));
}

#[test]
fn shifts_drop_what_would_wrap() {
    let knight = Role::Knight.of(Color::White);
    let steps = methods::steps(Method::Shifts, knight, Square::G1, Bitboard::EMPTY).unwrap();
    let wrapped: Vec<_> = steps.iter().filter_map(|step| step.set("wrapped")).collect();
    assert!(wrapped.iter().any(|set| set.iter().eq([Square::A2])), "{wrapped:?}");
    let black = Role::Pawn.of(Color::Black);
    let steps = methods::steps(Method::Shifts, black, Square::A7, Bitboard::EMPTY).unwrap();
    assert_eq!(steps.last().unwrap().caption, "A black pawn captures one rank to the south: b6.");
    // A slider takes one square in each step, and one more to find the edge.
    let queen = Role::Queen.of(Color::White);
    let steps = methods::steps(Method::Shifts, queen, Square::D4, Bitboard::EMPTY).unwrap();
    assert_eq!(steps.len(), 27 + 8);
}
