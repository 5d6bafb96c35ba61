//! A referee: it plays games between engines and reports which engine breaks the rules.
//!
//! ```sh
//! cargo build --release --examples
//! cargo run --release --example referee                         # a little of everything
//! cargo run --release --example referee -- fast 1000 400 10 50  # games, milliseconds, increment, margin
//! cargo run --release --example referee -- material 100 3000    # games, nodes a move
//! cargo run --release --example referee -- cheats
//! ```
//!
//! `fast` plays the example `engine` against itself, each side a process of its own, in standard
//! chess and Chess960. Neither side may lose by an illegal move, a crash or on time. `material`
//! plays it against a player that only counts material, one ply deep. The engine must win every
//! game. `cheats` shows that the referee detects each offence.

mod cheats;
mod game;
mod material;
mod process;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use game::{Control, End, LATEST};
use material::Material;
use process::Process;
use tabiya::{Color, Game, GameResult, Position, SplitMix64};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("{text}: no number"));
    let fine = match words[..] {
        [] => fast(4, [400, 10, 50]) && material(4, 3_000) && cheats(),
        ["fast", games, clock, increment, margin] => {
            fast(number(games) as usize, [clock, increment, margin].map(number))
        }
        ["material", games, nodes] => material(number(games) as usize, number(nodes)),
        ["cheats"] => cheats(),
        // This program, as one of the cheats.
        ["cheat", kind] => {
            cheats::play(kind);
            true
        }
        _ => {
            eprintln!("fast GAMES MILLISECONDS INCREMENT MARGIN, material GAMES NODES, or cheats");
            false
        }
    };
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The example `engine`, which is built into the folder of this program.
fn engine() -> Process {
    let program = env::current_exe().map(|path| path.with_file_name("engine"));
    let program: PathBuf = program.expect("this program has a path");
    Process::start(&program.with_extension(env::consts::EXE_EXTENSION), &[])
}

/// Games of the engine against itself under time control.
fn fast(games: usize, times: [u64; 3]) -> bool {
    let [clock, increment, margin] = times.map(Duration::from_millis);
    let control = Control::Clock { clock, increment, margin };
    let results = in_threads(games, |number, players: &mut Option<[Process; 2]>| {
        let [white, black] = players.get_or_insert_with(|| [engine(), engine()]);
        let mut random = SplitMix64::new(number as u64);
        let start = if number.is_multiple_of(2) {
            Position::START
        } else {
            Position::chess960(random.below(960) as u16).expect("the number is below 960")
        };
        let end = game::play(opening(start, 6, &mut random), [white, black], control);
        if matches!(end, End::Forfeit { .. }) {
            // The players may be in any state.
            *players = None;
        }
        end
    });
    report(&format!("{games} fast games"), &results);
    let late = Duration::from_micros(LATEST.load(Ordering::Relaxed));
    println!("the latest move came {late:.1?} after the clock had run out");
    results.iter().all(|end| matches!(end, End::Regular(_)))
}

/// Games of the engine, with a fixed number of nodes a move, against the material player.
fn material(games: usize, nodes: u64) -> bool {
    let results = in_threads(games, |number, player: &mut Option<Process>| {
        let engine = player.get_or_insert_with(engine);
        let opponent = &mut Material(SplitMix64::new(number as u64));
        let game = Game::new();
        if number.is_multiple_of(2) {
            game::play(game, [engine, opponent], Control::Nodes(nodes))
        } else {
            game::play(game, [opponent, engine], Control::Nodes(nodes))
        }
    });
    report(&format!("{games} games against the material player"), &results);
    let wins = results.iter().enumerate().filter(|&(number, end)| {
        let engine = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        matches!(end, End::Regular(outcome) if outcome.winner() == Some(engine))
    });
    let wins = wins.count();
    println!("the engine has won {wins} of {games}");
    wins == games
}

/// Each cheat loses its game for its own offence.
fn cheats() -> bool {
    let (clock, none) = (Duration::from_millis(200), Duration::ZERO);
    let control = Control::Clock { clock, increment: none, margin: none };
    cheats::ALL.iter().all(|&(kind, offence)| {
        let this = env::current_exe().expect("this program has a path");
        let mut cheat = Process::start(&this, &["cheat", kind]);
        let end = game::play(Game::new(), [&mut cheat, &mut engine()], control);
        println!("{kind:8} {end}");
        matches!(end, End::Forfeit { loser: Color::White, offence: seen } if seen.name() == offence)
    })
}

/// Some random moves, so that no two games are the same.
fn opening(start: Position, plies: usize, random: &mut SplitMix64) -> Game {
    loop {
        let mut game = Game::from_position(start.clone());
        for _ in 0..plies {
            if game.outcome().is_none() {
                game.push(random.pick(&game.position().legal_moves())).expect("it is legal");
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays as many games at a time as there are processors: in each game, one side thinks. Each
/// thread keeps its players.
fn in_threads<P>(games: usize, play: impl Fn(usize, &mut Option<P>) -> End + Sync) -> Vec<End> {
    let begin = Instant::now();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..threads.min(games) {
            scope.spawn(|| {
                let mut players = None;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    let end = play(number, &mut players);
                    if let End::Forfeit { .. } = end {
                        println!("game {number}: {end}");
                    }
                    results.lock().expect("no thread panics").push((number, end));
                }
            });
        }
    });
    println!("{games} games in {:.1} s", begin.elapsed().as_secs_f64());
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, end)| end).collect()
}

/// Prints how the games ended.
fn report(title: &str, results: &[End]) {
    let mut ends = BTreeMap::new();
    for end in results {
        *ends.entry(end.kind()).or_insert(0) += 1;
    }
    println!("{title}");
    for (end, count) in ends {
        println!("{count:6} {end}");
    }
    let score = |wanted| {
        let same = |end: &&End| matches!(end, End::Regular(how) if how.result() == wanted);
        results.iter().filter(same).count()
    };
    use GameResult::{BlackWins, Draw, WhiteWins};
    let forfeits = results.iter().filter(|end| matches!(end, End::Forfeit { .. })).count();
    let [white, black, draws] = [WhiteWins, BlackWins, Draw].map(score);
    println!("1-0: {white}, 0-1: {black}, draws: {draws}, forfeits: {forfeits}");
}
