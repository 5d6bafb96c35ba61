//! `tabiya data convert`: records in another format, or some of them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;
use std::time::Instant;

use tabiya::SplitMix64;
use tabiya_data::{Format, Found, InOrder, Plan};

use super::input::Job;
use super::output::{Encoded, FileArgs, report};
use super::reading::{ReadArgs, Reading};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
What the new format can't hold is said before the work begins. Records that it can't hold at all
are left out and counted. If OUTPUT isn't -, it's written when all is done.

A record is taken if it passes --filter, then --sample, then --unique, then --limit. The same call
always takes the same ones, with any number of threads.

Examples:
  tabiya data convert games.packed games.csv
  tabiya data convert games.packed some.csv --unique --sample 1/100 --limit 1000
  tabiya data convert games.packed - --to csv --filter 'result == draw and pieces <= 10'";

/// Write records in another format, or only some of them
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) files: FileArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// Take only the first record of each position. Positions are compared by their 64-bit keys,
    /// which need 10 to 21 bytes of memory for each
    #[arg(long)]
    unique: bool,

    /// Take each record with this chance, such as 1%, 0.01 or 1/100
    #[arg(long, value_name = "SHARE", value_parser = share)]
    sample: Option<f64>,

    /// The seed of the sample
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    #[arg(value_parser = crate::values::number)]
    seed: u64,

    /// Take at most this many records
    #[arg(long, value_name = "N", value_parser = crate::values::number)]
    limit: Option<u64>,
}

/// A share as a number, a percentage or a fraction.
fn share(text: &str) -> Result<f64, &'static str> {
    let Some((part, whole)) = text.split_once('/') else { return crate::values::share(text) };
    let shares = part.parse::<u32>().ok().zip(whole.parse::<u32>().ok());
    let shares = shares.filter(|(part, whole)| part <= whole && *whole > 0);
    let share = shares.map(|(part, whole)| f64::from(part) / f64::from(whole));
    share.ok_or("expected a fraction of at most 1, such as 1/100")
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (begin, plan) = (Instant::now(), args.read.plan()?);
    let (inputs, output) = args.files.open(args.read.from)?;
    let watch = Interrupt::listen()?;
    let (to, selection) = (output.format, Selection::new(args));
    let work = move |number, job: &Job, plan: &Plan| selection.encode(to, number, job, plan);
    let mut reading = Reading::start(&inputs, &plan, args.read.threads, &watch, work)?;
    let mut is_last = false;
    let mut parts = std::iter::from_fn(|| {
        let part = if is_last { None } else { reading.next() };
        part.map(|part| {
            let (_, (encoded, last)) = part?;
            is_last = last;
            Ok(encoded)
        })
    });
    let written = output.write(&mut parts, out);
    report(&mut reading, written, &args.files, begin, out)
}

/// Which of the records that pass the filter are taken.
struct Selection {
    sample: Option<f64>,
    seed: u64,
    /// What depends on the records before, if anything does.
    in_order: Option<InOrder<InTurn>>,
}

struct InTurn {
    /// The keys of all positions so far, if only the first record of each is taken.
    seen: Option<HashSet<u64, BuildHasherDefault<Key>>>,
    /// The number of records that may still be taken.
    left: u64,
}

impl Selection {
    fn new(args: &Args) -> Self {
        let seen = args.unique.then(HashSet::default);
        let is_in_order = args.unique || args.limit.is_some();
        let in_turn = InTurn { seen, left: args.limit.unwrap_or(u64::MAX) };
        let in_order = is_in_order.then(|| InOrder::new(in_turn));
        Self { sample: args.sample, seed: args.seed, in_order }
    }

    /// Decides whether the next record of a block is in the sample.
    fn sample(&self, job: &Job) -> impl FnMut() -> bool + use<> {
        let random = SplitMix64::new(self.seed).part(job.file as u64).part(job.block.offset);
        let mut sample = self.sample.map(|share| (share, random));
        move || {
            sample.as_mut().is_none_or(|(share, random)| {
                ((random.number() >> 11) as f64) < *share * (1u64 << 53) as f64
            })
        }
    }

    /// Encodes the records of a block that are taken. True if the limit is reached.
    fn encode(&self, to: Format, number: u64, job: &Job, plan: &Plan) -> (Found, (Encoded, bool)) {
        let mut sample = self.sample(job);
        let Some(in_order) = &self.in_order else {
            let (found, encoded) = Encoded::of(to, |encode| {
                job.visit(plan, |record| {
                    if sample() {
                        encode(record);
                    }
                })
            });
            return (found, (encoded, false));
        };
        let mut records = Vec::new();
        let found = job.visit(plan, |record| {
            if sample() {
                records.push((record.position.key(), record.clone()));
            }
        });
        let is_last = in_order.run(number, |InTurn { seen, left }| {
            records.retain(|&(key, _)| {
                let is_taken = *left > 0 && seen.as_mut().is_none_or(|seen| seen.insert(key));
                *left -= u64::from(is_taken);
                is_taken
            });
            *left == 0
        });
        let ((), encoded) =
            Encoded::of(to, |encode| records.iter().for_each(|(_, record)| encode(record)));
        (found, (encoded, is_last))
    }
}

/// The hash of a key is the key.
#[derive(Default)]
struct Key(u64);

impl Hasher for Key {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
