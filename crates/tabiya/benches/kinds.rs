//! Times for the kinds of moves, static exchange evaluation, the staged picker and perft.
//!
//! The positions come from random games and are divided into short chunks; on each chunk all
//! measurements take turns. The median over the turns is taken for each chunk, so a slow moment of
//! the machine or another program on the same core affects all measurements alike. Run it with
//! `cargo bench -p tabiya --bench kinds`. An argument selects the lines that contain it.
//!
//! With `-- --instructions` it counts instructions with valgrind instead, which hardly vary.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use tabiya::movegen::{
    Captures, CheckFacts, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::order::{MoveHeap, MvvLva, Picker, PieceSquare, ScoredList, Scorer, See, see, see_ge};
use tabiya::{Move, MoveList, Position, Role};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/instructions.rs"]
mod instructions;

use common::{Random, games};
use instructions::Measured;

const TURNS: usize = 15;

/// Positions in a chunk: a fraction of a millisecond of work, too many for the branch predictor to
/// remember.
const CHUNK: usize = 1024;

/// Does something with one position and returns the number of results.
type Work = fn(&Case) -> usize;

/// A measurement in progress.
struct Bench {
    name: &'static str,
    work: Work,
    /// The times of the current chunk.
    times: Vec<f64>,
    /// The sums over the chunks so far of the median and of the best time.
    median: f64,
    best: f64,
    yielded: usize,
}

impl Bench {
    fn new(&(name, work): &(&'static str, Work)) -> Self {
        Self { name, work, times: Vec::new(), median: 0.0, best: 0.0, yielded: 0 }
    }

    fn run(&mut self, chunk: &[Case]) -> usize {
        let start = Instant::now();
        let yielded = chunk.iter().map(|case| (self.work)(case)).sum();
        self.times.push(start.elapsed().as_nanos() as f64);
        yielded
    }

    fn finish_chunk(&mut self) {
        self.times.sort_by(f64::total_cmp);
        self.median += self.times[self.times.len() / 2];
        self.best += self.times[0];
        self.times.clear();
    }
}

/// A position with the data that the measurements need.
struct Case {
    position: Position,
    legal: MoveList,
    captures: MoveList,
    /// A legal move to use as the hash move, the same in every run.
    hash_move: Option<Move>,
}

fn list<K: Kind>(case: &Case) -> usize {
    let moves = MoveList::of::<K>(black_box(&case.position));
    black_box(&moves).len()
}

fn is_of_captures(mv: Move) -> bool {
    mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen)
}

fn filtered_captures(case: &Case) -> usize {
    let mut moves = black_box(&case.position).legal_moves();
    moves.retain(is_of_captures);
    black_box(&moves).len()
}

/// Asks about each legal move of the position.
fn ask(case: &Case, keep: impl Fn(&Position, Move) -> bool) -> usize {
    let position = black_box(&case.position);
    case.legal.iter().filter(|&&mv| keep(position, black_box(mv))).count()
}

/// Asks about each capture of the position.
fn ask_captures(case: &Case, keep: impl Fn(&Position, Move) -> bool) -> usize {
    let position = black_box(&case.position);
    case.captures.iter().filter(|&&mv| keep(position, black_box(mv))).count()
}

/// Takes up to `count` moves from a picker.
fn pick(picker: Picker, count: usize) -> usize {
    picker.take(count).map(black_box).count()
}

/// A search without a picker: list all moves, score all, select one by one.
fn list_score_select(case: &Case, count: usize) -> usize {
    static QUIETS: PieceSquare = PieceSquare::DEFAULT;
    let scorer = |position: &Position, role: Role, mv: Move| {
        if is_of_captures(mv) {
            let good = See::DEFAULT.is_at_least(position, mv, 0);
            let above = if good { 1 << 20 } else { -1 << 20 };
            above + MvvLva::DEFAULT.score(position, role, mv)
        } else {
            QUIETS.score(position, role, mv)
        }
    };
    let mut list = ScoredList::of::<Legal>(black_box(&case.position), &scorer);
    (0..count).map_while(|index| black_box(list.select(index))).count()
}

/// Plays each legal move and counts the replies.
fn perft_2_by_play(case: &Case) -> usize {
    let position = black_box(&case.position);
    position.legal_moves().into_iter().map(|mv| position.play(mv).count_legal()).sum()
}

/// The same by making each move in place and taking it back.
fn perft_2_in_place(case: &Case) -> usize {
    let mut position = black_box(&case.position).clone();
    let mut replies = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        replies += position.count_legal();
        position.unmake(mv, undo);
    }
    replies
}

const WORK: &[(&str, Work)] = &[
    ("Legal", list::<Legal>),
    ("Legal, refilling a list", |case| {
        let mut moves = MoveList::new();
        moves.refill::<Legal>(black_box(&case.position));
        black_box(&moves).len()
    }),
    ("NonEvasions", list::<NonEvasions>),
    ("Captures", list::<Captures>),
    ("Legal, then retain captures", filtered_captures),
    ("Quiets", list::<Quiets>),
    ("QuietChecks", list::<QuietChecks>),
    ("Evasions", list::<Evasions>),
    ("PseudoLegal<Legal>", list::<PseudoLegal<Legal>>),
    ("PseudoLegal<NonEvasions>", list::<PseudoLegal<NonEvasions>>),
    ("PseudoLegal<Captures>", list::<PseudoLegal<Captures>>),
    ("PseudoLegal<Quiets>", list::<PseudoLegal<Quiets>>),
    ("PseudoLegal<QuietChecks>", list::<PseudoLegal<QuietChecks>>),
    ("PseudoLegal<Evasions>", list::<PseudoLegal<Evasions>>),
    ("is_legal, each legal move", |case| ask(case, |position, mv| position.is_legal(mv))),
    ("Generator, then allows, each", |case| {
        let generator = case.position.generator();
        ask(case, |_, mv| generator.allows(mv))
    }),
    ("CheckFacts, then gives_check, each", |case| {
        let facts = CheckFacts::of(&case.position);
        ask(case, |position, mv| facts.gives_check(position, mv))
    }),
    ("see, each capture", |case| ask_captures(case, |position, mv| see(position, mv) >= 0)),
    ("see_ge 0, each capture", |case| ask_captures(case, |position, mv| see_ge(position, mv, 0))),
    ("see with pins, each capture", |case| {
        let see = See::DEFAULT.respecting_pins();
        ask_captures(case, |position, mv| see.value(position, mv) >= 0)
    }),
    ("see, each legal move", |case| ask(case, |position, mv| see(position, mv) >= 0)),
    ("ScoredList of Captures, popped", |case| {
        let mut list = ScoredList::of::<Captures>(black_box(&case.position), &MvvLva::DEFAULT);
        std::iter::from_fn(|| list.pop_best()).map(black_box).count()
    }),
    ("MoveHeap of Captures, popped", |case| {
        MoveHeap::of::<Captures>(black_box(&case.position), &MvvLva::DEFAULT).map(black_box).count()
    }),
    ("Picker, hash move only", |case| {
        pick(Picker::new(black_box(&case.position)).hash_move(case.hash_move), 1)
    }),
    ("Picker, first move", |case| pick(Picker::new(black_box(&case.position)), 1)),
    ("Picker, three moves", |case| pick(Picker::new(black_box(&case.position)), 3)),
    ("Picker, all moves", |case| pick(Picker::new(black_box(&case.position)), usize::MAX)),
    ("Picker, quiescence", |case| pick(Picker::quiescence(black_box(&case.position)), usize::MAX)),
    ("Picker, quiescence with checks", |case| {
        pick(Picker::quiescence_with_checks(black_box(&case.position)), usize::MAX)
    }),
    ("list, score and select one", |case| list_score_select(case, 1)),
    ("list, score and select three", |case| list_score_select(case, 3)),
    ("list, score and select all", |case| list_score_select(case, usize::MAX)),
    ("perft 2, by play", perft_2_by_play),
    ("perft 2, by make and unmake", perft_2_in_place),
];

fn cases() -> Vec<Case> {
    let mut random = Random::new(2024);
    let mut cases = Vec::new();
    for _ in 0..60 {
        games::play(&Position::START, 100, &mut random, |position| {
            let legal = position.legal_moves();
            cases.push(Case {
                position: position.clone(),
                captures: MoveList::of::<Captures>(position),
                hash_move: legal.get(legal.len() / 2).copied(),
                legal,
            });
        });
    }
    cases
}

/// Runs the passes of the named work under valgrind.
fn run_passes(measured: &Measured<'_>) -> ExitCode {
    let work = WORK.iter().find(|(name, _)| *name == measured.name);
    if let Some((_, work)) = work {
        let cases = cases();
        for _ in 0..measured.passes {
            black_box(cases[..CHUNK].iter().map(work).sum::<usize>());
        }
    }
    Measured::end(work.is_some())
}

fn main() -> ExitCode {
    // `cargo bench` passes `--bench`; `cargo test --benches` does not, and one turn is enough.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(measured) = Measured::from_arguments(&arguments) {
        return run_passes(&measured);
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let chosen: Vec<&(&str, Work)> = WORK
        .iter()
        .filter(|(name, _)| wanted.is_none_or(|wanted| name.contains(wanted.as_str())))
        .collect();
    if has(instructions::FLAG) {
        println!("Instructions per position, on {CHUNK} positions of random games\n");
        instructions::print(chosen.iter().map(|(name, _)| *name), CHUNK);
    } else {
        times(&chosen, if has("--bench") { TURNS } else { 1 });
    }
    ExitCode::SUCCESS
}

fn times(chosen: &[&(&'static str, Work)], turns: usize) {
    let cases = cases();
    let moves: usize = cases.iter().map(|case| case.legal.len()).sum();
    println!("{} positions of random games, {moves} legal moves", cases.len());
    let mut benches: Vec<Bench> = chosen.iter().copied().map(Bench::new).collect();
    for chunk in cases.chunks(CHUNK) {
        for turn in 0..turns {
            for bench in &mut benches {
                let yielded = bench.run(chunk);
                bench.yielded += if turn == 0 { yielded } else { 0 };
            }
        }
        benches.iter_mut().for_each(Bench::finish_chunk);
    }
    println!("{:36} {:>12} {:>12} {:>12}", "ns/position", "median", "best", "yield");
    let each = cases.len() as f64;
    for Bench { name, median, best, yielded, .. } in &benches {
        let yielded = *yielded as f64;
        println!("{name:36} {:12.1} {:12.1} {:12.2}", median / each, best / each, yielded / each);
    }
}
