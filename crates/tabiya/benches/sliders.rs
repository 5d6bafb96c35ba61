//! Queens per second by each slider method: `cargo bench -p tabiya --bench sliders`.
//!
//! Every method answers the same questions: the squares that a queen attacks, on random boards, and
//! from the square of every slider on boards of random games from the standard positions. Each
//! round runs all methods, so disturbances of the machine affect them alike, and the table shows
//! medians. In the column "chained", each look-up waits for the one before, which measures its
//! latency. In the first two columns the CPU can overlap look-ups. The last column is the time to
//! find and count all legal moves of a position. There the tables share the cache with other data,
//! and look-ups mix with other work. This column is the one that matters. (In a build for a CPU
//! with wide vectors, the compiler may compute several queens at once with the plain fills or
//! subtractions. That affects the first two columns. No generator can do it.)
//!
//! A second table measures the union of the attacks of all sliders of a side, where the set-wise
//! fills need not handle them one by one.
//!
//! With `-- --instructions` it counts instructions with valgrind instead. They vary less than times
//! but ignore latencies and caches.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tabiya::attacks::{self, DefaultSliders, MethodVisitor, Sliders, kogge_stone};
use tabiya::movegen::{Count, Legal};
use tabiya::{Bitboard, Color, Position, Role, Square};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/instructions.rs"]
mod instructions;

use common::{Random, games};
use instructions::Measured;

/// A queen's square and the occupied squares.
#[derive(Clone, Copy)]
struct Case {
    square: Square,
    occupied: Bitboard,
}

/// One side's sliders.
#[derive(Clone, Copy)]
struct SliderSets {
    rooks: Bitboard,
    bishops: Bitboard,
    occupied: Bitboard,
}

struct Questions {
    random: Vec<Case>,
    games: Vec<Case>,
    sets: Vec<SliderSets>,
    positions: Vec<Position>,
}

/// `count` positions from games of random legal moves.
fn game_positions(count: usize) -> Vec<Position> {
    let starts = common::suite("standard.epd");
    let mut random = Random::new(3);
    let mut positions = Vec::new();
    for start in starts.iter().cycle() {
        if positions.len() >= count {
            break;
        }
        games::play(&start.position, 60, &mut random, |position| positions.push(position.clone()));
    }
    positions.truncate(count);
    positions
}

impl Questions {
    fn new(cases: usize) -> Self {
        let mut random = Random::new(4);
        let random_case = |_| {
            let occupied = Bitboard(random.next() & random.next());
            let square = Square::ALL[random.next() as usize % 64];
            Case { square, occupied }
        };
        let random = (0..cases).map(random_case).collect();
        let (mut on_boards, mut sets) = (Vec::new(), Vec::new());
        // Nearly every position has at least one slider.
        let mut positions = game_positions(cases);
        for position in &positions {
            let board = position.board();
            let occupied = board.occupied();
            let queens = board.role(Role::Queen);
            let rooks = board.role(Role::Rook) | queens;
            let bishops = board.role(Role::Bishop) | queens;
            on_boards.extend((rooks | bishops).iter().map(|square| Case { square, occupied }));
            let own = board.color(Color::White);
            sets.push(SliderSets { rooks: rooks & own, bishops: bishops & own, occupied });
        }
        on_boards.truncate(cases);
        positions.truncate(2_048);
        Self { random, games: on_boards, sets, positions }
    }
}

#[inline(always)]
fn overlapped<S: Sliders>(sliders: S, cases: &[Case]) -> u64 {
    let mut sum = 0;
    for case in cases {
        sum ^= sliders.queen(case.square, case.occupied).0;
    }
    sum
}

/// `zero` is 0, but the compiler does not know that.
#[inline(always)]
fn chained<S: Sliders>(sliders: S, cases: &[Case], zero: u64) -> u64 {
    let mut last = 0;
    for case in cases {
        last = sliders.queen(case.square, case.occupied ^ Bitboard(last & zero)).0;
    }
    last
}

/// Counts all legal moves of each position, the purpose of the look-ups.
#[inline(always)]
fn legal<S: Sliders>(sliders: S, positions: &[Position]) -> u64 {
    let mut count = Count::default();
    for position in positions {
        position.generator().with_sliders(sliders).generate::<Legal>(&mut count);
    }
    u64::from(count.0)
}

#[inline(always)]
fn one_by_one<S: Sliders>(sliders: S, set: &SliderSets) -> u64 {
    let mut attacked = Bitboard::EMPTY;
    for square in set.rooks {
        attacked |= sliders.rook(square, set.occupied);
    }
    for square in set.bishops {
        attacked |= sliders.bishop(square, set.occupied);
    }
    attacked.0
}

#[inline(always)]
fn union(sets: &[SliderSets], attacks: impl Fn(&SliderSets) -> u64) -> u64 {
    let mut sum = 0;
    for set in sets {
        sum ^= attacks(set);
    }
    sum
}

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Random,
    Games,
    Chained,
    Legal,
    Sets,
}

/// A name that only the second table has.
const WHOLE_SETS: &str = "kogge-stone, whole set";

/// Measures every method once.
struct Round<'a> {
    questions: &'a Questions,
    /// Nanoseconds per question.
    samples: &'a mut BTreeMap<(Column, &'static str), Vec<f64>>,
    /// In the order of the first visit.
    names: &'a mut Vec<&'static str>,
}

impl Round<'_> {
    #[inline(always)]
    fn time(&mut self, column: Column, name: &'static str, count: usize, work: impl Fn() -> u64) {
        // The first run fills the caches. There is one call of `work`, and no fold of the standard
        // library in it: both would be functions of their own, without the method's CPU features.
        let mut spent = Duration::ZERO;
        for _ in 0..2 {
            let start = Instant::now();
            black_box(work());
            spent = start.elapsed();
        }
        let nanoseconds = spent.as_secs_f64() * 1e9 / count as f64;
        self.samples.entry((column, name)).or_default().push(nanoseconds);
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    #[inline(always)]
    fn sets(&mut self, name: &'static str, attacks: impl Fn(&SliderSets) -> [Bitboard; 2]) {
        let sets = black_box(&self.questions.sets);
        self.time(Column::Sets, name, sets.len(), || {
            union(sets, |set| {
                let [orthogonal, diagonal] = attacks(set);
                (orthogonal | diagonal).0
            })
        });
    }
}

impl MethodVisitor for Round<'_> {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        let Questions { random, games, sets, positions } = black_box(self.questions);
        self.time(Column::Random, S::NAME, random.len(), || overlapped(sliders, random));
        self.time(Column::Games, S::NAME, games.len(), || overlapped(sliders, games));
        self.time(Column::Chained, S::NAME, games.len(), || chained(sliders, games, black_box(0)));
        self.time(Column::Legal, S::NAME, positions.len(), || legal(sliders, positions));
        self.time(Column::Sets, S::NAME, sets.len(), || {
            union(sets, |set| one_by_one(sliders, set))
        });
    }
}

/// The set-wise fills.
fn whole_sets(round: &mut Round<'_>) {
    round.sets(WHOLE_SETS, |set| {
        [
            kogge_stone::rooks(set.rooks, set.occupied),
            kogge_stone::bishops(set.bishops, set.occupied),
        ]
    });
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn times(rounds: usize, cases: usize) {
    let questions = Questions::new(cases);
    let (mut samples, mut names) = (BTreeMap::new(), Vec::new());
    for _ in 0..rounds {
        let mut round = Round { questions: &questions, samples: &mut samples, names: &mut names };
        attacks::visit_methods(&mut round);
        whole_sets(&mut round);
    }
    let medians: BTreeMap<(Column, &str), f64> =
        samples.iter_mut().map(|(&key, samples)| (key, median(samples))).collect();
    let millions = |column, name| 1e3 / medians[&(column, name)];

    println!("Queens, millions per second ({cases} questions, medians of {rounds} rounds)\n");
    println!(
        "{:24} {:>9} {:>9} {:>12} {:>18}",
        "method", "random", "games", "chained, ns", "legal moves, ns"
    );
    let methods = || names.iter().copied().filter(|&name| name != WHOLE_SETS);
    for name in methods() {
        println!(
            "{name:24} {:9.1} {:9.1} {:12.2} {:18.1}",
            millions(Column::Random, name),
            millions(Column::Games, name),
            medians[&(Column::Chained, name)],
            medians[&(Column::Legal, name)],
        );
    }

    println!("\nAll sliders of a side, millions of positions per second\n");
    for &name in &names {
        println!("{name:30} {:9.1}", millions(Column::Sets, name));
    }

    let fastest = |names: &mut dyn Iterator<Item = &'static str>| {
        names
            .max_by(|a, b| millions(Column::Legal, a).total_cmp(&millions(Column::Legal, b)))
            .expect("there are methods")
    };
    let any_cpu = ["step-by-step", "classical", "kogge-stone", "hyperbola", "obstruction", "magic"];
    println!("\nfastest in the generator here: {}", fastest(&mut methods()));
    println!("fastest of the methods that run on any CPU: {}", fastest(&mut any_cpu.into_iter()));
    explain_default();
}

fn explain_default() {
    println!("this build uses: {}", DefaultSliders::NAME);
    if cfg!(all(target_arch = "x86_64", target_feature = "bmi2")) {
        println!(
            "It is compiled for CPUs with BMI2. There one PEXT instruction computes the index of the \
             attack set,\ninstead of a mask, a product and a shift. No method takes fewer instructions."
        );
    } else {
        println!(
            "It must run on CPUs without BMI2, and of the methods that run on any CPU this one takes \
             the fewest\ninstructions. A program that tests the CPU once and enters code compiled for \
             it\n(`Pext::detect`, `Sliders::enter`) can use any method."
        );
    }
}

/// Answers the questions with the named method.
struct Passes<'a> {
    measured: Measured<'a>,
    questions: &'a Questions,
    found: bool,
}

impl MethodVisitor for Passes<'_> {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        if S::NAME == self.measured.name {
            self.found = true;
            for _ in 0..self.measured.passes {
                black_box(overlapped(sliders, black_box(&self.questions.games)));
            }
        }
    }
}

const COUNTED: usize = 4_096;

struct Names(Vec<&'static str>);

impl MethodVisitor for Names {
    fn visit<S: Sliders>(&mut self, _: S) {
        self.0.push(S::NAME);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if let Some(measured) = Measured::from_arguments(&arguments) {
        let questions = Questions::new(COUNTED);
        let mut run = Passes { measured, questions: &questions, found: false };
        attacks::visit_methods(&mut run);
        return Measured::end(run.found);
    }
    if has(instructions::FLAG) {
        let mut names = Names(Vec::new());
        attacks::visit_methods(&mut names);
        println!("Instructions per queen, on boards from games\n");
        instructions::print(names.0, COUNTED);
    } else if has("--bench") {
        times(51, 16_384);
    } else {
        // `cargo test --benches` only checks that it runs.
        times(1, 256);
    }
    ExitCode::SUCCESS
}
