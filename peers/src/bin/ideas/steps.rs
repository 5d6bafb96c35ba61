//! The steps: each article's idea as a small engine, then what goes beyond, then other programs.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use tabiya::Position;
use tabiya::attacks::{Classical, Magic};
use tabiya_peers::clock::Clock;
use tabiya_peers::engine::Engine;
use tabiya_peers::engines::{cozy::Cozy, qperft::Qperft, stockfish::Stockfish, tabiya::Tabiya};
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Isa, Options};

use crate::articles::{Sets, bulk, copy, legal, list, make_and_undo, methods, staged};
use crate::{Args, shifts};

/// Mebibytes. The table is made anew for each count, which is part of its time.
const TABLE: u64 = 256;

/// One step.
pub(crate) struct Step {
    /// The article, 1 to 5, or what comes after them.
    pub(crate) part: &'static str,
    pub(crate) name: &'static str,
    /// The step that it changes.
    pub(crate) before: Option<usize>,
    /// Plies more than the standard depths.
    pub(crate) deeper: i32,
}

/// A step with its engine.
pub(crate) type Measured = (Step, Box<dyn Engine>);

/// A list of steps in the making.
struct Steps(Vec<Measured>);

pub(crate) fn all(args: &Args) -> Result<Vec<Measured>, String> {
    // Leaves that are made take long: one ply less. The fast counter: one more.
    const MADE: i32 = -1;
    const DEEP: i32 = 1;
    let mut steps = Steps(Vec::new());
    let article = &mut |part, name: &str, before, deeper, count: fn(&Position, u32) -> u64| {
        steps.add(part, name, before, deeper, Box::new(Counter(count)))
    };
    let undo =
        article("1", "pseudo-legal: make, test, undo; rays", None, MADE, |position, depth| {
            make_and_undo(&mut position.clone(), depth, Classical)
        });
    let copied = article("1", "copied, not undone", Some(undo), MADE, |position, depth| {
        copy(position, depth, Classical)
    });
    let magic = article("1", "magics, not rays", Some(copied), MADE, |position, depth| {
        copy(position, depth, Magic)
    });
    let made = article("2", "legal by checkers, pins, king danger", Some(magic), MADE, legal);
    let listed = article("2", "leaves listed, not made", Some(made), 0, |position, depth| {
        bulk(position, depth, list)
    });
    article("3", "captures, quiets, evasions in stages", Some(listed), 0, staged);
    let sets = steps.method("magic", "leaves as sets within the masks", Some(listed));
    for name in methods().into_iter().filter(|&name| name != "magic") {
        steps.method(name, &format!("sliders by {name}, not magics"), Some(sets));
    }
    let shifts = Counter(|position: &Position, depth| bulk(position, depth, shifts::replies));
    steps.add("5", "whole sets by shifts, fills for sliders", Some(sets), 0, Box::new(shifts));

    let popcnt = Counter(|position: &Position, depth| bulk(position, depth, Position::count_legal));
    let popcnt = steps.add("+", "POPCNT, if the CPU has it", Some(sets), 0, Box::new(popcnt));
    let library = "no lists inside the tree: the library";
    let mut last = steps.add("+", library, Some(popcnt), 0, Box::new(Tabiya));
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let name = format!("the null-move identity, {isa}");
        last = steps.add("+", &name, Some(last), DEEP, Box::new(FastCounter::new(1, false, isa)));
    }
    let table = Box::new(FastCounter::new(1, true, Isa::best()));
    steps.add("+", &format!("with a table of {TABLE} MiB"), Some(last), DEEP, table);
    let threads = available_parallelism().map_or(1, NonZeroUsize::get);
    let many = Box::new(FastCounter::new(threads, false, Isa::best()));
    steps.add("+", &format!("on {threads} threads, by the wall clock"), Some(last), DEEP, many);

    steps.add("others", "cozy-chess 0.3.4", None, 0, Box::new(Cozy));
    if let Some(path) = &args.stockfish {
        let engine = Box::new(Stockfish::start(path)?);
        steps.add("others", "Stockfish, go perft, by the wall clock", None, 0, engine);
    }
    if let Some(path) = &args.qperft {
        steps.add("others", "qperft", None, 0, Box::new(Qperft::new(path)?));
    }
    Ok(steps.0)
}

impl Steps {
    /// Adds a step and returns its index.
    fn add(
        &mut self,
        part: &'static str,
        name: &str,
        before: Option<usize>,
        deeper: i32,
        engine: Box<dyn Engine>,
    ) -> usize {
        // Names live as long as the program: reports hold on to them.
        let name = name.to_owned().leak();
        self.0.push((Step { part, name, before, deeper }, Box::new(Named(name, engine))));
        self.0.len() - 1
    }

    /// Adds the sets of the fourth article with a slider method.
    fn method(&mut self, method: &'static str, name: &str, before: Option<usize>) -> usize {
        // Square by square takes as long as making moves does.
        let deeper = if method == "step-by-step" { -1 } else { 0 };
        let count = move |position: &Position, depth| Sets::count(method, position, depth);
        self.add("4", name, before, deeper, Box::new(Counter(count)))
    }
}

/// The engine of a step, with the step's name.
struct Named(&'static str, Box<dyn Engine>);

impl Engine for Named {
    fn name(&self) -> &'static str {
        self.0
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        self.1.perft(fen, depth)
    }

    fn now(&self, clock: Clock) -> Duration {
        self.1.now(clock)
    }
}

/// A function that counts.
struct Counter<F>(F);

impl<F: FnMut(&Position, u32) -> u64> Engine for Counter<F> {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        Ok((self.0)(&position, depth))
    }
}

/// The fast counter.
struct FastCounter {
    options: Options,
    table: bool,
}

impl FastCounter {
    fn new(threads: usize, table: bool, isa: Isa) -> Self {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        Self { options: Options { threads, isa }, table }
    }
}

impl Engine for FastCounter {
    fn name(&self) -> &'static str {
        "fast counter"
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let mut engine = tabiya_perft::Engine::new(self.options.clone());
        if self.table {
            let table = Table::new(HashSize::mebibytes(TABLE), 0.into());
            engine = engine.with_table(table.map_err(|error| error.to_string())?);
        }
        let nodes = engine.perft(&position, depth, &()).nodes;
        u64::try_from(nodes).map_err(|error| error.to_string())
    }

    /// The processor time of one thread says nothing about many.
    fn now(&self, clock: Clock) -> Duration {
        if self.options.threads.get() == 1 { clock.now() } else { Clock::Wall.now() }
    }
}
