//! `tabiya data interleave`: several files at random in one, without changing the order of each.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use tabiya::SplitMix64;
use tabiya_data::{Format, Pipeline, Plan, Record};

use super::input::{Input, Job, jobs};
use super::order::OrderArgs;
use super::output::{is_stream, report};
use super::reading::{Reading, Stop, no_threads};
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
    pub(super) order: OrderArgs,
}

pub(super) fn run(Args { order }: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (begin, plan, threads) = (Instant::now(), order.read.plan()?, order.read.threads);
    let (inputs, output) = order.files.open(order.read.from)?;
    if inputs.iter().any(|input| is_stream(&input.path)) {
        let message = "- can't be interleaved, as inputs are read twice";
        return Err(Diagnostic::new(message).hint("write it to a file first").into());
    }
    let watch = Interrupt::listen()?;
    let count = |_, job: &Job, plan: &Plan| (job.visit(plan, |_| ()), ());
    let mut reading = Reading::start(&inputs, &plan, threads, &watch, count)?;
    let counted = reading.read_all(|_, ()| Ok(()));
    let left = reading.found.iter().map(|it| it.selected as usize).collect();
    let written = counted.and_then(|()| {
        let each = NonZeroUsize::new(threads.count().get() / inputs.len());
        let files = inputs.iter().map(|input| games(input, &plan, each, &watch));
        let files = files.collect::<io::Result<_>>();
        let files = files.map_err(|error| Stop::Failed(no_threads(error)))?;
        let mixed = Mixed { files, left, random: SplitMix64::new(order.seed).part(1) };
        order.write(mixed, output, &watch, out)
    });
    report(&mut reading, written, &order.files, begin, out)
}

/// The length of a packed row.
const ROW: usize = 40;

/// The games of a file, one after another, as packed rows.
type Games = Box<dyn Iterator<Item = io::Result<Vec<u8>>> + Send>;

fn games(
    input: &Input,
    plan: &Plan,
    threads: Option<NonZeroUsize>,
    watch: &Interrupt,
) -> io::Result<Games> {
    let jobs = jobs(vec![input.clone()], &Passed::default(), watch);
    let (plan, threads) = (plan.clone(), threads.unwrap_or(NonZeroUsize::MIN));
    let blocks = Pipeline::start(jobs, threads, move |_, job| {
        let mut encoder = Format::Packed.encoder().expect("it can be written");
        let (mut games, mut last) = (Vec::<Vec<u8>>::new(), None::<Record>);
        job.visit(&plan, |record| {
            if !last.as_ref().is_some_and(|last| last.continues_with(record)) {
                games.push(Vec::with_capacity(ROW));
            }
            let game = games.last_mut().expect("there is one");
            encoder.push(record, game).expect("it holds every record");
            last = Some(record.clone());
        });
        games
    })?;
    Ok(Box::new(blocks.flat_map(|games| match games {
        Ok(games) => games.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    })))
}

/// All files in one.
struct Mixed {
    /// The games of each.
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
                    rows.extend_from_slice(&game);
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
