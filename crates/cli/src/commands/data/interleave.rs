//! `tabiya data interleave`: several files at random in one, without changing the order of each.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use tabiya::SplitMix64;
use tabiya_data::{Format, Pipeline, Record};
use tabiya_perft::Watch;

use super::input::{Input, Jobs};
use super::output::{Encoded, FileArgs, is_stream, report};
use super::reading::{End, Plan, ReadArgs, Reading, no_threads};
use super::shuffle::encode_rows;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::unpacked::Passed;

const EXAMPLES: &str = "\
The next record comes from each file with a chance in proportion to the records that are left in it.
Consecutive records of a game stay together; records of shuffled files come one by one. The files
are read twice: first, the records are counted.

Examples:
  tabiya data interleave games.packed other.packed mixed.packed --seed 3";

/// Mix several inputs at random, each in its own order
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) files: FileArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// The seed of the mixture
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = crate::values::number)]
    seed: u64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (begin, plan) = (Instant::now(), args.read.plan()?);
    let (inputs, output) = args.files.open(args.read.from)?;
    if inputs.iter().any(|input| is_stream(&input.path)) {
        let message = "- can't be interleaved, as inputs are read twice";
        return Err(Diagnostic::new(message).hint("write it to a file first").into());
    }
    let watch = Interrupt::listen()?;
    let count = |_, job: &_, plan: &Plan| (plan.visit(job, |_| ()), ());
    let mut reading = Reading::start(&inputs, &plan, args.read.threads, &watch, count)?;
    while let Some(part) = reading.next_part() {
        if let Err(error) = part {
            return report(&mut reading, Err(error), begin, out);
        }
    }
    let left = reading.found.iter().map(|it| it.selected as usize).collect();
    let each = NonZeroUsize::new(args.read.threads.count().get() / inputs.len());
    let files = inputs.iter().map(|input| Games::start(input, &plan, each, &watch));
    let files = files.collect::<io::Result<_>>().map_err(no_threads)?;
    let mixed = Mixed { files, left, random: SplitMix64::new(args.seed).part(1) };
    let mut parts = encode_rows(mixed, output.format, &args.read, &watch)?;
    let written = output.write(&mut parts, out)?;
    if watch.is_cancelled() && written.is_err() {
        reading.end = End::Interrupt;
    }
    report(&mut reading, written, begin, out)
}

/// The length of a packed row.
const ROW: usize = 40;

/// A block of records as packed rows.
struct Rows {
    bytes: Vec<u8>,
    /// Where each game ends.
    ends: Vec<usize>,
}

/// The games of a file, one after another.
struct Games {
    blocks: Pipeline<Rows>,
    bytes: Vec<u8>,
    ends: std::vec::IntoIter<usize>,
    begin: usize,
}

impl Games {
    fn start(
        input: &Input,
        plan: &Plan,
        threads: Option<NonZeroUsize>,
        watch: &Interrupt,
    ) -> io::Result<Self> {
        let jobs = Jobs::new(std::slice::from_ref(input), &Passed::default(), watch);
        let plan = plan.clone();
        let blocks = Pipeline::start(jobs, threads.unwrap_or(NonZeroUsize::MIN), move |_, job| {
            let (mut ends, mut count, mut last) = (Vec::new(), 0, None::<Record>);
            let (_, rows) = Encoded::of(Format::Packed, |encode| {
                plan.visit(&job, |record| {
                    if last.as_ref().is_some_and(|last| !last.continues_with(record)) {
                        ends.push(ROW * count);
                    }
                    count += 1;
                    encode(record);
                    last = Some(record.clone());
                })
            });
            ends.extend((count > 0).then_some(ROW * count));
            Rows { bytes: rows.into_bytes(), ends }
        });
        Ok(Self { blocks: blocks?, bytes: Vec::new(), ends: Vec::new().into_iter(), begin: 0 })
    }

    /// The rows of the next game.
    fn next(&mut self) -> Option<io::Result<&[u8]>> {
        loop {
            if let Some(end) = self.ends.next() {
                let begin = std::mem::replace(&mut self.begin, end);
                return Some(Ok(&self.bytes[begin..end]));
            }
            match self.blocks.next()? {
                Ok(Rows { bytes, ends }) => {
                    (self.bytes, self.ends, self.begin) = (bytes, ends.into_iter(), 0);
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// All files in one.
struct Mixed {
    files: Vec<Games>,
    /// The number of records that are left in each file.
    left: Vec<usize>,
    random: SplitMix64,
}

/// About the number of bytes that are given out at a time.
const GIVEN: usize = 1 << 20;

impl Iterator for Mixed {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let mut rows = Vec::new();
        while rows.len() < GIVEN {
            let all: usize = self.left.iter().sum();
            if all == 0 {
                break;
            }
            let mut place = self.random.below(all);
            let file = self.left.iter().position(|&left| {
                let is_here = place < left;
                place = place.saturating_sub(left);
                is_here
            })?;
            match self.files[file].next() {
                Some(Ok(game)) => {
                    rows.extend_from_slice(game);
                    let records = game.len() / ROW;
                    self.left[file] = self.left[file].saturating_sub(records);
                }
                // The file has become shorter.
                None => self.left[file] = 0,
                Some(Err(error)) => return Some(Err(error)),
            }
        }
        (!rows.is_empty()).then_some(Ok(rows))
    }
}
