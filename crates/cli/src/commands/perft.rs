//! `tabiya perft`: counting the leaf nodes of the game tree.
//!
//! Each way of counting is a file: `leaf_nodes` for the plain count, `categories`, `distinct`, and
//! `checkpoint` for counts that are kept in a file. The arguments are validated once, in this file:
//! a [`Request`] has only the fields of one way of counting.

mod categories;
mod checkpoint;
mod count;
mod distinct;
mod expectation;
mod leaf_nodes;
mod table_use;
mod verification;

use std::io::Write;

use tabiya_perft::Seed;

use crate::call::Call;
use crate::counting::{CountingArgs, TableArgs};
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::position::PositionArgs;
use crate::storage::StorageArgs;
pub(super) use distinct::write_status as write_distinct_status;
use expectation::Expectation;
use leaf_nodes::{Report, ToolFormat};
#[cfg(all(test, feature = "schema"))]
pub(super) use {
    categories::Answer as CategoriesAnswer,
    distinct::{Answer as DistinctAnswer, StatusAnswer as DistinctStatusAnswer},
    leaf_nodes::Answer as LeafNodesAnswer,
};

const EXAMPLES: &str = "\
Examples:
  tabiya perft 6
  tabiya perft 5 kiwipete --divide
  tabiya perft 4 bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
  tabiya perft 3 '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 'e2e4 h4g5' --plain perftree
  tabiya perft 6 --threads 1 --json
  tabiya perft 5 --expect 4865609 && echo right
  tabiya perft 8 --hash 1024 --verify-seed 1
  tabiya perft 6 --checkpoint start-6.tabiya --verify-share 1%
  tabiya perft 4 --categories --checks exclude-mates
  tabiya perft 6 --categories --hash 256
  tabiya perft 6 --categories --checkpoint categories-6.tabiya
  tabiya perft 6 --distinct
  tabiya perft 6 --distinct --memory 8G --checkpoint start.distinct

With --hash, a position that is reached in several ways is counted once and then found in a table.
The table grows up to SIZE as needed. An entry is recognised by 64 bits of the key of its position
and depth. The probability that a wrong entry was used is computed and printed. The keys are derived
from a random seed, which is printed as well. --seed repeats the keys, and --verify-seed counts
again with other keys. The few counts of about 2^52 and more are kept outside the table, in up to an
eighth of its size, or 16 MiB if that is more.

A small table already saves most of the work, since it keeps the counts of the largest subtrees. For
depth 8 of the start position, 16 MiB take 9 % more look-ups than a table that holds everything, and
memory beyond 128 MiB gains nothing. For depth 9, 16 MiB take 1.6 times the look-ups of 1024 MiB,
64 MiB take 1.2 times as many, and 256 MiB only 1 % more. Depth 10 fills 4096 MiB; 1024 MiB take 1.2
times as many look-ups, 256 MiB 1.6 times and 64 MiB 2.3 times. For greater depths, auto takes half
of the available memory: of the machine's or, if that is less, of what the limits of the process's
control groups leave (a container, a service, a job of a cluster).

With --distinct, 96 bits of a key of each position are compared; the probability that any two of the
counted positions were taken for one is computed and printed. If the positions of a ply do not fit
into --memory, they are counted in several passes, so more memory makes the count faster. A position
of the last ply but one takes about three bits of memory, or of temporary files if there are too
many. A checkpoint is as large as these bits. It is written after each ply, and after each pass
through the last ply. The first plies take almost no time, and a count that ends with them needs no
checkpoint.

In JSON, \"mode\" says how leaf nodes were counted. bulk: the moves of the last ply are counted but
not made. factoring: for most moves of the previous ply, only the change in that count is computed.
table: subtrees found in the table are not counted again. nps is leaf nodes per second in each mode.

Ctrl-C stops the count, prints the leaf nodes found below each root move and in total, and ends with
exit code 130. A second Ctrl-C ends the program at once.";

/// Count the leaf nodes of the game tree (perft), to check or time a move generator
///
/// Prints a line for each depth up to DEPTH: the number of leaf nodes, the time and the nodes per
/// second.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help())]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Depth in plies
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    depth: u32,

    /// Count DEPTH alone, and print the leaf nodes below each root move
    #[arg(long)]
    divide: bool,

    /// Print the leaf nodes below each root move and the total, in the format of another tool
    #[arg(long, value_enum, value_name = "TOOL")]
    #[arg(conflicts_with_all = [
        "divide", "categories", "distinct", "checkpoint", "verify_seed", "json"
    ])]
    plain: Option<ToolFormat>,

    /// Count captures, castling, promotions, checks, mates and more among the leaf nodes
    #[arg(long, conflicts_with = "divide")]
    categories: bool,

    /// Whether a check that mates counts as a check
    // clap ignores `requires` if the call has an argument that conflicts with the required one. So such
    // arguments are listed here as well.
    #[arg(long, value_enum, default_value_t, value_name = "HOW", requires = "categories")]
    #[arg(conflicts_with_all = ["divide", "distinct", "plain"])]
    checks: categories::ChecksArg,

    /// Count the distinct positions after DEPTH plies instead of the leaf nodes
    ///
    /// Positions are the same if pieces, side to move, castling rights and legal en-passant
    /// captures are the same. With --checkpoint, a later run continues, also to another DEPTH.
    #[arg(long, group = "keyed", conflicts_with_all = ["divide", "categories", "hash", "isa"])]
    distinct: bool,

    #[command(flatten)]
    counting: CountingArgs,

    #[command(flatten)]
    table: TableArgs,

    /// Count again with the keys of another seed; exit with code 1 if the counts differ
    #[arg(long, value_name = "SEED", requires = "hash")]
    #[arg(conflicts_with_all = ["categories", "distinct"])]
    #[arg(value_parser = crate::values::seed, allow_negative_numbers = true)]
    verify_seed: Option<Seed>,

    /// Exit with code 1 if the count differs
    #[arg(long, value_name = "NODES", value_parser = crate::values::count)]
    #[arg(allow_negative_numbers = true)]
    expect: Option<u128>,

    /// Print a JSON object about DEPTH alone
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    storage: StorageArgs,

    #[command(flatten)]
    checkpoint: checkpoint::CheckpointArgs,

    #[command(flatten)]
    position: PositionArgs,
}

fn help() -> String {
    format!("{}\n{EXAMPLES}", categories::help())
}

/// A count and the form of its report.
enum Request<'a> {
    LeafNodes(leaf_nodes::Request),
    Categories(categories::Request),
    Distinct(distinct::Request<'a>),
    Checkpoint(checkpoint::Request<'a>),
}

pub(crate) fn run(args: &Args, call: &Call, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let interrupt = Interrupt::listen()?;
    let expectation = args.expectation();
    match args.request(call)? {
        Request::LeafNodes(request) => leaf_nodes::run(&request, &expectation, &interrupt, out),
        Request::Categories(request) => categories::run(&request, &expectation, &interrupt, out),
        Request::Distinct(request) => distinct::run(&request, &expectation, &interrupt, out),
        Request::Checkpoint(request) => checkpoint::run(&request, &expectation, &interrupt, out),
    }
}

impl Args {
    /// Does the exit code tell the result of a check, or is there a file with the results?
    pub(super) const fn checks_or_keeps(&self) -> bool {
        self.expect.is_some() || self.verify_seed.is_some() || self.checkpoint.is_given()
    }

    /// Validates the arguments.
    fn request<'a>(&'a self, call: &Call) -> Result<Request<'a>, Failure> {
        let given = self.position.read()?;
        let (position, call) = (given.position()?, call.with_position(given.start()));
        let options = self.counting.options()?;
        let Self { depth, json, .. } = *self;
        let table = self.table.table()?;
        if self.distinct {
            let options = self.storage.options(options.threads)?;
            let seed = self.table.seed();
            let checkpoint = self.checkpoint.path();
            let request =
                distinct::Request { position, depth, options, seed, checkpoint, json, call };
            return Ok(Request::Distinct(request));
        }
        if self.storage.is_given() {
            return Err(Diagnostic::new("--memory and --temp are for --distinct only").into());
        }
        let categories = self.categories.then(|| self.checks.into());
        if let Some(file) = self.checkpoint.file() {
            let with_moves = self.divide;
            let request = checkpoint::Request {
                position,
                depth,
                options,
                table,
                file,
                categories,
                with_moves,
                json,
                call,
            };
            return Ok(Request::Checkpoint(request));
        }
        if let Some(checks) = categories {
            let request = categories::Request { position, depth, options, table, checks, json };
            return Ok(Request::Categories(request));
        }
        let report = match (self.plain, json, self.divide) {
            (Some(style), ..) => Report::ForTool(style),
            (None, true, divide) => Report::Json { divide },
            (None, false, true) => Report::Divide,
            (None, false, false) => Report::EachDepth,
        };
        let verify_seed = self.verify_seed;
        if verify_seed.is_some() && verify_seed == table.map(|table| table.seed) {
            return Err(Diagnostic::new("--verify-seed must differ from --seed").into());
        }
        let request = leaf_nodes::Request { position, depth, options, table, verify_seed, report };
        Ok(Request::LeafNodes(request))
    }

    fn expectation(&self) -> Expectation {
        if self.json {
            Expectation::silent(self.expect)
        } else if self.plain.is_some() {
            Expectation::on_standard_error(self.expect)
        } else {
            Expectation::on_standard_output(self.expect)
        }
    }
}
