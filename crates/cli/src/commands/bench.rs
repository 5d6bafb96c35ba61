//! `tabiya bench`: how fast this machine counts, in the ways that people compare.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya::Position;
use tabiya_perft::table::HashSize;
use tabiya_perft::{Engine, Isa, Options};

use crate::Outcome;
use crate::counting::{CountingArgs, engine};
use crate::failure::{Diagnostic, Failure};
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::{seconds, thousands};
use crate::output::table::{Column, Table};
use crate::position::Standard;

const EXAMPLES: &str = "\
Examples:
  tabiya bench --seconds 3
  tabiya bench --seconds 1 --threads 1 --isa portable
  tabiya bench --seconds 120 --json > today.json && tabiya bench --compare today.json

Each position is counted deeper and deeper in its share of the time; the deepest count that was
finished is repeated while there is time, and its median reported. Every mode says how it counts:
  bulk       leaves are not made one by one; moves above them are counted
  factoring  of most moves above the leaves only the change in the number of replies is found
  table      subtrees reached in several ways are counted once; the table is empty at first";

/// Measure how fast this machine counts
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// For about how long to measure, all modes together
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::values::time)]
    #[arg(allow_negative_numbers = true)]
    seconds: Duration,

    /// The size of the table in the modes that have one: MiB, or a number with K, M, G or T
    #[arg(long, value_name = "SIZE", default_value = "256", value_parser = crate::values::hash_size)]
    #[arg(allow_negative_numbers = true)]
    hash: HashSize,

    /// Compare with what `tabiya bench --json` printed into FILE
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    counting: CountingArgs,
}

/// The positions that leaderboards use.
const POSITIONS: [(&str, Standard); 3] = [
    ("start", Standard::Startpos),
    ("kiwipete", Standard::Kiwipete),
    ("middlegame", Standard::Cpw6),
];

/// A way of counting.
#[derive(Clone, Copy, Debug)]
struct Mode {
    threads: NonZeroUsize,
    hash: Option<HashSize>,
}

/// One thread and all, without a table and with one.
fn modes(threads: NonZeroUsize, hash: HashSize) -> Vec<Mode> {
    let mut numbers = vec![NonZeroUsize::MIN, threads];
    numbers.dedup();
    let with = |hash| numbers.iter().map(move |&threads| Mode { threads, hash });
    with(None).chain(with(Some(hash))).collect()
}

const SCHEMA: &str = "tabiya-bench/1";

/// All results as JSON.
#[derive(Serialize, Deserialize)]
struct Report {
    /// Were all modes measured?
    complete: bool,
    version: String,
    budget_seconds: f64,
    machine: Machine,
    results: Vec<Measurement>,
}

/// Where it was measured.
#[derive(Serialize, Deserialize)]
struct Machine {
    cpu: String,
    arch: String,
    os: String,
    /// The instruction set that counted.
    isa: String,
    cores: Option<usize>,
    hardware_threads: usize,
    memory_bytes: u64,
}

/// The deepest count of a position that was finished in time.
#[derive(Clone, Serialize, Deserialize)]
struct Measurement {
    position: String,
    depth: u32,
    threads: usize,
    /// How the leaves were counted: `bulk`, `factoring`, `table`.
    labels: Vec<String>,
    /// The size of the table, 0 without one.
    table_bytes: u64,
    nodes: String,
    /// How often it was counted; the time is the median.
    runs: usize,
    seconds: f64,
    nps: f64,
    /// What an older report has of the same, if one was named.
    before: Option<Before>,
}

/// A measurement to compare with.
#[derive(Clone, Serialize, Deserialize)]
struct Before {
    depth: u32,
    nps: f64,
    /// How many times as fast it is now.
    speedup: f64,
}

impl Measurement {
    /// The same with what an older report has of it.
    fn compared(self, old: &Report) -> Self {
        let before = old.results.iter().find(|old| old.is_like(&self));
        let before = before.map(|old| Before {
            depth: old.depth,
            nps: old.nps,
            speedup: self.nps / old.nps,
        });
        Self { before, ..self }
    }

    /// Was it measured in the same way?
    fn is_like(&self, other: &Self) -> bool {
        self.position == other.position
            && self.threads == other.threads
            && self.labels == other.labels
            && self.table_bytes == other.table_bytes
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let old = args.compare.as_deref().map(read).transpose()?;
    let options = args.counting.options()?;
    let watch = Interrupt::listen()?;
    let modes = modes(options.threads, args.hash);
    let share = args.seconds / (modes.len() * POSITIONS.len()) as u32;
    let machine = machine(options.isa);
    if !args.json {
        write_machine(&machine, out)?;
        if let Some(Report { machine: Machine { cpu, isa, .. }, version, .. }) = &old {
            writeln!(out, "before    {isa} on {cpu}, tabiya {version}")?;
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
    'modes: for mode in modes {
        let options = Options { threads: mode.threads, ..options.clone() };
        for (name, standard) in POSITIONS {
            let new_engine = || engine(options.clone(), mode.hash, 0);
            let Some(measurement) = measure(&new_engine, name, standard, share, &watch)? else {
                report.complete = false;
                break 'modes;
            };
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
        json::write(out, SCHEMA, &report)?;
    }
    let wrong = contradictions(&report.results);
    for (first, second) in &wrong {
        let Measurement { position, depth, nodes, .. } = first;
        let text = format!("{position} at depth {depth}: {nodes} leaves and {}", second.nodes);
        let _ = writeln!(anstream::stderr(), "two modes differ: {text}");
    }
    Ok(match (wrong.is_empty(), report.complete) {
        (false, _) => Outcome::Failed,
        (true, false) => Outcome::Interrupted,
        (true, true) => Outcome::Fine,
    })
}

/// No count is repeated more often: the median hardly changes any more.
const MOST_RUNS: usize = 15;

/// Counts deeper and deeper as long as the next count is likely to end in time, and repeats the
/// deepest as long as there is time. Every count has an engine of its own, so that none finds a
/// table filled.
fn measure(
    new_engine: &dyn Fn() -> Result<Engine, Failure>,
    name: &str,
    standard: Standard,
    share: Duration,
    watch: &Interrupt,
) -> Result<Option<Measurement>, Failure> {
    let position = Position::from_fen(standard.fen()).expect("the standard positions are playable");
    let begin = Instant::now();
    let mut depth = 3;
    let mut times: Vec<Duration> = Vec::new();
    let mut last = Duration::ZERO;
    loop {
        let engine = new_engine()?;
        let start = Instant::now();
        let tally = engine.perft(&position, depth, watch);
        let time = start.elapsed();
        if !tally.complete {
            return Ok(None);
        }
        times.push(time);
        if times.len() == 1 {
            // A level takes at most about as many times longer as there are moves; with a table,
            // less.
            let growth =
                if last.is_zero() { 40.0 } else { time.div_duration_f64(last).clamp(4.0, 40.0) };
            if begin.elapsed() + time.mul_f64(growth) < share {
                (depth, last) = (depth + 1, time);
                times.clear();
                continue;
            }
        }
        if times.len() < MOST_RUNS && begin.elapsed() + time < share {
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
            nodes: tally.nodes.to_string(),
            runs: times.len(),
            seconds: time.as_secs_f64(),
            nps: tally.nodes as f64 / time.as_secs_f64().max(1e-9),
            before: None,
        }));
    }
}

/// Pairs of results that ought to be the same number.
fn contradictions(results: &[Measurement]) -> Vec<(&Measurement, &Measurement)> {
    let same = |a: &Measurement, b: &Measurement| a.position == b.position && a.depth == b.depth;
    let pairs = results.iter().enumerate().flat_map(|(at, first)| {
        results[at + 1..].iter().filter(move |second| same(first, second)).map(move |b| (first, b))
    });
    pairs.filter(|(first, second)| first.nodes != second.nodes).collect()
}

fn machine(isa: Isa) -> Machine {
    use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

    let what = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what);
    let cpu = system.cpus().first().map_or("", |cpu| cpu.brand()).trim();
    Machine {
        cpu: if cpu.is_empty() { "unknown" } else { cpu }.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        os: System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned()),
        isa: isa.to_string(),
        cores: System::physical_core_count(),
        hardware_threads: crate::counting::all_threads().get(),
        memory_bytes: system.total_memory(),
    }
}

fn write_machine(machine: &Machine, out: &mut dyn Write) -> Result<(), Failure> {
    let Machine { cpu, arch, os, isa, cores, hardware_threads, memory_bytes } = machine;
    let cores = cores.map_or(String::new(), |cores| format!("{cores} cores, "));
    writeln!(out, "machine   {cpu} ({arch}), {cores}{hardware_threads} hardware threads")?;
    writeln!(out, "memory    {:.1} GiB", *memory_bytes as f64 / f64::from(1 << 30))?;
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
    let time = seconds(Duration::from_secs_f64(measurement.seconds));
    let cells = [
        position.as_str(),
        &depth.to_string(),
        &threads.to_string(),
        &labels.join(", "),
        &thousands(nodes),
        &measurement.runs.to_string(),
        &time,
        &thousands(*nps as u128),
        &if compares { comparison(measurement) } else { String::new() },
    ];
    Ok(table.row(out, cells)?)
}

/// How much faster than before.
fn comparison(new: &Measurement) -> String {
    match &new.before {
        None => "not measured before".to_owned(),
        Some(Before { depth, speedup, .. }) if *depth == new.depth => format!("{speedup:.2} x"),
        Some(Before { depth, speedup, .. }) => format!("{speedup:.2} x (then at depth {depth})"),
    }
}

fn read(path: &Path) -> Result<Report, Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Diagnostic::new(format_args!("{} cannot be compared with: {error}", path.display()))
            .hint("it should be what `tabiya bench --json` printed")
    };
    let text = input::read(path).map_err(|error| wrong(&error))?;
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
    if value["schema"] != SCHEMA {
        return Err(wrong(&format_args!("its schema is not {SCHEMA}")).into());
    }
    Ok(serde_json::from_value(value).map_err(|error| wrong(&error))?)
}
