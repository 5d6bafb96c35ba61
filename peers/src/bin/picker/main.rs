//! Picking moves in stages with exchange evaluation: the library's picker, and two pickers written
//! by hand, one on tabiya and one on cozy-chess.
//!
//! The README describes the comparison.

mod by_hand;
mod cozy;
#[path = "../search/positions.rs"]
mod positions;

use clap::Parser;
use tabiya::order::Picker;
use tabiya::{Move, Position, Role};
use tabiya_peers::clock::Clock;

/// Compares staged pickers: captures that do not lose material, quiet moves, other captures.
#[derive(Debug, Parser)]
struct Args {
    /// Number of times that each picker goes through all positions; the median counts.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure processor time of the thread instead of wall-clock time.
    #[arg(long)]
    cpu_time: bool,
}

/// Values of quiet moves, by the role of the moving piece and its target: a search's own table.
type History = [[i32; 64]; 6];

/// The moves of all positions by stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Moves {
    good_captures: u64,
    quiets: u64,
    bad_captures: u64,
    evasions: u64,
}

impl Moves {
    const fn all(self) -> u64 {
        self.good_captures + self.quiets + self.bad_captures + self.evasions
    }
}

/// A picker. It takes at most `limit` moves of each position.
trait Contestant {
    fn name(&self) -> &'static str;
    fn run(&self, history: &History, limit: usize) -> Moves;
}

/// The picker of the library.
struct Library(Vec<Position>);

impl Contestant for Library {
    fn name(&self) -> &'static str {
        "tabiya::order::Picker"
    }

    #[inline(never)]
    fn run(&self, history: &History, limit: usize) -> Moves {
        use tabiya::order::Stage;
        let mut moves = Moves::default();
        for position in &self.0 {
            let mut picker = Picker::new(position);
            let scorer =
                |_: &Position, role: Role, mv: Move| history[role as usize][mv.to() as usize];
            for _ in 0..limit {
                if picker.next_by(&scorer).is_none() {
                    break;
                }
                match picker.stage() {
                    Some(Stage::GoodCaptures) => moves.good_captures += 1,
                    Some(Stage::BadCaptures) => moves.bad_captures += 1,
                    Some(Stage::Evasions) => moves.evasions += 1,
                    _ => moves.quiets += 1,
                }
            }
        }
        moves
    }
}

fn main() {
    let args = Args::parse();
    if let Err(error) = compare(&args) {
        eprintln!("error: {error}");
        std::process::exit(2);
    }
}

fn compare(args: &Args) -> Result<(), String> {
    let clock = Clock::of(args.cpu_time)?;
    let positions = nodes();
    let fens: Vec<String> = positions.iter().map(|position| position.fen().to_string()).collect();
    let count = positions.len();
    let contestants: [Box<dyn Contestant>; 3] = [
        Box::new(cozy::ByHand::new(&fens)),
        Box::new(by_hand::ByHand(positions.clone())),
        Box::new(Library(positions)),
    ];
    let history = history();

    for (limit, title) in [(usize::MAX, "all moves"), (2, "two moves, then a cutoff")] {
        let mut times = vec![Vec::new(); contestants.len()];
        let mut found = vec![Moves::default(); contestants.len()];
        for _ in 0..args.rounds {
            for (index, contestant) in contestants.iter().enumerate() {
                let begin = clock.now();
                found[index] = contestant.run(&history, limit);
                times[index].push((clock.now() - begin).as_secs_f64());
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        println!("{count} positions, {title}, {} time", clock.name());
        for (index, contestant) in contestants.iter().enumerate() {
            let nanoseconds = medians[index] / count as f64 * 1e9;
            let ratio = medians[0] / medians[index];
            let Moves { good_captures, quiets, bad_captures, evasions } = found[index];
            println!(
                "{:24} {nanoseconds:6.0} ns a position, ratio {ratio:.2} \
                 ({good_captures} good captures, {quiets} quiets, {bad_captures} bad captures, \
                 {evasions} evasions)",
                contestant.name()
            );
        }
        if found.iter().any(|moves| moves.all() != found[0].all()) || found[1] != found[2] {
            return Err(format!("the pickers find different moves: {found:?}"));
        }
    }
    Ok(())
}

/// Every twentieth of the positions of the search's benchmark and of all positions two plies after
/// them.
fn nodes() -> Vec<Position> {
    let roots: Vec<Position> = positions::all()
        .into_iter()
        .map(|fen| Position::from_fen(fen).expect("the positions are valid"))
        .collect();
    let children = |positions: &[Position]| -> Vec<Position> {
        let of = |position: &Position| {
            position.legal_moves().into_iter().map(|mv| position.play(mv)).collect::<Vec<_>>()
        };
        positions.iter().flat_map(of).collect()
    };
    let later = children(&children(&roots));
    roots.into_iter().chain(later.into_iter().step_by(20)).collect()
}

/// A table of numbers that look random.
fn history() -> History {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 50) as i32
    };
    std::array::from_fn(|_| std::array::from_fn(|_| next()))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
