//! `tabiya bench`: measures how fast this machine counts, in the usual modes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};
use tabiya::Position;
use tabiya_perft::table::{self, HashSize};
use tabiya_perft::{Engine, Options, Seed};

use crate::counting::{CountingArgs, TableChoice, all_threads, engine};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::number::{thousands, time};
use crate::output::table::{Column, Table};
use crate::output::{json, printable};
use crate::position::StandardPosition;

const EXAMPLES: &str = "\
Examples:
  tabiya bench --seconds 3
  tabiya bench --seconds 1 --threads 1 --isa portable
  tabiya bench --seconds 120 --json > today.json

The first mode, one thread without a table, finds the depth for each position: the deepest count
that fits into its share of the time. All modes count to this depth. A count is repeated while there
is time, and the median time is printed. A table, which keeps the counts of subtrees that are reached
in several ways, is empty at the start of each count.";

/// Measure how fast this machine counts, to compare machines and builds
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Approximate time for all modes together
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::values::time)]
    #[arg(allow_negative_numbers = true)]
    seconds: Duration,

    /// Size of the table in the modes that have one: MiB, or a number with K, M, G or T
    #[arg(long, value_name = "SIZE", default_value = "256", value_parser = crate::values::hash_size)]
    #[arg(allow_negative_numbers = true)]
    hash: HashSize,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    counting: CountingArgs,
}

/// The usual positions for comparisons of move generators.
const POSITIONS: [(&str, StandardPosition); 3] = [
    ("start", StandardPosition::Startpos),
    ("kiwipete", StandardPosition::Kiwipete),
    ("middlegame", StandardPosition::Cpw6),
];

/// The output of `tabiya bench --json`: how fast a machine counts.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Report {
    /// Were all modes measured? If not, the measurement was stopped.
    complete: bool,
    /// The version of the program.
    version: &'static str,
    /// The machine and the instruction set.
    machine: Machine,
    /// One measurement for each mode and position.
    results: Vec<Measurement>,
}

impl json::Object for Report {
    const SCHEMA: &'static str = "tabiya-bench/1";
}

/// The machine and the instruction set.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Machine {
    /// The name of the processor; empty if the system does not say.
    cpu: String,
    /// The instruction set that counted: `avx512`, `bmi2` or `portable`.
    isa: String,
    /// Physical cores. Null if the system does not say.
    cores: Option<usize>,
    /// Threads that the machine runs at a time.
    hardware_threads: NonZeroUsize,
}

/// A count of a position in one mode.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Measurement {
    /// The position: `start`, `kiwipete` or `middlegame`.
    position: &'static str,
    /// The depth in plies.
    depth: u32,
    /// Threads that counted.
    threads: NonZeroUsize,
    /// The size of the table in bytes; 0 if there is none.
    table_bytes: u64,
    /// Leaf nodes at this depth.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: u128,
    /// The number of counts. `seconds` is their median.
    runs: usize,
    /// The median time of a count, in seconds.
    seconds: f64,
    /// Leaf nodes per second.
    nps: f64,
}

const TABLE: Table<8> = Table([
    Column::left("position", 10),
    Column::right("depth", 5),
    Column::right("threads", 7),
    Column::left("table", 5),
    Column::right("nodes", 19),
    Column::right("runs", 4),
    Column::right("time", 9),
    Column::right("nodes/s", 17),
]);

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let watch = Interrupt::listen()?;
    let options = args.counting.options()?;
    let mut numbers = vec![NonZeroUsize::MIN, options.threads];
    numbers.dedup();
    let share = args.seconds / (2 * numbers.len() * POSITIONS.len()) as u32;
    let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let cpu = System::new_with_specifics(cpus).cpus().first().map(|cpu| printable(cpu.brand()));
    let machine = Machine {
        cpu: cpu.unwrap_or_default(),
        isa: options.isa.to_string(),
        cores: System::physical_core_count(),
        hardware_threads: all_threads(),
    };
    let version = env!("CARGO_PKG_VERSION");
    if !args.json {
        let Machine { cpu, isa, hardware_threads, .. } = &machine;
        writeln!(out, "machine   {cpu}, {hardware_threads} hardware threads")?;
        writeln!(out, "counting  {isa}, tabiya {version}\n")?;
        TABLE.head(out)?;
    }
    let mut report = Report { complete: true, version, machine, results: Vec::new() };
    let mut depths = [None; POSITIONS.len()];
    let modes = [None, Some(args.hash)].into_iter();
    let modes = modes.flat_map(|hash| numbers.iter().map(move |&threads| (threads, hash)));
    'modes: for (threads, hash) in modes {
        let options = Options { threads, ..options.clone() };
        // All benchmarks use the same keys.
        let table = hash.map(|size| TableChoice { size, seed: Seed::from(0) });
        for ((name, standard), depth) in POSITIONS.into_iter().zip(&mut depths) {
            let position = Position::from_fen(standard.fen()).expect("it is a standard position");
            let new_engine = || engine(options.clone(), table);
            let Some(found) = measure(name, &position, *depth, &new_engine, share, &watch)? else {
                report.complete = false;
                break 'modes;
            };
            *depth = Some(found.depth);
            if !args.json {
                found.write(out)?;
            }
            report.results.push(found);
        }
    }
    if args.json {
        json::write(out, &report)?;
    }
    Ok(if report.complete { Outcome::Fine } else { Outcome::Interrupted })
}

/// The most repetitions of a count: more of them would hardly change the median.
const MAX_RUNS: usize = 15;
/// One more ply takes longer by a factor of at most about the number of moves.
const GROWTH: u32 = 40;

/// Counts to a depth, and repeats the count while there is time; `None` if it is stopped. If no depth
/// is given, it counts deeper while the next count is likely to end in time. Each count has a new engine,
/// so that its table is empty.
fn measure(
    name: &'static str,
    position: &Position,
    known_depth: Option<u32>,
    new_engine: &dyn Fn() -> Result<Engine, Failure>,
    share: Duration,
    watch: &Interrupt,
) -> Result<Option<Measurement>, Failure> {
    let begin = Instant::now();
    let mut depth = known_depth.unwrap_or(3);
    let mut times: Vec<Duration> = Vec::new();
    loop {
        let engine = new_engine()?;
        let start = Instant::now();
        let total = engine.perft(position, depth, watch);
        let time = start.elapsed();
        if !total.complete {
            return Ok(None);
        }
        if known_depth.is_none() && times.is_empty() && begin.elapsed() + time * GROWTH < share {
            depth += 1;
            continue;
        }
        times.push(time);
        if times.len() == MAX_RUNS || begin.elapsed() + time >= share {
            times.sort_unstable();
            let seconds = times[times.len() / 2].as_secs_f64();
            return Ok(Some(Measurement {
                position: name,
                depth,
                threads: engine.options().threads,
                table_bytes: engine.table().map_or(0, table::Table::bytes),
                nodes: total.nodes,
                runs: times.len(),
                seconds,
                nps: total.nodes as f64 / seconds.max(1e-9),
            }));
        }
    }
}

impl Measurement {
    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let cells = [
            self.position,
            &self.depth.to_string(),
            &self.threads.to_string(),
            if self.table_bytes > 0 { "yes" } else { "no" },
            &thousands(self.nodes),
            &self.runs.to_string(),
            &time(Duration::from_secs_f64(self.seconds)),
            &thousands(self.nps as u128),
        ];
        TABLE.row(out, cells)?;
        out.flush()
    }
}
