//! `tabiya data shuffle`: records in a random order.

use std::io::Write;
use std::time::Instant;

use tabiya_data::{Format, Plan, Shuffle};

use super::input::Job;
use super::order::OrderArgs;
use super::output::{Encoded, report};
use super::reading::{Reading, Stop};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::storage::StorageArgs;

const EXAMPLES: &str = "\
Every order has the same chance. It depends on --seed and the input alone, not on --memory and
--threads. What doesn't fit into memory goes to temporary files of 48 bytes for each record.
Formats of games need more space for shuffled records: each is stored alone.

Examples:
  tabiya data shuffle games.packed shuffled.packed
  tabiya data shuffle games.packed shuffled.csv --seed 7 --memory 512M --temp .";

/// Write the records of all inputs in a random order
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) order: OrderArgs,

    #[command(flatten)]
    storage: StorageArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (begin, Args { order, storage }) = (Instant::now(), args);
    let (plan, threads) = (order.read.plan()?, order.read.threads);
    let storage = storage.options(threads.count())?;
    let (inputs, output) = order.files.open(order.read.from)?;
    let watch = Interrupt::listen()?;
    let rows = |_, job: &Job, plan: &Plan| {
        let (found, rows) = Encoded::of(Format::Packed, |encode| job.visit(plan, encode));
        (found, rows.bytes)
    };
    let mut reading = Reading::start(&inputs, &plan, threads, &watch, rows)?;
    let memory = usize::try_from(storage.memory).unwrap_or(usize::MAX);
    let mut shuffle = Shuffle::new(order.seed, memory, &storage.temp);
    let temporary = |error| Stop::Failed(Failure::File { path: storage.temp.clone(), error });
    let read = reading.read_all(|_, rows| shuffle.push(&rows).map_err(temporary));
    let written = read.and_then(|()| {
        let rows = shuffle.finish().map_err(temporary)?;
        order.write(rows, output, &watch, out)
    });
    report(&mut reading, written, &order.files, begin, out)
}
