//! `tabiya estimate`: estimates perft from a sample.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_perft::{Effort, Engine, Estimate, EstimateOptions};

use crate::counting::CountingArgs;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::number::{plies, quantity, relative, rounded, time};
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Examples:
  tabiya estimate 9 --seconds 2
  tabiya estimate 14 --samples 5000
  tabiya estimate 8 kiwipete --samples 10000 --seed 7 --json

The estimate is unbiased: its mean over all seeds is the true number. For about 95 of 100
seeds, the interval contains the true number.";

/// Estimate the number of leaf nodes at DEPTH, for depths that are too great to count
///
/// The estimate comes from a random sample of subtrees.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Depth in plies
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    depth: u32,

    /// Approximate time for sampling
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::values::time)]
    #[arg(allow_negative_numbers = true)]
    seconds: Duration,

    /// Sample this number of subtrees instead
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = crate::values::samples)]
    #[arg(allow_negative_numbers = true)]
    samples: Option<u64>,

    /// Seed of the sample; the same seed and number of samples give the same estimate everywhere
    #[arg(long, value_name = "N", default_value = "0", value_parser = crate::values::number)]
    #[arg(allow_negative_numbers = true)]
    seed: u64,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    counting: CountingArgs,

    #[command(flatten)]
    position: PositionArgs,
}

/// The output of `tabiya estimate --json`: an estimate of the number of leaf nodes. Its numbers
/// come from a sample, so 53 bits are enough.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Is there an estimate? If not, sampling was stopped.
    complete: bool,
    /// The seed of the sample.
    seed: u64,
    /// The time, in seconds.
    seconds: f64,
    /// Threads that counted.
    threads: NonZeroUsize,
    /// The estimate. Null if sampling was stopped: an estimate from a part of a sample is biased.
    estimate: Option<EstimateAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-estimate/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EstimateAnswer {
    /// The estimated number of leaf nodes.
    nodes: f64,
    /// The standard error of `nodes`; 0 if the number is exact.
    standard_error: f64,
    /// The lower end of the confidence interval.
    low: f64,
    /// The upper end of the confidence interval.
    high: f64,
    /// The share of such intervals that contain the true number, from 0 to 1.
    confidence: f64,
    /// Is `nodes` exact? It is if the leaf nodes were counted, because there are few distinct
    /// positions, and are less than 2^53.
    exact: bool,
    /// Subtrees in the sample.
    samples: u64,
    /// Plies from the root to the positions from which the sample was drawn.
    frontier_plies: u32,
    /// The number of these positions.
    frontier: usize,
}

impl From<&Estimate> for EstimateAnswer {
    fn from(estimate: &Estimate) -> Self {
        let Estimate { nodes, standard_error, low, high, samples, frontier_plies, frontier } =
            *estimate;
        Self {
            nodes,
            standard_error,
            low,
            high,
            confidence: 0.95,
            exact: estimate.is_exact(),
            samples,
            frontier_plies,
            frontier,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let watch = Interrupt::listen()?;
    let position = args.position.read()?.position()?;
    let effort = match args.samples {
        Some(samples) => Effort::Samples(samples),
        None => Effort::Time(args.seconds),
    };
    let engine = Engine::new(args.counting.options()?);
    let begin = Instant::now();
    let options = EstimateOptions { seed: args.seed, effort };
    let estimate = tabiya_perft::estimate(&engine, &position, args.depth, &options, &watch);
    let time = begin.elapsed();
    if estimate.as_ref().is_some_and(|estimate| !estimate.high.is_finite()) {
        return Err(Diagnostic::new("more than 1e308 leaf nodes are too many for an estimate")
            .at(&args.depth.to_string(), 0..args.depth.to_string().len())
            .into());
    }
    if args.json {
        let answer = Answer {
            fen: position.fen().to_string(),
            depth: args.depth,
            complete: estimate.is_some(),
            seed: args.seed,
            seconds: time.as_secs_f64(),
            threads: engine.options().threads,
            estimate: estimate.as_ref().map(EstimateAnswer::from),
        };
        json::write(out, &answer)?;
    } else if let Some(estimate) = &estimate {
        write_estimate(estimate, time, out)?;
    } else {
        writeln!(out, "stopped: an incomplete sample is biased, so there is no estimate")?;
    }
    Ok(if estimate.is_some() { Outcome::Fine } else { Outcome::Interrupted })
}

fn write_estimate(
    estimate: &Estimate,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Estimate { nodes, low, high, samples, frontier_plies, frontier, .. } = *estimate;
    if samples == 0 {
        let how = if estimate.is_exact() { "exactly" } else { "and rounded to 53 bits" };
        writeln!(out, "nodes     {}, counted {how}", rounded(nodes, 0.0))?;
    } else {
        // The lower end may be cut off at 0, so this uses the upper end.
        let off = high - nodes;
        let round = |number| rounded(number, off);
        writeln!(out, "nodes     {} ± {}", round(nodes), relative(off, nodes))?;
        writeln!(out, "interval  {} to {} (95 %)", round(low), round(high))?;
        let samples = quantity(samples.into(), "subtree", "subtrees");
        let frontier = quantity(frontier as u128, "position", "positions");
        writeln!(out, "sample    {samples} below {frontier} after {}", plies(frontier_plies))?;
    }
    Ok(writeln!(out, "time      {}", time(elapsed))?)
}
