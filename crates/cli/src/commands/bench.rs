//! `tabiya bench`: measures how fast this machine counts, in the usual modes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya::Position;
use tabiya_perft::table::HashSize;
use tabiya_perft::{Engine, Isa, MAX_DEPTH, Options, Seed};

use crate::counting::{CountingArgs, TableChoice, all_threads, engine};
use crate::failure::{Diagnostic, Failure};
use crate::host::host;
use crate::input;
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
  tabiya bench --seconds 120 --json > today.json && tabiya bench --compare today.json

The first mode, one thread without a table, finds the depth for each position: the deepest count
that fits into its share of the time. All modes count to this depth. With --compare, the depths are
those in FILE. A count is repeated while there is time, and the median time is printed. Each mode
says how it counts:
  bulk       the moves of the last ply are counted but not made
  factoring  for most moves of the previous ply, only the change in that count is computed
  table      a subtree that is reached in several ways is counted once; the table starts empty";

/// Measure how fast this machine counts
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

    /// Compare with FILE, the output of `tabiya bench --json`
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

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

/// A way of counting.
#[derive(Clone, Copy, Debug)]
struct Mode {
    threads: NonZeroUsize,
    hash: Option<HashSize>,
}

/// One thread and all threads, without a table and with one.
fn modes(threads: NonZeroUsize, hash: HashSize) -> Vec<Mode> {
    let mut numbers = vec![NonZeroUsize::MIN, threads];
    numbers.dedup();
    let with = |hash| numbers.iter().map(move |&threads| Mode { threads, hash });
    with(None).chain(with(Some(hash))).collect()
}

/// The output of `tabiya bench --json`: how fast a machine counts.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Report {
    /// Were all modes measured? If not, the measurement was stopped.
    complete: bool,
    /// The version of the program.
    version: String,
    /// The requested time for all measurements together, in seconds.
    budget_seconds: f64,
    /// The machine, the system and the instruction set.
    machine: Environment,
    /// One measurement for each mode and position.
    results: Vec<Measurement>,
}

impl json::Object for Report {
    const SCHEMA: &'static str = "tabiya-bench/1";
}

/// The machine, the system and the instruction set.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Environment {
    /// The name of the processor; `unknown` if the system does not say.
    cpu: String,
    /// The architecture of the processor.
    arch: String,
    /// The operating system.
    os: String,
    /// The instruction set that counted: `avx512`, `avx2` or `portable`.
    isa: String,
    /// Physical cores. Null if the system does not say.
    cores: Option<usize>,
    /// Threads that the machine runs at a time.
    hardware_threads: usize,
    /// The memory in bytes; 0 if the system does not say.
    memory_bytes: u64,
}

/// A count of a position in one mode.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Measurement {
    /// The position: `start`, `kiwipete` or `middlegame`.
    position: String,
    /// The depth in plies.
    depth: u32,
    /// Threads that counted.
    threads: usize,
    /// The way in which leaf nodes were counted: `bulk`, `factoring`, `table`, as in `mode` of
    /// `tabiya-perft`.
    labels: Vec<String>,
    /// The size of the table in bytes; 0 if there is none.
    table_bytes: u64,
    /// Leaf nodes at this depth.
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: String,
    /// The number of counts. `seconds` is their median.
    runs: usize,
    /// The median time of a count, in seconds.
    seconds: f64,
    /// Leaf nodes per second.
    nps: f64,
    /// The same measurement in the file of `--compare`: the same position, depth, threads, labels
    /// and size of the table. Null if there is none.
    before: Option<Before>,
}

/// A measurement to compare with.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Before {
    /// The depth in plies.
    depth: u32,
    /// Leaf nodes per second.
    nps: f64,
    /// The new speed divided by the old one.
    speedup: f64,
}

impl Report {
    /// The depth of a count of a position on one thread without a table.
    fn depth_of(&self, position: &str) -> Option<u32> {
        let is_first = |old: &&Measurement| {
            old.position == position && old.threads == 1 && old.table_bytes == 0
        };
        let depth = self.results.iter().find(is_first)?.depth;
        (depth <= MAX_DEPTH).then_some(depth)
    }
}

impl Measurement {
    /// Adds the same measurement from an older report.
    fn compared(self, old: &Report) -> Self {
        let before = old.results.iter().find(|old| old.is_like(&self));
        let before = before.map(|old| Before {
            depth: old.depth,
            nps: old.nps,
            speedup: self.nps / old.nps,
        });
        Self { before, ..self }
    }

    /// Do both measure the same count in the same mode?
    fn is_like(&self, other: &Self) -> bool {
        self.position == other.position
            && self.depth == other.depth
            && self.threads == other.threads
            && self.labels == other.labels
            && self.table_bytes == other.table_bytes
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    // Until the program listens for Ctrl-C, the system ends it, as while it waits for the report.
    let old = args.compare.as_deref().map(read).transpose()?;
    let watch = Interrupt::listen()?;
    let options = args.counting.options()?;
    let modes = modes(options.threads, args.hash);
    let share = args.seconds / (modes.len() * POSITIONS.len()) as u32;
    let machine = environment(options.isa);
    if !args.json {
        write_machine(&machine, out)?;
        if let Some(Report { machine: Environment { cpu, isa, .. }, version, .. }) = &old {
            let before = format!("{isa} on {cpu}, tabiya {version}");
            writeln!(out, "before    {}", printable(&before))?;
        }
        writeln!(out)?;
    }
    let table = table();
    if !args.json {
        table.head(out)?;
    }
    let mut report = Report {
        complete: true,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        budget_seconds: args.seconds.as_secs_f64(),
        machine,
        results: Vec::new(),
    };
    // The depth of each position, if it is known.
    let mut depths = POSITIONS.map(|(name, _)| old.as_ref().and_then(|old| old.depth_of(name)));
    'modes: for mode in modes {
        let options = Options { threads: mode.threads, ..options.clone() };
        for ((name, standard), depth) in POSITIONS.into_iter().zip(&mut depths) {
            // All benchmarks use the same keys, so that a comparison shows only differences between
            // the programs.
            let choice = mode.hash.map(|size| TableChoice { size, seed: Seed::from(0) });
            let new_engine = || engine(options.clone(), choice);
            let measured = measure(&new_engine, name, standard, *depth, share, &watch)?;
            let Some(measurement) = measured else {
                report.complete = false;
                break 'modes;
            };
            *depth = Some(measurement.depth);
            let measurement = match &old {
                Some(old) => measurement.compared(old),
                None => measurement,
            };
            if !args.json {
                write_line(&table, &measurement, old.is_some(), out)?;
                out.flush()?;
            }
            report.results.push(measurement);
        }
    }
    if args.json {
        json::write(out, &report)?;
    }
    let wrong = contradictions(&report.results);
    for (first, second) in &wrong {
        let Measurement { position, depth, nodes, .. } = first;
        let text = format!("{position} at depth {depth}: {nodes} and {} leaf nodes", second.nodes);
        let _ = writeln!(anstream::stderr(), "two modes disagree: {text}");
    }
    Ok(match (wrong.is_empty(), report.complete) {
        (false, _) => Outcome::Failed,
        (true, false) => Outcome::Interrupted,
        (true, true) => Outcome::Fine,
    })
}

/// The most repetitions of a count: more of them would hardly change the median.
const MAX_RUNS: usize = 15;

/// Counts to a depth, and repeats the count while there is time. If no depth is given, it counts
/// deeper and deeper while the next count is likely to end in time. Each count has a new engine, so
/// that its table is empty.
fn measure(
    new_engine: &dyn Fn() -> Result<Engine, Failure>,
    name: &str,
    standard: StandardPosition,
    fixed_depth: Option<u32>,
    share: Duration,
    watch: &Interrupt,
) -> Result<Option<Measurement>, Failure> {
    let position = Position::from_fen(standard.fen()).expect("the standard positions are playable");
    let begin = Instant::now();
    let mut depth = fixed_depth.unwrap_or(3);
    let mut times: Vec<Duration> = Vec::new();
    let mut last = Duration::ZERO;
    loop {
        let engine = new_engine()?;
        let start = Instant::now();
        let total = engine.perft(&position, depth, watch);
        let time = start.elapsed();
        if !total.complete {
            return Ok(None);
        }
        times.push(time);
        if times.len() == 1 && fixed_depth.is_none() {
            // One more ply takes longer by a factor of at most about the number of moves. With a
            // table, the factor is smaller.
            let growth =
                if last.is_zero() { 40.0 } else { time.div_duration_f64(last).clamp(4.0, 40.0) };
            if begin.elapsed() + time.mul_f64(growth) < share {
                (depth, last) = (depth + 1, time);
                times.clear();
                continue;
            }
        }
        if times.len() < MAX_RUNS && begin.elapsed() + time < share {
            continue;
        }
        times.sort_unstable();
        let time = times[times.len() / 2];
        let table = engine.table();
        let mut labels = vec!["bulk".to_owned(), "factoring".to_owned()];
        labels.extend(table.map(|_| "table".to_owned()));
        return Ok(Some(Measurement {
            position: name.to_owned(),
            depth,
            threads: engine.options().threads.get(),
            labels,
            table_bytes: table.map_or(0, tabiya_perft::table::Table::bytes),
            nodes: total.nodes.to_string(),
            runs: times.len(),
            seconds: time.as_secs_f64(),
            nps: total.nodes as f64 / time.as_secs_f64().max(1e-9),
            before: None,
        }));
    }
}

/// Pairs of results that should have the same count but do not.
fn contradictions(results: &[Measurement]) -> Vec<(&Measurement, &Measurement)> {
    let same = |a: &Measurement, b: &Measurement| a.position == b.position && a.depth == b.depth;
    let pairs = results.iter().enumerate().flat_map(|(at, first)| {
        results[at + 1..].iter().filter(move |second| same(first, second)).map(move |b| (first, b))
    });
    pairs.filter(|(first, second)| first.nodes != second.nodes).collect()
}

fn environment(isa: Isa) -> Environment {
    let host = host();
    Environment {
        cpu: host.cpu.unwrap_or_else(|| "unknown".to_owned()),
        arch: std::env::consts::ARCH.to_owned(),
        os: host.os.unwrap_or_else(|| std::env::consts::OS.to_owned()),
        isa: isa.to_string(),
        cores: host.cores,
        hardware_threads: all_threads().get(),
        memory_bytes: host.memory.unwrap_or(0),
    }
}

fn write_machine(machine: &Environment, out: &mut dyn Write) -> Result<(), Failure> {
    let Environment { cpu, arch, os, isa, cores, hardware_threads, memory_bytes } = machine;
    let cores = cores.map_or(String::new(), |cores| format!("{cores} cores, "));
    let memory = match memory_bytes {
        0 => "unknown".to_owned(),
        bytes => format!("{:.1} GiB", *bytes as f64 / f64::from(1 << 30)),
    };
    writeln!(out, "machine   {cpu} ({arch}), {cores}{hardware_threads} hardware threads")?;
    writeln!(out, "memory    {memory}")?;
    writeln!(out, "system    {os}")?;
    Ok(writeln!(out, "counting  {isa}, tabiya {}", env!("CARGO_PKG_VERSION"))?)
}

fn table() -> Table<9> {
    Table([
        Column::left("position", 10),
        Column::right("depth", 5),
        Column::right("threads", 7),
        Column::left("counting", 21),
        Column::right("nodes", 19),
        Column::right("runs", 4),
        Column::right("time", 9),
        Column::right("nodes/s", 17),
        Column::left("", 0),
    ])
}

fn write_line(
    table: &Table<9>,
    measurement: &Measurement,
    compares: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Measurement { position, depth, threads, labels, nodes, nps, .. } = measurement;
    let nodes: u128 = nodes.parse().unwrap_or_default();
    let elapsed = time(Duration::from_secs_f64(measurement.seconds));
    let cells = [
        position.as_str(),
        &depth.to_string(),
        &threads.to_string(),
        &labels.join(", "),
        &thousands(nodes),
        &measurement.runs.to_string(),
        &elapsed,
        &thousands(*nps as u128),
        &if compares { comparison(measurement) } else { String::new() },
    ];
    Ok(table.row(out, cells)?)
}

/// The speed, compared with the older one.
fn comparison(new: &Measurement) -> String {
    match &new.before {
        None => "not measured before".to_owned(),
        Some(Before { speedup, .. }) => format!("{speedup:.2} x"),
    }
}

/// The size limit of a report to compare with.
const MAX_MEBIBYTES: u64 = 16;

fn read(path: &Path) -> Result<Report, Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Diagnostic::new(format_args!("cannot compare with {}: {error}", path.display()))
            .hint("expected the output of `tabiya bench --json`")
    };
    let text = input::read_up_to(path, MAX_MEBIBYTES).map_err(|error| wrong(&error))?;
    let value: serde_json::Value =
        serde_json::from_slice(input::without_mark(&text)).map_err(|error| wrong(&error))?;
    let schema = <Report as json::Object>::SCHEMA;
    if value["schema"] != schema {
        return Err(wrong(&format_args!("its schema is not {schema}")).into());
    }
    let report: Report = serde_json::from_value(value).map_err(|error| wrong(&error))?;
    if report.results.iter().any(|result| result.nps <= 0.0) {
        return Err(wrong(&"an nps is not positive").into());
    }
    Ok(report)
}
