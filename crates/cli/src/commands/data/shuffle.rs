//! `tabiya data shuffle`: records in a random order.

use std::io::{self, Write};
use std::time::Instant;

use tabiya_data::{Block, Format, Pipeline, Shuffle};
use tabiya_perft::Watch;

use super::input::Job;
use super::output::{Encoded, FileArgs, report};
use super::reading::{End, OnError, Plan, ReadArgs, Reading, no_threads};
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
    pub(super) files: FileArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// The seed of the order
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = crate::values::number)]
    seed: u64,

    #[command(flatten)]
    storage: StorageArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (begin, plan) = (Instant::now(), args.read.plan()?);
    let threads = args.read.threads;
    let storage = args.storage.options(threads.count())?;
    let (inputs, output) = args.files.open(args.read.from)?;
    let watch = Interrupt::listen()?;
    let mut reading = Reading::start(&inputs, &plan, threads, &watch, rows)?;
    let memory = usize::try_from(storage.memory).unwrap_or(usize::MAX);
    let mut shuffle = Shuffle::new(args.seed, memory, &storage.temp);
    let temporary = |error| Failure::File { path: storage.temp.clone(), error };
    while let Some(part) = reading.next_part() {
        match part {
            Ok((_, rows)) => shuffle.push(&rows).map_err(temporary)?,
            Err(error) => return report(&mut reading, Err(error), begin, out),
        }
    }
    let rows = shuffle.finish().map_err(temporary)?;
    let mut parts = encode_rows(rows, output.format, &args.read, &watch)?;
    let written = output.write(&mut parts, out)?;
    if watch.is_cancelled() && written.is_err() {
        reading.end = End::Interrupt;
    }
    report(&mut reading, written, begin, out)
}

/// The records of a block as packed rows.
pub(super) fn rows(_: u64, job: &Job, plan: &Plan) -> (super::reading::Found, Vec<u8>) {
    let (found, rows) = Encoded::of(Format::Packed, |encode| plan.visit(job, encode));
    (found, rows.into_bytes())
}

/// Packed rows in another format.
pub(super) fn encode_rows(
    rows: impl Iterator<Item = io::Result<Vec<u8>>> + Send + 'static,
    to: Format,
    args: &ReadArgs,
    watch: &Interrupt,
) -> Result<Pipeline<Encoded>, Failure> {
    let watch = watch.clone();
    let rows = rows.map(
        move |rows| {
            if watch.is_cancelled() { Err(io::Error::other("stopped")) } else { rows }
        },
    );
    let plan = Plan { errors: OnError::Skip, filter: None };
    let parts = Pipeline::start(rows, args.threads.count(), move |_, bytes| {
        let block = Block { offset: 0, bytes };
        let job = Job { file: 0, format: Format::Packed, block };
        let (_, encoded) = Encoded::of(to, |encode| plan.visit(&job, encode));
        encoded
    });
    Ok(parts.map_err(no_threads)?)
}
