//! The same search on tabiya and on cozy-chess: nodes per second.
//!
//! The README describes the search and the comparison.

mod cozy;
mod positions;
mod rules;
mod tabiya;
mod table;

use clap::Parser;
use tabiya_peers::clock::Clock;

/// Searches 26 positions with the same alpha-beta search, written on tabiya and on cozy-chess.
#[derive(Debug, Parser)]
struct Args {
    /// Number of plies before quiescence.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,
    /// Number of times that each engine searches each position; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only these engines: cozy-chess, tabiya, tabiya-look. The first of them is the baseline.
    #[arg(long, value_delimiter = ',')]
    engines: Vec<String>,
    /// Measure processor time of the thread instead of wall-clock time.
    #[arg(long)]
    cpu_time: bool,
}

/// A search on one library.
trait Searcher {
    fn name(&self) -> &'static str;
    /// Forgets everything. It is not part of the time.
    fn reset(&mut self);
    /// The score and the number of nodes.
    fn run(&mut self, fen: &str, depth: i32) -> (i32, u64);
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
    let mut engines: Vec<Box<dyn Searcher>> = vec![
        Box::new(cozy::Search::new()),
        Box::new(tabiya::Search::<false>::new()),
        Box::new(tabiya::Search::<true>::new()),
    ];
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    if let Some(unknown) = args.engines.iter().find(|&name| !names.contains(&name.as_str())) {
        return Err(format!("{unknown} is not an engine; expected one of {}", names.join(", ")));
    }
    engines.retain(|engine| {
        args.engines.is_empty() || args.engines.iter().any(|name| name == engine.name())
    });

    let mut nodes = 0;
    let mut seconds = vec![0.0; engines.len()];
    for fen in positions::all() {
        let mut times = vec![Vec::new(); engines.len()];
        let mut expected = None;
        for _ in 0..args.rounds {
            for (engine, times) in engines.iter_mut().zip(&mut times) {
                engine.reset();
                let begin = clock.now();
                let found = engine.run(fen, i32::from(args.depth));
                times.push((clock.now() - begin).as_secs_f64());
                let expected = *expected.get_or_insert(found);
                if found != expected {
                    return Err(format!(
                        "{} finds score and nodes {found:?} at {fen}, expected {expected:?}",
                        engine.name()
                    ));
                }
            }
        }
        nodes += expected.map_or(0, |(_, nodes)| nodes);
        for (sum, mut times) in seconds.iter_mut().zip(times) {
            times.sort_by(f64::total_cmp);
            *sum += times[times.len() / 2];
        }
    }

    println!("{nodes} nodes to depth {}, {} time", args.depth, clock.name());
    for (engine, own) in engines.iter().zip(&seconds) {
        let millions = nodes as f64 / own / 1e6;
        let ratio = seconds[0] / own;
        println!("{:12} {millions:7.3} million nodes per second, ratio {ratio:.2}", engine.name());
    }
    Ok(())
}
