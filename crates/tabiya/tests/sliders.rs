//! Every slider method against the step-by-step oracle, and the generator with every method.

use tabiya::attacks::kogge_stone;
use tabiya::attacks::{self, MethodVisitor, Sliders, StepByStep, relevant};
use tabiya::movegen::Legal;
use tabiya::{Bitboard, Direction, Position, Square};

mod common;
use common::{Line, Random, rounds, suite};

/// The oracle's result, to be compared with each method.
struct Case {
    square: Square,
    occupied: Bitboard,
    expected: Bitboard,
}

#[derive(Default)]
struct Cases {
    rook: Vec<Case>,
    bishop: Vec<Case>,
    seen: Vec<&'static str>,
}

impl Cases {
    fn add_rook(&mut self, square: Square, occupied: Bitboard) {
        let expected = StepByStep.rook(square, occupied);
        self.rook.push(Case { square, occupied, expected });
    }

    fn add_bishop(&mut self, square: Square, occupied: Bitboard) {
        let expected = StepByStep.bishop(square, occupied);
        self.bishop.push(Case { square, occupied, expected });
    }
}

impl MethodVisitor for Cases {
    fn visit<S: Sliders>(&mut self, sliders: S) {
        for &Case { square, occupied, expected } in &self.rook {
            let found = sliders.rook(square, occupied);
            assert_eq!(found, expected, "{}: rook {square}\n{occupied}", S::NAME);
            let queen = sliders.queen(square, occupied);
            let orthogonal = queen & attacks::rook_rays(square);
            assert_eq!(orthogonal, expected, "{}: queen {square}\n{occupied}", S::NAME);
        }
        for &Case { square, occupied, expected } in &self.bishop {
            let found = sliders.bishop(square, occupied);
            assert_eq!(found, expected, "{}: bishop {square}\n{occupied}", S::NAME);
            let queen = sliders.queen(square, occupied);
            let diagonal = queen & attacks::bishop_rays(square);
            assert_eq!(diagonal, expected, "{}: queen {square}\n{occupied}", S::NAME);
        }
        self.seen.push(S::NAME);
    }
}

/// The methods of this CPU and this build, found independently of the library.
fn expected_methods() -> Vec<&'static str> {
    #[allow(unused_mut, reason = "other CPUs have no more")]
    let mut names =
        vec!["step-by-step", "classical", "kogge-stone", "hyperbola", "obstruction", "magic"];
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        if std::arch::is_x86_feature_detected!("ssse3") {
            names.push("pshufb");
        }
        if std::arch::is_x86_feature_detected!("bmi2") {
            names.push("pext");
        }
    }
    names
}

#[test]
fn every_method_agrees_with_step_by_step_on_every_relevant_occupancy() {
    let mut cases = Cases::default();
    for square in Square::ALL {
        relevant::rook(square).subsets().for_each(|occupied| cases.add_rook(square, occupied));
        relevant::bishop(square).subsets().for_each(|occupied| cases.add_bishop(square, occupied));
    }
    assert_eq!((cases.rook.len(), cases.bishop.len()), (102_400, 5_248));
    attacks::visit_methods(&mut cases);
    if cfg!(feature = "std") {
        assert_eq!(cases.seen, expected_methods());
    }
}

#[test]
fn every_method_agrees_with_step_by_step_on_random_boards() {
    let mut random = Random::new(1);
    let mut cases = Cases::default();
    for index in 0..rounds(100_000) {
        let occupied = random.set();
        // The slider's own square may be occupied or not, which must not matter.
        cases.add_rook(Square::ALL[index % 64], occupied);
        cases.add_bishop(Square::ALL[index % 64], occupied);
    }
    for square in Square::ALL {
        for occupied in [Bitboard::EMPTY, Bitboard::FULL] {
            cases.add_rook(square, occupied);
            cases.add_bishop(square, occupied);
        }
    }
    attacks::visit_methods(&mut cases);
}

/// The union of the attacks of single sliders.
fn each(sliders: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    sliders.iter().fold(Bitboard::EMPTY, |union, square| union | attacks(square))
}

#[test]
fn fills_of_sets_are_the_union_of_single_sliders() {
    let mut random = Random::new(2);
    for _ in 0..rounds(20_000) {
        let (rooks, bishops, others) = (random.set(), random.set(), random.set());
        // Sliders block each other only if they are among the occupied squares.
        let occupied =
            if random.next().is_multiple_of(4) { others } else { rooks | bishops | others };
        let orthogonal = each(rooks, |square| StepByStep.rook(square, occupied));
        let diagonal = each(bishops, |square| StepByStep.bishop(square, occupied));
        assert_eq!(kogge_stone::rooks(rooks, occupied), orthogonal, "{rooks}\n{occupied}");
        assert_eq!(kogge_stone::bishops(bishops, occupied), diagonal, "{bishops}\n{occupied}");

        let by_direction = Direction::ALL.map(|direction| {
            let sliders = if Direction::ORTHOGONAL.contains(&direction) { rooks } else { bishops };
            let one_direction = each(sliders, |square| {
                StepByStep.queen(square, occupied) & attacks::ray(square, direction)
            });
            assert_eq!(
                kogge_stone::attacks(sliders, occupied, direction),
                one_direction,
                "{direction:?}"
            );
            one_direction
        });

        assert_eq!(
            by_direction.into_iter().fold(Bitboard::EMPTY, |a, b| a | b),
            orthogonal | diagonal
        );
    }
}

/// Known counts, up to a number of nodes for each position.
struct Perft<'a> {
    lines: &'a [Line],
    max_nodes: u64,
    methods: usize,
}

fn perft<S: Sliders>(position: &Position, sliders: S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.generator().with_sliders(sliders).list::<Legal>();
    match depth {
        1 => moves.len() as u64,
        _ => moves.iter().map(|&mv| perft(&position.play(mv), sliders, depth - 1)).sum(),
    }
}

impl MethodVisitor for Perft<'_> {
    fn visit<S: Sliders>(&mut self, sliders: S) {
        for Line { position, counts } in self.lines {
            let mut small = counts.iter().filter(|(_, nodes)| *nodes <= self.max_nodes);
            let &(depth, nodes) = small.next_back().expect("a count within the bound");
            let found = perft(position, sliders, depth);
            assert_eq!(found, nodes, "{}: {} depth {depth}", S::NAME, position.fen());
        }
        self.methods += 1;
    }
}

fn perft_with_every_method(name: &str, max_nodes: u64) {
    let lines = suite(name);
    assert!(!lines.is_empty());
    let mut perft = Perft { lines: &lines, max_nodes, methods: 0 };
    attacks::visit_methods(&mut perft);
    assert!(perft.methods >= 6);
}

#[test]
fn the_generator_counts_the_standard_positions_with_every_method() {
    perft_with_every_method("standard.epd", 20_000_000);
}

#[test]
fn the_generator_counts_the_regression_suite_with_every_method() {
    perft_with_every_method("regression.epd", 1_000_000);
}
